"""The options of commands that check a site, and the check that they ask for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands.groups import FILE, FOLDER, option, rule_names, together
from sitemap_guard.commands.reporting import FORMATS, outputs

if TYPE_CHECKING:
    from sitemap_guard.config import Settings
    from sitemap_guard.guard import Options
    from sitemap_guard.model import Result

_WHAT, _RULES, _ADOPT = "What is checked", "Which rules count", "Adopting it on a site that has findings"
_REPORTS, _OTHER = "Reports", "Other"


subject = together(
    click.argument("site", required=False, default="", metavar="[SITE]", type=FOLDER),
    option(_WHAT, "--base-url", default="", metavar="URL", help="The site's address, with its base path."),
    option(_WHAT, "--repo", default="", metavar="DIR", type=FOLDER, help="A folder in the repository of the sources."),
    option(_WHAT, "--rev", default="HEAD", metavar="REV", help="The commit that the site was built from. [HEAD]"),
    option(
        _WHAT,
        "--env",
        type=click.Choice(["production", "preview"]),
        default="production",
        help="What was built: a preview may have its own host and be noindex. [production]",
    ),
    option(_WHAT, "--staged/--no-staged", default=False, help="A staged source counts as changed now (for hooks)."),
    option(
        _WHAT,
        "--deepen",
        type=click.Choice(["auto", "never"]),
        default="never",
        help="Fetch the missing history of a shallow clone first (uses the network). [never]",
    ),
    option(
        _WHAT,
        "--evidence",
        default="",
        metavar="FILE",
        type=FILE,
        help="What `dates --format csv` wrote, for missing history.",
    ),
    option(
        _WHAT, "--config", default=None, metavar="FILE", type=click.Path(path_type=Path), help="The settings' file."
    ),
)

rules = together(
    option(
        _RULES,
        "--fail-on",
        type=click.Choice(["error", "warning", "info", "never"]),
        help="Exit with 1 from this level on. [error]",
    ),
    option(_RULES, "--strict", is_flag=True, help="Warnings are errors."),
    option(
        _RULES,
        "--select",
        multiple=True,
        metavar="RULE",
        shell_complete=rule_names,
        help="Only this rule or family (may be given again).",
    ),
    option(
        _RULES,
        "--ignore",
        multiple=True,
        metavar="RULE",
        shell_complete=rule_names,
        help="Not this rule or family (may be given again).",
    ),
)

adopting = together(
    option(
        _ADOPT,
        "--baseline",
        default="",
        metavar="FILE",
        type=FILE,
        help="Findings in this file are known: only new ones count.",
    ),
    option(_ADOPT, "--write-baseline", is_flag=True, help="Write the findings of this run to the baseline, and pass."),
    option(
        _ADOPT,
        "--changed-since",
        default="",
        metavar="REV",
        help="Only pages whose sources changed since REV branched off.",
    ),
    option(
        _ADOPT, "--require-verified", default=None, metavar="SHARE", help="So many of the dates must be verified (90%)."
    ),
    option(
        _ADOPT,
        "--against",
        default="",
        metavar="SITEMAP",
        type=FILE,
        help="Compare with the published sitemap, given as a file.",
    ),
)

reports = together(
    option(_REPORTS, "--format", "form", type=click.Choice(FORMATS), default="text", help="What is printed. [text]"),
    option(
        _REPORTS, "--output", "outputs", multiple=True, callback=outputs, metavar="FORMAT=FILE",
        help="Write a report as well.",
    ),
    option(_REPORTS, "--all", "everything", is_flag=True, help="Show every finding of large groups."),
    option(_REPORTS, "-q", "--quiet", count=True, help="Only what matters most."),
    option(_REPORTS, "-v", "--verbose", count=True, help="Say more."),
)  # fmt: skip

running = together(
    option(_OTHER, "--jobs", type=click.IntRange(1, 64), default=None, metavar="N", help="Processes that read pages."),
    option(_OTHER, "--no-cache", is_flag=True, help="Neither use nor keep what was read of the history."),
    option(_OTHER, "--debug", is_flag=True, help="Show the trace of an internal error."),
)


def settings(given: dict[str, Any]) -> Settings:
    """The settings of `--config`, or of the nearest file. Raises UserError as `config.load` does."""
    from sitemap_guard.config import load

    return load(given["config"], Path.cwd())


def begin(asked: Options, known: Settings, *, quiet: bool = False) -> None:
    """What comes before a check: the site must be there, and the commands that will be run are told.

    Raises:
        UserError: as for `guard.site_folder`.
    """
    from sitemap_guard import guard
    from sitemap_guard.reports.safe import neutralise, visible

    commands = [manifest.command for manifest in known.config.manifest if manifest.command]
    if commands and not quiet:
        with known.placing():
            guard.site_folder(asked, known.config)
        for command in commands:
            click.echo(neutralise(visible(f"sitemap-guard: running {' '.join(command)} …")), err=True)


def asked(given: dict[str, Any], known: Settings) -> Options:
    """What the options ask for, as far as it concerns the site and the repository."""
    from sitemap_guard.guard import Options

    start = Path.cwd()
    return Options(
        start=start,
        home=known.home(start),
        site=given.get("site", ""),
        base_url=given.get("base_url", ""),
        repo=given.get("repo", ""),
        rev=given.get("rev", "HEAD"),
        evidence=given.get("evidence", ""),
        cache=not given.get("no_cache", False),
    )


def checked(given: dict[str, Any], **more: Any) -> Result:
    """The result of the check that the options ask for, with a progress line on a terminal.

    Raises:
        UserError: as for `sitemap_guard.check`.
    """
    from sitemap_guard import api
    from sitemap_guard.progress import ProgressLine

    known = settings(given)
    begin(asked(given, known), known, quiet=bool(given.get("quiet")))
    shown = sys.stderr.isatty() and not os.environ.get("CI") and not given.get("quiet")
    with ProgressLine(shown) as progress:
        result = api.check(
            given["site"],
            config=known,
            base_url=given["base_url"],
            repo=given["repo"],
            rev=given["rev"],
            staged=given["staged"],
            deepen=given["deepen"] == "auto",
            preview=given["env"] == "preview",
            evidence=given["evidence"],
            cache=not given["no_cache"],
            jobs=given["jobs"],
            progress=progress,
            **more,
        )
    if "outputs" not in given:  # else the reports have them
        say(result.notes)
    return result


def say(notes: Sequence[str]) -> None:
    """Print notes where they are in no report's way."""
    from sitemap_guard.reports.safe import clean

    for note in notes:
        click.echo(f"sitemap-guard: {clean(note)}", err=True)
