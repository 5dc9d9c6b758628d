"""What a site claims: its sitemaps and their entries."""

from __future__ import annotations

from msgspec import Struct


class Alternate(Struct, frozen=True, gc=False):
    """One alternate of a claim or a page: its hreflang code and address, both as written."""

    hreflang: str
    href: str


class Claim(Struct, frozen=True, gc=False):
    """One entry of a sitemap.

    `loc` is the text of the element without surrounding white space ("" when empty or missing), `lastmod` the
    same (None: no such element; "": an empty one). `sitemap` is the `Sitemap.path` it stands in. `line` and
    `column` are those of the loc element, `lastmod_line` that of the lastmod element (0: there is none).
    `feed` tells that the date is of a feed (RFC 822 in RSS, RFC 3339 in Atom), not a W3C datetime.
    `lastmod_range` is where the lastmod's text stands: first line, column, last line and the column after the end,
    columns in UTF-8 bytes; () when it is not known. `news` tells that the entry has a news extension.
    `priority` and `changefreq` are the texts of those elements (None: there is none), `published` that of the news
    extension's publication_date, at `published_line`.
    """

    loc: str
    lastmod: str | None
    sitemap: str
    line: int
    column: int = 0
    lastmod_line: int = 0
    alternates: tuple[Alternate, ...] = ()
    feed: bool = False
    lastmod_range: tuple[()] | tuple[int, int, int, int] = ()
    news: bool = False
    priority: str | None = None
    changefreq: str | None = None
    published: str | None = None
    published_line: int = 0


class Child(Struct, frozen=True):
    """One entry of a sitemap index, and what became of it.

    `state` is one of: `read` (a sitemap was read from `path`), `missing` (no such file in the built site),
    `relative` (loc is no absolute URL), `elsewhere` (another scheme, host or port), `outside` (the path leaves
    the site's folder or base path), `itself`, `nested` (the child is an index), `empty` (no loc). `near` is the file
    that was probably meant by one that is missing ("" for none).
    """

    loc: str
    lastmod: str | None
    line: int
    column: int
    state: str
    path: str = ""
    near: str = ""


class Problem(Struct, frozen=True):
    """Something wrong with a whole file. `code` is the reader's word for it, `detail` one clause for people.

    Codes of a sitemap that could not be read at all (its claims are dropped): `not-well-formed`, `not-utf8`,
    `html`, `json`, `not-a-sitemap`, `dtd`, `gzip-broken`, `gzip-double`, `gzip-not`, `gzip-bomb`, `unreadable`.
    Codes of one that was read: `namespace`, `too-many`, `too-large`, `empty`, `bom`, `encoding`, `element`,
    `extension`, `removed` (an element that is read no more), `padding` (white space around a loc), `gzip-unnamed`
    (packed under a plain name), `gzip-stale` (other entries than its plain twin).
    """

    code: str
    detail: str
    line: int = 0
    column: int = 0


class Sitemap(Struct, frozen=True):
    """One sitemap file as read.

    `path` is relative to the built site's folder. `kind`: `urlset`, `index`, `text`, `rss`, `atom`, or `none`
    when it could not be read. `size` is in bytes, unpacked. `found_by` is `robots.txt`, `index` or `name`.
    `announced` tells whether robots.txt names it or an index that lists it.
    """

    path: str
    kind: str
    found_by: str
    announced: bool = False
    gzipped: bool = False
    size: int = 0
    claims: tuple[Claim, ...] = ()
    children: tuple[Child, ...] = ()
    problems: tuple[Problem, ...] = ()


class SitemapLine(Struct, frozen=True):
    """One `Sitemap:` line of robots.txt. `state` and `near` as in `Child`, `path` the file it leads to."""

    url: str
    line: int
    state: str
    path: str = ""
    near: str = ""
