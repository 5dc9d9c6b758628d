"""Canonical tags: does each listed page agree that the listed address is its own?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import urls
from sitemap_guard.model import Entry, Hit, Site
from sitemap_guard.rules.base import standing


def mismatch(site: Site) -> Iterator[Hit]:
    """A listed address must be the one that its page names as canonical.

    Sitemap and page then ask for two addresses, and the page wins: the listed one is reported as not chosen. A
    final slash, `index.html`, http for https and `www.` all make another address.

    Bad: `<loc>https://example.org/about</loc>`, page: `<link rel=canonical href="https://example.org/about/">`
    Good: the same address in both

    List the canonical address, or mend the tag in the template.
    Source: Google, "Consolidate duplicate URLs".
    """
    listed = {entry.url for entry in site.entries}
    for index, entry in standing(site):
        targets = _in_head(entry)
        if len(targets) != 1:
            continue
        address = next(iter(targets))
        if address == entry.url:
            continue
        also = "; that address is listed already" if address in listed else ""
        yield Hit(
            f"{site.place(entry.located.path)} names {address} as canonical{also}",
            index,
            element="loc",
            claimed=entry.claim.loc,
            expected=None if also else address,
            group=f"canonical-mismatch:{_difference(entry.url, address)}",
            headline=_headline(_difference(entry.url, address)),
            cure="list the address that the pages name, or mend the tag in the template",
        )


def _difference(loc: str, canonical: str) -> str:
    """The kind of difference, for grouping: what the whole site does wrong is one cause."""
    if loc + "/" == canonical or loc == canonical + "/":
        return "slash"
    if loc.removesuffix("index.html") == canonical or canonical.removesuffix("index.html") == loc:
        return "index"
    ours, theirs = urls.parse(loc), urls.parse(canonical)
    if ours and theirs and ours.origin != theirs.origin and ours.path == theirs.path:
        return f"host {theirs.origin}"
    return "address"


def _headline(kind: str) -> str:
    if kind == "slash":
        return "locs and canonical tags differ by the final slash"
    if kind == "index":
        return "locs and canonical tags differ by index.html"
    if kind.startswith("host "):
        return f"pages name {kind[5:]} as their host, the sitemap another"
    return "pages name another address as canonical"


def multiple(site: Site) -> Iterator[Hit]:
    """A page must name one canonical address.

    Search engines are likely to ignore all of them when there are several that differ.

    Bad: a plugin and the theme each write a canonical tag, with two addresses
    Good: one tag
    """
    for index, entry in standing(site):
        targets = _in_head(entry)
        if len(targets) > 1:
            named = " and ".join(sorted(targets))
            yield Hit(
                f"{site.place(entry.located.path)} names several canonical addresses: {named}",
                index,
                group="canonical-multiple",
            )


def outside_head(site: Site) -> Iterator[Hit]:
    """A canonical tag counts only in the head.

    An element that does not belong in the head (`<div>`, `<img>`, text) ends it there, and everything after it is
    in the body, where the tag is ignored.

    Bad: `<head><div></div><link rel="canonical" href="…"></head>`
    Good: the tag before anything that ends the head

    Source: HTML, "The head element"; Google, "Valid page metadata".
    """
    for index, entry in standing(site):
        page = entry.page
        if page is not None and page.canonicals and not any(link.in_head for link in page.canonicals):
            yield Hit(
                f"the canonical tag of {site.place(entry.located.path)} stands outside the head and is ignored",
                index,
                group="canonical-outside-head",
                headline="canonical tags stand outside the head",
                cure="move the tag before the first element that ends the head (div, img, text …)",
            )


def relative(site: Site) -> Iterator[Hit]:
    """A canonical tag should hold an absolute address.

    A relative one works, but a page that is served at a second address then names that one.

    Bad: `<link rel="canonical" href="/about/">`
    Good: `<link rel="canonical" href="https://example.org/about/">`
    """
    for index, entry in standing(site):
        page = entry.page
        if page is not None and any(link.in_head and not urls.is_absolute(link.href) for link in page.canonicals):
            yield Hit(
                f"the canonical tag of {site.place(entry.located.path)} is relative",
                index,
                group="canonical-relative",
            )


def _in_head(entry: Entry) -> set[str]:
    """The canonical addresses that count, absolute and in normal form, without fragment."""
    page = entry.page
    if page is None:
        return set()
    base = urls.parse(page.base, entry.url) if page.base else None
    found = set()
    for link in page.canonicals:
        address = urls.parse(link.href, base.href if base else entry.url) if link.in_head and link.href else None
        if address is not None:
            found.add(address.href)
    return found
