"""Evidence files: the changes of files, written down where the whole history is, for builds that have none.

`sitemap-guard dates --format csv` writes one: a line that names its version and the commit it was made at, the names
of the columns, and one row a change. A file's rows are its last change, what else a claim can stand on (twins and
merges that are newer), and the older changes up to the first one of substance. Each row holds the name that git gives
to the content, so that it is seen when the file at hand is another one.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard.files import read_file
from sitemap_guard.history.locate import prefix_of
from sitemap_guard.history.reader import HistoryReader
from sitemap_guard.model import Change, Commit, Instant, PathHistory, Repository, UserError

if TYPE_CHECKING:
    from sitemap_guard.history.chain import Compare, GoOn, Trail
    from sitemap_guard.history.since import Since

VERSION = 1
COLUMNS = ("path", "blob", "authored", "committed", "landed", "commit", "kind")
KINDS = ("change", "twin", "merge", "older")
_FIRST = re.compile(r"# sitemap-guard dates (\d+) at ([0-9a-f]{40}|[0-9a-f]{64})")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CURE = "make it anew with sitemap-guard dates --format csv"
# Larger files are no sources, and larger evidence is none.
_MOST_BYTES = 1 << 28


class Evidence(Struct, frozen=True):
    """`name` is the file's, `commit` the one it was made at; `blobs` and `histories` are by path."""

    name: str
    commit: str
    blobs: dict[str, str]
    histories: dict[str, PathHistory]


def write_evidence(commit: str, blobs: Mapping[str, str], histories: Mapping[str, PathHistory]) -> str:
    """The text of an evidence file. A path whose true change may lie beyond a shallow edge is left out."""
    out = io.StringIO()
    out.write(f"# sitemap-guard dates {VERSION} at {commit}\n")
    plain = csv.writer(out, lineterminator="\n")
    # A carriage return is quoted by no writer whose lines end with a line feed, and ends a line for every reader.
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(COLUMNS)
    for path in sorted(histories):
        rows = quoted if "\r" in path else plain
        for kind, change in rows_of(histories[path]):
            one = change.commit
            times = (one.authored.iso(), one.committed.iso(), one.landed.iso())
            rows.writerow([path, blobs.get(path, ""), *times, one.id, kind])
    return out.getvalue()


def rows_of(history: PathHistory) -> list[tuple[str, Change]]:
    """What is written down of one path: kind and change; nothing where the last change is not sure."""
    if history.last is None or history.last.edge:
        return []
    older = [("older", change) for change in history.chain if change.commit.id != history.last.commit.id]
    beside = [(change.kind, change) for change in history.others]
    return [("change", history.last), *beside, *((kind, change) for kind, change in older if not change.edge)]


def read_evidence(file: Path) -> Evidence:
    """Reads an evidence file.

    Raises:
        UserError: it cannot be read, or a line of it is not as `write_evidence` writes it.
    """
    try:
        text = read_file(file, _MOST_BYTES, named=True).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UserError(f"{file}: the evidence cannot be read: {error.strerror or error}") from None
    first, _, rest = text.partition("\n")
    known = _FIRST.fullmatch(first.strip())
    if known is None:
        raise UserError(f"{file}:1: this is no evidence file; {_CURE}")
    if int(known[1]) != VERSION:
        raise UserError(f"{file}:1: version {known[1]} of the format is not known here (it is {VERSION}); {_CURE}")
    blobs: dict[str, str] = {}
    changes: dict[str, list[tuple[str, Change]]] = {}
    rows = csv.reader(io.StringIO(rest, newline=""), strict=True)
    try:
        if next(rows, None) != list(COLUMNS):
            raise ValueError(f"the columns must be {','.join(COLUMNS)}")
        for row in rows:
            path, blob, kind, change = _row(row)
            if blobs.setdefault(path, blob) != blob:
                raise ValueError(f"{path} has two contents")
            changes.setdefault(path, []).append((kind, change))
        histories = {path: _history(path, of) for path, of in changes.items()}
    except (ValueError, csv.Error) as error:
        raise UserError(f"{file}:{rows.line_num + 1}: {error}; {_CURE}") from None
    return Evidence(str(file), known[2], blobs, histories)


def _row(row: list[str]) -> tuple[str, str, str, Change]:
    if len(row) != len(COLUMNS):
        raise ValueError(f"a row must have {len(COLUMNS)} columns")
    path, blob, authored, committed, landed, commit, kind = row
    if not path or os.path.isabs(path) or not {"", ".", ".."}.isdisjoint(path.split("/")) or "\0" in path:
        raise ValueError(f"{path!r} is no path of a repository")
    if not _ID.fullmatch(blob) or not _ID.fullmatch(commit):
        raise ValueError("blob and commit must be whole object ids")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}")
    made = Commit(commit, _instant(authored), _instant(committed), _instant(landed))
    return path, blob, kind, Change(path, made, kind if kind in ("twin", "merge") else "evidence")


def _instant(text: str) -> Instant:
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time like 2026-03-01T10:00:00+01:00")
    moment = datetime.fromisoformat(text)
    offset = moment.utcoffset()
    return Instant(int(moment.timestamp()), int(offset.total_seconds() // 60) if offset else 0)


def _history(path: str, of: list[tuple[str, Change]]) -> PathHistory:
    last = [change for kind, change in of if kind == "change"]
    if len(last) != 1:
        raise ValueError(f"{path} must have one row of kind change")
    others = tuple(change for kind, change in of if kind in ("twin", "merge"))
    return PathHistory(last[0], others, chain=(last[0], *(change for kind, change in of if kind == "older")))


class EvidencedHistory(HistoryReader):
    """A history with evidence for what it lacks: what lies beyond a shallow edge, or all of it.

    Without any repository the files in `base` stand for it, and those that the evidence names count as tracked.
    """

    def __init__(self, inner: HistoryReader, evidence: Evidence, base: Path, site_folder: Path) -> None:
        self._inner = inner
        self._evidence = evidence
        self._base = base
        self._alone = bool(inner.repository.problem)
        self._contents: dict[str, bytes | None] = {}
        facts = replace(inner.repository, evidence=evidence.name)
        if self._alone:
            present = frozenset(path for path in evidence.histories if os.path.lexists(base / path))
            prefix = prefix_of(str(base), site_folder)
            facts = Repository(root=str(base), prefix=prefix, tracked=present, evidence=evidence.name)
        super().__init__(facts)

    def walk(
        self,
        wanted: Mapping[str, tuple[tuple[int, int], ...]],
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, PathHistory]:
        """As `HistoryReader.walk`; what the history does not show is taken from the evidence."""
        if self._alone:
            return {path: self._told(path) for path in wanted}
        found = self._inner.walk(wanted, progress)
        if self._inner.repository.problem:
            self.repository = replace(self._inner.repository, evidence=self._evidence.name)
        for path, history in found.items():
            if path in self.repository.tracked and (history.last is None or history.last.edge or history.unknown):
                told = self._told(path)
                found[path] = told if told.last else replace(history, unknown=told.unknown)
        return found

    def _told(self, path: str) -> PathHistory:
        """What the evidence says; why it says nothing where the file at hand is another one."""
        known = self._evidence.histories.get(path)
        if known is None:
            return PathHistory(None, unknown=f"{self._evidence.name} says nothing about {path}")
        blob = self._evidence.blobs[path]
        if not self._is(path, blob):
            at = self._evidence.commit[:7]
            return PathHistory(None, unknown=f"{path} is not what it was when {self._evidence.name} was made at {at}")
        return known

    def _is(self, path: str, blob: str) -> bool:
        if not self._alone:
            return self._inner.ids.get(path) == blob
        content = self._content(path)
        if content is None:
            return False
        # A checkout may have given the file the line endings of Windows.
        return blob in {blob_id(content, len(blob)), blob_id(content.replace(b"\r\n", b"\n"), len(blob))}

    def _content(self, path: str) -> bytes | None:
        if path not in self._contents:
            file = self._base / path
            try:
                if file.is_symlink():
                    self._contents[path] = os.fsencode(os.readlink(file))
                else:
                    self._contents[path] = read_file(file, _MOST_BYTES)
            except OSError:
                self._contents[path] = None
        return self._contents[path]

    def blob(self, path: str) -> bytes | None:
        """As `HistoryReader.blob`."""
        if not self._alone:
            return self._inner.blob(path)
        return self._content(path) if path in self.repository.tracked else None

    @property
    def ids(self) -> Mapping[str, str]:
        """As `HistoryReader.ids`."""
        return self._evidence.blobs if self._alone else self._inner.ids

    def trails(
        self,
        paths: Iterable[str],
        compare: Compare,
        go_on: GoOn,
        ignored: frozenset[str] = frozenset(),
        question: Callable[[str], str] | None = None,
    ) -> dict[str, Trail]:
        """As `HistoryReader.trails`."""
        return {} if self._alone else self._inner.trails(paths, compare, go_on, ignored, question)

    def subjects(self, ids: Iterable[str]) -> dict[str, str]:
        """As `HistoryReader.subjects`."""
        return {} if self._alone else self._inner.subjects(ids)

    def content(self, name: str) -> bytes | None:
        """As `HistoryReader.content`."""
        return None if self._alone else self._inner.content(name)

    def staged_ids(self, paths: Iterable[str]) -> dict[str, str]:
        """As `HistoryReader.staged_ids`."""
        return {} if self._alone else self._inner.staged_ids(paths)

    def commits_at(self, spans: Iterable[tuple[int, int]]) -> list[tuple[Change, frozenset[str]]]:
        """As `HistoryReader.commits_at`; evidence does not tell of all that a commit changed, so it names none."""
        return [] if self._alone else self._inner.commits_at(spans)

    def since(self, rev: str, *, forked: bool = False) -> Since:
        """As `HistoryReader.since`."""
        return self._inner.since(rev, forked=forked)

    def modified(self, path: str) -> int | None:
        """As `HistoryReader.modified`."""
        if not self._alone:
            return self._inner.modified(path)
        try:
            return int((self._base / path).lstat().st_mtime)
        except (OSError, ValueError):
            return None

    def remotes(self) -> frozenset[str]:
        """As `HistoryReader.remotes`."""
        return frozenset() if self._alone else self._inner.remotes()

    def why_untracked(self, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
        """As `HistoryReader.why_untracked`."""
        if not self._alone:
            return self._inner.why_untracked(paths)
        return {path: ("untracked", f"{self._evidence.name} says nothing about {path}") for path in paths}

    def untracked(self) -> frozenset[str]:
        """As `HistoryReader.untracked`."""
        return frozenset() if self._alone else self._inner.untracked()

    def close(self) -> None:
        """Ends what the history behind this has running."""
        self._inner.close()


def blob_id(content: bytes, length: int = 40) -> str:
    """git's name for a content: SHA-1, or SHA-256 where ids are 64 digits long."""
    hashed = hashlib.sha256() if length == 64 else hashlib.sha1(usedforsecurity=False)
    hashed.update(b"blob %d\0" % len(content))
    hashed.update(content)
    return hashed.hexdigest()
