"""Which pathspecs make git look at no more of the trees than needed.

Git compares every pathspec with every entry of every tree, so a few folders are much faster than thousands of
files; and with any pathspec it compares merges once more, so none at all is faster than one that covers all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

MOST = 12
# Above this share of the repository's files, pathspecs cost more than they save.
SHARE = 0.5


def cover(wanted: Collection[str], tracked: Collection[str]) -> list[str]:
    """At most MOST literal pathspecs that cover all wanted paths; an empty list stands for the whole tree."""
    pathspecs = _narrow(wanted)
    if pathspecs == [""]:
        return []
    folders = tuple(pathspec + "/" for pathspec in pathspecs)
    exact = set(pathspecs)
    covered = sum(1 for path in tracked if path in exact or path.startswith(folders))
    return [] if covered > SHARE * len(tracked) else pathspecs


def _narrow(wanted: Iterable[str]) -> list[str]:
    """Splits the whole tree into parts, as long as there are few enough of them."""
    parts: dict[str, list[str]] = {"": list(wanted)}
    final: list[str] = []
    while parts:
        # The part with the fewest paths is nearest to being exact.
        folder = min(parts, key=lambda part: len(parts[part]))
        paths = parts.pop(folder)
        children: dict[str, list[str]] = {}
        start = len(folder) + 1 if folder else 0
        for path in paths:
            end = path.find("/", start)
            children.setdefault(path if end < 0 else path[:end], []).append(path)
        if folder in paths or len(final) + len(parts) + len(children) > MOST:
            final.append(folder)
            continue
        for child, below in children.items():
            if below == [child]:
                final.append(child)
            else:
                parts[child] = below
    return sorted(final)
