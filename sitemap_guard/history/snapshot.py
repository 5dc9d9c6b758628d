"""What a walk found out at one commit, as the cache keeps it.

A file is a line with the format's name, a checksum, and one msgpack value. What was written by another version of
the program, is damaged, or was read with other shallow edges is no snapshot at all.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from sitemap_guard import __version__
from sitemap_guard.history.claims import Ranges
from sitemap_guard.history.walk import Moments, seconds
from sitemap_guard.model import Change, Commit, Instant, PathHistory

MAGIC = b"sitemap-guard history 1\n"
# Behind every second that a claim can name; positions take the lower bits of an index entry.
_NEVER = 1 << 38
_BITS = 24


class Snapshot(Struct, frozen=True, array_like=True):
    """The results of a whole walk at `tip`.

    `histories` and `claims` are by path; `loose` are the paths that were no files there, `unnamed` those that only
    merges named. `rows` has every commit as `id,authored,committed,landed` (raw dates), a line each, the oldest
    first, so that positions stay when history grows; `index` has each commit's three seconds, sorted, with its
    position. `latest` is the largest committer second.
    """

    version: str
    tip: str
    edges: str
    histories: dict[str, PathHistory]
    claims: dict[str, Ranges]
    loose: frozenset[str]
    unnamed: frozenset[str]
    rows: bytes
    index: bytes
    latest: int


def made(
    tip: bytes,
    edges: frozenset[str],
    histories: dict[str, PathHistory],
    claims: dict[str, Ranges],
    loose: frozenset[str],
    unnamed: Iterable[str],
    rows: bytes,
) -> Snapshot:
    """A snapshot with its index."""
    keys: list[int] = []
    latest = 0
    for position, row in enumerate(rows.split(b"\n") if rows else ()):
        times = {min(seconds(date), _NEVER) for date in row.split(b",")[1:]}
        keys += [(time << _BITS) | position for time in times]
        latest = max(latest, seconds(row.split(b",")[2]))
    keys.sort()
    return Snapshot(
        version(),
        tip.decode(),
        digest(edges),
        histories,
        claims,
        loose,
        frozenset(unnamed),
        rows,
        array("q", keys).tobytes(),
        latest,
    )


def digest(names: Iterable[str]) -> str:
    """A short name for a set of names."""
    return hashlib.sha256("\0".join(sorted(names)).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def encode(snapshot: Snapshot) -> bytes | None:
    """The file's content; None when a path is not UTF-8, or there are too many commits for the index."""
    if snapshot.rows.count(b"\n") >= (1 << _BITS) - 1:
        return None
    try:
        body = msgspec.msgpack.encode(snapshot)
    except UnicodeEncodeError:
        return None
    return MAGIC + zlib.crc32(body).to_bytes(4, "big") + body


def decode(content: bytes, edges: frozenset[str]) -> Snapshot | None:
    """The snapshot in a file's content; None when it is none, or of no use here."""
    body = memoryview(content)[len(MAGIC) + 4 :]
    if not content.startswith(MAGIC) or zlib.crc32(body).to_bytes(4, "big") != content[len(MAGIC) : len(MAGIC) + 4]:
        return None
    with _no_collection():
        try:
            found = msgspec.msgpack.decode(body, type=Snapshot)
        except (msgspec.DecodeError, RecursionError):
            return None
    return found if (found.version, found.edges) == (version(), digest(edges)) else None


def version(*more: type[Struct]) -> str:
    """Another version of the program, or another shape of what it keeps, is another format."""
    shapes: tuple[type[Struct], ...] = (Snapshot, PathHistory, Change, Commit, Instant, *more)
    return f"{__version__} {digest(str(shape.__struct_fields__) for shape in shapes)}"


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Python would look for garbage again and again among the many new objects: five times the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


class Commits:
    """The commits of a snapshot, by position and by the moments at which they happened."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._rows = snapshot.rows.split(b"\n") if snapshot.rows else []
        self._index = array("q")
        self._index.frombytes(snapshot.index)
        self._positions: dict[bytes, int] = {}

    def at(self, position: int) -> Moments:
        """The commit at a position."""
        return Moments(*self._rows[position].split(b","))

    def position(self, commit: str) -> int:
        """The position of a commit."""
        if not self._positions:
            self._positions = {row.partition(b",")[0]: place for place, row in enumerate(self._rows)}
        return self._positions[commit.encode()]

    def within(self, ranges: Ranges) -> set[int]:
        """The positions of the commits with a time in one of the ranges."""
        found: set[int] = set()
        for first, last in ranges:
            start = bisect_left(self._index, max(first, 0) << _BITS)
            end = bisect_right(self._index, ((min(last, _NEVER) + 1) << _BITS) - 1)
            found.update(key & ((1 << _BITS) - 1) for key in self._index[start:end])
        return found
