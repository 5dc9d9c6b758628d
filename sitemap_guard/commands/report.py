"""`sitemap-guard report`: the check as a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import Command
from sitemap_guard.commands.reporting import exit_code, unfit, write


def _output(_context: click.Context, _parameter: click.Parameter, file: str) -> str:
    fault = "" if file == "-" else unfit(file)
    if fault:
        raise click.BadParameter(fault)
    return file


@click.command(cls=Command, short_help="Write the HTML report of a built site.")
@options.subject
@click.option(
    "--output",
    default="report.html",
    metavar="FILE",
    callback=_output,
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

    if given["output"] == "-":
        from sitemap_guard.reports import FORMATS
        from sitemap_guard.reports.style import Style

        click.echo(FORMATS["html"](result, Style(everything=True)), nl=False)
        return exit_code(result, "never")
    write(result, "html", Path(given["output"]))
    click.echo(neutralise(f"{given['output']}: {words.verdict(result)}"))
    return exit_code(result, "never")
