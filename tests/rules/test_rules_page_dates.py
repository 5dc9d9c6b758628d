"""Modification dates in pages beside those in the sitemap."""

from __future__ import annotations

import pytest
from facts import entry, findings, page, site

from sitemap_guard.model import Answer, Finding, Stated, Verdict


def compared(lastmod: str | None, *values: str, answer: Answer = Answer.TRUE, **facts: object) -> list[Finding]:
    stated = tuple(Stated(how, value) for how, value in zip(("JSON-LD dateModified", "b", "c"), values, strict=False))
    built = page(modified=stated, **facts)
    return findings("lastmod-page", site(entry(built=built, lastmod=lastmod, verdict=Verdict(answer))))


@pytest.mark.parametrize(
    ("lastmod", "value"),
    [
        ("2026-05-10", "2024-01-31"),
        ("2026-05-10", "2026-05-11T12:00:00Z"),
        ("2026-05-10T10:00:00Z", "2026-05-10T10:00:01Z"),
        ("2026-05-10T10:00:00Z", "2026-05-10T10:00:00+02:00"),
        ("2026-05", "2026-06-01"),
        ("2026-05-10", "2026-05-12T00:00:00"),
        ("2026-05-10", "May 12, 2026"),
    ],
)
def test_dates_that_disagree(lastmod: str, value: str) -> None:
    (found,) = compared(lastmod, value)
    assert found.level.word == "warning"
    assert value in found.message
    assert "JSON-LD dateModified" in found.headline


@pytest.mark.parametrize(
    ("lastmod", "value"),
    [
        ("2026-05-10", "2026-05-10"),
        ("2026-05-10", "2026-05-10T23:30:00+00:00"),
        ("2026-05-10", "2026-05-11T01:30:00+02:00"),  # the day in UTC
        ("2026-05-11", "2026-05-11T01:30:00+02:00"),  # the day in the page's own zone
        ("2026-05-10T10:00:00Z", "2026-05-10"),
        ("2026-05-10T23:00:00Z", "2026-05-11T01:00:00+02:00"),
        ("2026-05-10T10:00:00+02:00", "2026-05-10T10:00:00"),  # a wall clock: its zone is not known
        ("2026-05-10T10:00:00.123Z", "2026-05-10T10:00:00Z"),
        ("2026", "2026-05-10"),
        ("2026-05-10", "some day"),
        (None, "2020-01-01"),
    ],
)
def test_dates_that_can_mean_the_same(lastmod: str | None, value: str) -> None:
    assert compared(lastmod, value) == []


def test_one_statement_that_agrees_is_enough() -> None:
    assert compared("2026-05-10", "2024-01-31", "2026-05-10T08:00:00Z") == []


def test_equal_dates_prove_nothing_and_false_claims_are_told_once() -> None:
    assert compared("2026-05-10", "2024-01-31", answer=Answer.FALSE) == []
    assert compared("2026-05-10", "2026-05-10", answer=Answer.FALSE) == []
    assert len(compared("2026-05-10", "2024-01-31", answer=Answer.CANNOT_TELL)) == 1


def test_a_page_that_is_none_is_not_compared() -> None:
    assert compared("2026-05-10", "2024-01-31", refresh="/elsewhere/") == []
    assert compared("2026-05-10", "2024-01-31", robots=frozenset({"noindex"})) == []
