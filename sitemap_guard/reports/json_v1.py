"""The report for programs: JSON, version 1.

The shape is a contract of its own, apart from the program's types: a change that takes away or renames a key
makes a version 2. Findings are listed one by one; `group` ties those that people see as one, `count` is how many
those are. What is not known is null; an empty `lastmod` or `claimed` is "", since that is what the sitemap says.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from msgspec import Struct

from sitemap_guard.model import Change, Entry, Finding, Result, Site, Witness
from sitemap_guard.reports.safe import encodable, inert
from sitemap_guard.reports.style import Style


class _Tool(Struct):
    name: str
    version: str


class _Dates(Struct):
    true: int
    false: int
    cannot_tell: int
    absent: int


class _Counts(Struct):
    error: int
    warning: int
    info: int


class _Skipped(Struct):
    what: str
    why: str


class _Summary(Struct):
    base_url: str | None
    urls: int
    sitemaps: int
    dates: _Dates
    fit: str | None
    findings: _Counts
    skipped: list[_Skipped]
    notes: list[str]


class _Witness(Struct):
    kind: str
    path: str | None
    commit: str | None
    subject: str | None
    authored: str | None
    committed: str | None
    landed: str | None
    field: str | None
    value: str | None
    line: int | None


class _Entry(Struct):
    loc: str | None
    lastmod: str | None
    sitemap: str
    line: int | None
    verdict: str
    witness: _Witness | None
    reason: str | None
    expected: str | None
    page: str | None
    sources: list[str]
    mapped_by: str | None


class _Finding(Struct):
    rule: str
    level: str
    message: str
    loc: str | None
    path: str | None
    line: int | None
    column: int | None
    expected: str | None
    claimed: str | None
    group: str | None
    count: int


class _Report(Struct):
    version: int
    tool: _Tool
    summary: _Summary
    entries: list[_Entry]
    findings: list[_Finding]


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as JSON text that ends with a newline; it holds nothing that differs from run to run."""
    report: Any = _report(result)
    try:
        encoded = msgspec.json.encode(report)
    except UnicodeEncodeError:  # a file name that is not UTF-8: rare, so only then is every text looked at
        encoded = msgspec.json.encode(_encodable(msgspec.to_builtins(report)))
    return inert(msgspec.json.format(encoded, indent=2).decode()) + "\n"


def _report(result: Result) -> _Report:
    summary, site = result.summary, result.site
    entries = [_entry(site, entry) for entry in site.entries]
    entries.sort(key=lambda entry: (entry.sitemap, entry.line or 0, entry.loc or "", entry.lastmod or ""))
    return _Report(
        version=1,
        tool=_Tool("sitemap-guard", result.version),
        summary=_Summary(
            base_url=site.base_url or None,
            urls=summary.urls,
            sitemaps=summary.sitemaps,
            dates=_Dates(summary.true, summary.false, summary.cannot_tell, summary.absent),
            fit=summary.fit or None,
            findings=_Counts(summary.errors, summary.warnings, summary.infos),
            skipped=[_Skipped(one.what, one.why) for one in result.skipped],
            notes=list(result.notes),
        ),
        entries=entries,
        findings=_findings(result),
    )


def _entry(site: Site, entry: Entry) -> _Entry:
    claim, verdict, located, mapping = entry.claim, entry.verdict, entry.located, entry.mapping
    return _Entry(
        loc=claim.loc or None,
        lastmod=claim.lastmod,
        sitemap=site.place(claim.sitemap),
        line=claim.line or None,
        verdict=verdict.answer.value,
        witness=_witness(verdict.witness) if verdict.witness else None,
        reason=verdict.reason or None,
        expected=verdict.expected,
        page=site.place(located.path) if located.state in ("html", "file") and located.path else None,
        sources=[path for path in (mapping.content, *mapping.also) if path],
        mapped_by=mapping.how or None,
    )


def _witness(witness: Witness) -> _Witness:
    change: Change | None = witness.change
    commit, field = (change.commit if change else None), witness.field
    return _Witness(
        # The commit at a shallow edge bounds the change: it need not have made it.
        kind="edge" if change is not None and change.edge else witness.kind,
        path=witness.path or None,
        commit=commit.id or None if commit else None,
        subject=commit.subject or None if commit else None,
        authored=commit.authored.iso() if commit else None,
        committed=commit.committed.iso() if commit else None,
        landed=commit.landed.iso() if commit else None,
        field=field.name or None if field else None,
        value=field.value or None if field else None,
        line=field.line or None if field else None,
    )


def _findings(result: Result) -> list[_Finding]:
    sizes = Counter(finding.group for finding in result.findings)
    return [
        _finding(finding, sizes[finding.group] if finding.group else 1)
        for finding in sorted(result.findings, key=_order)
    ]


def _order(finding: Finding) -> tuple[Any, ...]:
    return (-finding.level, finding.rule, finding.path, finding.line, finding.column, finding.loc, finding.message)


def _finding(finding: Finding, count: int) -> _Finding:
    return _Finding(
        rule=finding.rule,
        level=finding.level.word,
        message=finding.message,
        loc=finding.loc or None,
        path=finding.path or None,
        line=finding.line or None,
        column=finding.column or None,
        expected=finding.expected,
        claimed=finding.claimed,
        group=finding.group or None,
        count=count,
    )


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    if isinstance(value, dict):
        return {key: _encodable(one) for key, one in value.items()}
    return value
