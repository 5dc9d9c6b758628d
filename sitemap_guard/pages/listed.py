"""The pages that a built page links to in its own part: `<main>`, else the body without header, nav and footer."""

from __future__ import annotations

from pathlib import Path

from sitemap_guard import urls
from sitemap_guard.pages.decode import utf8_of
from sitemap_guard.pages.nesting import too_deep

_SIZE_LIMIT = 16 * 1024 * 1024  # bytes
_AROUND = "header, nav, footer, aside"


def listed(file: Path, address: str) -> frozenset[str]:
    """The addresses (as `urls.parse` writes them, without fragment) of the links in a built page's own part.

    Empty for a file that cannot be read or is no HTML. `address` is the page's own.
    """
    from selectolax.lexbor import LexborHTMLParser

    try:
        if file.stat().st_size > _SIZE_LIMIT:
            return frozenset()
        data = utf8_of(file.read_bytes())
    except (OSError, ValueError):
        return frozenset()
    if too_deep(data.lower()):
        return frozenset()
    tree = LexborHTMLParser(data)
    part = tree.css_first("main, [role=main]") or tree.body
    if part is None:
        return frozenset()
    if part.tag == "body":
        for node in tree.css(_AROUND):
            node.decompose()
    found = set()
    for node in part.css("a[href]"):
        target = urls.parse(node.attributes.get("href") or "", address)
        if target is not None:
            found.add(target.href)
    return frozenset(found)
