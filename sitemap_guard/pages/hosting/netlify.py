"""`netlify.toml`: its `[[redirects]]` and `[[headers]]`, and whether "Pretty URLs" is set.

Source: docs.netlify.com/build/configure-builds/file-based-configuration/.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from msgspec import Struct

from sitemap_guard.model.hosting import Header, Rule
from sitemap_guard.pages.hosting.conditions import of_netlify
from sitemap_guard.pages.hosting.headers import kept, line_after, matcher
from sitemap_guard.pages.hosting.matching import HeaderRule, Redirect, by_splat, is_fixed, literal


class Netlify(Struct, frozen=True):
    """What the file says; `pretty` is None when it says nothing on "Pretty URLs"."""

    redirects: tuple[Redirect, ...] = ()
    headers: tuple[HeaderRule, ...] = ()
    pretty: bool | None = None


def parse(text: str, path: str) -> Netlify:
    """The rules in a netlify.toml; nothing when it is not valid. `path` is how it is shown."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return Netlify()
    redirects = [
        rule
        for table, line in zip(_tables(data, "redirects"), _lines(text, "redirects"), strict=False)
        if (rule := _redirect(table, Rule(path, line))) is not None
    ]
    headers = [
        block
        for table, line in zip(_tables(data, "headers"), _lines(text, "headers"), strict=False)
        if (block := _header(table, Rule(path, line), text)) is not None
    ]
    html = _inner(_inner(_inner(data, "build"), "processing"), "html")
    pretty = html.get("pretty_urls")
    return Netlify(tuple(redirects), tuple(headers), pretty if isinstance(pretty, bool) else None)


def _inner(table: dict[str, Any], key: str) -> dict[str, Any]:
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def _tables(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key)
    return [table for table in found if isinstance(table, dict)] if isinstance(found, list) else []


def _lines(text: str, key: str) -> list[int]:
    opened = re.compile(rf"\s*\[\[\s*{key}\s*\]\]")
    return [number for number, line in enumerate(text.splitlines(), 1) if opened.match(line)]


def _redirect(table: dict[str, Any], place: Rule) -> Redirect | None:
    source, target, status = table.get("from"), table.get("to", ""), table.get("status", 301)
    if not isinstance(source, str) or not isinstance(target, str) or not isinstance(status, int):
        return None
    if table.get("signed") or not source.startswith(("/", "http://", "https://")):
        return None
    match = by_splat(source, target)
    query = table.get("query") or {}
    if match is None or not isinstance(query, dict):
        return None
    whole = not source.startswith("/")
    fixed = "" if whole else is_fixed(source)
    start = "" if whole else literal(source)
    given = table.get("conditions")
    when = of_netlify(map(str, given)) if isinstance(given, dict) else None
    return Redirect(match, status, place, fixed, table.get("force") is True, whole, tuple(map(str, query)), start, when)


def _header(table: dict[str, Any], place: Rule, text: str) -> HeaderRule | None:
    source, values = table.get("for"), table.get("values")
    match = matcher(source) if isinstance(source, str) else None
    if match is None or not isinstance(values, dict):
        return None
    found: list[Header] = []
    for name, value in values.items():
        for one in value if isinstance(value, list) else [value]:
            found += kept(str(name), str(one), Rule(place.path, line_after(text, place.line, str(name))))
    return HeaderRule(match, tuple(found), not str(source).startswith("/")) if found else None
