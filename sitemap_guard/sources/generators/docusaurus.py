"""Docusaurus: docs, blog and pages plugins; versions, languages, number prefixes, ids and slugs.

The rules are Docusaurus' documentation (docs: create a doc, versioning; blog; i18n).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.base import Hints, Layout, Publication, page_at
from sitemap_guard.sources.generators.settings import scripts_by_place
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_text, is_true
from sitemap_guard.sources.scripts import balanced, block, setting, strings
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs", "mts", "cts"))
_DOCS = (".md", ".mdx")
_PAGES = (".md", ".mdx", ".js", ".jsx", ".ts", ".tsx")
_NUMBER = re.compile(r"\d+\s*[-_.]+\s*([^-_.\s].*)", re.DOTALL)
_DATE_LIKE = re.compile(r"(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?|\d+[-_.]\d+")
_BLOG = re.compile(r"(?:(.*)/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[-/](.*?))?(?:/index)?$", re.DOTALL)
_TEST = re.compile(r"\.test\.[jt]sx?$|(?:^|/)__tests__/")


class Part(Struct, frozen=True):
    """One plugin's content: `kind` is docs, blog or pages, `folder` its files, `route` its address below the site's.

    `tidy`: number prefixes are taken off. `local` is a translation's folder: what has a file of its own there is not
    published from here.
    """

    kind: str
    folder: str
    route: str
    tidy: bool = True
    local: str = ""


class Docusaurus(Layout):
    """One Docusaurus site."""

    generator = "docusaurus"
    moves = True

    def __init__(self, tree: Tree, place: str, parts: Sequence[Part], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._parts = sorted(parts, key=lambda part: len(part.folder), reverse=True)

    def files(self) -> Iterable[str]:
        found: dict[str, None] = {}
        for part in self._parts:
            suffixes = _PAGES if part.kind == "pages" else _DOCS
            for file in with_suffix(self.tree.under(part.folder), suffixes):
                path = below(file, part.folder)
                hidden = any(name[:1] == "_" for name in path.split("/"))
                if not hidden and not _TEST.search(path) and not path.endswith(".d.ts"):
                    found[file] = None
        return list(found)

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if is_true(matter.get("draft")):
            return ()
        # A folder may be the content of two parts: the default locale's files are shown in others when untranslated.
        folder = next(part.folder for part in self._parts if file.startswith(f"{part.folder}/"))
        found = []
        for part in self._parts:
            if part.folder == folder and not (part.local and self._is_translated(below(file, folder), part)):
                path = below(file, folder).rpartition(".")[0]
                slug = as_text(matter.get("slug"))
                of_kind = {"docs": self._doc, "blog": self._post, "pages": self._page}[part.kind]
                address = join(part.route, of_kind(path, slug, matter, part))
                found.append(Publication(f"/{address}", file))
        return found

    def _is_translated(self, path: str, part: Part) -> bool:
        return self.tree.has_any(join(part.local, path.rpartition(".")[0]), _PAGES)

    @staticmethod
    def _doc(path: str, slug: str, matter: dict[str, Any], part: Part) -> str:
        *folders, name = path.split("/")
        if part.tidy:
            name = _untidy(name)
            folders = [_untidy(folder) for folder in folders]
        if slug.startswith("/"):
            return slug
        if slug:
            return "/".join((*folders, slug))
        own = as_text(matter.get("id"))
        is_index = name.lower() in ("index", "readme") or (folders and name.lower() == folders[-1].lower())
        if is_index and not (own and own != name and name.lower() not in ("index", "readme")):
            return "/".join((*folders, ""))
        return "/".join((*folders, own or name))

    @staticmethod
    def _post(path: str, slug: str, matter: dict[str, Any], part: Part) -> str:
        del matter, part
        if slug:
            return slug
        found = _BLOG.fullmatch(path)
        if not found:
            return re.sub(r"(?:^|/)index$", "", path)
        before, year, month, day, rest = found.groups()
        return join(before or "", f"{year}/{month}/{day}", rest or "")

    @staticmethod
    def _page(path: str, slug: str, matter: dict[str, Any], part: Part) -> str:
        del matter, part
        return slug or page_at(path, "")

    def includes(self, file: str, text: str) -> Iterable[str]:
        return mdx_includes(self.tree, file, text, {"@site/": self.place})


def _untidy(name: str) -> str:
    """A name without its number prefix; dates and versions are none."""
    if _DATE_LIKE.match(name):
        return name
    found = _NUMBER.fullmatch(name)
    return found[1] if found else name


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Docusaurus sites: by configuration, else by the pages' meta and the built folder."""
    found: list[Layout] = []
    places = scripts_by_place(tree, *_NAMES)
    if not places and hints.built_by("docusaurus"):
        place = folder_of(hints.prefix) if hints.prefix else ""
        places[place] = ""
    for place, config in places.items():
        for routes in _readings(config):
            parts = _parts(tree, place, config, routes, hints)
            if parts:
                found.append(Docusaurus(tree, place, parts, sure=bool(config)))
    return found


def _readings(config: str) -> list[dict[str, tuple[str, str]]]:
    """Folder and route of the main docs and blog; several where the configuration does not tell."""
    # The theme's settings have tables of the same names.
    preset = block(config, "presets") or config
    docs, blog = block(preset, "docs") or "", block(preset, "blog") or ""
    folder, route = setting(docs, "path") or "docs", setting(docs, "routeBasePath")
    news, at = setting(blog, "path") or "blog", setting(blog, "routeBasePath")
    return [
        {"docs": (folder, one), "blog": (news, other)}
        for one in ([route] if route is not None else ["docs", ""] if not docs else ["docs"])
        for other in ([at] if at is not None else ["blog"])
    ]


def _parts(tree: Tree, place: str, config: str, main: dict[str, tuple[str, str]], hints: Hints) -> list[Part]:
    parts: list[Part] = []
    tidy = "numberPrefixParser: false" not in config
    locales, default = _locales(config)
    plugins = [("docs", "", *main["docs"]), ("blog", "", *main["blog"]), ("pages", "", "src/pages", "")]
    plugins += _plugins(config)
    # A site of one locale has its base path; others are built below their code, or each for itself.
    built = [code for code in locales if hints.base.rstrip("/").endswith(f"/{code}")]
    for kind, name, folder, route in plugins:
        one = Part(kind, join(place, folder), join(route), tidy)
        versions = _versions(tree, place, name) if kind == "docs" else []
        variants = _versioned(one, place, name, versions) if versions else [one]
        for part, label in [(part, _label(part, versions)) for part in variants]:
            if not built or default in built:
                parts.append(part)
            for code in locales:
                if code == default:
                    continue
                plugin = f"docusaurus-plugin-content-{kind}" + (f"-{name}" if name else "")
                local = join(place, "i18n", code, plugin, label if kind == "docs" else "")
                prefix = "" if code in built else code
                parts.append(Part(kind, local, join(prefix, part.route), part.tidy))
                parts.append(Part(kind, part.folder, join(prefix, part.route), part.tidy, local))
    return [part for part in parts if tree.has_folder(part.folder)]


def _label(part: Part, versions: Sequence[str]) -> str:
    last = part.folder.rpartition("/")[2]
    return last if last.removeprefix("version-") in versions else "current"


def _plugins(config: str) -> list[tuple[str, str, str, str]]:
    """Further content plugins: kind, id, folder and route."""
    found = []
    for match in re.finditer(r"""@docusaurus/plugin-content-(docs|blog|pages)['"`]\s*,""", config):
        start = config.find("{", match.end())
        options = (balanced(config, start) or "") if 0 <= start - match.end() < 80 else ""
        name, folder = setting(options, "id"), setting(options, "path")
        route = setting(options, "routeBasePath")
        if folder:
            found.append((match[1], name or "", folder, route if route is not None else match[1]))
    return found


def _versions(tree: Tree, place: str, name: str) -> list[str]:
    """The versions, newest first."""
    try:
        given = json.loads(tree.text(join(place, f"{name}_versions.json" if name else "versions.json")) or "[]")
    except ValueError:
        return []
    return [version for version in given if isinstance(version, str)] if isinstance(given, list) else []


def _versioned(part: Part, place: str, name: str, versions: Sequence[str]) -> list[Part]:
    """The newest version has no prefix, the current docs are `next`, older ones go by their name."""
    folder = join(place, f"{name}_versioned_docs" if name else "versioned_docs")
    found = [Part("docs", part.folder, join(part.route, "next"), part.tidy)]
    for place_in_list, version in enumerate(versions):
        route = part.route if place_in_list == 0 else join(part.route, version)
        found.append(Part("docs", join(folder, f"version-{version}"), route, part.tidy))
    return found


def _locales(config: str) -> tuple[list[str], str]:
    inner = block(config, "i18n") or ""
    return list(strings(block(inner, "locales") or "")), setting(inner, "defaultLocale") or "en"
