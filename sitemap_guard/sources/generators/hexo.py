"""Hexo: pages by path, posts by the permalink pattern, front matter `permalink`.

The rules are Hexo's documentation (permalinks, front matter, configuration) and its processors. Case is kept. A date
without a zone is read in the machine's zone and written in the site's, so the days beside the written one count too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from sitemap_guard.sources.generators.base import Clues, Hints, Layout, Publication, looks_like_list, page_at
from sitemap_guard.sources.generators.permalinks import Day, day_of, filled, near
from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.generators.slugs import hexo_slug
from sitemap_guard.sources.matter import as_list, as_table, as_text, is_false, is_true
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

_NAMES = ("_config.yml", "_config.yaml", "_config.json")
_KEYS = {
    "skip_render",
    "source_dir",
    "new_post_name",
    "post_asset_folder",
    "index_generator",
    "archive_dir",
    "i18n_dir",
}
_CONTENT = (".md", ".markdown", ".mkd", ".mkdn", ".mdwn", ".mdtxt", ".mdtext", ".html", ".htm", ".ejs", ".njk", ".pug")
_DEFAULT = ":year/:month/:day/:title/"
_FRONT = re.compile(r"\A(?!---|;;;)(.*?)^(---|;;;)+\s*$", re.DOTALL | re.MULTILINE)
_NAMED = {"year": r"\d{4}", "month": r"\d{2}", "day": r"\d{2}", "i_month": r"\d{1,2}", "i_day": r"\d{1,2}"}
_SLOT = re.compile(r":(\w+)")
_MOST = 48
_FREE = 3


class Hexo(Layout):
    """One Hexo site; `source` is its content folder."""

    generator = "hexo"
    moves = True

    def __init__(self, tree: Tree, place: str, table: dict[str, Any], *, sure: bool) -> None:
        super().__init__(tree, place, sure=sure)
        self._table = table
        self.source = join(place, as_text(table.get("source_dir")) or "source")
        self._permalink = as_text(table.get("permalink")) or _DEFAULT
        self._defaults = {str(key): as_text(value) for key, value in as_table(table.get("permalink_defaults")).items()}
        self._names = _name_pattern(as_text(table.get("new_post_name")) or ":title.md")
        self._drafts = is_true(table.get("render_drafts"))
        raw = map(as_text, as_list(table.get("skip_render")))
        self._raw = tree.matching(self.source, [pattern.lstrip("/") for pattern in raw])
        places = [as_text(table.get(key)) or default for key, default in _LISTS]
        self._lists = re.compile("/(?:" + "|".join(re.escape(text.strip("/")) for text in places if text) + ")(?:/.*)?")

    def files(self) -> Iterable[str]:
        found = []
        for file in with_suffix(self.tree.under(self.source), _CONTENT):
            parts = below(file, self.source).split("/")
            drafts = self._drafts and parts[0] == "_drafts"
            # Names that start with `_` and hidden ones are left out below the posts as well.
            inner = parts[1:] if parts[0] == "_posts" or drafts else parts
            if not any(part[:1] in ("_", ".", "#") or part.endswith(("~", "%")) for part in inner):
                found.append(file)
        return found

    def _is_post(self, file: str) -> bool:
        return below(file, self.source).startswith(("_posts/", "_drafts/"))

    def by_name(self, file: str) -> Sequence[Publication]:
        if self._is_post(file):
            return ()
        path = below(file, self.source)
        stem, _, suffix = path.rpartition(".")
        if path in self._raw:
            return (Publication(f"/{path}", file),) if suffix in ("html", "htm") else ()
        return (Publication(page_at(stem, ".html"), file),)

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        matter = matter or self._open_matter(file)
        own = as_text(matter.get("permalink"))
        if self._is_post(file):
            if is_false(matter.get("published")):
                return ()
            if own:
                return (Publication(f"/{own.lstrip('/')}", file),)
            return [Publication(address, file) for address in self._posts(file, matter)]
        if own and below(file, self.source) not in self._raw:
            stem = f"{own}index" if own.endswith("/") else own
            return (Publication(page_at(stem.removesuffix(".html").lstrip("/"), ".html"), file),)
        return self.by_name(file)

    def _open_matter(self, file: str) -> dict[str, Any]:
        """Front matter that only its end marks, as Hexo reads it too."""
        found = _FRONT.match((self.tree.text(file) or "")[:65536])
        if not found:
            return {}
        pairs = re.findall(r"(?m)^([A-Za-z_]\w*):[ \t]*(.*?)[ \t]*$", found[1])
        return {key: value.strip("\"'") for key, value in pairs}

    def _named(self, file: str) -> dict[str, str]:
        """What the name of a post says by `new_post_name`: its title (with folders), perhaps its day."""
        path = below(file, self.source).partition("/")[2].rpartition(".")[0]
        found = self._names.fullmatch(path) if self._names else None
        values = {key: value for key, value in found.groupdict().items() if value} if found else {}
        return {"title": hexo_slug(path), **values}

    def _days(self, file: str, matter: dict[str, Any]) -> set[Day]:
        written = as_text(matter.get("date"))
        named = self._named(file)
        if not written and "year" in named:
            written = "-".join(named.get(one) or named.get(f"i_{one}", "") for one in ("year", "month", "day"))
        day = day_of(written)
        return near(day) if day else set()

    def _posts(self, file: str, matter: dict[str, Any]) -> list[str]:
        named = self._named(file)
        slug = named["title"]
        values = {**self._defaults, **{key: as_text(value) for key, value in matter.items()}, **named}
        values |= {
            "title": slug,
            "name": slug.rpartition("/")[2],
            "post_title": hexo_slug(as_text(matter.get("title"))).lower(),
        }
        dated = re.search(r":(?:year|month|day|i_month|i_day)\b", self._permalink)
        days: list[dict[str, str]] = [_day(day) for day in sorted(self._days(file, matter))] if dated else [{}]
        found: dict[str, None] = {}
        for day in days:
            for category in self._categories(matter) if ":category" in self._permalink else [""]:
                address = _filled(self._permalink, {**values, **day, "category": category})
                if address and len(found) < _MOST:
                    found[address] = None
        return list(found)

    def _categories(self, matter: dict[str, Any]) -> list[str]:
        """The slugs that a post's category may have: of each chain of parents and children."""
        given = matter.get("categories") or matter.get("category")
        names = as_table(self._table.get("category_map"))
        chains = [given] if not isinstance(given, list) or not any(isinstance(one, list) for one in given) else given
        found = []
        for chain in chains:
            parts = [as_text(part) for part in as_list(chain) if as_text(part)]
            slugs = [hexo_slug(as_text(names.get(part)) or part) for part in parts]
            found += ["/".join(slugs[: end + 1]) for end in range(len(slugs))]
        cases = {"1": str.lower, "2": str.upper}.get(as_text(self._table.get("filename_case")), str)
        default = as_text(self._table.get("default_category")) or "uncategorized"
        return [cases(text) for text in found] if found else [default]

    def learnable(self, file: str, matter: dict[str, Any]) -> Clues | None:
        if not self._is_post(file) or as_text(matter.get("date")) or is_false(matter.get("published")):
            return None
        # Without a date the file's birth counts, which on another machine is that of the checkout.
        return Clues("posts", frozenset({self._named(file)["title"].rpartition("/")[2]}))

    def lists(self, path: str) -> bool:
        return self._lists.fullmatch(path.rstrip("/")) is not None or looks_like_list(path)


_LISTS = (("archive_dir", "archives"), ("category_dir", "categories"), ("tag_dir", "tags"))


def _name_pattern(text: str) -> re.Pattern[str] | None:
    """`new_post_name` as an expression for the names of posts."""
    pieces = _SLOT.split(text.rpartition(".")[0] or text)
    expression = ""
    seen: set[str] = set()
    # Many names that fit anything would take for ever to tell apart.
    if sum(piece not in _NAMED for piece in pieces[1::2]) > _FREE:
        return None
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            expression += re.escape(piece)
        elif piece in seen:
            return None
        else:
            seen.add(piece)
            expression += f"(?P<{piece}>{_NAMED.get(piece, '.+?')})"
    return re.compile(expression)


def _day(day: Day) -> dict[str, str]:
    year, month, number = day
    names = {"year": f"{year:04}", "month": f"{month:02}", "day": f"{number:02}"}
    return {**names, "i_month": str(month), "i_day": str(number)}


def _filled(pattern: str, values: dict[str, str]) -> str:
    """The address of a permalink pattern; "" if a part of it is not known."""
    text = filled(pattern, _SLOT, lambda found: values.get(found[1]) or None)
    return "" if text is None else re.sub(r"/{2,}", "/", f"/{text}")


def find(tree: Tree, hints: Hints) -> list[Layout]:
    """The Hexo sites: a `_config.yml` with a key that only Hexo has, or beside a package that names it."""
    found: list[Layout] = []
    for path in tree.named(*_NAMES):
        place = folder_of(path)
        if "/themes/" in f"/{path}" or place in (layout.place for layout in found):
            continue
        table = read_table(tree, path)
        package = read_table(tree, join(place, "package.json"))
        uses = "hexo" in package or "hexo" in as_table(package.get("dependencies"))
        layout = Hexo(tree, place, table, sure=True)
        if (uses or _KEYS & table.keys()) and tree.has_folder(layout.source):
            found.append(layout)
    if not found and hints.built_by("hexo") and tree.has_folder("source/_posts"):
        found.append(Hexo(tree, "", {}, sure=False))
    return found
