"""XML sitemaps: from bytes to content, by way of the root element.

The parser is expat: it tells line and column of every tag exactly, however long the file or the line, and it reads
no file and no network by itself. A document type declaration ends the reading before anything in it is looked at,
so neither entities nor external files play a part.
"""

from __future__ import annotations

import html.entities
import re
from pyexpat import ExpatError, ParserCreate, XMLParserType, errors

from sitemap_guard.model import Problem
from sitemap_guard.sitemaps.content import UNREAD, Bytes, Content, not_utf8, opening, place, unread, without_bom
from sitemap_guard.sitemaps.elements import Elements, Refused, shown, split, where
from sitemap_guard.sitemaps.entries import ENTRY, Entries
from sitemap_guard.sitemaps.feed import Feed
from sitemap_guard.sitemaps.ranges import with_ranges

_PIECE = 1 << 20
_MAX_TOKEN = 16 << 20
_AMPERSAND = re.compile(rb"&[\w#.:-]*[^;]?\Z", re.DOTALL)
_ENTITY = re.compile(rb"&([\w.:-]{1,40});")
_REASONS = {
    errors.XML_ERROR_NO_ELEMENTS: "the file ends before its root element does",
    errors.XML_ERROR_UNCLOSED_TOKEN: "the file ends inside a tag or a comment",
    errors.XML_ERROR_UNCLOSED_CDATA_SECTION: "the file ends inside a CDATA section",
    errors.XML_ERROR_TAG_MISMATCH: "a closing tag does not fit the element that is open",
    errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute stands twice in one tag",
    errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "something follows the end of the root element",
    errors.XML_ERROR_MISPLACED_XML_PI: "something precedes the XML declaration (a blank line is enough): "
    "<?xml must be the very first thing in the file",
    errors.XML_ERROR_UNBOUND_PREFIX: "a prefix is used that no xmlns:… declares (as in image:image or xhtml:link)",
    errors.XML_ERROR_BAD_CHAR_REF: "a character reference names no character that XML allows",
    errors.XML_ERROR_INVALID_TOKEN: "a character stands where XML does not allow it",
}


def read(data: Bytes, path: str) -> Content:
    """The content of an XML sitemap or feed; `path` is what its claims carry as `sitemap`. Raises nothing."""
    whole = len(data)
    data, notes = without_bom(data)
    kind = opening(data)
    if kind in UNREAD:
        return unread(kind, UNREAD[kind])
    if kind == "blank":
        return unread("not-well-formed", "the file is empty", 1, 1)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        problem = not_utf8(data)
        return Content("none", problems=(problem,) if problem else ())
    document = _Document(path, data)
    try:
        _feed(document.parser, data)
    except Refused as refused:
        return Content("none", problems=(*notes, refused.problem))
    except ExpatError as error:
        return Content("none", problems=(*notes, _fault(data, document.parser, error)))
    content, reader = document.content(), document.reader
    placed = content.claims
    if isinstance(reader, Entries) and placed:
        placed = with_ranges(placed, reader.dated, data, whole - len(data))
    return Content(content.kind, placed, content.children, (*notes, *document.notes, *content.problems))


def _feed(parser: XMLParserType, data: Bytes) -> None:
    """Parse piece by piece. A piece that ends inside a tag or comment is scanned again, so these must be bounded."""
    for start in range(0, len(data), _PIECE):
        end = min(start + _PIECE, len(data))
        parser.Parse(data[start:end], end == len(data))
        if end - parser.CurrentByteIndex > _MAX_TOKEN:
            text = f"a tag or comment is longer than {_MAX_TOKEN:,} bytes: not read"
            raise Refused("unreadable", text, where(parser))


class _Document:
    """Reads up to the root element, and hands the rest to the reader of that kind of document."""

    def __init__(self, path: str, data: Bytes) -> None:
        self.path = path
        self.data = data
        self.notes: list[Problem] = []
        self.reader: Elements | None = None
        # The encoding is forced: bytes that are not UTF-8 must fail, whatever the declaration says of them.
        self.parser: XMLParserType = ParserCreate("utf-8", " ")
        self.parser.buffer_text = True
        self.parser.XmlDeclHandler = self._declaration
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._root

    def content(self) -> Content:
        return self.reader.content() if self.reader else unread("not-well-formed", "there is no element in it", 1, 1)

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is None or encoding.lower() in ("utf-8", "utf8"):
            return
        if encoding.lower() not in ("us-ascii", "ascii"):
            name = shown(encoding)[1:-1]
            raise Refused("not-utf8", f"declared as {name}: a sitemap must be UTF-8", (1, 1))
        self.notes.append(Problem("encoding", f"declared as {encoding}: a sitemap must be declared as UTF-8", 1, 1))

    def _doctype(self, name: str, *_: object) -> None:
        # The parser tells of it at its end, or at the bracket that opens its declarations.
        start = self.data.rfind(b"<!DOCTYPE", 0, self.parser.CurrentByteIndex + 1)
        at = place(self.data, max(start, 0))
        if name.lower() == "html":
            raise Refused("html", UNREAD["html"], at)
        raise Refused("dtd", "a document type declaration (<!DOCTYPE) has no place in a sitemap: not read", at)

    def _root(self, name: str, _attributes: dict[str, str]) -> None:
        namespace, local = split(name)
        reader: Entries | Feed
        if local in ENTRY:
            reader = Entries(self.parser, self.path, name)
        elif local == "feed" or (local == "rss" and not namespace):
            reader = Feed(self.parser, self.path, name)
        elif local.lower() == "html":
            raise Refused("html", UNREAD["html"], where(self.parser))
        else:
            near = next((known for known in ENTRY if known == local.lower()), "")
            hint = f": write {shown(near)}" if near else ", not <urlset>, <sitemapindex>, <rss> or <feed>"
            raise Refused("not-a-sitemap", f"the root element is {shown(local)}{hint}", where(self.parser))
        self.reader = reader
        self.parser.StartElementHandler = reader.start
        self.parser.EndElementHandler = reader.end


def _fault(data: Bytes, parser: XMLParserType, error: ExpatError) -> Problem:
    """Why the file is not well-formed, and where, in plain words."""
    index = max(parser.ErrorByteIndex, 0)
    wrong = not_utf8(data)
    if wrong and (wrong.line, wrong.column) <= (error.lineno, error.offset + 4):
        return wrong
    reason = errors.messages.get(error.code, "")
    line, column = error.lineno, error.offset + 1
    before = bytes(data[max(index - 64, 0) : index + 1])
    if reason == errors.XML_ERROR_UNDEFINED_ENTITY:
        return Problem("not-well-formed", _entity(data, index), line, column)
    if reason == errors.XML_ERROR_INVALID_TOKEN and (match := _AMPERSAND.search(before)):
        line, column = place(data, index + 1 - len(match[0]))
        return Problem("not-well-formed", "a raw & in the text: it must be written &amp;", line, column)
    if opening(data) == "text":
        line, column = place(data, len(data) - len(data.lstrip()))
        behind = any(mark in data[:65536] for mark in (b"<?xml", b"<urlset", b"<sitemapindex"))
        what = "text stands before the XML" if behind else "this is not XML: it does not begin with <"
        return Problem("not-well-formed", what, line, column)
    return Problem("not-well-formed", _REASONS.get(reason, reason), line, column)


def _entity(data: Bytes, index: int) -> str:
    match = _ENTITY.match(bytes(data[index : index + 48]))
    name = match[1].decode("utf-8", "replace") if match else ""
    if character := html.entities.html5.get(f"{name};"):
        codes = "".join(f"&#{ord(one)};" for one in character)
        return f"XML does not know &{name};: write the character itself, or {codes}"
    return f"XML does not know &{name};: a raw & must be written &amp;"
