"""What is to be said of `[[source]]` rules, or of parts of them, that fit nothing and so have no effect."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from msgspec import Struct

from sitemap_guard.config import SourceRule
from sitemap_guard.sources.globs import has_wild_card

_MOST = 10  # rules that are told of one by one
_LOOKED_AT = 2000  # names at most, next in the alphabet, among which the nearest is looked for


class Use(Struct):
    """What became of one rule. `tried` are the paths that it led to and git does not track, `also` the places of
    those of its further files that fit, `lost` the first that each other led to."""

    reached: bool = False
    answered: bool = False
    tried: dict[str, None] = {}
    also: set[int] = set()
    lost: dict[int, str] = {}


class Known(Struct, frozen=True):
    """What the rules are compared with: the site's address, its URLs in full, and the tracked files."""

    base_url: str
    urls: Collection[str]
    tracked: Collection[str]


def notes(
    rules: Sequence[SourceRule], uses: Sequence[Use], known: Known, fits: Callable[[int], bool]
) -> tuple[str, ...]:
    """A line for each setting that fits nothing. `fits` tells of a rule that was never reached if its `url` would
    fit an address."""
    idle = [place for place, use in enumerate(uses) if not use.answered or len(use.also) < len(rules[place].also)]
    told: list[str] = []
    for place in idle[:_MOST]:
        said = _of_rule(rules[place], uses[place], known, partial(fits, place))
        told += [f"[[source]] {place + 1} (url {rules[place].url!r}): {one}" for one in said]
    if len(idle) > _MOST:
        told.append(f"[[source]]: {len(idle) - _MOST:,} more rules fit nothing, or not with all their files")
    return tuple(told)


def nearest(name: str, names: Collection[str]) -> str:
    """`; did you mean …?` with the name that is most like one that is not there; "" when none is like it.

    A file of the same name in another folder, and one of the same folder, come before others.
    """
    folder, _, last = name.rpartition("/")
    same = sorted(one for one in names if one.rpartition("/")[2] == last and last)
    beside = [one for one in names if one.rpartition("/")[0] == folder]
    for some in (same, beside, names):
        found = difflib.get_close_matches(name, _around(name, some), 1, 0.3 if some is same else 0.75)
        if found:
            return f"; did you mean {found[0]}?"
    return ""


def _of_rule(rule: SourceRule, use: Use, known: Known, fits: Callable[[], bool]) -> Iterator[str]:
    if not use.reached:
        if fits():
            yield "it has no effect, since rules before it answer for every address that it fits"
        elif known.urls:
            where = f" (paths are below {known.base_url})" if known.base_url and "://" not in rule.url else ""
            yield f"no sitemap lists an address that it fits{where}{_nearest_address(rule.url, known)}"
    elif not known.tracked:
        return
    elif not use.answered:
        first = next(iter(use.tried), "")
        more = f" and {len(use.tried) - 1:,} more" if len(use.tried) > 1 else ""
        near = "" if has_wild_card(first) else nearest(first, known.tracked)
        yield f"path leads to no file that git tracks: {first}{more}{near}"
    else:
        for place in range(len(rule.also)):
            if place not in use.also:
                path = use.lost.get(place, rule.also[place])
                near = "" if has_wild_card(path) else nearest(path, known.tracked)
                yield f"also fits no file that git tracks: {path}{near}"


def _nearest_address(pattern: str, known: Known) -> str:
    """The listed address that is most like it; what they all begin with makes none alike."""
    if "{" in pattern:
        return ""
    base = known.base_url
    below = [url.removeprefix(base) for url in known.urls if url.startswith(base)]
    wanted = pattern.removeprefix(base).lstrip("/")
    found = difflib.get_close_matches(wanted, _around(wanted, below), 1, 0.75)
    return f"; did you mean {base}{found[0]}?" if found else ""


def _around(name: str, names: Collection[str]) -> list[str]:
    """The names that stand next to this one in the alphabet: to compare with all of very many takes seconds."""
    ordered = sorted(names)
    middle = min(max(bisect_left(ordered, name), _LOOKED_AT // 2), max(len(ordered) - _LOOKED_AT // 2, _LOOKED_AT // 2))
    return ordered[max(middle - _LOOKED_AT // 2, 0) : middle + _LOOKED_AT // 2]
