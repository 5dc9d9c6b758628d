"""`staticwebapp.config.json`: routes, headers and `trailingSlash` of Azure Static Web Apps.

Routes are tried in order and go before files; a `*` may stand at the end, with a list of file endings behind it
(learn.microsoft.com/azure/static-web-apps/configuration).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from sitemap_guard.model.hosting import Header, Rule
from sitemap_guard.pages.hosting.headers import kept, line_after
from sitemap_guard.pages.hosting.matching import HeaderRule, Redirect

_ENDINGS = re.compile(r"\{([^{}]*)\}$")


class Azure(Struct, frozen=True):
    """What the file says; `profile` is the name in the table of profiles."""

    redirects: tuple[Redirect, ...] = ()
    headers: tuple[HeaderRule, ...] = ()
    profile: str = "azure"


def parse(text: str, path: str) -> Azure:
    """The rules in the file; nothing when it is not valid. `path` is how it is shown."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return Azure()
    if not isinstance(data, dict):
        return Azure()
    redirects: list[Redirect] = []
    headers: list[HeaderRule] = []
    everywhere = _headers(data.get("globalHeaders"), Rule(path, _line(text, '"globalHeaders"')), text)
    if everywhere:
        headers.append(HeaderRule(lambda _path: True, everywhere))
    routes = data.get("routes")
    for route in routes if isinstance(routes, list) else []:
        source = route.get("route") if isinstance(route, dict) else None
        if not isinstance(source, str) or route.get("allowedRoles") or not _for_get(route.get("methods")):
            continue
        matches = _matcher(source)
        place = Rule(path, _line(text, json.dumps(source)))
        target, status = route.get("redirect"), route.get("statusCode", 302)
        if isinstance(target, str) and isinstance(status, int):
            redirects.append(_redirect(matches, target, status, place, source))
        elif isinstance(route.get("rewrite"), str):
            redirects.append(_redirect(matches, route["rewrite"], 200, place, source))
        elif status in (404, 410):
            redirects.append(_redirect(matches, "", status, place, source))
        own = _headers(route.get("headers"), place, text)
        if own:
            headers.append(HeaderRule(matches, own))
    slash = data.get("trailingSlash")
    return Azure(tuple(redirects), tuple(headers), f"azure-{slash}" if slash in ("always", "never") else "azure")


def _for_get(methods: Any) -> bool:
    """Whether a route takes a plain request: one of the methods that it names, if it names any."""
    return not methods or (isinstance(methods, list) and "GET" in [str(one).upper() for one in methods])


def _redirect(matches: Callable[[str], bool], target: str, status: int, place: Rule, source: str) -> Redirect:
    fixed = "" if "*" in source else source.rstrip("/") or "/"
    return Redirect(lambda path: target if matches(path) else None, status, place, fixed, force=True)


def _matcher(source: str) -> Callable[[str], bool]:
    start, star, _ = source.partition("*")
    endings = _ENDINGS.search(source)
    wanted = tuple(f".{one.strip().lstrip('.')}" for one in endings[1].split(",")) if endings else ("",)
    if not star:
        return lambda path: path.rstrip("/") == start.rstrip("/")
    return lambda path: path.startswith(start) and path.endswith(wanted)


def _headers(values: Any, place: Rule, text: str) -> tuple[Header, ...]:
    found: list[Header] = []
    for name, value in values.items() if isinstance(values, dict) else ():
        found += kept(str(name), str(value), Rule(place.path, line_after(text, place.line, str(name))))
    return tuple(found)


def _line(text: str, written: str) -> int:
    return next((number for number, line in enumerate(text.splitlines(), 1) if written in line), 0)
