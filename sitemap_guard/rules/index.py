"""The dates of a sitemap index: each speaks of the sitemap file that it stands beside."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import dates
from sitemap_guard.judgement.judge import SKEW, moment_of
from sitemap_guard.model import Answer, Child, Commit, Entry, Hit, Moment, Site, Sitemap


def faults(site: Site, rule: str) -> Iterator[Hit]:
    """What is wrong with the dates of index entries without any history: the cases of one `lastmod-*` rule."""
    for sitemap in site.sitemaps:
        for child in sitemap.children:
            if child.lastmod is None:
                continue
            told = _fault(child.lastmod, site.now)
            if told is not None and told[0] == rule:
                said = f"the index says {child.lastmod}" if child.lastmod else "the lastmod is empty"
                yield _hit(site, sitemap, child, f"{child.loc}: {said}: {told[1]}", told[2], rule)


def _fault(text: str, now: int) -> tuple[str, str, str | None] | None:
    """The rule that a date breaks by itself, why, and the value that it surely means."""
    moment = dates.parse(text)
    if moment is None:
        why, fixed = dates.fault(text)
        return "lastmod-format", why, fixed
    zero = dates.stand_in(moment)
    if zero:
        return "lastmod-placeholder", zero, None
    if dates.reach(moment)[0] > now + SKEW:
        return "lastmod-future", "it lies in the future", None
    return None


def behind(site: Site) -> Iterator[tuple[Sitemap, Child, Entry]]:
    """The index entries whose date is older than the newest date inside, with the entry that has it."""
    newest: dict[str, tuple[Moment, Entry]] = {}
    for entry in site.entries:
        moment = moment_of(entry.claim)
        # A false date inside proves nothing about the file.
        if moment is None or entry.verdict.answer is Answer.FALSE:
            continue
        known = newest.get(entry.claim.sitemap)
        if known is None or known[0].first < moment.first:
            newest[entry.claim.sitemap] = moment, entry
    for sitemap in site.sitemaps:
        for child in sitemap.children:
            claimed = dates.parse(child.lastmod) if child.lastmod else None
            inside = newest.get(child.path) if child.path else None
            if claimed is not None and inside is not None and _before(claimed, inside[0]):
                yield sitemap, child, inside[1]


def lastmod(site: Site) -> Iterator[Hit]:
    """An index entry's lastmod should not be older than the newest date in the sitemap that it leads to.

    It says when that file changed, and search engines need not fetch a file that has not. A newer date is fine: the
    file changes when an entry goes, too. Where git tracks the file, the date of its own last change is right as well.

    Bad: `<lastmod>2026-05-20</lastmod>` for a file with an entry of 2026-06-26
    Good: 2026-06-26 or later, or no lastmod

    Source: sitemaps.org protocol, "Sitemap index XML tag definitions".
    """
    for sitemap, child, entry in behind(site):
        change = site.sitemap_changes.get(child.path)
        if change is not None and not change.edge and _at(child.lastmod or "", change.commit):
            continue
        message = f"{child.loc}: the index says {child.lastmod}, but {entry.claim.loc} in it says {entry.claim.lastmod}"
        expected = None if entry.claim.feed else entry.claim.lastmod
        yield _hit(site, sitemap, child, message, expected, "sitemap-index-lastmod")


def _before(one: Moment, other: Moment) -> bool:
    """Whether the one lies wholly before the other, in each of the zones that either names."""
    if one.offset is None and other.offset is None:
        return one.last < other.first
    offsets = {0, *(moment.offset for moment in (one, other) if moment.offset is not None)}
    ends = [end for _, end in dates.spans(one, offsets)]
    return max(ends) < min(start for start, _ in dates.spans(other, offsets))


def _at(text: str, commit: Commit) -> bool:
    moment = dates.parse(text)
    times = (commit.authored, commit.committed, commit.landed)
    return moment is not None and any(dates.meets(moment, t.seconds, t.seconds, (0, t.offset)) for t in times)


def _hit(site: Site, sitemap: Sitemap, child: Child, message: str, expected: str | None, group: str) -> Hit:
    return Hit(
        message,
        path=site.place(sitemap.path),
        line=child.line,
        column=child.column,
        element="lastmod",
        claimed=child.lastmod,
        expected=expected,
        group=f"{group}:index",
    )
