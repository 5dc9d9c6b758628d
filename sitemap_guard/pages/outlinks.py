"""The addresses that a whole page links to. Dearer than a page's facts, so read only where a rule asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from sitemap_guard import urls
from sitemap_guard.pages.decode import utf8_of
from sitemap_guard.pages.html import SIZE_LIMIT
from sitemap_guard.pages.nesting import too_deep

_TAGS = ("a", "area")


def read_links(
    folder: Path, pages: Iterable[tuple[str, str]], progress: Callable[[int, int], None] | None = None
) -> dict[str, frozenset[str]]:
    """For each page, given as path and address, the addresses that it links to, in normal form, without fragments.

    A page that cannot be read links to nothing.
    """
    wanted = list(pages)
    found = {}
    for number, (path, url) in enumerate(wanted, 1):
        found[path] = _links(folder / path, url)
        if progress and number % 100 == 0:
            progress(number, len(wanted))
    return found


def _links(file: Path, url: str) -> frozenset[str]:
    from selectolax.lexbor import LexborHTMLParser

    try:
        if not file.is_file() or os.path.getsize(file) > SIZE_LIMIT:
            return frozenset()
        data = utf8_of(file.read_bytes())
    except (OSError, ValueError):
        return frozenset()
    if too_deep(data.lower()):
        return frozenset()
    tree = LexborHTMLParser(data)
    base = url
    for node in tree.tags("base"):
        address = urls.parse((node.attributes.get("href") or "").strip(), url)
        if "href" in node.attributes and address is not None:
            base = address.href
            break
    hrefs = {(node.attributes.get("href") or "").strip() for tag in _TAGS for node in tree.tags(tag)}
    addresses = (urls.parse(href, base) for href in hrefs if href and not href.startswith("#"))
    return frozenset(address.href for address in addresses if address is not None)
