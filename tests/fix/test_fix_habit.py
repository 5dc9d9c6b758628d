"""A date that is added looks like the others of the site."""

from __future__ import annotations

import pytest
from fix_facts import result, sitemap
from msgspec.structs import replace
from random_sitemaps import NAMESPACE

from sitemap_guard.fix.habit import Habit
from sitemap_guard.model import Answer, Change, Commit, Entry, Instant, Located, Verdict, Witness

AT = 1772323200  # 2026-03-01T00:00:00Z
LATER = AT + 90_000


def undated(entry: Entry, offset: int) -> Entry:
    commit = Commit("c", Instant(AT, offset), Instant(LATER, offset), Instant(LATER))
    return replace(entry, verdict=Verdict(Answer.ABSENT, witness=Witness("change", "a.md", Change("a.md", commit))))


@pytest.mark.parametrize(
    ("others", "offset", "expected"),
    [
        ([], 0, "2026-03-01"),
        (["2026-01-01"], -60, "2026-02-28"),
        (["2026-01-01T00:00:00Z"], 120, "2026-03-01T00:00:00Z"),
        (["2026-01-01T00:00:00.000Z"], 120, "2026-03-01T00:00:00.000Z"),
        (["2026-01-01T00:00:00+00:00"], 120, "2026-03-01T00:00:00+00:00"),
        (["2026-01-01T00:00+05:30"], 120, "2026-03-01T02:00+02:00"),
        (["2026-01-01T00:00:00+05:30"], 0, "2026-03-01T00:00:00+00:00"),
        (["2026", "2026-01-01", "2026-01-02"], 0, "2026-03-01"),
    ],
)
def test_precision_zone_and_spelling(others: list[str], offset: int, expected: str) -> None:
    urls = "".join(f"<url><loc>https://e.org/{n}</loc><lastmod>{text}</lastmod></url>" for n, text in enumerate(others))
    data = f'<urlset xmlns="{NAMESPACE}">{urls}<url><loc>https://e.org/x</loc></url></urlset>'.encode()
    made = result(sitemap("s.xml", data), wanted={})
    assert Habit(made.site).date(undated(made.site.entries[-1], offset)) == expected


def test_the_time_that_the_others_name() -> None:
    urls = "".join(f"<url><loc>https://e.org/{n}</loc><lastmod>2026-03-02T01:00:00Z</lastmod></url>" for n in range(2))
    data = f'<urlset xmlns="{NAMESPACE}">{urls}<url><loc>https://e.org/x</loc></url></urlset>'.encode()
    made = result(sitemap("s.xml", data), wanted={})
    *dated, last = (undated(entry, 0) for entry in made.site.entries)
    site = replace(
        made.site, entries=(*(replace(e, verdict=replace(e.verdict, answer=Answer.TRUE)) for e in dated), last)
    )
    assert Habit(site).date(last) == "2026-03-02T01:00:00Z"
    unknown = replace(last, verdict=Verdict(Answer.ABSENT), located=Located("missing"))
    assert Habit(site).date(unknown) is None
