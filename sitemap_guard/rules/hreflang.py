"""Alternates: do the language versions of a page name each other, rightly and mutually?

Three ways to name them are equal: in the sitemap, in the page's head, in a Link header. A cluster is what alternates
tie together; a fault that a whole cluster has is reported once, at its first entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.model import Alternate, Entry, Hit, Level, Page, Site
from sitemap_guard.pages import stated
from sitemap_guard.rules import langcode
from sitemap_guard.rules.base import goes_elsewhere, noindex_of, plural, refreshes, stands

_WAYS = {"sitemap": "its sitemap entry", "head": "its page's head", "header": "its Link header"}


class _Set(Struct, frozen=True):
    """The alternates that one entry names in one way: code (as written) and address ("" when it is none)."""

    way: str
    pairs: tuple[tuple[str, str, str], ...]  # code, address, href as written
    targets: frozenset[str]  # the addresses


class _Facts(Struct, frozen=True):
    """The alternates of all entries by entry, and what addresses name by any way."""

    sets: dict[int, tuple[_Set, ...]]
    by_url: dict[str, frozenset[str]]
    entry: dict[str, int]
    cluster: dict[str, str]


@lru_cache(maxsize=1)
def _facts(key: _Key) -> _Facts:
    site = key.site
    sets: dict[int, tuple[_Set, ...]] = {}
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
        if built.page.alternates:
            there = _of_page(built.page, built.url, known).targets
            named[built.url] = named[built.url] | there if built.url in named else there
    return _Facts(sets, named, entry_of, _clusters(named))


class _Key:
    """A site as a key of the cache: by identity, since hashing all its facts costs more than finding them."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def __hash__(self) -> int:
        return id(self.site)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.site is other.site


def _sets(entry: Entry, known: dict[str, str]) -> Iterator[_Set]:
    if entry.claim.alternates:
        yield _set("sitemap", entry.claim.alternates, "", known)
    if entry.page is not None and entry.page.alternates and not entry.page.problem:
        yield _of_page(entry.page, entry.url, known)
    if entry.headers and (by_header := stated.header_alternates(entry.headers)):
        yield _set("header", by_header, entry.url, known)


def _of_page(page: Page, url: str, known: dict[str, str]) -> _Set:
    return _set("head", page.alternates, stated.base_of(page, url), known)


def _set(way: str, alternates: Iterable[Alternate], base: str, known: dict[str, str]) -> _Set:
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
    return _Set(way, tuple(pairs), frozenset([address for _, address, _ in pairs]))


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


def _all(site: Site) -> _Facts:
    return _facts(_Key(site))


# ------------------------------------------------------------------------------------------------------- the rules


def code(site: Site) -> Iterator[Hit]:
    """An hreflang code must be a language, with a script and a region if wanted, or `x-default`.

    Search engines drop a link with a code that they do not know. `UK` is no region (write `en-GB`), a country alone
    is no language (`jp` for `ja`), parts are joined by hyphens. Right codes that Google does not use (`es-419`,
    languages of three letters) are warnings.

    Bad: `hreflang="en-UK"`, `hreflang="pt_BR"`, `hreflang="jp"`
    Good: `hreflang="en-GB"`, `hreflang="pt-BR"`, `hreflang="ja"`

    Source: Google, "Tell Google about localized versions of your page"; BCP 47.
    """
    first: dict[str, int] = {}
    counts: dict[str, int] = {}
    for index, sets in _all(site).sets.items():
        for written in {pair[0] for one in sets for pair in one.pairs}:
            first.setdefault(written, index)
            counts[written] = counts.get(written, 0) + 1
    for written, index in sorted(first.items(), key=lambda item: item[1]):
        fault = langcode.fault(written)
        if fault is not None:
            yield Hit(
                f"hreflang {written!r}: {fault.text} ({plural(counts[written], 'entry', 'entries')})",
                index,
                group=f"hreflang-code:{written}",
                level=Level.WARNING if fault.ignored else None,
            )


def itself(site: Site) -> Iterator[Hit]:
    """A page that names alternates must name itself among them.

    Every version lists all versions, its own included. Without itself the set is not complete, and search engines may
    drop it.

    Bad: the entry of `/en/` names `/de/` and `/fr/` only
    Good: it names `/en/`, `/de/` and `/fr/`
    """
    seen: set[tuple[str, str]] = set()
    facts = _all(site)
    for index, sets in facts.sets.items():
        entry = site.entries[index]
        for one in sets:
            key = (facts.cluster.get(entry.url, entry.url), one.way)
            if entry.url in one.targets or key in seen or not stands(entry):
                continue
            seen.add(key)
            yield Hit(
                f"{_WAYS[one.way]} names {plural(len(one.targets), 'alternate')}, but not the page itself",
                index,
                group=f"hreflang-self:{one.way}",
                headline="sets of alternates lack the page itself",
                cure="list every language version on every one of them, the page's own included",
            )


def back(site: Site) -> Iterator[Hit]:
    """An alternate must name the page in return.

    Search engines ignore a pair of which only one names the other: anyone could claim to be your translation.
    Versions on other hosts cannot be looked at here.

    Bad: `/en/` names `/de/`, whose entry names nothing; many pages name the home page as their German version
    Good: each names the other
    """
    facts = _all(site)
    lacking: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for index, sets in facts.sets.items():
        entry = site.entries[index]
        if not stands(entry):
            continue
        for one in sets:
            for written, address, _ in one.pairs:
                if address in facts.entry and address != entry.url and entry.url not in facts.by_url.get(address, ()):
                    lacking.setdefault((address, written.lower()), []).append((index, address))
    seen: set[str] = set()
    for (address, written), pages in lacking.items():
        distinct = list(dict.fromkeys(index for index, _ in pages))
        if len(distinct) > 1:
            yield Hit(
                f"{plural(len(distinct), 'page')} name {address} as their version for {written!r}, "
                "which does not name them in return",
                distinct[0],
                group=f"hreflang-return:{address}",
            )
            seen.add(facts.cluster.get(address, address))
            continue
        cluster = facts.cluster.get(address, address)
        if cluster in seen:
            continue
        seen.add(cluster)
        yield Hit(
            f"names {address} ({written}), which does not name it in return",
            distinct[0],
            group="hreflang-return",
            headline="alternates do not name the page in return",
            cure="list every language version on every one of them",
        )


def target(site: Site) -> Iterator[Hit]:
    """An alternate must be an absolute address of a page that is there, answers, and may be indexed.

    Named in the sitemap, it also needs an entry of its own there, else nothing names the page in return.

    Bad: `<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/x/"/>`, and no such page
    Good: only versions that exist
    """
    facts = _all(site)
    seen: set[tuple[str, str]] = set()
    for index, sets in facts.sets.items():
        entry = site.entries[index]
        if not stands(entry):
            continue
        for one in sets:
            why: dict[str, list[str]] = {}
            for written, address, href in one.pairs:
                reason = _reason(site, facts, entry, one.way, address, href)
                if reason:
                    why.setdefault(reason, []).append(f"{written} ({address or href or 'no address'})")
            for reason, named in why.items():
                key = (facts.cluster.get(entry.url, entry.url), reason)
                if key in seen:
                    continue
                seen.add(key)
                yield Hit(
                    f"{_WAYS[one.way]} names {', '.join(named[:4])}{' …' if len(named) > 4 else ''}: {reason}",
                    index,
                    group=f"hreflang-target:{reason}",
                    headline=f"alternates: {reason}",
                    level=Level.WARNING if reason == _RELATIVE and one.way != "sitemap" else None,
                )


_RELATIVE = "the address must say scheme and host"


def _reason(site: Site, facts: _Facts, entry: Entry, way: str, address: str, href: str) -> str:
    """What is wrong with an alternate; "" for nothing that is known."""
    if not href:
        return "there is no address (href)"
    if not urls.is_absolute(href):
        return _RELATIVE
    if not address:
        return "the address is none"
    there = site.targets.get(address)
    if there is None or address == entry.url:
        return ""
    if there.located.state == "missing" and not (there.answered is not None and there.answered.status in (0, 200)):
        return "no such page was built"
    if goes_elsewhere(there.answered) or refreshes(there.page, address):
        return "the page redirects"
    if there.page is not None and noindex_of(there.page, there.headers, site.now) is not None:
        return "the page asks not to be indexed"
    if way == "sitemap" and address not in facts.entry and entry.url not in facts.by_url.get(address, ()):
        return "it has no entry of its own in a sitemap, so nothing names the page in return"
    return ""


def duplicate(site: Site) -> Iterator[Hit]:
    """A set of alternates must name one address for each code.

    Two addresses for one language, or two for `x-default`, contradict each other. One address for several codes is
    fine, and no `x-default` at all is, too.

    Bad: two links with `hreflang="de"`
    Good: one
    """
    for index, sets in _all(site).sets.items():
        for one in sets:
            by_code: dict[str, set[str]] = {}
            for written, address, _ in one.pairs:
                by_code.setdefault(written.lower(), set()).add(address)
            for written, addresses in by_code.items():
                if len(addresses) > 1:
                    named = " and ".join(sorted(addresses))
                    yield Hit(
                        f"{_WAYS[one.way]} names several addresses for {written!r}: {named}",
                        index,
                        group=f"hreflang-duplicate:{one.way}",
                    )


def page(site: Site) -> Iterator[Hit]:
    """Sitemap and page must name the same alternates, where both name some.

    Search engines drop pairs that contradict each other. Codes are compared without regard to case. Where one of the
    two merely names fewer, it is a warning; an `x-default` may be in one of them only.

    Bad: `de` is `/de/x/` in the sitemap and `/de/y/` in the head
    Good: the same pairs in both, or alternates in only one of them
    """
    for index, sets in _all(site).sets.items():
        if len(sets) < 2:
            continue
        one, other = sets[0], sets[1]
        ours = {(written.lower(), address) for written, address, _ in one.pairs}
        theirs = {(written.lower(), address) for written, address, _ in other.pairs}
        if ours == theirs:
            continue
        codes = {written for written, _ in ours} & {written for written, _ in theirs}
        against = sorted(written for written in codes if _of(ours, written) != _of(theirs, written))
        lacking = sorted({written for written, _ in ours ^ theirs} - codes - {"x-default"})
        if not against and not lacking:
            continue  # x-default is optional, in each of the two
        what = f"disagree on {', '.join(against)}" if against else f"do not both have {', '.join(lacking)}"
        yield Hit(
            f"{_WAYS[one.way]} and {_WAYS[other.way]} {what}",
            index,
            group=f"hreflang-page:{'against' if against else 'lacking'}",
            headline=f"alternates in the {one.way} and the {other.way} "
            + ("contradict each other" if against else "are not the same"),
            cure="make both from one list, or keep one of them",
            level=None if against else Level.WARNING,
        )


def _of(pairs: set[tuple[str, str]], written: str) -> set[str]:
    return {address for code_, address in pairs if code_ == written}


def language(site: Site) -> Iterator[Hit]:
    """An alternate's code should be the language that its page says it is in.

    Compared with `<html lang>` of the page, by language alone: `en-GB` and `en` agree.

    Bad: `hreflang="de"` for a page with `<html lang="en">`
    Good: `<html lang="de">` on it
    """
    facts = _all(site)
    codes: dict[str, set[str]] = {}
    for sets in facts.sets.values():
        for one in sets:
            for written, address, _ in one.pairs:
                found = langcode.language_of(written)
                if found and address in facts.entry:
                    codes.setdefault(address, set()).add(found)
    for address, named in codes.items():
        index = facts.entry[address]
        built = site.entries[index].page
        if built is None or not (own := langcode.language_of(built.lang)):
            continue
        if own not in named:
            yield Hit(
                f"alternates name this page for {', '.join(sorted(named))}, but its <html lang> says {built.lang}",
                index,
                group=f"hreflang-language:{own}",
                headline=f"pages that say lang={own} are named as another language",
            )
