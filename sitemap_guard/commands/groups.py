"""Options in groups, so that `--help` can be read like a page of a manual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class Option(click.Option):
    """An option that belongs to a group: the heading that `--help` shows it under."""

    def __init__(self, *given: Any, group: str = "Options", **more: Any) -> None:
        super().__init__(*given, **more)
        self.group = group


class Command(click.Command):
    """A command whose `--help` shows the options by group, in the order of their first members."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group; click's own `--help` goes to the last one, `Other`."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "group", "Other"), []).append(record)
        sections["Other"] = sections.pop("Other", [])
        width = max((len(first) for records in sections.values() for first, _ in records), default=0)
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl([(first.ljust(min(width, 30)), text) for first, text in records], col_max=30)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option(group: str, *names: str, **settings: Any) -> Decorator:
    """`click.option` in a group."""
    return click.option(*names, cls=Option, group=group, **settings)


def together(*decorators: Decorator) -> Decorator:
    """Several options as one decorator, in the order in which they are shown."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate
