"""Next.js, exported as static files: `pages/` and `app/` by path, dynamic routes by the content that they read.

The rules are Next.js' documentation (static exports; app router: route groups, private folders, parallel and
intercepting routes; pages router).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, KeysView, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication
from sitemap_guard.sources.generators.route_content import (
    CONTENT,
    calls_out,
    clues_of,
    contentlayer,
    data_files,
    elsewhere,
    folders,
    modules,
    names_of,
)
from sitemap_guard.sources.generators.routed import Routed, segments
from sitemap_guard.sources.generators.routes import Route
from sitemap_guard.sources.generators.settings import read_table, scripts_by_place
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_table, as_text, is_true
from sitemap_guard.sources.scripts import block, strings
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = tuple(f"next.config.{suffix}" for suffix in ("js", "mjs", "ts", "cjs", "mts"))
_SUFFIXES = (".tsx", ".ts", ".jsx", ".js", ".mdx", ".md")
_DAYS = ("date", "publishedAt", "pubDate")
_NO_PAGE = {"_app", "_document", "_error", "_middleware", "middleware"}


class Reads(Struct, frozen=True):
    """What a dynamic route reads: content folders, data files, or something that is not understood."""

    folders: tuple[str, ...]
    data: tuple[str, ...]
    elsewhere: bool


class NextJs(Routed):
    """One Next.js site."""

    generator = "next.js"
    slashed = False

    def __init__(self, tree: Tree, place: str, config: str, paths: Iterable[str], *, sure: bool) -> None:
        inner = join(place, "src")
        source = inner if any(tree.has_folder(join(inner, name)) for name in ("app", "pages")) else place
        given = list(strings(block(config, "pageExtensions") or ""))
        suffixes = tuple(f".{text}" for text in given if re.fullmatch(r"[\w.]+", text)) or _SUFFIXES
        pages = [*_app(tree, join(source, "app"), suffixes), *_pages(tree, join(source, "pages"), suffixes)]
        super().__init__(tree, place, pages, paths, sure=sure)
        self._aliases = {"@/": source if tree.has_folder(join(source, "lib")) else place, "~/": source}

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

    @property
    def content(self) -> KeysView[str]:
        return self._shown.keys()

    def entry(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if is_true(matter.get("draft")):
            return ()
        own = [own for key in ("slug", "permalink") if (own := as_text(matter.get(key)).strip("/"))]
        found: dict[str, Publication] = {}
        for route, folder in self._shown[file]:
            for name in own or names_of(file, folder):
                values = _values(route, name)
                if values is not None:
                    path = route.filled(values)
                    found[path] = Publication(path, file)
        return list(found.values())

    def made_by(self, route: Route, path: str, values: Sequence[str]) -> Publication | None:
        del values
        reads = self._reads[route.file]
        if not route.literal:
            return None
        if route.lists:
            return Publication(path, route.file, "list")
        if reads.folders or reads.elsewhere:
            return None
        return Publication(path, route.file, also=reads.data)

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if file not in self._shown or is_true(matter.get("draft")):
            return None
        return clues_of(file, matter, folder_of(file), _DAYS, indexes=("index", "page"))

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
        path = below(file, root)[: -len(suffix)]
        first, last = path.partition("/")[0], path.rpartition("/")[2]
        if first == "api" or last in _NO_PAGE or re.search(r"\.(?:test|spec|d|stories)$", last):
            continue
        found.append((file, segments(path)))
    return found


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Next.js sites: by configuration, else by the package."""
    configs = scripts_by_place(tree, *_NAMES)
    if not configs and "next" in as_table(read_table(tree, "package.json").get("dependencies")):
        configs = {"": ""}
    return [NextJs(tree, place, config, hints.paths, sure=True) for place, config in configs.items()]
