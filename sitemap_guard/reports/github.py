"""Annotations of GitHub Actions: workflow commands printed to the log, and a line that sums up.

GitHub shows ten errors, ten warnings and ten notices of a step and drops the rest without a word, so that a group
makes one annotation, the most severe come first, and a tenth one tells what is left
(actions/toolkit docs/problem-matchers.md; escapes: packages/core/src/command.ts).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap_guard.model import Finding, Level, Result, Site
from sitemap_guard.reports import words
from sitemap_guard.reports.groups import Group, grouped
from sitemap_guard.reports.safe import clean, clip
from sitemap_guard.reports.style import Style

SHOWN = 9
MESSAGE = 4000  # characters; the Checks API takes 64 KB
TITLE = 255
EXAMPLES = 5
COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The workflow commands, one a line, and a plain last line."""
    groups = grouped(result.findings)
    lines: list[str] = []
    for level, command in COMMANDS.items():
        lines += _level(command, [group for group in groups if group.level == level], result.site)
    summary = result.summary
    count = f"{words.number(summary.urls, 'URL')} in {words.number(summary.sitemaps, 'sitemap')}"
    lines += [f"sitemap-guard: note: {clean(note)}" for note in result.notes]
    lines.append(f"sitemap-guard: {count}: {words.verdict(result)}")
    return "".join(line + "\n" for line in lines)


def _level(command: str, groups: list[Group], site: Site) -> Iterator[str]:
    for group in groups[:SHOWN]:
        yield _annotation(command, group, site)
    left = sum(len(group.findings) for group in groups[SHOWN:])
    if left:
        title = _property(f"{left:,} more")
        yield f"::{command} title={title}::{_data(f'{left:,} more of this level in the job summary')}"


def _annotation(command: str, group: Group, site: Site) -> str:
    first, count = group.first, len(group.findings)
    file = relative(first.path, site.repository.root)
    title = (clean(first.rule, TITLE).strip() or "unknown") + (f" ({count:,} findings)" if count > 1 else "")
    properties = {
        "file": clean(file),
        "line": str(first.line) if file and first.line else "",
        "col": str(first.column) if file and first.line and first.column else "",
        "title": clip(title, TITLE),
    }
    written = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    body = _many(group) if count > 1 else _one(first, group.cure, named=bool(file))
    return f"::{command} {written}::{_data(clip(chr(10).join(body), MESSAGE))}"


def _one(finding: Finding, cure: str, *, named: bool) -> list[str]:
    place = "" if named or not finding.path else clean(words.place(finding.path, finding.line)) + ": "
    lines = [place + (f"{clean(finding.loc)}: " if finding.loc else "") + clean(finding.message)]
    lines += [f"{sign} {clean(text)}" for sign, text in words.diff(finding)]
    return [*lines, f"cure: {clean(cure)}"] if cure else lines


def _many(group: Group) -> list[str]:
    # The cure comes before the examples: it must survive when long addresses fill the message.
    count = words.number(len(group.findings), "finding")
    lines = [clean(group.headline, 1000)] if group.headline else []
    if group.cure:
        lines.append(f"cure: {clean(group.cure, 1000)}")
    lines.append(f"{count}:")
    for finding in group.findings[:EXAMPLES]:
        change = " → ".join(clean(text, 200) for text in words.change(finding) if text)
        message = "" if group.headline else clean(finding.message, 200)
        parts = (clean(words.place(finding.path, finding.line), 200), clean(finding.loc, 200), change, message)
        lines.append("- " + " ".join(part for part in parts if part))
    left = len(group.findings) - EXAMPLES
    return [*lines, f"… and {left:,} more in the job summary"] if left > 0 else lines


def relative(path: str, root: str) -> str:
    """The path as annotations need it: from the repository's root, no `./`; "" when it is not inside."""
    if root and path.startswith(root.rstrip("/") + "/"):
        path = path[len(root.rstrip("/")) :].lstrip("/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    outside = path.startswith("/") or ".." in path.split("/") or re.match(r"[A-Za-z]:/", path)
    return "" if outside else path


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
