"""`sitemap-guard demo`."""

from __future__ import annotations

import click

from sitemap_guard.commands.reporting import exit_code, report


@click.command(short_help="Check a small site with common lies.")
@click.option("--keep", default="", metavar="DIR", help="Make the demo's site in DIR and leave it there.")
@click.option("--debug", is_flag=True, hidden=True)
def demo(keep: str, debug: bool) -> int:
    """Make a small site with one lie of each common kind, check it, and show the report."""
    del debug
    from sitemap_guard import demo as stage

    given = {"everything": False, "verbose": 0, "quiet": 0, "form": "text", "outputs": []}
    with stage.site(keep) as made:
        click.echo(stage.introduction(made))
        result = stage.check(made)
        report(result, given)
        click.echo(stage.closing(made, exit_code(result, "error"), kept=bool(keep)))
    return 0
