"""The tracked files that fit a pattern with git's wild cards, found without looking at all of them."""

from __future__ import annotations

import re
from bisect import bisect_left

_WILD = re.compile(r"[*?]")
_TOKEN = re.compile(r"\*\*/|/\*\*$|\*+|\?")
_MEANS = {"**/": "(?:[^/]+/)*", "/**": "/.+", "?": "[^/]"}


class Files:
    """The tracked files of a repository, sorted from both ends.

    The part of a pattern before its first wild card and the part after its last one each bound a range of the
    sorted names; only the shorter range is matched.
    """

    def __init__(self, tracked: frozenset[str]) -> None:
        self.tracked = tracked
        self._sorted: list[str] | None = None
        self._reversed: list[str] = []
        self._found: dict[str, tuple[str, ...]] = {}

    def fitting(self, path: str, *, wild: bool) -> tuple[str, ...]:
        """The tracked files that a path names, which is a pattern if `wild`."""
        if wild:
            return self.matching(path)
        return (path,) if path in self.tracked else ()

    def matching(self, pattern: str) -> tuple[str, ...]:
        """The files that fit, sorted. `*` and `?` stop at a slash, `**` as a whole segment does not.

        A backslash makes the next character literal; brackets are literal always.
        """
        if pattern not in self._found:
            self._found[pattern] = tuple(self._search(pattern))
        return self._found[pattern]

    def _search(self, pattern: str) -> list[str]:
        if self._sorted is None:
            self._sorted = sorted(self.tracked)
            self._reversed = sorted(name[::-1] for name in self.tracked)
        fits = re.compile(_expression(pattern), re.DOTALL).fullmatch
        # An escaped character ends the bounds as a wild card does; a slash next to `**` may stand for nothing.
        literal = _WILD.split(re.sub(r"\\.", "*", pattern))
        ahead = _range(self._sorted, literal[0].removesuffix("/"))
        behind = _range(self._reversed, literal[-1].removeprefix("/")[::-1])
        if ahead[1] - ahead[0] <= behind[1] - behind[0]:
            return [name for name in self._sorted[slice(*ahead)] if fits(name)]
        return sorted(name for name in (back[::-1] for back in self._reversed[slice(*behind)]) if fits(name))


def escaped(text: str) -> str:
    """The text with its wild cards made literal."""
    return re.sub(r"([*?\\])", r"\\\1", text)


def has_wild_card(pattern: str) -> bool:
    """Whether the pattern (nothing in it escaped) has a wild card."""
    return _WILD.search(pattern) is not None


def _expression(pattern: str) -> str:
    parts = []
    place = 0
    while place < len(pattern):
        if pattern[place] == "\\" and place + 1 < len(pattern):
            parts.append(re.escape(pattern[place + 1]))
            place += 2
            continue
        token = _TOKEN.match(pattern, place)
        if token and (token[0] != "**/" or place == 0 or pattern[place - 1] == "/"):
            parts.append(_MEANS.get(token[0], "[^/]*"))
            place = token.end()
        else:
            parts.append(re.escape(pattern[place]))
            place += 1
    return "".join(parts)


def _range(names: list[str], start: str) -> tuple[int, int]:
    """The part of the sorted names that begin with `start`."""
    low = bisect_left(names, start)
    return low, bisect_left(names, start + "\U0010ffff", low) if start else len(names)
