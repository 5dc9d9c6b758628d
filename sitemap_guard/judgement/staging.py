"""What the staged edits of sources are: of substance, or not; a new name; a deletion.

A hook judges what a commit is about to make. An edit that changes nothing a reader would notice need not move a date,
staged or committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemap_guard.sources.substance import Substance

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader


class Staging(Struct, frozen=True):
    """Staged paths that are no change of substance, those that are deleted, and new names with their old ones."""

    unchanged: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = {}


def find_staging(history: HistoryReader, substance: Substance, sources: Iterable[str], *, strict: bool) -> Staging:
    """What is staged of these sources; with `strict` only an edit that leaves the content as it is changes nothing.

    Raises UserError when git fails.
    """
    staged = history.repository.staged
    wanted = sorted(staged.intersection(sources))
    if not wanted:
        return Staging()
    before, now = history.ids, history.staged_ids(sorted(staged))
    gone = {path for path in staged if path in before and path not in now}
    left: dict[str, list[str]] = {}
    for path in sorted(gone):
        left.setdefault(before[path], []).append(path)
    renamed = {}
    unchanged = set()
    for path in wanted:
        if path in gone:
            continue
        if path not in before:
            if not strict and (old := _nearest(path, left.get(now.get(path, ""), []))):
                renamed[path] = old
        elif before[path] == now[path] or (not strict and _is_slight(history, substance, path, now[path])):
            unchanged.add(path)
    unchanged |= set(renamed.values())
    return Staging(frozenset(unchanged), frozenset(gone.difference(renamed.values())), renamed)


def _nearest(path: str, olds: list[str]) -> str:
    """Of equal files that go, the one with the same name, else the first; "" for none."""
    name = path.rpartition("/")[2]
    return next((old for old in olds if old.rpartition("/")[2] == name), olds[0] if olds else "")


def _is_slight(history: HistoryReader, substance: Substance, path: str, name: str) -> bool:
    old, new = history.blob(path), history.content(name) if name else None
    return old is not None and new is not None and bool(substance.why(path, old, path, new))
