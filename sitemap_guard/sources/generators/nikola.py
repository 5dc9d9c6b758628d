"""Nikola: POSTS and PAGES of conf.py, slugs from metadata or names, translations with fall-back.

The rules are Nikola's documentation (creating a blog post, metadata fields, multilingual posts; conf.py's comments).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.base import Hints, Layout, Publication, looks_like_list, page_at
from sitemap_guard.sources.generators.permalinks import dated, stem_of
from sitemap_guard.sources.generators.pysettings import literals
from sitemap_guard.sources.generators.slugs import python_slugs
from sitemap_guard.sources.headers import header_of
from sitemap_guard.sources.includes import sphinx_includes
from sitemap_guard.sources.matter import as_list, as_table, as_text
from sitemap_guard.sources.tree import Tree, below, folder_of, join

_FIELD = re.compile(r"^\s*\.\.[ \t]+([\w-]+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_FIRST = 8192


class Group(Struct, frozen=True):
    """One line of POSTS or PAGES: the folder and name pattern of its files, and where they go, by language."""

    folder: str
    name: str
    targets: dict[str, str]


class Nikola(Layout):
    """One Nikola site."""

    generator = "nikola"
    moves = True

    def __init__(self, tree: Tree, place: str, conf: dict[str, Any]) -> None:
        super().__init__(tree, place)
        self._default = as_text(conf.get("DEFAULT_LANG")) or "en"
        given = as_table(conf.get("TRANSLATIONS"))
        self._languages = {str(code): join(as_text(path)) for code, path in given.items()} or {self._default: ""}
        self._pattern = as_text(conf.get("TRANSLATIONS_PATTERN")) or "{path}.{lang}.{ext}"
        self._pretty = conf.get("PRETTY_URLS", True) is not False
        self._shows = conf.get("SHOW_UNTRANSLATED_POSTS", True) is not False
        self._dated_names = bool(conf.get("FILE_METADATA_REGEXP"))
        self._groups = [
            group for key in ("POSTS", "PAGES") for row in as_list(conf.get(key)) if (group := self._group(place, row))
        ]
        self._of: dict[str, Group] = {}
        for group in self._groups:
            for file in tree.under(group.folder):
                if fnmatchcase(file.rpartition("/")[2], group.name):
                    self._of.setdefault(file, group)
        folders = as_table(conf.get("LISTINGS_FOLDERS")) or {"listings": "listings"}
        self._listings = {
            file: f"/{join(as_text(target), below(file, join(place, str(folder))))}.html"
            for folder, target in folders.items()
            for file in tree.under(join(place, str(folder)))
        }
        # A translation belongs to the file that it translates, of which the addresses are made.
        self._translations = {
            other: (file, code)
            for file in self._of
            for code in self._languages
            if code != self._default and (other := self._translated(file, code)) in tree.tracked
        }

    @staticmethod
    def _group(place: str, row: Any) -> Group | None:
        if not isinstance(row, list) or len(row) < 2 or not isinstance(row[0], str):
            return None
        folder, _, name = row[0].rpartition("/")
        target = row[1]
        targets = {str(code): as_text(path) for code, path in target.items()} if isinstance(target, dict) else {}
        targets.setdefault("", as_text(target) if not isinstance(target, dict) else "")
        # Folders with wild cards of their own are not understood.
        return None if re.search(r"[*?\[]", folder) else Group(join(place, folder), name, targets)

    def _translated(self, file: str, code: str) -> str:
        path, _, suffix = file.rpartition(".")
        values = {"path": path, "lang": code, "ext": suffix}
        return re.sub(r"\{(path|lang|ext)\}", lambda found: values[found[1]], self._pattern)

    def files(self) -> Iterable[str]:
        return self._of.keys() | self._translations.keys() | self._listings.keys()

    def by_name(self, file: str) -> Sequence[Publication]:
        return (Publication(self._listings[file], file),) if file in self._listings else ()

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if file in self._listings:
            return self.by_name(file)
        main, code = self._translations.get(file, (file, self._default))
        group = self._of[main]
        table = self._metadata(file, matter)
        if code != self._default:
            # A translation without a slug has the slug of the original.
            base = self._metadata(main, self.tree.matter(main))
            return [Publication(path, file) for path in self._addresses(main, group, code, {**base, **table})]
        found = [Publication(path, file) for path in self._addresses(main, group, code, table)]
        for other in self._languages if self._shows else ():
            if other != code and self._translated(file, other) not in self.tree.tracked:
                found += [Publication(path, file) for path in self._addresses(main, group, other, table)]
        return found

    def _addresses(self, main: str, group: Group, code: str, table: dict[str, str]) -> list[str]:
        target = group.targets.get(code, group.targets.get(self._default, group.targets[""]))
        inner = folder_of(below(main, group.folder))
        start = join(self._languages.get(code, ""), target, inner)
        pretty = self._pretty and table.get("pretty_url", "").lower() not in ("false", "no")
        return [page_at(join(start, slug), "/" if pretty else ".html") for slug in self._slugs(main, table)]

    def _slugs(self, main: str, table: dict[str, str]) -> list[str]:
        if table.get("slug"):
            return [table["slug"]]
        stem = stem_of(main)
        names = [stem, dated(stem)[1]] if self._dated_names else [stem]
        return list(dict.fromkeys(slug for name in names for slug in python_slugs(name, "+")))

    def _metadata(self, file: str, matter: dict[str, Any]) -> dict[str, str]:
        """The fields of a post: in a file beside it, in its head (`.. slug: x`), or as front matter."""
        beside = self.tree.text(f"{file.rpartition('.')[0]}.meta")
        # What comes after an empty line is text, and may show how metadata are written.
        whole = (self.tree.text(file) or "")[:_FIRST]
        text = beside if beside is not None else re.split(r"\r?\n[ \t]*\r?\n", whole.lstrip(), maxsplit=1)[0]
        fields = {key.lower(): value for key, value in _FIELD.findall(text)}
        if fields:
            return fields
        given = matter or header_of(file, whole.encode()).table
        return {str(key).lower(): as_text(value) for key, value in given.items()}

    def lists(self, path: str) -> bool:
        inner = path.removesuffix("index.html").removesuffix(".html").strip("/")
        first, _, rest = inner.partition("/")
        inner = rest if first in self._languages else inner
        return not inner or re.fullmatch(r"(?:.*/)?index-\d+", inner) is not None or looks_like_list(f"/{inner}")

    def includes(self, file: str, text: str) -> Iterable[str]:
        return sphinx_includes(self.tree, file, text, self.place)


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Nikola sites: a conf.py that sets POSTS or PAGES."""
    del hints
    found: list[Layout] = []
    for path in tree.named("conf.py"):
        text = tree.text(path) or ""
        if "POSTS" in text or "PAGES" in text:
            conf = literals(text)
            if isinstance(conf.get("POSTS"), list) or isinstance(conf.get("PAGES"), list):
                found.append(Nikola(tree, folder_of(path), conf))
    return found
