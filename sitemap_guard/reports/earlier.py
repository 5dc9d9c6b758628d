"""Whether a file holds an earlier report of ours, by how each format begins: only such a file is replaced."""

from __future__ import annotations

import re

from sitemap_guard.rules import BY_ID

LOOKED_AT = 8192  # bytes
_BEGINNINGS = (
    re.compile(r"[\d,]+ URLs? in [\d,]+ sitemaps? of "),  # text
    re.compile(
        r"::(?:error|warning|notice) [^\n]*title=|sitemap-guard: [\d,]+ URLs? in |sitemap-guard: note: "
    ),  # github
    re.compile(r"## \S+ sitemap-guard: "),  # markdown
    re.compile(r'\{\s*"version":\s*\d+,\s*"tool":\s*\{\s*"name":\s*"sitemap-guard"'),  # json
    re.compile(r'\{"\$schema":.*?"driver":\s*\{\s*"name":\s*"sitemap-guard"', re.DOTALL),  # sarif
    re.compile(r'\{\s*"source":\s*\{\s*"name":\s*"sitemap-guard"'),  # rdjson
    re.compile(r'<\?xml [^>]*>\s*<testsuites name="sitemap-guard"'),  # junit
    re.compile(r"<!doctype html>.*Content-Security-Policy.*?<title>[^<]*\bsitemap-guard</title>", re.DOTALL),  # html
    re.compile(r"\[\s*\]\s*$"),  # gitlab, without findings
)
_GITLAB = re.compile(r'\[\s*\{\s*"description": .*?"check_name":\s*"([^"]*)",\s*"fingerprint"', re.DOTALL)


def is_report(head: bytes) -> bool:
    """Whether the first bytes of a file are those of a report, in any format; those of an empty file are."""
    text = head.decode("utf-8", "replace")
    if not text.strip():
        return True
    gitlab = _GITLAB.match(text)
    return any(one.match(text) for one in _BEGINNINGS) or (gitlab is not None and gitlab[1] in BY_ID)
