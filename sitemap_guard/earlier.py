"""What a built site is compared with: a revision, a published sitemap, or the state of the last submission."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard import urls
from sitemap_guard.changed import Changes, History, since_dates, since_history
from sitemap_guard.model import Result, UserError
from sitemap_guard.sitemaps.older import claims_before
from sitemap_guard.whereabouts import repository_start

if TYPE_CHECKING:
    from sitemap_guard.history.since import Since


def changes(result: Result, since: str, start: Path, *, repo: str = "", rev: str = "HEAD") -> Changes:
    """What changed since `since`: a file (a sitemap, or a state file) at or below `start`, else a revision.

    `repo` and `rev` are those that the result was checked with.

    Raises:
        UserError: it is neither, or cannot be read.
    """
    from sitemap_guard.notify import state
    from sitemap_guard.sitemaps.published import read_published, refuse_address

    refuse_address(since)
    if not since:
        raise UserError("--since names nothing; give a revision, a sitemap's file or a state file")
    path = start / since
    if os.path.isfile(path) and state.is_state(path):
        return since_dates(result.site.entries, state.read(path), since)
    if os.path.exists(path):
        older = read_published(path, since)
        return since_dates(result.site.entries, {url: claim.lastmod for url, claim in older.claims.items()}, since)
    return _since_revision(result, since, start, repo, rev)


def _since_revision(result: Result, since: str, start: Path, repo: str, rev: str) -> Changes:
    from sitemap_guard.history.environment import isolated_git
    from sitemap_guard.history.reader import open_history
    from sitemap_guard.sources.front_matter import value_of

    folder = Path(result.site.folder)
    with isolated_git() as index_file:
        place = start / repo if repo else repository_start(folder, start)
        with open_history(place, folder, rev, index_file) as history:
            try:
                found = history.since(since)
            except UserError as error:
                raise UserError(f"{error}; there is no file of that name either") from None

            def field_before(path: str, name: str) -> str:
                old = history.content(found.blobs.get(path, ""))
                return value_of(path, old, name) if old is not None else ""

            known = History(found.paths, found.commits, field_before)
            changes = since_history(result.site.entries, known, f"{since} ({found.base[:7]})")
            removed = _removed(result, found, history.content)
            return replace(changes, removed=removed) if removed is not None else changes


def _removed(result: Result, found: Since, content: Callable[[str], bytes | None]) -> tuple[str, ...] | None:
    """The addresses that tracked sitemaps listed at the revision and list no more; None when git tracks not all."""
    site = result.site
    paths = {sitemap.path: site.place(sitemap.path) for sitemap in site.sitemaps}
    if not paths or not set(paths.values()) <= site.repository.tracked:
        return None
    blobs = {path: found.blobs[path] for path in found.paths}
    older = claims_before(site.sitemaps, site.place, blobs, content)
    before = {
        address.href
        for sitemap in site.sitemaps
        for claim in older.get(sitemap.path, sitemap.claims)
        if (address := urls.parse(claim.loc)) is not None
    }
    now = {entry.url for entry in site.entries}
    return tuple(sorted(before - now))
