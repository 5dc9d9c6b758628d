"""Date fields in the sources: stale, unreadable, never read, in every kind of front matter."""

from __future__ import annotations

import pytest
from conftest import Repo
from dated import Policy, at, check

from sitemap_guard.model import Answer


def page(field: str, body: str, more: str = "") -> str:
    return f"---\ntitle: T\n{more}{field}\n---\n{body}\n"


def test_a_field_set_with_the_last_change_is_fresh_however_old_it_looks(repo: Repo) -> None:
    repo.commit("one", {"a.md": page("lastmod: 2020-01-01", "one")}, at=at("2026-01-01"))
    assert check(repo, {"a": "2020-01-01"}).about_dates() == []


def test_a_change_of_substance_after_the_field_makes_it_stale(repo: Repo) -> None:
    repo.commit("one", {"a.md": page("lastmod: 2026-01-05", "one")}, at=at("2026-01-06"))
    repo.commit("two", {"a.md": page("lastmod: 2026-01-05", "two")}, at=at("2026-01-07"))
    repo.commit("space", {"a.md": page("lastmod: 2026-01-05", "two \n")}, at=at("2026-01-08"))
    repo.commit("three", {"a.md": page("lastmod: 2026-01-05", "three")}, at=at("2026-01-09"))
    told = check(repo, {"a": "2026-01-05"})
    assert told.answer("a") is Answer.TRUE
    (finding,) = told.about_dates()
    assert (finding.rule, finding.level.word, finding.path, finding.line) == (
        "lastmod-field-stale",
        "warning",
        "a.md",
        3,
    )
    assert "lastmod: 2026-01-05 was set 3 commits ago, 2 changes since" in finding.message
    assert told.verdict("a").expected == "2026-01-09"


def test_a_second_field_with_the_same_day_does_not_hide_the_age_of_the_first(repo: Repo) -> None:
    both = "date: 2026-01-05\nlastmod: 2026-01-05"
    repo.commit("one", {"a.md": page(both, "one")}, at=at("2026-01-06"))
    repo.commit("two", {"a.md": page(both, "two")}, at=at("2026-01-07"))
    (finding,) = check(repo, {"a": "2026-01-05"}).about_dates()
    assert "lastmod: 2026-01-05 was set 1 commit ago, 1 change since" in finding.message


def test_what_changes_no_substance_does_not_age_a_field(repo: Repo) -> None:
    repo.commit("one", {"old.md": page("lastmod: 2026-01-05", "one two")}, at=at("2026-01-06"))
    repo.commit("wrap", {"old.md": page("lastmod: 2026-01-05", "one\ntwo")}, at=at("2026-02-06"))
    repo.commit("keys", {"old.md": page("lastmod: 2026-01-05", "one\ntwo", "weight: 3\n")}, at=at("2026-03-06"))
    repo.git("mv", "old.md", "a.md")
    repo.commit("move", at=at("2026-04-06"))
    assert check(repo, {"a": "2026-01-05"}).about_dates() == []


def test_a_field_that_is_touched_without_a_new_value_stays_old(repo: Repo) -> None:
    repo.commit("one", {"a.md": page("lastmod: 2026-01-05", "one")}, at=at("2026-01-06"))
    repo.commit("two", {"a.md": page("lastmod:   '2026-01-05'", "two")}, at=at("2026-02-06"))
    (finding,) = check(repo, {"a": "2026-01-05"}).about_dates()
    assert "was set 1 commit ago, 1 change since" in finding.message


def test_days_of_publication_go_stale_as_one_group_with_its_cause(repo: Repo) -> None:
    repo.commit("posts", {f"{n}.md": page("date: 2026-01-05", n) for n in "abc"}, at=at("2026-01-06"))
    repo.commit("dated", {"2026-01-04-d.md": "d\n"}, at=at("2026-01-05"))
    repo.commit("edit", {f"{n}.md": page("date: 2026-01-05", n * 2) for n in "abc"}, at=at("2026-03-06"))
    repo.commit("edit", {"2026-01-04-d.md": "dd\n"}, at=at("2026-03-07"))
    told = check(repo, dict.fromkeys("abc", "2026-01-05") | {"d": "2026-01-04"}, sources={"d": "2026-01-04-d.md"})
    found = told.found("lastmod-field-stale")
    assert len(found) == 4
    assert {finding.headline for finding in found} == {"4 of 4 dates are days of publication: the pages changed later"}
    assert told.verdict("d").cause == "publication"


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.md", "---\nlast_update:\n  date: {}\n---\ntext\n", 3),
        ("a.md", '+++\ntitle = "T"\nlastmod = {}\n+++\ntext\n', 3),
        ("a.md", '{{\n"title": "T",\n"lastmod": "{}"\n}}\ntext\n', 3),
        ("a.org", "#+TITLE: T\n#+LASTMOD: <{} Sat>\n\n* text\n", 2),
        ("a.org", "#+HUGO_LASTMOD: [{}]\n\ntext\n", 1),
        ("a.rst", "Title\n=====\n\n:modified: {}\n:tags: x\n\ntext\n", 4),
        ("a.rst", ":lastmod: {}\n\nTitle\n=====\n\ntext\n", 1),
        ("a.adoc", "= Title\n:updated: {}\n\ntext\n", 2),
        ("a.md", "Title: T\nModified: {}\n\ntext\n", 2),
        ("a.md", "---\nlastMod: {}\n---\ntext\n", 2),
    ],
)
def test_fields_are_read_in_each_kind_of_head(repo: Repo, path: str, text: str, line: int) -> None:
    filled = text.replace("{{", "{").replace("}}", "}").replace("{}", "2021-05-01")
    repo.commit("one", {path: filled}, at=at("2026-01-06"))
    sources = {"a": path}
    told = check(repo, {"a": "2021-05-01"}, sources=sources)
    assert told.about_dates() == []
    witness = told.verdict("a").witness
    assert witness is not None
    assert witness.field is not None
    assert witness.field.line == line
    repo.commit("two", {path: filled.replace("text", "other text")}, at=at("2026-02-06"))
    (finding,) = check(repo, {"a": "2021-05-01"}, sources=sources).about_dates()
    assert (finding.rule, finding.line) == ("lastmod-field-stale", line)
    assert finding.headline == "1 of 1 date stands on a field that is older than the page"


def test_a_name_of_the_sites_own_and_a_wall_clock_in_its_zone(repo: Repo) -> None:
    repo.commit("one", {"a.md": "---\nmeta:\n  geändert: 2021-05-01 10:00\n---\ntext\n"}, at=at("2026-01-06"))
    claim = {"a": "2021-05-01T08:00:00Z"}
    assert check(repo, claim, fields=("meta.geändert",), zone="Europe/Oslo").about_dates() == []
    assert check(repo, claim, fields=("meta.geändert",)).answer("a") is Answer.FALSE


@pytest.mark.parametrize("value", ["2024-13-45", "soon", "31.12.2024"])
def test_a_value_that_is_no_date_is_found_at_its_line(repo: Repo, value: str) -> None:
    repo.commit(
        "one", {"a.md": page(f"lastmod: {value}", "one"), "b.md": page(f"lastmod: {value}", "b")}, at=at("2026-01-06")
    )
    told = check(repo, {"a": "0001-01-01T00:00:00Z", "b": None})
    found = told.found("lastmod-field-unreadable")
    assert {(f.path, f.line, f.level.word) for f in found} == {("a.md", 3, "warning"), ("b.md", 3, "warning")}
    assert f"lastmod: {value} is no date" in found[0].message


@pytest.mark.parametrize("value", ["", "true", "git Last Modified", "1700000000", "2024-05-01 10:00:00 -0800"])
def test_values_that_generators_understand_are_let_be(repo: Repo, value: str) -> None:
    repo.commit("one", {"a.md": page(f"lastmod: {value}", "one")}, at=at("2026-01-06"))
    assert check(repo, {"a": None}).found("lastmod-field-unreadable") == []


def test_a_bad_value_behind_a_good_field_does_no_harm(repo: Repo) -> None:
    repo.commit("one", {"a.md": page("lastmod: 2024-05-01\nupdated: v1.2", "one")}, at=at("2026-01-06"))
    assert check(repo, {"a": "2024-05-01"}).about_dates() == []


def test_a_field_whose_name_the_generator_does_not_list_is_told_once(repo: Repo) -> None:
    names = [f"p{number}" for number in range(4)]
    repo.commit("one", {f"{n}.md": page("last_modified_at: 2024-05-01", n) for n in names}, at=at("2026-01-06"))
    told = check(repo, dict.fromkeys(names, "2026-01-06"), generator="Hugo 0.168.0")
    (finding,) = told.about_dates()
    assert (finding.rule, finding.path, finding.line) == ("lastmod-field-unread", "p0.md", 3)
    assert "4 sources carry a date in 'last_modified_at', which Hugo's own list does not name" in finding.message
    named = '[frontmatter]\nlastmod = [":git", "last_modified_at", ":default"]\n'
    repo.commit("name it", {"hugo.toml": named}, at=at("2026-01-07"))
    assert check(repo, dict.fromkeys(names, "2026-01-06"), generator="Hugo 0.168.0").about_dates() == []
    repo.commit("name another", {"hugo.toml": '[frontmatter]\nlastmod = ["modified"]\n'}, at=at("2026-01-08"))
    told = check(repo, dict.fromkeys(names, "2026-01-06"), generator="Hugo 0.168.0")
    assert "[frontmatter] lastmod in hugo.toml does not name" in told.found("lastmod-field-unread")[0].message


def test_a_known_field_beside_dates_from_git_is_a_choice(repo: Repo) -> None:
    repo.commit("one", {f"{n}.md": page("lastmod: 2024-05-01", n) for n in "abc"}, at=at("2026-01-06"))
    assert check(repo, dict.fromkeys("abc", "2026-01-06"), generator="Hugo 0.168.0").about_dates() == []
    assert check(repo, dict.fromkeys("abc", "2026-01-06")).about_dates() == []


def test_a_field_that_false_dates_pass_over_is_told(repo: Repo) -> None:
    repo.commit("one", {f"{n}.md": page("lastmod: 2024-05-01", n) for n in "abc"}, at=at("2026-01-06"))
    told = check(repo, dict.fromkeys("abc", "2026-11-30"))
    (finding,) = told.found("lastmod-field-unread")
    assert "3 sources carry a date in 'lastmod', but the sitemap's dates do not follow it" in finding.message


def test_the_last_policy_that_fits_counts(repo: Repo) -> None:
    repo.commit("one", {"de/a.md": page("lastmod: 2024-05-01", "a")}, at=at("2026-01-06"))
    rules = (Policy(paths=("**",), field="ignore"), Policy(paths=("de/*",), field="authoritative"))
    sources = {"a": "de/a.md"}
    assert check(repo, {"a": "2024-05-01"}, sources=sources, policy=rules).about_dates() == []
    assert check(repo, {"a": "2024-05-01"}, sources=sources, policy=rules[::-1]).answer("a") is Answer.FALSE
    told = check(repo, {"a": "2026-01-06T12:00:00Z"}, sources=sources, policy=rules, zone="Europe/Oslo")
    assert told.verdict("a").expected == "2024-04-30T22:00:00Z"  # the field's midnight in the site's zone
