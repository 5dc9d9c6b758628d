"""The built file as its own source, and what is said when no way answers."""

from __future__ import annotations

import pytest
from trees import BASE, map_sources

from sitemap_guard.config import SourceRule
from sitemap_guard.model import EditLink, Located, Mapping, Page

HTML = Located("html", "x/index.html")
PAGE = Page("x/index.html")


def one(
    prefix: str | None,
    *tracked: str,
    located: Located = HTML,
    page: Page | None = PAGE,
    url: str = BASE + "x/",
    rules: list[SourceRule] | None = None,
) -> Mapping:
    return map_sources([(url, located, page)], prefix=prefix, tracked=tracked, rules=rules or [])[0]


@pytest.mark.parametrize(
    ("prefix", "file"),
    [("", "x/index.html"), ("public", "public/x/index.html"), ("a/b/", "a/b/x/index.html"), (".", "x/index.html")],
)
def test_a_tracked_file_is_its_own_source(prefix: str, file: str) -> None:
    assert one(prefix, file) == Mapping(file, how="identity")


def test_other_files_are_their_own_sources_too() -> None:
    assert one("", "a.pdf", located=Located("file", "a.pdf"), page=None) == Mapping("a.pdf", how="identity")


def test_it_is_told_what_was_tried() -> None:
    assert (
        one("public", "x/index.html").tried
        == "no [[source]] rule matches; the page has no edit link; public/x/index.html is not tracked"
    )
    assert one("public").reason == "no-source"
    assert "outside the repository" in one(None, "x/index.html").tried
    assert "no built file was found" in one("", "x", located=Located("missing"), page=None).tried
    assert one("", "", url="", located=Located("unparsable"), page=None).reason == "no-source"


def test_the_first_way_in_the_order_answers() -> None:
    page = Page("x/index.html", edit_links=(EditLink("https://github.com/o/r/edit/", "main/x.md", "a"),))
    rules = [SourceRule("/x/", "rule.md")]
    everything = ("rule.md", "x.md", "x/index.html")
    assert one("", *everything, page=page, rules=rules).how == "rule"
    assert one("", *everything, page=page).how == "edit-link"
    assert one("", *everything).how == "identity"
    # an untracked rule path goes on to the next way
    assert one("", "x.md", page=page, rules=rules).how == "edit-link"


def test_answers_come_in_the_order_of_the_entries() -> None:
    entries = [(f"{BASE}{n}.html", Located("html", f"{n}.html"), None) for n in range(50)]
    found = map_sources(entries, prefix="", tracked=[f"{n}.html" for n in range(0, 50, 2)])
    assert [mapping.content for mapping in found] == [f"{n}.html" if n % 2 == 0 else "" for n in range(50)]
