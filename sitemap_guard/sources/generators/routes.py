"""Routes that are files: `blog/[slug].astro`, `app/docs/[[...path]]/page.tsx`, and which address fits which.

Of several routes that fit an address the most particular one has it: a literal part goes before a parameter, a
parameter before a rest of any length (Astro: routing priority; Next.js: predefined before dynamic before catch-all).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from sitemap_guard.sources.generators.base import normal

_PARAMETER = re.compile(r"(\[\[\.\.\.[^\[\]]+\]\]|\[\.\.\.[^\[\]]+\]|\[[^\[\]]+\])")
_PIECES = 7  # a segment of more parameters and texts is not understood
# A parameter of such a name stands for what a list page lists by.
_LISTS = re.compile(
    r"(?:page|p|num|number|index|tag|tags|category|categories|author|authors|year|month|series|topic|topics|archive)"
    r"(?:num|number|slug|name|id)?",
    re.IGNORECASE,
)


class Route(Struct, frozen=True):
    """A file that makes pages. `names` are its parameters, `parts` its segments as the file has them."""

    file: str
    parts: tuple[str, ...]
    names: tuple[str, ...]
    pattern: re.Pattern[str]
    rank: tuple[int, ...]
    literal: bool  # some part of it is no parameter

    def values(self, path: str) -> tuple[str, ...] | None:
        """The parameters' values in an address; None if it does not fit."""
        found = self.pattern.fullmatch(normal(path))
        return tuple(value or "" for value in found.groups()) if found else None

    def filled(self, values: Sequence[str]) -> str:
        """The address with the parameters' values, without a last slash (`/` for the root)."""
        given = iter(values)
        path = "/" + "/".join(_PARAMETER.sub(lambda _: next(given, ""), part) for part in self.parts)
        return re.sub(r"/{2,}", "/", path).rstrip("/") or "/"

    @property
    def lists(self) -> bool:
        """Whether its last parameter's name is one that list pages have."""
        return bool(self.names) and _LISTS.fullmatch(re.sub(r"[^A-Za-z]", "", self.names[-1])) is not None


def route_of(file: str, parts: Sequence[str], *, rest_may_be_empty: bool) -> Route:
    """A route of its segments. `rest_may_be_empty`: `[...x]` stands for no segment too, not only `[[...x]]`."""
    expression = ""
    names: list[str] = []
    rank = []
    for part in parts:
        pieces = _PARAMETER.split(part)
        if len(pieces) > _PIECES:
            return Route(file, tuple(parts), (), re.compile("(?!)"), (4,), True)
        whole = len(pieces) == 3 and not pieces[0] and not pieces[2]
        rest = whole and "..." in pieces[1]
        names += [piece.strip("[].") for piece in pieces[1::2]]
        if rest:
            empty = rest_may_be_empty or pieces[1].startswith("[[")
            expression += "(?:/(.+))?" if empty else "/(.+)"
            rank.append(3 if empty else 2)
        else:
            inner = "".join("([^/]+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
            expression += f"/{inner}"
            rank.append(1 if len(pieces) > 1 else 0)
    literal = any(not _PARAMETER.search(part) for part in parts)
    return Route(file, tuple(parts), tuple(names), re.compile(expression), (*rank, 2), literal)


def best_first(routes: Iterable[Route]) -> list[Route]:
    """The routes, the most particular ones first."""
    return sorted(routes, key=lambda route: (route.rank, route.file))


def is_dynamic(parts: Sequence[str]) -> bool:
    """Whether a parameter is among the segments."""
    return any(_PARAMETER.search(part) for part in parts)
