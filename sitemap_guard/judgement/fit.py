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
from sitemap_guard.judgement.judge import moment_of
from sitemap_guard.model import Answer, Commit, Entry, Instant, Moment, PathHistory, Repository

# Pages that share a wrong moment before it is called a habit and no accident.
_SHARED = 3
# A build takes a while: how far apart its first and last stamp may lie, in seconds.
_BUILD = 900

# Entries that share one value before it is called a constant.
_CONSTANT = 5
_PUBLICATION = {"date", "pubdate", "publishdate", "publishedat", "published", "created", "file name"}

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


def find_causes(
    entries: Sequence[Entry], repository: Repository, written: Mapping[str, int], zone: str
) -> dict[int, str]:
    """The cause of each false or stale claim that has a known one, by the entry's index.

    `checkout`: the time at which the source was written to disk (`written`, by path), `build-clock`: many within
    minutes of each other and newer than HEAD, `head`: many at HEAD's own moment (built from a shallow clone),
    `frozen` or `constant`: one value on most entries, older than most sources' changes or not, `local-as-utc`: the
    digits of the change's local time in another zone, `publication`: the day the page was published.
    """
    causes: dict[int, str] = {
        index: "publication"
        for index, entry in enumerate(entries)
        if entry.verdict.rule == "lastmod-field-stale" and _of_publication(entry)
    }
    false = [
        (index, moment)
        for index, entry in enumerate(entries)
        if entry.verdict.answer is Answer.FALSE
        and entry.verdict.rule in ("lastmod-too-new", "lastmod-too-old", "lastmod-unmatched", "lastmod-future")
        and (moment := moment_of(entry.claim)) is not None
    ]
    head = repository.head
    dated = sum(1 for entry in entries if entry.claim.lastmod)
    on_disk = [index for index, m in false if _as_written(entries[index], m, written, zone)]
    if len(on_disk) >= _SHARED:
        causes |= dict.fromkeys(on_disk, "checkout")
    if head is not None:
        fresh = [(i, m) for i, m in false if i not in causes and dates.reach(m)[1] > head.committed.seconds]
        causes |= dict.fromkeys(_cluster(fresh), "build-clock")
        at_head = [index for index, m in false if index not in causes and _at(m, head)]
        if len(at_head) >= _SHARED:
            causes |= dict.fromkeys(at_head, "head")
    values = Counter(entries[index].claim.lastmod for index, _ in false if index not in causes)
    for value, count in values.most_common(1):
        if count >= _CONSTANT and count * 2 > dated:
            same = [i for i, _ in false if i not in causes and entries[i].claim.lastmod == value]
            old = sum(1 for i in same if entries[i].verdict.rule == "lastmod-too-old")
            causes |= dict.fromkeys(same, "frozen" if old * 2 > len(same) else "constant")
    for index, moment in false:
        if index not in causes and _local_as_utc(entries[index], moment):
            causes[index] = "local-as-utc"
    return causes


def find_shared(entries: Sequence[Entry], causes: Mapping[int, str]) -> dict[tuple[int, int], list[int]]:
    """The moments, as seconds, that many claims which are too new and have no known cause have in common."""
    found: dict[tuple[int, int], list[int]] = {}
    for index, entry in enumerate(entries):
        if entry.verdict.rule == "lastmod-too-new" and index not in causes:
            moment = moment_of(entry.claim)
            if moment is not None and moment.precision in ("day", "minute", "second"):
                found.setdefault((moment.first, moment.last), []).append(index)
    most = sorted(found.items(), key=lambda item: -len(item[1]))[:_SHARED]
    return {span: indexes for span, indexes in most if len(indexes) >= _SHARED}


def _of_publication(entry: Entry) -> bool:
    witness = entry.verdict.witness
    return witness is not None and witness.field is not None and witness.field.name.lower() in _PUBLICATION


def _as_written(entry: Entry, moment: Moment, written: Mapping[str, int], zone: str) -> bool:
    """Whether the claim is the time at which the source was written to disk; only Hexo's days are taken for one."""
    at = written.get(entry.mapping.content)
    if at is None:
        return False
    if moment.precision in ("second", "minute"):
        return moment.first - 1 <= at <= moment.last + 1
    hexo = entry.page is not None and entry.page.generator.lower().startswith("hexo")
    return hexo and moment.precision == "day" and dates.meets(moment, at, at, (0, dates.zone_offset(zone, at)))


class Cluster(Struct, frozen=True):
    """One commit, or one value, that dates most pages. `commit` is "" where no commit explains it."""

    commit: str
    value: str
    indexes: tuple[int, ...]
    dated: int


def find_cluster(entries: Sequence[Entry]) -> Cluster | None:
    """The commit or value on which more than half of the dated entries stand, ten at least.

    News sitemaps list what is new, so their dates lie together; and claims with a fault of their own do not count.
    """
    dated = [(i, entry) for i, entry in enumerate(entries) if entry.claim.lastmod is not None and not entry.claim.news]
    bunches: dict[tuple[str, str], list[int]] = {}
    for index, entry in dated:
        if entry.verdict.answer in (Answer.TRUE, Answer.CANNOT_TELL) and not entry.verdict.rule:
            witness = entry.verdict.witness
            change = witness.change if witness and witness.kind == "change" else None
            key = (change.commit.id, "") if change else ("", entry.claim.lastmod or "")
            bunches.setdefault(key, []).append(index)
    if not bunches:
        return None
    (commit, value), indexes = max(bunches.items(), key=lambda bunch: len(bunch[1]))
    if len(indexes) < 10 or len(indexes) * 2 <= len(dated):
        return None
    return Cluster(commit, value, tuple(indexes), len(dated))


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
