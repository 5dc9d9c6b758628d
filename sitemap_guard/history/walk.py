"""The walk: every wanted path's last change, from one pass over the history, newest first.

`git log` streams the commits, children before parents, each with the names that differ from its first parent.
Every commit that is still to come carries the set of wanted paths whose history goes through it. An ordinary
commit keeps the paths that it names (it is their last change) and hands the rest, the very same set, to its
parent: the work is that of the names, not of the paths. At a merge git follows the first parent that has the
path as it is, mode and all ("TREESAME"). Paths that the stream does not name go to the first parent. About the
few others a persistent `git diff-tree --stdin -c` is asked. It can say two things: which paths differ from every
parent (the merge is their last change), and which differ from one given parent (for octopus merges, and for
merges at a claimed moment). It was chosen over `cat-file --batch-check`, which knows no modes, and over plain
two-tree diffs, which list all that happened on the other side: the combined diff of all merges of a history of
60,000 commits took 1.3 s where the plain one took 3.3 s. It is told of merges a little ahead of the walk, so that both
work at the same time. `--name-only` is enough everywhere, since a name in a
diff says just that mode, kind or content differ; `--raw` is no faster.

The same pass yields when each commit landed, the twins and merges at claimed moments, and what a log without
merges names first (see `model.PathHistory`). State grows with the wanted paths and with the width of the history,
not with its length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from sitemap_guard.history.claims import Claimed, Ranges
from sitemap_guard.history.process import text
from sitemap_guard.model import Change, Commit, Instant, PathHistory, UserError

# A record starts with what no path can hold, has the commit and its parents, and two dates with zones.
FORMAT = "//%H %P,%ad,%cd"
MARK = b"//"
LOG = (
    "--date-order",
    "--full-history",
    "--sparse",
    "--diff-merges=first-parent",
    "-z",
    "--name-only",
    "--date=raw",
    "--encoding=none",  # else i18n.logOutputEncoding = UTF-16 would garble all of it
    "--no-notes",
    "--no-decorate",
    "--no-mailmap",
    f"--format={FORMAT}",
)
# So many records ahead of the walk, git is told which merges may be asked about. The questions must fit into a pipe.
FORESEEN = 50
# The last second that a datetime can hold in any zone.
_LATEST = 253_402_214_399


_Record = tuple[bytes, list[bytes], bytes, bytes, list[bytes]]


class Moments(NamedTuple):
    """A commit as git printed it. `landed` is the committer date of the commit that it landed with."""

    id: bytes
    authored: bytes
    committed: bytes
    landed: bytes


class Merges:
    """What the walk asks about merges; the reader answers from a persistent process."""

    def expect(self, merge: bytes) -> None:
        """Tells that `combined` may be asked about the merge, after those told before; at most FORESEEN are to come."""

    def combined(self, merge: bytes) -> Iterable[bytes]:
        """The paths in which the merge differs from every parent."""
        raise NotImplementedError

    def against(self, merge: bytes, parent: bytes) -> Iterable[bytes]:
        """The paths in which the merge differs from this parent."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends what was started to answer."""


def instant(date: bytes) -> Instant:
    """Reads git's raw date (`1700000000 +0200`). A broken or missing one is 1970, as git prints it."""
    seconds, _, zone = date.partition(b" ")
    clock = abs(int(zone or 0))
    minutes = min(clock // 100 * 60 + clock % 100, 1439)
    return Instant(min(int(seconds or 0), _LATEST), -minutes if zone.startswith(b"-") else minutes)


def seconds(date: bytes) -> int:
    """The seconds of git's raw date."""
    return int(date.partition(b" ")[0] or 0)


def head_commit(record: bytes) -> Commit:
    """The commit of one record of the log, as landed by itself."""
    ids, authored, committed = record.rstrip(b"\0\n").removeprefix(MARK).split(b",")
    when = instant(committed)
    return Commit(ids.split()[0].decode(), instant(authored), when, when)


def _records(pieces: Iterator[bytes]) -> Iterator[_Record]:
    """Commit, parents, author date, committer date and names of each record; ValueError for anything else."""
    if next(pieces, b""):
        raise ValueError("no commit at the start")
    for piece in pieces:
        header, *names = piece.split(b"\0")
        ids, authored, committed = header.split(b",")
        commit, *parents = ids.split()
        if names.pop():
            raise ValueError("a record is cut short")
        if names:
            names[0] = names[0][1:]  # the line feed that ends the header
        yield commit, parents, authored, committed, names


class _Landing:
    """Hands each commit the oldest commit of the first-parent line that contains it, as the stream goes by.

    Children come first, so when a commit comes all ways into it are known: one comparison an edge. `now` stands for
    the date of the tip ("" for its own).
    """

    def __init__(self, tip: bytes, now: bytes) -> None:
        self._tip, self._now = tip, now
        self._line = tip  # the next commit of the first-parent line
        self._place = 0
        self._roots = 0
        self._known: dict[bytes, tuple[int, bytes]] = {}

    def of(self, commit: bytes, parents: list[bytes], committed: bytes) -> bytes:
        """The committer date of the commit with which this one landed."""
        landed = self._known.pop(commit, None)
        if commit == self._line:
            self._place += 1
            landed = (self._place, self._now or committed if commit == self._tip else committed)
            self._line = parents[0] if parents else b""
        elif landed is None:
            raise ValueError("a commit without children")
        self._roots += not parents
        for parent in parents:
            other = self._known.get(parent)
            if other is None or other[0] < landed[0]:
                self._known[parent] = landed
        return landed[1]

    def ends_at(self, base: bytes) -> bool:
        """Whether all that was read stands on this commit of the first-parent line, and on nothing else."""
        return not self._roots and self._line == base and self._known.keys() <= {base}


class Walk:
    """One walk. `wanted` maps paths to claimed ranges; `loose` are those of them that are no files at the tip:
    deleted ones and folders, about which git also means whatever lies below the name.

    `now` is the raw date with which what came with the tip has landed, when that is not the tip's own. With
    `record` the walk goes on to the end and keeps the `rows` of all commits (for the cache); with `base` it is of
    the commits after that one only, and the `rest` is left.
    """

    def __init__(
        self,
        tip: bytes,
        wanted: Mapping[bytes, Ranges],
        loose: frozenset[bytes],
        edges: frozenset[str],
        merges: Merges,
        *,
        now: bytes = b"",
        record: bool = False,
        base: bytes = b"",
    ) -> None:
        self._tip = tip
        self._wanted = wanted
        self._loose = loose
        self._edges = edges
        self._merges = merges
        self._claimed = Claimed(wanted)
        self._pending: dict[bytes, set[bytes]] = {tip: set(wanted)}
        self._unnamed = set(wanted)
        self._last: dict[bytes, Moments] = {}
        self._one_pass: dict[bytes, Moments] = {}
        self._others: dict[bytes, list[tuple[Moments, str]]] = {}
        self._commits: dict[bytes, Commit] = {}
        self._landing = _Landing(tip, now)
        self._record = record
        self._base = base
        self.rows: list[bytes] = []

    @property
    def unnamed(self) -> set[bytes]:
        """The paths that no commit but merges named."""
        return self._unnamed

    def rest(self) -> set[bytes] | None:
        """The paths whose history goes on below `base`; None if what was read does not stand on `base` alone."""
        if not self._landing.ends_at(self._base) or not self._pending.keys() <= {self._base}:
            return None
        return self._pending.get(self._base, set())

    def touched(self) -> set[bytes]:
        """The paths about which something was found out above `base`."""
        rest = self._pending.get(self._base, set())
        return {path for path in self._wanted if path not in rest or path not in self._unnamed} | self._others.keys()

    def last(self, path: bytes) -> Moments | None:
        """The last change of a path, if it was met."""
        return self._last.get(path)

    def first(self, path: bytes) -> Commit | None:
        """The first commit but merges that named a path, be it the last change or not."""
        found = self._one_pass.get(path)
        return None if found is None else self._commit(found)

    def run(self, pieces: Iterable[bytes], progress: Callable[[int], None] | None = None) -> None:
        """Reads the log's output, cut at MARK, to its end.

        With nothing claimed it stops as soon as every path is known. Raises UserError when the output is not
        what was asked for.
        """
        try:
            done = self._read(iter(pieces), progress)
        except (ValueError, KeyError, IndexError) as error:
            raise UserError(
                f"git log printed something unexpected ({type(error).__name__}: {error}): nothing was judged; "
                "check the repository with git fsck"
            ) from error
        if not done and not self._base and any(self._pending.values()):
            raise UserError("git log ended before the history did: nothing was judged; check with git fsck")

    def _read(self, pieces: Iterator[bytes], progress: Callable[[int], None] | None) -> bool:
        pending, unnamed, claimed = self._pending, self._unnamed, self._claimed
        landing, record = self._landing, self._record
        for count, (commit, parents, authored, committed, names) in enumerate(self._foreseen(_records(pieces)), 1):
            moments = Moments(commit, authored, committed, landing.of(commit, parents, committed))
            if record:
                self.rows.append(b",".join(moments))
            if self._loose:
                names = self._with_folders(names)  # noqa: PLW2901
            carried = pending.pop(commit, None)
            if carried:
                touched = carried.intersection(names)
                if touched:
                    carried -= touched
                    self._settle(moments, parents, touched)
                if carried and parents:
                    self._carry(carried, parents[0])
            if len(parents) < 2 and not unnamed.isdisjoint(names):
                first = unnamed.intersection(names)
                unnamed -= first
                self._one_pass.update(dict.fromkeys(first, moments))
            if claimed:
                if names or len(parents) > 1:
                    self._look_closer(moments, parents, names)
            elif self._complete():
                return True
            if progress and count % 2000 == 0:
                progress(count)
        return False

    def _foreseen(self, records: Iterator[_Record]) -> Iterator[_Record]:
        """The records, a little late, so that git can work on what will be asked about merges while others go by."""
        waiting: deque[_Record] = deque()
        failed: Exception | None = None
        try:
            for record in records:
                commit, parents, _, _, names = record
                if len(parents) > 1 and any(name in self._wanted and name not in self._last for name in names):
                    self._merges.expect(commit)
                waiting.append(record)
                if len(waiting) > FORESEEN:
                    yield waiting.popleft()
        except (ValueError, UserError) as error:
            failed = error  # which is of account only to a walk that gets there
        yield from waiting
        if failed is not None:
            raise failed

    def _settle(self, commit: Moments, parents: list[bytes], touched: set[bytes]) -> None:
        """Paths that differ from the first parent: changed here, or as another parent has them."""
        if len(parents) > 1:
            # Names decide about files. A folder can differ from each parent in another name: ask one by one.
            folders = touched & self._loose
            files = touched - folders
            changed = files.intersection(self._merges.combined(commit.id)) if files else set()
            files -= changed
            for position, parent in enumerate(parents[1:], 2):
                if not files and not folders:
                    break
                # A file that differs from some parents, but not from all, must agree with the last one left.
                known = position == len(parents) and not folders
                theirs = () if known else self.expanded(self._merges.against(commit.id, parent))
                left = files.intersection(theirs)
                left_folders = folders.intersection(theirs)
                self._carry((files - left) | (folders - left_folders), parent)
                files, folders = left, left_folders
            touched = changed | folders
        self._found(commit, parents, touched)

    def _found(self, commit: Moments, parents: list[bytes], paths: set[bytes]) -> None:  # noqa: ARG002
        """Paths whose last change is this commit. (`chain.ChainWalk` goes on from here.)"""
        self._last.update(dict.fromkeys(paths, commit))

    def _complete(self) -> bool:
        """Whether nothing is left to be found out, when nothing is claimed."""
        return not (self._record or self._base or self._unnamed) and len(self._last) == len(self._wanted)

    def _carry(self, paths: set[bytes], parent: bytes) -> None:
        """Hands paths to a parent; the smaller set is poured into the larger."""
        there = self._pending.get(parent)
        if there:
            if len(there) < len(paths):
                there, paths = paths, there
            there |= paths
            paths = there
        self._pending[parent] = paths

    def _look_closer(self, commit: Moments, parents: list[bytes], names: list[bytes]) -> None:
        """Twins and merges: a commit at a claimed moment that differs from a parent and is not the last change."""
        moments = (seconds(commit.authored), seconds(commit.committed), seconds(commit.landed))
        if not self._claimed.any_at(moments):
            return
        named = self._claimed.named(names, moments)
        for parent in parents[1:]:
            seen = set(named)
            theirs = self.expanded(self._merges.against(commit.id, parent))
            named += [path for path in self._claimed.named(theirs, moments) if path not in seen]
        kind = "merge" if len(parents) > 1 else "twin"
        for path in named:
            last = self._last.get(path)
            # After the last change come older changes of the same content, unless a clock says otherwise.
            if last is None or (last.id != commit.id and moments[1] > seconds(last.committed)):
                self._others.setdefault(path, []).append((commit, kind))

    def expanded(self, names: Iterable[bytes]) -> Iterable[bytes]:
        """The names, and the loose paths that are folders of one of them."""
        return self._with_folders(names) if self._loose else names

    def _with_folders(self, names: Iterable[bytes]) -> list[bytes]:
        """The names, and the loose paths that are folders of one of them."""
        found = list(names)
        above: set[bytes] = set()
        for name in found:
            end = name.rfind(b"/")
            while end > 0:
                if name[:end] in self._loose:
                    above.add(name[:end])
                end = name.rfind(b"/", 0, end)
        return found + [folder for folder in above if folder not in set(found)] if above else found

    def history(self, path: bytes, older: Iterable[tuple[Moments, str]] = ()) -> PathHistory:
        """What the walk found out about a wanted path; `older` are twins and merges found in another way."""
        last = self._last.get(path)
        first = self._one_pass.get(path)
        found = [*self._others.get(path, ()), *older]
        if last is not None and first is not None and first.id == last.id:
            first = None
        return PathHistory(
            last=None if last is None else self._change(path, last, "change"),
            others=tuple(
                self._change(path, commit, kind)
                for commit, kind in sorted(
                    found, key=lambda other: (seconds(other[0].committed), other[0].id), reverse=True
                )
            ),
            one_pass=None if first is None else self._commit(first),
        )

    def _change(self, path: bytes, commit: Moments, kind: str) -> Change:
        made = self._commit(commit)
        return Change(text(path), made, kind, edge=made.id in self._edges)

    def _commit(self, commit: Moments) -> Commit:
        made = self._commits.get(commit.id)
        if made is None:
            made = Commit(
                commit.id.decode(), instant(commit.authored), instant(commit.committed), instant(commit.landed)
            )
            self._commits[commit.id] = made
        return made
