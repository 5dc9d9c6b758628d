"""The alternates of a site in one view: who names whom, in which of the three ways, and what hangs together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.model import Alternate, Entry, Page, Site
from sitemap_guard.pages import stated


class Set(Struct, frozen=True):
    """The alternates that one entry names in one way: code (as written) and address ("" when it is none)."""

    way: str
    pairs: tuple[tuple[str, str, str], ...]  # code, address, href as written
    targets: frozenset[str]  # the addresses


class Facts(Struct, frozen=True):
    """The alternates of all entries by entry, and what addresses name by any way."""

    sets: dict[int, tuple[Set, ...]]
    by_url: dict[str, frozenset[str]]
    entry: dict[str, int]
    cluster: dict[str, str]


@lru_cache(maxsize=1)
def _facts(key: _Key) -> Facts:
    site = key.site
    sets: dict[int, tuple[Set, ...]] = {}
    # Alternates are mostly listed themselves: their locs are known in normal form.
    known = {entry.claim.loc: entry.url for entry in site.entries if "#" not in entry.claim.loc}
    named: dict[str, frozenset[str]] = {}
    entry_of: dict[str, int] = {}
    for index, entry in enumerate(site.entries):
        if entry.url:
            entry_of.setdefault(entry.url, index)
        found = tuple(_sets(entry, known))
        if found and entry.url:
            sets[index] = found
            for one in found:
                named[entry.url] = named[entry.url] | one.targets if entry.url in named else one.targets
    for built in site.built:
        there = _of_page(built.page, built.url, known).targets if built.page.alternates else frozenset[str]()
        if built.headers and (by_header := stated.header_alternates(built.headers)):
            there |= _set("header", by_header, built.url, known).targets
        if there:
            named[built.url] = named[built.url] | there if built.url in named else there
    return Facts(sets, named, entry_of, _clusters(named))


class _Key:
    """A site as a key of the cache: by identity, since hashing all its facts costs more than finding them."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def __hash__(self) -> int:
        return id(self.site)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.site is other.site


def _sets(entry: Entry, known: dict[str, str]) -> Iterator[Set]:
    if entry.claim.alternates:
        yield _set("sitemap", entry.claim.alternates, "", known)
    if entry.page is not None and entry.page.alternates and not entry.page.problem:
        yield _of_page(entry.page, entry.url, known)
    if entry.headers and (by_header := stated.header_alternates(entry.headers)):
        yield _set("header", by_header, entry.url, known)


def _of_page(page: Page, url: str, known: dict[str, str]) -> Set:
    return _set("head", page.alternates, stated.base_of(page, url), known)


def _set(way: str, alternates: Iterable[Alternate], base: str, known: dict[str, str]) -> Set:
    pairs = []
    for alternate in alternates:
        href = alternate.href
        if base and not urls.is_absolute(href):
            address = urls.parse(href, base) if href else None
            pairs.append((alternate.hreflang, address.href if address else "", href))
            continue
        if href not in known:
            address = urls.parse(href)
            known[href] = address.href if address else ""
        pairs.append((alternate.hreflang, known[href], href))
    return Set(way, tuple(pairs), frozenset([address for _, address, _ in pairs]))


def _clusters(named: dict[str, frozenset[str]]) -> dict[str, str]:
    """For each address, one address that stands for all that alternates tie together."""
    parent: dict[str, str] = {}

    def root(url: str) -> str:
        while parent.setdefault(url, url) != url:
            parent[url] = parent[parent[url]]
            url = parent[url]
        return url

    for url, targets in named.items():
        here = root(url)
        for target in targets:
            there = root(target)
            if there != here:
                parent[there] = here
    return {url: root(url) for url in list(parent)}


def all_of(site: Site) -> Facts:
    """The alternates of the site's entries and of its built pages; found once for a site."""
    return _facts(_Key(site))
