"""From witnesses to a verdict: is a claim's date true, false, or can it not be told?

A claim is true if any witness supports it, and false only if everything that could support it is known and nothing
does. See docs/how-dates-are-judged.md. Pure: the facts come in, nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sitemap_guard import dates
from sitemap_guard.judgement.windows import (
    Facts,
    Rules,
    beside,
    by_tolerance,
    field_zones,
    moment_of,
    only_landed,
    supports,
    time_of,
    window,
    zones,
)
from sitemap_guard.model import (
    Answer,
    Change,
    Claim,
    Field,
    Instant,
    Moment,
    PathHistory,
    Verdict,
    Witness,
)
from sitemap_guard.model import Mapping as Source

__all__ = [
    "SKEW",
    "Facts",
    "Rules",
    "beside",
    "judge",
    "moment_of",
    "only_landed",
    "supports",
    "time_of",
    "window",
    "zones",
]

# Clocks of build machines are off by minutes, not hours.
SKEW = 600
_DAY = 86400


def judge(claim: Claim, source: Source, facts: Facts, rules: Rules) -> Verdict:
    """The verdict on one claim's lastmod."""
    if claim.lastmod is None:
        return Verdict(Answer.ABSENT, witness=_of_an_undated(source, facts, rules))
    moment = moment_of(claim)
    if moment is None:
        return _ill_formed(claim, source, facts, rules)
    told = _doubted(_by_history(claim, moment, source, facts, rules), source, facts)
    if told.answer is Answer.TRUE and told.witness is not None and told.witness.kind != "field":
        return told
    return _impossible(moment, told, rules) or told


def _doubted(told: Verdict, source: Source, facts: Facts) -> Verdict:
    """The verdict; cannot tell instead of false where the source itself is in doubt."""
    if told.answer is not Answer.FALSE:
        return told
    gone = next((path for path in (source.content, *source.also) if path in facts.deleted), "")
    if gone:
        text = f"{gone} is about to go: its deletion is staged"
        return Verdict(Answer.CANNOT_TELL, reason="deleted", text=text, witness=told.witness)
    if source.rival:
        text = f"two files fit: {source.content} and {source.rival}; name one with [[source]]"
        return Verdict(Answer.CANNOT_TELL, reason="ambiguous", text=text, witness=told.witness)
    return told


def _of_an_undated(source: Source, facts: Facts, rules: Rules) -> Witness | None:
    """The newest change of a page that claims no date: what one could stand on. None when it is not known."""
    if facts.repository.problem or not source.content:
        return None
    paths = (source.content, *source.also)
    if any(path in facts.repository.edited | facts.repository.staged for path in paths):
        return None
    changes = [_last(history) for path in paths if (history := facts.histories.get(path)) and history.last]
    if not any(change.path == source.content for change in changes) or any(change.edge for change in changes):
        return None
    newest = max(changes, key=lambda change: time_of(change.commit, rules.habit).seconds)
    return Witness("change", newest.path, newest)


def _ill_formed(claim: Claim, source: Source, facts: Facts, rules: Rules) -> Verdict:
    why, fixed = dates.fault(claim.lastmod or "")
    if fixed is not None and not claim.feed:
        # Well written it must be true as well, or mending it once would only lead to the next finding.
        told = judge(replace(claim, lastmod=fixed), source, facts, rules)
        fixed = told.expected if told.answer is Answer.FALSE else fixed
    elif fixed is None:
        fixed = _newest(source, facts, rules, dates.parse("2000-01-01"), "2000-01-01")
    return Verdict(Answer.FALSE, "lastmod-format", text=why, expected=fixed)


def _impossible(moment: Moment, told: Verdict, rules: Rules) -> Verdict | None:
    """Dates that are false without any history: zero times, and the future."""
    zero = dates.stand_in(moment)
    if zero:
        return Verdict(Answer.FALSE, "lastmod-placeholder", told.witness, text=zero, expected=told.expected)
    if dates.reach(moment)[0] > rules.now + SKEW:
        return Verdict(
            Answer.FALSE, "lastmod-future", told.witness, text="it lies in the future", expected=told.expected
        )
    return None


def _by_history(claim: Claim, moment: Moment, source: Source, facts: Facts, rules: Rules) -> Verdict:
    repository = facts.repository
    if not source.content:
        return Verdict(Answer.CANNOT_TELL, reason=source.reason or "no-source", text=source.tried)
    if repository.problem:
        return Verdict(Answer.CANNOT_TELL, reason="no-history", text=repository.detail)
    paths = (source.content, *source.also)
    if rules.staged and (hooked := _staged(claim, moment, paths, facts, rules)) is not None:
        return hooked
    ruled = _by_policy(claim, moment, source.content, facts, rules)
    if ruled is not None:
        return ruled
    changes = [_last(history) for path in paths if (history := facts.histories.get(path)) and history.last]
    standing = [change for change in changes if not change.edge and supports(change.commit, moment, rules)]
    counted = next((c for c in standing if not (_is_ignored(c, rules) or _brought_back(c, moment, facts, rules))), None)
    if counted is not None:
        kind = "evidence" if counted.kind == "evidence" else "change"
        text = by_tolerance(counted.commit, moment, rules)
        return Verdict(Answer.TRUE, text=text, witness=Witness(kind, counted.path, counted))
    edited = next((path for path in paths if path in repository.edited | repository.staged), "")
    if edited and _is_now(moment, rules):
        return Verdict(Answer.TRUE, witness=Witness("edited", edited))
    stood = _along_the_chain(moment, paths, facts, rules) or _on_a_field(claim, moment, paths, facts, rules)
    if stood is not None:
        return stood
    ignored = next((change for change in standing if _is_ignored(change, rules)), None)
    if ignored is not None:
        return _on_an_ignored(claim, moment, ignored, facts, rules)
    if not any(change.path == source.content for change in changes):
        return _unknown(source.content, facts)
    beside = _beside_history(claim, moment, paths, facts, rules)
    if beside is not None:
        return beside
    hidden = next((path for path in paths if (h := facts.histories.get(path)) and h.unknown and not h.last), "")
    return _unknown(hidden, facts) if hidden else _unsupported(claim, moment, paths, changes, facts, rules)


def _unknown(path: str, facts: Facts) -> Verdict:
    """Cannot tell: a source has no change, and why."""
    history = facts.histories.get(path)
    if history is None or not history.unknown:
        return Verdict(Answer.CANNOT_TELL, reason="untracked", text=f"{path} has no commit; it is not tracked")
    reason = "evidence" if facts.repository.evidence else "no-history"
    return Verdict(Answer.CANNOT_TELL, reason=reason, text=history.unknown)


def _is_ignored(change: Change, rules: Rules) -> bool:
    return not rules.strict and change.commit.id in rules.ignored


def _brought_back(change: Change, moment: Moment, facts: Facts, rules: Rules) -> bool:
    """Whether the change only "landed" then because the branch was merged back into a side branch.

    Git's first-parent line goes through that side branch if the published branch was then set to it.
    """
    return (
        bool(facts.back_merges)
        and only_landed(change, moment, rules)
        and any(
            other.commit.id in facts.back_merges
            for other in beside(facts.histories.get(change.path, PathHistory(None)), moment)
        )
    )


def _is_now(moment: Moment, rules: Rules) -> bool:
    """Whether the moment lies within the last day or is today in any zone: a build or a hook runs for a while."""
    first, last = dates.reach(moment)
    return last >= rules.now - _DAY and first <= rules.now + SKEW


def _staged(claim: Claim, moment: Moment, paths: Sequence[str], facts: Facts, rules: Rules) -> Verdict | None:
    """By what is staged of the sources; None where it leaves the last change what it is."""
    staged = [path for path in paths if path in facts.repository.staged]
    if staged and _is_now(moment, rules):
        return Verdict(Answer.TRUE, witness=Witness("staged", staged[0]))
    path = next((path for path in staged if path not in facts.unchanged and path not in facts.deleted), "")
    if not path:
        return None
    return Verdict(
        Answer.FALSE,
        "lastmod-too-old",
        Witness("staged", path),
        text=f"{path} is staged, but its date is older",
        expected=dates.write(Instant(rules.now), moment, claim.lastmod or ""),
    )


def _by_policy(claim: Claim, moment: Moment, path: str, facts: Facts, rules: Rules) -> Verdict | None:
    """Where the configuration makes fields authoritative, the best one of the source decides."""
    field = next(iter(facts.fields.get(path, ())), None)
    if field is None or facts.policies.get(path) != "authoritative":
        return None
    witness = Witness("field", path, field=field)
    site = dates.zone_offset(rules.zone, field.moment.first)
    if _agrees(moment, path, field, facts, rules):
        return Verdict(Answer.TRUE, witness=witness)
    history = facts.histories.get(path)
    change = f" and last changed {history.last.commit.authored.human()}" if history and history.last else ""
    rule = (
        "lastmod-too-new"
        if moment.first > field.moment.last
        else "lastmod-too-old"
        if moment.last < field.moment.first
        else "lastmod-unmatched"
    )
    offset = field.moment.offset
    said = Instant(field.moment.first - (site * 60 if offset is None else 0), site if offset is None else offset)
    return Verdict(
        Answer.FALSE,
        rule,
        witness,
        text=f"{path} says {field.name}: {field.value}, which [[policy]] makes authoritative,{change}",
        expected=dates.write(said, moment, claim.lastmod or ""),
    )


def _along_the_chain(moment: Moment, paths: Sequence[str], facts: Facts, rules: Rules) -> Verdict | None:
    """True when an older change supports it and no change of substance came since.

    Where contents are missing, whether there was one cannot be told.
    """
    for path in paths if not rules.strict else ():
        history = facts.histories.get(path)
        doubt = ""
        for change in history.chain if history else ():
            if change.edge:
                break
            if change is not history.chain[0] and supports(change.commit, moment, rules):  # type: ignore[union-attr]
                if not doubt:
                    text = by_tolerance(change.commit, moment, rules)
                    return Verdict(Answer.TRUE, text=text, witness=Witness("change", path, change))
                text = f"{path} changed since, in {doubt[:7]}, whose contents are not in this partial clone"
                return Verdict(Answer.CANNOT_TELL, reason="partial", text=text, witness=Witness("change", path, change))
            doubt = doubt or (change.commit.id if change.why == "unknown" else "")
    return None


def _on_an_ignored(claim: Claim, moment: Moment, change: Change, facts: Facts, rules: Rules) -> Verdict:
    """True but overstated: git names the commit, but the site's own list says that it does not count."""
    history = facts.histories.get(change.path)
    before = next((one for one in history.chain if one.why != "ignored" and not one.edge), None) if history else None
    expected = dates.write(time_of(before.commit, rules.habit), moment, claim.lastmod or "") if before else None
    return Verdict(
        Answer.TRUE, "lastmod-overstated", Witness("ignored", change.path, change), expected=expected or claim.lastmod
    )


def _on_a_field(claim: Claim, moment: Moment, paths: Sequence[str], facts: Facts, rules: Rules) -> Verdict | None:
    """True when a date field of a source says so: the claim stands on the author's word, which may have gone stale."""
    told = None
    for path in paths:
        field = next((field for field in _fields(path, facts) if _agrees(moment, path, field, facts, rules)), None)
        if field is None:
            continue
        stale = facts.stale.get((path, field.name))
        if stale is None or not stale.changes:
            return Verdict(Answer.TRUE, witness=Witness("field", path, field=field))
        newest = time_of(stale.newest.commit, rules.habit)
        told = told or Verdict(
            Answer.TRUE,
            "lastmod-field-stale",
            Witness("field", path, stale.newest, field, stale),
            expected=dates.write(newest, moment, claim.lastmod or ""),
        )
    return told


def _agrees(moment: Moment, path: str, field: Field, facts: Facts, rules: Rules) -> bool:
    zones = field_zones(path, field, facts, rules)
    # A generator writes a field that has no zone in the zone it reads it in: the claim names that zone itself.
    return dates.agrees(moment, field.moment, zones if moment.offset is None else (*zones, moment.offset))


def _fields(path: str, facts: Facts) -> tuple[Field, ...]:
    return () if facts.policies.get(path) == "ignore" else facts.fields.get(path, ())


def _beside_history(claim: Claim, moment: Moment, paths: Sequence[str], facts: Facts, rules: Rules) -> Verdict | None:
    """True but overstated, when only a twin or a merge supports it: git does name those commits."""
    for path in paths:
        history = facts.histories.get(path)
        change = next(iter(beside(history, moment)), None) if history else None
        if history and change:
            best = time_of(history.last.commit, rules.habit) if history.last else None
            if history.last and best and dates.meets(moment, best.seconds, best.seconds, (0, best.offset)):
                best = history.last.commit.authored  # it landed then, and no more
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
    histories = [history for path in paths if (history := facts.histories.get(path)) and history.last]
    older_ones = [] if rules.strict else [change for history in histories for change in history.chain[1:]]
    windows = [(*window(c.commit, rules), zones(c.commit, rules)) for c in (*changes, *older_ones)]
    newer = all(not dates.meets(moment, -_FAR, last, offsets) for _, last, offsets in windows)
    older = all(not dates.meets(moment, first, _FAR, offsets) for first, _, offsets in windows)
    edge = next((change for change in (*changes, *older_ones) if change.edge), None)
    if edge is not None and not newer:
        return Verdict(
            Answer.CANNOT_TELL,
            reason="shallow",
            witness=Witness("change", edge.path, edge),
            text=f"the history ends at {edge.commit.id[:7]}; {edge.path} last changed then or earlier"
            + next((f"; {h.unknown}" for h in histories if h.last is edge and h.unknown), ""),
        )
    for path in paths:
        for field in _fields(path, facts):
            newer = newer and moment.first > field.moment.last
            older = older and moment.last < field.moment.first
    newest = max(map(_counted, histories), key=lambda change: time_of(change.commit, rules.habit).seconds)
    left_out = any(
        history.one_pass and history.last and not newer and supports(history.one_pass, moment, rules)
        for history in histories
    )
    proposed = None if newest.edge else time_of(newest.commit, rules.habit)
    rule = "lastmod-too-new" if newer else "lastmod-too-old" if older else "lastmod-unmatched"
    return Verdict(
        Answer.FALSE,
        rule,
        Witness("change", newest.path, newest),
        expected=dates.write(proposed, moment, claim.lastmod or "") if proposed else None,
        cause="merge-left-out" if left_out else "",
        field=next(iter(_fields(paths[0], facts)), None),
    )


def _counted(history: PathHistory) -> Change:
    """The change to go by: the last one that the site's owner has not told git to ignore."""
    counted = next((change for change in history.chain if change.why != "ignored"), None)
    return counted or _last(history)


def _last(history: PathHistory) -> Change:
    """The last change of a path that has one, with what the chain found out about it."""
    if history.chain or history.last is None:
        return history.chain[0]
    return history.last


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
