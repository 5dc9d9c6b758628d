"""Jekyll: pages by path, `_posts` and collections by permalink, front matter `permalink`, defaults by scope.

The rules are Jekyll's documentation (permalinks, collections, front matter defaults). Case is kept.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication
from sitemap_guard.sources.generators.permalinks import Day, dated, day_of, filled, near, stem_of
from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.includes import jekyll_includes
from sitemap_guard.sources.matter import as_list, as_table, as_text, is_false
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = ("_config.yml", "_config.yaml", "_config.toml")
_CONTENT = (".md", ".markdown", ".mkd", ".mkdn", ".mkdown", ".html", ".htm", ".xhtml", ".textile")
_INNER = {"_posts", "_drafts", "_layouts", "_includes", "_data", "_sass", "_plugins", "_site"}
_EXCLUDED = ("node_modules/", "vendor/", ".", "_site/")
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
_SLOT = re.compile(r":([a-z_]+)")
_UNSLUGGED = re.compile(r"[^\w._~!$&'()+,;=@]+")


class Jekyll(Layout):
    """One Jekyll site. `place` is the configuration's folder, `source` the content's."""

    generator = "jekyll"
    moves = True

    def __init__(self, tree: Tree, place: str, table: dict[str, Any], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._table = table
        self._source = join(place, as_text(table.get("source")))
        self._permalink = as_text(table.get("permalink"))
        self._excluded = tuple(
            text.strip("/").removesuffix("/**").removesuffix("/*")
            for text in map(as_text, as_list(table.get("exclude")))
            if text and "*" not in text.removesuffix("/**").removesuffix("/*")
        )
        self._defaults = [as_table(item) for item in as_list(table.get("defaults"))]
        self._collections = self._collection_patterns()
        self._collections_dir = as_text(table.get("collections_dir")).strip("/")
        self._readmes = "jekyll-readme-index" in str(table.get("plugins") or table.get("gems") or "")

    def _collection_patterns(self) -> dict[str, str]:
        """Each collection that is written, and its permalink; without a configuration every `_folder` may be one."""
        given = self._table.get("collections")
        found: dict[str, str] = {}
        if not self._table:
            names = [name[1:] for name in self.tree.folders_in(self._source) if name[0] == "_" and name not in _INNER]
            return dict.fromkeys(names, "")
        for name, inner in as_table(given).items() if isinstance(given, dict) else ():
            if name != "posts" and not is_false(as_table(inner).get("output") or False):
                found[name] = as_text(as_table(inner).get("permalink"))
        return found

    def files(self) -> Iterable[str]:
        found = []
        for file in with_suffix(self.tree.under(self._source), _CONTENT):
            path = below(file, self._source)
            if path.startswith(_EXCLUDED) or any(path == out or path.startswith(f"{out}/") for out in self._excluded):
                continue
            if self._type(path):
                found.append(file)
        return found

    def _type(self, path: str) -> str:
        """`posts`, a collection's name, `pages`, or "" for what is no page."""
        parts = path.split("/")
        if "_posts" in parts[:-1]:
            return "posts"
        inner = path[len(self._collections_dir) + 1 :].split("/") if self._collections_dir else parts
        if len(inner) > 1 and inner[0][:1] == "_":
            return inner[0][1:] if inner[0][1:] in self._collections else ""
        return "" if any(part[:1] in ("_", ".", "#", "~") for part in parts) else "pages"

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if is_false(matter.get("published")):
            return ()
        path = below(file, self._source)
        kind = self._type(path)
        pattern = as_text(matter.get("permalink")) or self._default(path, kind)
        if kind == "posts":
            pattern = _STYLES.get(pattern or self._permalink or "date", pattern or self._permalink)
            return self._posts(file, path, pattern, matter) if self._table or matter.get("permalink") else ()
        if kind != "pages":
            pattern = pattern or self._collections[kind] or self._pretty("/:collection/:path")
            values = self._collection_values(kind, path, matter)
            return [Publication(found, file) for found in _filled(pattern, values)]
        return [Publication(found, file) for found in self._pages(file, path, pattern)]

    def _pages(self, file: str, path: str, pattern: str) -> list[str]:
        stem = stem_of(path)
        folder = f"/{folder_of(path)}" if "/" in path else ""
        if pattern and pattern not in _STYLES:
            values = {"path": folder.strip("/"), "basename": stem, "title": stem, "output_ext": ".html"}
            return _filled(pattern, values)
        if stem == "index":
            return [f"{folder}/"]
        if stem.lower() == "readme" and self._readmes and not self._has_index(file):
            return [f"{folder}/"]
        return [self._pretty(f"{folder}/{stem}")]

    def _pretty(self, path: str) -> str:
        ends_in_slash = self._permalink == "pretty" or self._permalink.endswith("/")
        return f"{path}/" if ends_in_slash else f"{path}.html"

    def _has_index(self, file: str) -> bool:
        return self.tree.has_any(join(folder_of(file), "index"), _CONTENT)

    def _default(self, path: str, kind: str) -> str:
        """The permalink that the front matter defaults give: of the longest path that fits, a type's first."""
        best: tuple[int, bool] = (-1, False)
        found = ""
        for item in self._defaults:
            scope = as_table(item.get("scope"))
            where = as_text(scope.get("path")).strip("/")
            of_type = as_text(scope.get("type"))
            permalink = as_text(as_table(item.get("values")).get("permalink"))
            if not permalink or "*" in where or (of_type and of_type != kind):
                continue
            fits = not where or path == where or path.startswith((f"{where}/", f"_{where}/"))
            if fits and (len(where), bool(of_type)) >= best:
                best, found = (len(where), bool(of_type)), permalink
        return found

    def _posts(self, file: str, path: str, pattern: str, matter: dict[str, Any]) -> Sequence[Publication]:
        named, rest = dated(stem_of(path))
        written = day_of(matter.get("date"))
        days: set[Day] = set()
        if written:
            # A time of day is moved into the site's zone, and may fall on the day before or after.
            days = near(written) if ":" in as_text(matter.get("date")) else {written}
        if named:
            days.add(named)
        folders = path.partition("/_posts/")[0].split("/") if "/_posts/" in path else []
        categories = folders + [
            part
            for key in ("categories", "category")
            for item in as_list(matter.get(key))
            for part in (
                as_text(item).split() if key == "categories" and isinstance(matter.get(key), str) else [as_text(item)]
            )
        ]
        slug = as_text(matter.get("slug")) or rest
        found = {}
        unique = "/".join(dict.fromkeys(category.lower() for category in categories if category))
        for day in sorted(days):
            values = {"title": _slug(slug), "slug": _slug(slug).lower(), "categories": unique, **_day(day)}
            for address in _filled(pattern, values):
                found[address] = Publication(address, file)
        return list(found.values())

    def _collection_values(self, kind: str, path: str, matter: dict[str, Any]) -> dict[str, str]:
        inside = path[len(self._collections_dir) + 1 :] if self._collections_dir else path
        stem = inside.partition("/")[2].rpartition(".")[0]
        name = stem.rpartition("/")[2]
        title = as_text(matter.get("slug")) or name
        day = day_of(matter.get("date")) or dated(name)[0]
        return {
            "collection": kind,
            "path": stem,
            "name": _slug(name).lower(),
            "title": _slug(title),
            "slug": _slug(title).lower(),
            "output_ext": ".html",
            **(_day(day) if day else {}),
        }

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        path = below(file, self._source)
        if self._table or self._type(path) != "posts":
            return None
        named, rest = dated(stem_of(path))
        written = day_of(matter.get("date"))
        days = {day for known in (named, written) if known for day in near(known)}
        return Clues("posts", frozenset({_slug(as_text(matter.get("slug")) or rest)} - {""}), frozenset(days))

    def includes(self, file: str, text: str) -> Iterable[str]:
        return jekyll_includes(self.tree, file, text, self._source)


def _slug(text: str) -> str:
    return _UNSLUGGED.sub("-", text).strip("-")


def _day(day: Day) -> dict[str, str]:
    """The parts of a day that a permalink may name; none of a day in no month, which front matter can hold."""
    year, month, number = day
    if not 1 <= month <= 12:
        return {}
    months = calendar.month_name
    of_year = sum(calendar.monthrange(year, before)[1] for before in range(1, month)) + number
    return {
        "year": f"{year:04}",
        "short_year": f"{year % 100:02}",
        "month": f"{month:02}",
        "i_month": str(month),
        "long_month": months[month],
        "short_month": months[month][:3],
        "day": f"{number:02}",
        "i_day": str(number),
        "y_day": f"{of_year:03}",
    }


def _filled(pattern: str, values: dict[str, str]) -> list[str]:
    """A permalink with its parts filled in; nothing if one is not known."""

    def value(found: re.Match[str]) -> str | None:
        name = found[1]
        while name and name not in values:
            # `:title_page`: the longest known name counts, as in Jekyll.
            name = name[:-1]
        if not name:
            return ".html" if found[1] == "output_ext" else None
        return values[name] + found[1][len(name) :]

    text = filled(pattern, _SLOT, value)
    return [] if text is None else [re.sub(r"/{2,}", "/", f"/{text}")]


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Jekyll sites: a configuration beside Jekyll's folders, or a place that only Jekyll would be at."""
    found: list[Layout] = []
    for path in tree.named(*_NAMES):
        place = folder_of(path)
        table = read_table(tree, path)
        folders = set(tree.folders_in(join(place, as_text(table.get("source")))))
        if {"skip_render", "source_dir", "new_post_name"} & table.keys() or join(place, "_toc.yml") in tree.tracked:
            continue
        gems = tree.text(join(place, "Gemfile")) or ""
        if folders & _INNER or "jekyll" in gems or "github-pages" in gems or hints.built_by("jekyll") or not place:
            found.append(Jekyll(tree, place, table, sure=bool(table)))
    if not found and hints.built_by("jekyll"):
        places = [folder_of(hints.prefix)] if hints.prefix else ["", "docs"]
        found += [Jekyll(tree, place, {}, sure=False) for place in places if tree.has_folder(place)]
    return found
