"""What the charts of the HTML report show, as numbers: the time span, the calendar strip, coverage by folder."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from sitemap_guard.reports.html_data import Rows, read_iri
from sitemap_guard.reports.safe import clean

DAY = 86400
FOLDERS = 400  # more than that nobody goes through; the filter finds any
DEEPEST = 4
NEARLY_ALL = 0.8
ELSEWHERE = "elsewhere"
LEVELS = 5
_LETTERS = "tfca"


def domain(rows: Rows) -> tuple[int, int]:
    """The first and last second of the charts: all true moments, and the claims that are not absurd.

    A stand-in such as 1970 would squeeze everything else into a corner, so that claims before the first change
    and after now do not widen the span; they are drawn on its edge.
    """
    true = [row.true for row in rows.rows if row.true is not None]
    claims = sorted(row.claimed for row in rows.rows if row.claimed is not None and row.claimed <= rows.now + DAY)
    # A tenth of the claims may lie outside: those of a habit count, stray ones do not.
    lows = true or claims
    low, high = min(lows, default=rows.now - 365 * DAY), max([*true, *claims[-1:]], default=rows.now)
    if true and claims:
        low = min(low, claims[len(claims) // 10])
    room = max((high - low) // 25, DAY)
    # Both charts begin where the first cell of the calendar does, so that they leave out the same claims.
    return _seconds(_bins(low - room, high + room)[0][0]), high + room


# -------------------------------------------------------------------------------------------------------- strip


def strip(rows: Rows, span: tuple[int, int]) -> dict[str, Any]:
    """Two rows of cells, claims and real changes, a day, week, month or quarter each, shaded by how many.

    `outside` counts the claims before and after the span, which have no cell.
    """
    starts, unit, name = _bins(*span)
    claims, before, after = _counts(starts, span[1], (row.claimed for row in rows.rows))
    changes, *_ = _counts(starts, span[1], (row.true for row in rows.rows))
    width = 100 / len(starts)
    cells = [
        {
            "x": f"{index * width:.3f}%",
            "width": f"{width * 0.86:.3f}%",
            "when": name(start),
            "claims": claims[index],
            "changes": changes[index],
            "claim_level": _level(claims[index], claims),
            "change_level": _level(changes[index], changes),
        }
        for index, start in enumerate(starts)
    ]
    most = _most(starts, claims, name)
    return {"cells": cells, "unit": unit, "ticks": _ticks(starts), "most": most, "outside": (before, after)}


def _most(starts: list[datetime], claims: Counter[int], name: Callable[[datetime], str]) -> tuple[str, int] | None:
    """The cell with the most claims, when it holds most of them."""
    if not claims:
        return None
    index, count = claims.most_common(1)[0]
    return (name(starts[index]), count) if count * 2 > claims.total() and claims.total() > 9 else None


def _bins(low: int, high: int) -> tuple[list[datetime], str, Callable[[datetime], str]]:
    first, last = _date(low), _date(high)
    days = (last - first).days + 1
    if days <= 120:
        return [first + timedelta(days=day) for day in range(days)], "day", lambda start: f"{start:%Y-%m-%d}"
    if days <= 160 * 7:
        monday = first - timedelta(days=first.weekday())
        weeks = [monday + timedelta(days=7 * week) for week in range(((last - monday).days // 7) + 1)]
        return weeks, "week", lambda start: f"the week of {start:%Y-%m-%d}"
    step = 1 if days <= 240 * 30 else 3 if days <= 240 * 91 else 12
    months = range(first.year * 12 + (first.month - 1) // step * step, last.year * 12 + last.month, step)
    starts = [datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC) for month in months]
    unit = {1: "month", 3: "quarter", 12: "year"}[step]
    return starts, unit, lambda start: f"{start:%Y}" if step == 12 else f"{start:%Y-%m}"


def _date(seconds: int) -> datetime:
    seconds = min(max(seconds, -62135510400), 253402128000)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return moment.replace(hour=0, minute=0, second=0)


def _seconds(moment: datetime) -> int:
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())


def _counts(starts: list[datetime], end: int, moments: Iterable[int | None]) -> tuple[Counter[int], int, int]:
    """How many moments lie in each cell, before the first, and after the end of the last one's day."""
    edges = [_seconds(start) for start in starts]
    places = Counter(
        bisect_right(edges, moment) - 1 if moment <= end else len(starts) for moment in moments if moment is not None
    )
    before, after = places.pop(-1, 0), places.pop(len(starts), 0)
    return places, before, after


def _level(count: int, counts: Counter[int]) -> int:
    """0 for none, else 1 to LEVELS on a logarithmic scale: one build's day must not blot out all other days."""
    if not count:
        return 0
    most = max(counts.values())
    return LEVELS if most == 1 else 1 + round((LEVELS - 1) * math.log(count) / math.log(most))


def _ticks(starts: list[datetime]) -> list[tuple[str, str]]:
    """Labels and places of the first cell of each year, or month where there are few; at most a dozen."""
    years = [index for index, start in enumerate(starts) if index and start.year != starts[index - 1].year]
    if len(years) >= 2:
        labels = [(index, f"{starts[index]:%Y}") for index in years]
    else:
        months = [index for index, start in enumerate(starts) if index and start.month != starts[index - 1].month]
        labels = [(index, f"{starts[index]:%Y-%m}") for index in months]
        if len(labels) < 3:
            labels = [(index, f"{starts[index]:%Y-%m-%d}") for index in range(0, len(starts), -(-len(starts) // 6))]
    labels = [(index, label) for index, label in labels if index < 0.93 * len(starts)]
    labels = labels[:: max(1, -(-len(labels) // 8))]
    return [(f"{100 * index / len(starts):.3f}%", label) for index, label in labels]


# ----------------------------------------------------------------------------------------------------- coverage


class Coverage(Struct, frozen=True):
    """The folders as bars, those with the most false dates first, and for each entry the index of its bar."""

    bars: tuple[dict[str, Any], ...]
    of: tuple[int, ...]


def coverage(rows: Rows) -> Coverage:
    """The folders of the site with their four counts; beyond `FOLDERS` the rest together.

    Folders are told apart at the first depth at which none holds nearly all entries; where there is no such depth, at
    the top.
    """
    every = _folders([row.below for row in rows.rows])
    found = next((names for deep in range(1, DEEPEST + 1) if _tells(names := _cut(every, deep))), _cut(every, 1))
    counts: dict[str, Counter[str]] = {}
    for name, row in zip(found, rows.rows, strict=True):
        counts.setdefault(name, Counter())[row.letter] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1]["f"], -item[1].total(), item[0]))
    bars = [_bar(_readable(name), one) for name, one in ordered[:FOLDERS]]
    places = {name: min(index, FOLDERS) for index, (name, _) in enumerate(ordered)}
    if rest := ordered[FOLDERS:]:
        bars.append(_bar(f"{len(rest):,} more folders", sum((one for _, one in rest), Counter[str]())))
    return Coverage(tuple(bars), tuple(places[name] for name in found))


def _folders(paths: Sequence[str]) -> list[str]:
    """The folder of each address. One that ends in a slash is a page of its parent, unless others lie below it."""
    plain = [re.split("[?#]", path, maxsplit=1)[0] for path in paths]
    parents = [path.rstrip("/").rpartition("/")[0] + "/" if path.startswith("/") else ELSEWHERE for path in plain]
    inner = set(parents)
    return [path if path in inner else parent for path, parent in zip(plain, parents, strict=True)]


def _cut(folders: Sequence[str], depth: int) -> list[str]:
    """The folders, those that lie deeper as the one that holds them at that depth."""
    cut = {name: name if name == ELSEWHERE else "/".join(name.split("/")[: depth + 1]) for name in set(folders)}
    return [cut[name] if cut[name].endswith("/") or name == ELSEWHERE else cut[name] + "/" for name in folders]


def _tells(folders: Sequence[str]) -> bool:
    """Whether no folder holds nearly all entries."""
    return max(Counter(folders).values(), default=0) <= len(folders) * NEARLY_ALL


def _readable(path: str) -> str:
    """The path as people read it: letters outside ASCII decoded, what then would act or hide shown as escapes."""
    return clean(read_iri(path) or path, 200)


def _bar(label: str, counts: Counter[str]) -> dict[str, Any]:
    total, start, parts = counts.total(), 0.0, []
    for letter in _LETTERS:
        width = 100 * counts[letter] / total
        if width:
            parts.append({"letter": letter, "x": f"{start:.3f}%", "width": f"{width:.3f}%"})
        start += width
    words = {"t": "true", "f": "false", "c": "cannot tell", "a": "no date"}
    said = ", ".join(f"{counts[letter]:,} {words[letter]}" for letter in _LETTERS if counts[letter])
    return {"label": label, "total": total, "false": counts["f"], "parts": parts, "said": said}
