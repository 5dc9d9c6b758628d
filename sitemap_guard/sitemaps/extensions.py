"""The extensions of search engines inside an entry: images, videos, news. What each must have, and its limits.

Source: Google, "Image sitemaps", "Video sitemaps and alternatives", "Create a news sitemap".
"""

from __future__ import annotations

import re

NAMESPACES = {
    "http://www.google.com/schemas/sitemap-image/1.1": "image",
    "http://www.google.com/schemas/sitemap-video/1.1": "video",
    "http://www.google.com/schemas/sitemap-news/0.9": "news",
}
MAX_IMAGES = 1000  # in one entry
MAX_NEWS = 1000  # in one file
_WRONG = re.compile(r"https?://(?:www\.)?google\.com/schemas/sitemap-(image|video|news)(?:/[\d.]*)?/?", re.IGNORECASE)
_NEWS_LANGUAGE = re.compile(r"[a-z]{2,3}|zh-cn|zh-tw", re.IGNORECASE)
_REQUIRED = {
    "image": ("loc",),
    "video": ("thumbnail_loc", "title", "description"),
    "news": ("publication_date", "title", "name", "language"),
}
# What Google took out of the formats (in 2022) and passes over since.
REMOVED = {
    "image": frozenset({"caption", "geo_location", "title", "license"}),
    "video": frozenset({"category", "gallery_loc", "price", "tvshow"}),
}


def meant(namespace: str) -> str:
    """The namespace that a slightly wrong one of an extension was meant to be; "" for any other."""
    found = _WRONG.fullmatch(namespace)
    if not found:
        return ""
    return next(right for right, kind in NAMESPACES.items() if kind == found[1].lower())


def faults(kind: str, parts: list[tuple[str, str]], loc: str) -> list[str]:
    """What is wrong with one image, video or news element, given the names and texts of all elements in it."""
    texts: dict[str, str] = {}
    for name, text in parts:
        texts.setdefault(name, text)
    found = [f"has no <{kind}:{name}>" for name in _REQUIRED[kind] if not texts.get(name)]
    if kind == "video":
        found += _video(parts, texts, loc)
    elif kind == "news" and texts.get("language") and not _NEWS_LANGUAGE.fullmatch(texts["language"]):
        found.append("has a <news:language> that is no code of two or three letters (or zh-cn, zh-tw)")
    return found


def _video(parts: list[tuple[str, str]], texts: dict[str, str], loc: str) -> list[str]:
    found = []
    places = [texts[name] for name in ("content_loc", "player_loc") if texts.get(name)]
    if not places:
        found.append("has neither <video:content_loc> nor <video:player_loc>")
    if loc and loc in places:
        found.append("has the page's own address as that of the video")
    if len(texts.get("description", "")) > 2048:
        found.append("has a <video:description> of more than 2,048 characters")
    if len(texts.get("uploader", "")) > 255:
        found.append("has a <video:uploader> of more than 255 characters")
    if sum(1 for name, _ in parts if name == "tag") > 32:
        found.append("has more than 32 <video:tag>")
    seconds = texts.get("duration")
    if seconds is not None and not (seconds.isascii() and seconds.isdigit() and 1 <= int(seconds[:9]) <= 28_800):
        found.append("has a <video:duration> that is not between 1 and 28800 seconds")
    return found
