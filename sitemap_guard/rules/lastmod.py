"""Dates: the claims that the verdicts call false or overstated, or that could not be judged.

The judgement itself is made in `judgement`; these rules only report it, in the words of `verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.judgement import cures
from sitemap_guard.judgement.windows import moment_of
from sitemap_guard.model import Answer, Entry, Hit, Level, Site
from sitemap_guard.rules.base import count_dated, plural
from sitemap_guard.rules.index import faults as index_faults
from sitemap_guard.rules.verdicts import REASONS, headline, is_today, message

_HABITS = {
    "twin": "commits that git's own history of the file leaves out (one pass over the log, as Hugo makes it, "
    "also names copies of a change that a merge brought in)",
    "merge": "merges that changed nothing in the file (as `git log -m` names them)",
    "ignored": "commits that the list of revisions to ignore names",
}
_MADE = {"merge": "the merge", "ignored": "the ignored commit"}


def _of_rule(site: Site, rule: str) -> Iterator[tuple[int, Entry]]:
    for index, entry in enumerate(site.entries):
        if entry.verdict.rule == rule:
            yield index, entry


def _false(site: Site, rule: str) -> Iterator[Hit]:
    """One hit for each false date of a rule, grouped by cause."""
    found = list(_of_rule(site, rule))
    dated = count_dated(site)
    counts: dict[str, int] = {}
    generator = cures.generator_of(site.entries) if found else ""
    for entry in site.entries:
        if entry.verdict.cause:
            counts[entry.verdict.cause] = counts.get(entry.verdict.cause, 0) + 1
    for index, entry in found:
        cause = entry.verdict.cause
        yield Hit(
            message(site, entry),
            index,
            line=entry.claim.lastmod_line,
            element="lastmod",
            claimed=entry.claim.lastmod,
            expected=entry.verdict.expected,
            group=f"lastmod:{cause}" if cause else rule,
            headline=headline(site, entry, counts[cause], dated) if cause else "",
            cure=cures.cure(cause, generator, site.repository.tracked) if cause else _of_edge(site, entry),
            # Here the site does follow a reading of git, only one that can be argued with.
            level=Level.WARNING if cause in ("merge-left-out", "template") else None,
        )


def _of_edge(site: Site, entry: Entry) -> str:
    """The cure where it is not known what would be true."""
    fetch = f"fetch the whole history, which tells the true date ({cures.full_clone(site.repository.tracked)})"
    return fetch if entry.verdict.cut_off else ""


def ill_formed(site: Site) -> Iterator[Hit]:
    """A lastmod must be a W3C datetime: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or a time with its zone.

    Search engines drop what they cannot read. A time without a zone, an offset without a colon, a space for the T
    and days that no calendar has are the usual faults. An empty element is one too: leave it out instead.

    Bad: `<lastmod>2026-05-10T10:00:00</lastmod>`, `<lastmod>2026-02-30</lastmod>`, `<lastmod/>`
    Good: `<lastmod>2026-05-10</lastmod>`, `<lastmod>2026-05-10T10:00:00+02:00</lastmod>`

    Source: W3C note "Date and time formats".
    """
    yield from _false(site, "lastmod-format")
    yield from index_faults(site, "lastmod-format")


def placeholder(site: Site) -> Iterator[Hit]:
    """A lastmod must not be the stand-in that a date source writes when it knows no date.

    1970-01-01 and 0001-01-01 are zero; Docusaurus writes 2018-10-14T07:27:35Z outside production.

    Bad: `<lastmod>1970-01-01T00:00:00+00:00</lastmod>`
    Good: no lastmod
    """
    yield from _false(site, "lastmod-placeholder")
    yield from index_faults(site, "lastmod-placeholder")


def future(site: Site) -> Iterator[Hit]:
    """A lastmod must not lie in the future: the page cannot have changed then.

    Event pages dated by their event, and clocks that are off, are the usual causes. A date that a commit bears is
    not reported.

    Bad: `<lastmod>2999-01-01</lastmod>`
    Good: the day the page changed
    """
    yield from _false(site, "lastmod-future")
    yield from index_faults(site, "lastmod-future")


def too_new(site: Site) -> Iterator[Hit]:
    """A lastmod must not be newer than every change of the page's source.

    Such a date is invented: mostly the clock of the build, or HEAD's date from a shallow clone. Search engines stop
    believing a site whose dates move while its pages do not.

    Bad: today's date on a page whose source last changed a year ago
    Good: that change's date, or no lastmod

    Source: Google, "Build and submit a sitemap": lastmod must be consistently and verifiably accurate.
    """
    yield from _false(site, "lastmod-too-new")


def too_old(site: Site) -> Iterator[Hit]:
    """A lastmod must not be older than the last change of the page's source.

    Crawlers that trust it do not come to see the change.

    Bad: `<lastmod>2019-03-01</lastmod>` on a page whose source was rewritten in 2026
    Good: the day of the rewrite
    """
    yield from _false(site, "lastmod-too-old")


def unmatched(site: Site) -> Iterator[Hit]:
    """A lastmod must be the date of some change of the page's sources.

    It lies between the changes of two sources, but nothing changed then.
    """
    yield from _false(site, "lastmod-unmatched")


def overstated(site: Site) -> Iterator[Hit]:
    """A lastmod should not stand on a commit that brought the page nothing new.

    Two habits of generators date pages too late: one pass over the log without merges (Hugo) follows copies of a
    change that a merge dropped, and `git log -m` (sphinx-last-updated-by-git) takes merges for changes. Git does
    name those commits, so it is no error.

    Bad: the date of a merge that brought other files
    Good: what `git log -1 -- FILE` answers
    """
    counts: dict[str, int] = {}
    found = list(_of_rule(site, "lastmod-overstated"))
    for _, entry in found:
        kind = entry.verdict.witness.kind if entry.verdict.witness else ""
        counts[kind] = counts.get(kind, 0) + 1
    dated = count_dated(site)
    for index, entry in found:
        witness = entry.verdict.witness
        if witness is None or witness.change is None:
            continue
        commit = witness.change.commit
        what = _MADE.get(witness.kind, "the side-branch commit")
        why = "which brought the file nothing new"
        if witness.kind == "ignored":
            since = f" since {entry.verdict.expected}" if entry.verdict.expected != entry.claim.lastmod else ""
            why = f"and only ignored commits changed the file{since}"
        count = counts[witness.kind]
        yield Hit(
            f"{witness.path}: the date is that of {what} {commit.id[:7]} ({commit.authored.human()}), {why}",
            index,
            line=entry.claim.lastmod_line,
            element="lastmod",
            claimed=entry.claim.lastmod,
            expected=entry.verdict.expected,
            group=f"lastmod-overstated:{witness.kind}",
            headline=f"{count:,} of {plural(dated, 'date')} {'stands' if count == 1 else 'stand'} only on "
            f"{_HABITS[witness.kind]}",
            cure='date each file by `git log -1`, or accept it: set lastmod-overstated = "off" under [rules]',
        )


def unverified(site: Site) -> Iterator[Hit]:
    """A date that could not be judged, and why.

    Not known is not false; but it is not checked either, and the summary counts it.
    """
    for index, entry in enumerate(site.entries):
        verdict = entry.verdict
        if verdict.answer is Answer.CANNOT_TELL:
            why, cure = REASONS.get(verdict.reason, (verdict.reason, ""))
            if verdict.reason in ("untracked", "ignored", "missing") and is_today(site, entry):
                yield Hit(
                    f"{verdict.text or why}: a date of today cannot be verified; commit it, or drop the date",
                    index,
                    line=entry.claim.lastmod_line,
                    element="lastmod",
                    claimed=entry.claim.lastmod,
                    group="lastmod-unverified:now",
                    headline="pages without a commit are dated now",
                    cure=cure,
                    level=Level.WARNING,
                )
                continue
            headline = f"dates could not be judged: {why}"
            # What hinders the whole repository, `history-missing` says once for all.
            told = verdict.text if verdict.text != site.repository.detail else headline
            yield Hit(
                told or why,
                index,
                line=entry.claim.lastmod_line,
                group=f"lastmod-unverified:{verdict.reason}",
                headline=headline,
                cure=cure,
            )


def early(site: Site) -> Iterator[Hit]:
    """A lastmod before 1970 is refused by some search consoles, although it is well formed.

    No page on the web is so old. Such dates are those of what a page speaks of (a law, a battle), not of the page.

    Bad: `<lastmod>1940-12-22</lastmod>`
    Good: the day the page changed, or no lastmod
    """
    for index, entry in enumerate(site.entries):
        moment = moment_of(entry.claim)
        if (
            moment is not None
            and moment.last < 0
            and entry.verdict.rule not in ("lastmod-placeholder", "lastmod-format")
        ):
            yield Hit(
                f"{entry.claim.lastmod} lies before 1970: a search console reports such dates as invalid; leave it out",
                index,
                line=entry.claim.lastmod_line,
                element="lastmod",
                claimed=entry.claim.lastmod,
                group="lastmod-early",
            )


def missing(site: Site) -> Iterator[Hit]:
    """An entry has no lastmod. That is honest where the date is not known; off by default."""
    for index, entry in enumerate(site.entries):
        if entry.verdict.answer is Answer.ABSENT:
            yield Hit("the entry has no lastmod", index, group="lastmod-missing")
