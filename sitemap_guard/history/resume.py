"""Finishes a walk of `base..tip` with what a snapshot at `base` says about the rest.

That is sound where everything after the base stands on the base alone: it is on the first-parent line, every newer
commit goes back to it, and none to an older commit or to a root of its own. Then the whole log would be the new
commits followed by exactly the log of the base, and:

- a path that no new commit changed has the last change, and the first commit of a pass without merges, that it had;
- an old commit landed when it landed then, for the first-parent line below the base is the same;
- twins and merges at the moments of a claim are those that were found for the same claim, if the last change is the
  same. For another claim they are looked up in the index of all commits' times, and the few commits found are asked
  about; for another last change only commits whose clock is ahead of it count.

Where a branch began before the base, the order of the log itself can differ, so an older snapshot is tried, and in
the end the whole history is walked. Whatever else is in doubt ends there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from sitemap_guard.history.claims import Ranges
from sitemap_guard.history.process import raw, text
from sitemap_guard.history.reading import Reading
from sitemap_guard.history.snapshot import Commits, Snapshot
from sitemap_guard.history.walk import Moments, Walk, seconds
from sitemap_guard.model import Change, PathHistory

# So many commits at claimed moments are asked about; above it, a whole walk is no slower.
MOST_ASKED = 400

Older = dict[str, list[tuple[Moments, str]]]


class Lookup(Struct, frozen=True):
    """A path whose claim the snapshot does not know. `last` is the committer second of its last change (None: it
    has none), `position` that commit's place (None: it is newer than the snapshot)."""

    ranges: Ranges
    last: int | None
    position: int | None


class Resumed(Struct, frozen=True):
    """The histories at the tip, the paths that only merges named, and how many commits had to be asked about."""

    histories: dict[str, PathHistory]
    unnamed: frozenset[str]
    asked: int


def resume(reading: Reading, walk: Walk, base: Snapshot) -> Resumed | None:
    """The results at the tip; None when they cannot be had from this snapshot."""
    wanted, rest = reading.wanted, walk.rest()
    if rest is None:
        return None
    renewed = {path for path, ranges in wanted.items() if base.claims.get(path) != ranges}
    news = {text(name) for name in walk.touched()} | renewed | (base.loose ^ reading.loose)
    news &= wanted.keys()
    if not all(_known(path, walk, rest, reading, base) for path in news):
        return None
    commits = Commits(base)
    lookups = {
        path: lookup for path in news if (lookup := _lookup(path, wanted[path], walk, rest, base, commits)) is not None
    }
    asked = _asked(reading, walk, commits, lookups)
    if asked is None:
        return None
    older, count = asked
    unnamed = base.unnamed.intersection(map(text, walk.unnamed))
    found = {path: base.histories[path] for path in wanted if path not in news}
    for path in news:
        mine = walk.history(raw(path), older.get(path, ()))
        known = base.histories.get(path)
        carried = known if raw(path) in rest else None
        others = (*mine.others, *(carried.others if carried and path not in lookups and wanted[path] else ()))
        last = carried.last if carried else mine.last
        first = walk.first(raw(path))
        if first is None and path not in unnamed and known is not None:
            # A history leaves the first commit out when it is the last change.
            first = known.one_pass or (known.last.commit if known.last else None)
        if first is not None and last is not None and first.id == last.commit.id:
            first = None
        found[path] = PathHistory(last, tuple(sorted(others, key=_newest, reverse=True)), first)
    return Resumed(found, unnamed, count)


def _newest(change: Change) -> tuple[int, str]:
    return change.commit.committed.seconds, change.commit.id


def _known(path: str, walk: Walk, rest: set[bytes], reading: Reading, base: Snapshot) -> bool:
    """Whether the snapshot knows what is asked of it: all of it was found in newer commits, or it has the path."""
    name = raw(path)
    if name not in rest and name not in walk.unnamed:
        return True
    return path in base.histories and (path in base.loose) == (path in reading.loose)


def _lookup(path: str, ranges: Ranges, walk: Walk, rest: set[bytes], base: Snapshot, commits: Commits) -> Lookup | None:
    """What must be looked up for the path's claims, if anything."""
    if not ranges:
        return None
    if raw(path) not in rest:
        newer = walk.last(raw(path))
        committed = seconds(newer.committed) if newer else None
        # An older commit counts only if its clock was ahead of the last change.
        return None if committed is not None and committed >= base.latest else Lookup(ranges, committed, None)
    if base.claims[path] == ranges:
        return None
    last = base.histories[path].last
    if last is None:
        return Lookup(ranges, None, None)
    position = commits.position(last.commit.id)
    return Lookup(ranges, seconds(commits.at(position).committed), position)


def _asked(reading: Reading, walk: Walk, commits: Commits, lookups: Mapping[str, Lookup]) -> tuple[Older, int] | None:
    """The twins and merges of the paths among the snapshot's commits; None when too many must be asked about."""
    wanted: dict[int, list[str]] = {}
    for path, lookup in lookups.items():
        for position in commits.within(lookup.ranges):
            if _counts(commits.at(position), position, lookup):
                wanted.setdefault(position, []).append(path)
        if len(wanted) > MOST_ASKED:
            return None
    parents = reading.parents(commits.at(position).id for position in wanted)
    older: Older = {}
    for position, paths in wanted.items():
        commit = commits.at(position)
        if not parents[commit.id]:
            return None  # a root names every file that it has: that is a walk's work
        names = _names(commit.id, parents[commit.id], reading, walk)
        kind = "merge" if len(parents[commit.id]) > 1 else "twin"
        for path in paths:
            if raw(path) in names:
                older.setdefault(path, []).append((commit, kind))
    return older, len(wanted)


def _names(commit: bytes, parents: Iterable[bytes], reading: Reading, walk: Walk) -> set[bytes]:
    """The paths in which a commit differs from any of its parents."""
    return {name for parent in parents for name in walk.expanded(reading.merges.against(commit, parent))}


def _counts(commit: Moments, position: int, lookup: Lookup) -> bool:
    """As `Walk` decides: it comes before the last change in the log, or its clock is ahead of it."""
    if lookup.last is None:
        return True
    before = lookup.position is not None and position > lookup.position
    return before or (position != lookup.position and seconds(commit.committed) > lookup.last)
