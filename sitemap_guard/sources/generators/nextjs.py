"""Next.js, exported as static files: `pages/` and `app/` by path, dynamic routes by the content that they read.

The rules are Next.js' documentation (static exports; app router: route groups, private folders, parallel and
intercepting routes; pages router).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, normal
from sitemap_guard.sources.generators.permalinks import dated, day_of, near, stem_of
from sitemap_guard.sources.generators.react_content import (
    CONTENT,
    calls_out,
    contentlayer,
    data_files,
    elsewhere,
    folders,
    modules,
    names_of,
)
from sitemap_guard.sources.generators.routes import Route, best_first, is_dynamic, route_of
from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_table, as_text, is_true
from sitemap_guard.sources.scripts import block, strings, without_comments
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = tuple(f"next.config.{suffix}" for suffix in ("js", "mjs", "ts", "cjs", "mts"))
_SUFFIXES = (".tsx", ".ts", ".jsx", ".js", ".mdx", ".md")
_NO_PAGE = {"_app", "_document", "_error", "_middleware", "middleware"}


class Reads(Struct, frozen=True):
    """What a dynamic route reads: content folders, data files, or something that is not understood."""

    folders: tuple[str, ...]
    data: tuple[str, ...]
    elsewhere: bool


class NextJs(Layout):
    """One Next.js site."""

    generator = "next.js"
    moves = True

    def __init__(self, tree: Tree, place: str, config: str, paths: Iterable[str], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._paths = sorted(paths)
        source = (
            join(place, "src")
            if tree.has_folder(join(place, "src/app")) or tree.has_folder(join(place, "src/pages"))
            else place
        )
        self._aliases = {"@/": source if tree.has_folder(join(source, "lib")) else place, "~/": source}
        given = list(strings(block(config, "pageExtensions") or ""))
        suffixes = tuple(f".{text}" for text in given if re.fullmatch(r"[\w.]+", text)) or _SUFFIXES
        self._static: dict[str, str] = {}
        self._routes: list[Route] = []
        for file, parts in [*_app(tree, join(source, "app"), suffixes), *_pages(tree, join(source, "pages"), suffixes)]:
            if is_dynamic(parts):
                self._routes.append(route_of(file, parts, rest_may_be_empty=False))
            else:
                self._static[file] = "/" + "/".join(parts)

    @cached_property
    def _reads(self) -> dict[str, Reads]:
        found = {}
        for route in self._routes:
            parts = modules(self.tree, route.file, self._aliases)
            texts = [text for _, text in parts]
            data = [path for file, text in parts for path in data_files(self.tree, file, text, self._aliases)]
            named = [*folders(self.tree, self.place, texts), *contentlayer(self.tree, self.place, texts)]
            places = tuple(dict.fromkeys(named))
            found[route.file] = Reads(places, tuple(dict.fromkeys(data)), self._unknown(parts))
        return found

    def _unknown(self, parts: Sequence[tuple[str, str]]) -> bool:
        """Whether a route, given with the modules that it imports, may show content that no rule here sees."""
        return elsewhere([text for _, text in parts]) or any(
            calls_out(self.tree, file, text, self._aliases) for file, text in parts
        )

    @cached_property
    def _shown(self) -> dict[str, list[tuple[Route, str]]]:
        """For each content file the routes that show it, with the folder that they read it from."""
        found: dict[str, list[tuple[Route, str]]] = {}
        for route in self._routes:
            for folder in self._reads[route.file].folders if not route.lists else ():
                for file in with_suffix(self.tree.under(folder), CONTENT):
                    found.setdefault(file, []).append((route, folder))
        return found

    def files(self) -> Iterable[str]:
        return dict.fromkeys([*self._static, *(route.file for route in self._routes), *self._shown])

    def by_name(self, file: str) -> Sequence[Publication]:
        if file in self._static:
            return (Publication(self._static[file], file),)
        if file in self._shown:
            return self._named[file]
        return self._dynamic.get(file, ())

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if file not in self._shown:
            return self.by_name(file)
        if is_true(matter.get("draft")):
            return ()
        return self._entry(file, [own for key in ("slug", "permalink") if (own := as_text(matter.get(key)).strip("/"))])

    def _entry(self, file: str, own: Sequence[str]) -> list[Publication]:
        found: dict[str, Publication] = {}
        for route, folder in self._shown[file]:
            for name in own or names_of(file, folder):
                values = _values(route, name)
                if values is not None:
                    path = route.filled(values)
                    found[path] = Publication(path, file)
        return list(found.values())

    @cached_property
    def _named(self) -> dict[str, list[Publication]]:
        """The publications of content files by their names."""
        return {file: self._entry(file, []) for file in self._shown}

    @cached_property
    def _dynamic(self) -> dict[str, list[Publication]]:
        """The publications of routes that are sources themselves: lists, and pages that come of no content file."""
        taken = {normal(path) for path in self._static.values()}
        taken.update(normal(publication.path) for some in self._named.values() for publication in some)
        found: dict[str, list[Publication]] = {}
        routes = best_first(self._routes)
        for path in self._paths:
            route = next((route for route in routes if route.values(path) is not None), None)
            if route is None or normal(path) in taken or not route.literal:
                continue
            reads = self._reads[route.file]
            if route.lists:
                found.setdefault(route.file, []).append(Publication(path, route.file, "list"))
            elif not reads.folders and not reads.elsewhere:
                found.setdefault(route.file, []).append(Publication(path, route.file, also=reads.data))
        return found

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if file not in self._shown or is_true(matter.get("draft")):
            return None
        stem = stem_of(file)
        if stem in ("index", "page"):
            stem = folder_of(file).rpartition("/")[2]
        day = next(
            (day for key in ("date", "publishedAt", "pubDate") if (day := day_of(matter.get(key)))), dated(stem)[0]
        )
        names = {stem, dated(stem)[1], as_text(matter.get("slug")).strip("/").rpartition("/")[2]}
        return Clues(folder_of(file), frozenset(names - {""}), frozenset(near(day) if day else ()))

    def includes(self, file: str, text: str) -> Iterable[str]:
        return mdx_includes(self.tree, file, text, self._aliases) if file.endswith(CONTENT) else ()


def _values(route: Route, name: str) -> list[str] | None:
    """A content file's name as the values of a route's parameters; None if it does not fit."""
    parts = name.split("/") if name else []
    rest = any("[..." in part for part in route.parts)
    count = len(route.names)
    if rest:
        return [*parts[: count - 1], "/".join(parts[count - 1 :])] if len(parts) >= count - 1 else None
    return parts if len(parts) == count else None


def _app(tree: Tree, root: str, suffixes: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """The pages of the app router, with the segments of their addresses."""
    found = []
    for file in with_suffix(tree.under(root), suffixes):
        *folders_, name = below(file, root).split("/")
        if not any(name == f"page{suffix}" for suffix in suffixes):
            continue
        # Private folders and intercepting routes have no address of their own, groups and slots no segment.
        if any(part[:1] == "_" or re.match(r"\(\.+\)", part) for part in folders_):
            continue
        found.append((file, [part for part in folders_ if not re.fullmatch(r"\(.*\)|@.*", part)]))
    return found


def _pages(tree: Tree, root: str, suffixes: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """The pages of the pages router, with the segments of their addresses."""
    found = []
    for file in with_suffix(tree.under(root), suffixes):
        suffix = max((suffix for suffix in suffixes if file.endswith(suffix)), key=len)
        parts = below(file, root)[: -len(suffix)].split("/")
        if parts[0] == "api" or parts[-1] in _NO_PAGE or re.search(r"\.(?:test|spec|d|stories)$", parts[-1]):
            continue
        found.append((file, parts[:-1] if parts[-1] == "index" else parts))
    return found


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Next.js sites: by configuration, else by the package."""
    found: dict[str, Layout] = {}
    for path in tree.named(*_NAMES):
        place = folder_of(path)
        if place not in found:
            found[place] = NextJs(tree, place, without_comments(tree.text(path) or ""), hints.paths, sure=True)
    if not found and "package.json" in tree.tracked:
        table = read_table(tree, "package.json")
        if "next" in as_table(table.get("dependencies")):
            found[""] = NextJs(tree, "", "", hints.paths, sure=True)
    return list(found.values())
