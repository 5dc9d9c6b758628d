"""Several repositories as one: a site whose sources lie in submodules, or in checkouts side by side.

Each keeps its own history, its own shallow edge and its own troubles. Outside, a file of a further root goes by the
root's prefix and its own path; the files of the main repository go by their own paths.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec.structs import replace

from sitemap_guard.history.locate import prefix_of
from sitemap_guard.history.reader import HistoryReader, open_history
from sitemap_guard.model import Change, PathHistory, Repository, Root, SettingError, UserError

if TYPE_CHECKING:
    from sitemap_guard.history.chain import Compare, GoOn, Trail
    from sitemap_guard.history.since import Since


_T = TypeVar("_T")


class Further(NamedTuple):
    """A `[[root]]`, in the order of the settings: its folder, and the prefix that its files go by ("": the folder)."""

    folder: Path
    prefix: str


def open_roots(
    main: HistoryReader,
    further: Sequence[Further],
    start: Path,
    site_folder: Path,
    cache: str | None,
    now: int | None,
) -> HistoryReader:
    """The main repository joined with the further ones, all read at HEAD but the main one.

    `start` is the folder that prefixes are relative to when there is no main repository. Raises UserError when a
    root's folder is missing, or is no repository of its own.
    """
    base = main.repository.root if main.repository.problem != "none" else str(start)
    members = [("", main)] if main.repository.problem != "none" else []
    with contextlib.ExitStack() as stack:
        for number, one in enumerate(further):
            key = ("root", number)
            if not os.path.isdir(one.folder):
                raise SettingError((*key, "path"), f"there is no folder {one.folder}; check it out, or correct it")
            prefix = one.prefix.strip("/") or prefix_of(base, one.folder) or one.folder.name
            if prefix in dict(members):
                raise SettingError(key, f"two roots go by {prefix!r}; give one of them another prefix")
            reader = stack.enter_context(open_history(one.folder, None, cache=cache, now=now))
            if reader.repository.root and os.path.realpath(reader.repository.root) == os.path.realpath(base):
                raise SettingError(
                    (*key, "path"),
                    f"{one.folder} is a folder of the main repository, not one of its own; remove the entry, or run "
                    "git submodule update --init",
                )
            members.append((prefix, reader))
        stack.pop_all()
    return JoinedHistory(members, base, site_folder)


class JoinedHistory(HistoryReader):
    """Answers as one repository does, each question by the root that has the path."""

    def __init__(self, members: Sequence[tuple[str, HistoryReader]], base: str, site_folder: Path) -> None:
        self._members = dict(members)
        # The longest prefix first: a submodule may lie in another one.
        self._prefixes = sorted(self._members, key=len, reverse=True)
        super().__init__(_joined(members, base, site_folder))
        self._ids = {_name(prefix, path): name for prefix, reader in members for path, name in reader.ids.items()}

    def _split(self, paths: Iterable[str]) -> dict[str, dict[str, str]]:
        """By prefix: each root's own paths, with the names they go by."""
        found: dict[str, dict[str, str]] = {}
        for path in paths:
            prefix = next((one for one in self._prefixes if not one or path.startswith(f"{one}/")), None)
            if prefix is not None:
                found.setdefault(prefix, {})[path[len(prefix) + 1 :] if prefix else path] = path
        return found

    def walk(
        self,
        wanted: Mapping[str, tuple[tuple[int, int], ...]],
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, PathHistory]:
        """As `HistoryReader.walk`, each root by itself."""
        found = dict.fromkeys(wanted, PathHistory(None))
        for prefix, names in self._split(wanted).items():
            reader = self._members[prefix]
            if reader.repository.problem:
                lost = PathHistory(None, unknown=reader.repository.detail)
                found.update(dict.fromkeys(names.values(), lost))
                continue
            own = reader.walk({path: wanted[name] for path, name in names.items()}, progress)
            found.update((names[path], _renamed(history, prefix)) for path, history in own.items())
            if reader.repository.problem:
                self.repository = _again(self.repository, self._members)
        return found

    def trails(
        self,
        paths: Iterable[str],
        compare: Compare,
        go_on: GoOn,
        ignored: frozenset[str] = frozenset(),
        question: Callable[[str], str] | None = None,
    ) -> dict[str, Trail]:
        """As `HistoryReader.trails`, each root by itself."""
        found: dict[str, Trail] = {}
        for prefix, names in self._split(paths).items():
            if self._members[prefix].repository.problem:
                continue
            member = self._members[prefix]
            asked, named = _outside(go_on, prefix), _named(question, prefix)
            for path, trail in member.trails(names, compare, asked, ignored, named).items():
                changes = tuple(_moved(change, prefix) for change in trail.changes)
                found[names[path]] = replace(trail, changes=changes)
        return found

    def subjects(self, ids: Iterable[str]) -> dict[str, str]:
        """As `HistoryReader.subjects`: a commit is looked for in each root."""
        left, found = set(ids), dict[str, str]()
        for reader in self._members.values():
            if left and not reader.repository.problem:
                found.update(reader.subjects(left))
                left -= found.keys()
        return found

    def blob(self, path: str) -> bytes | None:
        """As `HistoryReader.blob`."""
        return self._ask(path, lambda reader, own: reader.blob(own))

    def content(self, name: str) -> bytes | None:
        """As `HistoryReader.content`."""
        readable = [reader for reader in self._members.values() if not reader.repository.problem]
        return next((found for reader in readable if (found := reader.content(name)) is not None), None)

    def since(self, rev: str, *, forked: bool = False) -> Since:
        """As `HistoryReader.since`, of the main repository."""
        if "" not in self._members:
            raise UserError(f"{rev!r} can be looked up in a main repository only; the site has none, but [[root]]s")
        return self._members[""].since(rev, forked=forked)

    def commits_at(self, spans: Iterable[tuple[int, int]]) -> list[tuple[Change, frozenset[str]]]:
        """As `HistoryReader.commits_at`, of all roots."""
        asked = list(spans)
        return [
            (change, frozenset(_name(prefix, path) for path in names))
            for prefix, reader in self._members.items()
            if not reader.repository.problem
            for change, names in reader.commits_at(asked)
        ]

    def staged_ids(self, paths: Iterable[str]) -> dict[str, str]:
        """As `HistoryReader.staged_ids`, each root by itself."""
        found: dict[str, str] = {}
        for prefix, names in self._split(paths).items():
            if not self._members[prefix].repository.problem:
                own = self._members[prefix].staged_ids(names)
                found.update((names[path], name) for path, name in own.items())
        return found

    def modified(self, path: str) -> int | None:
        """As `HistoryReader.modified`."""
        return self._ask(path, lambda reader, own: reader.modified(own))

    def _ask(self, path: str, question: Callable[[HistoryReader, str], _T | None]) -> _T | None:
        for prefix, names in self._split([path]).items():
            if not self._members[prefix].repository.problem:
                return question(self._members[prefix], next(iter(names)))
        return None

    @property
    def ids(self) -> Mapping[str, str]:
        """As `HistoryReader.ids`."""
        return self._ids

    def why_untracked(self, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
        """As `HistoryReader.why_untracked`; a root that cannot be read is a reason too (`no-history`)."""
        found: dict[str, tuple[str, str]] = {}
        for prefix, names in self._split(paths).items():
            facts = self._members[prefix].repository
            if facts.problem:
                found.update((name, ("no-history", facts.detail)) for name in names.values())
                continue
            for path, (code, told) in self._members[prefix].why_untracked(names).items():
                found[names[path]] = code, f"{told} (in {prefix}/)" if prefix else told
        return found

    def untracked(self) -> frozenset[str]:
        """As `HistoryReader.untracked`, of all of them."""
        every = [_name(prefix, path) for prefix, reader in self._members.items() for path in reader.untracked()]
        return frozenset(every) - self.repository.tracked

    def close(self) -> None:
        """Ends the processes of all of them."""
        for reader in self._members.values():
            reader.close()


def _name(prefix: str, path: str) -> str:
    return f"{prefix}/{path}" if prefix else path


def _outside(go_on: GoOn, prefix: str) -> GoOn:
    return lambda path, versions, why: go_on(_name(prefix, path), versions, why)


def _named(question: Callable[[str], str] | None, prefix: str) -> Callable[[str], str] | None:
    return None if question is None else lambda path: question(_name(prefix, path))


def _moved(change: Change, prefix: str) -> Change:
    return replace(change, path=_name(prefix, change.path)) if prefix else change


def _renamed(history: PathHistory, prefix: str) -> PathHistory:
    if not prefix or history.last is None:
        return history
    others = tuple(_moved(change, prefix) for change in history.others)
    return replace(history, last=_moved(history.last, prefix), others=others)


def _joined(members: Sequence[tuple[str, HistoryReader]], base: str, site_folder: Path) -> Repository:
    """The facts of all. A root's own trouble is its own, unless all are in trouble."""
    facts = [(prefix, reader.repository) for prefix, reader in members]
    good = [(prefix, one) for prefix, one in facts if not one.problem]
    heads = [one.head for _, one in good if one.head is not None]
    main = dict(facts).get("")
    every = Repository(
        root=base,
        prefix=main.prefix if main is not None and not main.problem else prefix_of(base, site_folder),
        head=max(heads, key=lambda head: head.committed.seconds, default=None),
        shallow=any(one.shallow for _, one in good),
        partial=any(one.partial for _, one in good),
        tracked=frozenset(_name(prefix, path) for prefix, one in good for path in one.tracked),
        staged=frozenset(_name(prefix, path) for prefix, one in good for path in one.staged),
        edited=frozenset(_name(prefix, path) for prefix, one in good for path in one.edited),
        trial=main is not None and main.trial,
        links=frozenset(_name(prefix, path) for prefix, one in good for path in one.links),
    )
    return _again(every, dict(members))


def _again(every: Repository, members: Mapping[str, HistoryReader]) -> Repository:
    """With what is known now about each root."""
    roots = tuple(_root(prefix, reader) for prefix, reader in members.items())
    if roots and all(root.problem for root in roots):
        return replace(every, roots=roots, problem=roots[0].problem, detail=roots[0].detail)
    return replace(every, roots=roots)


def _root(prefix: str, reader: HistoryReader) -> Root:
    one = reader.repository
    return Root(
        prefix,
        one.root,
        f"{prefix}/" if prefix else "the main repository",
        one.problem,
        one.detail,
        one.shallow,
        reader.remotes(),
    )
