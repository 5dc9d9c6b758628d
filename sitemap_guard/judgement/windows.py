"""What a change supports: the window between its times, the zones in which a day may name it. Pure.

Also what a judgement starts from: the rules to judge by, and the facts.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import dates, durations
from sitemap_guard.model import Change, Claim, Commit, Field, Instant, Moment, PathHistory, Repository, Stale


class Rules(Struct, frozen=True):
    """How to judge: the window's time (`any`, `authored`, `committed`, `landed`), the site's zone (IANA name),
    seconds of tolerance, the time of the check, whether staged edits count as changes made now, which of a change's
    times to propose, whether every change counts (`strict`), and the commits that the site's owner says do not."""

    now: int
    date: str = "any"
    zone: str = "UTC"
    tolerance: int = 0
    staged: bool = False
    habit: str = "authored"
    strict: bool = False
    ignored: frozenset[str] = frozenset()


class Facts(Struct, frozen=True):
    """What is known about the sources: their histories, and the date fields of those that were read for them.

    `stale` tells, by path and field name, how far a source went on after a field was set; `policies` the `field`
    policy of the paths that have one, `back_merges` the merges that brought the branch into a side branch. Of the
    staged paths `unchanged` are those whose edit is not of substance, `deleted` those that go. `clocks` are the time
    zones (IANA names) that generators are set to, by the folder of their configuration.
    """

    repository: Repository
    histories: Mapping[str, PathHistory]
    fields: Mapping[str, tuple[Field, ...]]
    stale: Mapping[tuple[str, str], Stale] = {}
    policies: Mapping[str, str] = {}
    back_merges: frozenset[str] = frozenset()
    unchanged: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    clocks: Mapping[str, str] = {}


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


def by_tolerance(commit: Commit, moment: Moment, rules: Rules) -> str:
    """That a change supports the moment only by the tolerance, as a clause; "" when it needs none."""
    if not rules.tolerance or supports(commit, moment, replace(rules, tolerance=0)):
        return ""
    return f"within the tolerance of {durations.human(rules.tolerance)}"


def field_zones(path: str, field: Field, facts: Facts, rules: Rules) -> tuple[int, ...]:
    """The offsets in which a source's date field without a zone is read: UTC, the site's, its generator's."""
    above = [folder for folder in facts.clocks if not folder or path.startswith(f"{folder}/")]
    names = [rules.zone, *([facts.clocks[max(above, key=len)]] if above else [])]
    return (0, *(dates.zone_offset(name, field.moment.first) for name in names))


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


def only_landed(change: Change, moment: Moment, rules: Rules) -> bool:
    """Whether the moment is supported by the time at which a change landed, and by neither of its own times."""
    own = replace(change.commit, landed=change.commit.committed)
    return rules.date == "any" and not supports(own, moment, rules)


def beside(history: PathHistory, moment: Moment) -> list[Change]:
    """The twins and merges of a path at a moment."""
    return [
        change
        for change in history.others
        if any(
            dates.meets(moment, time.seconds, time.seconds, (0, time.offset))
            for time in (change.commit.authored, change.commit.committed, change.commit.landed)
        )
    ]
