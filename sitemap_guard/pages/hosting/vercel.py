"""`vercel.json`: `redirects`, `rewrites`, `headers`, `cleanUrls` and `trailingSlash`.

Sources are paths in the manner of path-to-regexp: `:name`, `:name*`, `:name(expression)`, `(.*)`. Rules with `has` or
`missing` hold for some requests only (see `conditions`). Redirects go before files.

Source: vercel.com/docs/project-configuration.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from sitemap_guard.model.hosting import Header, Rule
from sitemap_guard.pages.hosting.conditions import of_vercel
from sitemap_guard.pages.hosting.headers import kept, line_after
from sitemap_guard.pages.hosting.matching import Condition, HeaderRule, Redirect, filled, literal, safe

_TOKEN = re.compile(r":([A-Za-z_]\w*)(\((?:[^()\\]|\\.|\([^()]*\))*\))?([*+?]?)|(\((?:[^()\\]|\\.|\([^()]*\))*\))")


class Vercel(Struct, frozen=True):
    """What the file says; `profile` is the name in the table of profiles."""

    redirects: tuple[Redirect, ...] = ()
    headers: tuple[HeaderRule, ...] = ()
    profile: str = "vercel"


def parse(text: str, path: str) -> Vercel:
    """The rules in a vercel.json; nothing when it is not valid. `path` is how it is shown."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return Vercel()
    if not isinstance(data, dict):
        return Vercel()
    places = _Places(text, path)
    redirects = [
        rule
        for key in ("redirects", "rewrites")
        for item in _items(data, key)
        if (rule := _redirect(item, key, places)) is not None
    ]
    headers = [block for item in _items(data, "headers") if (block := _header(item, places)) is not None]
    slash = data.get("trailingSlash")
    profile = "vercel" + ("-clean" if data.get("cleanUrls") is True else "")
    profile += {True: "-slash", False: "-slashless"}.get(slash, "") if isinstance(slash, bool) else ""
    return Vercel(tuple(redirects), tuple(headers), profile)


class _Places:
    """Finds the line on which a source is written. The items of one list stand in their order."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self._path = path
        self._after: dict[str, int] = {}

    def of(self, source: str, key: str) -> Rule:
        """The place of the next item of the list `key`."""
        written = json.dumps(source, ensure_ascii=False)
        start = self._after.get(key, max(self.text.find(f'"{key}"'), 0))
        found = self.text.find(written, start)
        if found < 0:
            return Rule(self._path)
        self._after[key] = found + len(written)
        return Rule(self._path, self.text.count("\n", 0, found) + 1)


def _items(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key)
    if not isinstance(found, list):
        return []
    return [item for item in found if isinstance(item, dict)]


def expression(source: str) -> re.Pattern[str] | None:
    """The regular expression of a path-to-regexp source; None when it is not understood. Not strict on slashes."""
    parts, place, number = [], 0, 0
    for token in _TOKEN.finditer(source):
        literal, place = source[place : token.start()], token.end()
        name, inner, many, alone = token.groups()
        if re.search(r"[()*+?]", literal):
            return None
        if alone:
            parts += [re.escape(literal), f"(?P<_{number}>{alone[1:-1]})"]
            number += 1
            continue
        one = inner[1:-1] if inner else "[^/]+?"
        slash = "/" if literal.endswith("/") else ""
        if many and slash:
            literal = literal[:-1]
        parts.append(re.escape(literal))
        value = {"*": f"(?:{slash}(?P<{name}>.*))?", "+": f"{slash}(?P<{name}>.+)"}.get(
            many, f"(?:{slash}(?P<{name}>{one}))?" if many else f"(?P<{name}>{one})"
        )
        parts.append(value)
    if re.search(r"[()*+?]", source[place:]):
        return None
    pattern = "".join(parts) + re.escape(source[place:]).removesuffix("/") + "/?"
    if any(token[2] or token[4] for token in _TOKEN.finditer(source)):
        return safe(pattern)
    try:
        return re.compile(pattern) if len(source) < 400 and source.count("*") + source.count("+") < 4 else None
    except re.error:
        return None


def _redirect(item: dict[str, Any], key: str, places: _Places) -> Redirect | None:
    source, target = item.get("source"), item.get("destination")
    if not isinstance(source, str) or not isinstance(target, str):
        return None
    pattern = expression(source)
    if pattern is None:
        return None
    status = 200
    if key == "redirects":
        given = item.get("statusCode")
        status = given if isinstance(given, int) else 307 if item.get("permanent") is False else 308

    def match(path: str) -> str | None:
        found = pattern.fullmatch(path) if len(path) <= 500 else None
        if not found:
            return None
        numbered = re.sub(r"\$(\d)", lambda n: _numbered(found, int(n[1])), target)
        return filled(re.sub(r"(:[A-Za-z_]\w*)[*+?]", r"\1", numbered), found)

    when = of_vercel(item.get("has"), item.get("missing"))
    if when is not None and set(re.findall(r"(?<=/):([A-Za-z_]\w*)", target)) - set(pattern.groupindex):
        # The condition itself would tell a part of the target.
        held, why = when.holds, when.why
        when = Condition(lambda address: held(address) and None, why)
    fixed = (source.rstrip("/") or "/") if not re.search(r"[:()*+?]", source) else ""
    return Redirect(match, status, places.of(source, key), fixed, status != 200, start=literal(source), when=when)


def _numbered(found: re.Match[str], number: int) -> str:
    return (found[number] or "") if number <= found.re.groups else ""


def _header(item: dict[str, Any], places: _Places) -> HeaderRule | None:
    source, values = item.get("source"), item.get("headers")
    pattern = expression(source) if isinstance(source, str) else None
    if pattern is None or not isinstance(source, str) or not isinstance(values, list):
        return None
    found: list[Header] = []
    place = places.of(source, "headers")
    for one in values:
        if isinstance(one, dict):
            name = str(one.get("key", ""))
            found += kept(name, str(one.get("value", "")), Rule(place.path, line_after(places.text, place.line, name)))
    if not found:
        return None
    when = of_vercel(item.get("has"), item.get("missing"))
    return HeaderRule(lambda path: len(path) <= 500 and pattern.fullmatch(path) is not None, tuple(found), when=when)
