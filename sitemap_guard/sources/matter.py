"""Front matter: the table at the top of a source, in YAML (`---`), TOML (`+++`) or JSON (`{`)."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any


def table_of(text: str) -> dict[str, Any]:
    """The front matter of a text; {} when it has none or it cannot be read. Scalars of YAML are text, as written."""
    opening, _, rest = text.partition("\n")
    try:
        match opening.strip():
            case "---":
                return as_table(yaml_of(re.split(r"(?m)^(?:---|\.\.\.)\s*$", rest, maxsplit=1)[0]))
            case "+++":
                return as_table(tomllib.loads(re.split(r"(?m)^\+\+\+\s*$", rest, maxsplit=1)[0]))
        if text.startswith("{"):
            return as_table(json.JSONDecoder().raw_decode(text)[0])
    except (ValueError, RecursionError):
        return {}
    return {}


def yaml_of(text: str) -> Any:
    """A YAML document in which every scalar stays the text that its author wrote.

    Tags are passed over (`!ENV`, `!!python/name:…` name no object here). Raises ValueError for what is not YAML.
    """
    import yaml

    # Every scalar stays the text that the author wrote: a date-time keeps its zone, 2024-05-10 its precision.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 - the base loader makes strings, lists and tables only
    except yaml.YAMLError as error:
        raise ValueError from error


def as_table(value: Any) -> dict[str, Any]:
    """The value if it is a table, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, a list of it if it is a text, else an empty one."""
    if isinstance(value, list):
        return value
    return [value] if isinstance(value, str) and value else []


def as_text(value: Any) -> str:
    """The value as text if it is a text or a number, else ""."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def is_true(value: Any) -> bool:
    """Whether a setting (a bool, or text as YAML has it here) says yes."""
    return value is True or (isinstance(value, str) and value.strip().lower() in ("true", "yes", "on"))


def is_false(value: Any) -> bool:
    """Whether a setting says no."""
    return value is False or (isinstance(value, str) and value.strip().lower() in ("false", "no", "off"))
