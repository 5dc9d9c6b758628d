"""`_headers`: Netlify and Cloudflare Pages; and what of response headers bears on search.

A line that starts with `/` or `https://` opens a block, indented lines `Name: value` belong to it; `! Name` drops a
header again (Cloudflare). A whole address limits the block to that host.

Sources: docs.netlify.com/manage/routing/headers/, developers.cloudflare.com/pages/configuration/headers/.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sitemap_guard.model.hosting import Header, Rule
from sitemap_guard.pages.hosting.matching import MAX_RULES, HeaderRule, splat
from sitemap_guard.urls import Address

NAMES = ("x-robots-tag", "link")


def parse(text: str, path: str, *, exact: bool = False) -> list[HeaderRule]:
    """The blocks of a `_headers` file that set or drop a header that bears on search; `path` is how it is shown."""
    found: list[HeaderRule] = []
    source = ""
    headers: list[Header] = []
    detach: list[str] = []

    def close() -> None:
        match = matcher(source, exact=exact) if headers or detach else None
        if match is not None and len(found) < MAX_RULES:
            found.append(HeaderRule(match, tuple(headers), not source.startswith("/"), tuple(detach)))
        headers.clear()
        detach.clear()

    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        if word.startswith(("/", "https://", "http://")):
            close()
            source = word
        elif word.startswith("!"):
            detach.append(word[1:].strip().lower())
        elif ":" in word and source:
            name, _, value = word.partition(":")
            headers += kept(name, value, Rule(path, number))
    close()
    return found


def kept(name: str, value: str, rule: Rule) -> list[Header]:
    """The header, if it bears on search."""
    name = name.strip().lower()
    return [Header(name, value.strip(), rule)] if name in NAMES else []


def line_after(text: str, line: int, name: str) -> int:
    """The first line from `line` on that has a header's name in it; `line` itself if none has."""
    first = max(line, 1)
    named = re.compile(rf"(?<![\w/-]){re.escape(name)}[\"']?\s*(?:[=:,}}]|$)", re.IGNORECASE)
    lines = text.splitlines()[first - 1 :]
    return next((first + at for at, one in enumerate(lines) if named.search(one)), line)


def matcher(source: str, *, exact: bool = False) -> Callable[[str], bool] | None:
    """A matcher for a pattern of `_headers`, netlify.toml or the like."""
    pattern = splat(source, exact=exact)
    if pattern is None:
        return None
    return lambda path: len(path) <= 2048 and pattern.fullmatch(path) is not None


def for_address(
    rules: Iterable[HeaderRule], address: Address, path: str
) -> tuple[tuple[Header, ...], list[HeaderRule]]:
    """All headers that the rules set for an address (`path`: what patterns of paths are matched with), and the rules
    that may set more or not."""
    found: list[Header] = []
    doubts = []
    for rule in rules:
        if not rule.match(address.href if rule.whole else path):
            continue
        held = rule.when.holds(address) if rule.when is not None else True
        if held is None:
            doubts.append(rule)
        elif held:
            if rule.detach:
                found = [header for header in found if header.name not in rule.detach]
            found += rule.headers
    return tuple(found), doubts
