"""The tracked files of a repository, as the ways from a URL to its source read them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from sitemap_guard.model import Root
from sitemap_guard.sources.globs import Files
from sitemap_guard.sources.matter import table_of

_HEAD = 65536


class Tree:
    """The tracked files. `read` gives the content of one (None: none), `ids` the name of each one's content,
    `roots` the repositories when there are several.

    Paths are from the repository's root, with `/`. A folder is "" for the root, and never ends in a slash.
    Contents and front matter are read when they are asked for, once.
    """

    def __init__(
        self,
        tracked: frozenset[str],
        read: Callable[[str], bytes | None] | None = None,
        ids: Mapping[str, str] | None = None,
        roots: Sequence[Root] = (),
    ) -> None:
        self.roots = roots
        self.tracked = tracked
        self.ids = ids or {}
        self._read = read or (lambda _path: None)
        self._sorted: list[str] | None = None
        self._by_name: dict[str, list[str]] | None = None
        self._texts: dict[str, str | None] = {}
        self._matters: dict[str, dict[str, Any]] = {}

    def under(self, folder: str) -> Sequence[str]:
        """The files in a folder and below it, sorted."""
        if self._sorted is None:
            self._sorted = sorted(self.tracked)
        if not folder:
            return self._sorted
        start = bisect_left(self._sorted, f"{folder}/")
        return self._sorted[start : bisect_left(self._sorted, f"{folder}0", start)]

    def has_folder(self, folder: str) -> bool:
        """Whether a tracked file lies in the folder or below it."""
        return bool(self.under(folder))

    def has_any(self, stem: str, suffixes: Iterable[str]) -> bool:
        """Whether a file of this path with one of the suffixes is tracked."""
        return any(stem + suffix in self.tracked for suffix in suffixes)

    def matching(self, folder: str, patterns: Iterable[str]) -> frozenset[str]:
        """The files below a folder that fit one of the patterns (see `globs`), which start there, as the answers do."""
        wanted = [pattern for pattern in patterns if pattern]
        files = Files(frozenset(below(path, folder) for path in self.under(folder))) if wanted else None
        return frozenset(path for pattern in wanted for path in files.matching(pattern)) if files else frozenset()

    def folders_in(self, folder: str) -> list[str]:
        """The names of the folders directly in a folder."""
        start = len(folder) + 1 if folder else 0
        return sorted({path[start:].split("/", 1)[0] for path in self.under(folder) if "/" in path[start:]})

    def named(self, *names: str) -> list[str]:
        """The tracked files with one of these base names, those nearest to the root first."""
        if self._by_name is None:
            self._by_name = defaultdict(list)
            for path in self.tracked:
                self._by_name[path.rpartition("/")[2]].append(path)
        found = (path for name in names for path in self._by_name.get(name, ()))
        return sorted(found, key=lambda path: (path.count("/"), path))

    def text(self, path: str) -> str | None:
        """A tracked file's text; None if there is no such file or it cannot be read. For configurations."""
        if path not in self._texts:
            content = self._read(path) if path in self.tracked else None
            self._texts[path] = None if content is None else content.decode("utf-8-sig", "replace")
        return self._texts[path]

    def matter(self, path: str) -> dict[str, Any]:
        """The front matter of a tracked file; {} for none. Every scalar in YAML is the text that was written."""
        if path not in self._matters:
            content = self._read(path) if path in self.tracked else None
            head = (content or b"")[:_HEAD].decode("utf-8-sig", "replace")
            self._matters[path] = table_of(head)
        return self._matters[path]


def folder_of(path: str) -> str:
    """The folder that a file is in ("" for the root)."""
    return path.rpartition("/")[0]


def is_index(path: str) -> bool:
    """Whether a file's name stands for its folder: `index.md`, `_index.html`, `README.md`."""
    return path.rpartition("/")[2].lower().startswith(("index.", "_index.", "readme."))


def shared_end(one: Sequence[str], other: Sequence[str]) -> int:
    """How many last parts of two paths are the same."""
    same = (mine == its for mine, its in zip(reversed(one), reversed(other), strict=False))
    return sum(1 for _ in takewhile(bool, same))


def join(*parts: str) -> str:
    """A path of its parts, without empty ones, `.` and doubled slashes; `..` goes up (never above the root)."""
    kept: list[str] = []
    for part in "/".join(parts).split("/"):
        if part == "..":
            kept[-1:] = []
        elif part not in ("", "."):
            kept.append(part)
    return "/".join(kept)


def below(path: str, folder: str) -> str:
    """The path from a folder that it lies in."""
    return path[len(folder) + 1 :] if folder else path


def with_suffix(paths: Iterable[str], suffixes: tuple[str, ...]) -> list[str]:
    """The paths that end in one of the suffixes, whatever their case."""
    return [path for path in paths if path.lower().endswith(suffixes)]
