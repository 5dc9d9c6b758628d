"""The report to look at: one HTML file that needs nothing else, no network and no server.

The page is made by a template that escapes everything; the entries travel as JSON in a block that is data, not
code. A content security policy allows the page's own style and script, by their hashes, and nothing else: should
hostile content ever get through, it would still do nothing.
"""

from __future__ import annotations

import base64
import hashlib
import inspect
import re
import shlex
from collections import Counter
from functools import cache
from importlib import resources
from typing import Any

from sitemap_guard.model import Answer, Finding, Instant, Level, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.groups import Group, grouped
from sitemap_guard.reports.html_charts import coverage, domain, strip
from sitemap_guard.reports.html_data import Rows, columns
from sitemap_guard.reports.safe import clean
from sitemap_guard.reports.style import Style
from sitemap_guard.rules import BY_ID
from sitemap_guard.rules.verdicts import REASONS

GROUPS = 200  # kinds of findings with a card of their own
GLANCE = 8  # of them in the list at the top
EXAMPLES = 20  # findings in a card
LONG = 300  # characters of an address in a card; the entry's own view has more
VERDICTS = (
    ("t", "true", "the evidence supports the date"),
    ("f", "false", "no evidence supports the date"),
    ("c", "cannot tell", "there was nothing to compare with"),
    ("a", "no date", "the entry has no lastmod"),
)


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as one HTML document."""
    css, js = _file("report.css"), _script()
    groups = sorted(grouped(result.findings), key=_weight)
    rows = Rows(result)
    span, folders = domain(rows), coverage(rows)
    plotted = [one for one in rows.rows if one.claimed is not None and one.true is not None]
    text: str = _template().render(
        css=css,
        js=js,
        policy=_policy(css, js),
        data=columns(result, rows, span, folders.of, [group.findings for group in groups]),
        title=words.verdict(result),
        mood=words.mood(result),
        address=_shown(result.site.base_url) or "a site without address",
        facts=_facts(result),
        counts=_counts(result),
        notes=[_shown(note, 500) for note in result.notes],
        skipped=[
            (words.omission(one).capitalize(), _shown(one.what, 200), _shown(one.why, 500)) for one in result.skipped
        ],
        untold=[(_reason(code), count) for code, count in words.untold(result)[:10]],
        strip=strip(rows, span),
        folders=folders.bars,
        plotted=len(plotted),
        total=len(rows.rows),
        undated=0 < result.summary.urls == result.summary.absent,
        honest=sum(1 for one in plotted if one.letter == "t" and not one.apart),
        clock=_clock(result),
        cards=[_card(index, group) for index, group in enumerate(groups[:GROUPS])],
        glance=GLANCE,
        few=min(result.summary.urls, 15),
        fix=_fix(result),
        more_kinds=max(0, len(groups) - GROUPS),
        rules=sorted(Counter(_shown(finding.rule, 200) for finding in result.findings).items()),
        version=_shown(result.version, 50),
        now=Instant(result.site.now).human(),
    )
    return text


def _weight(group: Group) -> tuple[int, bool, int]:
    """The order of the kinds: most severe first, then what is about the whole site, then what most entries have."""
    whole = len(group.findings) == 1 and not group.first.loc
    return -group.level, not whole, -len(group.findings)


def _reason(code: str) -> str:
    return REASONS[code][0] if code in REASONS else _shown(code, 80)


def _fix(result: Result) -> str:
    """The command that would make the false dates true; "" where it would do nothing."""
    if not any(entry.verdict.answer is Answer.FALSE for entry in result.site.entries):
        return ""
    return f"sitemap-guard fix {shlex.quote(_shown(result.site.shown or '.', 200))}"


def _counts(result: Result) -> list[dict[str, Any]]:
    summary = result.summary
    counts = (summary.true, summary.false, summary.cannot_tell, summary.absent)
    parts = []
    start = 0.0
    for (letter, word, means), count in zip(VERDICTS, counts, strict=True):
        width = 100 * count / summary.urls if summary.urls else 0.0
        place = {"x": f"{start:.3f}%", "width": f"{width:.3f}%"}
        parts.append({"letter": letter, "word": word, "means": means, "count": count, **place})
        start += width
    return parts


def _facts(result: Result) -> list[tuple[str, str]]:
    summary, site = result.summary, result.site
    facts = [
        ("checked", f"{words.number(summary.urls, 'URL')} in {words.number(summary.sitemaps, 'sitemap')}"),
        ("built in", _shown(site.shown or ".")),
    ]
    if site.repository.head is not None:
        facts.append(("commit", _shown(words.commit(site.repository.head), 200)))
    facts.append(("checked at", Instant(site.now).human()))
    return [*facts, *([("the dates’ habit", _shown(summary.fit, 300))] if summary.fit else [])]


def _clock(result: Result) -> int:
    return sum(1 for entry in result.site.entries if entry.verdict.cause == "build-clock")


def _card(index: int, group: Group) -> dict[str, Any]:
    count = len(group.findings)
    # Without a headline of its own, what several have in common is their rule.
    rule = BY_ID.get(group.first.rule)
    headline = group.headline or ((rule.check.__doc__ or "").strip().partition("\n")[0] if rule and count > 1 else "")
    said = headline if count > 1 and headline else group.first.message
    return {
        "index": index,
        "level": group.level.word if group.level is not Level.OFF else "info",
        "rule": _shown(group.first.rule, 200),
        "count": count,
        "headline": _shown(_title(said), 600),
        "cure": _shown(group.cure, 600),
        "why": _paragraphs(group.first.rule),
        "entries": len({finding.loc for finding in group.findings if finding.loc}),
        "findings": [_finding(finding, said=headline if count > 1 else "") for finding in group.findings[:EXAMPLES]],
        "more": max(0, count - EXAMPLES),
        "alone": count == 1,
    }


def _title(text: str) -> str:
    """A headline as one begins and ends; a path or an element's name at its start stays as it is."""
    word, space, more = text.partition(" ")
    plain = word.isascii() and word.isalpha() and word not in ("lastmod", "loc", "hreflang", "robots")
    return (word.capitalize() if plain and word.islower() else word) + space + more.removesuffix(".")


@cache
def _paragraphs(rule: str) -> tuple[str, ...]:
    """What the rule's documentation says, a paragraph each; examples are paragraphs of their own."""
    if rule not in BY_ID:
        return ()
    text = inspect.cleandoc(BY_ID[rule].check.__doc__ or "")
    for word in ("Bad:", "Good:"):
        text = text.replace(f"\n{word}", f"\n\n{word}")
    return tuple(" ".join(one.split()) for one in text.split("\n\n"))


def _finding(finding: Finding, said: str) -> dict[str, Any]:
    return {
        "loc": _shown(finding.loc, LONG),
        "place": _shown(words.place(finding.path, finding.line, finding.column), LONG),
        "message": "" if finding.message == said else _shown(finding.message, 600),
        "diff": [(sign, *_parts(_shown(text, LONG))) for sign, text in words.diff(finding)],
    }


def _parts(line: str) -> tuple[str, str, str]:
    """An element's start, text and end: narrow screens show the text alone. Another line has only text."""
    found = re.fullmatch(r"(<\w+>)(.*)(</\w+>)", line)
    return (found[1], found[2], found[3]) if found else ("", line, "")


def _shown(text: str, limit: int = 2048) -> str:
    return clean(text, limit)


def _pieces(text: str) -> list[tuple[bool, str]]:
    """The text cut at its backticks, and whether each piece stood between two."""
    parts = text.split("`")
    return [(at % 2 == 1, part) for at, part in enumerate(parts)] if len(parts) % 2 else [(False, text)]


@cache
def _file(name: str) -> str:
    return resources.files("sitemap_guard.reports").joinpath("page", name).read_text("utf-8").strip()


@cache
def _script() -> str:
    """The page's script, from its parts."""
    parts = "\n".join(_file(f"{name}.js") for name in ("base", "table", "details", "export", "scatter", "start"))
    return f'"use strict";\n(() => {{\n{parts}\n}})();'


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["pieces"] = _pieces
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
