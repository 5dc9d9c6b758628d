"""Hugo: `content/` by path, lower case, languages by folder or suffix, permalinks, `url` and `slug`.

The rules are Hugo's documentation (content management: URLs, organisation, multilingual; configure: all, module).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, looks_like_list, normal
from sitemap_guard.sources.generators.hugo_config import Mount, Settings, configurations, settings_of
from sitemap_guard.sources.generators.permalinks import Day, dated, day_of, filled, stem_of
from sitemap_guard.sources.includes import hugo_includes
from sitemap_guard.sources.matter import as_table, as_text, is_false, is_true
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_CONTENT = (".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".asciidoc", ".ad", ".org", ".pandoc", ".rst")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", re.IGNORECASE)
_SLOT = re.compile(r":([A-Za-z]+)(\[[^\]]*\])?")
_DROPPED = re.compile(r"[^\w./\\#+~@%\- ]")
_READINGS = 4  # default languages that are tried when the configuration does not say


class Hugo(Layout):
    """One Hugo site."""

    generator = "hugo"
    moves = True

    def __init__(self, tree: Tree, place: str, settings: Settings, *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self.settings = settings
        self.folds = not settings.keeps_case
        self._mounts = sorted(settings.mounts, key=lambda mount: len(mount.folder), reverse=True)
        self._bundles: set[str] = set()
        self._files = self._content()

    def files(self) -> Iterable[str]:
        return self._files

    def _content(self) -> list[str]:
        found: dict[str, None] = {}
        for mount in self._mounts:
            found.update(dict.fromkeys(with_suffix(self.tree.under(mount.folder), _CONTENT)))
        self._bundles = {folder_of(file) for file in found if stem_of(file).split(".")[0] == "index"}
        return [file for file in found if not self._is_resource(file)]

    def _is_resource(self, file: str) -> bool:
        """Whether the file belongs to a leaf bundle that another file is the page of."""
        folder = folder_of(file)
        if folder in self._bundles:
            return stem_of(file).split(".")[0] != "index"
        while folder:
            folder = folder_of(folder)
            if folder in self._bundles:
                return True
        return False

    def _parts(self, file: str) -> tuple[str, str, list[str], str]:
        """Language, address prefix, folders and name (both as written) of a content file."""
        mount = self._mount(file)
        *folders, name = join(mount.at, below(file, mount.folder)).split("/")
        name = name.rpartition(".")[0]
        language = mount.language
        first, _, last = name.rpartition(".")
        if first and last.lower() in self.settings.languages:
            name, language = first, last.lower()
        language = language or self.settings.default
        return language, self.settings.languages.get(language, ""), folders, name

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        table = {str(key).lower(): value for key, value in matter.items()}
        build = as_table(table.get("build")) or as_table(table.get("_build"))
        render = build.get("render")
        if is_true(table.get("draft")) or is_true(table.get("headless")):
            return ()
        if is_false(render) or as_text(render) in ("never", "link"):
            return ()
        return self._publications(file, table)

    def _publications(self, file: str, table: dict[str, Any]) -> Sequence[Publication]:
        _, prefix, folders, name = self._parts(file)
        kind = "list" if name == "_index" else "page"
        url = as_text(table.get("url"))
        if url:
            full = self._expanded(url, folders, name, table) if ":" in url else url
            return [Publication(path, file, kind) for path in _of_url(full, prefix)] if full else ()
        if name in ("_index", "index"):
            name, folders = (folders[-1], folders[:-1]) if folders else ("", [])
        patterns = self.settings.sections if kind == "list" else self.settings.pages
        pattern = patterns.get((folders or [name])[0].lower(), "")
        if pattern and (kind == "page" or not folders):
            sections = self._sections(file, [*folders, name] if kind == "list" else folders)
            path = self._expanded(pattern, sections, name, table)
            # A pattern that ends in a file's name makes a folder of that name, unless addresses are ugly.
            spellings = [path, f"{path}/"] if path and not path.endswith("/") else [path]
            return [Publication(prefix + spelling, file, kind) for spelling in spellings if spelling]
        path = "/".join(part for part in (*folders, as_text(table.get("slug")) or name) if part)
        return [Publication(f"{prefix}/{self._clean(path)}{'/' if path else ''}", file, kind)]

    def _sections(self, file: str, folders: Sequence[str]) -> list[str]:
        """The folders that are sections: the first one, and those with an `_index` file."""
        mount = self._mount(file)
        places = [join(mount.folder, below(join(*folders[: n + 1]), mount.at)) for n in range(len(folders))]
        return [name for n, name in enumerate(folders) if n == 0 or self._has_index(places[n])]

    def _has_index(self, folder: str) -> bool:
        return any(path.startswith(f"{folder}/_index.") for path in self.tree.under(folder)[:200])

    def _mount(self, file: str) -> Mount:
        return next(mount for mount in self._mounts if file.startswith(f"{mount.folder}/"))

    def _clean(self, path: str) -> str:
        text = re.sub(r"[ -]*[ ][ -]*|-{2,}(?=\b)", lambda found: "-" if " " in found[0] else found[0], path)
        text = _DROPPED.sub("", text)
        return text if self.settings.keeps_case else text.lower()

    def _expanded(self, pattern: str, folders: Sequence[str], name: str, table: dict[str, Any]) -> str | None:
        """A permalink pattern filled in; None if it needs what is not known."""
        day = day_of(table.get("date")) or day_of(table.get("publishdate")) or dated(name)[0]
        slug = as_text(table.get("slug"))
        title = as_text(table.get("title"))
        values: dict[str, str | None] = {
            "sections": "/".join(folders),
            "section": folders[0] if folders else "",
            "filename": name,
            "contentbasename": name,
            "slugorfilename": slug or name,
            "slugorcontentbasename": slug or name,
            "title": title or None,
            "slug": slug or title or None,
        }
        if day:
            values |= {
                "year": f"{day[0]:04}",
                "month": f"{day[1]:02}",
                "day": f"{day[2]:02}",
                "monthname": calendar.month_name[min(day[1], 12)].lower(),
            }
        text = filled(
            pattern, _SLOT, lambda found: _slice(folders, found[2]) if found[2] else values.get(found[1].lower())
        )
        return None if text is None else "/" + self._clean(join(text)) + ("/" if text.endswith("/") else "")

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if self.settings.known:
            return None
        language, _, folders, name = self._parts(file)
        if name == "_index":
            return None
        if name == "index" and folders:
            name, folders = folders[-1], folders[:-1]
        day, rest = dated(name)
        slug = as_text(matter.get("slug"))
        names = {slug} if slug else {self._clean(name), self._clean(rest)}
        days: set[Day] = {found for found in (day, day_of(matter.get("date"))) if found}
        return Clues(f"{language}/{'/'.join(folders[:1])}", frozenset(names - {""}), frozenset(days))

    @cached_property
    def _section_addresses(self) -> frozenset[str]:
        """The addresses of the first folders: sections, whether they have a file or not."""
        found = set()
        for file in self._files:
            _, prefix, folders, name = self._parts(file)
            if len(folders) > 1 or (folders and name != "index"):
                found.add(f"{prefix}/{self._clean(folders[0])}")
        return frozenset(found)

    def lists(self, path: str) -> bool:
        at = normal(path)
        return looks_like_list(path) or (at.lower() if self.folds else at) in self._section_addresses

    def includes(self, file: str, text: str) -> Iterable[str]:
        return hugo_includes(self.tree, file, text, [mount.folder for mount in self._mounts], self.place)


def _of_url(url: str, prefix: str) -> list[str]:
    """The addresses that `url` in front matter may mean: one from the root with its language's prefix or without."""
    return sorted({url, prefix + url}) if url.startswith("/") else [f"{prefix}/{url}"]


def _slice(folders: Sequence[str], brackets: str) -> str | None:
    """Part of the sections: `[1:]`, `[last]`, `[0]`."""
    inner = brackets[1:-1].replace("last", str(len(folders) - 1))
    start, colon, end = inner.partition(":")
    try:
        first = int(start) if start else 0
        if not colon:
            return folders[first]
        return "/".join(folders[first : int(end) if end else None])
    except (ValueError, IndexError):
        return None


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Hugo sites: by their configuration, else a `content` folder that the built pages or its files speak for."""
    found: list[Layout] = []
    for place, table in configurations(tree).items():
        settings = settings_of(table, place)
        if any(tree.has_folder(mount.folder) for mount in settings.mounts):
            found.append(Hugo(tree, place, settings, sure=True))
    return found or _unconfigured(tree, hints)


def _unconfigured(tree: Tree, hints: Hints) -> list[Layout]:
    """A `content` folder without a configuration: readings with and without languages by folder."""
    built = folder_of(hints.prefix) if hints.prefix else ""
    found: list[Layout] = []
    for place in dict.fromkeys((built, "")):
        content = join(place, "content")
        names = set(tree.under(content))
        speaks = hints.built_by("hugo") or any(name.rpartition("/")[2].startswith("_index.") for name in names)
        if not names or not speaks or with_suffix(names, (".mdx",)):
            continue
        first = {path.split("/")[1] for path in hints.paths if path.count("/") > 1}
        folders = [name for name in tree.folders_in(content) if _LANGUAGE.fullmatch(name)]
        prefixed = {name.lower(): f"/{name.lower()}" for name in folders}
        plain = Settings((Mount(content),), {}, "", {}, {}, known=False)
        found.append(Hugo(tree, place, plain, sure=False))
        open_ones = [name for name in folders if name.lower() not in first]
        for default in sorted(open_ones, key=lambda name: (name != "en", name))[:_READINGS]:
            mounts = (*(Mount(f"{content}/{name}", "", name.lower()) for name in folders), Mount(content))
            languages = {**prefixed, default.lower(): ""}
            settings = Settings(mounts, languages, default.lower(), {}, {}, known=False)
            found.append(Hugo(tree, place, settings, sure=False))
        break
    return found
