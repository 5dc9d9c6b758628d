"""`sitemap-guard fix`: makes the dates of a built sitemap true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import Command, option, together

if TYPE_CHECKING:
    from sitemap_guard.fix.files import Opened
    from sitemap_guard.fix.plan import Planned
    from sitemap_guard.model import Result

_WHAT = "What is mended"
_SHOWN = 3
_WORDS = {
    "rewritten": ("date {}rewritten", "dates {}rewritten"),
    "removed": ("date {}taken out, since nothing supports it", "dates {}taken out, since nothing supports them"),
    "added": ("date {}added", "dates {}added"),
    "dropped": ("entry {}dropped", "entries {}dropped"),
}

mending = together(
    option(_WHAT, "--diff", "only_diff", is_flag=True, help="Print the change as a diff, and write nothing."),
    option(_WHAT, "--prune", is_flag=True, help="Drop entries that redirect, say noindex or lead to no page."),
    option(_WHAT, "--fields", is_flag=True, help="Set date fields in sources that are older than their pages."),
    option(_WHAT, "--add-missing", is_flag=True, help="Date the entries that have none, where git knows the page."),
)


@click.command(cls=Command, short_help="Make the dates of a built sitemap true.")
@options.subject
@mending
@options.running
def fix(**given: Any) -> int:
    """Make the dates of a built sitemap true: false ones get the date of the page's last change.

    Only false values are replaced, byte for byte; a date that nothing supports is taken out. Packed twins are made
    anew. Nothing is written unless a second parser reads the result as planned.

    Exit codes: 0 all is well now; 1 --diff found something to change, or false dates stay in a file that is not
    written (a link, a feed); 2 usage, configuration, unreadable input, or nothing was checked; 3 an internal error.
    """
    from msgspec.structs import replace

    from sitemap_guard.fix import Changed, Options, open_files, plan, plan_fields, write_all
    from sitemap_guard.fix.files import changes

    # What a baseline accepts is false all the same.
    result = options.checked(given, baseline=None)
    opened = open_files(result)
    planned = plan(result, opened.plain, Options(given["prune"], given["add_missing"]))
    changed = changes(result, opened, planned)
    fields, left = plan_fields(result) if given["fields"] else ([], [])
    if given["only_diff"]:
        _show([(one, result.site.place(one.path)) for one in planned] + [(one, one.path) for one in fields])
    else:
        write_all(result.site, changed)
        root = replace(result.site, folder=result.site.repository.root, shown="")
        write_all(root, [Changed(one.path, one.before, one.after) for one in fields])
    stays = _stays(result, opened.left, [one.path for one in planned])
    _tell(
        result,
        planned,
        [one.path for one in changed],
        given,
        stays=stays,
        others=None if fields or left else _others(opened),
    )
    _tell_fields(fields, left, given)
    _tell_left(result, opened.left)
    return _code(result, bool(changed or fields), given, stays=stays)


def _others(opened: Opened) -> str | None:
    """The files that may be written, as the end of a sentence: "" for all, None when there are none."""
    return ("" if not opened.left else " in the other files") if opened.plain else None


def _tell_left(result: Result, left: Sequence[tuple[str, str]]) -> None:
    """Say which files are not written, and how many false dates stay in them."""
    from sitemap_guard.reports import words

    false = _false(result)
    for path, reason in left:
        count = false[path]
        stay = f"; {words.number(count, 'false date')} {'stays' if count == 1 else 'stay'} in it" if count else ""
        _say(f"{result.site.place(path)}: left as it is, since {reason}{stay}")


def _code(result: Result, changes: bool, given: dict[str, Any], *, stays: bool) -> int:
    from sitemap_guard.commands.reporting import exit_code

    code = exit_code(result, "never")
    if code or _unjudged(result) or (_cut_off(result) and not changes):
        return code or 2
    return int(stays or (given["only_diff"] and changes))


def _stays(result: Result, left: Sequence[tuple[str, str]], changed: list[str]) -> bool:
    """Whether something false stays in a file that is not written: a date, or what a packed twin says."""
    false = _false(result)
    unread = {sitemap.path for sitemap in result.site.sitemaps if sitemap.kind == "none"}
    return any(false[path] or path in unread or path.removesuffix(".gz") in changed for path, _ in left)


def _false(result: Result) -> Counter[str]:
    """How many dates a finding calls false, by sitemap."""
    from sitemap_guard.model import Answer

    found = {(finding.loc, finding.rule) for finding in result.findings}
    return Counter(
        entry.claim.sitemap
        for entry in result.site.entries
        if entry.verdict.answer is Answer.FALSE and (entry.claim.loc, entry.verdict.rule) in found
    )


def _unjudged(result: Result) -> str:
    """Why no date could be compared with the history; "" when they were, or there is none."""
    summary, repository = result.summary, result.site.repository
    return repository.detail or repository.problem if summary.urls > summary.absent and repository.problem else ""


def _cut_off(result: Result) -> int:
    from sitemap_guard.fix.plan import cut_off

    return sum(map(cut_off, result.site.entries))


def _show(planned: list[tuple[Planned, str]]) -> None:
    from sitemap_guard.fix.diff import can_be_applied, unified

    for one, name in planned:
        for line in unified(one, name):
            click.echo(line)
        if not can_be_applied(one, name):
            why = (
                "it is of a packed file's text" if name.lower().endswith(".gz") else "unseen characters are shown in it"
            )
            _say(f"{name}: this diff cannot be applied, since {why}; run fix without --diff instead")


def _tell(
    result: Result,
    planned: list[Planned],
    changed: list[str],
    given: dict[str, Any],
    *,
    stays: bool,
    others: str | None,
) -> None:
    """What was done, on standard error: standard output is for the diff.

    `others` tells which files there was nothing to change in; None: of none this is to be said.
    """
    from sitemap_guard.reports import words

    would = "would be " if given["only_diff"] else ""
    for one in planned:
        counts = one.counts()
        parts = [f"{counts[kind]:,} {_WORDS[kind][counts[kind] != 1].format(would)}" for kind in _WORDS if counts[kind]]
        _say(f"{result.site.place(one.path)}: {', '.join(parts)}")
    plain = {one.path for one in planned}
    for path in changed:
        if path not in plain:
            _say(f"{result.site.place(path)}: {would}made anew from the file beside it")
    unjudged, cut_off = _unjudged(result), _cut_off(result)
    if unjudged:
        _say(f"sitemap-guard: no date could be judged: {unjudged}")
    elif cut_off:
        _say(f"{words.number(cut_off, 'date')} not touched: this clone is shallow; fetch the whole history first")
    elif others is not None and not (changed or stays) and result.summary.urls:
        _say(f"nothing to change{others}")
    _tell_prunable(result, given)
    untold = result.summary.cannot_tell
    if untold:
        _say(f"{words.number(untold, 'date')} cannot be told and {'was' if untold == 1 else 'were'} left alone")


def _tell_prunable(result: Result, given: dict[str, Any]) -> None:
    from sitemap_guard.fix.prune import prunable

    found = prunable(result)
    if found.gone and not given["prune"]:
        _say(f"entries that redirect, say noindex or lead to no page: {len(found.gone):,}; --prune drops them")
    for reason, count in found.kept.items() if given["prune"] else ():
        _say(f"{count:,} {'entry' if count == 1 else 'entries'} not dropped: {reason}")


def _tell_fields(fields: list[Planned], left: list[tuple[str, str]], given: dict[str, Any]) -> None:
    for reason in dict.fromkeys(reason for _, reason in left):
        paths = [path for path, told in left if told == reason]
        more = f" and {len(paths) - _SHOWN:,} more" if len(paths) > _SHOWN else ""
        what = "its date field is left as it is" if len(paths) == 1 else "their date fields are left as they are"
        _say(f"{', '.join(paths[:_SHOWN])}{more}: {what}, since {reason}")
    if fields:
        what = "would be set" if given["only_diff"] else "set: commit them and build the site again"
        _say(f"{len(fields):,} date {'field' if len(fields) == 1 else 'fields'} {what}")


def _say(text: str) -> None:
    from sitemap_guard.reports.safe import neutralise, visible

    click.echo(neutralise(visible(text)), err=True)
