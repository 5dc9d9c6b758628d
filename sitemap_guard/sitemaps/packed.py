"""A sitemap file's bytes, unpacked.

What is gzip is told by its first bytes, not by its name: hosts and build steps mix the two up in every way. All
sizes are capped while reading, so that no small file can fill the memory.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from msgspec import Struct

from sitemap_guard.model import Problem
from sitemap_guard.sitemaps.content import HARD_BYTES, MAX_BYTES

MAGIC = b"\x1f\x8b"
_INPUT = 1 << 16
_OUTPUT = 1 << 20
_MEMBERS = 10_000


class Packed(Struct, frozen=True):
    """A file's content: `data` unpacked, or None when `problems` ends with the reason why there is none."""

    data: bytearray | None
    gzipped: bool = False
    problems: tuple[Problem, ...] = ()


def load(file: Path, cap: int = HARD_BYTES) -> Packed:
    """The file's bytes, unpacked if they are gzip. At most `cap` bytes are ever held. Raises nothing."""
    named = file.name.lower().endswith(".gz")
    try:
        with file.open("rb") as stream:
            raw = bytearray(stream.read(cap + 1))
    except OSError as error:
        return Packed(None, named, (Problem("unreadable", f"the file cannot be read: {error.strerror}"),))
    if len(raw) > cap:
        return Packed(None, named, (Problem("too-large", f"more than {cap:,} bytes: not read"),))
    if not raw.startswith(MAGIC):
        if named:
            return Packed(None, False, (Problem("gzip-not", "named .gz, but the content is not gzip"),))
        return Packed(raw, False, _too_large(raw))
    notes = () if named else (Problem("gzip-unnamed", "the content is gzip, but the name does not end in .gz"),)
    data, problem = _inflate(raw, cap)
    if problem:
        return Packed(None, True, (*notes, problem))
    if data.startswith(MAGIC):
        return Packed(None, True, (*notes, Problem("gzip-double", "packed twice: gzip inside gzip")))
    return Packed(data, True, (*notes, *_too_large(data)))


def _inflate(raw: bytearray, cap: int) -> tuple[bytearray, Problem | None]:
    """The gzip members' bytes, one after the other (RFC 1952 2.2 allows several), and what stopped the reading."""
    data, inflater, members = bytearray(), zlib.decompressobj(wbits=31), 1
    for start in range(0, len(raw), _INPUT):
        piece = bytes(raw[start : start + _INPUT])
        while piece:
            if inflater.eof:
                piece = piece.lstrip(b"\0")  # padding up to a block's end is no member
                if not piece:
                    break
                members += 1
                inflater = zlib.decompressobj(wbits=31)
            try:
                data += inflater.decompress(piece, _OUTPUT)
            except zlib.error as error:
                what = "something else follows the gzip data" if members > 1 else "the gzip data are damaged"
                return data, Problem("gzip-broken", f"{what} ({_reason(error)})")
            if len(data) > cap or members > _MEMBERS:
                return data, Problem("gzip-bomb", f"unpacks to more than {cap:,} bytes or {_MEMBERS:,} parts: not read")
            piece = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    if not inflater.eof:
        return data, Problem("gzip-broken", "the gzip data end too early: the file is cut off")
    return data, None


def _reason(error: zlib.error) -> str:
    return str(error).rpartition(": ")[2]


def _too_large(data: bytearray) -> tuple[Problem, ...]:
    if len(data) <= MAX_BYTES:
        return ()
    return (Problem("too-large", f"{len(data):,} bytes unpacked: the limit is {MAX_BYTES:,}"),)
