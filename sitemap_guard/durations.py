"""Durations as people write them in settings: `90m`, `12h`, `2d`."""

from __future__ import annotations

import re

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def human(seconds: int) -> str:
    """A duration in its largest whole unit: `1 d`, `36 h`, `90 min`."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds and seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def seconds_of(text: str) -> int | None:
    """The duration in seconds, or None when the text is none (no sign, no fraction, at most a year)."""
    match = re.fullmatch(r"([0-9]{1,8})([smhd]?)", text.strip())
    if match is None:
        return None
    seconds = int(match.group(1)) * _UNITS[match.group(2)]
    return seconds if seconds <= 366 * 86400 else None
