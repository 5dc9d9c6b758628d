"""`sitemap-guard check`: the main job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import Command
from sitemap_guard.commands.reporting import exit_code, report

if TYPE_CHECKING:
    from sitemap_guard.model import Result


@click.command(cls=Command, short_help="Check a built site: sitemaps, pages, and dates against git.")
@options.subject
@options.rules
@options.adopting
@options.reports
@options.running
def check(**given: Any) -> int:
    """Check a built site: its sitemaps, its pages, and the dates against git.

    SITE is the folder that the site was built into; without it the usual ones are tried (public, _site, dist, …).

    Exit codes: 0 nothing at or over --fail-on; 1 findings; 2 usage, configuration, unreadable input, or nothing
    was checked; 3 an internal error.
    """
    if given["write_baseline"] and (given["changed_since"] or given["select"] or given["ignore"]):
        raise click.UsageError(
            "--write-baseline needs the whole check: leave out --changed-since, --select and --ignore"
        )
    result = options.checked(
        given,
        select=given["select"],
        ignore=given["ignore"],
        strict=given["strict"],
        baseline=None if given["write_baseline"] else given["baseline"],
        changed_since=given["changed_since"],
        require_verified=given["require_verified"],
        against=given["against"],
    )
    report(result, given)
    code = exit_code(result, given["fail_on"] or options.settings(given).config.fail_on or "error")
    return _write_baseline(result, given) if given["write_baseline"] and code != 2 else code


def _write_baseline(result: Result, given: dict[str, Any]) -> int:
    """Write what was found as known. What can never be known (dates that could not be checked) still fails."""
    import os
    from pathlib import Path

    from sitemap_guard import baseline
    from sitemap_guard.model import Level
    from sitemap_guard.reports.safe import clean

    known = options.settings(given)
    name = given["baseline"] or known.config.baseline or baseline.DEFAULT
    file = Path(name) if given["baseline"] else Path(os.path.relpath(known.home(Path.cwd()) / name))
    found = baseline.counted(result.findings, result.site.shown)
    baseline.write(file, found, f"sitemap-guard {result.version}")
    left = [finding for finding in result.findings if not baseline.can_be_known(finding)]
    rest = f"; {len(left):,} cannot be accepted and stay" if left else ""
    total = found.total()
    what = "1 finding is" if total == 1 else f"{total:,} findings are"
    click.echo(f"sitemap-guard: {what} known now ({clean(str(file))}){rest}", err=True)
    return int(any(finding.level is Level.ERROR for finding in left))
