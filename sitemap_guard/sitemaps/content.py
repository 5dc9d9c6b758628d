"""What one sitemap file says, before it is known how the file was found; and the protocol's limits."""

from __future__ import annotations

import codecs

from msgspec import Struct

from sitemap_guard.model import Child, Claim, Problem

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
MAX_ENTRIES = 50_000  # sitemaps.org protocol: entries in one file, of a sitemap and of an index
MAX_BYTES = 52_428_800  # sitemaps.org protocol: size of one file, unpacked
# Beyond these a file is not read at all: they keep a hostile one from filling the memory.
HARD_ENTRIES = 1_000_000
HARD_BYTES = 256 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
_PIECE = 1 << 20

Bytes = bytes | bytearray


UNREAD = {
    "json": "this is JSON, not a sitemap",
    "html": "this is an HTML page, not a sitemap (an error page or a fallback page under the sitemap's name?)",
}


class Content(Struct, frozen=True):
    """What a reader made of a file's bytes.

    `kind` as in `model.Sitemap`; `none` when the file could not be read: it then has no claims, and a problem that
    says why. The `state` of the children is still empty.
    """

    kind: str
    claims: tuple[Claim, ...] = ()
    children: tuple[Child, ...] = ()
    problems: tuple[Problem, ...] = ()


def unread(code: str, detail: str, line: int = 0, column: int = 0) -> Content:
    """The content of a file that could not be read, with the reason."""
    return Content("none", problems=(Problem(code, detail, line, column),))


def counted(entries: int) -> tuple[Problem, ...]:
    """The problem of too many entries, or of none."""
    if entries > MAX_ENTRIES:
        return (Problem("too-many", f"{entries:,} entries: the limit is {MAX_ENTRIES:,}"),)
    return () if entries else (Problem("empty", "there is no entry in it"),)


def without_bom(data: Bytes) -> tuple[Bytes, tuple[Problem, ...]]:
    """The bytes after a UTF-8 byte order mark, and the problem that it is."""
    if not data.startswith(BOM):
        return data, ()
    return data[3:], (Problem("bom", "the file begins with a byte order mark, which the protocol does not name", 1, 1),)


def not_utf8(data: Bytes) -> Problem | None:
    """The problem of the first bytes that are not UTF-8 ("the file must be UTF-8 encoded", sitemaps.org)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        return Problem("not-utf8", "the file is UTF-16 or UTF-32: a sitemap must be UTF-8", 1, 1)
    decoder, start = codecs.getincrementaldecoder("utf-8")(), 0
    while start < len(data):
        piece = data[start : start + _PIECE]
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, start + len(piece) == len(data))
        except UnicodeDecodeError as error:
            offset = start - held + error.start
            line, column = place(data, offset)
            return Problem("not-utf8", f"byte 0x{data[offset]:02X} is not UTF-8: a sitemap must be", line, column)
        start += len(piece)
    return None


def place(data: Bytes, offset: int) -> tuple[int, int]:
    """Line and column, in characters and both from 1, of a byte."""
    before = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[before:offset].decode("utf-8", "replace")) + 1


def opening(data: Bytes) -> str:
    """What the first bytes look like: `json`, `html`, `markup`, `text`, or `blank` when there is nothing."""
    head = bytes(data[:4096]).lstrip(b" \t\r\n\f\v").lower()
    if not head:
        return "blank" if len(data) <= 4096 else "text"
    if head.startswith((b"{", b"[")):
        return "json"
    if head.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    return "markup" if head.startswith(b"<") else "text"
