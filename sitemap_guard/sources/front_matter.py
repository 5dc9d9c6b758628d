"""Date fields of a source: what its author wrote in the front matter, or in its dated file name.

YAML (`---`), TOML (`+++`) and JSON (`{`) are read by their libraries. A value that is no date is no witness, and is
passed over.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sitemap_guard import dates
from sitemap_guard.model import Field

# Front matter stands at the top; what follows this many bytes is text.
_HEAD = 65536
_DATED_NAME = re.compile(r"(?:^|/)(\d{4}-\d{2}-\d{2})-[^/]+(?:/index\.[^/]+)?$", re.ASCII)


def read_fields(
    paths: Iterable[str], names: Sequence[str], read: Callable[[str], bytes | None]
) -> dict[str, tuple[Field, ...]]:
    """The date fields of each source, best first by the order of `names` (dots go into nested tables).

    `read` gives a source's content, None where there is none.
    """
    return {path: fields_of(path, read(path) or b"", names) for path in paths}


def fields_of(path: str, content: bytes, names: Sequence[str]) -> tuple[Field, ...]:
    """The date fields in one source's content and name."""
    text = content[:_HEAD].decode("utf-8-sig", "replace")
    table = _table(text)
    found = []
    for name in names:
        value = _value(table, name)
        moment = dates.parse_loose(value) if value else None
        if moment is not None:
            found.append(Field(name, value, _line(name, text), moment))
    dated = _DATED_NAME.search(path)
    moment = dates.parse(dated.group(1)) if dated else None
    if dated is not None and moment is not None:
        found.append(Field("file name", dated.group(1), 1, moment))
    return tuple(found)


def _table(text: str) -> dict[str, Any]:
    opening, _, rest = text.partition("\n")
    try:
        match opening.strip():
            case "---":
                return _dict(_yaml(re.split(r"(?m)^(?:---|\.\.\.)\s*$", rest, maxsplit=1)[0]))
            case "+++":
                return _dict(tomllib.loads(re.split(r"(?m)^\+\+\+\s*$", rest, maxsplit=1)[0]))
        if text.startswith("{"):
            return _dict(json.JSONDecoder().raw_decode(text)[0])
    except (ValueError, RecursionError):
        return {}
    return {}


def _yaml(text: str) -> Any:
    import yaml

    # Every scalar stays the text that the author wrote: a date-time keeps its zone, 2024-05-10 its precision.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 - the base loader makes strings, lists and tables only
    except yaml.YAMLError as error:
        raise ValueError from error


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _value(table: dict[str, Any], name: str) -> str:
    value: Any = table.get(name)
    if value is None and "." in name:
        value = table
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
    if value is None or isinstance(value, (dict, list, bool, float)):
        return ""
    return str(value)


def _line(name: str, text: str) -> int:
    pattern = re.compile(rf"""\s*["']?{re.escape(name.rpartition(".")[2])}["']?\s*[:=]""")
    for number, line in enumerate(text.split("\n"), 1):
        if pattern.match(line):
            return number
    return 1
