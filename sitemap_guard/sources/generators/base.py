"""What a generator is here, and how to add one.

A generator is never run. Its module says, from the names of the tracked files, the generator's own configuration and
(only where it matters) the front matter, *at which addresses each content file would be published*. The engine
(`forward.py`) puts these into one table and looks up the exact address of each entry of the sitemap: it gives one
file (the source), none, or several (told as ambiguous, with names). So a wrong mapping needs a wrong publication,
never a near miss.

To add a generator (CONTRIBUTING.md has all the steps), write one file here with

1. A subclass of `Layout` for one site of this generator in the repository. It holds what the configuration says, and
   answers
   - `files()`: the content files, from the tree (sorted, no drafts folders, no layouts);
   - where each is published. If its name alone tells: `by_name(file)`. If front matter can move it (`moves = True`):
     `by_matter(file, matter)`, [] for what is not published (draft, `permalink: false`); it is asked with {} for every
     file, to go by the name, unless `by_name` answers that better. Nothing is read for a name: files are many.
   Where pages are files of routes (`blog/[slug].astro`), a subclass of `Routed` has less to say: see `routed.py`.
   A layout may also answer
   - `learnable(file, matter)`: names and days under which the file may be found when the configuration does not say
     the permalink's pattern (`Clues`): the engine then learns the pattern if the addresses show it beyond doubt;
   - `lists(path)`: whether an address without a file is one of this generator's list pages (tags, archives, pagers);
   - `includes(file, text)`: other files that the text takes in, from the repository's root (see `includes.py`).
2. A function `find(tree, hints) -> list[Layout]`, which finds the places. It must be cheap when the generator is not
   there: `tree.named("mkdocs.yml")` is a look-up. Layouts of one place that differ (`place` is equal) are readings of
   it between which only the addresses can decide: the engine takes the one that explains most of them, the first if
   several do. Layouts of different places are different sites, and answer side by side.
   Without a configuration file a layout sets `sure = False`, and the engine wants more support before it believes it.

Rules of the house: read a configuration by a parser (TOML, YAML, JSON), a program (conf.py, *.config.js) only by
narrow text patterns (`scripts.py`); what is not understood is not guessed: leave a publication out. Publish a
page's every address (`also` are further files that are known to change it), and only what the generator does write.

Addresses are below the site's address, decoded, with a first slash, as the generator writes them: `/a/`, `/a`,
`/a.html`. Two spellings of one page (`/a`, `/a/`, `/a.html`, `/a/index.html`) find each other, the exact one first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.permalinks import Day, near
from sitemap_guard.sources.tree import Tree

_LIST = re.compile(
    r"/(?:tags?|categor(?:y|ies)|topics|authors?|archives?|series|keywords)(?:/[^/]+)?"
    r"|(?:/[^/]+)*?/(?:page[/-]?[1-9]\d{0,2}|tags?(?:/[^/]+)?|categor(?:y|ies)(?:/[^/]+)?|authors(?:/[^/]+)?|archives?(?:/\d+)*)"
    r"|(?:/[^/]+)*?/(?:tags?|categor(?:y|ies)|authors?|archives?)/[^/]+/(?:page/?)?\d+"
    r"|(?:/[^/]+)?/(?:19|20)\d\d(?:/[01]?\d(?:/[0-3]?\d)?)?"
)


class Publication(Struct, frozen=True):
    """An address at which a file is published. `kind` is `page`, or `list` for a page that lists others."""

    path: str
    source: str
    kind: str = "page"
    also: tuple[str, ...] = ()


class Hints(Struct, frozen=True):
    """What is known of the built site before any source is.

    `generators`: the texts of `<meta name=generator>` on its pages, lower case. `prefix`: the built site's folder
    from the repository's root (None: outside). `base`: the path of the site's address (`/`, `/docs/`). `paths`: the
    addresses that look for a source.
    """

    generators: frozenset[str] = frozenset()
    prefix: str | None = None
    base: str = "/"
    paths: frozenset[str] = frozenset()

    def built_by(self, name: str) -> bool:
        """Whether a page says that this generator made it."""
        return any(name in generator for generator in self.generators)


class Clues(Struct, frozen=True):
    """Under what a file may be found: `group` of files that share a pattern, names (slugs), days as (y, m, d)."""

    group: str
    names: frozenset[str]
    days: frozenset[Day] = frozenset()

    @classmethod
    def of(cls, group: str, names: Iterable[str], day: Day | None) -> Clues:
        """Clues of names (those that are "" do not count), and of a day with the ones that a time zone makes of it."""
        return cls(group, frozenset(names) - {""}, frozenset(near(day) if day else ()))


class Layout:
    """One site of one generator in the repository. See the module's text for what to answer."""

    generator = ""
    moves = False  # front matter can change a page's address
    folds = False  # addresses are lower case whatever the names of the files are

    def __init__(self, tree: Tree, place: str, *, sure: bool = True) -> None:
        self.tree = tree
        self.place = place
        self.sure = sure

    def files(self) -> Iterable[str]:
        """The content files."""
        raise NotImplementedError

    def by_name(self, file: str) -> Sequence[Publication]:
        """Where a file is published, by its name alone."""
        return self.by_matter(file, {})

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        """Where a file is published, by its name and front matter. Asked only of a layout that `moves`."""
        raise NotImplementedError

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        """Clues for a file whose address follows a pattern that the configuration does not tell."""
        del file, matter
        return None

    def lists(self, path: str) -> bool:
        """Whether the address of a page without a file is that of a list."""
        return looks_like_list(path)

    def includes(self, file: str, text: str) -> Iterable[str]:
        """Files that the text of a source takes in."""
        del file, text
        return ()


def page_at(stem: str, ending: str) -> str:
    """The address of a page by its path without suffix: the ending is put behind it, but an index is its folder's."""
    return f"/{stem[:-5]}" if stem == "index" or stem.endswith("/index") else f"/{stem}{ending}"


@lru_cache(maxsize=1 << 18)
def normal(path: str) -> str:
    """The one form of an address's spellings: no `index.html`, no `.html`, no last slash; `/` is ""."""
    if path.endswith("/index.html"):
        path = path[:-10]
    elif path.endswith(".html"):
        path = path[:-5]
    elif path.endswith(".htm"):
        path = path[:-4]
    return path.rstrip("/")


def looks_like_list(path: str) -> bool:
    """Whether an address has the form of a tag, category, author or archive page, or of a pager."""
    return _LIST.fullmatch(normal(path).lower()) is not None
