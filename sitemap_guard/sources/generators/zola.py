"""Zola: `content/` by path, sections and pages, languages by suffix, slugs, dates before names.

The rules are Zola's documentation (content: overview, section, page, multilingual; configuration: slugify).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from sitemap_guard.sources.generators.base import Hints, Layout, Publication, looks_like_list
from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.generators.slugs import rust_slugs
from sitemap_guard.sources.matter import as_list, as_table, as_text, is_false, is_true
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_DATED = re.compile(
    r"(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.+\-Zz]+)?)\s?(?:_|-)\s?(.+)", re.ASCII | re.DOTALL
)
# What `safe` takes out of a path: signs that a file system or an address does not take.
_UNSAFE = re.compile(r"[<>:\"/|?*#()\[\]\n ]")


class Zola(Layout):
    """One Zola site."""

    generator = "zola"
    moves = True

    def __init__(self, tree: Tree, place: str, table: dict[str, Any]) -> None:
        super().__init__(tree, place)
        self.root = join(place, "content")
        self._default = as_text(table.get("default_language")) or "en"
        self._languages = {str(code) for code in as_table(table.get("languages"))} - {self._default}
        slugify = table.get("slugify", table.get("slugify_paths"))
        how = as_table(slugify).get("paths", "on") if isinstance(slugify, dict) else slugify
        self._mode = "off" if how is False else as_text(how) or "on"
        self._keeps_dates = is_true(as_table(table.get("slugify")).get("paths_keep_dates"))
        lists = [as_text(as_table(item).get("name")) for item in as_list(table.get("taxonomies"))]
        for inner in as_table(table.get("languages")).values():
            lists += [as_text(as_table(item).get("name")) for item in as_list(as_table(inner).get("taxonomies"))]
        self._taxonomies = {slug for name in lists for slug in self._slugs(name)}
        self._ignored = tree.matching(self.root, map(as_text, as_list(table.get("ignored_content"))))

    def files(self) -> Iterable[str]:
        found = with_suffix(self.tree.under(self.root), (".md",))
        return [file for file in found if below(file, self.root) not in self._ignored]

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if is_true(matter.get("draft")) or is_false(matter.get("render")):
            return ()
        *folders, name = below(file, self.root).removesuffix(".md").split("/")
        stem, _, language = name.rpartition(".")
        if not stem or language not in self._languages:
            stem, language = name, ""
        start = f"/{language}" if language else ""
        own = as_text(matter.get("path")).strip("/")
        if own:
            return (Publication(f"{start}/{own}/", file),)
        section = stem == "_index"
        # A page in a folder of its own goes by the folder's name.
        if stem == "index" and folders:
            stem = folders.pop()
        names = self._named(stem, as_text(matter.get("slug"))) if not section and stem != "index" else [""]
        paths = [start]
        for folder in folders:
            paths = [f"{path}/{slug}" for path in paths for slug in self._slugs(folder)]
        kind = "list" if section else "page"
        return [Publication(f"{path}/{name}/" if name else f"{path}/", file, kind) for path in paths for name in names]

    def _named(self, stem: str, slug: str) -> list[str]:
        if slug:
            return self._slugs(slug)
        found = _DATED.fullmatch(stem)
        return self._slugs(found[2] if found and not self._keeps_dates else stem)

    def _slugs(self, text: str) -> list[str]:
        match self._mode:
            case "off":
                return [text]
            case "safe":
                return [re.sub(r"_+", "_", _UNSAFE.sub("_", text)).strip("_")]
        return rust_slugs(text)

    def lists(self, path: str) -> bool:
        parts = [part for part in path.split("/") if part]
        if parts and parts[0] in self._languages:
            parts = parts[1:]
        return bool(parts) and (parts[0] in self._taxonomies or looks_like_list("/" + "/".join(parts)))


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Zola sites: a config.toml (zola.toml) with `base_url`, beside `content` or `templates`."""
    del hints
    found: dict[str, Layout] = {}
    for path in tree.named("zola.toml", "config.toml"):
        place = folder_of(path)
        table = read_table(tree, path)
        if "base_url" in table and place not in found and tree.has_folder(join(place, "content")):
            found[place] = Zola(tree, place, table)
    return list(found.values())
