"""What was built: the pages behind the locs, and what they state about themselves."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.claims import Alternate


class Canonical(Struct, frozen=True, gc=False):
    """One `<link rel=canonical>` that counts (no hreflang, lang, media or type), as written."""

    href: str
    in_head: bool


class EditLink(Struct, frozen=True, gc=False):
    """A link to a file of a repository: `(edit|blob|tree|raw|src|_edit)/REF/PATH`.

    `prefix` is the href up to and including that word and slash, `tail` what follows (ref and path, decoded,
    without query and fragment), `mark` the link's class without hash-like words, and its tag.
    """

    prefix: str
    tail: str
    mark: str


class Stated(Struct, frozen=True, gc=False):
    """A modification date that a page states about itself: in words how, and the value as written."""

    how: str
    value: str


class Spot(Struct, frozen=True, gc=False):
    """A place in a file: line and column, in characters and both from 1."""

    line: int
    column: int


class Page(Struct, frozen=True, gc=False):
    """What a built HTML file states about itself.

    `robots` holds the directives of meta robots and googlebot, lower case, from head and body. `refresh` is the
    target of a meta refresh (within seconds) or redirect script as written, `base` is `<base href>` ("" for none).
    `problem`: "" when it could be read, else why not (`unreadable`, `too-large`). `modified` are the modification
    dates that it states. `robots_at`, `refresh_at` and `canonical_at` are where the tag stands that asks not to be
    indexed, that sends visitors elsewhere, and the first canonical that counts (None: there is none, or not known; the
    last one is looked for only where something may be said of it).
    """

    path: str
    canonicals: tuple[Canonical, ...] = ()
    robots: frozenset[str] = frozenset()
    refresh: str = ""
    base: str = ""
    lang: str = ""
    generator: str = ""
    alternates: tuple[Alternate, ...] = ()
    edit_links: tuple[EditLink, ...] = ()
    problem: str = ""
    modified: tuple[Stated, ...] = ()
    robots_at: Spot | None = None
    refresh_at: Spot | None = None
    canonical_at: Spot | None = None


class Located(Struct, frozen=True, gc=False):
    """The built file behind a loc.

    `state`: `html` (a page at `path`), `file` (another kind of file), `missing`, `elsewhere` (not on this site),
    `outside` (would leave the site's folder: `..`, a symbolic link), `unparsable` (loc is no URL). `path` is
    relative to the site's folder, `tried` the paths that were looked up when nothing was found. `as_written` is
    false when the host serves the file only after changing the address (a slash added, `.html` taken off). `near` is
    a built file that only its letter case, or another Unicode form of the same letters, sets apart from the address;
    for one on another host, the file that the same path has here.
    """

    state: str
    path: str = ""
    tried: tuple[str, ...] = ()
    as_written: bool = True
    near: str = ""


class Disallow(Struct, frozen=True, gc=False):
    """The robots.txt rule that keeps crawlers from a page."""

    line: int
    rule: str
