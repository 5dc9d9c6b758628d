"""Adopting the guard on a site that has findings: only what is new, only what changed, no worse than what is out.

Takes whole results and hands back smaller ones; what it leaves out it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard import baseline, urls
from sitemap_guard.changed import touched
from sitemap_guard.config.values import share_of
from sitemap_guard.model import Entry, Finding, Level, Published, Result, Skipped, Summary, UserError

if TYPE_CHECKING:
    from sitemap_guard.history.since import Since

Summed = Callable[[Sequence[Entry], Sequence[Finding]], Summary]


def percentage(text: str) -> float:
    """A share such as `90%` or `90`, from 0 to 100.

    Raises:
        UserError: the text is none.
    """
    share = share_of(text)
    if share is None:
        raise UserError(f"{text!r} is no share of the dates; write one from 0% to 100%, such as 90%")
    return share


def published(named: str, start: Path, folder: Path, base_url: str, entries: Sequence[Entry]) -> Published | None:
    """The older sitemap (None when none is named), with the built file behind each address that was dropped.

    Raises:
        UserError: as for `read_published`.
    """
    from sitemap_guard.pages.locate import Locator
    from sitemap_guard.sitemaps.published import read_published

    if not named:
        return None
    older = read_published(start / named, named)
    listed = {entry.url for entry in entries}
    files = {entry.located.path for entry in entries if entry.located.path}
    locator = Locator(folder, base_url)
    gone = {url: locator.locate(urls.parse(url)) for url in older.claims if url not in listed}
    # A page that is listed under another form of its address (with a slash, without .html) is not dropped.
    return replace(older, dropped={url: located for url, located in gone.items() if located.path not in files})


def notes(older: Published | None) -> tuple[Skipped, ...]:
    """What could not be compared."""
    if older is None or not older.lacking:
        return ()
    first = ", ".join(older.lacking[:3])
    count = len(older.lacking)
    what = f"{count} part{'s' if count != 1 else ''} of {older.path}"
    return (Skipped(what, f"no such file is beside it ({first}{', …' if count > 3 else ''})"),)


def against_baseline(result: Result, path: Path, shown: str, levels: Mapping[str, Level], sums: Summed) -> Result:
    """The result with only the findings that the baseline does not know, and with those that are fixed.

    Raises:
        UserError: as for `baseline.read`.
    """
    compared = baseline.compare(result, baseline.read(path), dict(levels))
    level = levels.get("baseline-fixed", Level.INFO)
    fixed = () if level is Level.OFF else baseline.fixed_findings(compared.fixed, shown, level)
    findings = (*compared.new, *fixed)
    skipped = result.skipped
    if compared.known:
        count = f"{compared.known:,} finding{'s' if compared.known != 1 else ''}"
        skipped = (*skipped, Skipped(count, f"the baseline {shown} knows them"))
    return replace(result, findings=findings, skipped=skipped, summary=sums(result.site.entries, findings))


def narrowed(result: Result, since: Since, rev: str, sums: Summed) -> Result:
    """The result with only the entries whose sources changed since a revision, or are staged or edited.

    Everything was judged by all the evidence; findings that are no page's stay.
    """
    site = result.site
    changed = since.paths.keys() | site.repository.staged | site.repository.edited
    kept = tuple(entry for entry in site.entries if _concerned(entry, changed))
    left_out = {entry.claim.loc for entry in site.entries} - {entry.claim.loc for entry in kept}
    findings = tuple(finding for finding in result.findings if not finding.loc or finding.loc not in left_out)
    left = len(site.entries) - len(kept)
    unknown = sum(1 for entry in site.entries if not entry.mapping.content)
    skipped = result.skipped
    if left:
        why = f"their sources have not changed since {rev}"
        why += f" (of {unknown:,} no source is known)" if unknown else ""
        skipped = (*skipped, Skipped(f"{left:,} of {len(site.entries):,} entries", why))
    return replace(
        result,
        site=replace(site, entries=kept),
        findings=findings,
        skipped=skipped,
        summary=sums(kept, findings),
        narrowed=bool(site.entries),
    )


def _concerned(entry: Entry, changed: set[str]) -> bool:
    return any(touched(path, changed) for path in (entry.mapping.content, *entry.mapping.also) if path)
