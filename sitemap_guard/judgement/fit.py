"""The site's habit: which reading of history its dates follow, and how they write it.

Every generator follows one reading to the letter. Counting which one the claims follow names it, and tells which of a
change's times to propose. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.judgement.facts import sources
from sitemap_guard.judgement.windows import moment_of
from sitemap_guard.model import Answer, Entry, Instant, Moment, PathHistory

_READINGS = {
    "authored": "author date of each file's last change",
    "committed": "committer date of each file's last change",
    "one pass authored": "author date, one pass without merges (Hugo)",
    "one pass committed": "committer date, one pass without merges",
    "landed": "the day each change reached the branch",
    "merges": "author date, merges counted as changes (sphinx-last-updated-by-git)",
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
    """Which reading of history the claims follow: walk and date, counted over all that have a date and a source.

    And how those claims write it: to which precision, and in which zone.
    """
    follow: dict[str, list[tuple[Moment, Instant | None]]] = {name: [] for name in _READINGS}
    true = dict.fromkeys(_READINGS, 0)
    total = 0
    for entry in entries:
        moment = moment_of(entry.claim)
        if moment is None or entry.verdict.answer not in (Answer.TRUE, Answer.FALSE):
            continue
        total += 1
        witness = entry.verdict.witness
        if witness is not None and witness.kind == "field" and entry.verdict.answer is Answer.TRUE:
            follow["field"].append((moment, None))
            true["field"] += 1
        for name, instant in _readings(entry, moment, histories, zone).items():
            follow[name].append((moment, instant))
            true[name] += entry.verdict.answer is Answer.TRUE
    reading = max(_READINGS, key=lambda name: len(follow[name]))
    count = len(follow[reading])
    habit = "committed" if "committed" in reading else "landed" if reading == "landed" else "authored"
    # A false date can be written as the site writes them; but to say that it follows would vouch for it.
    if true[reading] * 2 <= total or not total:
        return Fit("", habit if count else "authored")
    return Fit(f"{true[reading]:,} of {total:,} follow: {_READINGS[reading]}{_written(follow[reading], zone)}", habit)


def _readings(entry: Entry, moment: Moment, histories: Mapping[str, PathHistory], zone: str) -> dict[str, Instant]:
    found: dict[str, Instant] = {}
    for path in sources(entry.mapping):
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
        told: dict[Instant, bool] = {}
        for name, instant in candidates:
            if instant not in told:  # for most commits all of them are one
                told[instant] = _says(moment, instant, zone)
            if told[instant] and name not in found:
                found[name] = instant
        if "authored" in found:
            found.setdefault("merges", found["authored"])
    return found


def _written(claims: Sequence[tuple[Moment, Instant | None]], zone: str) -> str:
    """How most of the claims are written: precision and zone, as the end of a sentence."""
    precision, count = Counter(moment.precision for moment, _ in claims).most_common(1)[0]
    if count * 2 <= len(claims):
        return ""
    dated = [(moment, instant) for moment, instant in claims if moment.precision == precision and instant is not None]
    zones = dict.fromkeys(("UTC", "the zone of each commit", f"the site's zone ({zone})"), 0)
    for moment, instant in dated:
        offsets = (0, instant.offset, dates.zone_offset(zone, instant.seconds))
        for name, offset in zip(zones, offsets, strict=True):
            zones[name] += _is_in(moment, instant, offset)
    best = max(zones, key=lambda name: zones[name])
    where = f", in {best}" if dated and zones[best] * 10 > len(dated) * 9 else ""
    return f", to the {precision}{where}"


def _is_in(moment: Moment, instant: Instant, offset: int) -> bool:
    if moment.offset is not None:
        return moment.offset == offset
    return dates.meets(moment, instant.seconds, instant.seconds, (offset,))


def _says(moment: Moment, instant: Instant, zone: str) -> bool:
    offsets = (0, instant.offset, dates.zone_offset(zone, instant.seconds))
    return dates.meets(moment, instant.seconds, instant.seconds, offsets)
