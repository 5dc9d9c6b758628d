"""What commands that check share: where reports go, and the exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sitemap_guard.model import Result

_PATIENCE = 5.0  # seconds that the reader of a pipe may take to begin
# The names of reports.FORMATS, repeated here because importing them costs more than `--help` may take; a test
# holds the two together.
FORMATS = ("text", "github", "json", "markdown", "sarif", "junit", "gitlab", "rdjson", "html")


def outputs(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> list[tuple[str, Path]]:
    """The values of --output, each a format and a file."""
    found: list[tuple[str, Path]] = []
    for value in values:
        name, mark, file = value.partition("=")
        if not mark or name not in FORMATS or not file.strip():
            raise click.BadParameter(f"{value!r} is not FORMAT=FILE with one of the formats {', '.join(FORMATS)}")
        if file == "-":
            raise click.BadParameter(f"{value!r}: standard output is for --format {name}; name a file here")
        fault = unfit(file)
        if fault:
            raise click.BadParameter(fault)
        found.append((name, Path(file)))
        places = [os.path.realpath(place) for _, place in found]
        if places.count(places[-1]) > 1:
            raise click.BadParameter(f"{file} is named twice: each report needs a file of its own")
    return found


def unfit(file: str) -> str:
    """Why no report may be written there; "" when one may.

    A report replaces nothing but an earlier report: neither sources, nor the site, nor settings, nor notes.
    """
    from sitemap_guard.reports.earlier import LOOKED_AT, is_report

    if "\0" in file or not file.strip():
        return f"{file!r} is no name of a file; name one"
    if file.endswith(("/", os.sep)) or os.path.isdir(file):
        return f"{file} is a folder; name a file in it"
    if not os.path.isfile(file):
        return ""  # it is new, or it is a pipe or a device
    try:
        with open(file, "rb") as stream:
            ours = is_report(stream.read(LOOKED_AT))
    except OSError as error:
        return f"{file}: the file that is there cannot be read, so that it stays: {error.strerror or error}"
    return "" if ours else f"{file}: there is a file already that is no report; name another, or move it away first"


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
        UserError: the file cannot be written, or is there already and no report.
    """
    from sitemap_guard.model import UserError
    from sitemap_guard.reports import FORMATS as WRITERS
    from sitemap_guard.reports.style import Style

    fault = unfit(str(file))
    if fault:
        raise UserError(fault)
    is_new = not os.path.lexists(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = WRITERS[name](result, Style(everything=True, folder=Path.cwd().as_posix()))
        _await_reader(file)
        file.write_text(text, "utf-8")
    except OSError as error:
        if is_new:  # half a report is worse than none
            with contextlib.suppress(OSError):
                file.unlink()
        raise UserError(f"{file}: the report cannot be written: {error.strerror or error}") from None


def _colour() -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR says no (https://no-color.org); FORCE_COLOR says yes."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _await_reader(file: Path) -> None:
    """Raises OSError when nobody reads the named pipe that the file is: opening it would never end."""
    import errno
    import stat
    import time

    until = time.monotonic() + _PATIENCE
    while os.path.exists(file) and stat.S_ISFIFO(os.stat(file).st_mode):
        try:
            os.close(os.open(file, os.O_WRONLY | os.O_NONBLOCK))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        else:
            return
        if time.monotonic() > until:
            raise OSError(errno.ENXIO, "it is a pipe that nothing reads; start its reader first")
        time.sleep(0.05)


def exit_code(result: Result, fail_on: str) -> int:
    """0, 1 or 2 for a finished check: a check that found nothing to check is no success."""
    from sitemap_guard.model import Level

    if result.summary.urls == 0 and not result.narrowed:
        names = [result.site.place(sitemap.path) for sitemap in result.site.sitemaps[:3]]
        return nothing("checked", names, Path(result.site.folder))
    if fail_on == "never":
        return 0
    return int(any(finding.level >= Level[fail_on.upper()] for finding in result.findings))


def nothing(done: str, sitemaps: Sequence[str], folder: Path) -> int:
    """Say that there was nothing to do it with, and return the exit code for that."""
    from sitemap_guard.reports.safe import clean
    from sitemap_guard.sitemaps.discovery import sites_in
    from sitemap_guard.sitemaps.folders import passed_over

    if sitemaps:
        lacking = f"no entry could be read from {', '.join(sitemaps)}"
    else:
        below = [site for site in sites_in(folder) if site != folder]
        lacking = f"no sitemap in {_seen(folder)}" + (f"; did you mean {_seen(below[0])}?" if below else "")
    lacking += "".join(f"; {name} there is passed over, since {why}" for name, why in passed_over(folder)[:3])
    click.echo(f"sitemap-guard: nothing was {done}: {clean(lacking)}", err=True)
    return 2


def _seen(folder: Path) -> str:
    """A folder as it is seen from the working folder, if it lies below."""
    near = os.path.relpath(folder)
    return str(folder) if near.startswith("..") else Path(near).as_posix()
