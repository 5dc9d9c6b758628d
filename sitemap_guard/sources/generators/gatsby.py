"""Gatsby: `src/pages` by path, Markdown that gatsby-source-filesystem reads, by its path and where its pages are.

The rules are Gatsby's documentation (define routes, file system route API, createFilePath). Where gatsby-node.js puts
the pages of a source of files is not run but seen: the start of the address that most of its files agree on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, normal
from sitemap_guard.sources.generators.route_content import clues_of, names_of
from sitemap_guard.sources.generators.routed import Routed, segments
from sitemap_guard.sources.generators.settings import scripts_by_place
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_text, is_true
from sitemap_guard.sources.scripts import balanced, setting
from sitemap_guard.sources.tree import Tree, below, join, with_suffix

_NAMES = tuple(f"gatsby-config.{suffix}" for suffix in ("js", "mjs", "ts", "cjs"))
_CONTENT = (".md", ".mdx", ".markdown")
_SCRIPTS = (".js", ".jsx", ".ts", ".tsx")
_PAGES = (*_SCRIPTS, ".md", ".mdx")
_KEYS = ("path", "slug", "permalink", "url")


class Gatsby(Routed):
    """One Gatsby site."""

    generator = "gatsby"

    def __init__(self, tree: Tree, place: str, config: str, paths: Iterable[str], *, sure: bool) -> None:
        self._pages = join(place, "src/pages")
        pages = _pages(tree, self._pages, mdx="gatsby-plugin-mdx" in config)
        super().__init__(tree, place, pages, paths, sure=sure)
        self._wanted = frozenset(map(normal, paths))
        self._roots = [root for root in _roots(config, place) if with_suffix(tree.under(root), _CONTENT)]

    @cached_property
    def content(self) -> dict[str, str]:
        """Each file of Markdown with the deepest root that it lies in."""
        found: dict[str, str] = {}
        for root in sorted(self._roots, key=len):
            found.update(dict.fromkeys(with_suffix(self.tree.under(root), _CONTENT), root))
        return {file: root for file, root in found.items() if not file.startswith(f"{self._pages}/")}

    @cached_property
    def _starts(self) -> dict[str, str]:
        """Where the pages of a root are: the start that explains most of its files; none if two do."""
        by_last: dict[str, list[str]] = defaultdict(list)
        for path in self._wanted:
            by_last[path.rpartition("/")[2]].append(path)
        found = {}
        for root in self._roots:
            files = [file for file, its in self.content.items() if its == root]
            counts = Counter(
                path[: -len(name) - 1]
                for file in files
                for name in names_of(file, root)
                for path in by_last.get(name.rpartition("/")[2], ())
                if name and path.endswith(f"/{name}")
            )
            best = counts.most_common(2)
            if best and (best[0][1] * 2 >= len(files)) and (len(best) < 2 or best[0][1] > best[1][1]):
                found[root] = best[0][0]
        return found

    def entry(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if is_true(matter.get("draft")) or matter.get("published") in (False, "false"):
            return ()
        root = self.content[file]
        own = next((text for key in _KEYS if (text := as_text(matter.get(key)))), "")
        if own and "://" not in own:
            start = self._starts.get(root, "")
            return [Publication(f"/{own.strip('/')}/", file), Publication(f"{start}/{own.strip('/')}/", file)]
        if root not in self._starts:
            return ()
        return [Publication(f"{self._starts[root]}/{name}", file) for name in names_of(file, root)]

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if file not in self.content or is_true(matter.get("draft")):
            return None
        return clues_of(file, matter, self.content[file], ("date",))

    def includes(self, file: str, text: str) -> Iterable[str]:
        return mdx_includes(self.tree, file, text, {}) if file.endswith(_CONTENT) else ()


def _pages(tree: Tree, root: str, *, mdx: bool) -> Iterator[tuple[str, list[str]]]:
    """The files of pages, with the segments of their addresses; those in Markdown where the plugin is there."""
    for file in with_suffix(tree.under(root), _PAGES if mdx else _SCRIPTS):
        path = below(file, root).rpartition(".")[0]
        # `{Node.field}` and `[param]` are pages of data, and of the browser.
        if not re.search(r"[\[{]|(?:^|/)__tests__/|\.(?:test|d|spec)$|(?:^|/)template-[^/]*$", path):
            yield file, segments(path)


def _roots(config: str, place: str) -> list[str]:
    """The folders that gatsby-source-filesystem reads."""
    found = []
    for match in re.finditer(r"gatsby-source-filesystem[\"'`]\s*,\s*options\s*:\s*(?=\{)", config):
        # `${__dirname}/x` and path.join(__dirname, "x") are the configuration's folder.
        options = (balanced(config, match.end()) or "").replace("${__dirname}", ".")
        options = re.sub(r"path\.(?:join|resolve)\(\s*__dirname\s*,\s*([\"'`][^\"'`]*[\"'`])\s*\)", r"\1", options)
        folder = setting(options, "path")
        if folder is not None:
            found.append(join(place, folder))
    return found


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Gatsby sites: by configuration."""
    configs = scripts_by_place(tree, *_NAMES)
    return [Gatsby(tree, place, config, hints.paths, sure=True) for place, config in configs.items()]
