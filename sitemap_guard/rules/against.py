"""This sitemap against the one that was published before, and against what is asked of it as a whole.

These rules speak only when `--against` names the older sitemap, or `--require-verified` a share.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import dates
from sitemap_guard.judgement import judge
from sitemap_guard.model import Answer, Claim, Entry, Hit, Moment, Published, Site
from sitemap_guard.rules.base import count_dated, place_of_all, plural

# How far the share of dated entries may fall, and of published pages that are dropped, before it is an error.
_MOST_POINTS = 10
_MOST_DROPPED = 20
_FEW = 3
# Dates have collapsed when so many different days became a tenth of them.
_DAYS = 10
_GROUP = "against:dates"


def coverage(site: Site) -> Iterator[Hit]:
    """Enough entries must have a date, and enough dates must be ones that can be verified.

    A changed option, a moved folder or a missing plugin makes every date vanish, and the build still passes. With
    `--against` the share of dated entries may fall by ten points; with `--require-verified` (or `require-verified`
    in the configuration) that share of the dates must have been judged, true or false.

    Bad: the published sitemap dates 50 of 50 entries, this one 0 of 50
    Good: the same share as before; or no comparison, where dates were taken out on purpose
    """
    path = place_of_all(site)
    total = len(site.entries)
    dated = count_dated(site)
    if site.required is not None:
        judged = sum(1 for entry in site.entries if entry.verdict.answer in (Answer.TRUE, Answer.FALSE))
        if judged * 100 < site.required * dated or (not dated and total and site.required):
            share = f"{judged * 100 / dated:.0f}% of the dates" if dated else "no entry has a date: 0%"
            yield Hit(
                f"{judged:,} of {plural(dated, 'date')} could be verified ({share}); {site.required:g}% are required",
                path=path,
                cure="`sitemap-guard check -v` tells why the others cannot be",
            )
    old = site.against
    if old is None or not old.claims or not total:
        return
    before = sum(1 for claim in old.claims.values() if claim.lastmod is not None)
    if before * 100 / len(old.claims) - dated * 100 / total > _MOST_POINTS:
        yield Hit(f"{_fell(site, old)}", path=path, group=_GROUP, headline=_fell(site, old))


def _fell(site: Site, old: Published) -> str:
    before = sum(1 for claim in old.claims.values() if claim.lastmod is not None)
    return (
        f"coverage fell: {old.path} dates {before:,} of {plural(len(old.claims), 'entry', 'entries')}, "
        f"this build {count_dated(site):,} of {len(site.entries):,}"
    )


def vanished(site: Site) -> Iterator[Hit]:
    """An entry that was published with a date should keep one.

    Leaving dates out is honest, but a date that vanishes by accident is a loss that no build notices. Speaks only
    with `--against`.

    Bad: `<lastmod>2026-03-01</lastmod>` was published, and this build writes none
    Good: the date of the page's last change
    """
    for index, entry, claim in _common(site):
        if claim.lastmod and entry.claim.lastmod is None:
            yield Hit(
                f"it was published with {claim.lastmod}, and has no date now",
                index,
                group=_GROUP,
                headline=_fell(site, site.against) if site.against else "",
            )


def moved(site: Site) -> Iterator[Hit]:
    """A date should move only when the page's source changes.

    Both dates can be defended (one is the author's, the other the committer's, say), but search engines see a page
    that claims to have changed and has not. A new habit of the generator is the usual cause. A date that was wrong
    and is right now is not reported. Speaks only with `--against`.

    Bad: every date moves with a new version of the generator
    Good: dates that stay while the sources stay
    """
    found = []
    for index, entry, claim in _common(site):
        old, new = judge.moment_of(claim), judge.moment_of(entry.claim)
        witness = entry.verdict.witness
        change = witness.change if witness is not None and witness.kind == "change" else None
        if old is None or new is None or change is None or entry.verdict.answer is not Answer.TRUE:
            continue
        if not _agree(old, new) and judge.supports(change.commit, old, judge.Rules(site.now)):
            found.append((index, entry, claim, change))
    for index, entry, claim, change in found:
        yield Hit(
            f"the date moved from {claim.lastmod} to {entry.claim.lastmod}, "
            f"but {change.path} has not changed since {change.commit.authored.human()} ({change.commit.id[:7]})",
            index,
            line=entry.claim.lastmod_line,
            group="lastmod-moved",
            headline=f"{plural(len(found), 'date')} moved although the sources did not change",
        )


def collapsed(site: Site) -> Iterator[Hit]:
    """Many different dates must not become one.

    That is how a sitemap looks when a checkout of one commit, or the clock of the build, dates every page. Reported
    even where the history that could tell is missing; where the dates are known to be false, that is said instead.
    Speaks only with `--against`.

    Bad: 60 different days were published, and this build has one
    Good: dates that stay while the pages stay
    """
    pairs = [
        (old, new, entry)
        for _, entry, claim in _common(site)
        if (old := judge.moment_of(claim)) is not None and (new := judge.moment_of(entry.claim)) is not None
    ]
    before = {old.first // 86400 for old, _, _ in pairs}
    after = {new.first // 86400 for _, new, _ in pairs}
    false = sum(1 for _, _, entry in pairs if entry.verdict.answer is Answer.FALSE)
    if len(before) >= _DAYS and len(after) * 10 <= len(before) and false * 2 < len(pairs):
        yield Hit(
            f"{plural(len(pairs), 'page')} had {len(before):,} different days when published, "
            f"and {plural(len(after), 'day')} now",
            path=place_of_all(site),
            cure="build from a full clone (actions/checkout: fetch-depth: 0), so that git can tell each date",
        )


def shrunk(site: Site) -> Iterator[Hit]:
    """A build must not lose a large part of the pages that were published.

    A failed data source or a wrong folder leaves a sitemap that is well formed and half empty. More than a fifth of
    the pages is an error. Speaks only with `--against`.

    Bad: 60 pages were published, and this build lists 12
    Good: a few pages fewer, each of them on purpose
    """
    old = site.against
    if old is None or not old.claims:
        return
    count = len(old.dropped)
    if count >= _FEW and count * 100 > _MOST_DROPPED * len(old.claims):
        yield Hit(
            f"{count:,} of {plural(len(old.claims), 'page')} that {old.path} lists are not listed any more",
            path=place_of_all(site),
        )


def fixed(_site: Site) -> Iterator[Hit]:
    """A finding that the baseline knows is fixed: write the baseline anew, so that it cannot come back unseen.

    Bad: a baseline of 500 findings, of which 300 are long gone
    Good: `sitemap-guard check --write-baseline` after a round of mending
    """
    yield from ()  # what a baseline knows is compared after the rules have run


def _common(site: Site) -> Iterator[tuple[int, Entry, Claim]]:
    """The entries that were published before, with the older claim."""
    if site.against is not None:
        for index, entry in enumerate(site.entries):
            claim = site.against.claims.get(entry.url)
            if claim is not None:
                yield index, entry, claim


def _agree(old: Moment, new: Moment) -> bool:
    """Whether two dates can mean the same moment; a day is read in every zone of the world."""
    (first, last), (start, end) = dates.reach(old), dates.reach(new)
    return first <= end and start <= last
