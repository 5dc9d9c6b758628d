"""The parts of permalinks: days from front matter and from names, and how a pattern is filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sitemap_guard.sources.matter import as_text

Day = tuple[int, int, int]

_DAY = re.compile(r"((?:19|20)\d\d)-(\d\d?)-(\d\d?)(?!\d)", re.ASCII)
_DATED = re.compile(r"((?:19|20)\d\d)[-_](\d\d?)[-_](\d\d?)(?:[-_ ]+|$)(.*)", re.ASCII | re.DOTALL)
_FULL = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?", re.ASCII
)


def day_of(value: Any) -> Day | None:
    """The day that a date in front matter names, as it is written."""
    found = _DAY.match(as_text(value) or (value.isoformat() if hasattr(value, "isoformat") else ""))
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def first_day(matter: Mapping[str, Any], keys: Iterable[str]) -> Day | None:
    """The day that the first of these keys names which names one."""
    return next((day for key in keys if (day := day_of(matter.get(key)))), None)


def moment_of(value: Any) -> datetime | None:
    """The moment that a date in front matter names (UTC where it names no zone); None for no date."""
    found = _FULL.match(as_text(value) or (value.isoformat() if hasattr(value, "isoformat") else ""))
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    zone = found[7] or "Z"
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    if zone[0] in "+-":
        shift = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
        moment -= shift if zone[0] == "+" else -shift
    return moment


def dated(name: str) -> tuple[Day | None, str]:
    """The day at the start of a file's name, and the rest of it (`2024-05-10-hello` is `hello`)."""
    found = _DATED.fullmatch(name)
    if not found:
        return None, name
    return (int(found[1]), int(found[2]), int(found[3])), found[4]


def near(day: Day) -> set[Day]:
    """A day and the ones beside it: a time zone moves a moment to either."""
    try:
        middle = datetime(*day, tzinfo=UTC)
    except ValueError:
        return {day}
    return {
        (moved.year, moved.month, moved.day)
        for moved in (middle - timedelta(days=1), middle, middle + timedelta(days=1))
    }


def filled(pattern: str, slot: re.Pattern[str], value: Callable[[re.Match[str]], str | None]) -> str | None:
    """A pattern with the value of each of its slots; None if one of them is not known."""
    missing = False

    def fill(found: re.Match[str]) -> str:
        nonlocal missing
        text = value(found)
        missing = missing or text is None
        return text or ""

    text = slot.sub(fill, pattern)
    return None if missing else text


def stem_of(file: str) -> str:
    """A file's name without its last suffix."""
    name = file.rpartition("/")[2]
    return name.rpartition(".")[0] or name
