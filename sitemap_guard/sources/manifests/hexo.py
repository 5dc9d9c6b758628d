"""Hexo leaves `db.json` beside its configuration: its pages by path, its posts by the permalink pattern."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sitemap_guard.sources.generators.base import Publication
from sitemap_guard.sources.generators.permalinks import moment_of
from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.manifests.base import Row, Where, read_text
from sitemap_guard.sources.matter import as_table, as_text
from sitemap_guard.sources.tree import join

_DEFAULT = ":year/:month/:day/:title/"


def read(where: Where) -> list[Publication]:
    """The pages and posts of a db.json in the folder above the built one."""
    if where.root is None:
        return []
    found: list[Publication] = []
    for place in dict.fromkeys([*where.above(), ""]):
        text = read_text(where.root / place / "db.json")
        if not text or '"models"' not in text:
            continue
        try:
            models = as_table(as_table(json.loads(text)).get("models"))
        except (ValueError, RecursionError):
            continue
        config = read_table(where.tree, join(place, "_config.yml"))
        source = join(place, as_text(config.get("source_dir")) or "source")
        rows = [*_pages(models.get("Page")), *_posts(models.get("Post"), as_text(config.get("permalink")) or _DEFAULT)]
        base = where.base_url.rstrip("/")
        found += where.placed([Row(f"{base}/{row.url}", row.path) for row in rows], [source])
    return found


def _pages(given: Any) -> Iterator[Row]:
    for page in given if isinstance(given, list) else ():
        source, path = as_text(as_table(page).get("source")), as_text(as_table(page).get("path"))
        if source and path:
            yield Row(path, source)


def _filled(pattern: str, values: dict[str, str]) -> str:
    return re.sub(r":([a-z_]+)", lambda found: values.get(found[1], found[0]), pattern)


def _posts(given: Any, pattern: str) -> Iterator[Row]:
    for post in given if isinstance(given, list) else ():
        table = as_table(post)
        source, slug = as_text(table.get("source")), as_text(table.get("slug"))
        moment = moment_of(table.get("date"))
        if not source or not slug or moment is None:
            continue
        values = {
            "year": f"{moment.year:04}",
            "month": f"{moment.month:02}",
            "day": f"{moment.day:02}",
            "i_month": str(moment.month),
            "i_day": str(moment.day),
            "title": slug,
            "name": slug.rpartition("/")[2],
            "post_title": as_text(table.get("title")),
            "id": as_text(table.get("_id")),
        }
        own = as_text(table.get("permalink")) or as_text(table.get("__permalink"))
        path = own or _filled(pattern, values)
        if ":" not in path:
            yield Row(path.lstrip("/"), source)
