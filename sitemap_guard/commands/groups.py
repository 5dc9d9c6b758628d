"""Options in groups, so that `--help` can be read like a page of a manual."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _Place(click.ParamType):  # type: ignore[type-arg]  # older versions of click do not know the argument
    """A path, taken as it is given; shells complete the names of files or folders."""

    name = "path"

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Ask the shell for its own completion."""
        from click.shell_completion import CompletionItem

        del ctx, param
        return [CompletionItem(incomplete, type=self._kind)]


FILE, FOLDER = _Place("file"), _Place("dir")


def rule_names(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The rules and families that a shell may complete."""
    from sitemap_guard.rules import BY_ID, FAMILIES

    return [name for name in (*FAMILIES, *BY_ID) if name.startswith(begun)]


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
