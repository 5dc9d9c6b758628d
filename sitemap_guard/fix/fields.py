"""Date fields in sources that have gone stale: moved to the page's last change that counts, where that is certain.

Only the value's characters change: quotes, comments and everything else of the line stay. What is written in a way
that this does not know, what has edits that are not committed, and days of publication are left alone, and told.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from sitemap_guard import dates
from sitemap_guard.fix.plan import Edit, Planned, applied
from sitemap_guard.model import Repository, Result, Witness
from sitemap_guard.sources.front_matter import FILE_NAME, value_of

RULE = "lastmod-field-stale"


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
        reason = "it is a day of publication" if entry.verdict.cause == "publication" else ""
        made = reason or _plan(result.site.repository, witness)
        if isinstance(made, str):
            left[witness.path] = made
        else:
            planned[witness.path] = made
    return list(planned.values()), list(left.items())


def _plan(repository: Repository, witness: Witness) -> Planned | str:
    field, stale, path = witness.field, witness.stale, witness.path
    if field is None or stale is None or field.name == FILE_NAME:
        return "its date is part of its name"
    if path in repository.edited | repository.staged:
        return "it has edits that are not committed"
    full = os.path.join(os.path.realpath(repository.root), *path.split("/"))
    if path not in repository.tracked or os.path.realpath(full) != full or not stat.S_ISREG(os.lstat(full).st_mode):
        return "it is no regular file that git tracks"
    data = Path(full).read_bytes()
    if dates.parse(field.value) is None:
        return f"{field.name}: {field.value} is not written as sitemaps write dates"
    value = dates.write(stale.newest.commit.authored, field.moment, field.value)
    span = _span(data, field.line, field.name, field.value)
    if span is None or value == field.value:
        return f"the place of {field.name} in it is not certain"
    edits = (Edit(span, value.encode(), "rewritten"),)
    after = applied(data, edits)
    # Read back: the field must hold the new value, as the check reads it.
    if value_of(path, data, field.name) != field.value or value_of(path, after, field.name) != value:
        return f"the place of {field.name} in it is not certain"
    return Planned(path, data, after, edits, ())


def _span(data: bytes, line: int, name: str, value: str) -> tuple[int, int] | None:
    """Where the value stands on its line; None when the line is not plainly `name: value` or `name = value`."""
    start = 0
    for _ in range(line - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            return None
    end = data.find(b"\n", start)
    text = data[start : end if end >= 0 else len(data)]
    key = re.escape(name.rpartition(".")[2].encode())
    written = re.escape(value.encode())
    pattern = rb"\s*:?([\"']?)%b\1\s*[:=]\s*([\"']?)(%b)\2\s*,?\s*(#.*)?" % (key, written)
    match = re.fullmatch(pattern, text)
    return None if match is None else (start + match.start(3), start + match.end(3))
