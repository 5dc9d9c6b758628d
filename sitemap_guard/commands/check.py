"""`sitemap-guard check`: the main job."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from sitemap_guard.commands.reporting import FORMATS, exit_code, outputs, report


@click.command(short_help="Check a built site: sitemaps, pages, and dates against git.")
@click.argument("site", required=False, default="", metavar="[SITE]")
@click.option("--base-url", default="", metavar="URL", help="The site's address, with its base path.")
@click.option("--repo", default="", metavar="DIR", help="A folder in the repository of the sources.")
@click.option("--rev", default="HEAD", metavar="REV", help="The commit that the site was built from. [HEAD]")
@click.option("--config", default=None, metavar="FILE", type=click.Path(path_type=Path), help="The settings' file.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    help="Exit with 1 from this level on. [error]",
)
@click.option("--staged/--no-staged", default=False, help="A staged source counts as changed now (for hooks).")
@click.option(
    "--deepen",
    type=click.Choice(["auto", "never"]),
    default="never",
    help="Fetch the missing history of a shallow clone first (uses the network). [never]",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="What is printed. [text]")
@click.option(
    "--output", "outputs", multiple=True, callback=outputs, metavar="FORMAT=FILE", help="Write a report as well."
)
@click.option("--all", "everything", is_flag=True, help="Show every finding of large groups.")
@click.option("--jobs", type=click.IntRange(1, 64), default=None, metavar="N", help="Processes that read pages.")
@click.option("-q", "--quiet", count=True, help="Only what matters most.")
@click.option("-v", "--verbose", count=True, help="Say more.")
@click.option("--debug", is_flag=True, help="Show the trace of an internal error.")
def check(**given: Any) -> int:
    """Check a built site: its sitemaps, its pages, and the dates against git.

    SITE is the folder that the site was built into; without it the usual ones are tried (public, _site, dist, …).

    Exit codes: 0 nothing at or over --fail-on; 1 findings; 2 usage, configuration, unreadable input, or nothing
    was checked; 3 an internal error.
    """
    from sitemap_guard import config as settings
    from sitemap_guard import guard
    from sitemap_guard.progress import ProgressLine

    start = Path.cwd()
    config, _ = settings.load(given["config"], start)
    options = guard.Options(
        start=start,
        site=given["site"],
        base_url=given["base_url"],
        repo=given["repo"],
        rev=given["rev"],
        staged=given["staged"],
        deepen=given["deepen"] == "auto",
        jobs=given["jobs"],
    )
    shown = sys.stderr.isatty() and not os.environ.get("CI") and not given["quiet"]
    with ProgressLine(shown) as progress:
        result = guard.check(options, config, progress)
    report(result, given)
    return exit_code(result, given["fail_on"] or config.fail_on or "error")
