"""SARIF 2.1.0, for code scanning.

GitHub keeps the 5,000 most severe results of a run and takes at most 10 MB, packed; it shows a result beside the
code only on a file of the repository, by its first location (docs.github.com, "SARIF support for code scanning").
So the largest groups are cut, the number left out is told, and findings stand on tracked files.
"""

from __future__ import annotations

import inspect
from typing import Any
from urllib.parse import quote

import msgspec

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.placing import Place, Places, fingerprints, rule_name, shortened
from sitemap_guard.reports.safe import clean, clip, inert
from sitemap_guard.reports.style import Style
from sitemap_guard.rules import RULES

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RESULTS = 5000
BYTES = 9_500_000  # unpacked: what is smaller than the limit before packing is so after it
MESSAGE = 1000
TEXT = 1024  # of a rule's descriptions
LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note", Level.OFF: "none"}
_SEVERITIES = {
    Level.ERROR: "error",
    Level.WARNING: "warning",
    Level.INFO: "recommendation",
    Level.OFF: "recommendation",
}


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as SARIF; what a service would drop without a word is left out and counted."""
    kept, left = shortened(result.findings, RESULTS)
    places = Places(result)
    rules = _rules(kept)
    order = {rule["id"]: index for index, rule in enumerate(rules)}
    results: list[dict[str, Any]] = []
    room = BYTES - len(msgspec.json.encode(rules))
    for finding, name in zip(kept, fingerprints(kept), strict=True):
        made = _result(finding, name, places, order)
        room -= len(msgspec.json.encode(made)) + 1
        if room < 0:
            left += len(kept) - len(results)
            break
        results.append(made)
    run = {
        "tool": {
            "driver": {
                "name": "sitemap-guard",
                "version": clean(result.version, 100),
                "rules": rules,
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the repository."}}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notes(result, left)}],
        "results": results,
    }
    report = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return inert(msgspec.json.encode(report).decode()) + "\n"


def _rules(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    known = [_rule(rule.id, inspect.getdoc(rule.check) or rule.id, rule.level) for rule in RULES]
    ids = {rule["id"] for rule in known}
    for finding in findings:
        if (name := rule_name(finding)) not in ids:
            ids.add(name)
            known.append(_rule(name, name, finding.level))
    return known


def _rule(name: str, text: str, level: Level) -> dict[str, Any]:
    about, _, _ = text.partition("\n\n")
    return {
        "id": name,
        "shortDescription": {"text": clip(about.replace("`", ""), TEXT)},
        "fullDescription": {"text": clip(" ".join(text.replace("`", "").split()), TEXT)},
        "help": {"text": text.replace("`", ""), "markdown": text},
        "defaultConfiguration": {"level": LEVELS[level], "enabled": level is not Level.OFF},
        "properties": {"tags": [name.partition("-")[0] or name], "problem.severity": _SEVERITIES[level]},
    }


def _result(finding: Finding, name: str, places: Places, order: dict[str, int]) -> dict[str, Any]:
    place, own = places.tracked(finding), places.own(finding)
    located = _location(place)
    result: dict[str, Any] = {
        "ruleId": rule_name(finding),
        "ruleIndex": order[rule_name(finding)],
        "level": LEVELS[finding.level],
        "message": {"text": _message(finding)},
        "locations": [located],
        "partialFingerprints": {"primaryLocationLineHash": name, "sitemapGuard/v1": name},
    }
    if own != place:
        result["relatedLocations"] = [{"id": 1, **_location(own), "message": {"text": "where the sitemap says it"}}]
    properties = {
        "loc": clean(finding.loc) if finding.loc else None,
        "claimed": None if finding.claimed is None else clean(finding.claimed, 200),
        "expected": None if finding.expected is None else clean(finding.expected, 200),
        "group": clean(finding.group, 200) or None,
    }
    kept = {key: value for key, value in properties.items() if value is not None}
    if kept:
        result["properties"] = kept
    return result


def _message(finding: Finding) -> str:
    loc = f"{clean(finding.loc, 400)}: " if finding.loc else ""
    parts = [loc + (clean(finding.message, MESSAGE) or rule_name(finding))]
    if finding.claimed is not None:
        said = clean(finding.claimed, 100) or "nothing"
        true = "no element" if finding.expected is None else clean(finding.expected, 100)
        parts.append(f"It says {said}; {true} would be right.")
    if finding.cure:
        parts.append(f"Cure: {clean(finding.cure, 400)}")
    # `[text](target)` would be a link (SARIF 3.11.6).
    return "\n".join(parts).replace("](", "]\\(")


def _location(place: Place) -> dict[str, Any]:
    line, column = place.line or 1, (place.column if place.line else 0) or 1
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri(place.path), "uriBaseId": "SRCROOT"},
            "region": {"startLine": line, "startColumn": column, "endLine": line, "endColumn": column + 1},
        }
    }


def uri(path: str) -> str:
    """A path as a relative reference: percent-encoded, bytes that are not UTF-8 as themselves."""
    return quote(path.encode("utf-8", "surrogateescape" if _whole(path) else "replace"), safe="/-._~!$&'()*+,;=@")


def _whole(path: str) -> bool:
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _notes(result: Result, left: int) -> list[dict[str, Any]]:
    notes = [
        f"{words.omission(one)}: {clean(one.what, 200)}, because {clean(one.why, 500)}" for one in result.skipped[:100]
    ]
    if left:
        notes.append(f"{left:,} of {len(result.findings):,} findings are not listed: see the JSON report for all")
    said = [{"level": "note", "message": {"text": clean(note, 1000)}} for note in result.notes]
    return [*({"level": "warning", "message": {"text": text}} for text in notes), *said]
