"""The dates of sitemap indexes."""

from __future__ import annotations

import pytest
from facts import BASE, NOW, entry, findings, site

from sitemap_guard.model import Answer, Change, Child, Commit, Finding, Instant, Sitemap, Verdict

DAY = 86400


def indexed(
    lastmod: str | None, *dates: str, verdict: Answer = Answer.TRUE, change: Change | None = None, rule: str = ""
) -> list[Finding]:
    children = (Child(BASE + "pages.xml", lastmod, 4, 5, "read", "pages.xml"),)
    sitemaps = (
        Sitemap("sitemap.xml", "index", "name", children=children),
        Sitemap("pages.xml", "urlset", "index"),
    )
    entries = [
        entry(f"{BASE}{number}/", lastmod=date, sitemap="pages.xml", verdict=Verdict(verdict))
        for number, date in enumerate(dates)
    ]
    changes = {"pages.xml": change} if change else {}
    return findings(rule or "sitemap-index-lastmod", site(*entries, sitemaps=sitemaps, sitemap_changes=changes))


@pytest.mark.parametrize(
    ("index", "inside"),
    [
        ("2025-05-20", "2025-06-26"),
        ("2025-06-25", "2025-06-26"),
        ("2025-05", "2025-06-01"),
        ("2025-06-25T23:00:00Z", "2025-06-26"),
        ("2025-06-26T09:00:00Z", "2025-06-26T09:00:01Z"),
        ("2025-06-26T09:00:00+02:00", "2025-06-26T08:00:00Z"),
    ],
)
def test_older_than_the_newest_entry_inside(index: str, inside: str) -> None:
    (found,) = indexed(index, "2020-01-01", inside)
    assert (found.path, found.line, found.element) == ("public/sitemap.xml", 4, "lastmod")
    assert (found.claimed, found.expected) == (index, inside)
    assert "/1/" in found.message


@pytest.mark.parametrize(
    ("index", "inside"),
    [
        ("2025-06-26", "2025-06-26"),
        ("2025-08-01", "2025-06-26"),
        (None, "2025-06-26"),
        ("2025-06-26", "2025-06-26T20:00:00Z"),
        ("2025-06-26T00:30:00Z", "2025-06-26"),
        ("2025", "2025-06-26"),
        ("2025-06-26", "2025-06-27T01:00:00+02:00"),  # the day before in UTC
        ("not a date", "2025-06-26"),
    ],
)
def test_as_new_as_the_newest_entry_or_newer(index: str | None, inside: str) -> None:
    assert indexed(index, "2020-01-01", inside) == []


def test_a_false_date_inside_proves_nothing() -> None:
    assert indexed("2025-05-20", "2025-06-26", verdict=Answer.FALSE) == []


def test_the_tracked_files_own_change_supports_it() -> None:
    at = Instant(1747699200)  # 2025-05-20
    commit = Commit("c" * 40, at, at, at)
    assert indexed("2025-05-20", "2025-06-26", change=Change("public/pages.xml", commit)) == []
    assert len(indexed("2025-05-21", "2025-06-26", change=Change("public/pages.xml", commit))) == 1
    assert len(indexed("2025-05-20", "2025-06-26", change=Change("public/pages.xml", commit, edge=True))) == 1


@pytest.mark.parametrize(
    ("rule", "lastmod", "expected"),
    [
        ("lastmod-format", "2025-06-26 10:00:00+00:00", "2025-06-26T10:00:00Z"),
        ("lastmod-format", "", None),
        ("lastmod-placeholder", "1970-01-01T00:00:00Z", None),
        ("lastmod-future", "2999-01-01", None),
    ],
)
def test_dates_that_are_false_by_themselves(rule: str, lastmod: str, expected: str | None) -> None:
    (found,) = indexed(lastmod, rule=rule)
    assert (found.path, found.line, found.claimed, found.expected) == ("public/sitemap.xml", 4, lastmod, expected)
    assert found.level.word == "error"


def test_good_dates_of_an_index_are_let_be() -> None:
    today = Instant(NOW).iso("day")
    for rule in ("lastmod-format", "lastmod-placeholder", "lastmod-future"):
        assert indexed(today, "2025-06-26", rule=rule) == []
        assert indexed(None, rule=rule) == []
