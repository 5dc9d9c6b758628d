"""Dates that are no dates, or that look like none (reports)."""

from __future__ import annotations

import pytest
from conftest import Repo
from dated import at, check

from sitemap_guard.model import Answer


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-01-08T00:00:00", "2024-01-08"),
        ("2024-01-08T08:00:00-0400", "2024-01-08T08:00:00-04:00"),
        ("2022-09-20T10:00:00-0400", "2024-01-08T08:00:00-04:00"),  # well written it must be true as well
        ("2004-10-01 18:23:17", "2024-01-08"),
        ("2020-02-04T18:09:12-00:14400", "2024-01-08"),
        ("2012-06-31", "2024-01-08"),
        ("2024-02-30", "2024-01-08"),
        ("garbage2024-01-15T09:30:00Zjunk", "2024-01-08"),
        ("null", "2024-01-08"),
        ("2024-W05-1", "2024-01-08"),
        ("20240108", "2024-01-08"),
    ],
)
def test_each_form_has_its_own_correction(repo: Repo, written: str, expected: str) -> None:
    repo.commit("one", {"a.md": "a\n", "b.md": "b\n"}, at=at("2024-01-08"))
    told = check(repo, {"a": written, "b": "2024-01-08"})
    assert told.rule("a") == "lastmod-format"
    assert told.verdict("a").expected == expected
    assert told.answer("b") is Answer.TRUE  # one bad entry leaves the others to be judged


@pytest.mark.parametrize("written", ["2015-12-22T05:31-01:00", "2015", "2015-12"])
def test_forms_that_the_note_allows_are_accepted(repo: Repo, written: str) -> None:
    repo.commit("one", {"a.md": "a\n"}, at=at("2015-12-22T05:31:20-01:00"), zone="-0100")
    assert check(repo, {"a": written}).about_dates("error", "warning", "info") == []


def test_dates_before_1970_are_warned_of(repo: Repo) -> None:
    repo.commit("law", {"a.md": "---\ndate: 1940-12-22\n---\nlaw\n"}, at=at("2026-02-01"))
    told = check(repo, {"a": "1940-12-22"})
    (early,) = told.found("lastmod-early")
    assert (early.level.word, early.claimed, early.expected) == ("warning", "1940-12-22", None)


def test_a_year_far_ahead_is_the_future(repo: Repo) -> None:
    repo.commit("law", {"a.md": "law\n"}, at=at("2026-02-01"))
    assert check(repo, {"a": "2929-11-19"}).rule("a") == "lastmod-future"
