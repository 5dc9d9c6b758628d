"""`[[source]]` rules that have no effect, and addresses written from the host's root."""

from __future__ import annotations

import pytest
from trees import site, tree_of

from sitemap_guard.config import SourceRule
from sitemap_guard.model import Located, Mapping
from sitemap_guard.sources.mapper import Mapped, map_site

BASE = "https://o.github.io/project/"


def mapped(rules: list[SourceRule], *paths: str, tracked: tuple[str, ...] = ()) -> Mapped:
    entries = [(BASE + path, Located("missing"), None) for path in paths]
    return map_site(entries, base_url=BASE, prefix="public", tree=tree_of(dict.fromkeys(tracked, "")), rules=rules)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (SourceRule("/a/", "docs/aa.md"), "path leads to no file that git tracks: docs/aa.md; did you mean docs/a.md?"),
        (SourceRule("/a/", "doc/a.md"), "path leads to no file that git tracks: doc/a.md; did you mean docs/a.md?"),
        (SourceRule("/{s}/", ("x/{s}.md", "y/{s}.md")), "path leads to no file that git tracks: x/a.md and 3 more; did you mean docs/a.md?"),
        (SourceRule("/{s}/", "**/{s}.rst"), "path leads to no file that git tracks: **/a.rst and 1 more"),
        (SourceRule("/none/", "docs/a.md"), f"no sitemap lists an address that it fits (paths are below {BASE})"),
        (SourceRule("/abc/", "docs/a.md"), f"no sitemap lists an address that it fits (paths are below {BASE}); did you mean {BASE}abd/?"),
        (SourceRule("/none/{s}/", "docs/{s}.md"), f"no sitemap lists an address that it fits (paths are below {BASE})"),
        (SourceRule("https://e.org/none/", "docs/a.md"), "no sitemap lists an address that it fits"),
        (SourceRule("/a/", "docs/a.md", ("nope.md",)), "also fits no file that git tracks: nope.md"),
        (SourceRule("/a/", "docs/a.md", ("docs/b.md", "dcs/b.md")), "also fits no file that git tracks: dcs/b.md; did you mean docs/b.md?"),
    ],
)  # fmt: skip
def test_what_fits_nothing_is_told_with_the_nearest_name(rule: SourceRule, said: str) -> None:
    found = mapped([SourceRule("/b/", "docs/b.md"), rule], "a/", "b/", "abd/", tracked=("docs/a.md", "docs/b.md"))
    assert found.notes == (f"[[source]] 2 (url {rule.url!r}): {said}",)


def test_a_rule_that_others_stand_before_is_told() -> None:
    rules = [SourceRule("/{s}/", "{s}.md"), SourceRule("/a/", "b.md")]
    assert mapped(rules, "a/", tracked=("a.md", "b.md")).notes == (
        "[[source]] 2 (url '/a/'): it has no effect, since rules before it answer for every address that it fits",
    )


@pytest.mark.parametrize(
    "rule",
    [
        SourceRule("/{s}/", ("{s}.md", "{s}/index.md")),  # a second path is for those that the first does not fit
        SourceRule("/{s}/", "{s}.md", ("data/{s}.yml",)),
        SourceRule("/{s}/", "**/{s}.md"),
    ],
)
def test_what_fits_one_page_is_not_told(rule: SourceRule) -> None:
    found = mapped([rule], "a/", "b/", tracked=("a.md", "data/a.yml", "x/b.md", "y/b.md"))
    assert found.notes == ()


def test_without_a_history_nothing_is_said_of_files() -> None:
    assert mapped([SourceRule("/a/", "a.md")], "a/").notes == ()


def test_many_idle_rules_are_counted() -> None:
    rules = [SourceRule(f"/p{number}/", "a.md") for number in range(30)]
    notes = mapped(rules, "a/", tracked=("a.md",)).notes
    assert len(notes) == 11
    assert notes[-1].startswith("[[source]]: 20 more rules")


def test_a_rule_that_leads_nowhere_is_told_where_another_way_knows() -> None:
    files = {"mkdocs.yml": "site_name: x\n", "docs/install.md": "", "docs/index.md": ""}
    subjects = [(BASE + "install/", Located("html", "install/index.html"), None)]
    rules = [SourceRule("/install/", "docs/instal.md")]
    (one,) = map_site(subjects, base_url=BASE, prefix="site", tree=tree_of(files), rules=rules).mappings
    assert (one.content, one.how, one.reason) == ("docs/install.md", "generator", "untracked")
    assert one.tried == "a [[source]] rule leads here, not tracked: docs/instal.md"
    (plain,) = site(files, "/install/", base=BASE).mappings
    assert (plain.content, plain.reason, plain.tried) == ("docs/install.md", "", "")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("/project/a/", "a.md"), ("/project/{s}/", "{s}.md"), ("/{p}/", "{p}.md"), ("/project/{s*}", "{s}.md")],
)
def test_an_address_may_be_written_from_the_hosts_root(pattern: str, path: str) -> None:
    url = "a" if pattern.endswith("*}") else "a/"
    found = mapped([SourceRule(pattern, path)], url, tracked=("a.md",))
    assert found.mappings == (Mapping("a.md", how="rule"),)
    assert found.notes == ()


def test_an_address_below_the_site_comes_before_one_from_the_hosts_root() -> None:
    rules = [SourceRule("/project/{s}/", "{s}.md")]
    found = mapped(rules, "project/a/", "a/", tracked=("a.md", "b.md"))
    assert [one.content for one in found.mappings] == ["a.md", ""]
