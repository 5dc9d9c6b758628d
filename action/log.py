"""The log of a workflow step, which the runner reads for commands while people read it for news.

Everything that the tool says may quote the site, so none of it may be taken for a command; only annotations, which
are escaped, may.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

# The only commands of the tool's own output that are passed on, each alone on its line. The runner ends a line at
# CR as well as at LF, and a line that starts as a command is not searched for the older form `##[name]`.
_ANNOTATION = re.compile(r"::(?:error|warning|notice)(?: [^\r\n]*?)?::[^\r\n]*")


def say(line: str = "") -> None:
    """Prints a line at once, so that it stays in order with what child processes print."""
    print(line, flush=True)


@contextmanager
def stopped_commands() -> Iterator[None]:
    """Between its ends the runner takes no line of the log for a command, whatever the line says."""
    token = secrets.token_hex(16)
    say(f"::stop-commands::{token}")
    try:
        yield
    finally:
        # The blank line ends a line that a child may have left open.
        say()
        say(f"::{token}::")


@contextmanager
def group(title: str) -> Iterator[None]:
    """Folds what is printed inside."""
    say(f"::group::{title}")
    try:
        yield
    finally:
        say("::endgroup::")


def escape_data(text: str) -> str:
    """The message of a workflow command: `%`, CR and LF escaped (actions/toolkit, command.ts), controls blank."""
    visible = "".join(char if char in "\n\r" or char.isprintable() else " " for char in text)
    return visible.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def annotate_error(message: str) -> None:
    """Shows an error on the run's page. 64 KB are allowed; nobody reads so much."""
    say(f"::error title=sitemap-guard::{escape_data(message[:4000])}")


def mask(secret: str) -> None:
    """Has the runner hide a text in the rest of the log. The text must be of one line."""
    say(f"::add-mask::{escape_data(secret)}")


def annotation_lines(text: str) -> list[str]:
    """The lines of the tool's output that are annotations and nothing else."""
    return [line for line in text.split("\n") if _ANNOTATION.fullmatch(line)]
