"""Dates as front matter writes them: where they stand after a field's name, and another moment in the same spelling.

The forms are those of the W3C note and their relatives: a blank for the T, slashes, a zone without colon or none,
and Org's time stamps with their day of the week.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap_guard.model import Instant

# Front matter stands at the top.
_HEAD = 65536
_STAMP = (
    r"\d{4}([-/])\d\d\1\d\d"  # the day
    r"(?: +(?P<week>[A-Za-z]{2,9}))?"  # Org's day of the week
    r"(?:(?P<gap>[Tt]| +)\d\d?:\d\d(?::\d\d(?P<part>\.\d+)?)?"  # the time
    r"(?P<blank> *)(?P<zone>Z|z|UTC|GMT|[+-]\d\d:?\d\d)?)?"
)
_FORM = re.compile(_STAMP, re.ASCII)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def places(data: bytes, name: str) -> Iterator[tuple[int, int]]:
    """The bytes at which a date stands as the value of a field of that name (its last part); case does not count.

    The name is preceded by what YAML, TOML, JSON, Org, reStructuredText and AsciiDoc put before it.
    """
    key = re.escape(name.encode())
    before = rb"(?:^|(?<=[\s,{]))(?:#\+(?:hugo_)?|:)?([\"']?)%b\1[ \t]*[:=][ \t]*[\"'<\[]?" % key
    stamp = _STAMP.replace(r"\1", r"\3").encode()
    pattern = re.compile(before + rb"(?P<stamp>" + stamp + rb")(?![\w:./+-])", re.IGNORECASE | re.MULTILINE)
    for match in pattern.finditer(data, 0, _HEAD):
        yield match.span("stamp")


def written(text: str, instant: Instant) -> str | None:
    """An instant as the date `text` is written: its zone, precision, marks and blanks. None for a form not known."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    zone = match["zone"]
    offset = instant.offset if zone is None else _minutes(zone)
    moment = Instant(instant.seconds, offset).datetime()
    made = f"{moment:%Y-%m-%d}".replace("-", match[1])
    if match["week"]:
        day = _DAYS[moment.weekday()]
        old = next((whole for whole in _DAYS if whole.lower().startswith(match["week"].lower())), "")
        if not old:
            return None  # in a language of its own
        made += text[len(made) : match.start("week")] + (day if len(match["week"]) > 3 else day[: len(match["week"])])
    if match["gap"] is None:
        return made
    time = text[match.end("gap") : match.start("blank")]
    made += match["gap"] + f"{moment:%H:%M}"
    if time.count(":") == 2:
        made += f":{moment:%S}"
    if match["part"]:
        made += "." + "0" * (len(match["part"]) - 1)
    return made + match["blank"] + (zone or "")


def _minutes(zone: str) -> int:
    if not zone[1:2].isdigit():
        return 0
    digits = zone[1:].replace(":", "")
    return (int(digits[:2]) * 60 + int(digits[2:])) * (-1 if zone[0] == "-" else 1)
