"""Docusaurus leaves `.docusaurus/` beside its configuration: JSON files with `permalink` and `source: @site/…`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sitemap_guard.sources.generators.base import Publication
from sitemap_guard.sources.manifests.base import Row, Where, read_text
from sitemap_guard.sources.tree import folder_of, join

_FOLDER = ".docusaurus"
_MOST = 20_000  # files


def read(where: Where) -> list[Publication]:
    """The pages that the content plugins' files name."""
    if where.root is None:
        return []
    places = dict.fromkeys([*where.above(), "", *(folder_of(path) for path in _configs(where))])
    found: list[Publication] = []
    for place in places:
        folder = where.root / place / _FOLDER
        if folder.is_dir():
            rows = [row for file in _files(folder) for row in _rows(file)]
            for row in rows:
                path = join(place, row.path)
                address = where.below_base(row.url)
                if address is not None and path in where.tree.tracked:
                    found.append(Publication(address, path))
    return found


def _configs(where: Where) -> list[str]:
    return where.tree.named(*(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs")))


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for plugin in sorted(folder.glob("docusaurus-plugin-content-*")):
        for file in sorted(plugin.rglob("*.json")):
            count += 1
            if count > _MOST:
                return
            yield file


def _rows(file: Path) -> Iterator[Row]:
    try:
        table = json.loads(read_text(file) or "null")
    except (ValueError, RecursionError):
        return
    waiting: list[Any] = [table]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [inner for inner in item.values() if isinstance(inner, (dict, list))]
            permalink, source = item.get("permalink"), item.get("source")
            if isinstance(permalink, str) and isinstance(source, str) and source.startswith("@site/"):
                yield Row(permalink, source.removeprefix("@site/"))
