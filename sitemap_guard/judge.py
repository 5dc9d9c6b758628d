"""From witnesses to a verdict: is a claim's date true, false, or can it not be told?

A claim is true if any witness supports it, and false only if everything that could support it is known and nothing
does. See docs/how-dates-are-judged.md. Pure: the facts come in, nothing is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.model import (
    Answer,
    Change,
    Claim,
    Commit,
    Field,
    Instant,
    Moment,
    PathHistory,
    Repository,
    Verdict,
    Witness,
)
from sitemap_guard.model import Mapping as Source

# Clocks of build machines are off by minutes, not hours.
SKEW = 600
_DAY = 86400
# What date sources write when they have nothing.
_ZERO = 0
_YEAR_ONE = -62135596800
_DOCUSAURUS = 1539502055  # 2018-10-14T07:27:35Z, its stand-in outside production


class Rules(Struct, frozen=True):
    """How to judge: the window's time (`any`, `authored`, `committed`, `landed`), the site's zone (IANA name),
    seconds of tolerance, the time of the check, whether staged edits count as changes made now, and which of a
    change's times to propose."""

    now: int
    date: str = "any"
    zone: str = "UTC"
    tolerance: int = 0
    staged: bool = False
    habit: str = "authored"


class Facts(Struct, frozen=True):
    """What is known about the sources: their histories, and the date fields of those that were read for them."""

    repository: Repository
    histories: Mapping[str, PathHistory]
    fields: Mapping[str, tuple[Field, ...]]


def moment_of(claim: Claim) -> Moment | None:
    """The moment a claim's lastmod stands for; None when it has none or it is ill-formed."""
    if not claim.lastmod:
        return None
    return dates.parse_feed(claim.lastmod) if claim.feed else dates.parse(claim.lastmod)


def window(commit: Commit, rules: Rules) -> tuple[int, int]:
    """The seconds that a change supports: from the earliest to the latest of its times, or the one chosen."""
    if rules.date != "any":
        chosen = time_of(commit, rules.date).seconds
        return chosen - rules.tolerance, chosen + rules.tolerance
    times = (commit.authored.seconds, commit.committed.seconds, commit.landed.seconds)
    return min(times) - rules.tolerance, max(times) + rules.tolerance


def time_of(commit: Commit, kind: str) -> Instant:
    """One of a commit's times, by name (`authored`, `committed`, `landed`)."""
    return {"authored": commit.authored, "committed": commit.committed}.get(kind, commit.landed)


def supports(commit: Commit, moment: Moment, rules: Rules) -> bool:
    """Whether a change at this commit supports the moment.

    A day may be the day in UTC, in the commit's own zones, or in the site's.
    """
    first, last = window(commit, rules)
    return dates.meets(moment, first, last, zones(commit, rules))


def zones(commit: Commit, rules: Rules) -> tuple[int, ...]:
    """The offsets in which a day may name the time of a commit."""
    own = (0, commit.authored.offset, commit.committed.offset, commit.landed.offset)
    if rules.zone == "UTC":
        return own
    return (*own, *(dates.zone_offset(rules.zone, second) for second in window(commit, rules)))


def judge(claim: Claim, source: Source, facts: Facts, rules: Rules) -> Verdict:
    """The verdict on one claim's lastmod."""
    if claim.lastmod is None:
        return Verdict(Answer.ABSENT)
    moment = moment_of(claim)
    if moment is None:
        return _ill_formed(claim, source, facts, rules)
    told = _by_history(claim, moment, source, facts, rules)
    if told.answer is Answer.TRUE and told.witness is not None and told.witness.kind != "field":
        return told
    return _impossible(moment, told, rules) or told


def _ill_formed(claim: Claim, source: Source, facts: Facts, rules: Rules) -> Verdict:
    why, fixed = dates.fault(claim.lastmod or "")
    if fixed is None:
        fixed = _newest(source, facts, rules, dates.parse("2000-01-01"), "2000-01-01")
    return Verdict(Answer.FALSE, "lastmod-format", text=why, expected=fixed)


def _impossible(moment: Moment, told: Verdict, rules: Rules) -> Verdict | None:
    """Dates that are false without any history: zero times, and the future."""
    zero = _placeholder(moment)
    if zero:
        return Verdict(Answer.FALSE, "lastmod-placeholder", told.witness, text=zero, expected=told.expected)
    if dates.reach(moment)[0] > rules.now + SKEW:
        return Verdict(
            Answer.FALSE, "lastmod-future", told.witness, text="it lies in the future", expected=told.expected
        )
    return None


def _placeholder(moment: Moment) -> str:
    """What the moment is a stand-in for; "" when it is none."""
    if moment.precision == "day":
        if moment.first == _ZERO:
            return "it is the day of zero in Unix time: the date source had none"
        return "it is the zero day of Go and .NET: the date source had none" if moment.first == _YEAR_ONE else ""
    if moment.first == _ZERO or (moment.precision == "second" and moment.first + 60 * (moment.offset or 0) == _ZERO):
        return "it is zero in Unix time: the date source had none"
    if moment.first + 60 * (moment.offset or 0) == _YEAR_ONE:
        return "it is the zero time of Go and .NET: the date source had none"
    if moment.precision == "second" and moment.first == _DOCUSAURUS:
        return "it is the stand-in that Docusaurus writes outside production"
    return ""


def _by_history(claim: Claim, moment: Moment, source: Source, facts: Facts, rules: Rules) -> Verdict:
    repository = facts.repository
    if not source.content:
        return Verdict(Answer.CANNOT_TELL, reason=source.reason or "no-source", text=source.tried)
    if repository.problem:
        return Verdict(Answer.CANNOT_TELL, reason="no-history", text=repository.detail)
    paths = (source.content, *source.also)
    if rules.staged and (changed := next((path for path in paths if path in repository.staged), "")):
        return _staged(claim, moment, changed, rules)
    changes = [history.last for path in paths if (history := facts.histories.get(path)) and history.last]
    for change in changes:
        if not change.edge and supports(change.commit, moment, rules):
            return Verdict(Answer.TRUE, witness=Witness("change", change.path, change))
    edited = next((path for path in paths if path in repository.edited | repository.staged), "")
    if edited and _is_now(moment, rules):
        return Verdict(Answer.TRUE, witness=Witness("edited", edited))
    stood = _on_a_field(moment, paths, facts, rules)
    if stood is not None:
        return stood
    if not any(change.path == source.content for change in changes):
        return Verdict(
            Answer.CANNOT_TELL, reason="untracked", text=f"{source.content} has no commit; it is not tracked"
        )
    beside = _beside_history(claim, moment, paths, facts, rules)
    if beside is not None:
        return beside
    return _unsupported(claim, moment, paths, changes, facts, rules)


def _is_now(moment: Moment, rules: Rules) -> bool:
    """Whether the moment lies within the last day or is today in any zone: a build or a hook runs for a while."""
    first, last = dates.reach(moment)
    return last >= rules.now - _DAY and first <= rules.now + SKEW


def _staged(claim: Claim, moment: Moment, path: str, rules: Rules) -> Verdict:
    if _is_now(moment, rules):
        return Verdict(Answer.TRUE, witness=Witness("staged", path))
    return Verdict(
        Answer.FALSE,
        "lastmod-too-old",
        Witness("staged", path),
        text=f"{path} is staged, but its date is older",
        expected=dates.write(Instant(rules.now), moment, claim.lastmod or ""),
    )


def _on_a_field(moment: Moment, paths: Sequence[str], facts: Facts, rules: Rules) -> Verdict | None:
    """True when a date field of a source says so: the claim stands on the author's word."""
    for path in paths:
        for field in facts.fields.get(path, ()):
            site = dates.zone_offset(rules.zone, field.moment.first)
            if dates.agrees(moment, field.moment, (0, site)):
                return Verdict(Answer.TRUE, witness=Witness("field", path, field=field))
    return None


def _beside_history(claim: Claim, moment: Moment, paths: Sequence[str], facts: Facts, rules: Rules) -> Verdict | None:
    """True but overstated, when only a twin or a merge supports it: git does name those commits."""
    for path in paths:
        history = facts.histories.get(path)
        for change in history.others if history else ():
            times = (change.commit.authored, change.commit.committed, change.commit.landed)
            if any(dates.meets(moment, t.seconds, t.seconds, (0, t.offset)) for t in times):
                best = time_of(history.last.commit, rules.habit) if history and history.last else None
                return Verdict(
                    Answer.TRUE,
                    "lastmod-overstated",
                    Witness(change.kind, path, change),
                    expected=dates.write(best, moment, claim.lastmod or "") if best else None,
                )
    return None


def _unsupported(
    claim: Claim,
    moment: Moment,
    paths: Sequence[str],
    changes: Sequence[Change],
    facts: Facts,
    rules: Rules,
) -> Verdict:
    """False, and in which direction; or not to be told where the history is cut off."""
    windows = [(*window(change.commit, rules), zones(change.commit, rules)) for change in changes]
    newer = all(not dates.meets(moment, -_FAR, last, offsets) for _, last, offsets in windows)
    older = all(not dates.meets(moment, first, _FAR, offsets) for first, _, offsets in windows)
    edge = next((change for change in changes if change.edge), None)
    if edge is not None and not newer:
        return Verdict(
            Answer.CANNOT_TELL,
            reason="shallow",
            witness=Witness("change", edge.path, edge),
            text=f"the history ends at {edge.commit.id[:7]}; {edge.path} last changed then or earlier",
        )
    for path in paths:
        for field in facts.fields.get(path, ()):
            newer = newer and moment.first > field.moment.last
            older = older and moment.last < field.moment.first
    newest = max(changes, key=lambda change: time_of(change.commit, rules.habit).seconds)
    proposed = None if newest.edge else time_of(newest.commit, rules.habit)
    rule = "lastmod-too-new" if newer else "lastmod-too-old" if older else "lastmod-unmatched"
    return Verdict(
        Answer.FALSE,
        rule,
        Witness("change", newest.path, newest),
        expected=dates.write(proposed, moment, claim.lastmod or "") if proposed else None,
    )


_FAR = 1 << 62


def _newest(source: Source, facts: Facts, rules: Rules, moment: Moment | None, like: str) -> str | None:
    """The newest change of the sources in the spelling of a claim; None when there is none."""
    found = [
        time_of(history.last.commit, rules.habit)
        for path in (source.content, *source.also)
        if (history := facts.histories.get(path)) and history.last and not history.last.edge
    ]
    if not found or moment is None or facts.repository.problem:
        return None
    return dates.write(max(found, key=lambda instant: instant.seconds), moment, like)
