"""The time zones that generators are set to: in them they read a date field that names no zone.

Jekyll and Hexo `timezone`, Hugo `timeZone`, Pelican and Nikola `TIMEZONE`, by their documentation.
"""

from __future__ import annotations

from typing import Any

from sitemap_guard.sources.generators.pysettings import literals
from sitemap_guard.sources.generators.settings import lowered, read_table
from sitemap_guard.sources.tree import Tree, folder_of

_SUFFIXES = ("toml", "yaml", "yml", "json")
_TABLES = (
    "_config.yml",
    "_config.yaml",
    "_config.toml",
    *(f"hugo.{suffix}" for suffix in _SUFFIXES),
    *(f"config.{suffix}" for suffix in _SUFFIXES),
)
_PROGRAMS = ("pelicanconf.py", "conf.py")
_DEFAULTS = "config/_default"
_MOST = 50


def find_clocks(tree: Tree) -> dict[str, str]:
    """The zone (IANA name) that the configuration in a folder names, by the folder; those near the root first."""
    found: dict[str, str] = {}
    for path in tree.named(*_TABLES, *_PROGRAMS)[:_MOST]:
        table: dict[str, Any] = (
            literals(tree.text(path) or "") if path.endswith(".py") else lowered(read_table(tree, path))
        )
        zone = table.get("TIMEZONE" if path.endswith(".py") else "timezone")
        folder = folder_of(path)
        if folder == _DEFAULTS or folder.endswith(f"/{_DEFAULTS}"):
            folder = folder[: -len(_DEFAULTS)].rstrip("/")
        if isinstance(zone, str) and folder not in found and _is_zone(zone):
            found[folder] = zone
    return found


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
