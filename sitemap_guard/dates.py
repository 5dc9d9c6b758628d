"""Dates as sitemaps write them, and how they compare: as intervals of their own precision, never as text.

A sitemap's date follows the W3C note on date and time formats (https://www.w3.org/TR/NOTE-datetime): six forms, a
zone whenever there is a time and none without. `datetime.fromisoformat` takes far more, so it is no validator.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import lru_cache

from sitemap_guard.model import Instant, Moment

_DAY = 86400
# What date sources write when they have nothing.
_ZERO = 0
_YEAR_ONE = -62135596800
_DOCUSAURUS = 1539502055  # 2018-10-14T07:27:35Z, its stand-in outside production
# A zone can be up to 14 hours ahead of UTC and 12 behind it.
_EAST, _WEST = 14 * 3600, 12 * 3600

_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?", re.ASCII
)
_LOOSE = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)(?:[Tt ]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?"
    r"\s*(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_EPOCH_DAY = date(1970, 1, 1).toordinal()


@lru_cache(maxsize=65536)
def parse(text: str) -> Moment | None:
    """The moment a W3C datetime stands for, or None when the text is none of the six forms."""
    match = _W3C.fullmatch(text)
    return None if match is None else _moment(match.groups())


def _moment(parts: tuple[str | None, ...]) -> Moment | None:
    """From year, month, day, hour, minute, second and zone; None when there is no such day or time."""
    year, month, day, hour, minute, second, zone = parts
    try:
        if month is None:
            first = date(int(year or 0), 1, 1)
            return _days(first, 366 if calendar.isleap(first.year) else 365, "year")
        if day is None:
            first = date(int(year or 0), int(month), 1)
            return _days(first, calendar.monthrange(first.year, first.month)[1], "month")
        first = date(int(year or 0), int(month), int(day))
    except ValueError:
        return None
    if hour is None or minute is None:
        return _days(first, 1, "day")
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return None
    offset = _offset(zone)
    if offset is None:
        return None
    start = (first.toordinal() - _EPOCH_DAY) * _DAY + int(hour) * 3600 + int(minute) * 60 - offset * 60
    if second is None:
        return Moment(start, start + 59, "minute", offset)
    return Moment(start + int(second), start + int(second), "second", offset)


def _days(first: date, days: int, precision: str) -> Moment:
    start = (first.toordinal() - _EPOCH_DAY) * _DAY
    return Moment(start, start + days * _DAY - 1, precision, None)


def _offset(zone: str | None) -> int | None:
    """Minutes east of UTC of `Z`, `+hh:mm`, `+hhmm` or `+hh`; None when there is no such zone."""
    if zone is None:
        return None
    if zone in ("Z", "z", "UTC", "GMT"):
        return 0
    digits = zone[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (-1 if zone[0] == "-" else 1)


def parse_feed(text: str) -> Moment | None:
    """The moment of a feed's date: RFC 822 in RSS (`Mon, 01 Jan 2024 00:00:00 GMT`), RFC 3339 in Atom."""
    found = parse(text)
    if found is not None:
        return found
    from email.utils import parsedate_to_datetime

    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    offset = when.utcoffset()
    seconds = int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp())
    return Moment(seconds, seconds, "second", int(offset.total_seconds() // 60) if offset else 0)


def parse_loose(text: str) -> Moment | None:
    """The moment that a front-matter value names, in any of the forms that generators read.

    As the W3C forms, and besides: a space or `t` for T, a zone without colon, no zone (a wall clock), seconds left
    out. None for anything else; a date in words is read only with its English month (`Jan 2, 2024`, RFC 822).
    """
    text = text.strip()
    found = parse(text)
    if found is not None:
        return found
    match = _LOOSE.fullmatch(text)
    if match is None:
        return _in_words(text)
    *rest, zone = match.groups()
    if rest[3] is not None and zone is None:
        wall = _moment((*rest, "Z"))
        return None if wall is None else Moment(wall.first, wall.last, wall.precision, None)
    return _moment((*rest, zone))


def _in_words(text: str) -> Moment | None:
    for form in ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%Y/%m/%d"):
        try:
            return _days(datetime.strptime(text, form).date(), 1, "day")
        except ValueError:
            continue
    return parse_feed(text)


def fault(text: str) -> tuple[str, str | None]:
    """Why a text is no W3C datetime, in one clause, and the value it surely means (None: nothing is sure)."""
    if text == "":
        return "an empty element is no date", None
    match = _LOOSE.fullmatch(text)
    if match is None:
        when = None if text[:1].isdigit() else parse_feed(text)
        if when is not None:
            return "it is a date of mail and feeds (RFC 822)", Instant(when.first, when.offset or 0).iso()
        if re.fullmatch(r"\d{4}-W\d\d(-\d)?", text):
            return "it is a week date, which the format lacks", None
        return "it is not one of the forms YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm", None
    year, month, day, hour, minute, second, zone = match.groups()
    if _moment((year, month, day, None, None, None, None)) is None:
        return "the calendar has no such day", None
    plain = f"{year}-{month}-{day}"
    if hour is None:
        return "the day is written without hyphens", plain
    if zone is None:
        if (hour, minute, second or "00") == ("00", "00", "00"):
            return "it has a time without a zone; write the day alone, or add Z or +hh:mm", plain
        return "it has a time without a zone; add Z or +hh:mm", None
    if _moment((year, month, day, hour, minute, second, zone)) is None:
        return "no clock shows such a time or zone", None
    offset = _offset(zone)
    zone = "Z" if not offset else f"{zone[0]}{abs(offset) // 60:02}:{abs(offset) % 60:02}"
    fixed = f"{plain}T{hour}:{minute}" + (f":{second}" if second else "") + zone
    return "its punctuation is off", fixed


def stand_in(moment: Moment) -> str:
    """What the moment is a stand-in for; "" when it is none."""
    if moment.precision == "day":
        if moment.first == _ZERO:
            return "it is the day of zero in Unix time: the date source had none"
        return "it is the zero day of Go and .NET: the date source had none" if moment.first == _YEAR_ONE else ""
    if moment.first == _ZERO or (moment.precision == "second" and moment.first + 60 * (moment.offset or 0) == _ZERO):
        return "it is zero in Unix time: the date source had none"
    if moment.first + 60 * (moment.offset or 0) == _YEAR_ONE:
        return "it is the zero time of Go and .NET: the date source had none"
    if moment.precision == "second" and moment.first == _DOCUSAURUS:
        return "it is the stand-in that Docusaurus writes outside production"
    return ""


def reach(moment: Moment) -> tuple[int, int]:
    """The seconds a moment can mean in any zone of the world: what may support it lies within."""
    if moment.offset is None:
        return moment.first - _EAST, moment.last + _WEST
    return moment.first, moment.last


def spans(moment: Moment, offsets: Iterable[int]) -> list[tuple[int, int]]:
    """The true seconds a moment covers, once for each zone (minutes east of UTC) it may be read in."""
    if moment.offset is not None:
        return [(moment.first, moment.last)]
    return [(moment.first - offset * 60, moment.last - offset * 60) for offset in set(offsets)]


def meets(moment: Moment, first: int, last: int, offsets: Iterable[int]) -> bool:
    """Whether the moment, read in one of the zones, shares a second with the window from `first` to `last`."""
    if moment.offset is not None:
        return moment.first <= last and moment.last >= first
    return any(start <= last and end >= first for start, end in spans(moment, offsets))


def agrees(claim: Moment, field: Moment, offsets: Iterable[int]) -> bool:
    """Whether a claim says what a field says.

    A field without a zone is read in each of the zones; two wall clocks agree when they show the same.
    """
    zones = set(offsets)
    if claim.offset is None and field.offset is None and claim.first <= field.last and field.first <= claim.last:
        return True
    for first, last in spans(field, zones):
        # A day's field is passed on by generators as its first moment: another zone then shows the day before.
        end = first if claim.offset is None else last
        if meets(claim, first, end, zones):
            return True
    return False


def write(instant: Instant, like: Moment, text: str) -> str:
    """An instant in the precision, zone and spelling of a claim (`text`, which `like` is the moment of)."""
    if not text[:4].isdigit():
        return _for_mail(Instant(instant.seconds, like.offset or 0), text)
    if like.offset is None:
        return Instant(instant.seconds, instant.offset).iso(like.precision)
    written = Instant(instant.seconds, like.offset).iso(like.precision)
    if like.offset == 0 and not text.endswith("Z"):
        written = written.removesuffix("Z") + text[-6:]
    fraction = re.search(r"\.\d+", text)
    if fraction:
        zone = "Z" if written.endswith("Z") else written[-6:]
        written = written.removesuffix(zone) + "." + "0" * (len(fraction.group()) - 1) + zone
    return written


def _for_mail(instant: Instant, like: str) -> str:
    """As feeds of RSS write it (RFC 822), with the zone in the letters or digits of another such date."""
    from email.utils import format_datetime

    written = format_datetime(instant.datetime())
    zone = re.search(r"[A-Za-z]+$", like)
    return written.removesuffix("+0000") + zone.group() if zone and not instant.offset else written


def zone_offset(zone: str, seconds: int) -> int:
    """Minutes east of UTC that a zone (IANA name) had at a moment; 0 for UTC or a moment out of range."""
    if zone == "UTC":
        return 0
    from zoneinfo import ZoneInfo

    try:
        offset = datetime.fromtimestamp(seconds, ZoneInfo(zone)).utcoffset()
    except (OverflowError, ValueError, OSError):
        return 0
    return int(offset.total_seconds() // 60) if offset else 0
