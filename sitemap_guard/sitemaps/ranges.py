"""Where in the file the text of each lastmod stands, to the byte.

The parser tells where tags begin. The text begins where the start tag ends, which is looked up in the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from sitemap_guard.model import Claim
from sitemap_guard.sitemaps.content import Bytes

# A start tag: a `>` in an attribute's value does not end it.
_START_TAG = re.compile(rb"""<[^\s"'/>]+(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_SPACE = b" \t\r\n"


def inner(data: Bytes, start: int, end: int) -> tuple[int, int]:
    """The bytes between the start tag at `start` and the end tag at `end`, white space around them left out.

    An element without text has an empty range where its text would begin.
    """
    tag = _START_TAG.match(data, start)
    if tag is None or tag.end() > end:
        return start, max(start, end)
    first = tag.end()
    text = bytes(data[first:end])
    stripped = text.strip(_SPACE)
    first += len(text) - len(text.lstrip(_SPACE)) if stripped else 0
    return first, first + len(stripped)


def with_ranges(
    claims: Sequence[Claim], tags: Sequence[tuple[int, int]], data: Bytes, skipped: int
) -> tuple[Claim, ...]:
    """The claims with `lastmod_range`. `tags` are the bytes at which the lastmod's start and end tag begin, for each
    claim ((0, 0): it has none); `skipped` bytes stood in the file before `data` begins (a byte order mark)."""
    line, begin, at = 1, -skipped, 0  # of the line that `at` is in
    found = []
    for claim, (start, end) in zip(claims, tags, strict=True):
        # After a single empty tag, `<lastmod/>`, the parser is at its end: there is no place for a text.
        if not end or (data[end - 2 : end] == b"/>" and b"<" not in data[start + 1 : end]):
            found.append(claim)
            continue
        places = []
        for offset in inner(data, start, end):
            if offset > at:
                breaks = data.count(b"\n", at, offset)
                if breaks:
                    line, begin = line + breaks, data.rfind(b"\n", at, offset) + 1
                at = offset
            places += [line, offset - begin + 1]
        first, column, last, after = places
        found.append(replace(claim, lastmod_range=(first, column, last, after)))
    return tuple(found)
