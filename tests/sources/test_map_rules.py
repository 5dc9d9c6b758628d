"""`[[source]]` rules."""

from __future__ import annotations

import time

import pytest
from trees import map_sources

from sitemap_guard.config import SourceRule
from sitemap_guard.model import Located, Mapping, UserError

BASE = "https://o.github.io/project/"
MISSING = Located("missing")


def source(url: str, rules: list[SourceRule], *tracked: str) -> Mapping:
    return map_sources([(url, MISSING, None)], base_url=BASE, prefix="public", tracked=tracked, rules=rules)[0]


@pytest.mark.parametrize(
    ("pattern", "path", "url", "file"),
    [
        ("/blog/{slug}/", "content/{slug}.md", "blog/a-b/", "content/a-b.md"),
        ("blog/{slug}/", "./content/{slug}.md", "blog/a/", "content/a.md"),
        ("/blog/{slug}", "content/{slug}.md", "blog/a", "content/a.md"),
        ("/", "index.md", "", "index.md"),
        ("/{y}/{m}/{slug}.html", "_posts/{y}-{m}-{slug}.md", "2024/05/x.html", "_posts/2024-05-x.md"),
        ("/v{version}/{page}/", "{page}/{version}.md", "v1.2/a/", "a/1.2.md"),
        ("/{a}-{b}/", "{a}/{b}.md", "x-y-z/", "x/y-z.md"),
        ("/docs/{path*}/", "docs/{path}.md", "docs/a/b/c/", "docs/a/b/c.md"),
        ("/docs/{path*}/", "docs/{path*}/index.md", "docs/", "docs/index.md"),
        ("/{path*}.html", "src/{path*}.md", "guide/a/b.html", "src/guide/a/b.md"),
        ("/docs/{path*}", "docs/{path}.md", "docs/a/b", "docs/a/b.md"),
        ("/{lang}/{rest*}/{slug}/", "{lang}/{slug}/{rest*}.md", "de/a/b/c/", "de/c/a/b.md"),
        ("/é x/{s}/", "{s}.md", "%C3%A9%20x/%C3%BC/", "ü.md"),
        ("/a?p={n}", "p{n}.md", "a?p=2", "p2.md"),
        ("https://o.github.io/project/{s}/", "{s}.md", "a/", "a.md"),
        ("HTTPS://O.github.io:443/{p}/{s}/", "{p}/{s}.md", "a/", "project/a.md"),
    ],
)
def test_names_are_filled_in(pattern: str, path: str, url: str, file: str) -> None:
    assert source(BASE + url, [SourceRule(pattern, path)], file, "other.md") == Mapping(file, how="rule")


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("/blog/{slug}/", "blog/a"),
        ("/blog/{slug}", "blog/a/"),
        ("/blog/{slug}/", "blog/a/b/"),
        ("/blog/{slug}/", "blog//"),
        ("/blog/{slug}/", "Blog/a/"),
        ("/blog/{slug}/", "blog/a/?p=1"),
        ("/docs/{slug*}", "docs/a/"),
        ("/docs/{slug*}/", "docs/a"),
        ("/{slug}.html", "axhtml"),
        ("https://example.org/{slug}/", "a/"),
    ],
)
def test_urls_that_do_not_match(pattern: str, url: str) -> None:
    found = source(BASE + url, [SourceRule(pattern, "x{slug}.md")], "xa.md", "xblog.md", "x.md", "xa/b.md")
    assert (found.content, found.reason) == ("", "no-source")
    assert found.tried.startswith("no [[source]] rule matches")


def test_the_first_path_and_the_first_rule_that_is_tracked() -> None:
    rules = [
        SourceRule("/a/", "none.md"),
        SourceRule("/{s}/", ("{s}.md", "{s}/index.md", "{s}/readme.md")),
        SourceRule("/a/", "late.md"),
    ]
    assert source(BASE + "a/", rules, "a/index.md", "a/readme.md", "late.md").content == "a/index.md"
    assert source(BASE + "a/", rules, "late.md").content == "late.md"
    assert source(BASE + "a/", [rules[2], rules[1]], "late.md", "a.md").content == "late.md"


def test_untracked_names_the_path() -> None:
    found = source(BASE + "a/", [SourceRule("/{s}/", "content/{s}.md")], "content/A.md")
    assert (found.content, found.how, found.reason) == ("", "", "untracked")
    assert "content/a.md" in found.tried


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("_posts/*-{s}.md", "_posts/2024-01-02-a.md"),
        ("**/{s}.md", "a.md"),
        ("**/{s}.md", "x/y/a.md"),
        ("x/**/{s}.md", "x/a.md"),
        ("x/**/{s}.*", "x/y/z/a.mdx"),
        ("{s}/**", "a/b/c.md"),
        ("{s}.m?", "a.md"),
        ("[{s}].md*", "[a].md"),
    ],
)
def test_wild_cards_find_the_one_file_that_fits(path: str, file: str) -> None:
    others = ("b.md", "_posts/2024/x-a.md", "_posts/2024-01-02-b.md", "xa.mdd", "x/b.md", "x/ya.md")
    assert source(BASE + "a/", [SourceRule("/{s}/", path)], file, *others).content == file


def test_several_files_are_no_answer_and_end_the_search() -> None:
    rules = [SourceRule("/{s}/", ("**/{s}.md", "late.md")), SourceRule("/{s}/", "late.md")]
    found = source(BASE + "a/", rules, "x/a.md", "y/a.md", "late.md")
    assert found == Mapping(reason="ambiguous", tried="two files fit: x/a.md, y/a.md; name one with [[source]]")


def test_what_the_url_says_is_no_wild_card() -> None:
    rule = SourceRule("/{s}/", "docs/**/{s}.md")
    assert source(BASE + "*/", [rule], "docs/a.md").content == ""
    assert source(BASE + "%3F/", [rule], "docs/a.md").content == ""
    assert source(BASE + "*/", [rule], "docs/x/*.md", "docs/x/a.md").content == "docs/x/*.md"
    assert source(BASE + "..%2Fa/", [SourceRule("/{s*}/", "docs/{s*}.md")], "a.md", "docs/a.md").content == ""


def test_also_keeps_what_is_tracked() -> None:
    rule = SourceRule("/{s}/", "{s}.md", also=("data/{s}.json", "data/**/*.yml", "{s}*", "none.txt"))
    found = source(BASE + "a/", [rule], "a.md", "data/a.json", "data/x/y.yml", "data/z.yml", "data/b.json")
    assert found == Mapping("a.md", ("data/a.json", "data/x/y.yml", "data/z.yml"), "rule")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (SourceRule("/{s/", "a.md"), "url: a stray brace at '{s/'"),
        (SourceRule("/{}/", "a.md"), "url: a stray brace"),
        (SourceRule("/s}/", "a.md"), "url: a stray brace at '}/'"),
        (SourceRule("/{s}/", "{s.md"), "path: a stray brace at '{s.md'"),
        (SourceRule("/{s}/", "{t}.md"), "path: it uses {t}, but url has {s}"),
        (SourceRule("/s/", "{t}.md"), "url has no names"),
        (SourceRule("/{s}/", "a.md", ("{t*}.md",)), "also: it uses {t}"),
        (SourceRule("/{s}/{s*}/", "a.md"), "the name {s} stands there twice"),
        (SourceRule("https://{host}/", "a.md"), "no host"),
    ],
)
def test_a_bad_pattern_names_its_rule(rule: SourceRule, words: str) -> None:
    with pytest.raises(UserError) as caught:
        source(BASE, [SourceRule("/", "x.md"), rule])
    assert str(caught.value).startswith("source[1].")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_thousands_of_literal_rules_cost_nothing_each() -> None:
    def seconds(count: int) -> float:
        rules = [SourceRule(f"/p{number}/", f"p{number}.md") for number in range(count)]
        entries = [(f"{BASE}p{number}/", MISSING, None) for number in range(count)]
        tracked = frozenset(f"p{number}.md" for number in range(count))
        start = time.process_time()
        found = map_sources(entries, base_url=BASE, prefix=None, tracked=tracked, rules=rules)
        spent = time.process_time() - start
        assert all(mapping.how == "rule" for mapping in found)
        return spent

    small = min(seconds(300) for _ in range(3))
    assert seconds(6000) < 20 * small * 5  # twenty times as many; a search through all would cost 400 times


def test_wild_cards_look_at_few_files() -> None:
    def seconds(count: int) -> float:
        tracked = frozenset(f"_posts/2024-01-01-p{number}.md" for number in range(count))
        entries = [(f"{BASE}p{number}/", MISSING, None) for number in range(count)]
        start = time.process_time()
        found = map_sources(
            entries, base_url=BASE, prefix=None, tracked=tracked, rules=[SourceRule("/{s}/", "_posts/*-{s}.md")]
        )
        spent = time.process_time() - start
        assert all(mapping.how == "rule" for mapping in found)
        return spent

    small = min(seconds(200) for _ in range(3))
    assert seconds(4000) < 20 * small * 5
