"""reviewdog's diagnostics (rdjson), with suggestions (reviewdog proto/rdf/reviewdog.proto).

Columns are counted in UTF-8 bytes, from 1; the end of a range is not part of it. A suggestion replaces the text of
the lastmod element and nothing else. A diagnostic stands where the false value stands, so that its suggestion can be
taken; the page's source is told as a related place.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports.placing import Places, shortened
from sitemap_guard.reports.safe import clean, inert
from sitemap_guard.reports.style import Style

LIMIT = 5000
SEVERITIES = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.INFO: "INFO", Level.OFF: "INFO"}


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as rdjson; a cut group ends with how many more there are."""
    kept, _ = shortened(result.findings, LIMIT)
    places = Places(result)
    report = {
        "source": {"name": "sitemap-guard"},
        "severity": SEVERITIES[max((finding.level for finding in kept), default=Level.INFO)],
        "diagnostics": [_diagnostic(finding, places) for finding in kept],
    }
    return inert(msgspec.json.format(msgspec.json.encode(report), indent=2).decode()) + "\n"


def _diagnostic(finding: Finding, places: Places) -> dict[str, Any]:
    place, tracked = places.own(finding), places.tracked(finding)
    location: dict[str, Any] = {"path": clean(place.path)}
    made: dict[str, Any] = {
        "message": _message(finding),
        "location": location,
        "severity": SEVERITIES[finding.level],
        "code": {"value": clean(finding.rule, 255) or "unknown"},
    }
    span = _span(finding, places)
    if span is not None:
        location["range"] = span
        if finding.expected is not None:
            made["suggestions"] = [{"range": span, "text": _escaped(finding.expected)}]
    elif place.line:
        # Our columns are characters: without the line's text there are no bytes to count, so it is the whole line.
        location["range"] = {"start": {"line": place.line}}
    if tracked != place:
        related = {"path": clean(tracked.path), "range": {"start": {"line": tracked.line or 1}}}
        made["related_locations"] = [{"message": "the source of the page", "location": related}]
    return made


def _span(finding: Finding, places: Places) -> dict[str, Any] | None:
    """The bytes of the lastmod's text that the finding is about; None when they are not known."""
    entry = places.entry(finding) if finding.element == "lastmod" else None
    if entry is None or not entry.claim.lastmod_range or entry.claim.lastmod != finding.claimed:
        return None
    first, start, last, end = entry.claim.lastmod_range
    return {"start": {"line": first, "column": start}, "end": {"line": last, "column": end}}


def _message(finding: Finding) -> str:
    loc = f"{clean(finding.loc, 400)}: " if finding.loc else ""
    lines = [loc + (clean(finding.message, 1000) or clean(finding.rule, 255) or "unknown")]
    if finding.evidence:
        lines.append(clean(finding.evidence, 1000))
    if finding.cure:
        lines.append(f"cure: {clean(finding.cure, 400)}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return clean(text, 200).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
