"""The site's habit, and what false dates have in common.

Every generator follows one reading of history to the letter. Counting which one the claims follow names it, and
tells which of a change's times to propose. Where claims are false, what they share names the cause: one finding
with its cure, instead of one symptom a page. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.judge import moment_of
from sitemap_guard.model import Answer, Commit, Entry, Instant, Moment, PathHistory, Repository

# Pages that share a wrong moment before it is called a habit and no accident.
_SHARED = 3
# A build takes a while: how far apart its first and last stamp may lie, in seconds.
_BUILD = 900

_READINGS = {
    "authored": "author date of each file's last change",
    "committed": "committer date of each file's last change",
    "one pass authored": "author date, one pass over the log without merges (as Hugo)",
    "one pass committed": "committer date, one pass over the log without merges",
    "landed": "the day each change reached the branch",
    "merges": "author date, merges counted as changes (as sphinx-last-updated-by-git)",
    "field": "a date field in each source",
}


class Fit(Struct, frozen=True):
    """The reading that most claims follow.

    `text` is "" when fewer than half of the dated, sourced claims follow one; `habit` is the time of a change to
    propose.
    """

    text: str
    habit: str


def find_fit(entries: Iterable[Entry], histories: Mapping[str, PathHistory], zone: str) -> Fit:
    """Which reading of history the claims follow, counted over all that have a date and a source."""
    counts: Counter[str] = Counter(dict.fromkeys(_READINGS, 0))
    total = 0
    for entry in entries:
        moment = moment_of(entry.claim)
        if moment is None or entry.verdict.answer not in (Answer.TRUE, Answer.FALSE):
            continue
        total += 1
        if entry.verdict.witness is not None and entry.verdict.witness.kind == "field":
            counts["field"] += 1
        counts.update(_readings(entry, moment, histories, zone))
    reading = max(_READINGS, key=lambda name: counts[name])
    habit = "committed" if "committed" in reading else "landed" if reading == "landed" else "authored"
    if counts[reading] * 2 <= total or not total:
        return Fit("", habit if counts[reading] else "authored")
    return Fit(f"{counts[reading]:,} of {total:,} follow: {_READINGS[reading]}", habit)


def _readings(entry: Entry, moment: Moment, histories: Mapping[str, PathHistory], zone: str) -> set[str]:
    found: set[str] = set()
    for path in (entry.mapping.content, *entry.mapping.also):
        history = histories.get(path)
        if history is None or history.last is None:
            continue
        commit = history.last.commit
        passed = history.one_pass or commit
        candidates = [
            ("authored", commit.authored),
            ("committed", commit.committed),
            ("landed", commit.landed),
            ("one pass authored", passed.authored),
            ("one pass committed", passed.committed),
            *(("merges", other.commit.authored) for other in history.others if other.kind == "merge"),
        ]
        found |= {name for name, instant in candidates if _says(moment, instant, zone)}
        if "authored" in found:
            found.add("merges")
    return found


def _says(moment: Moment, instant: Instant, zone: str) -> bool:
    offsets = (0, instant.offset, dates.zone_offset(zone, instant.seconds))
    return dates.meets(moment, instant.seconds, instant.seconds, offsets)


def find_causes(entries: Sequence[Entry], repository: Repository) -> dict[int, str]:
    """The cause of each false claim that has a known one, by the entry's index.

    `build-clock`: many within minutes of each other and newer than HEAD, `head`: many at HEAD's own moment (built
    from a shallow clone), `constant`: one value on most false entries, `local-as-utc`: the digits of the change's
    local time in another zone.
    """
    causes: dict[int, str] = {}
    false = [
        (index, moment)
        for index, entry in enumerate(entries)
        if entry.verdict.answer is Answer.FALSE
        and entry.verdict.rule in ("lastmod-too-new", "lastmod-too-old", "lastmod-unmatched", "lastmod-future")
        and (moment := moment_of(entry.claim)) is not None
    ]
    head = repository.head
    dated = sum(1 for entry in entries if entry.claim.lastmod)
    if head is not None:
        fresh = [(index, m) for index, m in false if dates.reach(m)[1] > head.committed.seconds]
        causes |= dict.fromkeys(_cluster(fresh), "build-clock")
        at_head = [index for index, m in false if index not in causes and _at(m, head)]
        if len(at_head) >= _SHARED:
            causes |= dict.fromkeys(at_head, "head")
    values = Counter(entries[index].claim.lastmod for index, _ in false if index not in causes)
    for value, count in values.most_common(1):
        if count >= 10 and count * 2 > dated:
            causes |= {i: "constant" for i, _ in false if i not in causes and entries[i].claim.lastmod == value}
    for index, moment in false:
        if index not in causes and _local_as_utc(entries[index], moment):
            causes[index] = "local-as-utc"
    return causes


def _cluster(claims: Sequence[tuple[int, Moment]]) -> list[int]:
    """The entries of the largest bunch of claims that one build's length spans; [] when it is no bunch."""
    ordered = sorted(claims, key=lambda item: item[1].first)
    best: tuple[int, int] = (0, 0)
    start = 0
    for end in range(len(ordered)):
        while ordered[end][1].first - ordered[start][1].first > _BUILD:
            start += 1
        if end + 1 - start > best[1] - best[0]:
            best = (start, end + 1)
    bunch = ordered[best[0] : best[1]]
    return [index for index, _ in bunch] if len(bunch) >= _SHARED else []


def _at(moment: Moment, commit: Commit) -> bool:
    return any(
        dates.meets(moment, time.seconds, time.seconds, (0, time.offset))
        for time in (commit.authored, commit.committed, commit.landed)
    )


def _local_as_utc(entry: Entry, moment: Moment) -> bool:
    witness = entry.verdict.witness
    if (
        witness is None
        or witness.change is None
        or moment.offset is None
        or moment.precision not in ("minute", "second")
    ):
        return False
    wall = moment.first + moment.offset * 60
    return any(
        time.offset != moment.offset and 0 <= time.seconds + time.offset * 60 - wall <= moment.last - moment.first
        for time in (witness.change.commit.authored, witness.change.commit.committed)
    )
