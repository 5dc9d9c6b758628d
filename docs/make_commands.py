"""Writes docs/command-line.md from the commands' own help, or with --check says whether it is current."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sitemap_guard import cli

PAGE = Path(__file__).resolve().parent / "command-line.md"
_INTRODUCTION = """# Command line

Written from the commands' own help (`sitemap-guard COMMAND --help`).

Exit codes: 0 nothing at or over `--fail-on`; 1 findings; 2 usage, configuration, unreadable input, or nothing was
checked (no sitemap, or none with an entry); 3 an internal error; 130 stopped by Ctrl-C. A reader that leaves early
(`| head`) changes none of them. Dates of which none could be judged are an error finding, hence 1, and a sitemap
without any date is none, hence 0; `fix` ends with 2 without a history. Reports go to standard output, everything else
to standard error. `NO_COLOR` and `FORCE_COLOR` are honoured.

## Completion

Commands, options and rules are completed by the shell after one of these lines in its start-up file:

```sh
eval "$(_SITEMAP_GUARD_COMPLETE=bash_source sitemap-guard)"            # ~/.bashrc
eval "$(_SITEMAP_GUARD_COMPLETE=zsh_source sitemap-guard)"             # ~/.zshrc
_SITEMAP_GUARD_COMPLETE=fish_source sitemap-guard | source             # ~/.config/fish/config.fish
```
"""


def text() -> str:
    """The page: how to call it, then each command's help."""
    top = click.Context(cli.cli, info_name="sitemap-guard", terminal_width=96)
    parts = [_INTRODUCTION, f"```text\n{cli.cli.get_help(top).rstrip()}\n```\n"]
    for name in cli.COMMANDS:
        command = cli.cli.get_command(top, name)
        if command is not None:
            context = click.Context(command, info_name=name, parent=top, terminal_width=96)
            parts.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.is_file() and PAGE.read_text("utf-8") == text() else "command-line.md is old: run make docs")
    PAGE.write_text(text(), "utf-8")
