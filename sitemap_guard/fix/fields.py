"""Date fields in sources that have gone stale: moved to the page's last change that counts, where that is certain.

Only the value's characters change: quotes, comments and everything else of the file stay. What is written in a way
that this does not know, what has edits that are not committed, and days of publication are left alone, and told.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sitemap_guard.fix import stamps
from sitemap_guard.fix.files import unfit
from sitemap_guard.fix.plan import Edit, Planned, applied
from sitemap_guard.judgement.judge import moment_of
from sitemap_guard.model import Entry, Field, Instant, Repository, Result, Witness
from sitemap_guard.sources import front_matter
from sitemap_guard.sources.headers import Header, header_of

RULE = "lastmod-field-stale"
# A field's zone is told by a claim that shows the same moment at most so many seconds apart.
_ZONES = 14 * 3600


def plan_fields(result: Result) -> tuple[list[Planned], list[tuple[str, str]]]:
    """The changes of sources (paths from the repository's root), and those left alone, each with the reason."""
    found = {finding.loc for finding in result.findings if finding.rule == RULE}
    planned: dict[str, Planned] = {}
    left: dict[str, str] = {}
    for entry in result.site.entries:
        witness = entry.verdict.witness
        if entry.verdict.rule != RULE or entry.claim.loc not in found or witness is None:
            continue
        if witness.path in planned or witness.path in left:
            continue
        reason = "a day of publication is the author's to change" if entry.verdict.cause == "publication" else ""
        made = reason or _plan(result.site.repository, entry, witness)
        if isinstance(made, str):
            left[witness.path] = made
        else:
            planned[witness.path] = made
    return list(planned.values()), list(left.items())


def _plan(repository: Repository, entry: Entry, witness: Witness) -> Planned | str:
    field, stale, path = witness.field, witness.stale, witness.path
    if field is None or stale is None or field.name == front_matter.FILE_NAME:
        return "the date is part of the file's name"
    if path in repository.edited | repository.staged:
        return "the file has edits that are not committed"
    full = os.path.join(os.path.realpath(repository.root), *path.split("/"))
    if path not in repository.tracked or not _is_own_file(full):
        return "this is no regular file that git tracks here"
    reason = unfit(repository.root, path)
    if reason:
        return reason
    data = Path(full).read_bytes()
    newest = stale.newest.commit.authored
    instant = Instant(newest.seconds, _offset(entry, field, newest))
    before = header_of(path, data)
    found = [
        edit
        for span in stamps.places(data, field.name.rpartition(".")[2])
        if (edit := _edit(data, span, instant)) is not None
        and _is_right(before, header_of(path, applied(data, (edit,))), field, instant)
    ]
    if len(found) != 1:
        return f"the place of {field.name} is not certain, or its date is written in a way of its own"
    return Planned(path, data, applied(data, found), tuple(found), ())


def _is_own_file(full: str) -> bool:
    try:
        return os.path.realpath(full) == full and stat.S_ISREG(os.lstat(full).st_mode)
    except OSError:
        return False


def _offset(entry: Entry, field: Field, newest: Instant) -> int:
    """The zone (minutes east of UTC) in which a field that names none is read: the claim that it made tells it."""
    moment = moment_of(entry.claim)
    if field.moment.offset is None and moment is not None and moment.offset is not None:
        ahead = field.moment.first - moment.first
        if field.moment.precision != "day" and abs(ahead) <= _ZONES and ahead % 900 == 0:
            return ahead // 60
    return newest.offset


def _edit(data: bytes, span: tuple[int, int], instant: Instant) -> Edit | None:
    old = data[slice(*span)].decode()
    text = stamps.written(old, instant)
    return None if text is None or text == old else Edit(span, text.encode(), "rewritten")


def _is_right(before: Header, after: Header, field: Field, instant: Instant) -> bool:
    """Read back: the field holds the new moment, and no other field nor the text has changed."""
    moment = front_matter.moment_of(after.value(field.name))
    if moment is None or moment.precision != field.moment.precision or after.body != before.body:
        return False
    wall = instant.offset * 60 if moment.offset is None else 0
    if not moment.first <= instant.seconds + wall <= moment.last:
        return False
    return _without(before.table, field.name) == _without(after.table, field.name)


def _without(table: dict[str, object], name: str) -> dict[str, object]:
    """The fields but one; the name's case does not count, as in `Header.value`."""
    first, _, rest = name.partition(".")
    kept: dict[str, object] = {}
    for key, value in table.items():
        if str(key).lower() != first.lower():
            kept[key] = value
        elif rest and isinstance(value, dict):
            kept[key] = _without(value, rest)
    return kept
