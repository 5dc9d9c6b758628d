"""`sitemap-guard report`: the check as a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import Command
from sitemap_guard.commands.reporting import exit_code, write


@click.command(cls=Command, short_help="Write the HTML report of a built site.")
@options.subject
@click.option(
    "--output",
    default="report.html",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where to write it; - prints it. [report.html]",
)
@options.running
def report(**given: Any) -> int:
    """Write the HTML report of a built site: one file that needs no network and no server.

    Findings do not fail this command; `check --output html=report.html` writes the same page and does.
    """
    result = options.checked(given)
    from sitemap_guard.reports import words
    from sitemap_guard.reports.safe import neutralise

    if str(given["output"]) == "-":
        from sitemap_guard.reports import FORMATS
        from sitemap_guard.reports.style import Style

        click.echo(FORMATS["html"](result, Style(everything=True)), nl=False)
        return exit_code(result, "never")
    write(result, "html", given["output"])
    click.echo(neutralise(f"{given['output']}: {words.verdict(result)}"))
    return exit_code(result, "never")
