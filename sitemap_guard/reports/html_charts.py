"""What the charts of the HTML report show, as numbers: the time span, the calendar strip, coverage by folder."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from sitemap_guard.reports.html_data import Rows
from sitemap_guard.reports.safe import clean

DAY = 86400
FOLDERS = 12
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
    return low - room, high + room


# -------------------------------------------------------------------------------------------------------- strip


def strip(rows: Rows, span: tuple[int, int]) -> dict[str, Any]:
    """Two rows of cells, claims and real changes, a day, week, month or quarter each, shaded by how many."""
    starts, unit, name = _bins(*span)
    claims = _counts(starts, (row.claimed for row in rows.rows))
    changes = _counts(starts, (row.true for row in rows.rows))
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
    return {"cells": cells, "unit": unit, "ticks": _ticks(starts), "most": _most(starts, claims, name)}


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


def _counts(starts: list[datetime], moments: Iterable[int | None]) -> Counter[int]:
    from bisect import bisect_right

    edges = [int((start - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) for start in starts]
    return Counter(max(0, bisect_right(edges, moment) - 1) for moment in moments if moment is not None)


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
        labels = [(index, f"{starts[index]:%Y-%m}") for index in months] or [(0, f"{starts[0]:%Y-%m-%d}")]
    labels = labels[:: max(1, -(-len(labels) // 8))]
    return [(f"{100 * index / len(starts):.3f}%", label) for index, label in labels]


# ----------------------------------------------------------------------------------------------------- coverage


def coverage(rows: Rows) -> list[dict[str, Any]]:
    """The largest folders of the site with their four counts; the rest together."""
    depth = next((deep for deep in (1, 2, 3) if len({_folder(row.below, deep) for row in rows.rows}) > 1), 1)
    folders: dict[str, Counter[str]] = {}
    for row in rows.rows:
        folders.setdefault(_folder(row.below, depth), Counter())[row.letter] += 1
    ordered = sorted(folders.items(), key=lambda item: (-item[1]["f"], -item[1].total(), item[0]))
    shown, rest = ordered[:FOLDERS], ordered[FOLDERS:]
    found = [_bar(name, clean(name, 200), counts) for name, counts in shown]
    if rest:
        together = sum((counts for _, counts in rest), Counter[str]())
        found.append(_bar("", f"{len(rest):,} more folders", together))
    return found


def _folder(below: str, depth: int) -> str:
    path = re.split("[?#]", below, maxsplit=1)[0]
    if "://" in path:
        return "elsewhere"
    parts = path.split("/")
    return "/".join(parts[: depth + 1]) + "/" if len(parts) > depth + 1 else "/".join(parts[:-1]) + "/"


def _bar(name: str, label: str, counts: Counter[str]) -> dict[str, Any]:
    total, start, parts = counts.total(), 0.0, []
    for letter in _LETTERS:
        width = 100 * counts[letter] / total
        if width:
            parts.append({"letter": letter, "x": f"{start:.3f}%", "width": f"{width:.3f}%"})
        start += width
    words = {"t": "true", "f": "false", "c": "cannot tell", "a": "no date"}
    said = ", ".join(f"{counts[letter]:,} {words[letter]}" for letter in _LETTERS if counts[letter])
    return {"folder": clean(name), "label": label, "total": total, "false": counts["f"], "parts": parts, "said": said}
