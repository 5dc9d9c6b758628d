"""Addresses: is every loc one that this sitemap may list, written as the protocol wants it?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import urls
from sitemap_guard.model import Entry, Hit, Level, Site
from sitemap_guard.rules.base import entries

MAX_LENGTH = 2047  # the protocol says "less than 2,048 characters"; its schema allows one more, the prose rules
_TRACKING = ("utm_source=", "utm_medium=", "utm_campaign=", "gclid=", "fbclid=")


def relative(site: Site) -> Iterator[Hit]:
    """A loc must be an absolute address.

    Search engines drop entries whose loc does not say scheme and host. Generators write relative ones when the
    site's address is not set.

    Bad: `<loc>/about/</loc>`
    Good: `<loc>https://example.org/about/</loc>`

    Set the site's address in the generator (`url`, `baseURL`, `site_url`, `site` …) and build again.
    Source: sitemaps.org protocol, "loc".
    """
    for index, entry in entries(site):
        loc = entry.claim.loc
        if not loc:
            yield Hit("the loc is empty", index, group="loc-relative:empty")
        elif not urls.is_absolute(loc):
            yield Hit(
                "the loc is relative; it must start with scheme and host",
                index,
                element="loc",
                claimed=loc,
                expected=_absolute(site, loc),
                group="loc-relative",
                headline="locs are relative",
                cure="set the site's address in the generator's configuration",
            )


def _absolute(site: Site, loc: str) -> str | None:
    address = urls.parse(loc, site.base_url) if site.base_url else None
    return address.href if address else loc


def host(site: Site) -> Iterator[Hit]:
    """A loc must be on the sitemap's own host, scheme and port.

    Addresses elsewhere are dropped. `http` is not `https`, `www.example.org` is not `example.org`.

    Bad: `<loc>http://www.example.org/</loc>` in the sitemap of `https://example.org/`
    Good: `<loc>https://example.org/</loc>`

    Set the site's one address in the generator. If the sitemap is served from another address than the one that
    was found, say so with `--base-url`.
    Source: sitemaps.org protocol, "Sitemap file location".
    """
    base = urls.parse(site.base_url)
    if base is None:
        return
    for index, entry in entries(site):
        if not entry.url or entry.url.startswith(base.origin + "/"):
            continue
        address = urls.parse(entry.url)
        if address is None:
            continue
        yield Hit(
            f"{address.origin} is not {base.origin}",
            index,
            element="loc",
            claimed=entry.claim.loc,
            expected=base.origin + entry.url.removeprefix(address.origin),
            group=f"loc-host:{address.origin}",
            headline=f"locs are on {address.origin}, but the site is at {base.origin} (by {site.base_by})",
            cure="set the site's address in the generator; if the address found is wrong, give --base-url",
        )


def scope(site: Site) -> Iterator[Hit]:
    """A loc must lie in the folder of its sitemap or below it.

    A sitemap at `/catalog/sitemap.xml` covers only addresses that start with `/catalog/`; others are dropped,
    unless the sitemap is submitted by hand. It is a warning where robots.txt of the same host names the sitemap.

    Bad: `https://example.org/` in `https://example.org/en/sitemap.xml`
    Good: the same entry in `https://example.org/sitemap.xml`

    Move the sitemap to the site's root, or move the entries to a sitemap there.
    Source: sitemaps.org protocol, "Sitemap file location".
    """
    announced = {sitemap.path for sitemap in site.sitemaps if sitemap.announced}
    base = urls.parse(site.base_url)
    if base is None:
        return
    for index, entry in entries(site):
        if not entry.url.startswith(base.origin + "/"):
            continue
        folder = entry.claim.sitemap.rpartition("/")[0]
        within = site.base_url + (folder + "/" if folder else "")
        if entry.url.startswith(within) or entry.url + "/" == within:
            continue
        known = entry.claim.sitemap in announced
        yield Hit(
            f"outside the sitemap's scope {within}",
            index,
            group=f"loc-scope:{entry.claim.sitemap}",
            headline=f"{entry.claim.sitemap} may list only addresses below {within}",
            cure="list these addresses in a sitemap at the site's root",
            level=Level.WARNING if known else None,
        )


def length(site: Site) -> Iterator[Hit]:
    """A loc must be shorter than 2,048 characters.

    Bad: an address with a long query of session data.
    Good: the page's canonical address.

    Source: sitemaps.org protocol, "loc".
    """
    for index, entry in entries(site):
        size = len(entry.claim.loc)
        if size > MAX_LENGTH:
            yield Hit(f"the loc has {size:,} characters; at most {MAX_LENGTH:,} are allowed", index)


def escape(site: Site) -> Iterator[Hit]:
    """A loc must be escaped once: for the web, then for XML.

    A space or a control character is no part of an address; `&amp;` that is left after reading the XML was escaped
    twice. An address with letters outside ASCII is allowed (RFC 3987) and only noted.

    Bad: `<loc>https://example.org/a b</loc>`, `<loc>https://example.org/?a=1&amp;amp;b=2</loc>`
    Good: `<loc>https://example.org/a%20b</loc>`, `<loc>https://example.org/?a=1&amp;b=2</loc>`

    Source: sitemaps.org protocol, "Entity escaping".
    """
    for index, entry in entries(site):
        loc = entry.claim.loc
        if not urls.is_absolute(loc):
            continue
        fault = _escape_fault(entry)
        if fault:
            fixed = loc.replace("&amp;", "&") if "&amp;" in loc else entry.url or loc
            yield Hit(fault, index, element="loc", claimed=loc, expected=fixed, group=f"loc-escape:{fault}")
        elif not loc.isascii():
            yield Hit(
                "the loc has letters outside ASCII; allowed, though some tools want them percent-encoded",
                index,
                group="loc-escape:iri",
                level=Level.INFO,
            )


def _escape_fault(entry: Entry) -> str:
    loc = entry.claim.loc
    if not entry.url:
        return "the loc is no valid address"
    if "&amp;" in loc:
        return "the loc still holds &amp; after reading: it was escaped twice"
    if any(letter.isspace() or not letter.isprintable() for letter in loc):
        return "the loc holds a space or a control character"
    return ""


def fragment(site: Site) -> Iterator[Hit]:
    """A loc should have no fragment: search engines ignore what follows `#`.

    Bad: `https://example.org/guide/#cache`
    Good: `https://example.org/guide/`
    """
    for index, entry in entries(site):
        before, mark, _ = entry.claim.loc.partition("#")
        if mark:
            yield Hit(
                "the part after # is ignored by search engines",
                index,
                element="loc",
                claimed=entry.claim.loc,
                expected=before,
            )


def tracking(site: Site) -> Iterator[Hit]:
    """A loc should carry no tracking parameters: they make a second address of the same page.

    Bad: `https://example.org/?utm_source=mail`
    Good: `https://example.org/`
    """
    for index, entry in entries(site):
        query = entry.claim.loc.partition("?")[2]
        found = next((name for name in _TRACKING if name in query), "")
        if found:
            yield Hit(f"the loc carries the tracking parameter {found.rstrip('=')}", index)


def duplicate(site: Site) -> Iterator[Hit]:
    """An address should be listed once.

    Twice with different dates, one of the two is false. Addresses that differ only in an empty path or in escaping
    are the same.

    Bad: `https://example.org` and `https://example.org/` in one sitemap
    Good: one of them
    """
    seen: dict[str, int] = {}
    for index, entry in entries(site):
        if not entry.url:
            continue
        first = seen.setdefault(entry.url, index)
        if first == index:
            continue
        other = site.entries[first].claim
        dates = "" if other.lastmod == entry.claim.lastmod else f" with another date ({other.lastmod or 'none'})"
        yield Hit(f"listed already at {site.place(other.sitemap)}:{other.line}{dates}", index)
