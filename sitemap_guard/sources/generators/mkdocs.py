"""MkDocs (and Zensical): `docs_dir` by path, README as index; Material's blog; languages by suffix or folder.

The rules are the documentation of MkDocs (writing your docs), of Material's blog plugin and of static-i18n.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, page_at
from sitemap_guard.sources.generators.permalinks import Day, dated, day_of, stem_of
from sitemap_guard.sources.generators.settings import merged, read_table
from sitemap_guard.sources.includes import mkdocs_includes
from sitemap_guard.sources.matter import as_list, as_table, as_text, is_false, is_true
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = ("mkdocs.yml", "mkdocs.yaml", "zensical.toml", "properdocs.yml")
_CONTENT = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_TAG = re.compile(r"<[^>]*>|\{[^}]*\}|[`*]")
# The parts of a date as Babel writes them, those that make sense in an address.
_BABEL = {"yyyy": "{0:04}", "yy": "{3:02}", "y": "{0}", "MM": "{1:02}", "M": "{1}", "dd": "{2:02}", "d": "{2}"}


class MkDocs(Layout):
    """One MkDocs site. `table` is its configuration."""

    generator = "mkdocs"

    def __init__(self, tree: Tree, place: str, table: dict[str, Any], *, sure: bool = True) -> None:
        super().__init__(tree, place, sure=sure)
        self.docs = join(place, as_text(table.get("docs_dir")) or "docs")
        self._flat = is_false(table.get("use_directory_urls"))
        self._plugins = _plugins(table)
        self._languages, self._default, self._by_folder = _languages(self._plugins.get("i18n"))
        blog = self._plugins.get("blog", self._plugins.get("material/blog"))
        self._blog: str | None = None
        self._posts = ""
        if blog is not None:
            self._blog = join(as_text(blog.get("blog_dir")) or "blog")
            posts = as_text(blog.get("post_dir")) or "{blog}/posts"
            self._posts = join(self.docs, posts.replace("{blog}", self._blog))
            self.moves = True
        self._url_format = as_text((blog or {}).get("post_url_format")) or "{date}/{slug}"
        self._date_format = as_text((blog or {}).get("post_url_date_format")) or "yyyy/MM/dd"
        self._snippets = [self.docs, place, *_snippet_bases(table, place)]

    def files(self) -> Iterable[str]:
        found = with_suffix(self.tree.under(self.docs), _CONTENT)
        return [file for file in found if not any(part[:1] == "." for part in below(file, self.docs).split("/"))]

    def _is_post(self, file: str) -> bool:
        return bool(self._posts) and file.startswith(f"{self._posts}/")

    def by_name(self, file: str) -> Sequence[Publication]:
        return () if self._is_post(file) else self._pages(file)

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        if not self._is_post(file):
            return self._pages(file)
        day, slugs = self._post(file, matter)
        if day is None or is_true(matter.get("draft")):
            return ()
        date = re.sub(
            "y{1,4}|M{1,2}|d{1,2}", lambda found: _BABEL.get(found[0], "").format(*day, day[0] % 100), self._date_format
        )
        categories = "/".join(_slug(as_text(item)) for item in as_list(matter.get("categories"))[:1])
        found = []
        for slug in sorted(slugs):
            path = self._url_format.replace("{date}", date).replace("{slug}", slug)
            path = path.replace("{categories}", categories).replace("{file}", stem_of(file))
            found.append(Publication(self._address(join(self._blog or "", path)), file))
        return found

    def _post(self, file: str, matter: dict[str, Any]) -> tuple[Day | None, set[str]]:
        date = matter.get("date")
        day = day_of(as_table(date).get("created") if isinstance(date, dict) else date)
        slug = as_text(matter.get("slug"))
        if slug:
            return day, {slug}
        heading = _HEADING.search(re.sub(r"\A---\n.*?\n---\n", "", self.tree.text(file) or "", flags=re.DOTALL))
        title = as_text(matter.get("title")) or (heading[1] if heading else stem_of(file))
        return day, {_slug(title)}

    def _pages(self, file: str) -> Sequence[Publication]:
        path = below(file, self.docs)
        stem = path.rpartition(".")[0]
        name = stem.rpartition("/")[2]
        if not self._languages:
            if name.lower() == "readme":
                if self.tree.has_any(join(folder_of(file), "index"), _CONTENT):
                    return ()
                stem = f"{stem[: -len(name)]}index"
            return (Publication(self._address(stem), file, self._kind(stem)),)
        return self._translated(file, path, stem)

    def _kind(self, stem: str) -> str:
        return "list" if self._blog is not None and stem == join(self._blog, "index") else "page"

    def _translated(self, file: str, path: str, stem: str) -> Sequence[Publication]:
        """Where a file goes on a site of several languages: its own, and those that fall back on the default one."""
        first, _, rest = stem.partition("/")
        own, plain = self._default, stem
        if self._by_folder and first in self._languages:
            own, plain = first, rest
        elif not self._by_folder and stem.rpartition(".")[2] in self._languages:
            plain, _, own = stem.rpartition(".")
        suffix = path.rpartition(".")[2]
        variants = {
            code: f"{code}/{plain}.{suffix}" if self._by_folder else f"{plain}.{code}.{suffix}"
            for code in self._languages
        }
        shown = [own]
        if own == self._default:
            shown += [
                code
                for code, other in variants.items()
                if code != own and join(self.docs, other) not in self.tree.tracked
            ]
        if plain.lower().endswith("readme"):
            plain = plain[:-6] + "index"
        return [
            Publication(self._address(plain if code == self._default else f"{code}/{plain}"), file) for code in shown
        ]

    def _address(self, stem: str) -> str:
        return page_at(stem, ".html" if self._flat else "/")

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if not self._is_post(file):
            return None
        day, slugs = self._post(file, matter)
        stem = stem_of(file)
        return Clues("posts", frozenset({*slugs, stem, dated(stem)[1]} - {""}), frozenset({day} if day else ()))

    def includes(self, file: str, text: str) -> Iterable[str]:
        return mkdocs_includes(self.tree, file, text, self._snippets)


def _plugins(table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The plugins that are switched on, with their options."""
    given = table.get("plugins")
    found: dict[str, dict[str, Any]] = {}
    items = given.items() if isinstance(given, dict) else []
    for item in as_list(given):
        if isinstance(item, str):
            found[item] = {}
        elif isinstance(item, dict):
            items = [*items, *item.items()]
    for name, options in items:
        if not is_false(as_table(options).get("enabled")):
            found[str(name)] = as_table(options)
    return found


def _languages(options: dict[str, Any] | None) -> tuple[tuple[str, ...], str, bool]:
    """Codes, the default one, and whether the languages are folders (mkdocs-static-i18n)."""
    if not options:
        return (), "", False
    given = options.get("languages")
    tables = [as_table(item) for item in as_list(given)] if isinstance(given, list) else []
    codes = [as_text(item.get("locale")) for item in tables if not is_false(item.get("build"))]
    default = next((as_text(item.get("locale")) for item in tables if is_true(item.get("default"))), "")
    if isinstance(given, dict):
        codes = list(given)
        default = as_text(options.get("default_language"))
    return tuple(code for code in codes if code), default, as_text(options.get("docs_structure")) == "folder"


def _snippet_bases(table: dict[str, Any], place: str) -> list[str]:
    for item in as_list(table.get("markdown_extensions")):
        options = as_table(as_table(item).get("pymdownx.snippets"))
        if options.get("base_path"):
            return [join(place, as_text(base)) for base in as_list(options["base_path"])]
    return []


def _slug(title: str) -> str:
    """As pymdownx's slugify with lower case, which Material's blog uses."""
    text = unicodedata.normalize("NFC", _TAG.sub("", title)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The MkDocs sites: one for each configuration, with what it inherits."""
    found: list[Layout] = []
    for path in tree.named(*_NAMES):
        table = read_table(tree, path)
        if path.endswith(".toml"):
            table = as_table(table.get("project"))
        place = folder_of(path)
        parent = as_text(table.get("INHERIT"))
        if parent:
            table = merged(read_table(tree, join(place, parent)), table)
        layout = MkDocs(tree, place, table)
        if tree.has_folder(layout.docs):
            found.append(layout)
    if not found and hints.built_by("mkdocs") and tree.has_folder("docs"):
        found.append(MkDocs(tree, "", {}, sure=False))
    return found
