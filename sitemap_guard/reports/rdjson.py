"""reviewdog's diagnostics (rdjson), with suggestions (reviewdog proto/rdf/reviewdog.proto).

Columns are counted in UTF-8 bytes, from 1; the end of a range is not part of it. A suggestion replaces the text of
the lastmod element and nothing else. A diagnostic stands where the false value stands, so that its suggestion can be
taken; the page's source is told as a related place. Paths start at the folder that the command runs in, as reviewdog
reads them (its pathutil joins them to that folder's place in the repository).

reviewdog posts `message` as Markdown (service/commentutil), and prints `original_output` as it is.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

import msgspec

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.placing import Place, Places, rule_name, shortened
from sitemap_guard.reports.safe import clean, clip, inert
from sitemap_guard.reports.style import Style

LIMIT = 5000
# Bytes of a line that a suggestion may stand on: reviewdog posts the whole line, and GitHub refuses a comment of more
# than 65,536 characters together with all others of the review. Some generators write the sitemap as one line.
LINE = 30_000
SEVERITIES = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.INFO: "INFO", Level.OFF: "INFO"}
# What Markdown would take for HTML, an entity, a link, an emphasis or a fence, and a backslash that it would eat.
_MARKDOWN = re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)|<|&(?=[#A-Za-z])|(?<=\])\(|\*|`(?=``)|~(?=~~)")


def render(result: Result, style: Style) -> str:
    """The report as rdjson; a cut group ends with how many more there are."""
    kept, _ = shortened(result.findings, LIMIT)
    made = _Diagnostics(result, style.folder)
    report = {
        "source": {"name": "sitemap-guard"},
        "severity": SEVERITIES[max((finding.level for finding in kept), default=Level.INFO)],
        "diagnostics": [made.of(finding) for finding in kept],
    }
    return inert(msgspec.json.format(msgspec.json.encode(report), indent=2).decode()) + "\n"


class _Diagnostics:
    def __init__(self, result: Result, folder: str) -> None:
        self._places = Places(result)
        self._root = result.site.repository.root.rstrip("/")
        self._folder = folder if f"{folder}/".startswith(f"{self._root}/") else ""
        # How far each line reaches, as far as the claims tell.
        self._ends: dict[tuple[str, int], int] = {}
        for claim in (entry.claim for entry in result.site.entries) if result.findings else ():
            if claim.lastmod_range:
                line = (claim.sitemap, claim.lastmod_range[2])
                self._ends[line] = max(self._ends.get(line, 0), claim.lastmod_range[3])

    def of(self, finding: Finding) -> dict[str, Any]:
        """The diagnostic of a finding."""
        place, tracked = self._places.own(finding), self._places.tracked(finding)
        location: dict[str, Any] = {"path": self._path(place.path)}
        made: dict[str, Any] = {
            "message": _message(finding),
            "location": location,
            "severity": SEVERITIES[finding.level],
            "code": {"value": rule_name(finding)},
        }
        span, short = self._span(finding)
        line, column = (span["start"]["line"], span["start"]["column"]) if span else (place.line, place.column)
        made["original_output"] = self._line(finding, Place(place.path, line, column))
        if span is not None:
            location["range"] = span
            if finding.expected is not None and short:
                made["suggestions"] = [{"range": span, "text": _escaped(finding.expected)}]
        elif place.line:
            # Our columns are characters: without the line's text there are no bytes to count, so it is the whole line.
            location["range"] = {"start": {"line": place.line}}
        if tracked != place:
            related = {"path": self._path(tracked.path), "range": {"start": {"line": tracked.line or 1}}}
            made["related_locations"] = [{"message": "the source of the page", "location": related}]
        return made

    def _path(self, path: str) -> str:
        """From the folder that the command runs in, where that is part of the repository; else from its root."""
        if self._root and self._folder and not path.startswith("/"):
            path = posixpath.relpath(f"{self._root}/{path}", self._folder)
        return clean(path)

    def _line(self, finding: Finding, place: Place) -> str:
        """The finding as compilers print theirs, for who reads it in a terminal."""
        loc = f"{clean(finding.loc, 400)}: " if finding.loc else ""
        where = words.place(self._path(place.path), place.line, place.column)
        return clip(f"{where}: {finding.level.word}: {loc}{clean(finding.message, 1000)} [{rule_name(finding)}]", 1500)

    def _span(self, finding: Finding) -> tuple[dict[str, Any] | None, bool]:
        """The bytes of the lastmod's text that the finding is about, None when they are not known; and whether the
        line is short enough to be shown."""
        entry = self._places.entry(finding) if finding.element == "lastmod" else None
        if entry is None or not entry.claim.lastmod_range or entry.claim.lastmod != finding.claimed:
            return None, False
        first, start, last, end = entry.claim.lastmod_range
        span = {"start": {"line": first, "column": start}, "end": {"line": last, "column": end}}
        return span, self._ends.get((entry.claim.sitemap, last), 0) <= LINE


def _message(finding: Finding) -> str:
    loc = f"{_inert(finding.loc, 400)}: " if finding.loc else ""
    # reviewdog's own mention of the rule, `<id>`, is a tag in Markdown and not seen.
    lines = [f"{loc}{_inert(finding.message, 1000)} [{_inert(rule_name(finding), 255)}]"]
    if finding.cure:
        lines.append(f"cure: {_inert(finding.cure, 400)}")
    return "\n".join(lines)


def _inert(text: str, limit: int) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", clean(text, limit).strip())


def _escaped(text: str) -> str:
    return clean(text, 200).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
