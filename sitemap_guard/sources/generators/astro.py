"""Astro and Starlight: `src/pages` by path, content collections through their routes, Starlight's docs and languages.

The rules are Astro's documentation (routing, content collections) and Starlight's (pages, internationalization).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, KeysView, Sequence
from functools import cached_property
from typing import Any

from sitemap_guard.sources.generators.astro_content import ID, UNKNOWN, collections, parameters
from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication
from sitemap_guard.sources.generators.permalinks import dated, first_day, stem_of
from sitemap_guard.sources.generators.route_content import calls_out, elsewhere, modules
from sitemap_guard.sources.generators.routed import Routed, segments
from sitemap_guard.sources.generators.routes import Route
from sitemap_guard.sources.generators.settings import scripts_by_place
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_text, is_true
from sitemap_guard.sources.scripts import balanced, setting
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = tuple(f"astro.config.{suffix}" for suffix in ("mjs", "js", "ts", "mts", "cjs"))
_PAGES = (".astro", ".md", ".mdx", ".markdown", ".html", ".mdoc")
_DATA = re.compile(r"getCollection|getEntr|import\.meta\.glob|Astro\.glob|\bfetch\(|astro:content")
_DAYS = ("pubDate", "pubDatetime", "publishDate", "publishedAt", "date")
_KEY = re.compile(r"[{,]\s*(?:([\w-]+)|[\"']([\w-]+)[\"'])\s*:\s*(?=[{\"'])")


class Astro(Routed):
    """One Astro site."""

    generator = "astro"
    rest_may_be_empty = True

    def __init__(self, tree: Tree, place: str, config: str, paths: Iterable[str], *, sure: bool) -> None:
        source = join(place, setting(config, "srcDir") or "src")
        super().__init__(tree, place, _pages(tree, join(source, "pages")), paths, sure=sure)
        self._aliases = {"@/": source, "~/": source}
        self._starlight = "starlight" in config
        self._default, self._locales = _locales(config) if self._starlight else ("", ())
        self._collections = collections(tree, place, source, starlight=self._starlight)
        self._of = {file: one for one in self._collections.values() for file in one.files}

    @cached_property
    def _modules(self) -> dict[str, list[tuple[str, str]]]:
        """Each route's own text, and those of the local modules that it imports."""
        return {route.file: modules(self.tree, route.file, self._aliases) for route in self._routes}

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {file: parts[0][1] for file, parts in self._modules.items()}

    @cached_property
    def _reading(self) -> frozenset[str]:
        """The routes that read content: of a collection, or in a way that is not understood."""
        return frozenset(
            file
            for file, parts in self._modules.items()
            if any(_DATA.search(text) or calls_out(self.tree, path, text, self._aliases) for path, text in parts)
            or elsewhere([text for _, text in parts])
        )

    @property
    def content(self) -> KeysView[str]:
        return self._of.keys()

    def entry(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        """The addresses of an entry of a collection: Starlight's own, and those of the routes that show it."""
        one = self._of[file]
        own = as_text(matter.get("slug")) or one.ids[file]
        if self._starlight and one.name == "docs":
            if is_true(matter.get("draft")):
                return ()
            return [Publication(_address(path), file) for path in self._docs(file, own)]
        found = []
        for route, given in self._shown.get(one.name, ()):
            if len(given) != 1 or given[0] == UNKNOWN:
                continue
            value = own if given[0] == ID else as_text(matter.get(given[0]))
            rest = route.parts and any("[..." in part for part in route.parts)
            if value and (rest or "/" not in value):
                found.append(Publication(_address(route.filled([value])), file))
        return found

    def _docs(self, file: str, own: str) -> list[str]:
        """Starlight's addresses: the file's own, and those of languages into which it is not translated."""
        one = self._of[file]
        first = one.ids[file].partition("/")[0]
        if first in self._locales or (self._default and first == self._default):
            found, rest = [own], one.ids[file].partition("/")[2]
            if first != self._default:
                return found
        else:
            found, rest = [own], one.ids[file]
            if self._default:
                return found
        inner = own.removeprefix(f"{self._default}/") if self._default else own
        found += [
            f"{code}/{inner}"
            for code in self._locales
            if code != self._default and not one.has({f"{code}/{rest}", f"{code}/{rest}/index"} - {f"{code}//index"})
            and not (rest in ("", "index", self._default) and one.has({code, f"{code}/index"}))
        ]  # fmt: skip
        return found

    # -------------------------------------------------------------------------------------------- dynamic routes

    @cached_property
    def _shown(self) -> dict[str, list[tuple[Route, tuple[str, ...]]]]:
        """For each collection the routes that show its entries, and what each parameter is."""
        found: dict[str, list[tuple[Route, tuple[str, ...]]]] = {}
        for route in self._routes:
            text = self._texts[route.file]
            whole = "\n".join(text for _, text in self._modules[route.file])
            names = re.findall(r"getCollection\(\s*[\"'`]([\w-]+)[\"'`]", whole)
            if not route.lists and "paginate(" not in text:
                for name in dict.fromkeys(names):
                    found.setdefault(name, []).append((route, parameters(text, route.names)))
        return found

    def made_by(self, route: Route, path: str, values: Sequence[str]) -> Publication | None:
        kind = self._kind(route, values)
        return Publication(path, route.file, kind) if kind else None

    def passes_on(self, route: Route) -> bool:
        return route.file in self._reading

    def _kind(self, route: Route, values: Sequence[str]) -> str:
        """What a page of the route is (`list`, `page`), "" if its content would be somewhere else."""
        text = self._texts[route.file]
        if "paginate(" in text:
            return "list" if re.fullmatch(r"\d*", values[-1]) or len(values) > 1 else ""
        if route.lists and route.literal:
            return "list"
        return "" if route.file in self._reading or not route.literal else "page"

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        one = self._of.get(file)
        if one is None or (one.name == "docs" and self._starlight) or is_true(matter.get("draft")):
            return None
        own = as_text(matter.get("slug")) or one.ids[file]
        stem = stem_of(file)
        names = {own.rpartition("/")[2], dated(stem)[1], as_text(matter.get("slug")), as_text(matter.get("permalink"))}
        return Clues.of(f"{one.name}/{folder_of(one.ids[file])}", names, first_day(matter, _DAYS) or dated(stem)[0])

    def includes(self, file: str, text: str) -> Iterable[str]:
        return mdx_includes(self.tree, file, text, self._aliases)


def _pages(tree: Tree, root: str) -> Iterator[tuple[str, list[str]]]:
    """The files of routes, with the segments of their addresses."""
    for file in with_suffix(tree.under(root), _PAGES):
        path = below(file, root).rpartition(".")[0]
        if not any(part[:1] == "_" for part in path.split("/")):
            yield file, segments(path)


def _address(path: str) -> str:
    inner = re.sub(r"(?:^|/)index$", "", path.strip("/"))
    return f"/{inner}/" if inner else "/"


def _locales(config: str) -> tuple[str, tuple[str, ...]]:
    """Starlight's languages: the default one's folder ("" for the root), and the folders of all."""
    found = re.search(r"\blocales\s*:\s*(?=\{)", config)
    inner = (balanced(config, found.end()) or "") if found else ""
    codes = []
    for part in _KEY.finditer(inner):
        before = inner[: part.start() + 1]
        if before.count("{") - before.count("}") == 1:
            codes.append(part[1] or part[2])
    default = setting(config, "defaultLocale") or ""
    return ("" if default == "root" or "root" in codes else default), tuple(code for code in codes if code != "root")


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Astro sites: by configuration."""
    configs = scripts_by_place(tree, *_NAMES)
    found: list[Layout] = [Astro(tree, place, config, hints.paths, sure=True) for place, config in configs.items()]
    if not found and hints.built_by("astro") and tree.has_folder("src/pages"):
        found.append(Astro(tree, "", "", hints.paths, sure=False))
    return found
