"""Eleventy: templates by path, permalinks from front matter and data files, pagination.

The rules are Eleventy's documentation (permalinks, data cascade, pagination). Case is kept; a date in a file's name
stays in the default address and is taken off in `page.fileSlug` and `page.filePathStem`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, normal
from sitemap_guard.sources.generators.eleventy_data import Data, Permalink, front_matter
from sitemap_guard.sources.generators.eleventy_text import Scope, fits, pattern_of, rendered
from sitemap_guard.sources.generators.permalinks import near
from sitemap_guard.sources.generators.settings import read_table, scripts_by_place
from sitemap_guard.sources.generators.slugs import npm_slugs, sindre_slugs
from sitemap_guard.sources.globs import Files
from sitemap_guard.sources.matter import as_table, as_text
from sitemap_guard.sources.scripts import block, setting
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = (".eleventy.js", *(f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts", "mts")))
_SCRIPTS = tuple(f".11ty.{suffix}" for suffix in ("js", "cjs", "mjs", "ts", "tsx", "jsx"))
_CONTENT = (*_SCRIPTS, ".md", ".njk", ".liquid", ".html", ".webc", ".vto", ".mdx", ".hbs", ".ejs", ".mustache", ".pug")
_INCLUDE = re.compile(r"""\{%-?\s*(?:include|render|import|extends|from|layout)\s+["']([^"'{}]+)["']""")
_MOST = 64  # addresses of one file that has no pattern


class Eleventy(Layout):
    """One Eleventy site; `place` is the configuration's folder, `root` the input folder."""

    generator = "eleventy"
    moves = True

    def __init__(self, tree: Tree, place: str, config: str, script: str, paths: Iterable[str], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._paths = sorted(paths)
        given = block(config, "dir") or ""
        said = re.search(r"--input[= ]+[\"']?([\w./-]+)", script)
        self.root = join(
            place, setting(given, "input") or _called(config, "setInputDirectory") or (said[1] if said else "")
        )
        inner = [
            setting(given, key) or _called(config, call) or default
            for key, call, default in (
                ("includes", "setIncludesDirectory", "_includes"),
                ("layouts", "setLayoutsDirectory", "_includes"),
                ("data", "setDataDirectory", "_data"),
            )
        ]
        output = setting(given, "output") or _called(config, "setOutputDirectory") or "_site"
        self._includes = [join(self.root, folder) for folder in inner[:2]]
        self._hidden = tuple(
            f"{folder}/" for folder in [*(join(self.root, name) for name in inner), join(place, output)]
        )
        self._ignored = self._ignores()
        self._data = Data(tree, self.root, join(self.root, inner[2]))

    def _ignores(self) -> frozenset[str]:
        patterns = [line.strip() for line in (self.tree.text(join(self.place, ".eleventyignore")) or "").splitlines()]
        patterns = [line for line in patterns if line and line[0] not in "#!"]
        if not patterns:
            return frozenset()
        files = Files(frozenset(self.tree.under(self.place)))
        found: set[str] = set()
        for pattern in patterns:
            at = join(self.place, pattern)
            found.update(files.matching(at))
            found.update(files.matching(f"{at}/**"))
        return frozenset(found)

    def files(self) -> Iterable[str]:
        return self._files

    @cached_property
    def _files(self) -> list[str]:
        found = with_suffix(self.tree.under(self.root), _CONTENT)
        return [
            file
            for file in found
            if not file.startswith(self._hidden) and "node_modules/" not in file and file not in self._ignored
            and file.rpartition("/")[2] not in _NAMES
        ]  # fmt: skip

    def by_name(self, file: str) -> Sequence[Publication]:
        return self._published(file, self._data.permalink(file), self._scope(file, {}), sure=False)

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        matter = front_matter(self.tree, file, matter)
        permalink = self._data.permalink(file, matter)
        pagination = as_table(matter.get("pagination"))
        if pagination:
            return self._paginated(file, permalink, matter)
        return self._published(file, permalink, self._scope(file, matter), sure=True)

    def _scope(self, file: str, matter: dict[str, Any]) -> Scope:
        return Scope(below(file, self.root), _stem(file), matter)

    def _published(self, file: str, permalink: Permalink, scope: Scope, *, sure: bool) -> list[Publication]:
        if permalink.known and permalink.text is None:
            return [Publication(self._default(file), file)]
        if not permalink.known or not permalink.text:
            return []
        found = rendered(permalink.text, scope, whole=sure) or []
        return [Publication(_address(text), file) for text in found[:_MOST]]

    def _default(self, file: str) -> str:
        folder = folder_of(below(file, self.root))
        stem = _stem(file)
        start = f"/{folder}/" if folder else "/"
        return start if stem == "index" or (folder and stem == folder.rpartition("/")[2]) else f"{start}{stem}/"

    # ------------------------------------------------------------------------------------------------ pagination

    def _paginated(self, file: str, permalink: Permalink, matter: dict[str, Any]) -> list[Publication]:
        """The addresses that a template of many pages fits, and that no other file has."""
        if not permalink.known or permalink.text == "":
            return []
        text = self._default(file) if permalink.text is None else _address(permalink.text)
        numbered = permalink.text is None or "{" not in permalink.text
        pattern = pattern_of(text, self._scope(file, matter), numbered=numbered)
        if pattern is None:
            return []
        found = [path for path in self._paths if fits(pattern, path)]
        kind = "list" if str(as_table(matter.get("pagination")).get("size", "")) != "1" or self.lists(text) else "page"
        return [
            Publication(path, file, "list" if self.lists(path) else kind)
            for path in found
            if normal(path) not in self._taken and normal(path).rpartition("/")[2] not in self._unplaced
        ]

    @cached_property
    def _others(self) -> tuple[frozenset[str], frozenset[str]]:
        """The addresses of all files that are not paginated, and the names of those that no address is known of."""
        taken: set[str] = set()
        unplaced: set[str] = set()
        for file in self._files:
            matter = front_matter(self.tree, file, self.tree.matter(file))
            if as_table(matter.get("pagination")):
                continue
            permalink = self._data.permalink(file, matter)
            scope = self._scope(file, matter)
            found = self._published(file, permalink, scope, sure=True)
            taken.update(normal(publication.path) for publication in found)
            if not found and not (permalink.known and permalink.text == ""):
                unplaced |= self._names(scope)
        return frozenset(taken), frozenset(unplaced)

    @property
    def _taken(self) -> frozenset[str]:
        return self._others[0]

    @property
    def _unplaced(self) -> frozenset[str]:
        return self._others[1]

    @staticmethod
    def _names(scope: Scope) -> set[str]:
        title = as_text(scope.matter.get("title"))
        own = as_text(scope.matter.get("slug"))
        return {name for name in (scope.slug, scope.stem, own, *sindre_slugs(title), *npm_slugs(title)) if name}

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        matter = front_matter(self.tree, file, matter)
        permalink = self._data.permalink(file, matter)
        if (permalink.known and not permalink.text) or matter.get("pagination"):
            return None
        scope = self._scope(file, matter)
        if permalink.known and rendered(permalink.text or "", scope, whole=True):
            return None
        days = {day for known in scope.days() for day in near(known)}
        return Clues(permalink.text or permalink.origin, frozenset(self._names(scope)), frozenset(days))

    def includes(self, file: str, text: str) -> Iterable[str]:
        bases = [*self._includes, folder_of(file)]
        names = (name + suffix for name in _INCLUDE.findall(text) for suffix in ("", ".njk", ".liquid", ".html"))
        return [path for name in names for base in bases if (path := join(base, name)) in self.tree.tracked]


def _called(config: str, name: str) -> str | None:
    found = re.search(rf"\.{name}\(\s*[\"']([^\"'\n]*)[\"']", config)
    return found[1] if found else None


def _stem(file: str) -> str:
    name = file.rpartition("/")[2]
    suffix = next((suffix for suffix in _SCRIPTS if name.lower().endswith(suffix)), "")
    return name[: -len(suffix)] if suffix else name.rpartition(".")[0]


def _address(text: str) -> str:
    path = re.sub(r"/{2,}", "/", "/" + text.strip())
    return path.removesuffix("index.html") if path.endswith("/index.html") else path


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Eleventy sites: by configuration, else by the package or the pages' meta."""
    found: list[Layout] = []
    for place, config in scripts_by_place(tree, *_NAMES).items():
        if "node_modules/" not in f"{place}/":
            script = tree.text(join(place, "package.json")) or ""
            found.append(Eleventy(tree, place, config, script, hints.paths, sure=True))
    if not found and (hints.built_by("eleventy") or "package.json" in tree.tracked):
        table = read_table(tree, "package.json")
        script = tree.text("package.json") or ""
        uses = any("@11ty/eleventy" in as_table(table.get(key)) for key in ("dependencies", "devDependencies"))
        if uses or hints.built_by("eleventy"):
            found.append(Eleventy(tree, "", "", script, hints.paths, sure=uses))
    return found
