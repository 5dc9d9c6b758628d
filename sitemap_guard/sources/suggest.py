"""Rules to propose for pages that nothing maps: by the names of files, for a person to look over.

What `init` writes down, never what `check` believes by itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from msgspec import Struct

from sitemap_guard.sources.generators.base import normal
from sitemap_guard.sources.tree import folder_of

_LEAST = 3
_TEXTS = (".md", ".mdx", ".markdown", ".rst", ".html", ".njk", ".liquid", ".adoc", ".org", ".ipynb", ".astro", ".txt")
_OTHER = re.compile(r"(?:^|/)(?:\.|node_modules/|vendor/|_layouts/|_includes/|layouts/|themes/|archetypes/)")


class Proposal(Struct, frozen=True):
    """A `[[source]]` rule and the number of pages that it places."""

    url: str
    path: str
    count: int


def propose(paths: Iterable[str], tracked: Collection[str], used: Collection[str]) -> list[Proposal]:
    """Rules for addresses (below the site's) without a source, from tracked files that no page has.

    A rule needs three pages, each with one file of its name in one folder.
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in tracked:
        if path.endswith(_TEXTS) and path not in used and not _OTHER.search(path):
            name = path.rpartition("/")[2].rpartition(".")[0]
            stem = folder_of(path).rpartition("/")[2] if name in ("index", "_index") else name
            by_name[stem].append(path)
    votes: Counter[tuple[str, str]] = Counter()
    for path in paths:
        name = normal(path).rpartition("/")[2]
        found = by_name.get(name, []) if name else []
        if len(found) == 1:
            votes[_around(path, name), _around(found[0], name)] += 1
    best: dict[str, tuple[str, int]] = {}
    for (url, file), count in votes.most_common():
        best.setdefault(url, (file, count))
    return [Proposal(url, file, count) for url, (file, count) in best.items() if count >= _LEAST]


def _around(path: str, name: str) -> str:
    """The path with `{name}` for its last part of that name, braces in the rest made impossible."""
    before, _, after = path.rpartition(name)
    if re.search(r"[{}*?]", before + after):
        return path
    return f"{before}{{name}}{after}"
