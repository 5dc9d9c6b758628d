"""The moments that claims name, so that a commit is looked at only when it happened at one of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

Ranges = tuple[tuple[int, int], ...]


class Claimed:
    """The claimed ranges of seconds (first, last, both included) of each path, and their union."""

    def __init__(self, wanted: Mapping[bytes, Ranges]) -> None:
        self._of = {path: ranges for path, ranges in wanted.items() if ranges}
        self._starts: list[int] = []
        self._ends: list[int] = []
        for first, last in sorted({span for ranges in self._of.values() for span in ranges}):
            if self._ends and first <= self._ends[-1] + 1:
                self._ends[-1] = max(self._ends[-1], last)
            else:
                self._starts.append(first)
                self._ends.append(last)

    def __bool__(self) -> bool:
        return bool(self._starts)

    def any_at(self, moments: Iterable[int]) -> bool:
        """Whether some claim names one of these moments."""
        for moment in moments:
            place = bisect_right(self._starts, moment) - 1
            if place >= 0 and moment <= self._ends[place]:
                return True
        return False

    def named(self, paths: Iterable[bytes], moments: tuple[int, ...]) -> list[bytes]:
        """Those of the paths whose own claims name one of these moments."""
        of = self._of
        return [
            path
            for path in paths
            if path in of and any(first <= moment <= last for first, last in of[path] for moment in moments)
        ]
