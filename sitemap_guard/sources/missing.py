"""Sources that are there, but that git does not track: which they are, and why."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard.model import Entry, Mapping
from sitemap_guard.sources.mapper import Mapped

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader

_HEAD = 1 << 16
# What pages are made from. Other files beside the tracked ones are none of our business.
_SOURCES = (
    ".md", ".markdown", ".mdx", ".mdown", ".rst", ".adoc", ".asciidoc", ".org", ".textile", ".ipynb", ".html", ".htm",
    ".njk", ".liquid", ".vue", ".astro", ".tsx", ".jsx", ".ts", ".js", ".txt",
)  # fmt: skip


def explained(mappings: Sequence[Mapping], history: HistoryReader) -> list[Mapping]:
    """The mappings, where a source is not tracked with the reason for it."""
    missing = {path for mapping in mappings if not mapping.content for path in mapping.missing}
    known = history.why_untracked(missing) if missing and not history.repository.problem else {}
    found = []
    for mapping in mappings:
        told = sorted((known[path] for path in mapping.missing if path in known), key=lambda one: one[0] == "missing")
        if mapping.content or not told:
            found.append(mapping)
        else:
            found.append(replace(mapping, reason=told[0][0], tried=f"{told[0][1]}; {mapping.tried}"))
    return found


def with_untracked(
    mapped: Mapped, entries: Sequence[Entry], history: HistoryReader, again: Callable[[frozenset[str]], Mapped]
) -> Mapped:
    """The mappings; those of pages without a source name the file that would be it, if git only tracked it.

    `again` maps the site anew, with these files beside the tracked ones. It is asked only when a page has no source
    and there are such files.
    """
    open_ones = [place for place, one in enumerate(mapped.mappings) if _is_open(one, entries[place])]
    repository = history.repository
    if not open_ones or repository.problem or repository.evidence:
        return mapped
    by_hand = any(one.how == "identity" for one in mapped.mappings)
    others = frozenset(_sources(history.untracked(), "" if by_hand else repository.prefix))
    if not others:
        return mapped
    wider = again(others).mappings
    mappings = list(mapped.mappings)
    for place in open_ones:
        content = wider[place].content
        if content in others:
            mappings[place] = replace(mappings[place], missing=(*mappings[place].missing, content))
    return replace(mapped, mappings=tuple(mappings))


def read_untracked(root: str, path: str) -> bytes | None:
    """The beginning of a file in the work tree, which holds its front matter; None if it cannot be read."""
    try:
        if not os.path.isfile(os.path.join(root, path)):
            return None  # opening a link to a named pipe might never end
        with Path(root, path).open("rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return None


def _is_open(mapping: Mapping, entry: Entry) -> bool:
    built = entry.located.state in ("html", "file")
    return built and not mapping.content and mapping.kind == "page" and mapping.reason == "no-source"


def _sources(paths: Iterable[str], site: str | None) -> Iterable[str]:
    """Those that a page may be made from; what was built into the site's folder is none."""
    for path in paths:
        if path.lower().endswith(_SOURCES) and not (site and path.startswith(f"{site}/")):
            yield path
