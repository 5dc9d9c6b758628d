"""`sitemap-guard schema`: the configuration's JSON Schema, for editors."""

from __future__ import annotations

import click


@click.command(short_help="Print the configuration's JSON Schema, for editors.")
def schema() -> None:
    """Print the JSON Schema (2020-12) of sitemap-guard.toml, for editors that complete and check settings."""
    import json

    from sitemap_guard.schema import schema as made

    click.echo(json.dumps(made(), indent=2, ensure_ascii=False))
