"""One walk's git processes: the log, and the one that answers about merges."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from sitemap_guard.history.claims import Ranges
from sitemap_guard.history.cover import cover
from sitemap_guard.history.locate import Place
from sitemap_guard.history.process import DIFF, Running, output, raw
from sitemap_guard.history.walk import FORESEEN, LOG, MARK, Merges, Walk

Progress = Callable[[int, int], None]


# The pathspecs that stand for the whole tree.
WHOLE = ["--"]


def log(place: Place, tip: bytes, *which: str, ahead: bool = False) -> Running:
    """The running log that a walk reads; `which` are further revisions and pathspecs."""
    return Running(place.git, "log", *LOG, *DIFF, tip.decode(), *which, ahead=ahead)


class AskedMerges(Merges):
    """Asks a `git diff-tree --stdin`, started at the first question.

    Git echoes a line that is no object id and flushes: that marks an answer's end, and MARK is in no path.
    """

    def __init__(self, place: Place, pathspecs: list[str]) -> None:
        self._place = place
        self._pathspecs = pathspecs
        self._process: Running | None = None
        # The merges that will be asked about, and what was read of the answers, in the order of the questions.
        self._expected: dict[bytes, list[bytes] | None] = {}

    def expect(self, merge: bytes) -> None:
        """As `Merges.expect`."""
        if len(self._expected) > FORESEEN:
            self._oldest()  # it has gone by
        self._running().put(merge, MARK)
        self._expected[merge] = None

    def combined(self, merge: bytes) -> list[bytes]:
        """As `Merges.combined`."""
        if merge not in self._expected:
            self._catch_up()
            self.expect(merge)
        known, names = self._oldest()
        while known != merge:
            known, names = self._oldest()
        return names

    def against(self, merge: bytes, parent: bytes) -> list[bytes]:
        """As `Merges.against`."""
        self._catch_up()
        self._running().put(merge + b" " + parent, MARK)
        return self._read()

    def _oldest(self) -> tuple[bytes, list[bytes]]:
        """Takes out the merge that was expected first, and the answer about it."""
        merge = next(iter(self._expected))
        names = self._expected.pop(merge)
        return merge, self._read() if names is None else names

    def _catch_up(self) -> None:
        self._expected = {merge: self._read() if names is None else names for merge, names in self._expected.items()}

    def _read(self) -> list[bytes]:
        return self._running().answer(MARK).split(b"\0")[:-1]

    def _running(self) -> Running:
        if self._process is None:
            options = ("--stdin", "-r", "-c", "-z", "--name-only", "--no-commit-id")
            self._process = Running(self._place.git, "diff-tree", *options, *DIFF, *self._pathspecs, feed=True)
        return self._process

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.close()


class Reading:
    """What a walk over `wanted` (paths and their claimed ranges) at `tip` is to be made with.

    `now` is as for `Walk`, `ahead` a log of the whole history that is running already. Close it, or use
    `contextlib.closing`.
    """

    def __init__(
        self,
        place: Place,
        tip: bytes,
        wanted: Mapping[str, Ranges],
        tracked: Mapping[str, str],
        now: bytes = b"",
        ahead: Running | None = None,
    ) -> None:
        self._ahead = ahead
        self.place, self.tip, self.wanted, self.now = place, tip, wanted, now
        self.loose = frozenset(path for path in wanted if path not in tracked)
        self.edges = place.edges
        self._tracked = tracked

    @cached_property
    def _pathspecs(self) -> list[str]:
        return [*WHOLE, *cover(self.wanted, self._tracked)]

    @cached_property
    def merges(self) -> AskedMerges:
        """What answers about merges."""
        return AskedMerges(self.place, self._pathspecs)

    def walk(self, progress: Progress | None = None, *, record: bool = False, base: bytes = b"") -> Walk:
        """A finished walk over the history, or over what came after `base` (see `Walk`).

        Raises UserError when git fails or the history cannot be read to its end.
        """
        # Git remembers parents that it is given with a question, so each walk asks a process of its own.
        self._forget_merges()
        names = {raw(path): ranges for path, ranges in self.wanted.items()}
        loose = frozenset(map(raw, self.loose))
        walk = Walk(self.tip, names, loose, self.edges, self.merges, now=self.now, record=record, base=base)
        with contextlib.ExitStack() as stack:
            running = self._log(base)
            stack.callback(running.close)
            told: Callable[[int], None] | None = None
            if progress is not None and not base:
                counter = Running(self.place.git, "rev-list", "--count", self.tip.decode(), "--")
                stack.callback(counter.close)
                told = _with_total(progress, counter)
            walk.run(running.pieces(MARK), told)
        return walk

    def _log(self, base: bytes) -> Running:
        """The log of what is wanted: the one that is running already, if it is the same."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            if not base and self._pathspecs == WHOLE:
                return ahead
            ahead.close()
        return log(self.place, self.tip, *([f"^{base.decode()}"] if base else []), *self._pathspecs)

    def line(self, most: int) -> list[str]:
        """The newest commits of the first-parent line."""
        answer = output(self.place.git, "rev-list", "--first-parent", f"--max-count={most}", self.tip.decode(), "--")
        return answer.decode("ascii").split()

    def stands_on(self, base: str) -> bool:
        """Whether all commits after `base` go back to it and to nothing else, and it is on the first-parent line."""
        answer = output(self.place.git, "rev-list", "--parents", self.tip.decode(), f"^{base}", "--")
        known = {words[0]: words[1:] for line in answer.decode("ascii").splitlines() if (words := line.split())}
        allowed = known.keys() | {base}
        if not all(parents and allowed.issuperset(parents) for parents in known.values()):
            return False
        commit = self.tip.decode()
        while commit != base:
            commit = known[commit][0]
        return True

    def parents(self, commits: Iterable[bytes]) -> dict[bytes, list[bytes]]:
        """The parents of each commit."""
        names = [commit.decode() for commit in commits]
        answer = output(self.place.git, "rev-list", "--no-walk", "--parents", *names, "--") if names else b""
        return {words[0]: words[1:] for line in answer.splitlines() if (words := line.split())}

    def rewritten(self) -> bool:
        """Whether replace refs or grafts give some commit other parents or contents than its id stands for."""
        replaced = output(self.place.git, "for-each-ref", "--count=1", "--format=%(refname)", "refs/replace/")
        return bool(replaced.strip()) or self.place.grafted()

    def close(self) -> None:
        """Ends what is still running."""
        self._forget_merges()
        if self._ahead is not None:
            self._ahead.close()

    def _forget_merges(self) -> None:
        if "merges" in self.__dict__:
            self.merges.close()
            del self.merges


def _with_total(progress: Progress, counter: Running) -> Callable[[int], None]:
    """Adds the number of commits, which git counts while it prepares the log."""
    total = 0

    def told(done: int) -> None:
        nonlocal total
        if not total:
            total = int(b"".join(counter.pieces(b"\n")) or 0)
        progress(done, max(done, total))

    return told
