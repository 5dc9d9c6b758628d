"""What the readers of XML sitemaps have in common: a few elements' text and places, and what is odd about others.

Each reader is a pair of expat handlers (`start`, `end`) for everything below the root element.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sitemap_guard.model import Problem
from sitemap_guard.sitemaps.content import HARD_ENTRIES, Content

if TYPE_CHECKING:
    from pyexpat import XMLParserType

MAX_DEPTH = 100
SPACE = " \t\r\n"  # white space in XML
_SHOWN = 40


class Refused(Exception):  # noqa: N818 (not an error of the program, but an answer)
    """The file is not read any further, because of `problem`."""

    def __init__(self, code: str, detail: str, at: tuple[int, int]) -> None:
        super().__init__(detail)
        self.problem = Problem(code, detail, *at)


class Elements:
    """The state of reading: how deep, which element's text is being collected, and what was odd.

    A subclass handles the events and keeps `depth` (the root is 1).
    """

    def __init__(self, parser: XMLParserType, path: str) -> None:
        self.parser = parser
        self.path = path
        self.depth = 1
        self.entries = 0
        self.reading = ""
        self.values: dict[str, str] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self._parts: list[str] = []
        self._odd: dict[str, tuple[Problem, int]] = {}

    def content(self) -> Content:
        """What was read, once the parser has reached the end."""
        raise NotImplementedError

    def deeper(self) -> int:
        """Enter an element; the new depth."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("unreadable", f"elements are nested more than {MAX_DEPTH} deep", self.place())
        return self.depth

    def place(self) -> tuple[int, int]:
        """Line and column of the tag that is being read."""
        return where(self.parser)

    def open_entry(self) -> None:
        """Begin an entry: its place stands for that of a missing loc."""
        self.values = {}
        self.places = {"": self.place()}
        self.entries += 1
        if self.entries > HARD_ENTRIES:
            raise Refused("unreadable", f"more than {HARD_ENTRIES:,} entries: not read", self.place())

    def collect(self, name: str) -> None:
        """Collect the text of the element that begins, under that name."""
        self.reading = name
        self.places[name] = self.place()
        self._parts = []
        self.parser.CharacterDataHandler = self._parts.append

    def collected(self) -> None:
        """The element ends: keep its text."""
        text = "".join(self._parts)
        value = self.values[self.reading] = text.strip(SPACE)
        if self.reading == "loc" and value and value != text:
            self.odd(
                "padding", "padding", "white space stands around the address; readers take it away", self.places["loc"]
            )
        self.reading = ""
        self.parser.CharacterDataHandler = None

    def odd(self, code: str, key: str, detail: str, at: tuple[int, int] | None = None) -> None:
        """Note something odd at this tag (or `at`): once for each key, with the first place and the number of times."""
        first, count = self._odd.get(key, (None, 0))
        if first is None:
            if len(self._odd) >= 100:  # a hostile file can be odd in a million ways
                return
            first = Problem(code, detail, *(at or self.place()))
        self._odd[key] = (first, count + 1)

    def problems(self) -> tuple[Problem, ...]:
        """The odd things, in the order of their first places."""
        return tuple(
            one if count == 1 else Problem(one.code, f"{one.detail} ({count:,} times)", one.line, one.column)
            for one, count in self._odd.values()
        )


def where(parser: XMLParserType) -> tuple[int, int]:
    """Line and column, from 1, of what the parser is at."""
    return parser.CurrentLineNumber, parser.CurrentColumnNumber + 1


def split(name: str) -> tuple[str, str]:
    """Namespace and local name of an element, from expat's way of writing them."""
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def shown(name: str) -> str:
    """An element's name for a message, shortened if someone made it very long."""
    return f"<{name if len(name) <= _SHOWN else name[:_SHOWN] + '…'}>"


def suggestion(local: str, known: Iterable[str], special: Mapping[str, str]) -> str:
    """What was probably meant by an unknown element, as the end of a sentence; "" when nothing is near."""
    names = {name.lower(): name for name in known}
    folded = local[:_SHOWN].lower()
    if folded in names:
        return f": write {shown(names[folded])}"
    if folded in special:
        return f": {special[folded]}"
    near = difflib.get_close_matches(folded.replace("_", "").replace("-", ""), names, 1, 0.7)
    return f": did you mean {shown(names[near[0]])}?" if near else ""
