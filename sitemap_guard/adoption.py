"""Adopting the guard on a site that has findings: only what is new, only what changed, no worse than what is out.

Takes whole results and hands back smaller ones; what it leaves out it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard import baseline, urls
from sitemap_guard.changed import touched
from sitemap_guard.config.values import share_of
from sitemap_guard.model import Claim, Entry, Finding, Level, Published, Result, Sitemap, Skipped, Summary, UserError

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader
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
        skipped = (*skipped, Skipped(count, f"the baseline {shown} knows them", "known"))
    return replace(result, findings=findings, skipped=skipped, summary=sums(result.site.entries, findings))


def concerned(
    entries: Sequence[Entry],
    sitemaps: Sequence[Sitemap],
    since: Since,
    history: HistoryReader,
    further: Callable[[str], Iterable[str]],
) -> frozenset[int]:
    """The indexes of the entries that a branch is about: their sources changed since a revision, or are staged or
    edited; or a tracked sitemap says something else of them. `further` gives what a source takes in."""
    repository = history.repository
    changed = since.paths.keys() | repository.staged | repository.edited
    before = _said_before(sitemaps, since, history)
    contents = {entry.mapping.content for entry in entries}
    # What no page is made from alone may still be taken in by pages.
    others = any(path not in contents for path in changed)
    taking_in: dict[str, bool] = {}

    def is_touched(entry: Entry) -> bool:
        content = entry.mapping.content
        if any(touched(path, changed) for path in (content, *entry.mapping.also) if path):
            return True
        if content and others and content not in taking_in:
            taking_in[content] = any(touched(path, changed) for path in further(content))
        return taking_in.get(content, False)

    return frozenset(
        index for index, entry in enumerate(entries) if _says_anew(entry.claim, before) or is_touched(entry)
    )


def _said_before(
    sitemaps: Sequence[Sitemap], since: Since, history: HistoryReader
) -> dict[str, set[tuple[str, str | None]]]:
    """What tracked sitemaps said at an older revision, by path; of those that changed since or are about to."""
    from sitemap_guard.sitemaps.older import claims_before

    repository = history.repository
    if repository.prefix is None:
        return {}
    prefix = f"{repository.prefix}/" if repository.prefix else ""
    blobs = {path: since.blobs[path] for path in since.paths}
    edited = (repository.staged | repository.edited) - blobs.keys()
    blobs |= {path: history.ids.get(path, "") for path in edited}
    claims = claims_before(sitemaps, lambda path: prefix + path, blobs, history.content)
    return {path: {(claim.loc, claim.lastmod) for claim in made} for path, made in claims.items()}


def _says_anew(claim: Claim, before: Mapping[str, set[tuple[str, str | None]]]) -> bool:
    return claim.sitemap in before and (claim.loc, claim.lastmod) not in before[claim.sitemap]


def narrowed(result: Result, kept_ones: frozenset[int], rev: str, sums: Summed) -> Result:
    """The result with only the entries of these indexes (see `concerned`).

    Everything was judged by all the evidence; findings that are no page's stay.
    """
    site = result.site
    kept = tuple(entry for index, entry in enumerate(site.entries) if index in kept_ones)
    left_out = {entry.claim.loc for entry in site.entries} - {entry.claim.loc for entry in kept}
    findings = tuple(finding for finding in result.findings if not finding.loc or finding.loc not in left_out)
    left = len(site.entries) - len(kept)
    unknown = sum(1 for entry in site.entries if not entry.mapping.content)
    skipped = result.skipped
    if left:
        why = f"their sources have not changed since {rev}"
        why += f" (of {unknown:,} no source is known)" if unknown else ""
        skipped = (*skipped, Skipped(f"{left:,} of {len(site.entries):,} entries", why, "left out"))
    return replace(
        result,
        site=replace(site, entries=kept),
        findings=findings,
        skipped=skipped,
        summary=replace(sums(kept, findings), fit=""),  # it is the whole site's
        narrowed=bool(site.entries),
    )
