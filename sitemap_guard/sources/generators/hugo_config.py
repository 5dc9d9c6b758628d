"""Hugo's configuration: in one file or in a folder of them, and what it says about addresses.

The rules are Hugo's documentation (configure: introduction, all settings, languages, module, permalinks).
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.settings import lowered, merged, read_table
from sitemap_guard.sources.matter import as_list, as_table, as_text, is_true
from sitemap_guard.sources.tree import Tree, below, folder_of, join

_SUFFIXES = ("toml", "yaml", "yml", "json")
_NAMES = tuple(f"hugo.{suffix}" for suffix in _SUFFIXES)
_OLD_NAMES = tuple(f"config.{suffix}" for suffix in _SUFFIXES)


class Mount(Struct, frozen=True):
    """A folder of content: `at` is its place below `content/`, `language` "" when the names of the files say it."""

    folder: str
    at: str = ""
    language: str = ""


class Settings(Struct, frozen=True):
    """What the configuration says about addresses. `languages`: code to the prefix of its addresses."""

    mounts: tuple[Mount, ...]
    languages: dict[str, str]
    default: str
    pages: dict[str, str]
    sections: dict[str, str]
    keeps_case: bool = False
    known: bool = True


def configurations(tree: Tree) -> dict[str, dict[str, Any]]:
    """The configuration of each Hugo site, by its folder, with all keys in lower case."""
    found: dict[str, dict[str, Any]] = {}
    for path in (*tree.named(*_NAMES), *tree.named(*_OLD_NAMES)):
        place = folder_of(path)
        if folder_of(place).endswith("/config") or folder_of(place) == "config" or place.endswith("config/_default"):
            continue
        if place in found:
            continue
        table = lowered(read_table(tree, path))
        if path.rpartition("/")[2] in _NAMES or "baseurl" in table:
            found[place] = merged(table, _of_folder(tree, place))
    for path in tree.named(*_NAMES, *_OLD_NAMES):
        place = folder_of(folder_of(folder_of(path)))
        if folder_of(path) == join(place, "config/_default") and place not in found:
            found[place] = _of_folder(tree, place)
    return found


def _of_folder(tree: Tree, place: str) -> dict[str, Any]:
    """What `config/_default` says: each file is a table of its name, hugo.* and config.* the root."""
    table: dict[str, Any] = {}
    folder = join(place, "config/_default")
    for path in tree.under(folder):
        name, _, suffix = path.rpartition("/")[2].rpartition(".")
        if suffix not in _SUFFIXES or folder_of(path) != folder:
            continue
        inner = lowered(read_table(tree, path))
        key, _, language = name.lower().partition(".")
        if key not in ("hugo", "config"):
            inner = {key: inner}
        if language:
            inner = {"languages": {language: inner}}
        table = merged(table, inner)
    return table


def settings_of(table: dict[str, Any], place: str) -> Settings:
    """What the configuration of the site in a folder says about addresses."""
    default = as_text(table.get("defaultcontentlanguage")).lower() or "en"
    in_folder = is_true(table.get("defaultcontentlanguageinsubdir"))
    disabled = {str(code).lower() for code in as_list(table.get("disablelanguages"))}
    languages = {
        code: as_table(inner)
        for code, inner in as_table(table.get("languages")).items()
        if code not in disabled and not is_true(as_table(inner).get("disabled"))
    }
    prefixes = {code: f"/{code}" if code != default or in_folder else "" for code in languages}
    prefixes.setdefault(default, f"/{default}" if in_folder and languages else "")
    mounts = _mounts(table, place)
    for code, inner in languages.items():
        own = as_text(inner.get("contentdir"))
        if own:
            mounts.append(Mount(join(place, own), "", code))
        mounts += [Mount(mount.folder, mount.at, mount.language or code) for mount in _mounts(inner, place)]
    if not any(not mount.at for mount in mounts):
        mounts.append(Mount(join(place, as_text(table.get("contentdir")) or "content")))
    pages, sections = _permalinks(table)
    return Settings(
        tuple(dict.fromkeys(mounts)), prefixes, default, pages, sections, is_true(table.get("disablepathtolower"))
    )


def _mounts(table: dict[str, Any], place: str) -> list[Mount]:
    found = []
    for mount in as_list(as_table(table.get("module")).get("mounts")):
        source, target = as_text(as_table(mount).get("source")), join(as_text(as_table(mount).get("target")))
        if source and (target == "content" or target.startswith("content/")):
            language = as_text(as_table(mount).get("lang")).lower()
            found.append(Mount(join(place, source), below(target, "content") if "/" in target else "", language))
    return found


def _permalinks(table: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Patterns of pages and of sections, by first folder."""
    pages: dict[str, str] = {}
    sections: dict[str, str] = {}
    for key, value in as_table(table.get("permalinks")).items():
        if isinstance(value, str):
            pages[key] = value
        elif key == "page":
            pages |= {name: inner for name, inner in value.items() if isinstance(inner, str)}
        elif key == "section":
            sections |= {name: inner for name, inner in value.items() if isinstance(inner, str)}
    return pages, sections
