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
from typing import TYPE_CHECKING

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
    from sitemap_guard.model import UserError

    paths = {"site": site, "start": start, "config": config, "repo": repo, "baseline": baseline, "against": against}
    for name, path in {**paths, "evidence": evidence}.items():
        if isinstance(path, (str, os.PathLike)) and "\0" in str(path):
            raise UserError(f"{name}: {str(path)!r} is no path, since it has a NUL character")
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
        select=tuple(select),
        drop=tuple(ignore),
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


def _settings(given: Config | Settings | PathLike | None, where: Path) -> Settings:
    from sitemap_guard.config import Config, Settings, checked, load

    if isinstance(given, Settings):
        return given
    if isinstance(given, Config):
        return Settings(checked(given))
    return load(None if given is None else where / given, where)
