"""The words that the reports share: counts, places, diffs, the verdict on the whole. Nothing here is escaped."""

from __future__ import annotations

from collections import Counter

from sitemap_guard.model import Answer, Commit, Finding, Result, Skipped, Witness


def number(count: int, noun: str) -> str:
    """`1 date`, `2,150 dates`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def verdict(result: Result) -> str:
    """The run in one line. What could not be told or was not checked is part of it, never left out."""
    summary = result.summary
    dated, judged = summary.urls - summary.absent, summary.true + summary.false
    if summary.urls == 0 and result.narrowed:
        parts = ["no page to check: no source of a listed page changed"]
    elif summary.urls == 0:
        parts = ["nothing was checked: no URL in any sitemap"]
    elif dated == 0:
        parts = [f"no date to check: {_all(summary.urls, 'entry has', 'entries have')} no lastmod"]
    elif judged == 0:
        parts = [f"0 of {number(dated, 'date')} could be checked"]
    else:
        if summary.false:
            parts = [
                f"{number(summary.false, 'date')} {'is' if summary.false == 1 else 'are'} false{_unreported(result)}"
            ]
        elif summary.cannot_tell:
            parts = ["no date is false"]
        else:
            parts = [f"{_all(dated, 'date is', 'dates are')} true"]
        if summary.cannot_tell:
            parts.append(f"{summary.cannot_tell:,} cannot be told")
    found = findings(result, zeros=False)
    if found:
        parts.append(found)
    parts += [f"{one.what} {one.left}" for one in result.skipped if one.left]
    unmade = sum(1 for one in result.skipped if not one.left)
    if unmade:
        parts.append(f"{number(unmade, 'kind')} of check not made")
    return "; ".join(parts)


def hidden(result: Result) -> int:
    """How many dates are false although no finding says so: the findings or their rules are left out."""
    told = {(finding.loc, finding.rule) for finding in result.findings}
    false = (entry for entry in result.site.entries if entry.verdict.answer is Answer.FALSE)
    count = sum(1 for entry in false if (entry.claim.loc, entry.verdict.rule) not in told)
    return min(count, result.summary.false)


def _unreported(result: Result) -> str:
    count = hidden(result)
    if not count:
        return ""
    which = "" if count == result.summary.false else f"{count:,} "
    known = any(one.left in ("known", "accepted") for one in result.skipped)
    return f" ({which}not reported{'' if known else ': their rules are off or left out'})"


def omission(of: Skipped) -> str:
    """What was not done with it: `not reported`, or `not checked`."""
    return "not reported" if of.left in ("known", "accepted") else "not checked"


def _all(count: int, one: str, many: str) -> str:
    return f"the only {one}" if count == 1 else f"all {count:,} {many}"


def mood(result: Result) -> str:
    """`bad` when something is wrong, `good` when everything was checked and is right, else `unsure`."""
    summary = result.summary
    if summary.errors or summary.false > hidden(result):
        return "bad"
    sure = summary.true and not (summary.false or summary.cannot_tell or summary.warnings or result.skipped)
    return "good" if sure else "unsure"


def findings(result: Result, *, zeros: bool = True) -> str:
    """`3 errors, 0 warnings, 1 info`; without `zeros` only what there is."""
    summary = result.summary
    counts = ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
    return ", ".join(number(count, noun) for count, noun in counts if count or zeros)


def dates(result: Result) -> str:
    """The four counts and their sum, which is the number of URLs."""
    summary = result.summary
    return (
        f"{summary.true:,} true + {summary.false:,} false + {summary.cannot_tell:,} cannot tell"
        f" + {summary.absent:,} absent = {number(summary.urls, 'URL')}"
    )


def untold(result: Result) -> list[tuple[str, int]]:
    """Why dates cannot be told, by code, most frequent first."""
    told = (entry.verdict for entry in result.site.entries if entry.verdict.answer is Answer.CANNOT_TELL)
    return sorted(Counter(one.reason for one in told if one.reason).items(), key=lambda item: (-item[1], item[0]))


def place(path: str, line: int = 0, column: int = 0) -> str:
    """`path:line:column`, as far as known."""
    return path + (f":{line}" if line else "") + (f":{column}" if line and column else "")


def diff(finding: Finding) -> list[tuple[str, str]]:
    """The change that would make the claim true, as lines (`-` or `+`, text); empty when none is proposed.

    A claim that nothing can make true loses its element.
    """
    lines = []
    if finding.claimed is not None and (finding.element or finding.expected is not None):
        lines.append(("-", _element(finding.element, finding.claimed)))
    if finding.expected is not None:
        texts = [finding.expected] if finding.element else finding.expected.split("\n")
        lines += [("+", _element(finding.element, text)) for text in texts]
    return lines


def change(finding: Finding) -> tuple[str, str]:
    """The claimed and the expected value for a table or a list; "" for what there is none of."""
    gone = "(no element)" if finding.claimed is not None and finding.element else ""
    return finding.claimed or "", gone if finding.expected is None else finding.expected.replace("\n", " ")


def _element(name: str, text: str) -> str:
    if not name:
        return text
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<{name}>{escaped}</{name}>"


def commit(of: Commit) -> str:
    """`2026-10-15 14:25 +02:00 (3f2a91c "Explain the cache")`."""
    subject = f' "{of.subject}"' if of.subject else ""
    return f"{of.authored.human()} ({of.id[:7]}{subject})"


_VERBS = {
    "twin": "changed on a side branch",
    "merge": "was touched by a merge",
}


def witness(of: Witness) -> str:
    """What a date stands on, as a clause."""
    if of.field is not None:
        return f"{of.field.name}: {of.field.value} in {place(of.path, of.field.line)}"
    if of.kind in ("staged", "edited"):
        return f"{of.path} has an edit that is {'staged' if of.kind == 'staged' else 'not committed'}"
    if of.kind == "child" and of.change is None:
        return f"it lists {of.path}" if of.listed else f"{of.path} is below it"
    verb = _VERBS.get(of.kind, "changed")
    if of.kind == "child":
        verb = f"({'which it lists' if of.listed else 'below it'}) changed"
    if of.change is not None and of.change.edge:
        return f"{of.path} {verb} at or before {commit(of.change.commit)}, the edge of this shallow clone"
    return f"{of.path} {verb} {commit(of.change.commit)}" if of.change else f"{of.path} {verb}"
