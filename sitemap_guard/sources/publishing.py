"""What one layout publishes at the addresses of a sitemap, with as little reading as is safe.

The names of files come first. Front matter is read only for the files that no address has claimed by name, and for
those whose address another file lays claim to. So a site whose files go by their names costs no reading, and a file
that front matter has moved away is found out by the one that took its place. Where a page stays unexplained, and the
site is not huge, all files are read: one of them may have left an address that is still listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from sitemap_guard.sources.generators.base import Clues, Layout, Publication, looks_like_list, normal
from sitemap_guard.sources.generators.learned import learn

# Of so many files all are read if need be.
_THOROUGH = 5000


class Wanted:
    """The addresses of a sitemap, those that no earlier way has answered, and the files that ways have found."""

    def __init__(self, paths: Iterable[str], needed: Collection[str], known: frozenset[str]) -> None:
        self.plain = {normal(path): path for path in paths}
        self.needed = needed
        self.known = known

    @cached_property
    def folded(self) -> dict[str, str]:
        """The addresses by their normal form in lower case."""
        return {at.lower(): path for at, path in self.plain.items()}

    def of(self, layout: Layout) -> dict[str, str]:
        """The addresses by the form that a layout looks them up in."""
        return self.folded if layout.folds else self.plain


def key(layout: Layout, publication: Publication) -> str:
    """The form in which a layout's publication is looked up."""
    text = normal(publication.path)
    return text.lower() if layout.folds else text


def publish(layout: Layout, wanted: Wanted) -> dict[str, tuple[Publication, ...]]:
    """What a layout publishes at the wanted addresses, by the form in which they are looked up."""
    at_hand = wanted.of(layout)
    claims: dict[str, list[Publication]] = defaultdict(list)
    unclaimed = []
    for file in layout.files():
        hit = False
        for publication in layout.by_name(file):
            at = key(layout, publication)
            if at in at_hand:
                claims[at].append(publication)
                hit = True
        if not hit:
            unclaimed.append(file)
    read = _read(layout, wanted, claims, unclaimed) if wanted.needed and layout.moves else {}
    table: dict[str, dict[tuple[str, str], Publication]] = defaultdict(dict)
    named = ((at, one) for at, some in claims.items() for one in some if one.source not in read)
    moved = ((at, one) for some in read.values() for one in some if (at := key(layout, one)) in at_hand)
    for at, publication in (*named, *moved):
        table[at][publication.path, publication.source] = publication
    if wanted.needed:
        used = {source for found in table.values() for _, source in found}
        left = [file for file in (*unclaimed, *read) if file not in used and file not in wanted.known]
        for publication in _learnt(layout, at_hand, table, dict.fromkeys(left)):
            table[key(layout, publication)][publication.path, publication.source] = publication
    return {at: tuple(found.values()) for at, found in table.items()}


def _read(
    layout: Layout, wanted: Wanted, claims: dict[str, list[Publication]], unclaimed: Sequence[str]
) -> dict[str, Sequence[Publication]]:
    """The publications of the files whose front matter had to be read."""
    read: dict[str, Sequence[Publication]] = {}
    explained = set(claims)

    def settle(files: Iterable[str]) -> None:
        queue = list(files)
        while queue:
            file = queue.pop()
            if file not in read:
                read[file] = layout.by_matter(file, layout.tree.matter(file))
                for at in [key(layout, publication) for publication in read[file]]:
                    explained.add(at)
                    if at in claims:
                        queue += [other.source for other in claims[at]]

    crowded = [one.source for some in claims.values() if len({one.source for one in some}) > 1 for one in some]
    settle([*crowded, *(file for file in unclaimed if file not in wanted.known)])
    open_ones = [path for path in wanted.needed if not looks_like_list(path)]
    keys = (normal(path).lower() if layout.folds else normal(path) for path in open_ones)
    # Those that another way has found as well: in another language a file may have one more address.
    files = [*(one.source for some in claims.values() for one in some), *unclaimed]
    if len(files) <= _THOROUGH and any(at not in explained for at in keys):
        settle(files)
    return read


def _learnt(layout: Layout, at_hand: dict[str, str], table: Collection[str], files: Iterable[str]) -> list[Publication]:
    clues: dict[str, Clues] = {}
    for file in files:
        clue = layout.learnable(file, layout.tree.matter(file) if layout.moves else {})
        if clue is not None:
            clues[file] = clue
    if not clues:
        return []
    return learn(clues, [path for at, path in at_hand.items() if at not in table], folds=layout.folds)
