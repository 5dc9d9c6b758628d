"""Further sources of a page, looked up only for claims that nothing else supports: includes, and front-matter lists."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_guard.sources.forward import Forward
from sitemap_guard.sources.globs import Files, has_wild_card
from sitemap_guard.sources.includes import closure
from sitemap_guard.sources.matter import as_list, as_text
from sitemap_guard.sources.tree import Tree, folder_of, join


class Further:
    """Reads what sources take in. `keys` are the front-matter keys that list files (`also-fields`)."""

    def __init__(self, tree: Tree, generators: Forward, keys: Sequence[str]) -> None:
        self._tree = tree
        self._generators = generators
        self._keys = keys
        self._files = Files(tree.tracked)

    def of(self, path: str) -> tuple[str, ...]:
        """The files that the page made from a source is made from as well."""
        found = dict.fromkeys(self._listed(path))
        layout = self._generators.layout_of(path)
        if layout is not None:
            found.update(dict.fromkeys(closure(self._tree, path, layout.includes)))
        found.pop(path, None)
        return tuple(found)

    def _listed(self, path: str) -> list[str]:
        """The files that the front matter lists, from the repository's root or from the file's folder."""
        matter = self._tree.matter(path) if self._keys else {}
        found: list[str] = []
        for key in self._keys:
            for name in map(as_text, as_list(matter.get(key))):
                for candidate in (name.lstrip("/"), join(folder_of(path), name)):
                    fitting = self._files.fitting(candidate, wild=has_wild_card(candidate)) if candidate else ()
                    found += fitting
                    if fitting:
                        break
        return found
