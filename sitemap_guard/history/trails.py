"""The cache of trails: what a closer look at a few files found, kept beside the cached walks.

A trail is what lies behind a file's last change, so it stays as it is for as long as that change is the last one, the
same questions are asked, and the commit that it was found at is on the first-parent line (then its commits landed when
they landed).
"""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections.abc import Collection
from pathlib import Path

import msgspec
from msgspec import Struct

from sitemap_guard.history.cache import write_whole
from sitemap_guard.history.chain import Trail
from sitemap_guard.history.snapshot import digest, version

MAGIC = b"sitemap-guard trails 1\n"
# Trails that no run asked for any more are dropped when there are more than these.
MOST = 20_000


class _Kept(Struct, frozen=True, array_like=True):
    version: str
    tip: str
    edges: str
    trails: dict[str, Trail]


def name_of(question: str, path: str, last: str) -> str:
    """What a trail is kept under: the question, the file, and its last change."""
    return hashlib.sha256("\0".join((question, path, last)).encode("utf-8", "surrogateescape")).hexdigest()


def read_trails(folder: Path, line: Collection[str], edges: frozenset[str]) -> dict[str, Trail]:
    """The trails that are still right where the first-parent line is `line`; {} when there are none."""
    try:
        content = (folder / "trails").read_bytes()
    except OSError:
        return {}
    body = content[len(MAGIC) + 4 :]
    if not content.startswith(MAGIC) or zlib.crc32(body).to_bytes(4, "big") != content[len(MAGIC) : len(MAGIC) + 4]:
        return {}
    try:
        kept = msgspec.msgpack.decode(body, type=_Kept)
    except (msgspec.DecodeError, RecursionError):
        return {}
    fits = (kept.version, kept.edges) == (version(Trail), digest(edges)) and kept.tip in line
    return kept.trails if fits else {}


def write_trails(folder: Path, tip: str, edges: frozenset[str], trails: dict[str, Trail]) -> None:
    """Keeps the trails, the newest last; a folder that cannot be written is no fault."""
    names = list(trails)[-MOST:]
    kept = _Kept(version(Trail), tip, digest(edges), {name: trails[name] for name in names})
    with contextlib.suppress(OSError, UnicodeEncodeError):
        body = msgspec.msgpack.encode(kept)
        write_whole(folder / "trails", MAGIC + zlib.crc32(body).to_bytes(4, "big") + body)
