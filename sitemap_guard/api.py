"""The same check from Python: what `sitemap-guard check` runs, as one function.

    import sitemap_guard

    result = sitemap_guard.check("public")
    for finding in result.findings:
        print(finding.level.word, finding.rule, finding.loc, finding.message)

Nothing is printed, and nothing is read but files and the repository. See docs/api.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitemap_guard.config import Config, Settings
    from sitemap_guard.model import Result

PathLike = str | os.PathLike[str]
Progress = Callable[[str, int, int], None]


def check(
    site: PathLike = "",
    *,
    start: PathLike | None = None,
    config: Config | Settings | PathLike | None = None,
    base_url: str = "",
    repo: PathLike = "",
    rev: str = "HEAD",
    staged: bool = False,
    deepen: bool = False,
    preview: bool = False,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    strict: bool = False,
    baseline: PathLike | None = "",
    changed_since: str = "",
    require_verified: str | float | None = None,
    against: PathLike = "",
    evidence: PathLike = "",
    cache: bool = True,
    links: bool = False,
    jobs: int | None = None,
    now: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Check a built site: its sitemaps, its pages, and its dates against git.

    Args:
        site: the folder that the site was built into ("": the configured one, or one of the usual ones).
        start: the folder that everything is looked for from, and that relative paths start at (None: the current one).
        config: settings (their paths start at `start`), or their file (None: the nearest `sitemap-guard.toml` or
            `pyproject.toml`, if any).
        base_url: the site's address with its base path ("": configured, or found out).
        repo: a folder in the repository of the sources ("": the one that the site or `start` lies in).
        rev: the commit that the site was built from.
        staged: a staged source counts as changed now.
        deepen: fetch the missing history of a shallow clone first. The only thing here that uses the network.
        preview: what was built is a preview, which may have its own host and be noindex.
        select: only these rules or families.
        ignore: not these rules or families.
        strict: warnings become errors.
        baseline: a file of known findings, which are left out ("": the configured one, if any; None: none).
        changed_since: only pages whose sources changed since this revision branched off ("": all).
        require_verified: the share of the dates that must be verified, 90 or "90%" (None: as configured).
        against: the published sitemap to compare with, a file or a built site's folder ("": none).
        evidence: a file of `sitemap-guard dates --format csv`, which stands in for missing history ("": none).
        cache: keep what was read of a long history for the next run.
        links: also read which page links to which (`result.site.links`).
        jobs: how many processes read pages (None: as many as there are cores, for a large site).
        now: the time of the check in seconds since 1970 (None: the clock's).
        progress: told of each stage (`sitemaps`, `pages`, `history`, `rules`), what is done and of how many.

    Returns:
        All facts, the findings (most severe first) and the counts. `result.summary.urls == 0` means that there was
        nothing to check; the command exits with 2 then, unless `result.narrowed`.

    Raises:
        UserError: no site was found, or an input cannot be used; its text is one line that says what to do.
    """
    from sitemap_guard import adoption, guard

    _look_at(dict(locals()))
    where = Path.cwd() if start is None else Path(start)
    settings = _settings(config, where)
    required = adoption.percentage(str(require_verified)) if require_verified is not None else None
    options = guard.Options(
        start=where,
        home=settings.home(where),
        site=os.fspath(site),
        base_url=base_url,
        repo=os.fspath(repo),
        rev=rev,
        staged=staged,
        deepen=deepen,
        jobs=jobs,
        now=now,
        preview=preview,
        select=_names("select", select),
        drop=_names("ignore", ignore),
        strict=strict,
        baseline=None if baseline is None else os.fspath(baseline),
        changed_since=changed_since,
        against=os.fspath(against),
        required=required,
        evidence=os.fspath(evidence),
        cache=cache,
        links=links,
    )
    with settings.placing():
        return guard.check(options, settings.config, progress)


_PATHS = ("site", "repo", "against", "evidence")
_PATHS_OR_NONE = ("start", "baseline")
_TEXTS = ("base_url", "rev", "changed_since")
_FLAGS = ("staged", "deepen", "preview", "strict", "cache", "links")


def _look_at(given: dict[str, Any]) -> None:
    """Look at the arguments of `check` by name: no type checker may have done so.

    Raises:
        UserError: one is of the wrong type, or can have no effect.
    """
    from sitemap_guard.config import Config, Settings
    from sitemap_guard.model import UserError

    def need(name: str, fits: object, what: str) -> None:
        if not fits:
            raise UserError(f"{name}: {given[name]!r:.100} is not {what}; write that, or leave it out")

    path = (str, os.PathLike)
    for name in (*_PATHS, *_PATHS_OR_NONE):
        value = given[name]
        need(name, isinstance(value, path) or (value is None and name in _PATHS_OR_NONE), "a path")
    value = given["config"]
    need("config", value is None or isinstance(value, (Config, Settings, *path)), "a Config or the path of its file")
    for name in (*_PATHS, *_PATHS_OR_NONE, "config"):
        if isinstance(given[name], path) and "\0" in str(given[name]):
            raise UserError(f"{name}: {str(given[name])!r} is no path, since it has a NUL character")
    for name in _TEXTS:
        need(name, isinstance(given[name], str), "a text")
    for name in _FLAGS:
        need(name, isinstance(given[name], bool), "True or False")
    for name in ("select", "ignore"):
        value = given[name]
        fits = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        need(name, fits, "a list or tuple of names of rules or families")
    share = given["require_verified"]
    need("require_verified", share is None or _is(share, str, int, float), 'a share such as 90 or "90%"')
    jobs, now, progress = given["jobs"], given["now"], given["progress"]
    need("jobs", jobs is None or (_is(jobs, int) and jobs > 0), "a number of processes from 1")
    need("now", now is None or _is(now, int), "a whole number of seconds since 1970")
    need("progress", progress is None or callable(progress), "a function")
    start = given["start"]
    need("start", start is None or os.path.isdir(start), "a folder that is there")


def _is(value: object, *types: type) -> bool:
    """Whether it is of a type; True and False are no numbers here."""
    return isinstance(value, types) and not isinstance(value, bool)


def _names(option: str, given: Iterable[str]) -> tuple[str, ...]:
    from sitemap_guard.model import UserError

    names = tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise UserError(f"{option}: {name!r:.100} is no name of a rule or family; write texts")
    return names


def _settings(given: Config | Settings | PathLike | None, where: Path) -> Settings:
    from sitemap_guard.config import Config, Settings, checked, load

    if isinstance(given, Settings):
        return given
    if isinstance(given, Config):
        return Settings(checked(given))
    return load(None if given is None else where / given, where)
