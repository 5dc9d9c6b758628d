"""Where the elements of a sitemap stand, to the byte.

A reader of its own, apart from the one that checks: that one keeps values, this one places. It takes the same
elements for the protocol's own, so that the n-th entry here is the n-th claim there; `plan` compares the two.
"""

from __future__ import annotations

from pyexpat import ExpatError, ParserCreate, XMLParserType

from msgspec import Struct

from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.content import BOM, NAMESPACE
from sitemap_guard.sitemaps.elements import MAX_DEPTH, SPACE, split
from sitemap_guard.sitemaps.entries import ENTRY
from sitemap_guard.sitemaps.ranges import inner

Span = tuple[int, int]
_PIECE = 1 << 20


class Element(Struct, frozen=True):
    """An element: from its first byte to the one after its last; its text, without white space around it, and where
    that stands (None: it is one empty tag); its name as written, with its prefix."""

    span: Span
    text: str
    inside: Span | None
    name: bytes


class Placed(Struct, frozen=True):
    """An entry of a sitemap or index: its own span, and the elements in it (None: there is none)."""

    span: Span
    loc: Element | None
    lastmod: Element | None


def read(data: bytes, name: str) -> list[Placed]:
    """The entries of a `urlset` or `sitemapindex`, in the order of the file; offsets count from the file's first byte.

    Raises:
        UserError: it is not (or no longer) a sitemap that can be read.
    """
    skipped = len(BOM) if data.startswith(BOM) else 0
    reader = _Reader(data[skipped:] if skipped else data, skipped)
    try:
        reader.run()
    except (ExpatError, _Refused) as error:
        raise UserError(f"{name}: not changed, since it cannot be read: {error}; check it first") from None
    return reader.entries


class _Refused(Exception):  # noqa: N818 (not an error of the program, but an answer)
    pass


class _Reader:
    def __init__(self, data: bytes, skipped: int) -> None:
        self.data = data
        self.skipped = skipped
        self.entries: list[Placed] = []
        self._depth = 0
        self._own: frozenset[str] = frozenset()
        self._entry = ""
        self._entry_start = 0
        self._found: dict[str, Element] = {}
        self._reading = ""
        self._start = 0
        self._parts: list[str] = []
        self._parser: XMLParserType = ParserCreate("utf-8", " ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end

    def run(self) -> None:
        for start in range(0, len(self.data), _PIECE):
            self._parser.Parse(self.data[start : start + _PIECE], False)
        self._parser.Parse(b"", True)

    def _doctype(self, *_: object) -> None:
        raise _Refused("it has a document type declaration")

    def _is(self, name: str, local: str) -> bool:
        namespace, own = split(name)
        return own == local and namespace in self._own

    def _begin(self, name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Refused(f"elements are nested more than {MAX_DEPTH} deep")
        if self._depth == 1:
            namespace, local = split(name)
            if local not in ENTRY:
                raise _Refused(f"its root element is <{local[:40]}>")
            self._entry, self._own = ENTRY[local], frozenset({namespace, NAMESPACE, ""})
        elif self._depth == 2 and self._is(name, self._entry):
            self._entry_start, self._found = self._parser.CurrentByteIndex, {}
        elif self._depth == 3 and self._entry_start:
            for local in ("loc", "lastmod"):
                if self._is(name, local) and local not in self._found:
                    self._reading, self._start, self._parts = local, self._parser.CurrentByteIndex, []
                    self._parser.CharacterDataHandler = self._parts.append

    def _end(self, name: str) -> None:
        depth, self._depth = self._depth, self._depth - 1
        if depth == 3 and self._reading:
            self._found[self._reading] = self._element()
            self._reading, self._parser.CharacterDataHandler = "", None
        elif depth == 2 and self._entry_start and self._is(name, self._entry):
            span = (self._entry_start + self.skipped, self._close(self._entry_start)[1] + self.skipped)
            self.entries.append(Placed(span, self._found.get("loc"), self._found.get("lastmod")))
            self._entry_start = 0

    def _close(self, start: int) -> Span:
        """Where the end tag begins and ends; twice the end, when the element is one empty tag."""
        at = self._parser.CurrentByteIndex
        # After an empty tag the parser is at its end, else at the beginning of the end tag.
        if self.data[at - 2 : at] == b"/>" and self.data.find(b"<", start + 1, at) < 0:
            return at, at
        return at, self.data.index(b">", at) + 1

    def _element(self) -> Element:
        begin, end = self._close(self._start)
        first, last = inner(self.data, self._start, begin)
        name = self.data[self._start + 1 : end].split(None, 1)[0].split(b">", 1)[0].rstrip(b"/")
        return Element(
            (self._start + self.skipped, end + self.skipped),
            "".join(self._parts).strip(SPACE),
            None if begin == end else (first + self.skipped, last + self.skipped),
            name,
        )
