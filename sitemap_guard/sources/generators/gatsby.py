"""Gatsby: `src/pages` by path, Markdown that gatsby-source-filesystem reads, by its path and where its pages are.

The rules are Gatsby's documentation (define routes, file system route API, createFilePath). Where gatsby-node.js puts
the pages of a source of files is not run but seen: the start of the address that most of its files agree on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, normal
from sitemap_guard.sources.generators.permalinks import dated, day_of, near, stem_of
from sitemap_guard.sources.generators.react_content import names_of
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_text, is_true
from sitemap_guard.sources.scripts import balanced, setting, without_comments
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = tuple(f"gatsby-config.{suffix}" for suffix in ("js", "mjs", "ts", "cjs"))
_PAGES = (".js", ".jsx", ".ts", ".tsx", ".md", ".mdx")
_CONTENT = (".md", ".mdx", ".markdown")
_KEYS = ("path", "slug", "permalink", "url")


class Gatsby(Layout):
    """One Gatsby site."""

    generator = "gatsby"
    moves = True

    def __init__(self, tree: Tree, place: str, config: str, paths: Iterable[str], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._wanted = frozenset(normal(path) for path in paths)
        self._pages = join(place, "src/pages")
        self._mdx = "gatsby-plugin-mdx" in config
        self._roots = [root for root in _roots(config, place) if with_suffix(tree.under(root), _CONTENT)]

    @cached_property
    def _content(self) -> dict[str, str]:
        """Each content file's root: the deepest one."""
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
            files = [file for file, its in self._content.items() if its == root]
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

    def files(self) -> Iterable[str]:
        return dict.fromkeys([*self._content, *with_suffix(self.tree.under(self._pages), _PAGES)])

    def by_name(self, file: str) -> Sequence[Publication]:
        if file in self._content:
            root = self._content[file]
            if root not in self._starts:
                return ()
            return [Publication(f"{self._starts[root]}/{name}", file) for name in names_of(file, root)]
        path = below(file, self._pages).rpartition(".")[0]
        parts = path.split("/")
        # `{Node.field}` and `[param]` are pages of data, and of the browser.
        if re.search(r"[\[{]|(?:^|/)__tests__/|\.(?:test|d|spec)$", path) or parts[-1].startswith("template-"):
            return ()
        if file.endswith(_CONTENT) and not self._mdx:
            return ()
        parts = parts[:-1] if parts[-1] == "index" else parts
        return (Publication("/" + "/".join([*parts, ""] if parts else [""]), file),)

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if file not in self._content:
            return self.by_name(file)
        if is_true(matter.get("draft")) or matter.get("published") in (False, "false"):
            return ()
        own = next((text for key in _KEYS if (text := as_text(matter.get(key)))), "")
        if not own or "://" in own:
            return self.by_name(file)
        start = self._starts.get(self._content[file], "")
        return [Publication(f"/{own.strip('/')}/", file), Publication(f"{start}/{own.strip('/')}/", file)]

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if file not in self._content or is_true(matter.get("draft")):
            return None
        stem = stem_of(file)
        if stem == "index":
            stem = folder_of(file).rpartition("/")[2]
        day = day_of(matter.get("date")) or dated(stem)[0]
        names = {stem, dated(stem)[1], as_text(matter.get("slug")).strip("/").rpartition("/")[2]}
        return Clues(self._content[file], frozenset(names - {""}), frozenset(near(day) if day else ()))

    def includes(self, file: str, text: str) -> Iterable[str]:
        return mdx_includes(self.tree, file, text, {}) if file.endswith(_CONTENT) else ()


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
    found: dict[str, Layout] = {}
    for path in tree.named(*_NAMES):
        place = folder_of(path)
        if place not in found:
            found[place] = Gatsby(tree, place, without_comments(tree.text(path) or ""), hints.paths, sure=True)
    return list(found.values())
