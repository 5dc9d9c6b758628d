"""GitLab's Code Quality report: a JSON array (docs.gitlab.com/ci/testing/code_quality)."""

from __future__ import annotations

from typing import Any

import msgspec

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports.placing import Places, fingerprints, rule_name, shortened
from sitemap_guard.reports.safe import clean, inert
from sitemap_guard.reports.style import Style

LIMIT = 5000  # a merge request's widget has to draw them all
SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor", Level.INFO: "info", Level.OFF: "info"}


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The findings as an array, `[]` for none; a cut group ends with how many more there are."""
    kept, _ = shortened(result.findings, LIMIT)
    places = Places(result)
    made = [_issue(finding, name, places) for finding, name in zip(kept, fingerprints(kept), strict=True)]
    return inert(msgspec.json.format(msgspec.json.encode(made), indent=2).decode()) + "\n"


def _issue(finding: Finding, fingerprint: str, places: Places) -> dict[str, Any]:
    place = places.tracked(finding)
    return {
        "description": _description(finding),
        "check_name": rule_name(finding),
        "fingerprint": fingerprint,
        "severity": SEVERITIES[finding.level],
        "location": {"path": clean(place.path), "lines": {"begin": place.line or 1}},
    }


def _description(finding: Finding) -> str:
    loc = f"{clean(finding.loc, 400)}: " if finding.loc else ""
    text = loc + (clean(finding.message, 1000) or rule_name(finding))
    if finding.claimed is not None:
        text += f" ({clean(finding.claimed, 100)} → {_right(finding)})"
    return text


def _right(finding: Finding) -> str:
    return "no element" if finding.expected is None else clean(finding.expected, 100)
