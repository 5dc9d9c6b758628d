"""What a date may stand on, one function a kind of witness: its verdict, or None where it says nothing. Pure.

`judge` asks them in their order. Not every verdict is true: a staged edit speaks against an older date, and a field
that the configuration makes authoritative decides either way.
"""

from __future__ import annotations

from sitemap_guard import dates
from sitemap_guard.judgement.facts import Case
from sitemap_guard.judgement.windows import (
    SKEW,
    beside,
    broken,
    by_tolerance,
    field_zones,
    only_landed,
    supports,
)
from sitemap_guard.model import Answer, Change, Field, Instant, Verdict, Witness

_DAY = 86400


def staged(case: Case) -> Verdict | None:
    """What is staged of the sources, where it does not leave the last change what it is."""
    paths = [path for path in case.paths if path in case.facts.repository.staged] if case.rules.staged else []
    if paths and _is_now(case):
        return Verdict(Answer.TRUE, witness=Witness("staged", paths[0]))
    path = next((path for path in paths if path not in case.facts.unchanged | case.facts.deleted), "")
    if not path:
        return None
    return Verdict(
        Answer.FALSE,
        "lastmod-too-old",
        Witness("staged", path),
        text=f"{path} is staged, but its date is older",
        expected=case.write(Instant(case.rules.now)),
    )


def authoritative(case: Case) -> Verdict | None:
    """Where the configuration makes fields authoritative, the best one of the content decides."""
    path, moment = case.source.content, case.moment
    field = next(iter(case.facts.fields.get(path, ())), None)
    if field is None or case.facts.policies.get(path) != "authoritative":
        return None
    witness = Witness("field", path, field=field)
    if _agrees(case, path, field):
        return Verdict(Answer.TRUE, witness=witness)
    last = case.history(path).last
    change = f" and last changed {last.commit.authored.human()}" if last and not last.edge else ""
    site = dates.zone_offset(case.rules.zone, field.moment.first)
    offset = field.moment.offset
    said = Instant(field.moment.first - (site * 60 if offset is None else 0), site if offset is None else offset)
    return Verdict(
        Answer.FALSE,
        broken(newer=moment.first > field.moment.last, older=moment.last < field.moment.first),
        witness,
        text=f"{path} says {field.name}: {field.value}, which [[policy]] makes authoritative,{change}",
        expected=case.write(said),
    )


def last_change(case: Case) -> Verdict | None:
    """The last change of a source, one that counts."""
    for change in _standing(case):
        if not (_is_ignored(case, change) or _is_brought_back(case, change)):
            kind = "evidence" if change.kind == "evidence" else "change"
            return _true(case, Witness(kind, change.path, change), change)
    return None


def uncommitted(case: Case) -> Verdict | None:
    """An edit of a source that is in no commit yet."""
    edited = case.facts.repository.edited | case.facts.repository.staged
    path = next((path for path in case.paths if path in edited), "")
    return Verdict(Answer.TRUE, witness=Witness("edited", path)) if path and _is_now(case) else None


def older_change(case: Case) -> Verdict | None:
    """An older change of a source, when no change of substance came since.

    Where contents are missing, whether there was one cannot be told.
    """
    for path in case.paths if not case.rules.strict else ():
        chain = case.history(path).chain
        doubt = ""
        for change in chain:
            if change.edge:
                break
            if change is not chain[0] and supports(change.commit, case.moment, case.rules):
                witness = Witness("change", path, change)
                if not doubt:
                    return _true(case, witness, change)
                text = f"{path} changed since, in {doubt[:7]}, whose contents are not in this partial clone"
                return Verdict(Answer.CANNOT_TELL, reason="partial", text=text, witness=witness)
            doubt = doubt or (change.commit.id if change.why == "unknown" else "")
    return None


def date_field(case: Case) -> Verdict | None:
    """A date field of a source: the claim stands on the author's word, which may have gone stale."""
    told = None
    for path in case.paths:
        said = next((field for field in case.fields(path) if _agrees(case, path, field)), None)
        if said is None:
            continue
        stale = case.facts.stale.get((path, said.name))
        if stale is None or not stale.changes:
            return Verdict(Answer.TRUE, witness=Witness("field", path, field=said))
        told = told or Verdict(
            Answer.TRUE,
            "lastmod-field-stale",
            Witness("field", path, stale.newest, said, stale),
            expected=case.write(case.habitual(stale.newest.commit)),
        )
    return told


def ignored_change(case: Case) -> Verdict | None:
    """A last change that the site's own list leaves out of account: overstated only, since git names the commit."""
    change = next((change for change in _standing(case) if _is_ignored(case, change)), None)
    if change is None:
        return None
    chain = case.history(change.path).chain
    before = next((one for one in chain if one.why != "ignored" and not one.edge), None)
    return Verdict(
        Answer.TRUE,
        "lastmod-overstated",
        Witness("ignored", change.path, change),
        expected=case.write(case.habitual(before.commit)) if before else case.claim.lastmod,
    )


def twin_or_merge(case: Case) -> Verdict | None:
    """A twin or a merge: overstated only, since git does name those commits, though they brought the file nothing."""
    for path in case.paths:
        history = case.history(path)
        change = next(iter(beside(history, case.moment)), None)
        if change is None:
            continue
        best = None
        if history.last is not None:
            best = case.habitual(history.last.commit)
            if dates.meets(case.moment, best.seconds, best.seconds, (0, best.offset)):
                best = history.last.commit.authored  # it landed then, and no more
        return Verdict(
            Answer.TRUE,
            "lastmod-overstated",
            Witness(change.kind, path, change),
            # Behind the edge of a shallow clone no better date is known.
            expected=case.claim.lastmod if history.last and history.last.edge else case.write(best) if best else None,
        )
    return None


def _true(case: Case, witness: Witness, change: Change) -> Verdict:
    return Verdict(Answer.TRUE, text=by_tolerance(change.commit, case.moment, case.rules), witness=witness)


def _standing(case: Case) -> list[Change]:
    """The last changes that support the claim; on the edge of a shallow clone the true one may be another."""
    return [one for one in case.changes if not one.edge and supports(one.commit, case.moment, case.rules)]


def _is_ignored(case: Case, change: Change) -> bool:
    return not case.rules.strict and change.commit.id in case.rules.ignored


def _is_brought_back(case: Case, change: Change) -> bool:
    """Whether the change only "landed" then because the branch was merged back into a side branch.

    Git's first-parent line goes through that side branch if the published branch was then set to it.
    """
    merges = case.facts.back_merges
    return (
        bool(merges)
        and only_landed(change, case.moment, case.rules)
        and any(other.commit.id in merges for other in beside(case.history(change.path), case.moment))
    )


def _is_now(case: Case) -> bool:
    """Whether the moment lies within the last day or is today in any zone: a build or a hook runs for a while."""
    first, last = dates.reach(case.moment)
    return last >= case.rules.now - _DAY and first <= case.rules.now + SKEW


def _agrees(case: Case, path: str, field: Field) -> bool:
    zones = field_zones(path, field, case.facts, case.rules)
    # A generator writes a field that has no zone in the zone it reads it in: the claim names that zone itself.
    offset = case.moment.offset
    return dates.agrees(case.moment, field.moment, zones if offset is None else (*zones, offset))
