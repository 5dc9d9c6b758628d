"""The report to look at: one HTML file that needs nothing else, no network and no server.

The page is made by a template that escapes everything; the entries travel as JSON in a block that is data, not
code. A content security policy allows the page's own style and script, by their hashes, and nothing else: should
hostile content ever get through, it would still do nothing.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from functools import cache
from importlib import resources
from typing import Any

from sitemap_guard.model import Finding, Instant, Level, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.groups import Group, grouped
from sitemap_guard.reports.html_charts import coverage, domain, strip
from sitemap_guard.reports.html_data import Rows, columns
from sitemap_guard.reports.safe import clean
from sitemap_guard.reports.style import Style
from sitemap_guard.rules import BY_ID

GROUPS = 200  # kinds of findings with a card of their own
EXAMPLES = 20  # findings in a card
VERDICTS = (("t", "true"), ("f", "false"), ("c", "cannot tell"), ("a", "no date"))


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as one HTML document."""
    css, js = _file("report.css"), _script()
    groups = grouped(result.findings)
    rows = Rows(result)
    span = domain(rows)
    text: str = _template().render(
        css=css,
        js=js,
        policy=_policy(css, js),
        data=columns(result, rows, span, [group.findings for group in groups]),
        title=words.verdict(result),
        mood=words.mood(result),
        address=_shown(result.site.base_url) or "a site without address",
        facts=_facts(result),
        counts=_counts(result),
        skipped=[(_shown(one.what, 200), _shown(one.why, 500)) for one in result.skipped],
        untold=[(_shown(reason, 80), count) for reason, count in words.untold(result)[:10]],
        strip=strip(rows, span),
        folders=coverage(rows),
        plotted=sum(1 for one in rows.rows if one.claimed is not None and one.true is not None),
        honest=sum(1 for one in rows.rows if one.letter == "t" and one.true is not None),
        clock=_clock(result),
        cards=[_card(index, group) for index, group in enumerate(groups[:GROUPS])],
        more_kinds=max(0, len(groups) - GROUPS),
        rules=sorted(Counter(_shown(finding.rule, 200) for finding in result.findings).items()),
        version=_shown(result.version, 50),
        now=Instant(result.site.now).human(),
    )
    return text


def _counts(result: Result) -> list[dict[str, Any]]:
    summary = result.summary
    counts = (summary.true, summary.false, summary.cannot_tell, summary.absent)
    parts = []
    start = 0.0
    for (letter, word), count in zip(VERDICTS, counts, strict=True):
        width = 100 * count / summary.urls if summary.urls else 0.0
        parts.append({"letter": letter, "word": word, "count": count, "x": f"{start:.3f}%", "width": f"{width:.3f}%"})
        start += width
    return parts


def _facts(result: Result) -> list[tuple[str, str]]:
    summary, site = result.summary, result.site
    facts = [
        ("checked", f"{words.number(summary.urls, 'URL')} in {words.number(summary.sitemaps, 'sitemap')}"),
        ("built in", _shown(site.shown or ".")),
    ]
    if site.repository.head is not None:
        facts.append(("at", _shown(words.commit(site.repository.head), 200)))
    if summary.fit:
        facts.append(("habit", _shown(summary.fit, 300)))
    return [*facts, ("findings", words.findings(result))]


def _clock(result: Result) -> int:
    return sum(1 for entry in result.site.entries if entry.verdict.cause == "build-clock")


def _card(index: int, group: Group) -> dict[str, Any]:
    count = len(group.findings)
    # Without a headline of its own, what several have in common is their rule.
    rule = BY_ID.get(group.first.rule)
    headline = group.headline or ((rule.check.__doc__ or "").strip().partition("\n")[0] if rule and count > 1 else "")
    return {
        "index": index,
        "level": group.level.word if group.level is not Level.OFF else "info",
        "rule": _shown(group.first.rule, 200),
        "count": count,
        "headline": _shown(headline if count > 1 and headline else group.first.message),
        "cure": _shown(group.cure),
        "entries": sum(1 for finding in group.findings if finding.loc),
        "findings": [_finding(finding, said=headline if count > 1 else "") for finding in group.findings[:EXAMPLES]],
        "more": max(0, count - EXAMPLES),
        "alone": count == 1,
    }


def _finding(finding: Finding, said: str) -> dict[str, Any]:
    return {
        "loc": _shown(finding.loc),
        "place": _shown(words.place(finding.path, finding.line, finding.column)),
        "message": "" if finding.message == said else _shown(finding.message),
        "evidence": _shown(finding.evidence),
        "diff": [(sign, _shown(text, 300)) for sign, text in words.diff(finding)],
    }


def _shown(text: str, limit: int = 2048) -> str:
    return clean(text, limit)


@cache
def _file(name: str) -> str:
    return resources.files("sitemap_guard.reports").joinpath("page", name).read_text("utf-8").strip()


@cache
def _script() -> str:
    """The page's script, from its parts."""
    parts = "\n".join(_file(f"{name}.js") for name in ("base", "table", "details", "scatter", "start"))
    return f'"use strict";\n(() => {{\n{parts}\n}})();'


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["count"] = lambda number: f"{number:,}"
    return environment.from_string(_file("report.html.jinja"))


def _policy(css: str, js: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(css)}'",
            f"script-src '{_hash(js)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
