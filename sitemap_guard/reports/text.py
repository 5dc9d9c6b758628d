"""The report for a terminal or a build's log.

What was checked comes first, then the findings, most severe first, then the verdict. A large group is shown by
three examples. Lines are made of parts that have a role, so that colour is a matter of printing only.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from sitemap_guard.model import Answer, Entry, Finding, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.groups import Group, grouped
from sitemap_guard.reports.safe import clean, neutralise
from sitemap_guard.reports.style import Style

Line = tuple[tuple[str, str], ...]  # parts: (role, text)

EXAMPLES = 3
LABEL = 10  # the columns of the summary's labels
ROLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "off": "dim",
    "place": "cyan",
    "rule": "magenta",
    "-": "red",
    "+": "green",
    "note": "dim",
    "head": "bold",
    "bad": "bold red",
    "unsure": "bold yellow",
    "good": "bold green",
}


def render(result: Result, style: Style) -> str:
    """The report as text; without `style.color` it holds no escape at all."""
    groups = grouped(result.findings)
    lines = _quiet(groups) if style.verbosity < 0 else _full(result, groups, style)
    return _printed([*lines, _part(words.mood(result), words.verdict(result))], color=style.color)


def _quiet(groups: list[Group]) -> Iterator[Line]:
    for group in groups:
        if group.level.word != "error":
            break
        first = group.first
        if len(group.findings) == 1:
            yield _heading(first, with_rule=True)
        else:
            yield *_title(group), ("", "  " + clean(group.headline or f"{first.message} (the first)"))


def _full(result: Result, groups: list[Group], style: Style) -> Iterator[Line]:
    yield from _summary(result, style)
    yield ()
    for group in groups:
        yield from _group(group, style)
    if style.verbosity > 0:
        yield from _entries(result, style)


# --------------------------------------------------------------------------------------------------- the summary


def _summary(result: Result, style: Style) -> Iterator[Line]:
    summary, site = result.summary, result.site
    count = f"{words.number(summary.urls, 'URL')} in {words.number(summary.sitemaps, 'sitemap')}"
    address = clean(site.base_url) or "a site without address"
    yield ("head", count), ("", f" of {address} (site: {clean(site.shown) or '.'})")
    yield from _row("dates", words.dates(result), style)
    reasons = ", ".join(f"{clean(code)} {count:,}" for code, count in words.untold(result))
    if reasons:
        yield from _row("", f"cannot tell: {reasons}", style)
    if summary.fit:
        yield from _row("fit", clean(summary.fit), style)
    yield from _row("findings", words.findings(result), style)
    for skipped in result.skipped:
        text = f"{words.omission(skipped)}: {clean(skipped.what)}, because {clean(skipped.why)}"
        yield from _wrapped(text, "  ", style, "unsure", hang="    ")
    for note in result.notes:
        yield from _wrapped(f"note: {clean(note)}", "  ", style, "note", hang="    ")
    if style.verbosity > 0:
        yield from _row("address", f"taken from {clean(site.base_by)}", style)
        if site.repository.head is not None:
            yield from _row("HEAD", clean(words.commit(site.repository.head)), style)


def _row(label: str, text: str, style: Style) -> Iterator[Line]:
    first, *more = _filled(text, style.width, "  " + " " * LABEL)
    yield ("note", f"  {label:<{LABEL}}"), ("", first.lstrip())
    for line in more:
        yield (("", line),)


# -------------------------------------------------------------------------------------------------- the findings


def _group(group: Group, style: Style) -> Iterator[Line]:
    titled = len(group.findings) > 1 and bool(group.headline or group.cure or group.bulk)
    if titled:
        yield from _titled(group, style)
    indent = "  " if titled else ""
    shown = group.findings if style.everything or not group.bulk else group.findings[:EXAMPLES]
    for finding in shown:
        with_rule = not titled or (finding.rule, finding.level) != (group.first.rule, group.level)
        yield from _finding(finding, style, indent, with_rule=with_rule, said=group.headline)
        if group.cure and not titled:
            yield from _wrapped(f"cure: {clean(group.cure)}", "  ", style, "+", hang="        ")
        yield ()
    left = len(group.findings) - len(shown)
    if left:
        yield _part("note", f"{indent}… and {left:,} more (--all shows all)")
        yield ()


def _title(group: Group) -> Line:
    count = f"{len(group.findings):,} × " if len(group.findings) > 1 else ""
    return (group.level.word, group.level.word), ("rule", f"  {count}{clean(group.first.rule)}")


def _titled(group: Group, style: Style) -> Iterator[Line]:
    yield _title(group)
    if group.headline:
        yield from _wrapped(clean(group.headline), "  ", style, "head")
    if group.cure:
        yield from _wrapped(f"cure: {clean(group.cure)}", "  ", style, "+", hang="        ")
    yield ()


def _finding(finding: Finding, style: Style, indent: str, *, with_rule: bool, said: str) -> Iterator[Line]:
    heading = _heading(finding, with_rule=with_rule)
    yield (("", indent), *heading) if indent else heading
    if finding.message != said:
        yield from _wrapped(clean(finding.message), indent + "  ", style)
    for sign, text in words.diff(finding):
        yield _part(sign, f"{indent}{sign}   {clean(text)}")


def _heading(finding: Finding, *, with_rule: bool) -> Line:
    parts = []
    if finding.path:
        parts.append(("place", clean(words.place(finding.path, finding.line, finding.column))))
    if with_rule:
        parts += [(finding.level.word, finding.level.word), ("rule", clean(finding.rule))]
    if finding.loc:
        parts.append(("", clean(finding.loc)))
    if not parts:
        return _part("note", "the whole site")
    return (parts[0], *((role, "  " + text) for role, text in parts[1:]))


# --------------------------------------------------------------------------------------- what true dates stand on


def _entries(result: Result, style: Style) -> Iterator[Line]:
    shown = [one for one in result.site.entries if one.verdict.answer in (Answer.TRUE, Answer.CANNOT_TELL)]
    for entry in shown:
        yield from _entry(result, entry, style)
    if shown:
        yield ()


def _entry(result: Result, entry: Entry, style: Style) -> Iterator[Line]:
    claim, verdict = entry.claim, entry.verdict
    true = verdict.answer is Answer.TRUE
    where = words.place(result.site.place(claim.sitemap), claim.lastmod_line or claim.line)
    yield (
        ("place", clean(where)),
        ("good" if true else "unsure", "  true" if true else "  cannot tell"),
        ("", f"  {clean(claim.loc)}  {clean(claim.lastmod or '')}"),
    )
    because = verdict.text or (words.witness(verdict.witness) if verdict.witness else verdict.reason)
    if because:
        yield from _wrapped(clean(because), "  ", style, "note")


# ------------------------------------------------------------------------------------------------------ printing


def _part(role: str, text: str) -> Line:
    return ((role, text),)


def _wrapped(text: str, indent: str, style: Style, role: str = "", *, hang: str = "") -> Iterator[Line]:
    for line in _filled(text, style.width, indent, hang or indent):
        yield _part(role, line)


def _filled(text: str, width: int, indent: str, hang: str | None = None) -> list[str]:
    """The text in lines of that width; an address or path that is longer is never broken, so it can be copied."""
    if len(text) + len(indent) <= width:
        return [indent + text]
    return textwrap.wrap(
        text,
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [indent]


def _printed(lines: list[Line], *, color: bool) -> str:
    if not color:
        return "".join(neutralise("".join(text for _, text in line)) + "\n" for line in lines)
    from rich.color import ColorSystem
    from rich.style import Style as Paint

    paints = {role: Paint.parse(look) for role, look in ROLES.items()}

    def painted(role: str, text: str) -> str:
        # Wrapping may have put a `::` at the start of a line that was harmless before.
        paint = paints.get(role)
        text = neutralise(text)
        return paint.render(text, color_system=ColorSystem.STANDARD) if paint else text

    return "".join("".join(painted(role, text) for role, text in line) + "\n" for line in lines)
