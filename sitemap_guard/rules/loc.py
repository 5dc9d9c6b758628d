"""Addresses: is every loc one that this sitemap may list, written as the protocol wants it?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sitemap_guard import urls
from sitemap_guard.model import Entry, Hit, Level, Site
from sitemap_guard.rules.base import entries, is_staging
from sitemap_guard.rules.canonical import in_head

MAX_LENGTH = 2047  # the protocol says "less than 2,048 characters"; its schema allows one more, the prose rules
_ALLOWED = (
    "nothing need be done; to be rid of the warning, accept it with [[ignore]], or list them in a sitemap at the "
    "site's root (Hugo: defaultContentLanguageInSubdir = true moves the pages instead)"
)
_TRACKING = re.compile(r"(?:utm_[a-z]+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|_hsenc|_hsmi)", re.IGNORECASE)


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
            yield _proposing(
                "the loc is relative; it must start with scheme and host",
                index,
                loc,
                _absolute(site, loc),
                group="loc-relative",
                headline="locs are relative",
                cure="set the site's address in the generator's configuration",
            )


def _absolute(site: Site, loc: str) -> str:
    address = urls.parse(loc, site.base_url) if site.base_url else None
    return address.href if address else ""


def _proposing(message: str, index: int, loc: str, fixed: str, **more: Any) -> Hit:
    """A hit that proposes `fixed` for the loc, if that is anything, and not what stands there already."""
    if not fixed or fixed == loc:
        return Hit(message, index, **more)
    return Hit(message, index, element="loc", claimed=loc, expected=fixed, **more)


def _userless(url: str) -> str:
    """An address in normal form without the user that it names before the host (RFC 3986 3.2.1)."""
    scheme, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    return scheme + mark + authority.rpartition("@")[2] + slash + path


def host(site: Site) -> Iterator[Hit]:
    """A loc must be on the sitemap's own host, scheme and port.

    Addresses elsewhere are dropped. `http` is not `https`, `www.example.org` is not `example.org`.

    Bad: `<loc>http://www.example.org/</loc>` in the sitemap of `https://example.org/`
    Good: `<loc>https://example.org/</loc>`

    Set the site's one address in the generator. If the sitemap is served from another address than the one that
    was found, say so with `--base-url`; further hosts that it may list are named by `hosts` under [addresses].
    Source: sitemaps.org protocol, "Sitemap file location".
    """
    base = urls.parse(site.base_url)
    if base is None or is_staging(site, urls.host_of(base.href)):
        return
    for index, entry in entries(site):
        if not entry.url or entry.url.startswith(base.origin + "/"):
            continue
        address = urls.parse(entry.url)
        name = urls.host_of(entry.url)
        userless = _userless(entry.url)
        if userless != entry.url and (userless.startswith(base.origin + "/") or name in site.hosts):
            said = "the address names a user; leave that out"
            yield _proposing(said, index, entry.claim.loc, userless, group="loc-host:user")
            continue
        if address is None or name in site.hosts or is_staging(site, name):
            continue
        # Only a page that was built here can be meant by the same path on this host.
        here = bool(entry.located.near)
        yield _proposing(
            f"{address.origin} is not {base.origin}",
            index,
            entry.claim.loc,
            base.origin + userless.removeprefix(address.origin) if here else "",
            group=f"loc-host:{address.origin}" + ("" if here else ":other"),
            headline=f"locs are on {address.origin}, but the site is at {base.origin} (by {site.base_by})",
            cure="set the site's address in the generator; if the address found is wrong, give --base-url"
            if here
            else "list them in the sitemap of that host; one that this sitemap may list is named by hosts under "
            "[addresses]; if the site's address found is wrong, give --base-url",
        )


def staging(site: Site) -> Iterator[Hit]:
    """A published sitemap must not list a development or preview host.

    The generator was run with the address of a development server, of a preview, or with none at all (Hugo then
    writes `example.org`). Further hosts are named by `staging` under [addresses] of the configuration; a preview
    build itself is checked with `--env preview`.

    Bad: `<loc>http://localhost:8080/a/</loc>`
    Good: the address of the published site
    """
    hosts: dict[str, bool] = {}
    for index, entry in entries(site):
        name = urls.host_of(entry.url)
        if not name:
            continue
        if name not in hosts:
            hosts[name] = is_staging(site, name)
        if hosts[name]:
            yield _proposing(
                f"{name} is a host for development or previews",
                index,
                entry.claim.loc,
                _published(site, entry),
                group=f"loc-staging:{name}",
                headline=f"locs are on {name}, which is no published site",
                cure="set the site's address in the generator's configuration",
            )


def _published(site: Site, entry: Entry) -> str:
    """The address that the page is published at, by its canonical tag, or since it was built here; "" if not known."""
    named = [url for url in in_head(entry) if not is_staging(site, urls.host_of(url))]
    if len(named) == 1:
        return named[0]
    address, base = urls.parse(entry.url), urls.parse(site.base_url)
    if not entry.located.near or address is None or base is None or is_staging(site, urls.host_of(base.href)):
        return ""
    return base.origin + address.path + address.query


def case(site: Site) -> Iterator[Hit]:
    """A loc must have the letter case of the built file.

    Most hosts tell `/Docs/` from `/docs/`; a disk that does not hides the fault until the site is published.

    Bad: `<loc>https://example.org/Docs/a/</loc>`, the build has `docs/a/index.html`
    Good: `<loc>https://example.org/docs/a/</loc>`
    """
    for index, entry in entries(site, "missing"):
        if entry.located.near:
            yield Hit(
                f"the built file is {site.place(entry.located.near)}: letter case counts",
                index,
                group="loc-case",
                headline="locs differ from the built files by letter case",
            )


def scope(site: Site) -> Iterator[Hit]:
    """A loc must lie in the folder of its sitemap or below it.

    A sitemap at `/catalog/sitemap.xml` covers only addresses that start with `/catalog/`; others are dropped,
    unless the sitemap is submitted by hand. It is a warning where robots.txt of the same host names the sitemap, or
    the index that lists it: that allows such addresses, and on one host nothing need be done.

    Bad: `https://example.org/` in `https://example.org/en/sitemap.xml`
    Good: the same entry in `https://example.org/sitemap.xml`

    Move the entries to a sitemap at the site's root, or name the sitemap, or the index that lists it, in robots.txt:
    a `Sitemap:` line is how a site says that it stands by addresses elsewhere. Hugo writes the pages of its default
    language into `/en/sitemap.xml` even where they have no `/en/`; `defaultContentLanguageInSubdir = true` moves the
    pages there. To be rid of the warning and change nothing, accept it: `[[ignore]]` with `rule = "loc-scope"`.
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
        group, name = f"loc-scope:{entry.claim.sitemap}", entry.claim.sitemap
        # The robots.txt of a site below its host's root has no effect, so that it allows nothing either.
        if known and base.path == "/":
            yield Hit(
                f"outside the sitemap's folder {within}; allowed, since robots.txt names the sitemap or its index",
                index,
                group=group,
                headline=f"{name} lists addresses outside {within}; robots.txt allows that",
                cure=_ALLOWED,
                level=Level.WARNING,
            )
            continue
        yield Hit(
            f"outside the sitemap's scope {within}",
            index,
            group=group,
            headline=f"{name} may list only addresses below {within}"
            + (f"; nearly all would lead to a built file {site.misplaced}" if site.misplaced and not folder else ""),
            cure="list them in a sitemap at the site's root, or name this sitemap (or its index) in robots.txt"
            + (" at the host's root" if known else ""),
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

    A space or a control character is no part of an address. `&amp;` that is left after reading the XML was most likely
    escaped twice (warning: a parameter may be called `amp;b`). An address with letters outside ASCII is allowed
    (RFC 3987), and so is white space around it; both are only noted.

    Bad: `<loc>https://example.org/a b</loc>`, `<loc>https://example.org/?a=1&amp;amp;b=2</loc>`
    Good: `<loc>https://example.org/a%20b</loc>`, `<loc>https://example.org/?a=1&amp;b=2</loc>`

    Source: sitemaps.org protocol, "Entity escaping".
    """
    for sitemap in site.sitemaps:
        for problem in sitemap.problems:
            if problem.code == "padding":
                place = site.place(sitemap.path)
                yield Hit(
                    problem.detail, -1, place, problem.line, problem.column, group="loc-escape:pad", level=Level.INFO
                )
    for index, entry in entries(site):
        loc = entry.claim.loc
        if not urls.is_absolute(loc):
            continue
        fault = _escape_fault(entry)
        if fault:
            yield _proposing(fault, index, loc, entry.url or loc, group=f"loc-escape:{fault}")
        elif "&amp;" in loc and not _has_ampersand(entry):
            yield _proposing(
                "the loc still holds &amp; after reading: was it escaped twice?",
                index,
                loc,
                loc.replace("&amp;", "&"),
                group="loc-escape:twice",
                level=Level.WARNING,
            )
        elif entry.located.near and entry.located.state in ("html", "file"):
            yield Hit(
                f"the loc and the built file {site.place(entry.located.near)} write the same letters in two Unicode "
                "forms (NFC and NFD)",
                index,
                group="loc-escape:unicode",
                level=Level.WARNING,
            )
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
    if " " in loc or not loc.isprintable():
        return "the loc holds a space or a control character"
    return ""


def _has_ampersand(entry: Entry) -> bool:
    """Whether `&amp;` is part of the built file's own name, and the query has none."""
    return "&amp;" in entry.located.path and "&amp;" not in entry.claim.loc.partition("?")[2]


def fragment(site: Site) -> Iterator[Hit]:
    """A loc should have no fragment: search engines ignore what follows `#`.

    Bad: `https://example.org/guide/#cache`
    Good: `https://example.org/guide/`
    """
    for index, entry in entries(site):
        before, mark, _ = entry.claim.loc.partition("#")
        if mark:
            yield _proposing("the part after # is ignored by search engines", index, entry.claim.loc, before)


def tracking(site: Site) -> Iterator[Hit]:
    """A loc should carry no tracking parameters: they make a second address of the same page.

    Bad: `https://example.org/?utm_source=mail`
    Good: `https://example.org/`
    """
    for index, entry in entries(site):
        if "?" not in entry.claim.loc:
            continue
        before, _, query = entry.claim.loc.partition("#")[0].partition("?")
        parts = query.split("&")
        kept = [part for part in parts if not _TRACKING.fullmatch(part.partition("=")[0])]
        if len(kept) < len(parts):
            found = next(part.partition("=")[0] for part in parts if part not in kept)
            fixed = before + ("?" + "&".join(kept) if kept else "")
            yield _proposing(f"the loc carries the tracking parameter {found}", index, entry.claim.loc, fixed)


def duplicate(site: Site) -> Iterator[Hit]:
    """An address should be listed once.

    Twice with different dates, one of the two is false. Addresses that differ only in an empty path or in escaping
    are the same. Two addresses of one built page (`/a/` and `/a/index.html`) are a warning, where the page itself does
    not say which is right.

    Bad: `https://example.org` and `https://example.org/` in one sitemap
    Good: one of them
    """
    seen: dict[str, int] = {}
    files: dict[str, int] = {}
    for index, entry in entries(site):
        if not entry.url:
            continue
        first = seen.setdefault(entry.url, index)
        if first == index:
            located, page = entry.located, entry.page
            if located.state == "html" and page is not None and not page.canonicals and "?" not in entry.url:
                before = files.setdefault(located.path, index)
                if before != index and entry.answered is None:
                    claim = site.entries[before].claim
                    yield Hit(
                        f"{site.place(located.path)} is listed already as {claim.loc}",
                        index,
                        group="loc-duplicate:file",
                        level=Level.WARNING,
                    )
            continue
        other = site.entries[first].claim
        dates = "" if other.lastmod == entry.claim.lastmod else f" with another date ({other.lastmod or 'none'})"
        yield Hit(f"listed already at {site.place(other.sitemap)}:{other.line}{dates}", index)
