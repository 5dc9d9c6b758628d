"""Sphinx: every source below the folder of conf.py, by path (`html` and `dirhtml` builders)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sitemap_guard.sources.generators.base import Hints, Layout, Publication
from sitemap_guard.sources.includes import sphinx_includes
from sitemap_guard.sources.scripts import block, setting, strings, without_comments
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_SUFFIXES = (".rst", ".md", ".ipynb", ".txt")
_SIGNS = re.compile(r"^(?:extensions|html_theme|master_doc|root_doc|source_suffix|html_\w+)\s*[:=]", re.MULTILINE)
_NIKOLA = re.compile(r"^(?:POSTS|BLOG_AUTHOR|NAVIGATION_LINKS)\s*=", re.MULTILINE)


class Sphinx(Layout):
    """One Sphinx project; `place` is the folder of conf.py."""

    generator = "sphinx"

    def __init__(self, tree: Tree, place: str, conf: str, *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        given = block(conf, "source_suffix")
        named = setting(conf, "source_suffix")
        suffixes = [text for text in strings(given or "") if text.startswith(".")] or ([named] if named else [])
        # Parsers add their suffix by themselves (MyST: .md, nbsphinx: .ipynb).
        self._suffixes = tuple(dict.fromkeys([*suffixes, *(s for s in _SUFFIXES if s != ".txt" or suffixes == [s])]))
        self.root = setting(conf, "root_doc") or setting(conf, "master_doc") or "index"
        patterns = list(strings(block(conf, "exclude_patterns") or ""))
        folders = [f"{pattern.rstrip('/')}/**" for pattern in patterns]
        self._excluded = tree.matching(place, [*patterns, *folders])

    def files(self) -> Iterable[str]:
        found = with_suffix(self.tree.under(self.place), self._suffixes)
        return [
            file
            for file in found
            if (path := below(file, self.place)) not in self._excluded and not path.startswith(("_", "."))
        ]

    def by_name(self, file: str) -> Sequence[Publication]:
        name = below(file, self.place).rpartition(".")[0]
        own = Publication(f"/{name}.html", file)
        return (Publication("/", file), own) if name == self.root else (own,)

    def lists(self, path: str) -> bool:
        # The index of terms, the search page and the modules' index list no pages.
        return path.rstrip("/").removesuffix(".html") in ("/blog", "/blog/archive", "/blog/tag", "/blog/category")

    def includes(self, file: str, text: str) -> Iterable[str]:
        return sphinx_includes(self.tree, file, text, self.place)


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Sphinx projects: a conf.py with a root document beside it."""
    found: list[Layout] = []
    for path in tree.named("conf.py"):
        conf = without_comments(tree.text(path) or "", python=True)
        place = folder_of(path)
        if _NIKOLA.search(conf):
            continue
        layout = Sphinx(tree, place, conf, sure=_SIGNS.search(conf) is not None)
        if tree.has_any(join(place, layout.root), _SUFFIXES):
            found.append(layout)
    del hints
    return found
