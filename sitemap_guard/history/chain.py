"""The chain: the successive changes of a few paths, for as long as a caller wants to see more.

A second walk, through the same `Walk`, that does not end at a path's last change but goes on into the parent, under
the former name when the change was a move. About each commit that it stops at, a persistent `git diff-tree --raw
-M100%` tells blobs, modes and moves (exact ones: no contents are read for that). Contents are read only when the
caller asks for them, from a persistent `git cat-file`; in a partial clone they may be missing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from sitemap_guard.history.cover import cover
from sitemap_guard.history.locate import Place
from sitemap_guard.history.process import DIFF, Running, raw, run, text
from sitemap_guard.history.walk import LOG, MARK, Merges, Moments, Walk, _records, instant, seconds
from sitemap_guard.model import Change, Commit, UserError

# How many changes of one path are looked at, how often a walk begins anew, and how far a move with edits is sought.
MOST_CHANGES = 300
_ROUNDS = 6
_CANDIDATES = 8
_SEASON = 90 * 86400
# Larger files are not compared: no page is made from them.
MOST_BYTES = 4_000_000
_RAW = tuple(option for option in DIFF if option != "--no-renames")


class Versions:
    """A path's content after and before a change. `old_path` is "" where it did not exist before."""

    def __init__(self, path: str, old_path: str, new: str, old: str, read: Callable[[str], bytes | None]) -> None:
        self.path, self.old_path = path, old_path
        self._new, self._old, self._read = new, old, read

    def new(self) -> bytes | None:
        """The content after the change; None when it is not in this clone, or too large to be a source."""
        return self._read(self._new)

    def old(self) -> bytes | None:
        """The content before the change; None as for `new`, or when there was none."""
        return self._read(self._old) if self.old_path else None


class Trail(Struct, frozen=True):
    """The changes of one path, newest first. `cut`: more were asked for than could be looked at."""

    changes: tuple[Change, ...]
    cut: bool = False


# Where a path goes on: a parent, and the name there.
Onward = tuple[bytes, bytes]
# Why two contents do not differ in substance ("": they do).
Compare = Callable[[str, bytes, str, bytes], str]
# Asked with the path, the change's versions and why it is not substantive: go on to an older change?
GoOn = Callable[[str, Versions, str], bool]


class _Diff(NamedTuple):
    """What one path was before a commit."""

    status: bytes
    old_path: bytes
    old: bytes
    new: bytes


class _Differ:
    """Asks a `git diff-tree --stdin` about whole commits; the last answers are kept."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._process: Running | None = None
        self._known: dict[bytes, dict[bytes, _Diff]] = {}

    def between(self, commit: bytes, parent: bytes) -> dict[bytes, _Diff]:
        """Each path that differs from the parent; deleted ones have the status D."""
        question = commit + b" " + parent
        found = self._known.get(question)
        if found is None:
            if self._process is None:
                options = ("--stdin", "-r", "-z", "--raw", "--no-abbrev", "-M100%", "-l0", "--no-commit-id")
                self._process = Running(self._place.git, "diff-tree", *options, *_RAW, feed=True)
            found = _parsed(self._process.ask(question, MARK))
            while len(self._known) > 3:
                self._known.pop(next(iter(self._known)))
            self._known[question] = found
        return found

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


def _parsed(answer: bytes) -> dict[bytes, _Diff]:
    found: dict[bytes, _Diff] = {}
    words = iter(answer.split(b"\0"))
    for word in words:
        if not word.startswith(b":"):
            continue
        _, _, old, new, status = word[1:].split(b" ")
        path = next(words)
        if status[:1] in b"RC":
            found[next(words)] = _Diff(status[:1], path, old, new)
            if status[:1] == b"R":
                found.setdefault(path, _Diff(b"D", path, old, b""))
        else:
            found[path] = _Diff(status[:1], path, old, new)
    return found


class Chains:
    """Follows paths through the history that ends at `tip`."""

    def __init__(
        self,
        place: Place,
        tip: bytes,
        tracked: Collection[str],
        read: Callable[[str], bytes | None],
        ask: Callable[[list[str]], Merges],
        compare: Compare,
        ignored: frozenset[str] = frozenset(),
        landing: bytes = b"",
    ) -> None:
        self._landing = landing
        self._place, self._tip, self._tracked = place, tip, tracked
        self._read, self._ask, self._compare, self._ignored = read, ask, compare, ignored
        self._edges = place.edges

    def follow(self, paths: Iterable[str], go_on: GoOn) -> dict[str, Trail]:
        """The changes of each path, newest first, until `go_on` says no.

        Raises UserError when git fails or the history cannot be read to its end.
        """
        self._go_on = go_on
        self._found: dict[str, list[Change]] = {path: [] for path in paths}
        self._cut: set[str] = set()
        waiting = [(path, raw(path), self._tip) for path in self._found]
        differ = _Differ(self._place)
        with contextlib.closing(differ):
            self._differ = differ
            for number in range(_ROUNDS):
                if not waiting:
                    break
                waiting = self._round(waiting, whole=number > 0)
        self._cut.update(subject for subject, _, _ in waiting)
        return {path: Trail(tuple(changes), path in self._cut) for path, changes in self._found.items()}

    def _round(self, starts: list[tuple[str, bytes, bytes]], *, whole: bool) -> list[tuple[str, bytes, bytes]]:
        """One walk. Returns what must wait for the next: names outside the pathspecs, or twice the same name."""
        names: dict[bytes, str] = {}
        later: list[tuple[str, bytes, bytes]] = []
        begun: dict[bytes, set[bytes]] = {}
        for subject, name, start in starts:
            if name in names:
                later.append((subject, name, start))
                continue
            names[name] = subject
            begun.setdefault(start, set()).add(name)
        pathspecs = ["--", *([] if whole else cover([text(name) for name in names], self._tracked))]
        inside = _below(pathspecs[1:])

        def visit(name: bytes, commit: Commit, parents: list[bytes]) -> list[Onward]:
            subject = names[name]
            ways = []
            for parent, former in self._visit(subject, name, commit, parents):
                if names.setdefault(former, subject) != subject or not inside(former):
                    later.append((subject, former, parent))
                else:
                    ways.append((parent, former))
            return ways

        with contextlib.ExitStack() as stack:
            merges = stack.enter_context(contextlib.closing(self._ask(pathspecs)))
            log = Running(self._place.git, "log", *LOG, *DIFF, self._tip.decode(), *pathspecs)
            stack.callback(log.close)
            walk = ChainWalk(self._tip, begun, self._edges, merges, visit, self._landing)
            walk.run(log.pieces(MARK))
        return later

    def _visit(self, subject: str, name: bytes, commit: Commit, parents: list[bytes]) -> list[Onward]:
        """Notes the change, and says where to go on: the parents, and the name there."""
        first: str | None = None
        born = True
        joined = len(parents) > 1 and commit.id not in self._ignored and self._is_joined(name, commit)
        onward: list[Onward] = []
        for parent in parents:
            versions, why = self._versions(name, commit.id.encode(), parent)
            why = "merge" if joined else why
            born = born and not versions.old_path
            goes = bool(versions.old_path) and self._go_on(subject, versions, why)
            if goes:
                onward.append((parent, raw(versions.old_path)))
            first = why if first is None or goes else first
            if goes and not joined:
                break
        if onward and len(self._found[subject]) >= MOST_CHANGES:
            self._cut.add(subject)
            return []
        self._note(subject, name, commit, first or "", born=born)
        return onward

    def _is_joined(self, name: bytes, merge: Commit) -> bool:
        """Whether a merge only joins what its sides had changed, so that no line of the file is its own."""
        options = ("diff-tree", "--cc", "-p", "--no-commit-id", *DIFF, merge.id, "--", text(name))
        status, answer, _ = run(self._place.git, *options)
        return not status and not answer.strip()

    def _note(self, subject: str, name: bytes, commit: Commit, why: str, *, born: bool = False) -> None:
        edge = commit.id in self._edges
        self._found[subject].append(Change(text(name), commit, "change", edge, why, born and not edge))

    def _versions(self, name: bytes, commit: bytes, parent: bytes) -> tuple[Versions, str]:
        """What the path was in the parent, and why the change is not substantive."""
        try:
            diffs = self._differ.between(commit, parent)
        except UserError:
            diffs = {}  # a tree is missing: a clone without trees
        diff = diffs.get(name)
        path = text(name)
        listed = "ignored" if commit.decode() in self._ignored else ""
        if diff is None:
            return Versions(path, "", "", "", self._read), listed
        new = diff.new.decode()
        if diff.status == b"A":
            moved = self._edited_move(name, diff, diffs)
            if moved is None:
                return Versions(path, "", new, "", self._read), ""
            former, old, why = moved
            return Versions(path, text(former), new, old, self._read), listed or why
        versions = Versions(path, text(diff.old_path), new, diff.old.decode(), self._read)
        if listed:
            return versions, listed
        if diff.old == diff.new:
            return versions, "mode" if diff.old_path == name else "move"
        return versions, self._why(versions)

    def _why(self, versions: Versions) -> str:
        new, old = versions.new(), versions.old()
        if new is None or old is None:
            return "unknown"
        return self._compare(versions.old_path, old, versions.path, new)

    def _edited_move(self, name: bytes, diff: _Diff, diffs: Mapping[bytes, _Diff]) -> tuple[bytes, str, str] | None:
        """The deleted file that this new one was, when the two do not differ in substance."""
        ending = name.rpartition(b".")[2]
        gone = [path for path, other in diffs.items() if other.status == b"D" and path.endswith(ending)]
        if not gone:
            return None
        parts = set(name.split(b"/"))
        gone.sort(key=lambda path: -len(parts & set(path.split(b"/"))))
        for path in gone[:_CANDIDATES]:
            old = diffs[path].old.decode()
            versions = Versions(text(name), text(path), diff.new.decode(), old, self._read)
            why = self._why(versions)
            if why == "unknown":
                return None
            if why:
                return path, old, why
        return None


def commits_at(place: Place, tip: bytes, spans: Sequence[tuple[int, int]]) -> list[tuple[Change, frozenset[str]]]:
    """The commits, but for merges, authored or committed within one of the spans, newest first, with what they changed.

    An author's clock may be ahead of the committer's, but not by more than a season.
    """
    if not spans:
        return []
    oldest = max(min(first for first, _ in spans) - _SEASON, 100_000_001)  # smaller numbers are dates to git
    log = Running(place.git, "log", *LOG, *DIFF, "--no-merges", f"--since={oldest}", tip.decode())
    found = []
    with contextlib.closing(log):
        for commit, _, authored, committed, names in _records(log.pieces(MARK)):
            times = (seconds(authored), seconds(committed))
            if any(first <= time <= last for first, last in spans for time in times):
                when = instant(committed)
                made = Commit(commit.decode(), instant(authored), when, when)
                found.append((Change("", made), frozenset(text(name) for name in names)))
    return found


def _below(pathspecs: list[str]) -> Callable[[bytes], bool]:
    exact = {raw(pathspec) for pathspec in pathspecs}
    folders = tuple(pathspec + b"/" for pathspec in exact)
    return lambda name: not exact or name in exact or name.startswith(folders)


class ChainWalk(Walk):
    """A walk that asks `visit` at each change of a name where to go on; it stops there when it is told nothing.

    `begun` are the names to start with at each commit.
    """

    def __init__(
        self,
        tip: bytes,
        begun: Mapping[bytes, set[bytes]],
        edges: frozenset[str],
        merges: Merges,
        visit: Callable[[bytes, Commit, list[bytes]], list[Onward]],
        landing: bytes = b"",
    ) -> None:
        super().__init__(tip, {}, frozenset(), edges, merges, now=landing)
        self._pending = {commit: set(names) for commit, names in begun.items()}
        self._visit = visit

    def _found(self, commit: Moments, parents: list[bytes], paths: set[bytes]) -> None:
        for name in sorted(paths):
            for parent, former in self._visit(name, self._commit(commit), parents):
                self._carry({former}, parent)

    def _complete(self) -> bool:
        return not self._pending
