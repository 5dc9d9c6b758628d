"""`sitemap-guard why URL`: everything that is known about one address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import Command

if TYPE_CHECKING:
    from sitemap_guard.model import Change, Entry, Finding, Result

# Every moment that a claim can name: so all twins and merges that are newer than the last change are found.
_EVER = ((0, 1 << 40),)


@click.command(cls=Command, short_help="Show everything that is known about one address.")
@click.argument("url")
@options.subject
@options.running
def why(**given: Any) -> int:
    """Show everything that is known about one address: what the sitemap claims, the built file, what the host answers,
    canonical, robots, alternates, the source and how it was found, its changes, who links to it, and the verdict.

    URL is an address of the sitemap, its path, or the path of a built file.

    Exit codes: 0 nothing is wrong with it; 1 there are findings; 2 no sitemap lists it, or a usage error.
    """
    from sitemap_guard.reports.why import Known, text

    result = options.checked(given, links=True)
    if result.summary.urls == 0:
        from sitemap_guard.commands.reporting import exit_code

        return exit_code(result, "never")
    entries = _found(result, given["url"])
    if not entries:
        from sitemap_guard.model import UserError

        raise UserError(_unknown(result, given["url"]))
    broken = False
    for number, entry in enumerate(entries):
        findings = _about(result, entry)
        broken = broken or bool(findings)
        changes, subjects = _changes(given, entry)
        if number:
            click.echo()
        click.echo(text(result, Known(entry, changes, subjects, findings)), nl=False)
    return int(broken)


def _found(result: Result, wanted: str) -> list[Entry]:
    """The entries that the user may mean: by address in any spelling, by path, or by built file."""
    from sitemap_guard import urls

    site = result.site
    exact = [entry for entry in site.entries if entry.claim.loc == wanted]
    if exact:
        return exact
    address = urls.parse(wanted) if urls.is_absolute(wanted) else urls.parse(wanted, site.base_url or None)
    forms = {address.href, address.href.rstrip("/"), f"{address.href}/"} if address is not None else set[str]()
    same = [entry for entry in site.entries if address is not None and entry.url == address.href]
    near = [entry for entry in site.entries if entry.url in forms]
    path = wanted.removeprefix("./")
    by_file = [
        entry
        for entry in site.entries
        if entry.located.path and path in (entry.located.path, site.place(entry.located.path))
    ]
    return same or near or by_file


def _unknown(result: Result, wanted: str) -> str:
    """Why there is nothing to show, with the nearest address that is listed."""
    import difflib

    site = result.site
    names = wanted.removeprefix("./")
    for one in site.built:
        if wanted.rstrip("/") == one.url.rstrip("/") or names in (one.page.path, site.place(one.page.path)):
            return f"{wanted}: it was built ({site.place(one.page.path)}), but no sitemap lists it"
    near = difflib.get_close_matches(wanted, [entry.claim.loc for entry in site.entries[:20_000]], 1, 0.5)
    return f"{wanted}: no sitemap lists it" + (f"; did you mean {near[0]}?" if near else "")


def _about(result: Result, entry: Entry) -> tuple[Finding, ...]:
    return tuple(finding for finding in result.findings if finding.loc and finding.loc == entry.claim.loc)


def _changes(given: dict[str, Any], entry: Entry) -> tuple[tuple[Change, ...], dict[str, str]]:
    """The changes of the entry's source, newest first, and their subjects."""
    from sitemap_guard import guard, whereabouts
    from sitemap_guard.history.environment import isolated_git
    from sitemap_guard.judgement.closer import Closer

    content = entry.mapping.content
    if not content:
        return (), {}
    known = options.settings(given)
    config, asked = known.config, options.asked(given, known)
    folder = guard.site_folder(asked, config)
    place = asked.start / asked.repo if asked.repo else whereabouts.repository_start(folder, asked.start)
    with isolated_git() as index_file, guard.open_repository(place, folder, asked, config, index_file) as history:
        if history.repository.problem:
            return (), {}
        closer = Closer(history, config.dates, config.policy)
        found = closer.chains(history.walk({content: _EVER}), [content])[content]
        chain = found.chain or ((found.last,) if found.last is not None else ())
        changes = sorted((*chain, *found.others[:3]), key=lambda change: -change.commit.committed.seconds)
        return tuple(changes), history.subjects({change.commit.id for change in changes})
