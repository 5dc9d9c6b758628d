"""Dates as a whole: one commit or one instant that dates most pages, and none that could be judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_guard.judgement.causes import find_cluster
from sitemap_guard.model import Answer, Hit, Level, Site
from sitemap_guard.rules.base import place_of_all, plural
from sitemap_guard.rules.verdicts import REASONS, WHY


def cluster(site: Site) -> Iterator[Hit]:
    """Most dates should not be one and the same.

    When a formatter, a rename or an edit of all front matter dates most pages, each date is true, but none says
    when its page changed; search engines see a site that was rewritten in a second. Reported when ten pages and more
    than half of the dated ones stand on one commit or one value; as information only when that commit created them.
    News sitemaps, whose pages are all new, are left out.

    Bad: 190 of 193 pages dated by the commit that added a key to their front matter
    Good: that commit listed in `.git-blame-ignore-revs`, and each page dated by the change before it
    """
    found = find_cluster(site.entries)
    if found is None:
        return
    entries = [site.entries[index] for index in found.indexes]
    share = f"{len(entries):,} of {plural(found.dated, 'page')}"
    at = place_of_all(site)
    changes = [w.change for entry in entries if (w := entry.verdict.witness) is not None and w.change is not None]
    if not found.commit or not changes:
        yield Hit(f"{share} have one date, {found.value}", path=at, cure="date each page by its own last change")
        return
    commit = changes[0].commit
    name = commit.id[:7] + (f' "{commit.subject}"' if commit.subject else "")
    born = sum(change.born for change in changes) * 2 > len(changes)
    why, count = Counter(change.why for change in changes).most_common(1)[0]
    did = "; it created them" if born else f"; it changed {count:,} of them {WHY[why]}" if why in WHY else ""
    yield Hit(
        f"{name} ({commit.authored.human()}) dates {share}{did}",
        path=at,
        cure="accept it: nothing changed since"
        if born
        else f"list {commit.id[:7]} in .git-blame-ignore-revs, or accept it (lastmod-cluster under [rules])",
        level=Level.INFO if born else None,
    )


def unchecked(site: Site) -> Iterator[Hit]:
    """A check that could judge no date at all is no success.

    Not one of the site's dates was found true or false, for a reason that is neither a shallow clone nor a missing
    repository (those are reported by themselves): mostly since no page leads to its source.

    Bad: `0 of 192 dates could be checked`, and the build passes
    Good: sources named with `[[source]]`; or, for a site whose dates nobody vouches for, no lastmod
    """
    told = [entry.verdict for entry in site.entries if entry.verdict.answer is not Answer.ABSENT]
    cut_off = bool(site.repository.problem) or any(verdict.reason == "shallow" for verdict in told)
    if not told or cut_off or any(verdict.answer is not Answer.CANNOT_TELL for verdict in told):
        return
    reason = Counter(verdict.reason for verdict in told).most_common(1)[0][0]
    headline, cure = REASONS.get(reason, (reason, ""))
    yield Hit(
        f"none of {plural(len(told), 'date')} could be judged: {headline}",
        path=place_of_all(site),
        cure=cure,
    )
