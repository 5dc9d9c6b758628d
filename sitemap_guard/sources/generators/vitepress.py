"""VitePress: `srcDir` by path, rewrites, dynamic routes.

The rules are VitePress' documentation (routing). Languages are folders, so that they need no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from sitemap_guard.sources.generators.base import Hints, Layout, Publication, page_at
from sitemap_guard.sources.includes import vitepress_includes
from sitemap_guard.sources.scripts import block, pairs, setting, strings, without_comments
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_CONFIG = re.compile(r"(?:^|/)\.vitepress/config(?:/index)?\.(?:[mc]?[jt]s)$")
_ROUTE = re.compile(r"\[([A-Za-z_$][\w$]*)\]")
_PATHS = (".paths.js", ".paths.ts", ".paths.mjs", ".paths.mts")
_TOKEN = re.compile(r":(\w+)(?:\(([^()]*)\))?([*+?])?|\(\.\*\)|\{[^{}]*\}")


class VitePress(Layout):
    """One VitePress site; `place` is the folder with `.vitepress`."""

    generator = "vitepress"

    def __init__(self, tree: Tree, place: str, source: str, config: str, paths: Iterable[str], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self.source = source
        self._rewrites = [_rewrite(one, other) for one, other in pairs(block(config, "rewrites") or "").items()]
        self._paths = sorted(paths)
        excluded = tree.matching(source, strings(block(config, "srcExclude") or ""))
        self._files = [
            file
            for file in with_suffix(tree.under(source), (".md",))
            if (path := below(file, source)) not in excluded and "node_modules/" not in path and path[:1] != "."
        ]
        self._static = {self._address(below(file, source)) for file in self._files if not _ROUTE.search(file)}

    def files(self) -> Iterable[str]:
        return self._files

    def by_name(self, file: str) -> Sequence[Publication]:
        path = below(file, self.source)
        return self._dynamic(file, path) if _ROUTE.search(path) else (Publication(self._address(path), file),)

    def _address(self, path: str) -> str:
        for pattern, target in self._rewrites:
            found = pattern.fullmatch(path)
            if found:
                path = target(found)
                break
        return page_at(path.removesuffix(".md"), ".html")

    def _dynamic(self, file: str, path: str) -> Sequence[Publication]:
        """The addresses that a dynamic route fits and no other file has; its pages come from its paths file."""
        base = file.removesuffix(".md")
        loaders = tuple(base + suffix for suffix in _PATHS if base + suffix in self.tree.tracked)
        if not loaders:
            return ()
        parts = _ROUTE.split(path.removesuffix(".md"))
        expression = "".join("[^/]+" if place % 2 else re.escape(part) for place, part in enumerate(parts))
        pattern = re.compile(rf"/{expression}(?:\.html|/)?")
        return [
            Publication(address, file, also=loaders)
            for address in self._paths
            if pattern.fullmatch(address) and not self._has(address)
        ]

    def _has(self, address: str) -> bool:
        stem = address.removesuffix(".html").rstrip("/")
        return not {f"{stem}.html", f"{stem}/"}.isdisjoint(self._static)

    def includes(self, file: str, text: str) -> Iterable[str]:
        return vitepress_includes(self.tree, file, text, self.source)


def _rewrite(source: str, target: str) -> tuple[re.Pattern[str], Callable[[re.Match[str]], str]]:
    """A rewrite of path-to-regexp's kind (`packages/:pkg/src/:rest*` to `:pkg/:rest*`)."""
    names: list[str] = []
    expression = ""
    place = 0
    for found in _TOKEN.finditer(source):
        expression += re.escape(source[place : found.start()])
        place = found.end()
        names.append(found[1] or f"({sum(name[0] == '(' for name in names)}")
        inner = found[2] or ("[^/]+?" if found[3] not in ("*", "+") else ".*")
        expression += f"({inner})" if found[1] else "(.*)"
    pattern = re.compile(expression + re.escape(source[place:]))

    def fill(match: re.Match[str]) -> str:
        values = dict(zip(names, match.groups(), strict=False))
        unnamed = iter([value for name, value in values.items() if name[0] == "("])
        return _TOKEN.sub(lambda token: values.get(token[1]) or "" if token[1] else next(unnamed, ""), target)

    return pattern, fill


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The VitePress sites: by `.vitepress/config.*`, else by the built folder `.vitepress/dist`."""
    found: list[Layout] = []
    places: dict[str, str] = {}
    kinds = ("js", "ts", "mjs", "mts", "cjs", "cts")
    names = [f"{stem}.{kind}" for stem in ("config", "index") for kind in kinds]
    for path in tree.named(*names):
        if _CONFIG.search(path):
            place = path[: path.rindex(".vitepress")].rstrip("/")
            # A configuration in a folder is made of several files.
            parts = tree.under(folder_of(path)) if folder_of(path).endswith(".vitepress/config") else [path]
            places.setdefault(place, "\n".join(without_comments(tree.text(part) or "") for part in parts))
    for place, config in places.items():
        source = join(place, setting(config, "srcDir") or "")
        found.append(VitePress(tree, place, source, config, hints.paths, sure=True))
    if not found and hints.prefix and (hints.prefix == ".vitepress/dist" or hints.prefix.endswith("/.vitepress/dist")):
        place = folder_of(folder_of(hints.prefix))
        sources = dict.fromkeys(join(place, name) for name in ("", "src", "docs"))
        found += [
            VitePress(tree, place, source, "", hints.paths, sure=False) for source in sources if tree.has_folder(source)
        ]
    return found
