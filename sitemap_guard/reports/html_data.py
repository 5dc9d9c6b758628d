"""The entries of the HTML report as columns of JSON: small, quick to read, and inert inside HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.judgement.judge import moment_of
from sitemap_guard.model import Answer, Claim, Commit, Entry, Finding, Moment, Result, Verdict
from sitemap_guard.reports import words
from sitemap_guard.reports.safe import clean

FINDINGS = 100_000  # embedded one by one; more than that no reader goes through
LETTERS = {Answer.TRUE: "t", Answer.FALSE: "f", Answer.CANNOT_TELL: "c", Answer.ABSENT: "a"}
# Inside a script element only `</script` and `<!--` mean something; `&` and U+2028 are taken along for old readers.
_ESCAPES = (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))


_ENCODED = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")


class Row(Struct, frozen=True):
    """One entry for the charts: the address below the base, the verdict's letter, and its two moments in seconds.

    `apart`: the claim is true, but by something else than the last change, which is another moment.
    """

    below: str
    letter: str
    claimed: int | None
    true: int | None
    apart: bool = False


class Rows:
    """The entries of a result, in their order, with what the charts need."""

    def __init__(self, result: Result) -> None:
        self.base = result.site.base_url
        self.now = result.site.now
        self.rows = [self._row(entry) for entry in result.site.entries]

    def _row(self, entry: Entry) -> Row:
        claim = entry.claim
        moment = moment_of(claim)
        claimed = None if moment is None else _middle(moment)
        true = self._true(entry, claim, claimed)
        apart = claimed is not None and _is_apart(entry.verdict) and true not in (None, claimed)
        return Row(self.below(claim.loc), LETTERS[entry.verdict.answer], claimed, true, apart)

    def below(self, loc: str) -> str:
        """The address without the site's own part of it."""
        return loc[len(self.base) - 1 :] if self.base and loc.startswith(self.base) else loc

    def _true(self, entry: Entry, claim: Claim, claimed: int | None) -> int | None:
        """When the page changed, by the evidence; None when nothing is known."""
        verdict = entry.verdict
        witness = verdict.witness
        apart = _is_apart(verdict)
        if (verdict.answer is Answer.FALSE or apart) and verdict.expected and not claim.feed:
            moment = dates.parse(verdict.expected)
            if moment is not None:
                return _middle(moment)
        if witness is None:
            return None
        if apart and witness.stale is not None:
            return witness.stale.newest.commit.authored.seconds
        if witness.field is not None:
            return _middle(witness.field.moment)
        if witness.change is not None and witness.change.edge:
            return None
        if witness.change is not None:
            return _time(witness.change.commit, claimed if verdict.answer is Answer.TRUE else None)
        return self.now


def _is_apart(verdict: Verdict) -> bool:
    """Whether a true claim stands on a merge, a twin or a stale field, so that the last change is another one."""
    return verdict.answer is Answer.TRUE and verdict.rule != ""


def _middle(moment: Moment) -> int:
    first, last = dates.spans(moment, (0,))[0]
    return (first + last) // 2


def _time(commit: Commit, near: int | None) -> int:
    """The commit's time: of several the one that a true claim names."""
    if near is None:
        return commit.authored.seconds
    times = (commit.authored.seconds, commit.committed.seconds, commit.landed.seconds)
    return min(times, key=lambda seconds: abs(seconds - near))


class _Table:
    """Texts that repeat, each kept once."""

    def __init__(self) -> None:
        self.texts: list[Any] = []
        self._known: dict[Any, int] = {}

    def add(self, text: Any) -> int:
        if text not in self._known:
            self._known[text] = len(self.texts)
            self.texts.append(text)
        return self._known[text]


def columns(
    result: Result, rows: Rows, span: tuple[int, int], folders: Sequence[int], groups: Sequence[Sequence[Finding]]
) -> str:
    """Everything that the page's script needs, as JSON that can stand in a script element.

    `folders` has each entry's folder by number, `groups` the findings as they are shown.
    """
    site = result.site
    texts, commits, sitemaps = _Table(), _Table(), _Table()
    made: dict[str, Any] = {
        "base": clean(rows.base),
        "span": span,
        "clock": _clock(result, rows),
        "loc": [],
        "read": {},
        "folder": folders,
        "verdict": "".join(row.letter for row in rows.rows),
        "said": [],
        "claimed": [row.claimed for row in rows.rows],
        "true": [row.true for row in rows.rows],
        "apart": [index for index, row in enumerate(rows.rows) if row.apart],
        "expected": [],
        "source": [],
        "witness": [],
        "why": [],
        "sitemap": [],
        "line": [],
        "link": [],
    }
    for entry, row in zip(site.entries, rows.rows, strict=True):
        claim, verdict = entry.claim, entry.verdict
        change = verdict.witness.change if verdict.witness else None
        below = clean(row.below)
        made["loc"].append(below)
        if (readable := read_iri(row.below)) is not None:
            made["read"][str(len(made["loc"]) - 1)] = clean(readable)
        # What a browser would go to; given only where it is not just base and address.
        made["link"].append("" if entry.url == rows.base + below[1:] else _web(entry.url))
        made["said"].append(None if claim.lastmod is None else clean(claim.lastmod, 100))
        made["expected"].append(None if verdict.expected is None else clean(verdict.expected, 100))
        made["source"].append(clean(entry.mapping.content))
        made["witness"].append(commits.add(_commit(change.commit)) if change and not change.edge else -1)
        made["why"].append(texts.add(_why(entry)))
        made["sitemap"].append(sitemaps.add(clean(site.place(claim.sitemap))))
        made["line"].append(claim.lastmod_line or claim.line)
    made |= _findings(result, groups, texts)
    made |= {"texts": texts.texts, "commits": commits.texts, "sitemaps": sitemaps.texts}
    return inert_json(made)


def _clock(result: Result, rows: Rows) -> int | None:
    """The moment of the horizontal line that a build's clock makes."""
    found = sorted(
        row.claimed
        for entry, row in zip(result.site.entries, rows.rows, strict=True)
        if entry.verdict.cause == "build-clock" and row.claimed is not None
    )
    return found[len(found) // 2] if found else None


def _why(entry: Entry) -> str:
    verdict = entry.verdict
    if verdict.answer is Answer.TRUE and verdict.witness is not None and verdict.witness.change is None:
        return clean(words.witness(verdict.witness), 500)
    return clean(verdict.text or verdict.reason, 500)


def _commit(commit: Commit) -> tuple[str, str, str]:
    return clean(commit.id[:7]), commit.authored.human(), clean(commit.subject, 200)


def read_iri(path: str) -> str | None:
    """The path with its percent-encoded letters decoded; None where that shows nothing more or is not UTF-8."""
    if "%" not in path:
        return None
    try:
        # What is ASCII stays encoded: a decoded slash or question mark would be another address.
        decoded = _ENCODED.sub(lambda run: bytes.fromhex(run.group().replace("%", "")).decode(), path)
    except UnicodeDecodeError:
        return None
    return None if decoded == path else decoded


def _web(url: str) -> str:
    return clean(url) if url.startswith(("https://", "http://")) else ""


def _findings(result: Result, groups: Sequence[Sequence[Finding]], texts: _Table) -> dict[str, Any]:
    """The findings of entries: each with its entry's index, rule, level, group and what it says.

    The cure is kept once, since it is the same for a whole group.
    """
    by_loc: dict[str, list[int]] = {}
    for index, entry in enumerate(result.site.entries):
        by_loc.setdefault(entry.claim.loc, []).append(index)
    rules = _Table()
    found: list[Any] = []
    for number, group in enumerate(groups):
        for finding in group:
            if len(found) == FINDINGS:
                break
            entry_index = _index(finding, by_loc, result)
            if entry_index >= 0:
                rule = rules.add(clean(finding.rule, 200))
                cure = texts.add(clean(finding.cure, 300))
                found.append((entry_index, rule, finding.level.word, number, clean(finding.message, 500), cure))
    return {"rules": rules.texts, "findings": found}


def _index(finding: Finding, by_loc: dict[str, list[int]], result: Result) -> int:
    same = by_loc.get(finding.loc, []) if finding.loc else []
    for index in same:
        claim = result.site.entries[index].claim
        if finding.line in (claim.line, claim.lastmod_line) and result.site.place(claim.sitemap) == finding.path:
            return index
    return same[0] if same else -1


def inert_json(value: Any) -> str:
    """The value as JSON without a character that means something to an HTML parser."""
    text = msgspec.json.encode(value).decode()
    for character, escape in _ESCAPES:
        text = text.replace(character, escape)
    return text
