"""The modification dates that a page states about itself.

Taken are `article:modified_time`, `dateModified` in JSON-LD, and `itemprop=dateModified` on `<meta>` and `<time>`,
each only where it speaks of the page: a list of posts holds the dates of the posts, a comment or a product its own.
Dates of publication are other claims and are not taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sitemap_guard.model import Stated

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# What a page must hold, in lower case, to state any of them.
NEEDLES = (b"modified_time", b"datemodified")
_COMMON = b"modified"
_ARTICLES = frozenset({
    "Article", "AdvertiserContentArticle", "NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle",
    "BackgroundNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "Report",
    "SatiricalArticle", "ScholarlyArticle", "MedicalScholarlyArticle", "SocialMediaPosting", "BlogPosting",
    "LiveBlogPosting", "DiscussionForumPosting", "TechArticle", "APIReference",
})  # fmt: skip
_PAGES = frozenset({
    "WebPage", "AboutPage", "CheckoutPage", "CollectionPage", "ContactPage", "FAQPage", "ItemPage", "MedicalWebPage",
    "ProfilePage", "QAPage",
})  # fmt: skip
_SCRIPT_LIMIT = 1_000_000
_DEPTH = 64


def last_needle(lowered: bytes) -> int:
    """Where the page must be read to for its dates: the end of what holds the last needle; -1 for none."""
    if _COMMON not in lowered:
        return -1
    last = max(lowered.rfind(needle) for needle in NEEDLES)
    if last < 0:
        return last
    # A script's text and that of a <time> may hold the date.
    for tag in (b"script", b"time"):
        if lowered.rfind(b"<" + tag, 0, last) > lowered.rfind(b"</" + tag, 0, last):
            last = max(last, lowered.find(b"</" + tag, last))
    return last


def modified(tree: LexborHTMLParser) -> tuple[Stated, ...]:
    """The dates that the page states about itself, as written; several that differ in one way speak of others."""
    found = (
        ("article:modified_time", _from_metas(tree)),
        ("JSON-LD dateModified", _from_scripts(tree)),
        ("itemprop dateModified", _from_items(tree)),
    )
    return tuple(Stated(how, values.pop()) for how, values in found if len(values) == 1)


def _from_metas(tree: LexborHTMLParser) -> set[str]:
    found = set()
    for node in tree.tags("meta"):
        attributes = node.attributes
        name = attributes.get("property") or attributes.get("name") or ""
        if name.strip().lower() == "article:modified_time":
            found.add((attributes.get("content") or "").strip())
    return found - {""}


def _from_items(tree: LexborHTMLParser) -> set[str]:
    found = set()
    for tag, attribute in (("meta", "content"), ("time", "datetime")):
        for node in tree.tags(tag):
            attributes = node.attributes
            if "datemodified" in (attributes.get("itemprop") or "").lower().split() and _of_page(node):
                found.add((attributes.get(attribute) or (node.text() if tag == "time" else "") or "").strip())
    return found - {""}


def _of_page(node: LexborNode) -> bool:
    """Whether the item that the property belongs to is the page or its article."""
    parent = node.parent
    for _ in range(_DEPTH):
        if parent is None or parent.tag in (None, "-document"):
            return True
        attributes = parent.attributes
        if "itemscope" in attributes:
            kinds = {kind.rpartition("/")[2] for kind in (attributes.get("itemtype") or "").split()}
            return not kinds or bool(kinds & (_ARTICLES | _PAGES))
        parent = parent.parent
    return False


def _from_scripts(tree: LexborHTMLParser) -> set[str]:
    articles: list[str] = []
    pages: list[str] = []
    for node in tree.tags("script"):
        if (node.attributes.get("type") or "").strip().lower() != "application/ld+json":
            continue
        text = node.text() or ""
        if len(text) > _SCRIPT_LIMIT or "dateModified" not in text:
            continue
        try:
            data = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            continue
        for item in _items(data):
            kinds = _kinds(item)
            value = item.get("dateModified")
            date = value.strip() if isinstance(value, str) else ""
            if kinds & _ARTICLES:
                articles.append(date)
            elif kinds & _PAGES:
                pages.append(date)
    # Several articles are a list of them; then only what is said of the page itself counts.
    taken = [*(articles if len(articles) == 1 else []), *(pages if len(pages) == 1 else [])]
    return {date for date in taken if date}


def _items(data: Any) -> Iterator[dict[str, Any]]:
    """The things that a JSON-LD block is about; what is nested in them is about other things."""
    for item in data if isinstance(data, list) else [data]:
        if not isinstance(item, dict):
            continue
        graph = item.get("@graph")
        for one in graph if isinstance(graph, list) else [item]:
            if isinstance(one, dict):
                yield one
                main = one.get("mainEntity")
                if isinstance(main, dict):
                    yield main


def _kinds(item: dict[str, Any]) -> set[str]:
    kinds = item.get("@type")
    return {
        kind.rpartition("/")[2].rpartition(":")[2]
        for kind in (kinds if isinstance(kinds, list) else [kinds])
        if isinstance(kind, str)
    }
