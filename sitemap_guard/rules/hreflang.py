"""Alternates: do the language versions of a page name each other, rightly and mutually?

Three ways to name them are equal: in the sitemap, in the page's head, in a Link header. A cluster is what alternates
tie together; a fault that a whole cluster has is reported once, at its first entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import urls
from sitemap_guard.model import Entry, Hit, Level, Site
from sitemap_guard.rules import langcode
from sitemap_guard.rules.alternates import Facts, Set, all_of
from sitemap_guard.rules.base import goes_elsewhere, noindex_of, plural, refreshes, stands

_WAYS = {"sitemap": "its sitemap entry", "head": "its page's head", "header": "its Link header"}


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
    for index, sets in all_of(site).sets.items():
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
    facts = all_of(site)
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
                expected=_link(own, entry.url, one.way) if (own := _own_code(entry, one)) else None,
                group=f"hreflang-self:{one.way}",
                headline="sets of alternates lack the page itself",
                cure="list every language version on every one of them, the page's own included",
            )


def back(site: Site) -> Iterator[Hit]:
    """An alternate must name the page in return.

    Search engines ignore a pair of which only one names the other: anyone could claim to be your translation.
    Versions on other hosts cannot be looked at here; but several pages in one language that name one and the same
    version cannot all be named in return.

    Bad: `/en/` names `/de/`, whose entry names nothing; many pages name the home page as their German version
    Good: each names the other
    """
    facts = all_of(site)
    lacking, far = _unreturned(site, facts)
    seen: set[str] = set()
    for (address, written), pages in lacking.items():
        distinct = list(dict.fromkeys(pages))
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
    for (address, written), by_code in far.items():
        own, sharing = max(by_code.items(), key=lambda item: len(item[1]))
        if len(sharing) > 1:
            yield Hit(
                f"{plural(len(sharing), 'page')} in {own} name {address} as their version for {written!r}, "
                "which can name only one of them in return",
                next(iter(sharing.values())),
                group=f"hreflang-return:{address}",
            )


def _unreturned(
    site: Site, facts: Facts
) -> tuple[dict[tuple[str, str], list[int]], dict[tuple[str, str], dict[str, dict[str, int]]]]:
    """By address and code: the entries that an alternate of this site does not name in return, and for alternates
    elsewhere the entries that name them, by their own code and address."""
    lacking: dict[tuple[str, str], list[int]] = {}
    far: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for index, sets in facts.sets.items():
        entry = site.entries[index]
        if not stands(entry):
            continue
        for one in sets:
            for written, address, href in one.pairs:
                key = (address, written.lower())
                if not address or address == entry.url or entry.url in facts.by_url.get(address, ()):
                    continue
                if address in facts.entry or _was_read(site, facts, entry, one.way, address, href):
                    lacking.setdefault(key, []).append(index)
                elif address not in site.targets and (own := _own_code(entry, one)):
                    far.setdefault(key, {}).setdefault(own, {}).setdefault(entry.url, index)
    return lacking, far


def _was_read(site: Site, facts: Facts, entry: Entry, way: str, address: str, href: str) -> bool:
    """Whether a page that no sitemap lists was read, so that it is known what it names, and is no fault otherwise."""
    there = site.targets.get(address)
    if there is None or there.page is None or there.page.problem:
        return False
    return not _reason(site, facts, entry, way, address, href)


def _own_code(entry: Entry, one: Set) -> str:
    """The code of the page itself: under which the set names it, else the language that the page says it is in, as
    long as the set names no other page for that; "" when neither tells."""
    named = next((written.lower() for written, address, _ in one.pairs if address == entry.url), "")
    if named:
        return named
    said = entry.page.lang.lower() if entry.page is not None else ""
    free = all(written.lower() != said for written, _, _ in one.pairs)
    return said if said and free and langcode.fault(said) is None else ""


def _link(code: str, url: str, way: str) -> str | None:
    """The element that names an alternate; None for a header, which is no element."""
    if way == "header":
        return None
    name = "xhtml:link" if way == "sitemap" else "link"
    return f'<{name} rel="alternate" hreflang="{_attribute(code)}" href="{_attribute(url)}"/>'


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def target(site: Site) -> Iterator[Hit]:
    """An alternate must be an absolute address of a page that is there, answers, and may be indexed.

    Named in the sitemap, it also needs an entry of its own there, else nothing names the page in return.

    Bad: `<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/x/"/>`, and no such page
    Good: only versions that exist
    """
    facts = all_of(site)
    seen: set[tuple[str, str]] = set()
    for index, sets in facts.sets.items():
        entry = site.entries[index]
        if not stands(entry):
            continue
        for one in sets:
            why: dict[str, list[tuple[str, str]]] = {}
            for written, address, href in one.pairs:
                reason = _reason(site, facts, entry, one.way, address, href)
                if reason:
                    why.setdefault(reason, []).append((written, address or href or "no address"))
            for reason, found in why.items():
                named = [f"{written} ({address})" for written, address in found]
                key = (facts.cluster.get(entry.url, entry.url), reason)
                if key in seen:
                    continue
                seen.add(key)
                yield Hit(
                    f"{_WAYS[one.way]} names {', '.join(named[:4])}{' …' if len(named) > 4 else ''}: {reason}",
                    index,
                    expected=_blocks(entry, one, [address for _, address in found]) if reason == _UNLISTED else None,
                    group=f"hreflang-target:{reason}",
                    headline=f"alternates: {reason}",
                    level=Level.WARNING if reason == _RELATIVE and one.way != "sitemap" else None,
                )


_RELATIVE = "the address must say scheme and host"
_UNLISTED = "it has no entry of its own in a sitemap, so nothing names the page in return"
_MOST = 4  # entries that are written out


def _blocks(entry: Entry, one: Set, lacking: list[str]) -> str | None:
    """The entries that a set of alternates lacks, a line each; None when the page's own code is not known."""
    own = _own_code(entry, one)
    if not own or len(one.pairs) > 20:
        return None
    pairs = [(written, href) for written, _, href in one.pairs]
    if entry.url not in one.targets:
        pairs.insert(0, (own, entry.url))
    links = "".join(_link(written, href, one.way) or "" for written, href in pairs)
    some = list(dict.fromkeys(lacking))[:_MOST]
    return "\n".join(f"<url><loc>{_attribute(address)}</loc>{links}</url>" for address in some)


def unlisted(site: Site) -> frozenset[str]:
    """The pages that sitemap entries name as alternates, and that have no entry: `hreflang-target` speaks of them."""
    facts = all_of(site)
    return frozenset(
        address
        for index, sets in facts.sets.items()
        for one in sets
        if one.way == "sitemap" and stands(site.entries[index])
        for _, address, href in one.pairs
        if address not in facts.entry and _reason(site, facts, site.entries[index], one.way, address, href) == _UNLISTED
    )


def _reason(site: Site, facts: Facts, entry: Entry, way: str, address: str, href: str) -> str:
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
        return _UNLISTED
    return ""


def duplicate(site: Site) -> Iterator[Hit]:
    """A set of alternates must name one address for each code.

    Two addresses for one language, or two for `x-default`, contradict each other. One address for several codes is
    fine, and no `x-default` at all is, too.

    Bad: two links with `hreflang="de"`
    Good: one
    """
    for index, sets in all_of(site).sets.items():
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
    for index, sets in all_of(site).sets.items():
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
    facts = all_of(site)
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
