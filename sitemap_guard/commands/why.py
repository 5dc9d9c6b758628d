"""`sitemap-guard why URL`: everything that is known about one address."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import Command

if TYPE_CHECKING:
    from sitemap_guard.model import Change, Entry, Finding, Result, Site

# Every moment that a claim can name: so all twins and merges that are newer than the last change are found.
_EVER = ((0, 1 << 40),)
_MOST = 5  # pages that are shown at once
_LOOKED_AT = 20_000  # addresses among which the nearest is looked for


@click.command(cls=Command, short_help="Show everything that is known about one address.")
@click.argument("url")
@options.subject
@options.running
def why(**given: Any) -> int:
    """Show everything that is known about one address: what the sitemap claims, the built file, what the host answers,
    canonical, robots, alternates, the source and how it was found, its changes, who links to it, and the verdict.

    URL is an address of the sitemap, its path below the host or below the site's address, or the path of a built file
    or of a source.

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
    """The entries that the user may mean: by address in any spelling, by path, by built file, or by source.

    Raises:
        UserError: too many pages are made from the source.
    """
    entries = result.site.entries
    exact = [entry for entry in entries if entry.claim.loc == wanted]
    if exact:
        return exact
    for href in _addresses(result.site, wanted):
        forms = {href, href.rstrip("/"), f"{href}/"}
        same = [entry for entry in entries if entry.url == href]
        near = same or [entry for entry in entries if entry.url in forms]
        if near:
            return near
    paths = _paths(result, wanted)
    by_file = [one for one in entries if one.located.path and result.site.place(one.located.path) in paths]
    by_source = by_file or [entry for entry in entries if entry.mapping.content in paths]
    if len(by_source) > _MOST:
        from sitemap_guard.model import UserError

        first = ", ".join(entry.claim.loc for entry in by_source[:3])
        raise UserError(f"{wanted}: {len(by_source):,} pages are made from it ({first}, …); name one of them")
    return by_source


def _addresses(site: Site, wanted: str) -> list[str]:
    """The addresses that a text can be: a whole one; of a path, below the host, and else below the site's address."""
    from sitemap_guard import urls

    base = site.base_url or None
    texts = [wanted] if urls.is_absolute(wanted) else [wanted, wanted.lstrip("/")]
    found = [urls.parse(text, None if urls.is_absolute(text) else base) for text in texts]
    return list(dict.fromkeys(address.href for address in found if address is not None))


def _paths(result: Result, wanted: str) -> set[str]:
    """The paths that a text can be, as places are shown: from the working folder, the built site, and the root."""
    from pathlib import Path

    site = result.site
    found = {wanted.removeprefix("./"), site.place(wanted.removeprefix("./"))}
    if "\0" in wanted:
        return found
    there = Path(os.path.realpath(wanted))
    built, root = Path(os.path.realpath(site.folder)), Path(os.path.realpath(site.repository.root))
    if there.is_relative_to(built):
        found.add(site.place(there.relative_to(built).as_posix()))
    if site.repository.root and there.is_relative_to(root):
        found.add(there.relative_to(root).as_posix())
    return found


def _unknown(result: Result, wanted: str) -> str:
    """Why there is nothing to show, with the nearest address that is listed."""
    import difflib

    site = result.site
    addresses = {href.rstrip("/") for href in _addresses(site, wanted)}
    paths = _paths(result, wanted)
    for one in site.built:
        if one.url.rstrip("/") in addresses or site.place(one.page.path) in paths:
            return f"{wanted}: it was built ({site.place(one.page.path)}), but no sitemap lists it"
    # What all addresses begin with would make each of them like any other.
    listed = {entry.claim.loc.removeprefix(site.base_url): entry.claim.loc for entry in site.entries[:_LOOKED_AT]}
    for text in (wanted.removeprefix(site.base_url).lstrip("/"), wanted):
        near = difflib.get_close_matches(text, listed, 1, 0.5)
        if near:
            return f"{wanted}: no sitemap lists it; did you mean {listed[near[0]]}?"
    return f"{wanted}: no sitemap lists it"


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
