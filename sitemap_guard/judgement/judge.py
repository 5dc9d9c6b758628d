"""From witnesses to a verdict: is a claim's date true, false, or can it not be told?

A claim is true if any witness supports it, and false only if everything that could support it is known and nothing
does. See docs/how-dates-are-judged.md. Pure: the facts come in, nothing is read.
"""

from __future__ import annotations

from msgspec.structs import replace

from sitemap_guard import dates
from sitemap_guard.judgement import witnesses
from sitemap_guard.judgement.facts import Case, Facts, Rules, histories_of, last_of, sources, time_of
from sitemap_guard.judgement.windows import SKEW, beyond, broken, moment_of, supports
from sitemap_guard.model import Answer, Change, Claim, Moment, PathHistory, Verdict, Witness
from sitemap_guard.model import Mapping as Source

__all__ = ["SKEW", "Facts", "Rules", "judge", "moment_of", "supports"]

_LIKE = "2000-01-01"  # how a date is proposed where the claim shows no way to write one


def judge(claim: Claim, source: Source, facts: Facts, rules: Rules) -> Verdict:
    """The verdict on one claim's lastmod."""
    if claim.lastmod is None:
        return Verdict(Answer.ABSENT, witness=_of_an_undated(source, facts, rules))
    moment = moment_of(claim)
    if moment is None:
        return _ill_formed(claim, source, facts, rules)
    told = _doubted(_by_history(Case(claim, moment, source, facts, rules)), source, facts)
    if told.answer is Answer.TRUE and told.witness is not None and told.witness.kind != "field":
        return told
    return _impossible(moment, told, rules) or told


def _doubted(told: Verdict, source: Source, facts: Facts) -> Verdict:
    """The verdict; cannot tell instead of false where the source itself is in doubt."""
    if told.answer is not Answer.FALSE:
        return told
    gone = next((path for path in sources(source) if path in facts.deleted), "")
    if gone:
        text = f"{gone} is about to go: its deletion is staged"
        return Verdict(Answer.CANNOT_TELL, reason="deleted", text=text, witness=told.witness)
    if source.rival:
        text = f"two files fit: {source.content} and {source.rival}; name one with [[source]]"
        return Verdict(Answer.CANNOT_TELL, reason="ambiguous", text=text, witness=told.witness)
    return told


def _of_an_undated(source: Source, facts: Facts, rules: Rules) -> Witness | None:
    """The newest change of a page that claims no date: what one could stand on. None when it is not known."""
    repository = facts.repository
    if repository.problem or not source.content:
        return None
    if any(path in repository.edited | repository.staged for path in sources(source)):
        return None
    changes = [last_of(history) for history in histories_of(source, facts)]
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
        fixed = _newest_day(source, facts, rules)
    return Verdict(Answer.FALSE, "lastmod-format", text=why, expected=fixed)


def _newest_day(source: Source, facts: Facts, rules: Rules) -> str | None:
    """The day of the newest change of the sources; None when there is none."""
    lasts = (history.last for history in histories_of(source, facts))
    found = [time_of(last.commit, rules.habit) for last in lasts if last is not None and not last.edge]
    like = dates.parse(_LIKE)
    if not found or like is None or facts.repository.problem:
        return None
    return dates.write(max(found, key=lambda instant: instant.seconds), like, _LIKE)


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


def _by_history(case: Case) -> Verdict:
    """The verdict of the first that has one; false where none supports the claim."""
    told = (asked(case) for asked in _IN_ORDER)
    return next((verdict for verdict in told if verdict is not None), None) or _unsupported(case)


def _without_history(case: Case) -> Verdict | None:
    if case.facts.repository.problem:
        return Verdict(Answer.CANNOT_TELL, reason="no-history", text=case.facts.repository.detail)
    if not case.source.content:
        return Verdict(Answer.CANNOT_TELL, reason=case.source.reason or "no-source", text=case.source.tried)
    return None


def _content_unknown(case: Case) -> Verdict | None:
    content = case.source.content
    return None if any(change.path == content for change in case.changes) else _unknown(case, content)


def _also_unknown(case: Case) -> Verdict | None:
    path = next((path for path in case.paths if (known := case.history(path)).unknown and not known.last), "")
    return _unknown(case, path) if path else None


def _unknown(case: Case, path: str) -> Verdict:
    """Cannot tell: a source has no change, and why."""
    unknown = case.history(path).unknown
    if not unknown:
        return Verdict(Answer.CANNOT_TELL, reason="untracked", text=f"{path} has no commit; it is not tracked")
    reason = "evidence" if case.facts.repository.evidence else "no-history"
    return Verdict(Answer.CANNOT_TELL, reason=reason, text=unknown)


# Best first: a date that several witnesses support stands on the first of them.
_IN_ORDER = (
    _without_history,
    witnesses.staged,
    witnesses.authoritative,
    witnesses.last_change,
    witnesses.uncommitted,
    witnesses.older_change,
    witnesses.date_field,
    witnesses.ignored_change,
    _content_unknown,
    witnesses.twin_or_merge,
    _also_unknown,
)


def _unsupported(case: Case) -> Verdict:
    """False, and in which direction; or not to be told where the history is cut off."""
    moment, rules = case.moment, case.rules
    chains = [] if rules.strict else [change for history in case.histories for change in history.chain[1:]]
    known = (*case.changes, *chains)
    newer, older = beyond(moment, (change.commit for change in known), rules)
    edge = next((change for change in known if change.edge), None)
    if edge is not None and not newer:
        return _cut_off(case, edge)
    for field in (field for path in case.paths for field in case.fields(path)):
        newer = newer and moment.first > field.moment.last
        older = older and moment.last < field.moment.first
    newest = max(map(_counted, case.histories), key=lambda change: case.habitual(change.commit).seconds)
    left_out = not newer and any(
        history.one_pass and supports(history.one_pass, moment, rules) for history in case.histories
    )
    return Verdict(
        Answer.FALSE,
        broken(newer=newer, older=older),
        Witness("change", newest.path, newest),
        expected=None if newest.edge else case.write(case.habitual(newest.commit)),
        cause="merge-left-out" if left_out else "",
        field=next(iter(case.fields(case.source.content)), None),
    )


def _cut_off(case: Case, edge: Change) -> Verdict:
    why = next((f"; {one.unknown}" for one in case.histories if one.last is edge and one.unknown), "")
    return Verdict(
        Answer.CANNOT_TELL,
        reason="shallow",
        witness=Witness("change", edge.path, edge),
        text=f"the history ends at {edge.commit.id[:7]}; {edge.path} last changed then or earlier{why}",
    )


def _counted(history: PathHistory) -> Change:
    """The change to go by: the last one that the site's owner has not told git to ignore."""
    counted = next((change for change in history.chain if change.why != "ignored"), None)
    return counted or last_of(history)
