"""The conductor: from settings to facts, from facts to verdicts, from verdicts to findings.

It prints nothing; progress goes to a callback. See docs/how-dates-are-judged.md for what is compared with what.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import __version__, judge, urls
from sitemap_guard.config import Config
from sitemap_guard.judging import Judging, Progress
from sitemap_guard.model import (
    Answer,
    Claim,
    Disallow,
    Entry,
    Finding,
    Level,
    Located,
    Repository,
    Result,
    Site,
    Skipped,
    Summary,
    UserError,
)


class Options(Struct, frozen=True):
    """What the caller asks for; "" and None leave it to the configuration or to detection.

    `start` is where the search for site and repository begins. `repo` is a folder in the repository, `rev` the
    commit that the site was built from. `staged`: a staged source counts as changed now. `now` is the time of the
    check in seconds (None: the clock's).
    """

    start: Path
    site: str = ""
    base_url: str = ""
    repo: str = ""
    rev: str = "HEAD"
    staged: bool = False
    deepen: bool = False
    jobs: int | None = None
    now: int | None = None


def check(options: Options, config: Config, progress: Progress | None = None) -> Result:
    """Check a built site and return everything a report needs.

    Raises:
        UserError: no site or sitemap was found, or an input cannot be used.
    """
    from sitemap_guard.history.environment import isolated_git
    from sitemap_guard.history.reader import open_history
    from sitemap_guard.rules import runner
    from sitemap_guard.sitemaps.discovery import discover

    runner.levels(config.rules)
    tell = progress or (lambda _stage, _done, _total: None)
    folder = _site_folder(options, config)
    found = discover(
        folder,
        sitemaps=config.sitemaps,
        base_url=options.base_url or config.base_url,
        progress=lambda _path: tell("sitemaps", 0, 0),
    )
    claims = [claim for sitemap in found.sitemaps for claim in sitemap.claims]
    entries = _read_pages(claims, folder, found.base_url, options, tell)
    with isolated_git() as index_file:
        start = Path(options.repo) if options.repo else _repository_start(folder, options.start)
        deepened = _deepen(start) if options.deepen else ""
        with open_history(start, folder, options.rev, index_file) as history:
            rules = judge.Rules(
                now=int(time.time()) if options.now is None else options.now,
                date=config.dates.date,
                zone=config.dates.zone,
                staged=options.staged,
                habit=config.dates.date if config.dates.date != "any" else "authored",
            )
            repository = history.repository
            entries = _map(entries, found.base_url, repository, config)
            entries, fit = Judging(history, rules, config.dates, tell).verdicts(entries)
    site = Site(
        folder=str(folder),
        shown=_shown(folder, repository, options.start),
        base_url=found.base_url,
        base_by=found.base_by,
        sitemaps=found.sitemaps,
        entries=tuple(entries),
        repository=repository,
        now=rules.now,
        robots=found.robots,
        robots_path=found.robots_path,
        fit=fit,
    )
    tell("rules", 0, 0)
    findings = runner.run(site, config.rules)
    return Result(__version__, site, findings, _skipped(site, deepened), _summary(site, findings))


def _site_folder(options: Options, config: Config) -> Path:
    from sitemap_guard.sitemaps.discovery import find_site

    named = options.site or config.site
    if not named:
        return find_site(options.start)
    folder = options.start / named
    if not folder.is_dir():
        raise UserError(f"{named}: there is no such folder; name the folder that the site was built into")
    return folder


def _repository_start(folder: Path, start: Path) -> Path:
    """Where to look for the repository: at the built site, unless only the caller's folder lies in one."""
    for candidate in (folder.resolve(), start.resolve()):
        if any((parent / ".git").exists() for parent in (candidate, *candidate.parents)):
            return candidate
    return folder


def _deepen(start: Path) -> str:
    from sitemap_guard.history.deepen import deepen

    return deepen(start)


# ------------------------------------------------------------------------------------------------------- pages


def _read_pages(claims: Sequence[Claim], folder: Path, base_url: str, options: Options, tell: Progress) -> list[Entry]:
    from sitemap_guard.pages.batch import read_pages
    from sitemap_guard.pages.locate import Locator

    locator = Locator(folder, base_url)
    entries = []
    for claim in claims:
        # A relative loc is a fault of its own; the page behind it is judged all the same where it can be known.
        address = urls.parse(claim.loc) or (urls.parse(claim.loc, base_url) if claim.loc and base_url else None)
        located = locator.locate(address) if address else Located("unparsable")
        entries.append(Entry(claim, address.href if address else "", located))
    wanted = list(dict.fromkeys(entry.located.path for entry in entries if entry.located.state == "html"))
    pages = read_pages(folder, wanted, progress=lambda done, total: tell("pages", done, total), jobs=options.jobs)
    barred = _robots(folder, base_url, entries)
    return [
        replace(entry, page=pages.get(entry.located.path), disallowed=barred.get(entry.url))
        if entry.located.state == "html" or barred
        else entry
        for entry in entries
    ]


def _robots(folder: Path, base_url: str, entries: Iterable[Entry]) -> dict[str, Disallow]:
    """What robots.txt bars. Only at the host's root does it count (RFC 9309 2.3)."""
    from sitemap_guard.pages.robots import read_robots

    base = urls.parse(base_url) if base_url else None
    robots = read_robots(folder) if base is not None and base.path == "/" else None
    if robots is None or base is None:
        return {}
    found: dict[str, Disallow] = {}
    for entry in entries:
        rule = robots.disallowed(entry.url) if entry.url.startswith(base.origin + "/") else None
        if rule is not None:
            found[entry.url] = rule
    return found


# -------------------------------------------------------------------------------------------- sources and dates


def _map(entries: Sequence[Entry], base_url: str, repository: Repository, config: Config) -> list[Entry]:
    from sitemap_guard.sources.mapper import map_sources

    mappings = map_sources(
        [(entry.url, entry.located, entry.page) for entry in entries],
        base_url=base_url,
        prefix=repository.prefix,
        tracked=repository.tracked,
        rules=config.source,
    )
    return [replace(entry, mapping=mapping) for entry, mapping in zip(entries, mappings, strict=True)]


# ----------------------------------------------------------------------------------------------------- results


def _shown(folder: Path, repository: Repository, start: Path) -> str:
    """How places in the site are shown: from the repository's root, else as the caller sees the folder."""
    if repository.prefix is not None:
        return repository.prefix
    return Path(os.path.relpath(folder, start)).as_posix()


def _skipped(site: Site, deepened: str) -> tuple[Skipped, ...]:
    """The kinds of check that could not be made, each with its reason."""
    found = []
    if deepened:
        found.append(Skipped("the shallow edge", deepened))
    if site.repository.problem:
        found.append(Skipped("dates against history", site.repository.detail))
    if not site.base_url:
        found.append(Skipped("host, scope and built pages", "the site's address is not known; give --base-url"))
    base = urls.parse(site.base_url) if site.base_url else None
    if base is not None and base.path != "/" and site.robots_path:
        found.append(Skipped("robots.txt", f"crawlers read only {base.origin}/robots.txt, not one below {base.path}"))
    return tuple(found)


def _summary(site: Site, findings: Sequence[Finding]) -> Summary:
    counts = dict.fromkeys(Answer, 0)
    for entry in site.entries:
        counts[entry.verdict.answer] += 1
    levels = [finding.level for finding in findings]
    return Summary(
        urls=len(site.entries),
        sitemaps=len(site.sitemaps),
        true=counts[Answer.TRUE],
        false=counts[Answer.FALSE],
        cannot_tell=counts[Answer.CANNOT_TELL],
        absent=counts[Answer.ABSENT],
        fit=site.fit,
        errors=levels.count(Level.ERROR),
        warnings=levels.count(Level.WARNING),
        infos=levels.count(Level.INFO),
    )
