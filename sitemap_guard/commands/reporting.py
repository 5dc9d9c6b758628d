"""What commands that check share: where reports go, and the exit code."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sitemap_guard.model import Result

# The names of reports.FORMATS, repeated here because importing them costs more than `--help` may take; a test
# holds the two together.
FORMATS = ("text", "github", "json", "markdown", "sarif", "junit", "gitlab", "rdjson", "html")


def outputs(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> list[tuple[str, Path]]:
    """The values of --output, each a format and a file."""
    found = []
    for value in values:
        name, mark, file = value.partition("=")
        if not mark or name not in FORMATS or not file:
            raise click.BadParameter(f"{value!r} is not FORMAT=FILE with one of the formats {', '.join(FORMATS)}")
        found.append((name, Path(file)))
        places = [os.path.realpath(place) for _, place in found]
        if places.count(places[-1]) > 1:
            raise click.BadParameter(f"{file} is named twice: each report needs a file of its own")
    return found


def report(result: Result, given: dict[str, Any]) -> None:
    """Write the reports asked for with --output, and print the one of --format."""
    import shutil

    from sitemap_guard.reports import FORMATS as WRITERS
    from sitemap_guard.reports.style import Style

    style = Style(
        everything=given["everything"],
        verbosity=given["verbose"] - given["quiet"],
        color=given["form"] == "text" and _colour(),
        width=shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100,
        folder=Path.cwd().as_posix(),
    )
    for name, file in given["outputs"]:
        write(result, name, file)
    # Else click takes the colours out again where standard output is no terminal.
    click.echo(WRITERS[given["form"]](result, style), nl=False, color=True if style.color else None)


def write(result: Result, name: str, file: Path) -> None:
    """Write one report to a file, with everything in it.

    Raises:
        UserError: the file cannot be written.
    """
    from sitemap_guard.model import UserError
    from sitemap_guard.reports import FORMATS as WRITERS
    from sitemap_guard.reports.style import Style

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(WRITERS[name](result, Style(everything=True, folder=Path.cwd().as_posix())), "utf-8")
    except OSError as error:
        raise UserError(f"{file}: the report cannot be written: {error.strerror or error}") from None


def _colour() -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR says no (https://no-color.org); FORCE_COLOR says yes."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def exit_code(result: Result, fail_on: str) -> int:
    """0, 1 or 2 for a finished check: a check that found nothing to check is no success."""
    from sitemap_guard.model import Level

    if result.summary.urls == 0 and not result.narrowed:
        from sitemap_guard.reports.safe import neutralise

        click.echo(f"sitemap-guard: {neutralise(_nothing(result))}", err=True)
        return 2
    if fail_on == "never":
        return 0
    return int(any(finding.level >= Level[fail_on.upper()] for finding in result.findings))


def _nothing(result: Result) -> str:
    names = ", ".join(result.site.place(sitemap.path) for sitemap in result.site.sitemaps[:3])
    if not names:
        return f"nothing was checked: no sitemap in {result.site.shown or '.'}"
    return f"nothing was checked: no entry could be read from {names}"
