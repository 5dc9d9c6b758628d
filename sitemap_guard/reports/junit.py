"""JUnit XML, for the test tabs of build services: a suite for each family of rules, a case for each rule.

A case for each page would be tens of thousands; for each rule they are the same forty in every run, so that services
can tell which ones broke and which were mended. Errors fail a case; warnings and notes are listed in its output;
rules that could not be asked are skipped. There is no official schema: the shape is that of testmoapp/junitxml.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.placing import Places
from sitemap_guard.reports.safe import clean
from sitemap_guard.reports.style import Style
from sitemap_guard.rules import RULES

if TYPE_CHECKING:
    from lxml.etree import _Element

LISTED = 100  # findings in the text of a case
# What XML 1.0 allows no way to write (2.2): `clean` shows most of these, but not the two that are no characters.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Jenkins and GitLab take `[[ATTACHMENT|path]]` in a case's output for a file to fetch (JUnit Attachments plugin; GitLab
# lib/gitlab/ci/parsers/test/junit.rb).
_ATTACHMENT = re.compile(r"\[\[(?=ATTACHMENT)", re.IGNORECASE)
# What only history can answer; the other rules about dates read the text alone.
_BY_HISTORY = frozenset({"lastmod-too-new", "lastmod-too-old", "lastmod-unmatched", "lastmod-overstated"})


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as XML text with its declaration."""
    from lxml import etree

    found: dict[str, list[Finding]] = {rule.id: [] for rule in RULES if rule.level is not Level.OFF}
    for finding in result.findings:
        found.setdefault(finding.rule, []).append(finding)
    root = etree.Element("testsuites", name="sitemap-guard")
    places = Places(result)
    families: dict[str, list[str]] = {}
    for rule in found:
        families.setdefault(rule.partition("-")[0], []).append(rule)
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for family, rules in families.items():
        suite = etree.SubElement(root, "testsuite", name=_text(f"sitemap-guard.{family}", 200))
        for rule in rules:
            _case(suite, family, rule, found[rule], result, places)
        counts = {
            "tests": len(rules),
            "failures": len(suite.findall("testcase/failure")),
            "errors": 0,
            "skipped": len(suite.findall("testcase/skipped")),
        }
        for key, count in counts.items():
            suite.set(key, str(count))
            totals[key] += count
        suite.set("time", "0")
    for key, count in totals.items():
        root.set(key, str(count))
    root.set("time", "0")
    etree.indent(root)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True).decode() + "\n"


def _case(suite: _Element, family: str, rule: str, findings: list[Finding], result: Result, places: Places) -> None:
    from lxml import etree

    case = etree.SubElement(suite, "testcase")
    case.set("classname", _text(f"sitemap-guard.{family}", 200))
    case.set("name", _text(rule, 255).strip() or "unknown")
    case.set("time", "0")
    unasked = _unasked(rule, result) if not findings else ""
    if unasked:
        etree.SubElement(case, "skipped", message=_text(unasked))
    if not findings:
        return
    first = places.tracked(findings[0])
    case.set("file", _text(first.path))
    if first.line:
        case.set("line", str(first.line))
    failing = [finding for finding in findings if finding.level is Level.ERROR]
    others = [finding for finding in findings if finding.level is not Level.ERROR]
    if failing:
        headline = next((one.headline for one in failing if one.headline), "")
        message = f"{words.number(len(failing), 'finding')}: {headline or failing[0].message}"
        kind = _text(rule, 255).strip() or "unknown"
        failure = etree.SubElement(case, "failure", message=_text(message, 1000), type=kind)
        # GitLab shows the text alone, so that what is said of all stands there too.
        failure.text = (f"{_text(headline, 1000)}\n\n" if headline else "") + _listing(failing)
    if others:
        etree.SubElement(case, "system-out").text = _listing(others)


def _unasked(rule: str, result: Result) -> str:
    """Why a rule without findings says nothing about the site; "" when it does."""
    summary = result.summary
    if summary.urls == 0:
        return "nothing was checked: no URL in any sitemap"
    if rule in _BY_HISTORY and not summary.true + summary.false:
        return words.verdict(result)
    return ""


def _listing(findings: list[Finding]) -> str:
    lines = [line for finding in findings[:LISTED] for line in _lines(finding)]
    if len(findings) > LISTED:
        lines.append(f"… and {len(findings) - LISTED:,} more")
    cure = next((finding.cure for finding in findings if finding.cure), "")
    if cure:
        lines.append(f"cure: {_text(cure, 1000)}")
    return "\n".join(lines) + "\n"


def _lines(finding: Finding) -> list[str]:
    heading = (finding.level.word, words.place(finding.path, finding.line, finding.column), finding.loc)
    lines = [" ".join(_text(part) for part in heading if part), f"  {_text(finding.message, 1000)}"]
    return lines + [f"  {sign} {_text(text, 300)}" for sign, text in words.diff(finding)]


def _text(text: str, limit: int = 2048) -> str:
    return _ATTACHMENT.sub(r"[\[", _ILLEGAL.sub("\ufffd", clean(text, limit)))
