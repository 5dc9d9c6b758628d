"""The conductor: from settings to facts, from facts to verdicts, from verdicts to findings.

It prints nothing; progress goes to a callback. See docs/how-dates-are-judged.md for what is compared with what.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import __version__, adoption, urls, whereabouts
from sitemap_guard.config import Config
from sitemap_guard.judgement import judge
from sitemap_guard.judgement.judging import Beyond, Judging, Progress
from sitemap_guard.model import (
    Answer,
    Built,
    Change,
    Entry,
    Finding,
    Level,
    Result,
    SettingError,
    Site,
    Sitemap,
    Skipped,
    Summary,
    UserError,
)

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader
    from sitemap_guard.history.roots import Further
    from sitemap_guard.pages.survey import Wanted
    from sitemap_guard.sources.mapper import Mapped


class Options(Struct, frozen=True):
    """What the caller asks for; "" and None leave it to the configuration or to detection.

    `start` is where the search for site and repository begins, `home` the folder that the settings' paths are relative
    to (None: `start`). `repo` is a folder in the repository, `rev` the
    commit that the site was built from. `staged`: a staged source counts as changed now. `now` is the time of the
    check in seconds (None: the clock's).

    `baseline` is a file of known findings, which are left out (None: not even the configured one). `changed_since`
    is a revision: only entries whose sources changed since it parted from `rev` are in the result. `against` is an
    older sitemap's file, `required` the percentage of dates that must be verified. `evidence` is a file that stands in
    for missing history, `cache` whether what is read of a long history is kept for the next run.
    """

    start: Path
    home: Path | None = None
    site: str = ""
    base_url: str = ""
    repo: str = ""
    rev: str = "HEAD"
    staged: bool = False
    deepen: bool = False
    jobs: int | None = None
    now: int | None = None
    preview: bool = False
    select: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    strict: bool = False
    links: bool = False
    baseline: str | None = ""
    changed_since: str = ""
    against: str = ""
    required: float | None = None
    evidence: str = ""
    cache: bool = True

    def setting(self, path: str) -> Path:
        """Where a path of the settings leads."""
        return (self.start if self.home is None else self.home) / path


def check(options: Options, config: Config, progress: Progress | None = None) -> Result:
    """Check a built site and return everything a report needs.

    Raises:
        UserError: no site or sitemap was found, or an input cannot be used.
    """
    from sitemap_guard.history.environment import isolated_git
    from sitemap_guard.pages.survey import Surveying, Wanted, origins
    from sitemap_guard.rules import runner
    from sitemap_guard.sitemaps.discovery import discover
    from sitemap_guard.sources.held import held_back

    choice = runner.Choice(config.rules, options.select, options.drop, options.strict, options.preview)
    runner.check_names(config)
    level = runner.levels(choice)
    if not any(level.values()):
        raise UserError("no rule is left to check by: all are switched off or left out; leave some of them on")
    if options.staged and options.rev != "HEAD":
        raise UserError(f"what is staged belongs to HEAD, not to {options.rev}: leave out --rev or --staged")
    tell = progress or (lambda _stage, _done, _total: None)
    folder = site_folder(options, config)
    found = discover(
        folder,
        sitemaps=config.sitemaps,
        base_url=options.base_url or config.base_url,
        base_by="--base-url" if options.base_url else "base-url of the configuration",
        progress=lambda _path: tell("sitemaps", 0, 0),
    )
    claims = [claim for sitemap in found.sitemaps for claim in sitemap.claims]
    wanted = Wanted(
        profile=config.hosting.profile,
        start=options.start,
        built=level["page-unlisted"] > Level.OFF or bool(options.against),
        links=level["page-orphan"] > Level.OFF or options.links,
        directory=config.pages.directory if level["page-directory"] > Level.OFF else "",
        preview=options.preview,
        jobs=options.jobs,
    )
    # Pages are read by processes of their own while git reads the history.
    with Surveying(claims, folder, found.base_url, wanted, tell) as surveying, isolated_git() as index_file:
        start = options.start / options.repo if options.repo else whereabouts.repository_start(folder, options.start)
        noted = _deepen(start, options, config) if options.deepen else ()
        with open_repository(start, folder, options, config, index_file) as history:
            history.read_ahead(len(claims))
            surveyed = surveying.finish()
            entries = surveyed.entries
            rules = judge.Rules(
                now=int(time.time()) if options.now is None else options.now,
                date=config.dates.date,
                zone=config.dates.zone,
                staged=options.staged,
                habit=config.dates.date if config.dates.date != "any" else "authored",
            )
            mapped = map_entries(entries, found.base_url, folder, history, config)
            mappings = held_back(mapped.mappings, entries, mapped.generators, mapped.tree, found.base_url, rules.now)
            entries = [replace(e, mapping=m) for e, m in zip(entries, mappings, strict=True)]
            beyond = _beyond(mapped, folder, config)
            judging = Judging(history, rules, config.dates, tell, config.policy, beyond)
            entries, fit = judging.verdicts(entries)
            repository = history.repository
            changes = _sitemap_changes(found.sitemaps, history)
            since = history.since(options.changed_since, forked=True) if options.changed_since else None
            if since is not None:
                concerned = adoption.concerned(entries, found.sitemaps, since, history, beyond.further)
    older = adoption.published(options.against, options.start, folder, found.base_url, entries)
    site = Site(
        folder=str(folder),
        shown=whereabouts.shown_folder(folder, repository, options.start),
        base_url=found.base_url,
        base_by=found.base_by,
        sitemaps=found.sitemaps,
        entries=tuple(entries),
        repository=repository,
        now=rules.now,
        robots=found.robots,
        robots_path=found.robots_path,
        fit=fit,
        bad_fields=judging.bad_fields,
        unread=judging.unread,
        hosting=surveyed.hosting,
        built=_counting(surveyed.built, config),
        targets=surveyed.targets,
        misplaced=surveyed.misplaced,
        links=surveyed.links,
        directory=wanted.directory,
        origins=origins(folder, repository.root, repository.tracked, repository.prefix),
        hosts=tuple(map(urls.host, config.addresses.hosts)),
        staging=config.addresses.staging,
        preview=options.preview,
        against=older,
        required=_required(options, config),
        sitemap_changes=changes,
        barred=surveyed.barred,
    )
    tell("rules", 0, 0)
    findings, accepted = runner.accepted(site, runner.run(site, choice), config.ignore, choice)
    skipped = (*_skipped(site, config, accepted), *judging.closer.notes(), *adoption.notes(older))
    sums = partial(_summary, site)
    notes = (*noted, *judging.closer.idle(), *mapped.notes, *_idle(surveyed.built, wanted, config, found.base_url))
    result = Result(__version__, site, findings, skipped, sums(site.entries, findings), notes=notes)
    if options.baseline:
        known = options.start / options.baseline
        result = adoption.against_baseline(result, known, options.baseline, level, sums)
    elif options.baseline is not None and config.baseline:
        result = adoption.against_baseline(result, options.setting(config.baseline), config.baseline, level, sums)
    return adoption.narrowed(result, concerned, options.changed_since, sums) if since is not None else result


def _required(options: Options, config: Config) -> float | None:
    """The percentage of dates that must be verified; None when nothing is asked."""
    if options.required is not None:
        return options.required
    return adoption.percentage(config.require_verified) if config.require_verified else None


def site_folder(options: Options, config: Config) -> Path:
    """The built site's folder, as named or found; it is looked for in `start`, then in the settings' folder and the
    root of the repository above.

    Raises:
        UserError: there is none, what is named is a file, or the folder may not be read.
    """
    from sitemap_guard.sitemaps.discovery import find_site, site_in

    if options.site:
        folder = whereabouts.named(options.start, options.site)
        return folder if config.sitemaps else site_in(folder)
    if config.site:
        try:
            return whereabouts.named(options.start, os.path.relpath(options.setting(config.site), options.start))
        except UserError as error:
            raise SettingError(("site",), str(error)) from None
    return find_site(options.start, options.setting(""))


def open_repository(start: Path, folder: Path, options: Options, config: Config, index_file: str = "") -> HistoryReader:
    """The history that the site's dates are compared with.

    Raises:
        UserError: a `[[root]]` or the evidence file cannot be used, or the repository or revision that was asked for
            is none.
    """
    from sitemap_guard.history.opening import open_site_history

    named = str(options.setting(config.cache)) if config.cache else ""
    if named and os.path.lexists(named) and not os.path.isdir(named):
        raise SettingError(("cache",), f"{config.cache} is no folder; name one, which need not be there yet")
    return open_site_history(
        start,
        folder,
        options.rev,
        index_file,
        base=options.setting(""),
        roots=_roots(options, config),
        evidence=str(options.start / options.evidence) if options.evidence else "",
        cache=named if options.cache else None,
        now=options.now,
        named=bool(options.repo),
    )


def _roots(options: Options, config: Config) -> list[Further]:
    from sitemap_guard.history.roots import Further

    return [Further(options.setting(root.path), root.prefix) for root in config.root]


def _deepen(start: Path, options: Options, config: Config) -> tuple[str, ...]:
    """What was fetched, or why it could not be: then the check says itself what it cannot tell."""
    from sitemap_guard.history.deepen import deepen

    told = []
    for folder in dict.fromkeys([start, *(root.folder for root in _roots(options, config))]):
        try:
            said = deepen(folder)
        except UserError as error:
            said = str(error)
        told.append(said if folder == start or not said else f"{os.path.relpath(folder, options.start)}: {said}")
    return tuple(filter(None, told))


# ------------------------------------------------------------------------------------------------------- pages


def _counting(built: Sequence[Built], config: Config) -> tuple[Built, ...]:
    """The unlisted pages that the configuration does not except."""
    from sitemap_guard.rules.ignores import glob

    excepted = [glob(pattern) for pattern in config.pages.unlisted]
    return tuple(one for one in built if not any(fits.fullmatch(one.page.path) for fits in excepted))


def _idle(built: Sequence[Built], wanted: Wanted, config: Config, base_url: str) -> list[str]:
    """What is to be said of `unlisted` patterns that except no page."""
    from sitemap_guard.rules.ignores import glob

    patterns = config.pages.unlisted if wanted.built and base_url else ()
    idle = [one for one in patterns if not any(glob(one).fullmatch(page.page.path) for page in built)]
    return [f"[pages] unlisted: {one!r} fits no built page that the sitemaps leave out" for one in idle]


# -------------------------------------------------------------------------------------------- sources and dates


def _beyond(mapped: Mapped, folder: Path, config: Config) -> Beyond:
    """How to look up more of a page than its source, for claims that nothing supports."""
    from sitemap_guard.pages.listed import listed
    from sitemap_guard.sources.further import Further

    further = Further(mapped.tree, mapped.generators, config.also_fields)

    def linked(entry: Entry) -> frozenset[str]:
        return listed(folder / entry.located.path, entry.url) if entry.located.state == "html" else frozenset()

    return Beyond(further.of, linked)


def map_entries(
    entries: Sequence[Entry], base_url: str, folder: Path, history: HistoryReader, config: Config
) -> Mapped:
    """The source of each entry, or why it has none that git tracks.

    Raises:
        UserError: a rule or manifest of the configuration cannot be used.
    """
    from sitemap_guard.sources.links import Links
    from sitemap_guard.sources.mapper import map_site
    from sitemap_guard.sources.missing import explained, read_untracked, with_untracked
    from sitemap_guard.sources.tree import Tree

    repository = history.repository
    links = Links(repository.links, repository.tracked, history.blob)
    subjects = [(entry.url, entry.located, entry.page) for entry in entries]
    root = Path(repository.root) if repository.root else None

    def mapped_with(others: frozenset[str]) -> Mapped:
        def read(path: str) -> bytes | None:
            return read_untracked(repository.root, path) if path in others else links.read(path)

        return map_site(
            subjects,
            base_url=base_url,
            prefix=repository.prefix,
            # A new file that is staged will be tracked by the commit that a hook is about.
            tree=Tree(repository.tracked | repository.staged | others, read, history.ids, repository.roots),
            rules=config.source,
            manifests=config.manifest,
            folder=folder,
            root=root,
            # Untracked files are no copies' origins, and a manifest's command runs once.
            without=("copy", "manifest") if others else (),
        )

    mapped = with_untracked(mapped_with(frozenset()), entries, history, mapped_with)
    return replace(mapped, mappings=tuple(explained(list(map(links.followed, mapped.mappings)), history)))


def _sitemap_changes(sitemaps: Sequence[Sitemap], history: HistoryReader) -> dict[str, Change]:
    """The last change of each tracked sitemap file that an index dates."""
    prefix = history.repository.prefix
    dated = {child.path for sitemap in sitemaps for child in sitemap.children if child.path and child.lastmod}
    if prefix is None or history.repository.problem or not dated:
        return {}
    paths = {path: f"{prefix}/{path}" if prefix else path for path in dated}
    wanted = {name: () for name in paths.values() if name in history.repository.tracked}
    found = history.walk(wanted) if wanted else {}
    return {path: last for path, name in paths.items() if name in found and (last := found[name].last) is not None}


# ----------------------------------------------------------------------------------------------------- results


def _skipped(site: Site, config: Config, accepted: int) -> tuple[Skipped, ...]:
    """The kinds of check that could not be made, and the files that were not read, each with its reason."""
    from sitemap_guard.sitemaps.folders import passed_over

    beside = () if config.sitemaps else passed_over(Path(site.folder))
    found = [Skipped(site.place(name), why) for name, why in beside]
    if accepted:
        found.append(
            Skipped(f"{accepted:,} finding{'s' if accepted != 1 else ''}", "accepted by [[ignore]]", "accepted")
        )
    for doubt in site.hosting.doubts:
        what = f"the host's answer for {doubt.count:,} address{'es' if doubt.count != 1 else ''}"
        found.append(Skipped(what, f"{doubt.rule.path}:{doubt.rule.line} depends on {doubt.why}"))
    if site.preview:
        found.append(Skipped("host and noindex rules", "--env preview: this is no production build"))
    if site.repository.problem:
        found.append(Skipped("dates against history", site.repository.detail))
    if not site.base_url:
        found.append(Skipped("host, scope and built pages", "the site's address is not known; give --base-url"))
    base = urls.parse(site.base_url) if site.base_url else None
    if base is not None and base.path != "/" and site.robots_path:
        found.append(Skipped("robots.txt", f"crawlers read only {base.origin}/robots.txt, not one below {base.path}"))
    return tuple(found)


def _summary(site: Site, entries: Sequence[Entry], findings: Sequence[Finding]) -> Summary:
    counts = dict.fromkeys(Answer, 0)
    for entry in entries:
        counts[entry.verdict.answer] += 1
    levels = [finding.level for finding in findings]
    return Summary(
        urls=len(entries),
        sitemaps=len(site.sitemaps) - len(site.twins),
        true=counts[Answer.TRUE],
        false=counts[Answer.FALSE],
        cannot_tell=counts[Answer.CANNOT_TELL],
        absent=counts[Answer.ABSENT],
        fit=site.fit,
        errors=levels.count(Level.ERROR),
        warnings=levels.count(Level.WARNING),
        infos=levels.count(Level.INFO),
    )
