"""Where reports for code review put a finding: on a file that git tracks, and known again in the next run.

Services show a finding beside the code only when its file is part of the repository. A built sitemap mostly is not:
its findings then stand on the source of the page that they speak of.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard.model import Entry, Finding, Result, Site
from sitemap_guard.reports.github import relative
from sitemap_guard.reports.safe import clean

_NUMBER = re.compile(r"\d[\d,.]*")


class Place(Struct, frozen=True):
    """A place for a report: the path from the repository's root, line and column from 1 (0: not known)."""

    path: str
    line: int = 0
    column: int = 0


class Places:
    """Finds the entries and the places of a result's findings."""

    def __init__(self, result: Result) -> None:
        self._site = result.site
        self._entries: dict[str, list[Entry]] = {}
        if result.findings:
            for entry in result.site.entries:
                self._entries.setdefault(entry.claim.loc, []).append(entry)

    def entry(self, finding: Finding) -> Entry | None:
        """The entry that a finding speaks of; None when it speaks of none."""
        same = self._entries.get(finding.loc, []) if finding.loc else []
        for entry in same:
            claim = entry.claim
            if finding.line in (claim.line, claim.lastmod_line) and self._site.place(claim.sitemap) == finding.path:
                return entry
        return same[0] if same else None

    def own(self, finding: Finding) -> Place:
        """The finding's own place; a finding of the whole site stands on its first sitemap."""
        path = inside(self._site, finding.path)
        if path:
            return Place(path, finding.line, finding.column)
        return Place(inside(self._site, _first(self._site)) or "sitemap.xml")

    def tracked(self, finding: Finding) -> Place:
        """Its own place when git tracks that, else the source of its page, else its own place all the same."""
        own = self.own(finding)
        tracked = self._site.repository.tracked
        if own.path in tracked:
            return own
        entry = self.entry(finding)
        source = entry.mapping.content if entry is not None else ""
        return Place(source, 1) if source in tracked else own


def _first(site: Site) -> str:
    return site.place(site.sitemaps[0].path) if site.sitemaps else site.place("sitemap.xml")


def rule_name(finding: Finding) -> str:
    """The rule's id as services take it: never blank."""
    return clean(finding.rule, 255).strip() or "unknown"


def inside(site: Site, path: str) -> str:
    """The path as services need it: from the repository's root. What lies outside loses its way there."""
    found = relative(path, site.repository.root)
    return found or "/".join(
        part for part in re.split(r"[/\\]", path) if part not in ("", ".", "..") and ":" not in part
    )


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """A name for each finding that stays the same while lines, dates and messages move.

    It is made of the rule and the address; without an address, of the place and the message less its numbers.
    Findings that would share a name are numbered in their order.
    """
    seen: Counter[str] = Counter()
    names = []
    for finding in findings:
        parts = (finding.rule, finding.loc, finding.element) if finding.loc else _apart(finding)
        name = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def _apart(finding: Finding) -> tuple[str, ...]:
    return finding.rule, finding.path, _NUMBER.sub("#", finding.message)


def shortened(findings: Sequence[Finding], limit: int) -> tuple[tuple[Finding, ...], int]:
    """At most `limit` findings, and how many are left out.

    The largest groups are cut first and to the same length, so that no group pushes another one out. A cut group
    ends with a finding that tells how many more there are; so does the whole, where there are more groups than places.
    """
    if len(findings) <= limit:
        return tuple(findings), 0
    groups: dict[str | int, list[Finding]] = {}
    for index, finding in enumerate(findings):
        groups.setdefault(finding.group or index, []).append(finding)
    shown = list(groups.values())
    others: list[Finding] = []
    if len(shown) > limit:
        others = [finding for group in shown[limit - 1 :] for finding in group]
        shown = shown[: limit - 1]
    share = _share([len(group) for group in shown], limit - bool(others))
    kept: list[Finding] = []
    left = 0
    for group in shown:
        if len(group) <= share:
            kept += group
            continue
        kept += group[: share - 1]
        left += len(group) - share + 1
        kept.append(_rest(group, len(group) - share + 1))
    if others:
        kept.append(_rest(others, len(others), "of other kinds"))
    return tuple(kept), left + len(others)


def _share(sizes: Sequence[int], limit: int) -> int:
    """How many findings each group may keep."""
    room, share = limit, 1
    waiting = sorted(sizes)
    for index, size in enumerate(waiting):
        share = max(1, room // (len(waiting) - index))
        if size > share:
            break
        room -= size
    return share


def _rest(group: Sequence[Finding], count: int, kind: str = "of this kind") -> Finding:
    first = group[0]
    about = first.headline or first.message
    return replace(
        first,
        message=f"{count:,} more findings {kind} are not listed here: {about}",
        loc="",
        line=0,
        column=0,
        element="",
        claimed=None,
        expected=None,
    )
