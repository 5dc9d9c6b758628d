"""`sitemap-guard indexnow`: tell search engines which pages changed, and only those."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands import options
from sitemap_guard.commands.groups import FILE, Command, option
from sitemap_guard.commands.reporting import exit_code

if TYPE_CHECKING:
    from sitemap_guard.changed import Changes
    from sitemap_guard.model import Result
    from sitemap_guard.notify.submit import Plan

_SENT, _WHERE = "What is sent", "The key and the engine"
STATE = ".sitemap-guard-indexnow.json"
_HIDDEN = "<key>"


@click.command(cls=Command, short_help="Tell search engines which pages changed (IndexNow).")
@options.subject
@option(
    _SENT, "--since", default="", metavar="REV|FILE", type=FILE, help="Send what changed since this. [the state file]"
)
@option(
    _SENT,
    "--state",
    default="",
    metavar="FILE",
    type=FILE,
    help=f"What was sent so far. [{STATE}, unless --since is given]",
)
@option(_SENT, "--all", "everything", is_flag=True, help="Send every page: for a move of the whole site.")
@option(_SENT, "--force", is_flag=True, help="Send although dates are false (pages with true dates only).")
@option(_SENT, "--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@option(
    _WHERE,
    "--key-file",
    default="",
    metavar="FILE",
    type=FILE,
    help="A file that holds the key. [$SITEMAP_GUARD_INDEXNOW_KEY]",
)
@option(
    _WHERE,
    "--key-location",
    default="",
    metavar="URL",
    help="Where the host serves the key's file, if it is not <key>.txt at the top of the site.",
)
@option(
    _WHERE, "--endpoint", default="", metavar="URL", help="The engine's address. [https://api.indexnow.org/indexnow]"
)
@options.running
def indexnow(**given: Any) -> int:
    """Tell search engines which pages changed since the last time, the new and the removed ones (uses the network).

    Run it after the site was deployed: engines fetch the key's file, and then the pages. The first run without
    --since only notes what is there. Nothing is sent while dates are false.

    Exit codes: 0 accepted, or nothing to send; 1 dates are false; 2 it could not be sent, or other input is wrong.
    """
    from sitemap_guard.model import UserError
    from sitemap_guard.notify.key import taken

    # Taken out of the environment first: no program that is started from here on gets to see it.
    key = taken(os.environ, given["key_file"])
    try:
        return _run(key, given, _Voice(key))
    except UserError as error:
        raise UserError(str(error).replace(key, _HIDDEN)) from None
    except Exception as error:
        import traceback

        if key not in "".join(traceback.format_exception(error)):
            raise
        # A bug of ours; not even its trace may show the key.
        raise RuntimeError(f"{type(error).__name__}: {error}".replace(key, _HIDDEN)) from None


class _Voice:
    """Tells people what happens, without ever telling the key."""

    def __init__(self, key: str) -> None:
        self._key = key

    def say(self, text: str, code: int = 0) -> int:
        from sitemap_guard.reports.safe import neutralise, visible

        click.echo(f"sitemap-guard: {neutralise(visible(text)).replace(self._key, _HIDDEN)}", err=True)
        return code

    def show(self, lines: Iterable[str]) -> None:
        from sitemap_guard.reports.safe import neutralise

        click.echo("".join(f"{neutralise(line)}\n" for line in lines).replace(self._key, _HIDDEN), nl=False)


def _run(key: str, given: dict[str, Any], voice: _Voice) -> int:
    from sitemap_guard.history.since import names_nothing
    from sitemap_guard.notify import state as file
    from sitemap_guard.notify.endpoint import DEFAULT, checked
    from sitemap_guard.notify.key import placed
    from sitemap_guard.notify.submit import planned

    if given["everything"] and given["since"]:
        raise click.UsageError("--all sends every page, --since what changed: leave out one of the two")
    known = options.settings(given)
    config = known.config
    set_there = os.path.relpath(known.home(Path.cwd()) / config.indexnow.state) if config.indexnow.state else ""
    state = given["state"] or set_there or ("" if given["since"] else STATE)
    if state and os.path.exists(state):
        file.read(Path(state))  # what is no state file is told before anything is compared with it, or sent
    endpoint = checked(given["endpoint"] or config.indexnow.endpoint or DEFAULT)
    result = options.checked(given)
    if result.summary.urls == 0:
        return exit_code(result, "never")
    if result.summary.false and not given["force"]:
        return voice.say(
            f"{_counted(result.summary.false, 'false date')}, so nothing is sent: engines stop believing a site whose "
            "dates are invented. `sitemap-guard check` shows them; --force sends the pages with true dates",
            1,
        )
    since = "" if names_nothing(given["since"]) else given["since"]
    if not (since or state or given["everything"]):
        return voice.say("nothing is sent: there was no commit before to compare with (--all sends the whole site)")
    place = placed(
        key, Path(result.site.folder), result.site.base_url, given["key_location"] or config.indexnow.key_location
    )
    if place.note:
        voice.say(place.note)
    changes = _changes(result, since, state, given)
    if changes is None:
        return _adopt(result, Path(state), given, voice)
    plan = planned(changes.urls, result.site.base_url, place)
    _tell_rest(plan, changes, voice)
    if not plan.urls:
        voice.say(f"nothing to send: no page changed since {changes.since}")
    if given["dry_run"]:
        return _dry(plan, endpoint, voice)
    return _send(plan, key, endpoint, result, state, voice)


def _changes(result: Result, since: str, state: str, given: dict[str, Any]) -> Changes | None:
    """What is to be sent; None when there is nothing yet to compare with."""
    from sitemap_guard import changed, earlier

    if given["everything"]:
        return changed.since_dates(result.site.entries, {}, "the beginning")
    if not since and not os.path.exists(state):
        return None
    found = earlier.changes(result, since or state, Path.cwd(), repo=given["repo"], rev=given["rev"])
    if not since or not state or not os.path.exists(state):
        return found
    from sitemap_guard.notify.state import read

    return changed.without_told(found, read(Path(state)))


def _adopt(result: Result, state: Path, given: dict[str, Any], voice: _Voice) -> int:
    from sitemap_guard.changed import remembered
    from sitemap_guard.notify.state import write

    known = remembered({}, result.site.entries, frozenset())
    if not given["dry_run"]:
        write(state, known)
    noted = _counted(len(known), "page")
    return voice.say(f"first run: {noted} noted in {state}, nothing sent (--all sends the whole site)")


def _tell_rest(plan: Plan, changes: Changes, voice: _Voice) -> None:
    from sitemap_guard.commands.changed import untold
    from sitemap_guard.reports.safe import clean

    if changes.untold:
        voice.say(f"not sent: {untold(changes)}")
    if plan.foreign:
        where = plan.place.below.partition("://")[2]
        first = clean(plan.foreign[0])
        count = _counted(len(plan.foreign), "address", "es")
        voice.say(f"not sent: {count} not below {clean(where)}, where the key counts ({first})")


def _dry(plan: Plan, endpoint: str, voice: _Voice) -> int:
    from sitemap_guard.notify.submit import batches

    voice.show(plan.urls)
    addresses, count = _counted(len(plan.urls), "address", "es"), len(list(batches(plan.urls)))
    return voice.say(f"dry run: {addresses} in {_counted(count, 'submission')} to {endpoint}; nothing was sent")


def _send(plan: Plan, key: str, endpoint: str, result: Result, state: str, voice: _Voice) -> int:
    from sitemap_guard.changed import remembered
    from sitemap_guard.notify import state as file
    from sitemap_guard.notify.send import Patience, post
    from sitemap_guard.notify.submit import submit

    known = file.read(Path(state)) if state and os.path.exists(state) else {}
    listed = {entry.url for entry in result.site.entries}
    # What may not be sent with this key is not told yet, unless it is gone for good.
    pending = {*plan.urls, *(url for url in plan.foreign if url in listed)}

    def note() -> None:
        if state:
            file.write(Path(state), remembered(known, result.site.entries, frozenset(pending)))

    def accepted(batch: Sequence[str], words: str) -> None:
        pending.difference_update(batch)
        note()
        voice.say(f"{_counted(len(batch), 'address', 'es')}: {words}")

    if not plan.urls:
        note()
        return 0
    note()  # so that a state that cannot be written is known before anything is sent
    patience = Patience()

    def tell(text: str) -> None:
        voice.say(text)

    submit(plan, key, lambda body: post(endpoint, body, patience, tell, secret=key), accepted)
    return 0


def _counted(count: int, noun: str, plural: str = "s") -> str:
    return f"{count:,} {noun}{plural if count != 1 else ''}"
