"""Sitemap files: can search engines read them, and does each lead where it says?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_guard.model import Child, Hit, Level, Site
from sitemap_guard.rules.base import place_of_all, plural

# What keeps a reader from taking anything out of the file (see `Problem`).
UNREADABLE = frozenset({
    "not-well-formed", "not-utf8", "html", "json", "not-a-sitemap", "dtd",
    "gzip-broken", "gzip-double", "gzip-not", "gzip-bomb", "unreadable",
})  # fmt: skip


def problems(site: Site, codes: frozenset[str], group: str) -> Iterator[Hit]:
    """What a reader found wrong with whole files, by its codes."""
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
    yield from problems(site, UNREADABLE, "sitemap-unreadable")


def namespace(site: Site) -> Iterator[Hit]:
    """The root element must be in the sitemap namespace, with http and the version 0.9.

    Bad: `<urlset>` or `xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"`
    Good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`

    Source: sitemaps.org protocol, "XML tag definitions".
    """
    yield from problems(site, frozenset({"namespace"}), "sitemap-namespace")


def too_large(site: Site) -> Iterator[Hit]:
    """A sitemap may have at most 50,000 entries and 52,428,800 bytes, unpacked; an index likewise.

    Search engines refuse the whole file. Split it, and list the parts in an index.

    Source: sitemaps.org protocol, "Using sitemap index files".
    """
    yield from problems(site, frozenset({"too-many", "too-large"}), "sitemap-too-large")


def element(site: Site) -> Iterator[Hit]:
    """Elements must be spelt as the protocol spells them; unknown ones are ignored by search engines.

    Bad: `<lastMod>2026-05-10</lastMod>`
    Good: `<lastmod>2026-05-10</lastmod>`
    """
    yield from problems(site, frozenset({"element"}), "sitemap-element")


_EVERY = 10  # from this many entries on, one value on all of them says nothing
_OFTEN = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


def priority(site: Site) -> Iterator[Hit]:
    """A priority must be a number from 0.0 to 1.0, with a dot.

    One and the same priority on every entry says nothing, since it only compares the pages of one site; Google ignores
    it anyway.

    Bad: `<priority>0,8</priority>`, `<priority>10</priority>`
    Good: `<priority>0.8</priority>`, or no priority

    Source: sitemaps.org protocol, "priority".
    """
    values: Counter[str] = Counter()
    for index, entry in enumerate(site.entries):
        text = entry.claim.priority
        if text is None:
            continue
        values[text] += 1
        fault = _priority_fault(text)
        if fault:
            yield Hit(f"priority {text!r}: {fault}", index, group=f"sitemap-priority:{fault}")
    if len(values) == 1 and sum(values.values()) == len(site.entries) >= _EVERY:
        count = plural(len(site.entries), "entry", "entries")
        text = f"all {count} have the priority {next(iter(values))}: it says nothing"
        yield Hit(text, path=place_of_all(site), level=Level.INFO, group="sitemap-priority:alike")


def _priority_fault(text: str) -> str:
    """What is wrong with a priority: an xsd:decimal from 0.0 to 1.0, so no exponent and no comma."""
    if "," in text and text.replace(",", "", 1).isdigit():
        return "write a dot, not a comma"
    bare = text.removeprefix("+")
    if not (bare.isascii() and bare.replace(".", "", 1).isdigit()):
        return "it must be a number from 0.0 to 1.0"
    return "" if float(bare) <= 1 else "it must be a number from 0.0 to 1.0"


def changefreq(site: Site) -> Iterator[Hit]:
    """A changefreq must be one of: always, hourly, daily, weekly, monthly, yearly, never.

    Search engines look at the dates instead: Google ignores changefreq and priority, which is noted once a sitemap.

    Bad: `<changefreq>Weekly</changefreq>`, `<changefreq>biweekly</changefreq>`
    Good: `<changefreq>weekly</changefreq>`, or none

    Source: sitemaps.org protocol, "changefreq".
    """
    for index, entry in enumerate(site.entries):
        text = entry.claim.changefreq
        if text is not None and text not in _OFTEN:
            hint = f"write {text.lower()}" if text.lower() in _OFTEN else f"it must be one of {', '.join(_OFTEN)}"
            yield Hit(f"changefreq {text!r}: {hint}", index, group=f"sitemap-changefreq:{text[:40]}")
    for sitemap in site.sitemaps:
        given = [claim for claim in sitemap.claims if claim.changefreq is not None]
        both = any(claim.priority is not None for claim in given)
        if given:
            count = plural(len(given), "entry has", "entries have")
            yield Hit(
                f"{count} a changefreq{' and a priority' if both else ''}: Google ignores {'both' if both else 'it'}",
                path=site.place(sitemap.path),
                group=f"sitemap-changefreq:ignored:{both}",
                headline=f"Google ignores changefreq{' and priority' if both else ''}",
                cure="leave it out, unless another search engine is to read it",
                level=Level.INFO,
            )


def empty(site: Site) -> Iterator[Hit]:
    """A sitemap should have entries: one with none checks nothing, and its schema does not allow it.

    Bad: `<urlset …></urlset>`
    Good: no file at all, or one with the site's pages
    """
    yield from problems(site, frozenset({"empty"}), "sitemap-empty")


def gzip_stale(site: Site) -> Iterator[Hit]:
    """A packed twin (`sitemap.xml.gz`) must hold what the plain file beside it holds.

    Bad: sitemap.xml rewritten after the build, sitemap.xml.gz left as it was
    Good: both made anew, or only one of them
    """
    yield from problems(site, frozenset({"gzip-stale"}), "sitemap-gzip-stale")


_CHILD = {
    "missing": "the index lists {loc}, but the build has no such file",
    "relative": "the index lists {loc}; it must be an absolute address",
    "elsewhere": "the index lists {loc}, which is on another site",
    "outside": "the index lists {loc}, which leads out of the site's folder",
    "itself": "the index lists itself",
    "nested": "the index lists {loc}, which is an index itself; an index may list sitemaps only",
    "empty": "the index has an entry without an address",
}


def _nearest(near: str) -> str:
    return f"; the nearest is {near}" if near else ""


def index_child(site: Site) -> Iterator[Hit]:
    """Every entry of a sitemap index must be the absolute address of a sitemap on the same site.

    An index may not list an index, nor itself, nor a file that is not there. A sitemap that does not lie in the
    index's folder or below is a warning: Google reads it only when it is submitted on its own.

    Bad: `<sitemap><loc>sitemap-0.xml</loc></sitemap>`
    Good: `<sitemap><loc>https://example.org/sitemap-0.xml</loc></sitemap>`

    Source: sitemaps.org protocol, "Using sitemap index files".
    """
    announced = {line.path for line in site.robots}
    for sitemap in site.sitemaps:
        for child in sitemap.children:
            if child.state in _CHILD:
                yield Hit(
                    _CHILD[child.state].format(loc=child.loc) + _nearest(child.near),
                    path=site.place(sitemap.path),
                    line=child.line,
                    column=child.column,
                    group=f"sitemap-index-child:{sitemap.path}:{child.state}",
                )
            elif child.state == "read" and _outside(sitemap.path, child, announced):
                yield Hit(
                    f"the index lists {child.loc}, which is not in its folder or below",
                    path=site.place(sitemap.path),
                    line=child.line,
                    column=child.column,
                    group=f"sitemap-index-child:{sitemap.path}:folder",
                    level=Level.WARNING,
                )


def _outside(index: str, child: Child, announced: set[str]) -> bool:
    folder = index.rpartition("/")[0]
    return bool(folder) and not child.path.startswith(f"{folder}/") and child.path not in announced


def robots(site: Site) -> Iterator[Hit]:
    """A `Sitemap:` line of robots.txt must be the absolute address of a sitemap that was built.

    A sitemap that an index named there lists already needs no line of its own (warning). A robots.txt without any such
    line is only noted: a sitemap can be submitted by hand.

    Bad: `Sitemap: /sitemap.xml`
    Good: `Sitemap: https://example.org/sitemap.xml`

    Source: sitemaps.org protocol, "Specifying the sitemap location in your robots.txt file".
    """
    if site.robots_path and not site.robots and site.sitemaps and site.base_url.count("/") == 3:
        yield Hit(
            "no line names a sitemap: search engines look for one only where they are told",
            path=site.place(site.robots_path),
            level=Level.INFO,
        )
    named = {line.path for line in site.robots if line.path}
    listed = {
        child.path: sitemap.path for sitemap in site.sitemaps for child in sitemap.children if child.state == "read"
    }
    for line in site.robots:
        if line.state == "relative":
            yield Hit(
                f"the line names {line.url}; it must be an absolute address",
                path=site.place(site.robots_path),
                line=line.line,
            )
        elif line.state in ("missing", "outside"):
            yield Hit(
                f"the line names {line.url}, but the build has no such file" + _nearest(line.near),
                path=site.place(site.robots_path),
                line=line.line,
            )
        elif line.path in listed and listed[line.path] in named:
            yield Hit(
                f"the line names {line.url}, which the index {listed[line.path]} lists already",
                path=site.place(site.robots_path),
                line=line.line,
                level=Level.WARNING,
            )


def bom(site: Site) -> Iterator[Hit]:
    """A sitemap that starts with a byte order mark is read by most, but the protocol does not mention one.

    The same is said of a sitemap that is packed under a name without `.gz`.
    """
    for hit in problems(site, frozenset({"bom", "gzip-unnamed"}), "sitemap-bom"):
        yield Hit(hit.message, path=hit.path, line=hit.line, column=hit.column, group=hit.group, level=Level.INFO)
