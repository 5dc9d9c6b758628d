"""Date fields of a source: what its author wrote in the front matter or the like, or in its dated file name.

A value that is no date is no witness; it is told apart from one that is not there (`BadField`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sitemap_guard import dates
from sitemap_guard.model import BadField, Field, Moment
from sitemap_guard.sources.headers import header_of, line_of

_DATED_NAME = re.compile(r"(?:^|/)(\d{4}-\d{2}-\d{2})-[^/]+(?:/index\.[^/]+)?$", re.ASCII)
# Values that are no dates and not meant to be: switches (VitePress' lastUpdated), and Eleventy's own words.
_NO_DATES = {
    "",
    "true",
    "false",
    "yes",
    "no",
    "null",
    "~",
    "git last modified",
    "git created",
    "last modified",
    "created",
}
_EPOCH = re.compile(r"\d{10}(\d{3})?", re.ASCII)
FILE_NAME = "file name"


def read_dates(path: str, content: bytes, names: Sequence[str]) -> tuple[tuple[Field, ...], tuple[BadField, ...]]:
    """The date fields in one source's content and name, and those whose values are no dates.

    A value that is no date does no harm behind a better field that is one.
    """
    header = header_of(path, content)
    text = content.decode("utf-8-sig", "replace")
    found: list[Field] = []
    bad: list[BadField] = []
    for name in names:
        value = header.value(name)
        if value.lower() in _NO_DATES:
            continue
        moment = moment_of(value)
        if moment is not None:
            found.append(Field(name, value, line_of(name, text), moment))
        elif not found:
            bad.append(BadField(path, name, value, line_of(name, text)))
    named = in_name(path)
    moment = dates.parse(named) if named else None
    if moment is not None:
        found.append(Field(FILE_NAME, named, 1, moment))
    return tuple(found), tuple(bad)


def moment_of(value: str) -> Moment | None:
    """The moment that a field's value names, None for no date; a plain number counts seconds or milliseconds."""
    if _EPOCH.fullmatch(value):
        seconds = int(value[:10])
        return Moment(seconds, seconds, "second", 0)
    return dates.parse_loose(value)


def value_of(path: str, content: bytes, name: str) -> str:
    """What one version of a source says in a field, "" for nothing. See `Field` for `file name`."""
    return in_name(path) if name == FILE_NAME else header_of(path, content).value(name)


def in_name(path: str) -> str:
    """The day in a dated file name, "" for none."""
    dated = _DATED_NAME.search(path)
    return dated.group(1) if dated else ""
