"""What false dates have in common: one cause with its cure, instead of one symptom a page. Pure.

Each cause is looked for among the false claims that no cause before it explains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.judgement.cures import PUBLICATION
from sitemap_guard.judgement.windows import UNSUPPORTED, moment_of
from sitemap_guard.model import Answer, Commit, Entry, Moment, Repository

# Pages that share a wrong moment before it is called a habit and no accident.
_SHARED = 3
# A build takes a while: how far apart its first and last stamp may lie, in seconds.
_BUILD = 900
# Entries that share one value before it is called a constant.
_CONSTANT = 5

_Claims = Sequence[tuple[int, Moment]]  # by the entry's index


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
        and entry.verdict.rule in (*UNSUPPORTED, "lastmod-future")
        and (moment := moment_of(entry.claim)) is not None
    ]
    on_disk = [index for index, moment in false if _as_written(entries[index], moment, written, zone)]
    causes |= dict.fromkeys(_enough(on_disk), "checkout")
    if repository.head is not None:
        head = repository.head
        newer = [(index, moment) for index, moment in false if dates.reach(moment)[1] > head.committed.seconds]
        causes |= dict.fromkeys(_bunch(_left(newer, causes)), "build-clock")
        at_head = [index for index, moment in _left(false, causes) if _at(moment, head)]
        causes |= dict.fromkeys(_enough(at_head), "head")
    causes |= _constant(entries, _left(false, causes))
    lagging = [index for index, moment in _left(false, causes) if _local_as_utc(entries[index], moment)]
    return causes | dict.fromkeys(lagging, "local-as-utc")


def _left(claims: _Claims, causes: Mapping[int, str]) -> _Claims:
    return [(index, moment) for index, moment in claims if index not in causes]


def _enough(indexes: Sequence[int]) -> Sequence[int]:
    return indexes if len(indexes) >= _SHARED else ()


def _constant(entries: Sequence[Entry], claims: _Claims) -> dict[int, str]:
    """The claims of one value that most dated entries have: frozen, where most of their sources changed since."""
    dated = sum(1 for entry in entries if entry.claim.lastmod)
    values = Counter(entries[index].claim.lastmod for index, _ in claims)
    for value, count in values.most_common(1):
        if count >= _CONSTANT and count * 2 > dated:
            same = [index for index, _ in claims if entries[index].claim.lastmod == value]
            old = sum(1 for index in same if entries[index].verdict.rule == "lastmod-too-old")
            return dict.fromkeys(same, "frozen" if old * 2 > len(same) else "constant")
    return {}


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
    return witness is not None and witness.field is not None and witness.field.name.lower() in PUBLICATION


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


def _bunch(claims: _Claims) -> list[int]:
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
