"""Sitemap files: can search engines read them, and does each lead where it says?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.model import Hit, Level, Site

# What keeps a reader from taking anything out of the file (see `Problem`).
UNREADABLE = frozenset({
    "not-well-formed", "not-utf8", "html", "json", "not-a-sitemap", "dtd",
    "gzip-broken", "gzip-double", "gzip-not", "gzip-bomb", "unreadable",
})  # fmt: skip


def _problems(site: Site, codes: frozenset[str], group: str) -> Iterator[Hit]:
    for sitemap in site.sitemaps:
        for problem in sitemap.problems:
            if problem.code in codes:
                yield Hit(
                    problem.detail,
                    path=site.place(sitemap.path),
                    line=problem.line,
                    column=problem.column,
                    group=f"{group}:{sitemap.path}:{problem.code}",
                )


def unreadable(site: Site) -> Iterator[Hit]:
    """A sitemap must be readable as a whole: well-formed XML in UTF-8, or plain text.

    A search engine that stumbles drops the file, so nothing in it is checked here either. A raw `&`, text before
    the XML declaration, an HTML page served under the sitemap's name and a broken or doubled gzip are the usual
    causes. A document type declaration is refused: it is no part of the format and can be an attack.

    Bad: `<loc>https://example.org/?a=1&b=2</loc>`
    Good: `<loc>https://example.org/?a=1&amp;b=2</loc>`
    """
    yield from _problems(site, UNREADABLE, "sitemap-unreadable")


def namespace(site: Site) -> Iterator[Hit]:
    """The root element must be in the sitemap namespace, with http and the version 0.9.

    Bad: `<urlset>` or `xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"`
    Good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`

    Source: sitemaps.org protocol, "XML tag definitions".
    """
    yield from _problems(site, frozenset({"namespace"}), "sitemap-namespace")


def too_large(site: Site) -> Iterator[Hit]:
    """A sitemap may have at most 50,000 entries and 52,428,800 bytes, unpacked; an index likewise.

    Search engines refuse the whole file. Split it, and list the parts in an index.

    Source: sitemaps.org protocol, "Using sitemap index files".
    """
    yield from _problems(site, frozenset({"too-many", "too-large"}), "sitemap-too-large")


def element(site: Site) -> Iterator[Hit]:
    """Elements must be spelt as the protocol spells them; unknown ones are ignored by search engines.

    Bad: `<lastMod>2026-05-10</lastMod>`
    Good: `<lastmod>2026-05-10</lastmod>`
    """
    yield from _problems(site, frozenset({"element"}), "sitemap-element")


def empty(site: Site) -> Iterator[Hit]:
    """A sitemap should have entries: one with none checks nothing, and its schema does not allow it.

    Bad: `<urlset …></urlset>`
    Good: no file at all, or one with the site's pages
    """
    yield from _problems(site, frozenset({"empty"}), "sitemap-empty")


def gzip_stale(site: Site) -> Iterator[Hit]:
    """A packed twin (`sitemap.xml.gz`) must hold what the plain file beside it holds.

    Bad: sitemap.xml rewritten after the build, sitemap.xml.gz left as it was
    Good: both made anew, or only one of them
    """
    yield from _problems(site, frozenset({"gzip-stale"}), "sitemap-gzip-stale")


_CHILD = {
    "missing": "the index lists {loc}, but the build has no such file",
    "relative": "the index lists {loc}; it must be an absolute address",
    "elsewhere": "the index lists {loc}, which is on another site",
    "outside": "the index lists {loc}, which leads out of the site's folder",
    "itself": "the index lists itself",
    "nested": "the index lists {loc}, which is an index itself; an index may list sitemaps only",
    "empty": "the index has an entry without an address",
}


def index_child(site: Site) -> Iterator[Hit]:
    """Every entry of a sitemap index must be the absolute address of a sitemap on the same site.

    An index may not list an index, nor itself, nor a file that is not there.

    Bad: `<sitemap><loc>sitemap-0.xml</loc></sitemap>`
    Good: `<sitemap><loc>https://example.org/sitemap-0.xml</loc></sitemap>`

    Source: sitemaps.org protocol, "Using sitemap index files".
    """
    for sitemap in site.sitemaps:
        for child in sitemap.children:
            if child.state in _CHILD:
                yield Hit(
                    _CHILD[child.state].format(loc=child.loc),
                    path=site.place(sitemap.path),
                    line=child.line,
                    column=child.column,
                    group=f"sitemap-index-child:{sitemap.path}:{child.state}",
                )


def robots(site: Site) -> Iterator[Hit]:
    """A `Sitemap:` line of robots.txt must be the absolute address of a sitemap that was built.

    Bad: `Sitemap: /sitemap.xml`
    Good: `Sitemap: https://example.org/sitemap.xml`

    Source: sitemaps.org protocol, "Specifying the sitemap location in your robots.txt file".
    """
    for line in site.robots:
        if line.state == "relative":
            yield Hit(
                f"the line names {line.url}; it must be an absolute address",
                path=site.place(site.robots_path),
                line=line.line,
            )
        elif line.state in ("missing", "outside"):
            yield Hit(
                f"the line names {line.url}, but the build has no such file",
                path=site.place(site.robots_path),
                line=line.line,
            )


def bom(site: Site) -> Iterator[Hit]:
    """A sitemap that starts with a byte order mark is read by most, but the protocol does not mention one."""
    for hit in _problems(site, frozenset({"bom", "gzip-unnamed"}), "sitemap-bom"):
        yield Hit(hit.message, path=hit.path, line=hit.line, column=hit.column, group=hit.group, level=Level.INFO)
