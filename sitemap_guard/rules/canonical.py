"""Canonical tags: does each listed page agree that the listed address is its own?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_guard import urls
from sitemap_guard.model import Entry, Hit, Page, Site
from sitemap_guard.pages import stated
from sitemap_guard.rules.base import goes_elsewhere, is_staging, noindex_of, on_page, plural, refreshes, standing

# This many pages with one and the same foreign canonical have inherited it.
_SHARED = 3


def addresses(page: Page, url: str) -> set[str]:
    """The canonical addresses that count, absolute and in normal form, without fragment."""
    return stated.canonicals(page, url)


def in_head(entry: Entry) -> set[str]:
    """The canonical addresses of an entry's page, by its tags or else by its headers."""
    found = stated.canonicals(entry.page, entry.url) if entry.page is not None else set()
    return found or (set(stated.header_canonicals(entry.headers, entry.url)) if entry.headers else set())


def _foreign(site: Site) -> Iterator[tuple[int, Entry, str]]:
    """The entries whose page names one other address as canonical, and that address."""
    for index, entry in standing(site):
        page = entry.page
        if page is not None and len(page.canonicals) == 1 and page.canonicals[0].href == entry.url:
            continue
        targets = in_head(entry)
        if len(targets) == 1 and entry.url not in targets:
            address = next(iter(targets))
            # A loc on a development host is one fault, and its page names the right one: see `loc-staging`.
            off = site.preview or is_staging(site, urls.host_of(entry.url))
            if not (off and _other_host(entry.url, address)):
                yield index, entry, address


def _where(site: Site, entry: Entry) -> str:
    """Where the page names its canonical address: its tag, or the rule of a header."""
    page = entry.page
    if page is not None and not any(link.in_head for link in page.canonicals):
        by_header = stated.header_canonicals(entry.headers, entry.url)
        for header in by_header.values():
            return f"{header.rule.path}:{header.rule.line}"
    return on_page(site, entry, page.canonical_at if page is not None else None).words


def _other_host(url: str, address: str) -> bool:
    ours, theirs = urls.parse(url), urls.parse(address)
    return ours is not None and theirs is not None and ours.origin != theirs.origin and ours.path == theirs.path


def mismatch(site: Site) -> Iterator[Hit]:
    """A listed address must be the one that its page names as canonical.

    Sitemap and page then ask for two addresses, and the page wins: the listed one is reported as not chosen. A
    final slash, `index.html`, http for https and `www.` all make another address. The header
    `Link: <…>; rel="canonical"` counts as the tag does.

    Bad: `<loc>https://example.org/about</loc>`, page: `<link rel=canonical href="https://example.org/about/">`
    Good: the same address in both

    List the canonical address, or mend the tag in the template. Old versions of a documentation whose pages point at
    the stable one need not be listed at all.
    Source: Google, "Consolidate duplicate URLs".
    """
    listed = {entry.url for entry in site.entries}
    found = [(index, entry, address) for index, entry, address in _foreign(site) if not _broken(site, address)]
    shared = _shared(found)
    folders = Counter(_folders(entry.url, address) for _, entry, address in found)
    copies = Counter(_folders(entry.url, address) for _, entry, address in found if address in listed)
    slashes = {entry.url.endswith("/") for _, entry, address in found if entry.url.rstrip("/") == address.rstrip("/")}
    for index, entry, address in found:
        if address in shared:
            continue
        also = "; that address is listed already" if address in listed else ""
        kind, headline = _cause(entry.url, address, folders)
        if kind == "slash" and len(slashes) == 1:
            one, other = ("have a", "lack") if True in slashes else ("lack the", "have")
            headline = f"locs {one} final slash that their pages' canonical tags {other}"
        pair = _folders(entry.url, address)
        yield Hit(
            f"{_where(site, entry)} names {address} as canonical{also}",
            index,
            element="loc",
            claimed=entry.claim.loc,
            expected=None if also else address,
            group=f"canonical-mismatch:{kind}",
            headline=headline,
            cure=_cure(kind, listed=copies[pair] * 2 > folders[pair]),
        )


def _cure(kind: str, *, listed: bool) -> str:
    """What to do about a kind of difference; `listed`: most of the canonical addresses are in the sitemap as well."""
    if kind.startswith("folder"):
        if listed:
            return "leave these entries out of the sitemap"
        return "list the addresses that the pages name: set the site's address, or the locs' prefix, in the generator"
    return "list the address that the pages name, or mend the tag in the template"


def _cause(loc: str, canonical: str, folders: Counter[tuple[str, str]]) -> tuple[str, str]:
    """The kind of difference, and its headline: what the whole site does wrong is one cause."""
    if loc + "/" == canonical or loc == canonical + "/":
        return "slash", "locs and canonical tags differ by the final slash"
    if loc.removesuffix("index.html") == canonical or canonical.removesuffix("index.html") == loc:
        return "index", "locs and canonical tags differ by index.html"
    ours, theirs = urls.parse(loc), urls.parse(canonical)
    if ours and theirs and ours.origin != theirs.origin and ours.path == theirs.path:
        return f"host {theirs.origin}", f"pages name {theirs.origin} as their host, the sitemap another"
    pair = _folders(loc, canonical)
    if pair[0] and folders[pair] > 1:
        return f"folder {pair[0]} {pair[1]}", f"pages below {pair[0]} name those below {pair[1]} as canonical"
    return "address", "pages name another address as canonical"


def _folders(loc: str, canonical: str) -> tuple[str, str]:
    """The folders that the two addresses differ by (`/v1/`, `/stable/`), when what follows is the same."""
    ours, theirs = urls.parse(loc), urls.parse(canonical)
    if ours is None or theirs is None:
        return "", ""
    one, other = ours.path.split("/"), theirs.path.split("/")
    tail = 0
    while tail < min(len(one), len(other)) - 1 and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    if tail < 1 or (tail == 1 and one[-1] == ""):
        return "", ""
    start = theirs.origin if theirs.origin != ours.origin else ""
    return "/".join(one[: len(one) - tail]) + "/", start + "/".join(other[: len(other) - tail]) + "/"


def _shared(found: list[tuple[int, Entry, str]]) -> set[str]:
    """The addresses that several pages name as canonical, which are none of theirs."""
    counts = Counter(address for _, _, address in found)
    return {address for address, count in counts.items() if count >= _SHARED}


def shared(site: Site) -> Iterator[Hit]:
    """Several pages must not name one and the same other address as canonical.

    They have inherited the tag, mostly that of the home page, from a template. All of them then count as copies of
    that one page.

    Bad: `<link rel="canonical" href="https://example.org/">` on every page
    Good: each page names itself
    """
    found = [(index, entry, address) for index, entry, address in _foreign(site) if not _broken(site, address)]
    counts = Counter(address for _, _, address in found)
    for index, entry, address in found:
        if counts[address] >= _SHARED:
            yield Hit(
                f"{_where(site, entry)} names {address} as canonical, as {counts[address] - 1:,} others do",
                index,
                group=f"canonical-shared:{address}",
                headline=f"{plural(counts[address], 'page')} name {address} as canonical",
                cure="let each page name its own address: the template writes one address everywhere",
            )


def target(site: Site) -> Iterator[Hit]:
    """The canonical address of a page must answer, and must be one that may be indexed.

    A canonical that redirects, was not built, or asks not to be indexed makes search engines drop or ignore it.

    Bad: `<link rel="canonical" href="https://example.org/gone/">`, and no such page in the build
    Good: the address of a page that is there
    """
    for index, entry, address in _foreign(site):
        why = _broken(site, address)
        if why:
            yield Hit(
                f"{_where(site, entry)} names {address} as canonical, {why}",
                index,
                group=f"canonical-target:{why.partition(' (')[0]}",
                headline=f"pages name an address as canonical {why.partition(' (')[0]}",
                cure="mend the tag in the template",
            )


def _broken(site: Site, address: str) -> str:
    """Why an address of this site is no use as a canonical one; "" when it is, or when nothing is known."""
    there = site.targets.get(address)
    if there is None:
        return ""
    answered = there.answered
    if goes_elsewhere(answered) and answered is not None:
        return f"which redirects (to {answered.location})"
    may_answer = answered is not None and (answered.status == 200 or answered.undecided is not None)
    if there.located.state == "missing" and not may_answer:
        return "which was not built"
    page = there.page
    if page is not None and (moved := refreshes(page, address)):
        return f"which redirects (to {moved})"
    if page is not None and noindex_of(page, there.headers, site.now) is not None:
        return "which asks not to be indexed"
    return ""


def multiple(site: Site) -> Iterator[Hit]:
    """A page must name one canonical address.

    Search engines are likely to ignore all of them when there are several that differ; a header counts as well.

    Bad: a plugin and the theme each write a canonical tag, with two addresses
    Good: one tag
    """
    for index, entry in standing(site):
        page = entry.page
        if page is None or (len(page.canonicals) < 2 and not entry.headers):
            continue
        targets = stated.canonicals(page, entry.url)
        by_header = stated.header_canonicals(entry.headers, entry.url)
        if len(targets | set(by_header)) > 1:
            named = " and ".join(sorted(targets | set(by_header)))
            where = "".join(f" (one by {one.rule.path}:{one.rule.line})" for one in list(by_header.values())[:1])
            yield Hit(
                f"{site.place(entry.located.path)} names several canonical addresses: {named}{where}",
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
            place = on_page(site, entry, page.canonical_at)
            yield Hit(
                f"the canonical tag at {place.words} stands outside the head and is ignored"
                if page.canonical_at is not None
                else f"the canonical tag of {place.words} stands outside the head and is ignored",
                index,
                path=place.path,
                line=place.line,
                column=place.column,
                group="canonical-outside-head",
                headline="canonical tags stand outside the head",
                cure="move the tag before the first element that ends the head (div, img, text …)",
            )


def relative(site: Site) -> Iterator[Hit]:
    """A canonical tag should hold an absolute address without a fragment.

    A relative one works, but a page that is served at a second address then names that one. An empty one says
    nothing. A fragment is no address of its own.

    Bad: `<link rel="canonical" href="/about/">`, `<link rel="canonical" href="">`
    Good: `<link rel="canonical" href="https://example.org/about/">`

    Source: Google, "Consolidate duplicate URLs".
    """
    for index, entry in standing(site):
        page = entry.page
        if page is None or (len(page.canonicals) == 1 and page.canonicals[0].href == entry.url):
            continue
        hrefs = [link.href.strip() for link in page.canonicals if link.in_head]
        kind = ""
        if any(not href for href in hrefs):
            kind = "is empty"
        elif any(not urls.is_absolute(href) for href in hrefs):
            kind = "is relative"
        elif any("#" in href for href in hrefs):
            kind = "has a fragment"
        if kind:
            yield Hit(
                f"the canonical tag of {site.place(entry.located.path)} {kind}",
                index,
                group=f"canonical-relative:{kind}" if kind != "is relative" else "canonical-relative",
            )


def missing(site: Site) -> Iterator[Hit]:
    """A page names no canonical address.

    That is allowed; one that names itself is safe from copies under other addresses. Off by default.

    Bad: a page without the tag that is also served with `?ref=…`
    Good: `<link rel="canonical" href="https://example.org/about/">` on it
    """
    for index, entry in standing(site):
        if entry.page is not None and not entry.page.canonicals and not in_head(entry):
            yield Hit(f"{site.place(entry.located.path)} names no canonical address", index, group="canonical-missing")
