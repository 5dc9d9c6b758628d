"""Dates: what the verdicts say, in words, with the evidence and the cure.

The judgement itself is made in `judge`; these rules only report it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import dates
from sitemap_guard.judgement import cures
from sitemap_guard.judgement.judge import moment_of
from sitemap_guard.model import Answer, Change, Commit, Entry, Hit, Level, Moment, Site
from sitemap_guard.rules.base import plural
from sitemap_guard.rules.index import faults as index_faults

_HABITS = {
    "twin": "commits that git's own history of the file leaves out (one pass over the log, as Hugo makes it, "
    "also names copies of a change that a merge brought in)",
    "merge": "merges that changed nothing in the file (as `git log -m` names them)",
    "ignored": "commits that the list of revisions to ignore names",
}
_SQUASHED = " (squash merges change dates: [dates] tolerance says how much later a change may land)"
# How long a branch may wait for its squash merge, in seconds.
_WAIT = 31 * 86400
# Times of one commit that are told apart: in seconds.
_APART = 3600
_MADE = {"merge": "the merge", "ignored": "the ignored commit"}
# What a change did that was not of substance, as the end of a sentence.
WHY = {
    "ignored": "which the list of revisions to ignore names",
    "move": "which only moved it",
    "mode": "which changed only its mode",
    "merge": "which only joined what both of its sides had changed",
    "white-space": "in white space alone",
    "front-matter": "in front matter alone",
    "trivial": "in text that [dates] trivial leaves out of account",
    "small": "by fewer words than [dates] min-change asks for",
}


def _of_rule(site: Site, rule: str) -> Iterator[tuple[int, Entry]]:
    for index, entry in enumerate(site.entries):
        if entry.verdict.rule == rule:
            yield index, entry


def _false(site: Site, rule: str) -> Iterator[Hit]:
    """One hit for each false date of a rule, grouped by cause."""
    found = list(_of_rule(site, rule))
    dated = sum(1 for entry in site.entries if entry.claim.lastmod is not None)
    counts: dict[str, int] = {}
    generator = cures.generator_of(site.entries) if found else ""
    for entry in site.entries:
        if entry.verdict.cause:
            counts[entry.verdict.cause] = counts.get(entry.verdict.cause, 0) + 1
    for index, entry in found:
        cause = entry.verdict.cause
        yield Hit(
            _message(site, entry),
            index,
            line=entry.claim.lastmod_line,
            element="lastmod",
            claimed=entry.claim.lastmod,
            expected=entry.verdict.expected,
            group=f"lastmod:{cause}" if cause else rule,
            headline=_headline(site, cause, counts[cause], dated, entry) if cause else "",
            cure=cures.cure(cause, generator, site.repository.tracked) if cause else "",
            # Here the site does follow a reading of git, only one that can be argued with.
            level=Level.WARNING if cause in ("merge-left-out", "template") else None,
        )


def _headline(site: Site, cause: str, count: int, dated: int, entry: Entry) -> str:
    share = f"{count:,} of {plural(dated, 'date')}"
    match cause:
        case "build-clock":
            return f"{share} are the build's clock ({entry.claim.lastmod}), newer than every commit"
        case "head":
            head = site.repository.head
            name = head.id[:7] if head else "HEAD"
            return f"{share} are that of the newest commit {name}: the site was built from a shallow clone"
        case "checkout":
            return f"{share} are the times at which the files were checked out, not changed"
        case "constant":
            return f"{share} are one constant, {entry.claim.lastmod}, whatever the pages' histories say"
        case "frozen":
            return f"{share} are one frozen value, {entry.claim.lastmod}: the pages went on changing, it did not"
        case "publication":
            return f"{share} are days of publication: the pages changed later"
        case "template":
            return f"{share} are those of a change to a shared template alone"
        case "merge-left-out":
            return f"{share} leave out what a merge itself changed (one pass without merges, as Hugo's)"
    return f"{share} show local time labelled as another zone"


def _message(site: Site, entry: Entry) -> str:
    verdict = entry.verdict
    witness = verdict.witness
    says = _says(site, entry)
    if verdict.text:
        return f"{verdict.text}; {says}" if verdict.rule != "lastmod-format" else f"{says}: {verdict.text}"
    if witness is not None and witness.kind == "template" and witness.change is not None:
        commit = witness.change.commit
        return f"only {witness.path}, which many pages share, changed then ({commit.id[:7]}); {says}"
    if witness is not None and witness.change is not None:
        said = f", and its {verdict.field.name} says {verdict.field.value}" if verdict.field else ""
        return f"{_told(witness.change)}{said}; {says}{_note(site, entry)}"
    return says


def _told(change: Change) -> str:
    commit = change.commit
    subject = f' "{commit.subject}"' if commit.subject else ""
    why = f", {WHY[change.why]}" if change.why in WHY else ""
    return f"{change.path} last changed {_times(commit)} ({commit.id[:7]}{subject}){why}"


def _times(commit: Commit) -> str:
    """When a change was made; a rebase, a cherry-pick or a merge gives it more than one time."""
    told = commit.authored.human()
    known = commit.authored.seconds
    for what, time in (("committed", commit.committed), ("landed", commit.landed)):
        if abs(time.seconds - known) > _APART:
            told += f", {what} {time.human()}"
            known = time.seconds
    return told


def _note(site: Site, entry: Entry) -> str:
    """What else explains the date, as the end of a sentence."""
    own = " (the built file is taken for its own source; name another with [[source]])"
    note = own if entry.mapping.how == "identity" else ""
    prefix = site.repository.prefix
    sitemap = f"{prefix}/{entry.claim.sitemap}" if prefix else entry.claim.sitemap
    if entry.verdict.rule == "lastmod-too-old" and prefix is not None and sitemap in site.repository.tracked:
        return note + (_SQUASHED if _is_near(entry) else "")
    return note


def _is_near(entry: Entry) -> bool:
    """Whether the change came only a few days after the date."""
    moment, witness = moment_of(entry.claim), entry.verdict.witness
    if moment is None or witness is None or witness.change is None:
        return False
    return witness.change.commit.authored.seconds - dates.reach(moment)[1] <= _WAIT


def _says(site: Site, entry: Entry) -> str:
    text = entry.claim.lastmod or ""
    if not text:
        return "the lastmod is empty"
    moment = moment_of(entry.claim)
    if moment is None:
        return f"the sitemap says {text}"
    word = _today(moment, site.now)
    return f"the sitemap says {word or text}"


def _today(moment: Moment, now: int) -> str:
    first, last = dates.spans(moment, (0,))[0]
    if moment.precision in ("year", "month"):
        return ""
    if first // 86400 == now // 86400 or last // 86400 == now // 86400:
        return "today"
    return "yesterday" if first // 86400 == now // 86400 - 1 else ""


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
    dated = sum(1 for entry in site.entries if entry.claim.lastmod is not None)
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


REASONS = {
    "no-source": ("no source is known for the page", "name the sources with [[source]] in the configuration"),
    "ambiguous": ("several sources fit", "name one with [[source]] in the configuration"),
    "untracked": ("git does not track the source", "commit it, or name the tracked source with [[source]]"),
    "case": ("git tracks the source in other letters", "rename it with git mv, or correct the configuration"),
    "ignored": ("git ignores the source", "track it, or name the file that it is made from with [[source]]"),
    "staged": ("the source is in no commit yet", "commit it"),
    "submodule": ("the source lies in a submodule", "name the submodule with [[root]] in the configuration"),
    "deleted": ("the deletion of the source is staged", "drop the page from the sitemap, or name its source"),
    "evidence": ("the evidence file does not cover the source", "make it anew with sitemap-guard dates --format csv"),
    "no-history": ("there is no history to compare with", "run the check where the repository is, or give --repo"),
    "list": ("what the page lists is not all known", "name its source with [[source]], or leave the date out"),
    "shallow": ("the clone is too shallow", "fetch the whole history (actions/checkout: fetch-depth: 0)"),
    "partial": ("contents are missing in this partial clone", "fetch them, or check in a full clone"),
}


def unverified(site: Site) -> Iterator[Hit]:
    """A date that could not be judged, and why.

    Not known is not false; but it is not checked either, and the summary counts it.
    """
    for index, entry in enumerate(site.entries):
        verdict = entry.verdict
        if verdict.answer is Answer.CANNOT_TELL:
            headline, cure = REASONS.get(verdict.reason, (verdict.reason, ""))
            if verdict.reason in ("untracked", "ignored") and _is_today(entry, site):
                yield Hit(
                    f"{verdict.text or headline}: a date of today cannot be verified; commit it, or drop the date",
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
            yield Hit(
                verdict.text or headline,
                index,
                line=entry.claim.lastmod_line,
                group=f"lastmod-unverified:{verdict.reason}",
                headline=f"dates could not be judged: {headline}",
                cure=cure,
            )


def _is_today(entry: Entry, site: Site) -> bool:
    moment = moment_of(entry.claim)
    return moment is not None and _today(moment, site.now) == "today"


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
