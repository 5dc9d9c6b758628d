"""Pelican: articles and pages by slug, which is made from the title unless metadata or the settings say otherwise.

The rules are Pelican's documentation (settings: URL settings, metadata; content: translations).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, looks_like_list
from sitemap_guard.sources.generators.permalinks import Day, dated, day_of, filled, near, stem_of
from sitemap_guard.sources.generators.pysettings import literals
from sitemap_guard.sources.generators.slugs import python_slugs
from sitemap_guard.sources.headers import header_of
from sitemap_guard.sources.includes import sphinx_includes
from sitemap_guard.sources.matter import as_list, as_text
from sitemap_guard.sources.tree import Tree, folder_of, join, with_suffix

_CONTENT = (".md", ".markdown", ".mkd", ".mdown", ".rst", ".html", ".htm")
_SIGNS = ("SITENAME", "SITEURL", "ARTICLE_URL", "PAGE_URL", "STATIC_PATHS", "DEFAULT_PAGINATION", "ARTICLE_PATHS")
_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*")
_META = re.compile(r"""<meta\s[^<>]*?name=["']([\w-]+)["'][^<>]*?contents?=["']([^"'<>]*)["']""", re.IGNORECASE)
_PART = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_TIMES = {"Y": "{0.year:04}", "m": "{0.month:02}", "d": "{0.day:02}", "y": "{1:02}", "-m": "{0.month}", "-d": "{0.day}"}


class Pelican(Layout):
    """One Pelican site; `root` is its PATH."""

    generator = "pelican"
    moves = True

    def __init__(self, tree: Tree, place: str, conf: dict[str, Any], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._conf = conf
        self.root = join(
            place, as_text(conf.get("PATH")) or ("content" if tree.has_folder(join(place, "content")) else "")
        )
        self._pages = [join(self.root, as_text(path)) for path in as_list(conf.get("PAGE_PATHS", ["pages"]))]
        self._articles = [join(self.root, as_text(path)) for path in as_list(conf.get("ARTICLE_PATHS")) or [""]]
        excluded = [*as_list(conf.get("ARTICLE_EXCLUDES")), *as_list(conf.get("PAGE_EXCLUDES"))]
        self._excluded = tuple(f"{join(self.root, as_text(path))}/" for path in excluded if as_text(path))
        self._language = as_text(conf.get("DEFAULT_LANG")) or "en"
        # A site's own substitutions are expressions of a stranger: they are not run.
        self._slugs = "SLUG_REGEX_SUBSTITUTIONS" not in conf and not conf.get("SLUGIFY_USE_UNICODE")
        self._lists = [_shape(as_text(conf.get(key)) or default) for key, default in _LISTS]

    def files(self) -> Iterable[str]:
        return [
            file
            for file in with_suffix(self.tree.under(self.root), _CONTENT)
            if self._kind(file) and not file.startswith(self._excluded or ("\0",))
        ]

    def _kind(self, file: str) -> str:
        for kind, folders in (("PAGE", self._pages), ("ARTICLE", self._articles)):
            if any(not folder or file.startswith(f"{folder}/") for folder in folders):
                return kind
        return ""

    def by_name(self, file: str) -> Sequence[Publication]:
        del file
        return ()

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        table = self._metadata(file, matter)
        status = table.get("status", "").lower()
        if not table or status == "skip":
            return ()
        kind = f"DRAFT_{page}".removesuffix("_ARTICLE") if (page := self._kind(file)) and status == "draft" else page
        for key in ("save_as", "url"):
            if table.get(key):
                return (Publication(_address(table[key]), file),)
        language = table.get("lang", self._language)
        # Which of two languages is the translation is told by the default one.
        middle = "_LANG" if language != self._language else ""
        default = f"{_FOLDERS[kind]}{{slug}}{'-{lang}' if middle else ''}.html"
        pattern = as_text(self._conf.get(f"{kind}{middle}_URL") or self._conf.get(f"{kind}{middle}_SAVE_AS")) or default
        return [Publication(address, file) for address in self._addresses(file, table, pattern, language)]

    def _addresses(self, file: str, table: dict[str, str], pattern: str, language: str) -> list[str]:
        found: dict[str, None] = {}
        category = table.get("category") or self._folder(file) or as_text(self._conf.get("DEFAULT_CATEGORY")) or "misc"
        values = {
            "lang": language,
            "category": next(iter(python_slugs(category)), ""),
            "author": next(iter(python_slugs(table.get("author") or as_text(self._conf.get("AUTHOR")))), ""),
        }
        days: list[Day | None] = [*self._days(file, table)] or [None]
        for slug in self._slugged(file, table):
            for day in days:
                address = _filled(pattern, {**values, "slug": slug}, day)
                if address:
                    found[address] = None
        return list(found)

    def _folder(self, file: str) -> str:
        if self._conf.get("USE_FOLDER_AS_CATEGORY") is False:
            return ""
        folder = folder_of(file)
        return folder.rpartition("/")[2] if folder != self.root else ""

    def _days(self, file: str, table: dict[str, str]) -> list[Day]:
        day = day_of(table.get("date", ""))
        if day:
            return sorted(near(day)) if re.search(r"[+-]\d\d:?\d\d|Z$", table["date"]) else [day]
        named = dated(stem_of(file))[0]
        return [named] if named else []

    def _slugged(self, file: str, table: dict[str, str]) -> list[str]:
        """The slug: of the metadata, of the name (where a pattern for names is set), or made from the title."""
        if table.get("slug"):
            return [table["slug"]]
        stem = stem_of(file)
        found = []
        if "(?P<slug>" in as_text(self._conf.get("FILENAME_METADATA")) and dated(stem)[1] != stem:
            found = [dated(stem)[1]]
        elif self._slugs:
            by_name = as_text(self._conf.get("SLUGIFY_SOURCE")) == "basename"
            found = python_slugs(stem if by_name else table.get("title", ""))
        return found

    def _metadata(self, file: str, matter: dict[str, Any]) -> dict[str, str]:
        """The metadata, with names in lower case."""
        text = self.tree.text(file) or ""
        if file.lower().endswith((".html", ".htm")):
            title = re.search(r"<title>([^<]*)</title>", text, re.IGNORECASE)
            table = {key.lower(): value for key, value in _META.findall(text[:65536])}
            return {**({"title": title[1].strip()} if title else {}), **table}
        given = matter or header_of(file, text.encode()).table
        table = {str(key).lower(): as_text(value) for key, value in given.items()}
        if file.lower().endswith(".rst") and "title" not in table and (title_text := _heading(text)):
            table["title"] = title_text
        return table

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        table = self._metadata(file, matter)
        if not table or table.get("save_as") or table.get("url"):
            return None
        stem = stem_of(file)
        names = {
            table.get("slug", ""),
            stem,
            dated(stem)[1],
            *python_slugs(table.get("title", "")),
            *python_slugs(stem),
        }
        days = frozenset(day for known in self._days(file, table) for day in near(known))
        return Clues(self._kind(file), frozenset(names - {""}), days)

    def lists(self, path: str) -> bool:
        return any(shape.fullmatch(path) for shape in self._lists) or looks_like_list(path)

    def includes(self, file: str, text: str) -> Iterable[str]:
        return sphinx_includes(self.tree, file, text, self.root) if file.endswith(".rst") else ()


_FOLDERS = {"ARTICLE": "", "PAGE": "pages/", "DRAFT": "drafts/", "DRAFT_PAGE": "drafts/pages/"}
_LISTS = (
    ("CATEGORY_URL", "category/{slug}.html"),
    ("TAG_URL", "tag/{slug}.html"),
    ("AUTHOR_URL", "author/{slug}.html"),
    ("ARCHIVES_URL", "archives.html"),
    ("YEAR_ARCHIVE_SAVE_AS", "\0"),
    ("MONTH_ARCHIVE_SAVE_AS", "\0"),
    ("CATEGORIES_SAVE_AS", "categories.html"),
    ("TAGS_SAVE_AS", "tags.html"),
    ("AUTHORS_SAVE_AS", "authors.html"),
    ("INDEX_SAVE_AS", "index.html"),
)


def _shape(pattern: str) -> re.Pattern[str]:
    """The addresses of a kind of list page and its pagers (`tag/x.html`, `tag/x2.html`, `tag/x/page/2/`)."""
    text = re.sub(r"/?index\.html$", "/", pattern) if pattern != "index.html" else "index.html"
    pieces = _PART.split(text.removesuffix(".html").rstrip("/"))[0::3]
    return re.compile(
        "/" + "[^/]+".join(re.escape(piece) for piece in pieces) + r"(?:-?\d+|/(?:page/)?\d+)?(?:\.html|/)?"
    )


def _heading(text: str) -> str:
    """The title of a reStructuredText file: a line with a line of signs below it (and perhaps above)."""
    lines = [line.rstrip() for line in text.split("\n")[:40]]
    for one, below_it in pairwise(lines):
        if one.strip() and len(below_it) >= 3 and _UNDERLINE.fullmatch(below_it) and not _UNDERLINE.fullmatch(one):
            return one.strip()
    return ""


def _address(text: str) -> str:
    path = "/" + text.strip().lstrip("/")
    return path.removesuffix("index.html") if path.endswith("/index.html") else path


def _filled(pattern: str, values: dict[str, str], day: Day | None) -> str:
    """The address of a URL pattern; "" if a part of it is not known."""
    text = filled(
        pattern,
        _PART,
        lambda found: (_time(found[2] or "", day) if found[1] == "date" else values.get(found[1])) or None,
    )
    return "" if text is None else _address(text)


def _time(form: str, day: Day | None) -> str:
    """A day in strftime's way; "" for what is not known."""
    if day is None or not form:
        return ""
    try:
        when = date(*day)
    except ValueError:
        return ""
    times = {key: text.format(when, when.year % 100) for key, text in _TIMES.items()}
    month = calendar.month_name[when.month]
    times |= {"b": month[:3], "B": month, "j": f"{when.timetuple().tm_yday:03}"}
    found = re.sub(r"%(-?\w)", lambda match: times.get(match[1], "\0"), form)
    return "" if "\0" in found else found


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Pelican sites: a pelicanconf.py, with publishconf.py's settings over it."""
    found: list[Layout] = []
    for path in tree.named("pelicanconf.py"):
        place = folder_of(path)
        conf = literals(tree.text(path) or "") | literals(tree.text(join(place, "publishconf.py")) or "")
        if any(sign in conf for sign in _SIGNS):
            found.append(Pelican(tree, place, conf, sure=True))
    if not found and hints.built_by("pelican") and tree.has_folder("content"):
        found.append(Pelican(tree, "", {}, sure=False))
    return found
