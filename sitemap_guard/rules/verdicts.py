"""Verdicts in words: what the rules on dates say of a claim, of many with one cause, and of what cannot be told."""

from __future__ import annotations

from sitemap_guard import dates
from sitemap_guard.judgement.windows import moment_of
from sitemap_guard.model import Change, Commit, Entry, Moment, Site
from sitemap_guard.rules.base import plural

_SQUASHED = " (squash merges change dates: [dates] tolerance says how much later a change may land)"
# How long a branch may wait for its squash merge, in seconds.
_WAIT = 31 * 86400
# Times of one commit that are told apart: in seconds.
_APART = 3600
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
# Why a date cannot be told, and what to do about it.
REASONS = {
    "no-source": ("no source is known for the page", "name the sources with [[source]] in the configuration"),
    "ambiguous": ("several sources fit", "name one with [[source]] in the configuration"),
    "untracked": ("git does not track the source", "git add and commit it, or name its source with [[source]]"),
    "missing": ("the file that should be the source is not there", "correct its path under [[source]]"),
    "case": ("git tracks the source in other letters", "rename it with git mv, or correct the configuration"),
    "ignored": ("git ignores the source", "track it, or name the file that it is made from with [[source]]"),
    "staged": ("the source is in no commit yet", "commit it"),
    "submodule": ("the source lies in a submodule", "name the submodule with [[root]] in the configuration"),
    "deleted": ("the deletion of the source is staged", "drop the page from the sitemap, or name its source"),
    "evidence": ("the evidence file does not cover the source", "make it anew with sitemap-guard dates --format csv"),
    "no-history": ("there is no history to compare with", "run the check where the repository is, or give --repo"),
    "list": (
        "what the page lists is not all known",
        "leave the date out, or name the sources of the pages that it lists with [[source]]",
    ),
    "shallow": ("the clone is too shallow", "fetch the whole history (actions/checkout: fetch-depth: 0)"),
    "partial": ("contents are missing in this partial clone", "fetch them, or check in a full clone"),
}


def headline(site: Site, entry: Entry, count: int, dated: int) -> str:
    """What `count` of the `dated` claims have in common: the cause of this one."""
    share = f"{count:,} of {plural(dated, 'date')}"
    match entry.verdict.cause:
        case "build-clock":
            return f"{share} are {_clock(site, entry)}"
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


def _clock(site: Site, entry: Entry) -> str:
    """What dates of about one moment are that no commit but the newest could bear."""
    moment, head = moment_of(entry.claim), site.repository.head
    times = (head.authored, head.committed, head.landed) if head else ()
    of_head = moment and any(dates.meets(moment, one.seconds, one.seconds, (0, one.offset)) for one in times)
    if moment is None or (moment.first > max((one.seconds for one in times), default=0) and not of_head):
        return f"the build's clock ({entry.claim.lastmod}), newer than every commit"
    return f"the {moment.precision} of the build or of the newest commit ({entry.claim.lastmod}), not of the changes"


def message(site: Site, entry: Entry) -> str:
    """Why a claim is false: the evidence, and what the sitemap says."""
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
    if change.edge:
        edge = f"{commit.id[:7]}{subject}, the edge of this shallow clone"
        return f"{change.path} last changed at or before {_times(commit)} ({edge})"
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


def is_today(site: Site, entry: Entry) -> bool:
    """Whether a claim says that its page changed on the day of the check."""
    moment = moment_of(entry.claim)
    return moment is not None and _today(moment, site.now) == "today"
