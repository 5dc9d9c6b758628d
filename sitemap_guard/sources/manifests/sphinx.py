"""Sphinx leaves `searchindex.js` in what it builds: two parallel lists, `docnames` and `filenames`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from sitemap_guard.sources.generators.base import Publication, normal
from sitemap_guard.sources.manifests.base import Row, Where, read_text
from sitemap_guard.sources.tree import folder_of, join

NAME = "searchindex.js"
_HEAD = "Search.setIndex("
_DEEPEST = 3
_MOST = 1000  # folders


def read(where: Where) -> list[Publication]:
    """The pages of each searchindex.js in the built site (one at its root, or in folders of versions)."""
    found: list[Publication] = []
    for folder in _folders(where):
        text = read_text(where.folder / folder / NAME)
        names = _lists(text) if text and text.lstrip().startswith(_HEAD) else None
        if names is None:
            continue
        docs, files = names
        rows = []
        base = "/".join(part for part in (where.base_url.rstrip("/"), folder) if part)
        for doc, file in zip(docs, files, strict=False):
            rows.append(Row(f"{base}/{doc}.html", file))
            if doc == "index" or doc.endswith("/index"):
                rows.append(Row(f"{base}/{doc[:-5]}", file))
        confs = [folder_of(path) for path in where.tree.named("conf.py")]
        found += where.placed(rows, confs)
    return found


def _folders(where: Where) -> Iterator[str]:
    seen = set()
    # Sorted, the folders that are looked at first are the outermost.
    for path in sorted({normal(path).rpartition("/")[0] for path in where.paths})[:_MOST]:
        parts = path.strip("/").split("/") if path else []
        for depth in range(min(len(parts), _DEEPEST) + 1):
            folder = join(*parts[:depth]) if depth else ""
            if folder not in seen:
                seen.add(folder)
                # A name that a host could not have served is no folder of the site.
                if ".." not in folder.split("/") and _is_file(where.folder / folder / NAME):
                    yield folder


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):  # a name that is too long, or holds a NUL
        return False


def _lists(text: str) -> tuple[list[str], list[str]] | None:
    """docnames and filenames; JSON since Sphinx 5, before that JavaScript with bare keys."""
    body = text.lstrip()[len(_HEAD) :]
    try:
        table = json.JSONDecoder().raw_decode(body)[0]
        docs, files = table.get("docnames"), table.get("filenames")
    except (ValueError, RecursionError, AttributeError):
        docs, files = (_bare(body, name) for name in ("docnames", "filenames"))
    if not isinstance(docs, list) or not isinstance(files, list) or len(docs) != len(files):
        return None
    if not all(isinstance(name, str) for name in (*docs, *files)):
        return None
    return docs, files


def _bare(body: str, name: str) -> list[str] | None:
    found = re.search(rf"[{{,]{name}:(?=\[)", body)
    if not found:
        return None
    try:
        value = json.JSONDecoder().raw_decode(body, found.end())[0]
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None
