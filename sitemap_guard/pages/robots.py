"""robots.txt: which pages crawlers are kept from, and by which line (RFC 9309).

Protego decides. It does not say which line decided, so the lines are then tried one by one, again with protego:
a line that disallows the URL all by itself is a rule that matches, and the longest of those in the group of the
crawler is the one that counts (RFC 9309 2.2.2).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_guard.model import Disallow

if TYPE_CHECKING:
    from protego import Protego

SIZE_LIMIT = 512_000  # bytes; Google ignores what is beyond

_AGENT = re.compile(r"\s*user[- ]?agents?\s*[:\s]\s*(?P<name>[^#]*)", re.IGNORECASE)
_NO_GROUP = re.compile(r"\s*(?:#|$|site-?maps?\b|host\b)", re.IGNORECASE)


def read_robots(folder: Path) -> Robots | None:
    """The robots.txt of the built site; None if it has none that can be read.

    It means something only if the folder is the root of its host: that is for the caller to know.
    """
    file = folder / "robots.txt"
    try:
        inside = os.path.realpath(file).startswith(os.path.join(os.path.realpath(folder), ""))
        if not inside or not file.is_file():
            return None
        with file.open("rb") as stream:
            data = stream.read(SIZE_LIMIT + 1)
    except (OSError, ValueError):
        return None
    if len(data) > SIZE_LIMIT:
        # A rule that is cut short would keep out more than its author said.
        data = data[:SIZE_LIMIT].rpartition(b"\n")[0]
    return Robots(data.decode("utf-8", "replace"))


class Robots:
    """The rules of one robots.txt."""

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff")
        self._all = _parsed(self._text)
        self._groups: dict[str, list[tuple[int, str, Protego]]] = {}

    def disallowed(self, url: str, agent: str = "Googlebot") -> Disallow | None:
        """The rule that keeps `agent` (a product token) from the URL; None if it may fetch it.

        The line is 0 in the odd case that no single line explains protego's answer.
        """
        if _allows(self._all, url, agent):
            return None
        if agent not in self._groups:
            self._groups[agent] = self._rules_for(agent)
        best = Disallow(0, "")
        for line, rule, alone in self._groups[agent]:
            if len(rule) > len(best.rule) and not _allows(alone, url, agent):
                best = Disallow(line, rule)
        return best

    def _rules_for(self, agent: str) -> list[tuple[int, str, Protego]]:
        """The lines of the groups that speak to the agent, each parsed as a file of its own."""
        groups: list[tuple[set[str], list[tuple[int, str]]]] = []
        naming = False
        for number, line in enumerate(self._text.splitlines(), 1):
            found = _AGENT.match(line)
            if found:
                if not naming:
                    groups.append((set(), []))
                groups[-1][0].add(found["name"].strip().lower())
                naming = True
            elif not _NO_GROUP.match(line):
                naming = False
                if groups:
                    groups[-1][1].append((number, line.partition("#")[0].strip()))
        named = {name for names, _ in groups for name in names if _speaks_to(name, agent)}
        name = max(named, key=lambda name: (name != "*", len(name)), default="*")
        return [
            (number, rule, _parsed(f"User-agent: *\n{rule}\n"))
            for names, rules in groups
            if name in names
            for number, rule in rules
        ]


def _parsed(text: str) -> Protego:
    from protego import Protego

    return Protego.parse(text)


def _allows(rules: Protego, url: str, agent: str) -> bool:
    try:
        return bool(rules.can_fetch(url, agent))
    except ValueError:  # no URL at all: robots.txt says nothing on it
        return True


def _speaks_to(name: str, agent: str) -> bool:
    return not _allows(_parsed(f"User-agent: {name}\nDisallow: /\n"), "https://example.org/a", agent)
