"""The report for GitHub's job summary: Markdown, below the limit over which GitHub drops it whole (1 MiB a step).

Site content never stands in the text as it is. A value stands in a code span, where nothing is a link, an image, a
mention, a reference or HTML; in a sentence, every word that is not plainly a word or a number stands in one.
"""

from __future__ import annotations

import re
from collections import Counter

from sitemap_guard.model import Finding, Result
from sitemap_guard.reports import words
from sitemap_guard.reports.groups import Group, grouped
from sitemap_guard.reports.safe import clean
from sitemap_guard.reports.style import Style

LIMIT = 1_000_000  # bytes; the rest of the 1,048,576 is left to what else the step writes
RESERVE = 4_000  # bytes for what tells that something is not shown
SKIPPED = 50
FEW = 10  # a table with more rows is folded
SIGNS = {"error": "❌", "warning": "⚠️", "info": "ℹ️", "off": ""}
MOODS = {"bad": "❌", "unsure": "⚠️", "good": "✅"}

_PLAIN = re.compile(
    r"""[("'“]*                          # opened here
        (?: [^\W\d_]+ (?:['’-][^\W_]+)*  # a word, or several with hyphens
          | [+-]?\d[\dA-Za-z]* (?:[-:.,]\d[\dA-Za-z]*)* )  # a number, a day, a time, a zone, a commit
        [)"'”.,;:?%]*
      | [("'“]+ | [)"'”.,;?]+ | : | [—–×…=]""",
    re.VERBOSE,
)
# What GitHub or Markdown would still make something of: a reference, the number of a list.
_SPECIAL = re.compile(r"(?i).*gh-\d.*|\d+[.)]")


def render(result: Result, style: Style) -> str:  # noqa: ARG001 - every format has this signature
    """The report as Markdown of at most `LIMIT` bytes; what does not fit is counted and named."""
    head = _head(result)
    room = LIMIT - RESERVE - _size(head)
    parts, left = [head], Counter[str]()
    for group in grouped(result.findings):
        # Half of the room for one group: the next ones shall be seen too.
        part = _section(group, room // 2)
        if _size(part) > room // 2:
            left[group.first.rule] += len(group.findings)
            continue
        room -= _size(part)
        parts.append(part)
    if left:
        named = ", ".join(f"{code(rule, 80)} {count:,}" for rule, count in left.most_common(20))
        others = f" and {len(left) - 20:,} more rules" if len(left) > 20 else ""
        parts.append(f"{words.number(left.total(), 'more finding')} not shown: {named}{others}\n")
    return "\n".join(parts)


def _head(result: Result) -> str:
    summary, site = result.summary, result.site
    count = f"{words.number(summary.urls, 'URL')} in {words.number(summary.sitemaps, 'sitemap')}"
    address = code(site.base_url) or "a site without address"
    counts = (summary.true, summary.false, summary.cannot_tell, summary.absent, summary.urls)
    lines = [
        f"## {MOODS[words.mood(result)]} sitemap-guard: {words.verdict(result)}",
        "",
        f"{count} of {address}, built in {code(site.shown or '.')}",
        "",
        "| dates | true | false | cannot tell | absent | all |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        f"| | {' | '.join(f'{one:,}' for one in counts)} |",
        "",
    ]
    reasons = ", ".join(f"{code(reason, 80)} {count:,}" for reason, count in words.untold(result)[:20])
    if reasons:
        lines += [f"Cannot tell: {reasons}", ""]
    if summary.fit:
        lines += [f"Fit: {prose(summary.fit)}", ""]
    lines += [f"Findings: {words.findings(result)}", ""]
    for skipped in result.skipped[:SKIPPED]:
        lines.append(f"- {words.omission(skipped)}: {prose(skipped.what, 200)}, because {prose(skipped.why, 500)}")
    if len(result.skipped) > SKIPPED:
        lines.append(f"- not checked: {len(result.skipped) - SKIPPED:,} more")
    lines += [f"- note: {prose(note, 500)}" for note in result.notes]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------------ sections


def _section(group: Group, room: int) -> str:
    first, count = group.first, len(group.findings)
    level = f"{SIGNS[group.level.word]} {group.level.word}"
    if count == 1:
        loc = f" {code(first.loc)}" if first.loc else ""
        lines = [f"#### {level}: {code(first.rule)}{loc}", ""]
    else:
        lines = [f"#### {level}: {count:,} × {code(first.rule)}", ""]
    headline = prose(group.headline)
    if headline:
        lines += [f"**{headline}**", ""]
    cure = [f"Cure: {prose(group.cure)}", ""] if group.cure else []
    if count == 1:
        return "\n".join([*lines, *_place(first), *_example(first), *cure])
    text = "\n".join([*lines, *cure, *(_example(first) if group.headline else []), ""])
    return text + _table(group.findings, room - _size(text))


def _place(finding: Finding) -> list[str]:
    place = code(words.place(finding.path, finding.line, finding.column))
    line = ": ".join(part for part in (place, prose(finding.message)) if part)
    return [line, ""] if line else []


def _example(finding: Finding) -> list[str]:
    lines = []
    changes = [f"{sign}   {clean(text)}" for sign, text in words.diff(finding)]
    if changes:
        fence = "`" * max(3, 1 + _longest_run("\n".join(changes)))
        lines += [f"{fence}diff", *changes, fence, ""]
    return lines


def _table(findings: tuple[Finding, ...], room: int) -> str:
    """All findings of a group as rows, as many as the room (in bytes) holds, folded when they are many."""
    opening, closing = [], []
    if len(findings) > FEW:
        opening, closing = [f"<details><summary>all {len(findings):,}</summary>", ""], ["", "</details>"]
    rows = [*opening, "| place | address | finding | claimed | expected |", "| --- | --- | --- | --- | --- |"]
    room -= _size("\n".join(rows)) + 200
    shown = 0
    for finding in findings:
        row = _row(finding)
        room -= _size(row) + 1
        if room < 0:
            break
        rows.append(row)
        shown += 1
    rows += closing
    if shown < len(findings):
        rows += ["", f"… and {len(findings) - shown:,} more, not shown here"]
    return "\n".join(rows) + "\n"


def _row(finding: Finding) -> str:
    claimed, expected = words.change(finding)
    cells = (
        code(words.place(finding.path, finding.line)),
        code(finding.loc),
        prose(finding.message, 500),
        code(claimed, 200),
        code(expected, 200),
    )
    return f"| {' | '.join(cells)} |"


# ------------------------------------------------------------------------------------------------------ escaping


def code(text: str, limit: int = 2048) -> str:
    r"""The text in a code span, "" for none. A `|` would end a table's cell even there: it is shown as `\x7c`."""
    return _span(clean(text, limit))


def _span(text: str) -> str:
    shown = text.replace("|", r"\x7c")
    if not shown.strip():
        return f"`{shown}`" if shown else ""
    fence = "`" * (1 + _longest_run(shown)) if "`" in shown else "`"
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str, limit: int = 2048) -> str:
    """The sentence, on one line, with everything but plain words and numbers in code spans.

    What the sentence has in backticks becomes one code span. Site content may do the same: it gains nothing.
    """
    shown = ""
    for at, piece in enumerate(re.split("`([^`]*)`", clean(text, limit))):
        made = _span(piece) if at % 2 else _sentence(piece)
        # Two code spans that touch would be read as one with other ends.
        shown += f" {made}" if shown.endswith("`") and made.startswith("`") else made
    return shown.strip()


def _sentence(text: str) -> str:
    pieces: list[str] = []
    held: list[str] = []  # neighbours share a code span
    for word in text.split():
        plain = _PLAIN.fullmatch(word) and not _SPECIAL.fullmatch(word)
        if held and (plain or held[-1][-1] in ",;"):
            pieces.append(_held(held))
            held = []
        (pieces if plain else held).append(word)
    if held:
        pieces.append(_held(held))
    before, after = " " * text[:1].isspace(), " " * text[-1:].isspace()
    return before + " ".join(pieces) + after


def _held(words_held: list[str]) -> str:
    """One code span; the stop after it stays outside."""
    text = " ".join(words_held)
    inner = text.rstrip(".,;:") or text
    return _span(inner) + text[len(inner) :]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _size(text: str) -> int:
    return len(text.encode())
