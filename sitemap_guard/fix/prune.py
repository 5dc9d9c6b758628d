"""Which entries `--prune` drops: those that surely cannot be listed, and whose loss loses no page.

An entry that redirects to a page of the site that no other entry lists stays: without it that page would be in no
sitemap at all. What is only likely (a host that is not known, a setting that no file shows) is no reason to drop.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.model import Entry, Result, Site
from sitemap_guard.rules.base import refreshes

PRUNED = frozenset({"page-missing", "page-redirect", "page-noindex"})


class Prunable(Struct, frozen=True):
    """The locs of the entries to drop, and how many of those that look so stay, by the reason in one clause."""

    gone: frozenset[str]
    kept: Mapping[str, int]


def prunable(result: Result) -> Prunable:
    """Which entries can be dropped, of those that a finding says redirect, are not indexed or lead to no page."""
    site = result.site
    told = {(finding.loc, finding.rule) for finding in result.findings if finding.rule in PRUNED and finding.loc}
    rules: dict[str, set[str]] = {}
    for loc, rule in told:
        rules.setdefault(loc, set()).add(rule)
    kept: dict[str, str] = {}
    leading: dict[str, str] = {}  # where the entries that would go lead to, by their address
    going: dict[str, Entry] = {}
    for entry in site.entries:
        loc = entry.claim.loc
        if loc not in rules or loc in going or loc in kept:
            continue
        reason = _doubt(site, entry, rules[loc])
        if reason:
            kept[loc] = reason
            continue
        going[loc] = entry
        if "page-redirect" in rules[loc]:
            leading[entry.url] = _target(entry)
    # What leads to a page that goes for a reason of its own may go with it.
    found = {entry.url for entry in site.entries} - leading.keys()
    for loc, entry in going.items():
        if entry.url in leading and _loses(site, leading, entry.url, found):
            kept[loc] = "they redirect to pages of the site that no entry lists: list those instead"
    counts: dict[str, int] = {}
    for reason in kept.values():
        counts[reason] = counts.get(reason, 0) + 1
    return Prunable(frozenset(going.keys() - kept.keys()), counts)


def _doubt(site: Site, entry: Entry, rules: Collection[str]) -> str:
    """Why it is not sure that the entry cannot be listed; "" when it is."""
    answered = entry.answered
    if "page-noindex" in rules:
        return ""
    if "page-missing" in rules:
        if site.misplaced and entry.located.state == "missing" and not (answered and answered.rule):
            return f"they lead to no page, perhaps because the site's address is wrong ({site.misplaced})"
        sure = answered is None or answered.sure
        return "" if sure else "whether their host serves them is not sure: name it with profile under [hosting]"
    if refreshes(entry.page, entry.url) or (answered is not None and answered.redirects and answered.sure):
        return ""
    return "whether their host redirects them is not sure: name it with profile under [hosting]"


def _target(entry: Entry) -> str:
    return refreshes(entry.page, entry.url) or (entry.answered.location if entry.answered is not None else "")


def _loses(site: Site, leading: Mapping[str, str], url: str, found: Collection[str]) -> bool:
    """Whether the redirect ends at an address of the site that no entry has."""
    seen = {url}
    while url in leading and leading[url] not in seen:
        url = leading[url]
        seen.add(url)
    address, base = urls.parse(url), urls.parse(site.base_url) if site.base_url else None
    if address is None or base is None or urls.within(address, base) is None:
        return False
    return address.href not in found
