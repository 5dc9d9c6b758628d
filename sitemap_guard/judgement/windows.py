"""What a change supports: the window between its times, the zones in which a day may name it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sitemap_guard import dates, durations
from sitemap_guard.judgement.facts import Facts, Rules, time_of
from sitemap_guard.model import Change, Claim, Commit, Field, Moment, PathHistory

# Clocks of build machines are off by minutes, not hours: in seconds.
SKEW = 600
# The rules that a date breaks which no change supports, or none that brought the page anything.
UNSUPPORTED = ("lastmod-too-new", "lastmod-too-old", "lastmod-unmatched")
OF_HISTORY = (*UNSUPPORTED, "lastmod-overstated")
_FAR = 1 << 62


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


def supports(commit: Commit, moment: Moment, rules: Rules) -> bool:
    """Whether a change at this commit supports the moment.

    A day may be the day in UTC, in the commit's own zones, or in the site's.
    """
    first, last = window(commit, rules)
    return dates.meets(moment, first, last, zones(commit, rules))


def beyond(moment: Moment, commits: Iterable[Commit], rules: Rules) -> tuple[bool, bool]:
    """Whether a moment is newer, and whether it is older, than all that the changes at these commits support."""
    windows = [(*window(commit, rules), zones(commit, rules)) for commit in commits]
    newer = all(not dates.meets(moment, -_FAR, last, offsets) for _, last, offsets in windows)
    older = all(not dates.meets(moment, first, _FAR, offsets) for first, _, offsets in windows)
    return newer, older


def broken(*, newer: bool, older: bool) -> str:
    """The rule that a date breaks which nothing supports, by where it lies."""
    return "lastmod-too-new" if newer else "lastmod-too-old" if older else "lastmod-unmatched"


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
