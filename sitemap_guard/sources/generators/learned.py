"""Permalink patterns that the configuration does not tell, learnt from the addresses.

Only for files that nothing else places. A file's clues are its names (slugs) and days; an address whose last part is
one of the names is turned into a pattern by putting `{name}`, `{y}`, `{m}`, `{d}` for what the file knows. A pattern
is believed if it places most files of its group, three at least, each at one address and no two at the same one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from sitemap_guard.sources.generators.base import Clues, Publication, normal

_LEAST = 3
_DATE = re.compile(r"/((?:19|20)\d\d)(?:/(\d\d?))?(?:/(\d\d?))?(?=/|$)|/((?:19|20)\d\d)-(\d\d)-(\d\d)(?=/|-)")


def learn(clues: Mapping[str, Clues], paths: Iterable[str], *, folds: bool) -> list[Publication]:
    """The publications of the files with clues, at those of the addresses that follow a pattern."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        last = normal(path).rpartition("/")[2]
        by_name[last.lower() if folds else last].append(path)
        undated = re.sub(r"^\d{4}-\d\d-\d\d-", "", last)
        if undated != last:
            by_name[undated].append(path)
    groups: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    sizes: Counter[str] = Counter()
    for file, clue in clues.items():
        sizes[clue.group] += 1
        fits = {}
        for name in clue.names:
            for path in by_name.get(name.lower() if folds else name, ()):
                pattern = _pattern(path, name, clue.days)
                if pattern:
                    fits[path] = pattern
        if fits:
            groups[clue.group][file] = fits
    return [found for group, fits in groups.items() for found in _believed(fits, sizes[group])]


def _pattern(path: str, name: str, days: frozenset[tuple[int, int, int]]) -> str:
    """The address as a pattern; "" if it names a day that is not the file's."""
    cut = path.lower().rindex(name.lower())
    before = path[:cut]
    dated = _DATE.search(before)
    if dated:
        given = dated.group(1, 2, 3) if dated[1] else dated.group(4, 5, 6)
        year, month, day = (int(part) if part else 0 for part in given)
        if not any(y == year and month in (0, m) and day in (0, d) for y, m, d in days):
            return ""
        parts = "/{y}" + ("/{m}" if month else "") + ("/{d}" if day else "")
        before = before[: dated.start()] + (parts if dated[1] else "/{y}-{m}-{d}") + before[dated.end() :]
    return before + "{name}" + path[cut + len(name) :]


def _believed(fits: Mapping[str, Mapping[str, str]], size: int) -> list[Publication]:
    counts = Counter(pattern for paths in fits.values() for pattern in set(paths.values()))
    pattern, support = max(counts.items(), key=lambda item: (item[1], item[0]))
    if support < _LEAST or support * 2 <= size or any(n == support and p != pattern for p, n in counts.items()):
        return []
    placed = [(file, path) for file, paths in fits.items() for path, its in paths.items() if its == pattern]
    # Several addresses for one file, or several files at one, are left to be told as ambiguous or not at all.
    once = Counter(file for file, _ in placed)
    return [Publication(path, file) for file, path in placed if once[file] == 1]
