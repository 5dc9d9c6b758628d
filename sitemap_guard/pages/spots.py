"""Where in its file a page says what it says: line and column of the tags that findings speak of.

The tree tells no places. So the tag is looked for in the text, by the words that it must hold; a place that is not
beyond doubt stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from msgspec.structs import replace

from sitemap_guard.model import Page, Spot

# In these, what looks like a tag is none.
_HIDING = tuple(
    (f"<{name}".encode(), f"</{name}".encode()) for name in ("script", "style", "template", "textarea", "title")
)
_HIDDEN = ((b"<!--", b"-->"), *_HIDING)
_REL = re.compile(r"""\srel\s*=\s*["']?[^"'>]*\bcanonical\b""", re.IGNORECASE)
_ENDS = ("", '"', "'", "/", " ", "\t", "\n", "\r")
_MANY = 50  # tags that are looked at more closely; no honest page has so many
_ASKING = (b"noindex", b"none", b"unavailable_after")


def with_spots(page: Page, data: bytes, lowered: bytes) -> Page:
    """The page with the places of what asks not to be indexed, and of its redirect.

    `data` is the file in UTF-8, `lowered` the same in lower case. A page that has neither is the same page.
    """
    robots = next(_robots(lowered), -1) if any(_asks(word) for word in page.robots) else -1
    refresh = _refresh(page.refresh, data, lowered) if page.refresh else -1
    if robots < 0 and refresh < 0:
        return page
    return replace(page, robots_at=_spot(data, robots), refresh_at=_spot(data, refresh))


def canonical_at(page: Page, data: bytes) -> Spot | None:
    """Where the canonical tag of a page stands: of several, the first that counts. `data` is the file in UTF-8."""
    if not page.canonicals:
        return None
    meant = next((link for link in page.canonicals if link.in_head), page.canonicals[0]).href.strip()
    for start, end in _tags(data.lower(), b"<link", b"canonical"):
        text = _text(data, start, end)
        if _REL.search(text) and _names(text, meant):
            return _spot(data, start)
    return None


def _asks(word: str) -> bool:
    return word in ("noindex", "none") or word.startswith("unavailable_after")


def _robots(lowered: bytes) -> Iterator[int]:
    for start, end in _tags(lowered, b"<meta", *_ASKING):
        if lowered.find(b"robots", start, end) >= 0 or lowered.find(b"googlebot", start, end) >= 0:
            yield start


def _refresh(target: str, data: bytes, lowered: bytes) -> int:
    for start, end in _tags(lowered, b"<meta", b"refresh"):
        if target in _text(data, start, end):
            return start
    at = data.find(target.encode("utf-8", "replace"))
    return lowered.rfind(b"location", 0, at) if at >= 0 else -1


def _names(tag: str, href: str) -> bool:
    """Whether the tag's href is this one."""
    at = tag.find(href)
    while at >= 0:
        before = tag[:at].rstrip("\t\n\r \"'")
        after = tag[at + len(href) : at + len(href) + 1]
        if before.endswith("=") and before[:-1].rstrip().lower().endswith("href") and after in _ENDS:
            return True
        at = tag.find(href, at + 1)
    return not href


def _tags(lowered: bytes, tag: bytes, *words: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of the tags with one of the words in them, that are tags."""
    start, found = lowered.find(tag), 0
    while start >= 0 and found < _MANY:
        end = lowered.find(b">", start)
        if end < 0:
            return
        if any(lowered.find(word, start, end) >= 0 for word in words):
            found += 1
            if not _hidden(lowered, start):
                yield start, end
        start = lowered.find(tag, end)


def _hidden(lowered: bytes, at: int) -> bool:
    for opening, closing in _HIDDEN:
        start = lowered.rfind(opening, 0, at)
        if start >= 0 and lowered.find(closing, start, at) < 0:
            return True
    return False


def _text(data: bytes, start: int, end: int) -> str:
    return unescape(data[start:end].decode("utf-8", "replace"))


def _spot(data: bytes, at: int) -> Spot | None:
    if at < 0:
        return None
    begin = data.rfind(b"\n", 0, at) + 1
    return Spot(data.count(b"\n", 0, at) + 1, len(data[begin:at].decode("utf-8", "replace")) + 1)
