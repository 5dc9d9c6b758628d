"""Manifests that a generator prints, or that a few lines in it write: CSV and JSON with an address and a path."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from sitemap_guard.sources.manifests.base import Row
from sitemap_guard.sources.matter import as_text

# The usual names of the two columns, best first.
_URLS = ("url", "permalink", "loc", "address", "href")
_PATHS = ("path", "source", "inputpath", "sourcepath", "source_path", "src_uri", "file", "filename")
_NOISE = 200  # lines before the data


def rows_of(text: str, form: str) -> list[Row]:
    """The rows of a manifest; `form` is one of `csv`, `json`, `hugo-list-csv`, `eleventy-json`, or "" to find out.

    Lines that a program prints before the data are passed over, and rows without an address or a path.
    Raises ValueError, in words for people, when there is nothing of that form.
    """
    if form in ("hugo-list-csv", "csv"):
        return list(_csv(text))
    if form in ("eleventy-json", "json"):
        return list(_json(text))
    if any(mark in text[:1] for mark in "[{"):
        return list(_json(text))
    try:
        return list(_csv(text))
    except ValueError:
        return list(_json(text))


def _csv(text: str) -> Iterator[Row]:
    """A CSV (or TSV) whose first line names the columns; lines before that line are passed over."""
    lines = text.splitlines(keepends=True)
    number = 0
    for line in lines[:_NOISE]:
        number += 1
        delimiter = "\t" if "\t" in line else ";" if ";" in line and "," not in line else ","
        names = [name.strip().lower() for name in next(csv.reader([line], delimiter=delimiter), [])]
        # Hugo's `path` is the file and `permalink` the address.
        url = next((names.index(name) for name in _URLS if name in names), None)
        path = next((names.index(name) for name in _PATHS if name in names), None)
        if url is not None and path is not None:
            break
    else:
        raise ValueError("it has no line with a column for the address (url, permalink) and one for the file (path)")
    csv.field_size_limit(16 * 1024 * 1024)
    for row in csv.reader(io.StringIO("".join(lines[number:])), delimiter=delimiter):
        if len(row) > max(url, path) and row[url].strip() and row[path].strip():
            yield Row(row[url].strip(), row[path].strip())


def _json(text: str) -> Iterator[Row]:
    """A JSON list of tables, a table of path by address, or such a table of lists; noise before it is passed over."""
    decoder = json.JSONDecoder()
    value: Any = None
    place = -1
    for place in _starts(text):
        try:
            value, _ = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            continue
        rows = list(_found(value))
        if rows:
            yield from rows
            return
    raise ValueError("it holds no JSON with an address (url) and a file (path, inputPath) for each page")


def _starts(text: str) -> Iterator[int]:
    """Where JSON may begin: at a line's first character, else anywhere; a few places are enough."""
    count = 0
    for mark in ("\n[", "\n{"):
        place = text.find(mark)
        if text[:1] == mark[1]:
            yield 0
        while place >= 0 and count < 50:
            count += 1
            yield place + 1
            place = text.find(mark, place + 1)
    for place in sorted(filter(lambda at: at > 0, (text.find("["), text.find("{")))):
        yield place


def _found(value: Any) -> Iterator[Row]:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                lowered = {str(key).lower(): inner for key, inner in item.items()}
                url = next((as_text(lowered[name]) for name in _URLS if as_text(lowered.get(name))), "")
                path = next((as_text(lowered[name]) for name in _PATHS if as_text(lowered.get(name))), "")
                also = lowered.get("also", lowered.get("dependencies"))
                if url and path and not isinstance(lowered.get("url"), bool):
                    more = tuple(map(str, also)) if isinstance(also, list) else ()
                    yield Row(url, path, more)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and ("/" in key or "." in key):
                yield Row(key, inner)
            elif isinstance(inner, list) and not any(isinstance(one, str) for one in inner):
                yield from _found(inner)
