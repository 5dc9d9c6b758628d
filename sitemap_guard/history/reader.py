"""What the rest of the program knows of the repository: its facts, the histories of paths, subjects and contents."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from sitemap_guard.history.cache import FOLDER, LINE, Cache
from sitemap_guard.history.cover import SHARE
from sitemap_guard.history.locate import Place, locate, read_repository, remotes, resolve
from sitemap_guard.history.process import output, raw, text
from sitemap_guard.history.reading import WHOLE, AskedMerges, Reading, log
from sitemap_guard.model import Change, PathHistory, Repository, UserError

if TYPE_CHECKING:
    from sitemap_guard.history.chain import Compare, GoOn, Trail
    from sitemap_guard.history.process import Running
    from sitemap_guard.history.since import Since

# Paths in one command line.
_AT_ONCE = 500
# Fewer pages are read before it pays to read the history meanwhile.
_MANY = 1000


def open_history(
    start: Path,
    site_folder: Path | None,
    rev: str = "HEAD",
    index_file: str = "",
    *,
    cache: str | None = None,
    now: int | None = None,
) -> HistoryReader:
    """Opens the repository at or above `start`, to be read at `rev`. `now` is the time of the check, in seconds.

    `site_folder` is where the built site is (it may be outside), `index_file` the caller's GIT_INDEX_FILE as
    `isolated_git` yields it. `cache` is the folder of cached walks: "" for the repository's own, None for none. Never
    raises for the state of the repository: `reader.repository.problem` says it.
    """
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
    folder = None if cache is None else Path(cache or place.common_dir) / ("" if cache else FOLDER)
    # What the trial merge of a pull request brings will land later than now.
    landing = b"%d +0000" % (int(time.time()) if now is None else now) if facts.trial else b""
    return HistoryReader(facts, place, tip, blobs, Cache(folder) if folder else None, landing, index_file)


class HistoryReader:
    """Reads one repository at one commit. Use as a context manager, or `close` it."""

    def __init__(
        self,
        repository: Repository,
        place: Place | None = None,
        tip: bytes = b"",
        blobs: Mapping[str, str] | None = None,
        cache: Cache | None = None,
        landing: bytes = b"",
        index_file: str = "",
    ) -> None:
        self.repository = repository
        self._place = place
        self._tip = tip
        self._blobs = blobs or {}
        self._cache = cache
        self._landing = landing
        self._index = index_file
        self._last: dict[str, str] = {}  # the last change of each path that was walked
        self._ahead: Running | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read_ahead(self, pages: int) -> None:
        """Lets git begin with the log that the first walk is likely to want, while the caller does something else.

        It is likely where nothing is cached, and a site of so many pages needs most of the repository's files.
        """
        cached = self._cache is not None and self._cache.used
        if self._place is not None and not cached and pages >= _MANY and pages > SHARE * len(self._blobs):
            self._ahead = log(self._place, self._tip, *WHOLE, ahead=True)

    def walk(
        self,
        wanted: Mapping[str, tuple[tuple[int, int], ...]],
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, PathHistory]:
        """The histories of repository paths, in one pass.

        `wanted` maps a path to the ranges of seconds (first, last, both included) in which its claims may lie;
        twins and merges are looked for only there. `progress` is called with the commits read and their number.
        Raises UserError when git fails or the history cannot be read to its end, except where a partial clone lacks
        parts of it: then `repository.problem` says so from now on, and nothing is found.
        """
        place = self._open()
        # Names that no tree can hold would be refused by git as pathspecs.
        known = {path: ranges for path, ranges in wanted.items() if path in self._blobs or _is_path(path)}
        found = dict.fromkeys(wanted, PathHistory(None))
        if not known:
            return found
        ahead, self._ahead = self._ahead, None
        with contextlib.closing(Reading(place, self._tip, known, self._blobs, self._landing, ahead)) as reading:
            try:
                if self._cache is not None:
                    found.update(self._cache.walk(reading, progress))
                else:
                    walk = reading.walk(progress)
                    found.update((path, walk.history(raw(path))) for path in known)
            except UserError as error:
                if not self.repository.partial:
                    raise
                detail = f"this partial clone lacks folders of older commits: clone with --filter=blob:none ({error})"
                self.repository = replace(self.repository, problem="partial", detail=detail)
                return dict.fromkeys(wanted, PathHistory(None, unknown=detail))
        if self._cache is not None:
            self._last.update((path, one.last.commit.id) for path, one in found.items() if one.last)
        return found

    def trails(
        self,
        paths: Iterable[str],
        compare: Compare,
        go_on: GoOn,
        ignored: frozenset[str] = frozenset(),
        question: Callable[[str], str] | None = None,
    ) -> dict[str, Trail]:
        """The successive changes of a few paths, newest first, for as long as `go_on` wants more (see `chain`).

        `compare` says why two contents do not differ in substance, `ignored` are commits that do not count. `question`
        names, for a path, all that the answer depends on besides the history; with it the answers can be cached.
        Raises UserError as `walk` does.
        """
        known = [path for path in paths if _is_path(path) and path in self._blobs]
        names = {path: name for path in known if (name := self._kept_as(path, question))}
        if not names:
            return self._follow(known, compare, go_on, ignored)
        from sitemap_guard.history.trails import read_trails, write_trails

        place = self._open()
        with contextlib.closing(Reading(place, self._tip, {}, {})) as reading:
            if self._cache is None or reading.rewritten():
                return self._follow(known, compare, go_on, ignored)
            kept = read_trails(self._cache.folder, set(reading.line(LINE)), reading.edges)
        found = {path: kept[name] for path, name in names.items() if name in kept}
        rest = [path for path in known if path not in found]
        fresh = self._follow(rest, compare, go_on, ignored)
        new = {names[path]: trail for path, trail in fresh.items() if path in names and not trail.cut}
        if new:
            write_trails(self._cache.folder, self._tip.decode(), reading.edges, kept | new)
        return found | fresh

    def _kept_as(self, path: str, question: Callable[[str], str] | None) -> str:
        """The name under which a trail is cached; "" where it is not."""
        last = self._last.get(path, "")
        if question is None or self._cache is None or self.repository.partial or self._landing or not last:
            return ""
        if not self._cache.used:
            return ""
        from sitemap_guard.history.trails import name_of

        return name_of(question(path), path, last)

    def _follow(self, paths: list[str], compare: Compare, go_on: GoOn, ignored: frozenset[str]) -> dict[str, Trail]:
        from sitemap_guard.history.chain import Chains

        if not paths:
            return {}
        place = self._open()
        read = lru_cache(maxsize=1024)(self._content)
        ask = partial(AskedMerges, place)
        chains = Chains(place, self._tip, self._blobs, read, ask, compare, ignored, self._landing)
        return chains.follow(paths, go_on)

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

    def since(self, rev: str, *, forked: bool = False) -> Since:
        """What changed between an older revision and this one (see `history.since`).

        Raises UserError when there is no repository, or `rev` names no commit in it.
        """
        from sitemap_guard.history.since import since

        return since(self._open(), self._tip, rev, forked=forked)

    def content(self, name: str) -> bytes | None:
        """An object by git's name for it; None when it is missing."""
        return None if not name.strip("0") else self._object(name)

    @property
    def ids(self) -> Mapping[str, str]:
        """git's name for the content of each tracked file at the commit."""
        return self._blobs

    def staged_ids(self, paths: Iterable[str]) -> dict[str, str]:
        """git's name for what the index holds of each of these paths ("" in a conflict); without those it has not.

        Raises UserError when git fails.
        """
        asked = [path for path in paths if _is_path(path)]
        place = self._open()
        found: dict[str, str] = {}
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            answer = output(place.git, "ls-files", "-s", "-z", "--", *some, env=place.index_env(self._index))
            for entry in text(answer).split("\0")[:-1]:
                told, _, path = entry.partition("\t")
                _, name, stage = told.split(" ")
                found[path] = name if stage == "0" else ""
        return {path: found[path] for path in asked if path in found}

    def remotes(self) -> frozenset[str]:
        """The addresses of the remotes, as `host/owner/name` in lower case."""
        return remotes(self._place) if self._place is not None else frozenset()

    def why_untracked(self, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Why each of these paths is not tracked: a code and a clause for people (see `untracked`)."""
        from sitemap_guard.history.untracked import reasons

        return reasons(self._place, self.repository, paths)

    def untracked(self) -> frozenset[str]:
        """The files in the work tree that git does not track (see `untracked.beside`); none without a repository."""
        from sitemap_guard.history.untracked import beside

        return beside(self._place, self.repository) if self._place is not None else frozenset()

    def commits_at(self, spans: Iterable[tuple[int, int]]) -> list[tuple[Change, frozenset[str]]]:
        """The commits, but for merges, that were made within one of the spans of seconds, with what they changed.

        The change's path is "". Raises UserError when git fails.
        """
        from sitemap_guard.history.chain import commits_at

        return commits_at(self._open(), self._tip, list(spans))

    def modified(self, path: str) -> int | None:
        """When the file was last written in the work tree; None when it is not there."""
        place = self._open()
        try:
            return None if place.bare else int((Path(place.root) / path).lstat().st_mtime)
        except (OSError, ValueError):
            return None

    def close(self) -> None:
        """Ends the processes that are still running."""
        if self._ahead is not None:
            self._ahead.close()
        if self._place is not None:
            self._place.git.clear_cache()

    def _open(self) -> Place:
        if self._place is None:
            raise UserError(self.repository.detail or "no history to read: there is no repository")
        return self._place

    def _content(self, name: str) -> bytes | None:
        """A blob by its full id; None when it is missing or no source can be so large."""
        from sitemap_guard.history.chain import MOST_BYTES

        content = self._object(name)
        return None if content is None or len(content) > MOST_BYTES else content

    def _object(self, name: str) -> bytes | None:
        """An object by its full id, from GitPython's persistent `git cat-file --batch`."""
        git = self._open().git
        try:
            return bytes(git.get_object_data(name)[3])
        except (ValueError, OSError):
            # Missing; git may have ended over it, so that the next question needs a new process.
            git.clear_cache()
            return None


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
