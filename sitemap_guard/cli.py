"""The command line: the only module that knows argv, standard streams and exit codes.

Exit codes: 0 nothing at or over `--fail-on`, 1 findings, 2 usage, configuration, unreadable input or nothing checked,
3 a bug of ours, 130 stopped by Ctrl-C. A reader of the output that has gone changes none of them. Everything heavy is
imported where it is used, so that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any, TextIO

import click

from sitemap_guard import __version__

_ISSUES = "please report it, with the output of the same command and --debug"


def entry() -> None:
    """The console script."""
    _open_streams()
    sys.stdout = _lasting(sys.stdout, BrokenPipeError)
    sys.stderr = _lasting(sys.stderr, OSError)
    sys.exit(main(sys.argv[1:]))


def main(argv: list[str]) -> int:
    """Run one command and return its exit code; nothing escapes but what the interpreter itself raises."""
    from sitemap_guard.model import UserError

    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    empty = _empty(argv)
    if empty:
        return _fail(f"{empty} is empty; write what is meant, or leave it out", 2)
    try:
        return int(cli.main(args=argv or ["--help"], prog_name="sitemap-guard", standalone_mode=False) or 0)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return _fail(_usage(error), 2)
    except UserError as error:
        return _fail(str(error), 2, error if "--debug" in argv else None)
    except (KeyboardInterrupt, click.Abort):
        return _fail("stopped", 130)
    except Exception as error:
        if isinstance(error, OSError) and _of_output(error):
            with contextlib.suppress(OSError, ValueError):
                _abandon(sys.stdout.fileno())
            return _fail(f"standard output cannot be written: {error.strerror or error}", 2)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _fail(f"internal error: {what}; {_ISSUES}", 3, error if "--debug" in argv else None)


def _empty(argv: list[str]) -> str:
    """Which argument is empty, as from a variable of a shell that is not set; "" when none is."""
    for place, argument in enumerate(argv):
        name, mark, value = argument.partition("=")
        if not argument:
            before = argv[place - 1] if place else ""
            return f"the argument after {before}" if before else "an argument"
        if mark and not value and name.startswith("--"):
            return f"the value of {name}"
    return ""


def _open_streams() -> None:
    """Standard streams that the caller closed lead nowhere from here on; no file that is opened takes their place."""
    missing = [stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)]
    # Opening takes the lowest descriptor that is free: the missing ones, in this order.
    if missing[0]:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if missing[1]:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if missing[2]:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class _Lasting(io.FileIO):
    """A standard stream that goes on, leading nowhere, after an error that is no reason to end the command."""

    def __init__(self, stream: TextIO, forgiven: type[OSError]) -> None:
        super().__init__(stream.fileno(), "w", closefd=False)
        self._stream = stream  # which would close the descriptor when nobody has it any more
        self._forgiven = forgiven

    def write(self, data: Any) -> int:
        """The number of bytes taken."""
        try:
            return super().write(data)
        except self._forgiven:
            _abandon(self.fileno())
            return len(data)


def _lasting(stream: TextIO, forgiven: type[OSError]) -> TextIO:
    """The stream, which forgives these errors: the exit code tells how the check went, not whether it was read."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # unbuffered (PYTHONUNBUFFERED), there is no layer between
    if type(raw) is not io.FileIO:  # the console of Windows is another thing
        return stream
    lasting = io.BufferedWriter(_Lasting(stream, forgiven))
    return io.TextIOWrapper(lasting, stream.encoding, line_buffering=getattr(stream, "line_buffering", False))


def _of_output(error: OSError) -> bool:
    """Whether it was printing that failed, and no file."""
    trace = error.__traceback__
    names = set()
    while trace is not None:
        names.add(trace.tb_frame.f_globals.get("__name__"))
        trace = trace.tb_next
    return error.filename is None and "click.utils" in names


def _abandon(descriptor: int) -> None:
    """Nobody takes this output any more; Python would complain once more when it closes the stream."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    hint = f" (see {context.command_path} --help)" if context is not None else ""
    return error.format_message().rstrip(".") + hint


def _fail(message: str, code: int, error: BaseException | None = None) -> int:
    from sitemap_guard.reports.safe import neutralise, visible

    if error is not None:
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True)
    click.echo(f"sitemap-guard: {neutralise(visible(message))}", err=True)
    return code


def _version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"sitemap-guard {__version__}")
        context.exit()


# Every command, and the module that has it: imported when it is called or listed.
COMMANDS = {
    "check": "sitemap_guard.commands.check",
    "why": "sitemap_guard.commands.why",
    "map": "sitemap_guard.commands.map",
    "init": "sitemap_guard.commands.init",
    "changed": "sitemap_guard.commands.changed",
    "indexnow": "sitemap_guard.commands.indexnow",
    "dates": "sitemap_guard.commands.dates",
    "report": "sitemap_guard.commands.report",
    "fix": "sitemap_guard.commands.fix",
    "demo": "sitemap_guard.commands.demo",
    "rules": "sitemap_guard.commands.rules",
    "explain": "sitemap_guard.commands.rules",
    "schema": "sitemap_guard.commands.schema",
}


# How `--help` groups them; a command that is not here is listed last.
GROUPS = {
    "Checking": ("check", "why", "map", "dates", "report"),
    "Mending": ("fix", "init"),
    "Telling search engines": ("changed", "indexnow"),
}


class _Commands(click.Group):
    """The group of COMMANDS."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by group, each with its one line."""
        grouped = {name for names in GROUPS.values() for name in names}
        rest = tuple(name for name in COMMANDS if name not in grouped)
        width = max(map(len, COMMANDS))
        for title, names in {**GROUPS, "Learning": rest}.items():
            found = [(name, self.get_command(ctx, name)) for name in names if name in COMMANDS]
            rows = [(name.ljust(width), command.get_short_help_str(80)) for name, command in found if command]
            with formatter.section(title):
                formatter.write_dl(rows)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        import importlib

        command: Any = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name)
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def cli() -> None:
    """Test whether a site's sitemap tells the truth.

    Every lastmod is compared with the git history of the page's source, every loc with the page that was built.
    `sitemap-guard demo` shows it on a small site.
    """
