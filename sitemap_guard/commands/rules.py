"""`sitemap-guard rules` and `sitemap-guard explain RULE`."""

from __future__ import annotations

import click


def _ids(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    from sitemap_guard.rules import BY_ID

    return [name for name in BY_ID if name.startswith(begun)]


@click.command()
def rules() -> None:
    """List the rules with their default levels."""
    from sitemap_guard.rules import RULES

    width = max(len(rule.id) for rule in RULES)
    for rule in RULES:
        summary = (rule.check.__doc__ or "").strip().splitlines()[0]
        click.echo(f"{rule.id:<{width}}  {rule.level.word:<7}  {summary}")


@click.command(short_help="Explain a rule, with examples.")
@click.argument("rule", shell_complete=_ids)
def explain(rule: str) -> None:
    """Explain a rule: why it matters, a bad and a good example, how to mend it."""
    import difflib
    import inspect

    from sitemap_guard.rules import BY_ID

    if rule not in BY_ID:
        near = difflib.get_close_matches(rule, BY_ID, 1)
        hint = f"did you mean {near[0]!r}?" if near else "`sitemap-guard rules` lists them"
        raise click.UsageError(f"there is no rule {rule!r}; {hint}")
    found = BY_ID[rule]
    click.echo(f"{found.id} ({found.level.word})\n\n{inspect.cleandoc(found.check.__doc__ or '')}")
