"""Listed pages that were not built because their source is held back: a draft, or dated in the future."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sitemap_guard.model import Entry, Held, Mapping
from sitemap_guard.sources.forward import Forward
from sitemap_guard.sources.generators.base import Layout, normal
from sitemap_guard.sources.generators.permalinks import dated, moment_of, stem_of
from sitemap_guard.sources.headers import line_of
from sitemap_guard.sources.matter import as_text, is_false, is_true
from sitemap_guard.sources.tree import Tree
from sitemap_guard.urls import parse, within

_MANY = 5000  # of so many sources each is read
# Dates before which Hugo, Jekyll, Pelican and Nikola do not publish a page.
_DATES = ("publishdate", "date")
_DRAFTS = "_drafts"  # the folder of Jekyll and Hexo


def held_back(
    mappings: Sequence[Mapping], entries: Sequence[Entry], generators: Forward, tree: Tree, base_url: str, now: int
) -> list[Mapping]:
    """The mappings; those of pages that were not built tell of the source that is held back, if one is found.

    Nothing is read where most pages are missing: then it is the site's address or folder that is wrong.
    """
    paths = {place: at for place, entry in enumerate(entries) if (at := _missing(entry, base_url))}
    if not paths or len(paths) * 2 > len(entries):
        return list(mappings)
    wanted = set(paths.values())
    found: dict[str, Held] = {}
    for placed in generators.placed:
        for at, held in _of_layout(placed.layout, tree, now, wanted):
            if at in wanted:
                found.setdefault(at, held)
    return [replace(one, held=found.get(paths.get(place, "\n"))) for place, one in enumerate(mappings)]


def _missing(entry: Entry, base_url: str) -> str:
    """The normal form, in lower case, of the address of a page that was not built; "" for any other."""
    if entry.located.state != "missing":
        return ""
    address, base = parse(entry.url) if entry.url else None, parse(base_url)
    below = within(address, base) if address is not None and base is not None else None
    return normal(f"/{below}").lower() if below else ""


def _of_layout(layout: Layout, tree: Tree, now: int, wanted: set[str]) -> Iterator[tuple[str, Held]]:
    """The addresses at which the layout's sources would be published if they were not held back, and why they are."""
    files = list(layout.files())
    for file in files if len(files) <= _MANY else ():
        matter = tree.matter(file)
        told = _why(file, matter, now)
        if told is not None:
            key, text = told
            free = {name: value for name, value in matter.items() if name != key or key.lower() in _DATES}
            held = Held(file, line_of(key, tree.text(file) or "") if key else 0, text)
            for publication in (*layout.by_name(file), *layout.by_matter(file, free)):
                yield normal(publication.path).lower(), held
    names = {at.rpartition("/")[2]: at for at in wanted}
    for file in tree.under(layout.place):
        if _DRAFTS in file.split("/")[:-1]:
            at = names.get(dated(stem_of(file))[1].lower())
            if at:
                yield at, Held(file, 0, f"it lies in {_DRAFTS}")


def _why(file: str, matter: dict[str, Any], now: int) -> tuple[str, str] | None:
    """What holds a source back: the key of its front matter ("" for its name), and the words for people."""
    for key, value in matter.items():
        name, text = key.lower(), as_text(value) or str(value).lower()
        if (name == "draft" and is_true(value)) or (name == "published" and is_false(value)):
            return key, f"it says {key}: {text}"
        if name == "status" and text.lower() in ("draft", "hidden"):
            return key, f"it says {key}: {text}"
    for key in sorted(matter, key=lambda key: key.lower() != _DATES[0]):
        moment = moment_of(matter[key]) if key.lower() in _DATES else None
        if moment is not None and moment.timestamp() > now:
            return key, f"its {key} is {as_text(matter[key]) or matter[key]}, which lies in the future"
    day, _ = dated(stem_of(file))
    moment = moment_of("{:04}-{:02}-{:02}".format(*day)) if day and "date" not in map(str.lower, matter) else None
    return ("", "its name bears a day in the future") if moment is not None and moment.timestamp() > now else None
