"""What the rest of the program knows of the repository: its facts, the histories of paths, subjects and contents."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from sitemap_guard.model import PathHistory, Repository, UserError

from .cover import cover
from .locate import Place, locate, read_repository, resolve
from .process import DIFF, Running, git_at, raw
from .walk import LOG, MARK, Merges, Walk


def open_history(start: Path, site_folder: Path, rev: str = "HEAD", index_file: str = "") -> HistoryReader:
    """Opens the repository at or above `start`, to be read at `rev`.

    `site_folder` is where the built site is (it may be outside), `index_file` the caller's GIT_INDEX_FILE as
    `isolated_git` yields it. Never raises for the state of the repository: `reader.repository.problem` says it.
    """
    git_at(start)  # imports GitPython so that a missing git is a fact, not an exception
    try:
        place = locate(start)
        if isinstance(place, Repository):
            return HistoryReader(place)
        tip, trouble = resolve(place, rev)
        if trouble is not None:
            return HistoryReader(trouble)
        facts, blobs = read_repository(place, tip, site_folder, index_file)
    except UserError as error:
        return HistoryReader(Repository(problem="broken", detail=str(error)))
    except ValueError as error:
        detail = f"git at {start} printed something unexpected ({error}): check the repository with git fsck"
        return HistoryReader(Repository(problem="broken", detail=detail))
    return HistoryReader(facts, place, tip, blobs)


class HistoryReader:
    """Reads one repository at one commit. Use as a context manager, or `close` it."""

    def __init__(
        self,
        repository: Repository,
        place: Place | None = None,
        tip: bytes = b"",
        blobs: Mapping[str, str] | None = None,
    ) -> None:
        self.repository = repository
        self._place = place
        self._tip = tip
        self._blobs = blobs or {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def walk(
        self,
        wanted: Mapping[str, tuple[tuple[int, int], ...]],
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, PathHistory]:
        """The histories of repository paths, in one pass.

        `wanted` maps a path to the ranges of seconds (first, last, both included) in which its claims may lie;
        twins and merges are looked for only there. `progress` is called with the commits read and their number.
        Raises UserError when git fails or the history cannot be read to its end.
        """
        place = self._open()
        # Names that no tree can hold would be refused by git as pathspecs.
        known = {path: ranges for path, ranges in wanted.items() if _is_path(path)}
        found = dict.fromkeys(wanted, PathHistory(None))
        if not known:
            return found
        loose = frozenset(raw(path) for path in known if path not in self._blobs)
        pathspecs = ["--", *cover(known, self._blobs)]
        with contextlib.ExitStack() as stack:
            merges = stack.enter_context(contextlib.closing(_AskedMerges(place, pathspecs)))
            log = Running(place.git, "log", *LOG, *DIFF, self._tip.decode(), *pathspecs)
            stack.callback(log.close)
            told: Callable[[int], None] | None = None
            if progress is not None:
                counter = Running(place.git, "rev-list", "--count", self._tip.decode(), "--")
                stack.callback(counter.close)
                told = _with_total(progress, counter)
            names = {raw(path): ranges for path, ranges in known.items()}
            walk = Walk(self._tip, names, loose, place.edges(), merges)
            walk.run(log.pieces(MARK), told)
        for path in known:
            found[path] = walk.history(raw(path))
        return found

    def subjects(self, ids: Iterable[str]) -> dict[str, str]:
        """The first line of each commit's message; bytes that are no text are replaced. Unknown ids are left out."""
        found: dict[str, str] = {}
        for commit in dict.fromkeys(ids):
            content = self._object(commit)
            if content is not None:
                head, _, message = content.partition(b"\n\n")
                found[commit] = _decoded(message.strip().split(b"\n", 1)[0], head)
        return found

    def blob(self, path: str) -> bytes | None:
        """The content of a tracked file at the commit; None when there is none, or a partial clone lacks it."""
        return self._object(self._blobs[path]) if path in self._blobs else None

    def close(self) -> None:
        """Ends the processes that are still running."""
        if self._place is not None:
            self._place.git.clear_cache()

    def _open(self) -> Place:
        if self._place is None:
            raise UserError(self.repository.detail or "no history to read: there is no repository")
        return self._place

    def _object(self, name: str) -> bytes | None:
        """An object by its full id, from GitPython's persistent `git cat-file --batch`."""
        git = self._open().git
        try:
            return bytes(git.get_object_data(name)[3])
        except (ValueError, OSError):
            # Missing; git may have ended over it, so that the next question needs a new process.
            git.clear_cache()
            return None


class _AskedMerges(Merges):
    """Asks a `git diff-tree --stdin`, started at the first question.

    Git echoes a line that is no object id and flushes: that marks an answer's end, and MARK is in no path.
    """

    def __init__(self, place: Place, pathspecs: list[str]) -> None:
        self._place = place
        self._pathspecs = pathspecs
        self._process: Running | None = None

    def combined(self, merge: bytes) -> list[bytes]:
        return self._ask(merge)

    def against(self, merge: bytes, parent: bytes) -> list[bytes]:
        return self._ask(merge + b" " + parent)

    def _ask(self, question: bytes) -> list[bytes]:
        if self._process is None:
            options = ("--stdin", "-r", "-c", "-z", "--name-only", "--no-commit-id")
            self._process = Running(self._place.git, "diff-tree", *options, *DIFF, *self._pathspecs, feed=True)
        return self._process.ask(question, MARK).split(b"\0")[:-1]

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


def _with_total(progress: Callable[[int, int], None], counter: Running) -> Callable[[int], None]:
    """Adds the number of commits, which git counts while it prepares the log."""
    total = 0

    def told(done: int) -> None:
        nonlocal total
        if not total:
            total = int(b"".join(counter.pieces(b"\n")) or 0)
        progress(done, max(done, total))

    return told


def _is_path(path: str) -> bool:
    """Whether a tree can hold this path."""
    return "\0" not in path and not {"", ".", ".."}.intersection(path.split("/"))


def _decoded(line: bytes, head: bytes) -> str:
    """A line of a commit message in the encoding that the commit declares, UTF-8 by default."""
    declared = next((field[9:] for field in head.split(b"\n") if field.startswith(b"encoding ")), b"utf-8")
    try:
        return line.decode(declared.decode("ascii", "replace"), "replace")
    except (LookupError, ValueError):
        return line.decode("utf-8", "replace")
