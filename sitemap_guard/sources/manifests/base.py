"""What a manifest is: addresses and the files that they are made from, as the generator itself tells them.

A manifest is read like any other input: rows that do not fit (drafts, files that are not tracked, pages that a
program made) are passed over. Its paths may be relative to any folder: `Where.placed` finds the one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.sources.generators.base import Publication, normal
from sitemap_guard.sources.subject import Outcome
from sitemap_guard.sources.tree import Tree, folder_of, join

_SAMPLE = 20  # paths
_MOST_SAME = 1000  # files of one name
SIZE_LIMIT = 256 * 1024 * 1024  # bytes: a JSON of all pages with their HTML can be large


class Row(Struct, frozen=True):
    """One page: its address (a URL, or a path below the site's host) and its file as the manifest names it."""

    url: str
    path: str
    also: tuple[str, ...] = ()


class Where(Struct, frozen=True):
    """The place of a site: `folder` is the built one, `root` the repository's work tree (None: there is none),
    `prefix` the built folder from there, `base_url` the site's address, `paths` the addresses that are looked for.
    """

    folder: Path
    root: Path | None
    prefix: str | None
    base_url: str
    paths: frozenset[str]
    tree: Tree

    def below_base(self, url: str) -> str | None:
        """The address below the site's, decoded, with a first slash; None for another site's or none at all."""
        base = urls.parse(self.base_url) if self.base_url else None
        if base is None:
            return url if url.startswith("/") else None
        address = urls.parse(url, base.origin + "/")
        # A development build names another host; its paths are the same.
        if address is None:
            return None
        inside = urls.within(urls.Address("", base.origin, address.path), base)
        return None if inside is None else f"/{inside}"

    def placed(self, rows: Sequence[Row], folders: Iterable[str] = ()) -> list[Publication]:
        """The rows as publications, with their paths taken from the folder in which most of them are tracked.

        `folders` are looked at first, then those from the built one up to the root, then any in which files of these
        names lie. Nothing, if half of the paths are not tracked there, or if two unlikely folders do as well.
        """
        likely = list(dict.fromkeys([*folders, *self.above(), ""]))
        counts = {folder: sum(bool(self._from(folder, row.path)) for row in rows) for folder in likely}
        if not rows or max(counts.values()) < len(rows):
            others = self._holding([row.path for row in rows]) - counts.keys()
            counts |= {folder: sum(bool(self._from(folder, row.path)) for row in rows) for folder in sorted(others)}
        most = max(counts.values(), default=0)
        best = [folder for folder, count in counts.items() if count == most]
        if most * 2 < len(rows) or most == 0 or (len(best) > 1 and best[0] not in likely):
            return []
        return [publication for row in rows if (publication := self._publication(row, best[0])) is not None]

    def _publication(self, row: Row, folder: str) -> Publication | None:
        path = self._from(folder, row.path)
        address = self.below_base(row.url) if path else None
        if address is None:
            return None
        also = tuple(one for other in row.also if (one := self._from(folder, other)) and one != path)
        return Publication(address, path, also=also)

    def _holding(self, paths: Sequence[str]) -> set[str]:
        """The folders from which one of a few paths, the deepest, is tracked."""
        found = set()
        for path in sorted({join(path) for path in paths}, key=lambda path: (-path.count("/"), path))[:_SAMPLE]:
            same = self.tree.named(path.rpartition("/")[2])
            found |= {file[: -len(path) - 1] for file in same[:_MOST_SAME] if file.endswith(f"/{path}")}
        return found

    def above(self) -> list[str]:
        """The folders that the built one lies in, the nearest first, without the root."""
        found = []
        folder = folder_of(self.prefix or "")
        while folder:
            found.append(folder)
            folder = folder_of(folder)
        return found

    def _from(self, folder: str, path: str) -> str:
        if self.root is not None and path.startswith("/"):
            inside = path.removeprefix(f"{self.root}/")
            if inside != path:
                return inside if inside in self.tree.tracked else ""
        # `join` takes a climb above the root for nothing: it must not lead to another file.
        if path.split("/").count("..") > (folder.count("/") + 1 if folder else 0):
            return ""
        found = join(folder, path.lstrip("/"))
        return found if found in self.tree.tracked else ""


class Manifest(Struct, frozen=True):
    """The publications of one manifest by their normal form; `name` is what people call it."""

    name: str
    table: Mapping[str, tuple[Publication, ...]]

    def answer(self, path: str) -> Outcome:
        """The file that the manifest gives for an address below the site's."""
        found = self.table.get(normal(path), ())
        exact = [publication for publication in found if publication.path == path] or found
        sources = {publication.source: publication for publication in exact}
        if len(sources) == 1:
            only = next(iter(sources.values()))
            return Outcome(only.source, only.also, by=self.name)
        if sources:
            names = ", ".join(sorted(sources)[:3])
            return Outcome(reason="ambiguous", note=f"{self.name} names several files: {names}", by=self.name)
        return Outcome(note=f"{self.name} does not name it")


def manifest_of(name: str, publications: Iterable[Publication]) -> Manifest:
    """A manifest of publications."""
    table: dict[str, list[Publication]] = defaultdict(list)
    for publication in publications:
        table[normal(publication.path)].append(publication)
    return Manifest(name, {at: tuple(found) for at, found in table.items()})


def read_text(file: Path) -> str | None:
    """A file's text; None when it is not there, no regular file, or too large to be a manifest."""
    try:
        if not file.is_file() or file.stat().st_size > SIZE_LIMIT:
            return None
        return file.read_text("utf-8-sig", "replace")
    except OSError:
        return None
