"""The pages of a built site and their sources, without any judgement: what `map` and `init` show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import guard, whereabouts
from sitemap_guard.config import Config
from sitemap_guard.model import Entry, Repository, UserError


class Mapped(Struct, frozen=True):
    """Entries with their mappings; `found` are the generators' sites as (name, folder, read from a configuration),
    `sitemaps` the paths of the sitemaps in the built folder, `notes` what is to be said of settings without effect."""

    folder: Path
    shown: str
    base_url: str
    entries: tuple[Entry, ...]
    repository: Repository
    found: tuple[tuple[str, str, bool], ...]
    sitemaps: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Score(Struct, frozen=True):
    """How a mapping compares with the truth. `wrong` and `missing` are (URL, true source, what was found)."""

    right: int
    wrong: tuple[tuple[str, str, str], ...]
    missing: tuple[tuple[str, str, str], ...]
    lists: int
    lists_known: int
    unlisted: int


def map_pages(options: guard.Options, config: Config) -> Mapped:
    """The sources of a built site's pages.

    Raises:
        UserError: no site or sitemap was found, there is no repository, or an input cannot be used.
    """
    from sitemap_guard.history.environment import isolated_git
    from sitemap_guard.pages.survey import Wanted, survey
    from sitemap_guard.rules.runner import check_names
    from sitemap_guard.sitemaps.discovery import discover

    check_names(config)
    folder = guard.site_folder(options, config)
    found = discover(folder, sitemaps=config.sitemaps, base_url=options.base_url or config.base_url)
    claims = [claim for sitemap in found.sitemaps for claim in sitemap.claims]
    surveyed = survey(claims, folder, found.base_url, Wanted(start=options.start), lambda _stage, _done, _total: None)
    with isolated_git() as index_file:
        start = options.start / options.repo if options.repo else whereabouts.repository_start(folder, options.start)
        with guard.open_repository(start, folder, options, config, index_file) as history:
            repository = history.repository
            if repository.problem:
                raise UserError(repository.detail)
            mapped = guard.map_entries(surveyed.entries, found.base_url, folder, history, config)
    entries = tuple(
        replace(entry, mapping=mapping) for entry, mapping in zip(surveyed.entries, mapped.mappings, strict=True)
    )
    sites = tuple(
        (placed.layout.generator, placed.layout.place, placed.layout.sure) for placed in mapped.generators.placed
    )
    shown = whereabouts.shown_folder(folder, repository, options.start)
    paths = tuple(sitemap.path for sitemap in found.sitemaps)
    return Mapped(folder, shown, found.base_url, entries, repository, sites, paths, mapped.notes)


_WORDS = {"case": "in other letters", "submodule": "in another repository"}


def way_of(entry: Entry) -> str:
    """How an entry's source was found, in words: `edit-link`, `generator hugo`, `list without a file`, `none`."""
    mapping = entry.mapping
    if mapping.how:
        return f"{mapping.how} {mapping.by}".strip()
    if mapping.reason not in ("", "no-source"):
        return _WORDS.get(mapping.reason, mapping.reason)
    return "list without a file" if mapping.kind == "list" else "none"


def ways(entries: Sequence[Entry]) -> list[tuple[str, int]]:
    """The number of entries by way, most first."""
    return sorted(Counter(map(way_of, entries)).items(), key=lambda item: (-item[1], item[0]))


def score(entries: Sequence[Entry], truth: Sequence[dict[str, str]]) -> Score:
    """The mapping against a table of truth with the columns `url`, `source` ("" for a page without a file).

    An optional column `kind` (`page`, `list`, `virtual`) tells the lists; `deps` names files that a page without a
    file of its own is made from (any of them is right).
    """
    by_loc = {entry.claim.loc: entry for entry in entries}
    right = 0
    wrong: list[tuple[str, str, str]] = []
    missing: list[tuple[str, str, str]] = []
    lists = known = unlisted = 0
    for row in truth:
        entry = by_loc.get(row["url"])
        if entry is None:
            unlisted += 1
            continue
        source = row.get("source") or ""
        content = entry.mapping.content
        also = (row.get("deps") or "").replace(",", ";").split(";")
        if row.get("kind") == "list":
            lists += 1
            known += entry.mapping.kind == "list"
        if content and content != source and not (not source and content in also):
            wrong.append((row["url"], source, content))
        elif source and not content:
            missing.append((row["url"], source, entry.mapping.tried))
        elif source:
            right += 1
    return Score(right, tuple(wrong), tuple(missing), lists, known, unlisted)
