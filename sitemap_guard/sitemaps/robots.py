"""The `Sitemap:` lines of robots.txt.

They are not part of RFC 9309 (2.2.4 lets crawlers read other records) and belong to no user agent; Google takes the
key in any case, also as `site-map` or without the colon, and a `#` ends the value wherever it stands.
"""

from __future__ import annotations

import re
from pathlib import Path

MAX_BYTES = 1 << 20  # Google reads the first 500 KiB
_BREAK = re.compile(rb"\r\n|\r|\n")
_LINE = re.compile(r"\s*site-?map(?:\s*:|\s)\s*(.*)", re.IGNORECASE | re.DOTALL)


def lines(file: Path) -> list[tuple[int, str]]:
    """Number and value of each `Sitemap:` line, in order; nothing when the file cannot be read."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES)
    except OSError:
        return []
    found = []
    for number, raw in enumerate(_BREAK.split(data.removeprefix(b"\xef\xbb\xbf")), 1):
        if match := _LINE.match(_text(raw).partition("#")[0]):
            found.append((number, match[1].strip()))
    return found


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
