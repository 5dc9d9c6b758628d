"""W3C dates: the strict grammar, what faults mean, and intervals."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_guard import dates
from sitemap_guard.model import Instant

GRAMMAR = re.compile(
    r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?"
    r"(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?)?)?",
    re.ASCII,
)


@pytest.mark.parametrize(
    ("text", "precision", "first", "length"),
    [
        ("2024", "year", 1704067200, 366 * 86400),
        ("2024-02", "month", 1706745600, 29 * 86400),
        ("2024-05-10", "day", 1715299200, 86400),
        ("2024-05-10T10:00Z", "minute", 1715335200, 60),
        ("2015-12-22T05:31-01:00", "minute", 1450765860, 60),
        ("2024-05-10T10:00:00+02:00", "second", 1715328000, 1),
        ("2024-05-10T10:00:00.123456789Z", "second", 1715335200, 1),
        ("2024-05-10T10:00:00-00:00", "second", 1715335200, 1),
    ],
)
def test_the_six_forms_are_read(text: str, precision: str, first: int, length: int) -> None:
    moment = dates.parse(text)
    assert moment is not None
    assert (moment.precision, moment.first, moment.last - moment.first + 1) == (precision, first, length)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("2024-01-08T00:00:00", "2024-01-08"),
        ("2024-01-08T10:30:00", None),
        ("2020-02-04T18:09:12-00:14400", None),
        ("2022-09-20T10:00:00-0400", "2022-09-20T10:00:00-04:00"),
        ("2004-10-01 18:23:17", None),
        ("2004-10-01 18:23:17Z", "2004-10-01T18:23:17Z"),
        ("2012-06-31", None),
        ("2024-02-30", None),
        ("garbage2024-01-15T09:30:00Zjunk", None),
        ("20240108", "2024-01-08"),
        ("2024-W05-1", None),
        ("2024-05-10T24:00:00Z", None),
        ("2024-05-10T10:00:00z", "2024-05-10T10:00:00Z"),
        ("2024-05-10T10:00:60Z", None),
        ("2024-05-10Z", None),
        ("2024-05-10+02:00", None),
        ("Mon, 01 Jan 2024 00:00:00 GMT", "2024-01-01T00:00:00Z"),
        ("null", None),
        ("", None),
        ("2024-05-10\n", None),
        ("٢٠٢٤-05-10", None),
        ("0000-01-01", None),
    ],
)
def test_other_texts_are_refused_and_mended_only_where_it_is_sure(text: str, fixed: str | None) -> None:
    assert dates.parse(text) is None
    why, mended = dates.fault(text)
    assert why
    assert mended == fixed
    assert mended is None or dates.parse(mended) is not None


@given(st.from_regex(GRAMMAR, fullmatch=True))
def test_what_the_grammar_allows_is_read_if_the_calendar_has_it(text: str) -> None:
    moment = dates.parse(text)
    try:
        known = datetime.fromisoformat(re.sub(r"\.\d+", "", text) if "T" in text else f"{text}-01-01"[:10])
    except ValueError:
        assert moment is None
        return
    assert moment is not None
    if known.tzinfo is not None:
        assert moment.first == int((known - datetime.fromisoformat("1970-01-01T00:00:00Z")).total_seconds())


@given(st.text(alphabet="0123456789-:T.Z+ tz", max_size=30))
def test_nothing_outside_the_grammar_is_read(text: str) -> None:
    if dates.parse(text) is not None:
        assert GRAMMAR.fullmatch(text)
    dates.fault(text)
    dates.parse_loose(text)
    dates.parse_feed(text)


@pytest.mark.parametrize(
    ("text", "first", "offset"),
    [
        ("2013-05-06 02:12:52 +0200", 1367799172, 120),
        ("2024-01-08T10:30:00", 1704709800, None),
        ("2024-01-08 10:30", 1704709800, None),
        ("Jan 8, 2024", 1704672000, None),
        ("2024/01/08", 1704672000, None),
    ],
)
def test_front_matter_is_read_as_generators_read_it(text: str, first: int, offset: int | None) -> None:
    moment = dates.parse_loose(text)
    assert moment is not None
    assert (moment.first, moment.offset) == (first, offset)


def test_a_day_is_right_in_any_of_the_zones_given() -> None:
    late = 1704758400  # 2024-01-09T00:00:00Z, 2024-01-08 19:00 at -05:00
    eighth, ninth = dates.parse("2024-01-08"), dates.parse("2024-01-09")
    assert eighth is not None
    assert ninth is not None
    assert not dates.meets(eighth, late, late, (0,))
    assert dates.meets(eighth, late, late, (0, -300))
    assert dates.meets(ninth, late, late, (0, -300))


@pytest.mark.parametrize(
    ("like", "written"),
    [
        ("2026-11-30", "2026-10-15"),
        ("2026-11", "2026-10"),
        ("2026", "2026"),
        ("2026-11-30T06:12Z", "2026-10-15T12:25Z"),
        ("2026-11-30T06:12:44Z", "2026-10-15T12:25:16Z"),
        ("2026-11-30T06:12:44+00:00", "2026-10-15T12:25:16+00:00"),
        ("2026-11-30T06:12:44.123Z", "2026-10-15T12:25:16.000Z"),
        ("2026-11-30T06:12:44-07:00", "2026-10-15T05:25:16-07:00"),
    ],
)
def test_a_proposal_is_written_like_the_claim(like: str, written: str) -> None:
    moment = dates.parse(like)
    assert moment is not None
    assert dates.write(Instant(1792067116, 120), moment, like) == written


@pytest.mark.parametrize(
    ("like", "written"),
    [
        ("Mon, 30 Nov 2026 06:12:44 GMT", "Thu, 01 Jan 2026 00:00:00 GMT"),
        ("Mon, 30 Nov 2026 06:12:44 +0000", "Thu, 01 Jan 2026 00:00:00 +0000"),
        ("Mon, 30 Nov 2026 06:12:44 +0530", "Thu, 01 Jan 2026 05:30:00 +0530"),
        ("Mon, 30 Nov 2026 06:12:44 EST", "Wed, 31 Dec 2025 19:00:00 -0500"),
        ("2026-11-30T06:12:44Z", "2026-01-01T00:00:00Z"),
    ],
)
def test_a_proposal_for_a_feed_is_a_date_of_feeds(like: str, written: str) -> None:
    moment = dates.parse_feed(like)
    assert moment is not None
    assert dates.write(Instant(1767225600), moment, like) == written


@pytest.mark.parametrize("seconds", [-(1 << 62), 1 << 62, 0])
def test_a_clock_that_is_years_off_still_prints(seconds: int) -> None:
    assert Instant(seconds, 840).human()
    assert Instant(seconds, -720).iso()
