"""Configuration files: those that are data (TOML, YAML, JSON) as tables of plain values, programs as text."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from sitemap_guard.sources.matter import as_table, yaml_of
from sitemap_guard.sources.scripts import without_comments
from sitemap_guard.sources.tree import Tree, folder_of


def read_table(tree: Tree, path: str) -> dict[str, Any]:
    """The table in a tracked configuration file, by its suffix; {} when there is none or it cannot be read."""
    text = tree.text(path)
    if text is None:
        return {}
    try:
        if path.endswith(".toml"):
            return tomllib.loads(text)
        if path.endswith(".json"):
            return as_table(json.loads(text))
        return as_table(yaml_of(text))
    except (ValueError, RecursionError):
        return {}


def scripts_by_place(tree: Tree, *names: str) -> dict[str, str]:
    """The configurations that are programs of these names, without comments, by their folder: one of each, the
    nearest folder to the root first."""
    found: dict[str, str] = {}
    for path in tree.named(*names):
        if (place := folder_of(path)) not in found:
            found[place] = without_comments(tree.text(path) or "")
    return found


def lowered(value: Any) -> Any:
    """The same with the keys of all tables in lower case."""
    if isinstance(value, dict):
        return {str(key).lower(): lowered(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [lowered(inner) for inner in value]
    return value


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Both tables; where both have a key the second's value counts, tables are merged in turn."""
    result = dict(one)
    for key, value in other.items():
        mine = result.get(key)
        result[key] = merged(mine, value) if isinstance(mine, dict) and isinstance(value, dict) else value
    return result
