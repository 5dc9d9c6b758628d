"""The facts that a built HTML page states about itself.

The judge of the markup is lexbor, an HTML5 tree builder: only a tree builder knows where a broken head ends, and
that a tag inside a comment, a script, a template or an attribute is none. A page is parsed only up to the last
place that can bear a fact; that gives the same facts as the whole page (see `_parsed`).
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard.model import Alternate, Canonical, EditLink, Page
from sitemap_guard.pages.decode import utf8_of
from sitemap_guard.pages.links import WORDS, edit_link
from sitemap_guard.pages.modified import last_needle, modified
from sitemap_guard.pages.nesting import too_deep
from sitemap_guard.pages.redirects import refresh_target, script_target
from sitemap_guard.pages.spots import canonical_at, with_spots

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

SIZE_LIMIT = 16 * 1024 * 1024  # bytes
_PIECE = 1 << 20

# In lower case, every tag that bears a fact (a second <html> tag adds to the attributes of the first), and those that
# change what was built before them: then only the whole page will do. One search is quicker than one for each.
_TAGS = re.compile(rb"<(?:meta|link|base|html|(frameset|selectedcontent))")
_LINKS = re.compile(rb"/(?:%s)/" % "|".join(WORDS).encode())
# Letters, slash and underscore written as character references may spell a word of an edit link.
_SPELT = re.compile(
    rb"&(?:#x0*(?:2f|5f|[46][1-9a-f]|[57][0-9a])(?![0-9a-f])"
    rb"|#0*(?:47|95|6[5-9]|[78][0-9]|9[0789]|1[012][0-9])(?![0-9])|sol|lowbar|underbar)"
)
# A page that only redirects is small. A script on a longer one is not looked at.
_STUB_LIMIT = 8192
_NOSCRIPT = re.compile(rb"<noscript\b[^>]*>.*?</noscript\s*>", re.IGNORECASE | re.DOTALL)
_ROBOTS = ("robots", "googlebot")
_PAGE_TYPES = ("", "text/html", "application/xhtml+xml")
# Where HTML may stand again inside <svg> or <math> (HTML standard, "HTML integration point").
_FOREIGN = {"svg": True, "math": True, "foreignobject": False, "desc": False, "title": False, "annotation-xml": False}


def read_page(file: str | Path, path: str, *, edit_links: bool = True) -> Page:
    """The facts of the HTML file `file`; `path` is what the page is called (relative to the site's folder).

    Never raises for what is in the file or the file's being unreadable: see `Page.problem`.
    """
    try:
        data = _contents(file)
    except (OSError, ValueError):
        return Page(path, problem="unreadable")
    if data is None:
        return Page(path, problem="too-large")
    return parse_page(data, path, edit_links=edit_links)


def with_canonical_at(page: Page, file: Path) -> Page:
    """The page with the place of its canonical tag: for those few that a finding will speak of, since it costs."""
    try:
        data = _contents(file)
    except (OSError, ValueError):
        data = None
    return page if data is None else replace(page, canonical_at=canonical_at(page, utf8_of(data)))


def _contents(file: str | Path) -> bytes | None:
    # Not blocking, so that a named pipe called index.html cannot stop the run.
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("not a regular file")
        if status.st_size > SIZE_LIMIT:
            return None
        data = os.read(handle, status.st_size + 1)
        # Another length than was told: the file is being written, or the disk hands it out in parts.
        while len(data) != status.st_size and len(data) <= SIZE_LIMIT and (more := os.read(handle, _PIECE)):
            data += more
    finally:
        os.close(handle)
    return data if len(data) <= SIZE_LIMIT else None


def parse_page(data: bytes, path: str, *, edit_links: bool = True) -> Page:
    """The facts of an HTML page given as bytes in any encoding (see `decode`). Never raises for bad markup."""
    if len(data) > SIZE_LIMIT:
        return Page(path, problem="too-large")
    data = utf8_of(data)
    lowered = data.lower()
    stub = len(data) <= _STUB_LIMIT and b"location" in lowered
    dated = last_needle(lowered)
    tree = _parsed(data, lowered, dated, edit_links=edit_links, whole=stub)
    if tree is None:
        return Page(path, problem="too-large")
    page = _scripted(_facts(tree, path, edit_links=edit_links, stub=stub, dated=dated >= 0), data, lowered)
    return with_spots(page, data, lowered)


def parse_whole(data: bytes, path: str, *, edit_links: bool = True) -> Page:
    """As `parse_page`, but without the short cut: the measure that the short cut is tested by."""
    from selectolax.lexbor import LexborHTMLParser

    data = utf8_of(data)
    lowered = data.lower()
    stub = len(data) <= _STUB_LIMIT and b"location" in lowered
    dated = last_needle(lowered) >= 0
    page = _facts(LexborHTMLParser(data), path, edit_links=edit_links, stub=stub, dated=dated)
    return with_spots(_scripted(page, data, lowered), data, lowered)


def _scripted(page: Page, data: bytes, lowered: bytes) -> Page:
    """The page with its canonicals as a browser that runs scripts builds the head.

    There a <noscript> is plain text; without scripts an <img> in it ends the head, and a canonical behind such a
    tracking pixel stands in the body. Search engines do both, so a canonical that either of them finds in the head
    is taken to be there.
    """
    from selectolax.lexbor import LexborHTMLParser

    if not page.canonicals or any(link.in_head for link in page.canonicals) or b"<noscript" not in lowered:
        return page
    kept = _NOSCRIPT.sub(b"", data)
    if too_deep(kept.lower()):
        return page
    canonicals, _ = _links(LexborHTMLParser(kept))
    return replace(page, canonicals=canonicals) if any(link.in_head for link in canonicals) else page


def _parsed(data: bytes, lowered: bytes, dated: int, *, edit_links: bool, whole: bool) -> LexborHTMLParser | None:
    """The tree of the page up to the last tag that can bear a fact; None if it is nested too deeply to be built.

    `dated` is how far its dates reach (see `last_needle`).

    The cut is exact if the tokenizer is between tags there. To know, an element of our own is put behind the cut:
    inside a comment, a script, an attribute or a template it would not come out as an element of the tree, and
    then the whole page is parsed. What the tree builder does after the cut moves or repeats body elements at
    most: it takes nothing out of the head, and puts nothing in without one of the tags looked for.
    """
    from selectolax.lexbor import LexborHTMLParser

    last = -1
    for found in _TAGS.finditer(lowered):
        last = found.start()
        whole = whole or found[1] is not None
    if edit_links:
        for found in _LINKS.finditer(lowered, max(last, 0)):
            last = found.start()
    if edit_links or dated >= 0:
        last = max(last, dated)
        whole = whole or (b"&" in lowered and _SPELT.search(lowered) is not None)
    # With no such tag at all, nothing need be parsed.
    end = lowered.find(b">", last) + 1 if last >= 0 else 0
    cut = end if end or last < 0 else len(data)
    if not whole and cut < len(data) * 7 // 8 and not too_deep(lowered[:cut]):
        mark = "cut-here"
        while mark.encode() in lowered:
            mark += "-x"
        tree = LexborHTMLParser(data[:cut] + f"<{mark}>".encode())
        if tree.tags(mark):
            return tree
    return None if too_deep(lowered) else LexborHTMLParser(data)


def _facts(tree: LexborHTMLParser, path: str, *, edit_links: bool, stub: bool, dated: bool) -> Page:
    robots, refresh, generator = _metas(tree)
    canonicals, alternates = _links(tree)
    root = tree.root
    lang = (root.attributes.get("lang") or "").strip() if root is not None else ""
    links = _edit_links(tree) if edit_links else ()
    base = _base(tree)
    if not refresh and stub:
        refresh = script_target(tree)
    return Page(
        path,
        canonicals=canonicals,
        robots=robots,
        refresh=refresh or "",
        base=base,
        lang=lang,
        generator=generator,
        alternates=alternates,
        edit_links=links,
        modified=modified(tree) if dated else (),
    )


def _metas(tree: LexborHTMLParser) -> tuple[frozenset[str], str | None, str]:
    """The robots directives, the target of the first refresh (None: no refresh), and the generator."""
    robots: set[str] = set()
    refresh: str | None = None
    generator = ""
    for node in tree.tags("meta"):
        attributes = node.attributes
        content = attributes.get("content") or ""
        name = (attributes.get("name") or "").strip().lower()
        if name in _ROBOTS:
            robots.update(_directives(content))
        elif name == "generator" and not generator:
            generator = content.strip()
        # The first one that is valid counts (HTML standard, "shared declarative refresh steps").
        if refresh is None and (attributes.get("http-equiv") or "").strip().lower() == "refresh":
            refresh = refresh_target(content)
    return frozenset(robots), refresh, generator


def _directives(content: str) -> list[str]:
    """The directives of a robots meta: a comma list; blanks part them too, except in `name: value`."""
    found = []
    for part in content.lower().split(","):
        found += [" ".join(part.split())] if ":" in part else part.split()
    return found


def _links(tree: LexborHTMLParser) -> tuple[tuple[Canonical, ...], tuple[Alternate, ...]]:
    canonicals = []
    alternates = []
    for node in tree.tags("link"):
        attributes = node.attributes
        tokens = (attributes.get("rel") or "").lower().split()
        if "href" not in attributes or not tokens:
            continue
        href = attributes["href"] or ""
        if "canonical" in tokens:
            # Google: a canonical with one of these is not used for canonicalisation.
            if not attributes.keys() & {"hreflang", "lang", "media", "type"}:
                in_head = _in_head(node)
                if in_head or not _foreign(node):
                    canonicals.append(Canonical(href, in_head))
        elif "alternate" in tokens and "hreflang" in attributes and "stylesheet" not in tokens:
            # With another type it is a feed or a document for download, not the page in another language.
            kind = (attributes.get("type") or "").strip().lower()
            if kind in _PAGE_TYPES and _in_head(node):
                alternates.append(Alternate((attributes["hreflang"] or "").strip(), href))
    return tuple(canonicals), tuple(alternates)


def _in_head(node: LexborNode) -> bool:
    # Of the elements that may stand in a head, only noscript holds others (templates are trees of their own).
    parent = node.parent
    if parent is not None and parent.tag == "noscript":
        parent = parent.parent
    return parent is not None and parent.tag == "head"


def _foreign(node: LexborNode) -> bool:
    """Whether the element is one of SVG or MathML, which merely has the name of an HTML one."""
    parent = node.parent
    for _ in range(64):
        if parent is None:
            break
        known = _FOREIGN.get((parent.tag or "").lower())
        if known is not None:
            return known
        parent = parent.parent
    return False


def _base(tree: LexborHTMLParser) -> str:
    for node in tree.tags("base"):
        attributes = node.attributes
        if "href" in attributes and not _foreign(node):
            return (attributes["href"] or "").strip()
    return ""


def _edit_links(tree: LexborHTMLParser) -> tuple[EditLink, ...]:
    # Each once: a tree builder repeats an unclosed <a> in the blocks that follow it.
    found: dict[EditLink, None] = {}
    for node in tree.tags("a"):
        attributes = node.attributes
        href = attributes.get("href")
        # Most links are of the site itself, without a host.
        if href and "//" in href:
            link = edit_link(href, attributes.get("class") or "", "a")
            if link is not None:
                found[link] = None
    return tuple(found)
