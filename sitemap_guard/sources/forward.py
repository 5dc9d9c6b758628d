"""The generator way: what each generator in the repository would publish, looked up by the exact address.

See `generators/base.py` for what a layout answers, and `publishing.py` for what of it is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from sitemap_guard.sources.generators.base import Hints, Layout, Publication, normal
from sitemap_guard.sources.generators.registry import GENERATORS
from sitemap_guard.sources.publishing import Wanted, key, publish
from sitemap_guard.sources.subject import Outcome, Subject
from sitemap_guard.sources.tree import Tree

_SHOWN = 3
# How much of a site's addresses, or of its own files, a layout without a configuration must explain.
_SHARE = 0.5


class Placed(Struct, frozen=True):
    """A layout and what it publishes at wanted addresses, by their normal form."""

    layout: Layout
    table: Mapping[str, tuple[Publication, ...]]
    rank: tuple[bool, bool, bool]

    @property
    def hits(self) -> int:
        """The number of addresses that it explains."""
        return len(self.table)


class Forward(Struct, frozen=True):
    """All layouts that speak for the site, best first."""

    placed: tuple[Placed, ...]

    def answer(self, path: str) -> Outcome:
        """The file that is published at an address (below the site's, decoded)."""
        found: list[tuple[Placed, tuple[Publication, ...]]] = []
        for placed in self.placed:
            fitting = _fitting(placed, path)
            if fitting and not (found and _beats(found[0][0], placed)):
                found.append((placed, fitting))
        if not found:
            names = ", ".join(dict.fromkeys(placed.layout.generator for placed in self.placed))
            return Outcome(note=f"no file would be published here by {names}" if names else "no generator was found")
        publications = {publication.source: publication for _, some in found for publication in some}
        generator = found[0][0].layout.generator
        if len(publications) > 1:
            return Outcome(reason="ambiguous", note=_several(sorted(publications)), by=generator)
        only = next(iter(publications.values()))
        return Outcome(only.source, only.also, kind=only.kind, by=generator)

    def lists(self, path: str) -> bool:
        """Whether an address without a file is that of a generator's list page."""
        return any(placed.layout.lists(path) for placed in self.placed)

    def layout_of(self, file: str) -> Layout | None:
        """The layout whose content the file is."""
        return next(
            (p.layout for p in self.placed if not p.layout.place or file.startswith(p.layout.place + "/")), None
        )


def forward(
    subjects: Sequence[Subject],
    tree: Tree,
    hints: Hints,
    known: Collection[str] = (),
    needed: Collection[str] | None = None,
) -> Forward:
    """What the repository's generators publish at the subjects' addresses.

    `known` are files that another way has found to be the source of a page: they are not read. Nothing is read for
    addresses that are not among `needed` (None: all are).
    """
    paths = [subject.path for subject in subjects if subject.path]
    wanted = Wanted(paths, paths if needed is None else needed, frozenset(known))
    placed = []
    for layouts in _places(tree, hints).values():
        best: Placed | None = None
        for layout in _likely(layouts, wanted):
            rank = (_holds(layout, hints), hints.built_by(layout.generator), layout.sure)
            one = Placed(layout, publish(layout, wanted), rank)
            if best is None or one.hits > best.hits:
                best = one
        if best is not None and _believed(best, len(wanted.plain)):
            placed.append(best)
    placed.sort(key=lambda one: (one.rank, one.hits), reverse=True)
    return Forward(tuple(_undominated(placed)))


def _places(tree: Tree, hints: Hints) -> dict[tuple[str, str], list[Layout]]:
    places: dict[tuple[str, str], list[Layout]] = defaultdict(list)
    for find in GENERATORS:
        for layout in find(tree, hints):
            places[layout.generator, layout.place].append(layout)
    return places


def _likely(layouts: Sequence[Layout], wanted: Wanted) -> Sequence[Layout]:
    """Of several readings of one place those that explain most addresses by names alone; all, if none explains any."""
    if len(layouts) < 2:
        return layouts
    counts = []
    for layout in layouts:
        here = wanted.of(layout)
        named = (publication for file in layout.files() for publication in layout.by_name(file))
        counts.append(len({at for publication in named if (at := key(layout, publication)) in here}))
    most = max(counts)
    return [layout for layout, count in zip(layouts, counts, strict=True) if count == most]


def _holds(layout: Layout, hints: Hints) -> bool:
    """Whether the site was built inside the layout's own folder, as generators do unless told otherwise."""
    return bool(layout.place) and hints.prefix is not None and f"{hints.prefix}/".startswith(f"{layout.place}/")


def _believed(placed: Placed, wanted: int) -> bool:
    if placed.layout.sure:
        return placed.hits > 0
    files = sum(1 for _ in placed.layout.files())
    return placed.hits == wanted == 1 or (placed.hits > 1 and placed.hits >= _SHARE * min(wanted, files))


def _undominated(placed: Sequence[Placed]) -> list[Placed]:
    """Without the layouts that explain nothing that a better one does not, and far less."""
    kept: list[Placed] = []
    for one in placed:
        if not any(one.table.keys() <= other.table.keys() and _beats(other, one) for other in kept):
            kept.append(one)
    return kept


def _beats(one: Placed, other: Placed) -> bool:
    """Whether, of two layouts that give different files, the first is to be believed."""
    return one.rank[:2] > other.rank[:2] or (one.rank >= other.rank and one.hits >= 2 * other.hits)


def _fitting(placed: Placed, path: str) -> tuple[Publication, ...]:
    at = normal(path)
    found = placed.table.get(at.lower() if placed.layout.folds else at, ())
    exact = tuple(publication for publication in found if publication.path == path)
    return exact or found


def _several(files: Sequence[str]) -> str:
    count = {2: "two", 3: "three"}.get(len(files), str(len(files)))
    shown = ", ".join(files[:_SHOWN]) + (f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else "")
    return f"{count} files fit: {shown}; name one with [[source]]"
