"""Text sitemaps: UTF-8, one absolute address a line, nothing else (sitemaps.org protocol, "text file")."""

from __future__ import annotations

import re

from sitemap_guard.model import Claim
from sitemap_guard.sitemaps.content import (
    HARD_ENTRIES,
    UNREAD,
    Bytes,
    Content,
    counted,
    not_utf8,
    opening,
    unread,
    without_bom,
)

_LINE = re.compile(rb"[^\r\n]+")


def read(data: Bytes, path: str) -> Content:
    """The claims of a text sitemap; `path` is what they carry as their `sitemap`. Raises nothing."""
    data, problems = without_bom(data)
    if (kind := opening(data)) in UNREAD:
        return unread(kind, UNREAD[kind])
    if problem := not_utf8(data):
        return Content("none", problems=(*problems, problem))
    claims: list[Claim] = []
    line, end = 1, 0
    for match in _LINE.finditer(data):
        breaks = data[end : match.start()]
        line += breaks.count(b"\n") + breaks.count(b"\r") - breaks.count(b"\r\n")
        end = match.end()
        text = match[0].decode("utf-8")
        if loc := text.strip():
            column = len(text) - len(text.lstrip()) + 1
            claims.append(Claim(loc, None, path, line, column))
        if len(claims) > HARD_ENTRIES:
            return unread("unreadable", f"more than {HARD_ENTRIES:,} lines: not read")
    return Content("text", tuple(claims), problems=(*problems, *counted(len(claims))))
