"""Patterns of addresses, as the configuration files of hosts write them, and what a match redirects to.

A pattern from a repository may be made to take for ever. So regular expressions are taken only in the simple shapes
that redirects need (see `safe`), and long addresses are not matched at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from sitemap_guard.model.hosting import Header, Rule
from sitemap_guard.urls import Address, decoded

MAX_RULES = 10_000
_MAX_PATTERN = 400
_MAX_ADDRESS = 500
_NAME = re.compile(r":([A-Za-z_]\w*)")
_QUANTIFIED_GROUP = re.compile(r"\((?:[^()\\]|\\.)*[*+{](?:[^()\\]|\\.)*\)\s*[*+{]|\)\)[*+{]")
_UNBOUNDED = re.compile(r"(?<!\\)(?:[*+]|\{\d+,\})")


Maybe = bool | None


class Condition(Struct, frozen=True):
    """A condition of a rule: `holds` tells whether it holds for an address (None: nothing tells), `why` names it."""

    holds: Callable[[Address], Maybe]
    why: str


class Redirect(Struct, frozen=True):
    """One redirect, rewrite or error of a host.

    `match` takes the address's path (or, with `whole`, the whole address) and gives the target, None if it does not
    match. `fixed` is a path that it matches exactly and alone ("" if there is none). `status` 200 is a rewrite.
    `force`: it goes before a file. `query` are the parameters that the address must have. `start` is what every path
    that it matches begins with. `when` is its condition, if it has one.
    """

    match: Callable[[str], str | None]
    status: int
    rule: Rule
    fixed: str = ""
    force: bool = False
    whole: bool = False
    query: tuple[str, ...] = ()
    start: str = ""
    when: Condition | None = None


class HeaderRule(Struct, frozen=True):
    """Headers that a host sets for the paths (or, with `whole`, the addresses) that match. `detach`: names it drops."""

    match: Callable[[str], bool]
    headers: tuple[Header, ...] = ()
    whole: bool = False
    detach: tuple[str, ...] = ()
    when: Condition | None = None


def safe(pattern: str, flags: int = 0) -> re.Pattern[str] | None:
    """The regular expression, or None when it is none or could take too long."""
    if len(pattern) > _MAX_PATTERN or _QUANTIFIED_GROUP.search(pattern) or len(_UNBOUNDED.findall(pattern)) > 3:
        return None
    try:
        return re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        return None


def splat(pattern: str, *, exact: bool = False) -> re.Pattern[str] | None:
    """A pattern of `_redirects` or `_headers`: `*` is anything (named `splat`), `:name` one segment.

    Unless `exact`, a slash at the end may be there or not, and `/x/*` takes `/x` too.
    """
    if len(pattern) > _MAX_PATTERN or pattern.count("*") > 2:
        return None
    parts, place, seen = [], 0, set()
    trimmed = pattern if exact or pattern in ("/", "/*") else pattern.rstrip("/")
    scheme = re.match(r"https?://", trimmed)
    if scheme:
        parts.append("https?://")
        place = scheme.end()
    while place < len(trimmed):
        name = _NAME.match(trimmed, place)
        if name and name[1] not in seen:
            seen.add(name[1])
            # In a host, a name stands for one label.
            in_host = scheme is not None and "/" not in trimmed[scheme.end() : place]
            parts.append(f"(?P<{name[1]}>[^/.]+)" if in_host else f"(?P<{name[1]}>[^/]+)")
            place = name.end()
        elif trimmed[place] == "*":
            if not exact and parts and parts[-1] == "/" and place == len(trimmed) - 1:
                parts[-1] = "(?:/(?P<splat>.*))?" if "splat" not in seen else "(?:/.*)?"
            else:
                parts.append("(?P<splat>.*)" if "splat" not in seen else ".*")
            seen.add("splat")
            place += 1
        else:
            parts.append(re.escape(trimmed[place]))
            place += 1
    try:
        return re.compile("".join(parts) + ("" if exact or pattern.endswith("*") else "/?"), re.DOTALL)
    except re.error:
        return None


def filled(target: str, found: re.Match[str]) -> str:
    """The target with `:name` and `:splat` filled in."""
    groups = found.groupdict()
    return _NAME.sub(lambda name: (groups.get(name[1]) or "") if name[1] in groups else name[0], target)


def by_splat(source: str, target: str, *, exact: bool = False) -> Callable[[str], str | None] | None:
    """The matcher of a `_redirects` rule."""
    pattern = splat(source, exact=exact)
    if pattern is None:
        return None

    def match(path: str) -> str | None:
        found = pattern.fullmatch(path) if len(path) <= _MAX_ADDRESS else None
        return filled(target, found) if found else None

    return match


def by_regex(pattern: re.Pattern[str], target: str, sign: str = "$") -> Callable[[str], str | None]:
    """A matcher that fills `$1` in the target by a regular expression's groups; it may match anywhere."""

    def match(path: str) -> str | None:
        found = pattern.search(path) if len(path) <= _MAX_ADDRESS else None
        if not found:
            return None
        return re.sub(rf"{re.escape(sign)}(\d)", lambda n: _group(found, int(n[1])), target)

    return match


def _group(found: re.Match[str], number: int) -> str:
    return (found[number] or "") if number <= (found.re.groups) else ""


def is_fixed(source: str) -> str:
    """The path that a `_redirects` source names, when it names just one; else ""."""
    plain = not ("*" in source or ":" in source)
    return (source.rstrip("/") or "/") if plain else ""


def literal(source: str) -> str:
    """What every path that a pattern with `*`, `:name` or `(…)` matches begins with, up to a slash."""
    found = re.match(r"[^*:(?+]*", source)
    start = found[0] if found else ""
    return start[: start.rfind("/") + 1]


def _first(path: str) -> str:
    return path[1:].partition("/")[0]


class Redirects:
    """The redirects of a site, in order; the first that matches counts."""

    def __init__(self, rules: Iterable[Redirect]) -> None:
        self._fixed: dict[str, list[tuple[int, Redirect]]] = {}
        self._below: dict[str, list[tuple[int, Redirect]]] = {}
        self._others: list[tuple[int, Redirect]] = []
        for number, rule in enumerate(rules):
            if number >= MAX_RULES:
                break
            if rule.fixed:
                self._fixed.setdefault(rule.fixed, []).append((number, rule))
            elif rule.start.count("/") > 1:
                self._below.setdefault(_first(rule.start), []).append((number, rule))
            else:
                self._others.append((number, rule))

    def __bool__(self) -> bool:
        return bool(self._fixed or self._below or self._others)

    def first(self, address: Address) -> Hit | None:
        """The first rule for an address, its target, and the rules before it that may hold or not."""
        best: tuple[int, Redirect, str] | None = None
        open_ones: list[tuple[int, Redirect, str]] = []
        path = decoded(address.path)
        fixed, below = self._fixed.get(path.rstrip("/") or "/", ()), self._below.get(_first(path), ())
        for number, rule in (*fixed, *below, *self._others):
            if (best is not None and number > best[0]) or not path.startswith(rule.start.rstrip("/")):
                continue
            if rule.query and not all(f"{name}=" in address.query for name in rule.query):
                continue
            target = rule.match(address.href if rule.whole else path)
            if target is None:
                continue
            held = rule.when.holds(address) if rule.when is not None else True
            if held:
                best = (number, rule, target)
            elif held is None:
                open_ones.append((number, rule, target))
        if best is None and not open_ones:
            return None
        before = sorted((one for one in open_ones if best is None or one[0] < best[0]), key=lambda one: one[0])
        doubts = tuple((rule, target) for _, rule, target in before)
        return Hit(best[1], best[2], doubts) if best is not None else Hit(doubts=doubts) if doubts else None


class Hit(Struct, frozen=True):
    """A rule for an address with its target (None: there is none), and those that would go first if they hold."""

    rule: Redirect | None = None
    target: str = ""
    doubts: tuple[tuple[Redirect, str], ...] = ()
