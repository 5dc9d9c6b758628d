"""`sitemap-guard changed`: the addresses that a search engine should look at again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import FILE, Command, option
from sitemap_guard.commands.reporting import exit_code

if TYPE_CHECKING:
    from sitemap_guard.changed import Changes, Moved


@click.command(cls=Command, short_help="List the pages whose verified date moved.")
@options.subject
@option(
    "What is compared",
    "--since",
    required=True,
    metavar="REV|FILE",
    type=FILE,
    help="A revision, the published sitemap's file, or the state file of `indexnow`.",
)
@option(
    "Reports",
    "--format",
    "form",
    type=click.Choice(["text", "urls", "json"]),
    default="text",
    help="What is printed; urls: one address a line, for other programs. [text]",
)
@options.running
def changed(**given: Any) -> int:
    """List the pages whose verified date moved since a revision or an earlier sitemap, the new and the removed ones.

    A date counts only if it is true: a build that stamps every page changes nothing here. Removed pages can be told
    only by an earlier sitemap or a state file, not by a revision.
    """
    from sitemap_guard import earlier
    from sitemap_guard.reports.safe import neutralise

    result = options.checked(given)
    if result.summary.urls == 0:
        return exit_code(result, "never")
    found = earlier.changes(result, given["since"], Path.cwd(), repo=given["repo"], rev=given["rev"])
    writers = {"text": text, "urls": _urls, "json": _json}
    click.echo(writers[given["form"]](found), nl=False)
    if given["form"] == "urls" and found.untold:
        click.echo(neutralise(f"sitemap-guard: {untold(found)}"), err=True)
    return 0


def text(found: Changes) -> str:
    """The changes for people."""
    from sitemap_guard.reports.safe import clean

    lines = []
    for word, moved in (("changed", found.changed), ("new", found.new)):
        lines += [f"{word:<8}  {clean(one.url)}  {_dates(one)}".rstrip() for one in moved]
    lines += [f"{'removed':<8}  {clean(url)}" for url in found.removed or ()]
    lines += [f"{'untold':<8}  {clean(url)}" for url in found.untold]
    removed = "removed: not known from a revision" if found.removed is None else f"{len(found.removed):,} removed"
    lines.append(
        f"since {clean(found.since)}: {len(found.changed):,} changed, {len(found.new):,} new, {removed}"
        + (f"; {untold(found)}" if found.untold else "")
    )
    return "\n".join(lines) + "\n"


def untold(found: Changes) -> str:
    """What could not be told, in words."""
    count = len(found.untold)
    return f"{count:,} page{'s' if count != 1 else ''} may have changed, but the date is false or cannot be verified"


def _dates(one: Moved) -> str:
    from sitemap_guard.reports.safe import clean

    return clean(" -> ".join(text for text in (one.before, one.lastmod) if text))


def _urls(found: Changes) -> str:
    from sitemap_guard.reports.safe import neutralise

    return "".join(f"{neutralise(url)}\n" for url in found.urls)


def _json(found: Changes) -> str:
    import json

    from sitemap_guard.reports.safe import encodable, inert

    table = {
        "version": 1,
        "since": encodable(found.since),
        "changed": [{"loc": one.url, "lastmod": one.lastmod, "before": one.before} for one in found.changed],
        "new": [{"loc": one.url, "lastmod": one.lastmod} for one in found.new],
        "removed": None if found.removed is None else list(found.removed),
        "untold": list(found.untold),
    }
    return inert(json.dumps(table, indent=2, ensure_ascii=False)) + "\n"
