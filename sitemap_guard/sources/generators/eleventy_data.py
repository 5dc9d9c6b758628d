"""Eleventy's data: the permalink that a file gets from data files and front matter, and how its text is filled in."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.permalinks import Day, day_of, near
from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.generators.slugs import npm_slugs, sindre_slugs
from sitemap_guard.sources.matter import as_table, as_text
from sitemap_guard.sources.scripts import flag, setting, without_comments
from sitemap_guard.sources.tree import Tree, folder_of, join

_SCRIPTS = (".11tydata.js", ".11tydata.cjs", ".11tydata.mjs", ".11tydata.ts")
_TABLES = (".11tydata.json", ".json", ".11tydata.yaml", ".11tydata.yml")
_ARROW = re.compile(r"permalink\s*:\s*(?:async\s*)?(?:\(([^()]*)\)|(\w+))\s*=>\s*(`[^`]*`)")
_METHOD = re.compile(r"permalink\s*(?:\(([^()]*)\)\s*\{|:\s*function\s*\(([^()]*)\)\s*\{)\s*return\s*(`[^`]*`)")
_SLOT = re.compile(r"\{\{-?\s*(.*?)\s*-?\}\}", re.DOTALL)
_OPTION = re.compile(r"\{%-?\s*if\b[^%]*%\}([^{}]*(?:\{\{[^{}]*\}\}[^{}]*)*)\{%-?\s*endif\s*-?%\}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FILTER = re.compile(r"""(\w+)(?:\s*[:(]\s*["']([^"']*)["']\s*\)?|\(\s*\))?\s*""")
_STRFTIME = {
    "Y": "{0:04}",
    "m": "{1:02}",
    "d": "{2:02}",
    "-m": "{1}",
    "-d": "{2}",
    "e": "{2}",
    "y": "{3:02}",
    "F": "{0:04}-{1:02}-{2:02}",
}
_MOST = 24
_PIECES = 9  # a pattern of more texts and slots is not understood


class Permalink(Struct, frozen=True):
    """A permalink. `text` is None for none (the default address) and "" for a page that is not written.

    `known` is false for one that a programme makes; `origin` is then the file that holds it.
    """

    text: str | None = None
    known: bool = True
    origin: str = ""


class Scope(Struct, frozen=True):
    """What a permalink's text may name: the file (`path` from the input folder, `stem`) and its front matter."""

    path: str
    stem: str
    matter: dict[str, Any]

    @property
    def slug(self) -> str:
        """`page.fileSlug`: the name, or the folder's for an index; a date before it is taken off."""
        name = self.stem
        if _undated(name) == "index":
            name = folder_of(self.path).rpartition("/")[2]
        return _undated(name)

    @property
    def path_stem(self) -> str:
        """`page.filePathStem`."""
        folder = folder_of(self.path)
        return f"/{folder}/{_undated(self.stem)}" if folder else f"/{_undated(self.stem)}"

    def days(self) -> set[Day]:
        """The days of `page.date`: the front matter's, else the one in the path."""
        written = as_text(self.matter.get("date"))
        if written:
            day = day_of(written)
            return (near(day) if ":" in written else {day}) if day else set()
        found = _DATE.search(self.path)
        day = day_of(found[0]) if found else None
        return {day} if day else set()


def _undated(name: str) -> str:
    found = re.search(r"\d{4}-\d{2}-\d{2}-(.*)", name)
    return found[1] if found else name


class Data:
    """The permalinks in data files: of the file itself, of its folders up to the input folder, of all."""

    def __init__(self, tree: Tree, root: str, everywhere: str) -> None:
        self._tree = tree
        self._root = root
        # The folder of data for all files has a file for each name.
        plain = self._read(join(everywhere, "permalink"), "permalink")[0]
        self._all = (plain, self._read(join(everywhere, "eleventyComputed"))[0])
        self._folders: dict[str, tuple[Permalink, Permalink]] = {}

    def permalink(self, file: str, matter: dict[str, Any] | None = None) -> Permalink:
        """A file's permalink. Without `matter` (the front matter) as far as data files tell."""
        plain, computed = self._of_folder(folder_of(file))
        stem = file.rpartition(".")[0].removesuffix(".11ty")
        for beside in (self._read(stem),):
            plain = beside[0] if beside[0].text is not None or not beside[0].known else plain
            computed = beside[1] if beside[1].text is not None or not beside[1].known else computed
        if matter is not None:
            own = _in_table(matter, file)
            plain = own[0] if own[0].text is not None or not own[0].known else plain
            computed = own[1] if own[1].text is not None or not own[1].known else computed
        return plain if plain.text is not None or not plain.known else computed

    def _of_folder(self, folder: str) -> tuple[Permalink, Permalink]:
        if folder not in self._folders:
            inside = folder != self._root and (not self._root or folder.startswith(f"{self._root}/"))
            plain, computed = self._of_folder(folder_of(folder)) if inside else self._all
            name = folder.rpartition("/")[2]
            own = self._read(join(folder, name)) if name else (Permalink(), Permalink())
            if own[0].text is not None or not own[0].known:
                plain = own[0]
            if own[1].text is not None or not own[1].known:
                computed = own[1]
            self._folders[folder] = (plain, computed)
        return self._folders[folder]

    def _read(self, stem: str, key: str = "") -> tuple[Permalink, Permalink]:
        for suffix in (
            *_SCRIPTS,
            *((".js", ".cjs", ".mjs", ".ts") if key or stem.endswith("eleventyComputed") else ()),
        ):
            if (path := stem + suffix) in self._tree.tracked:
                text = without_comments(self._tree.text(path) or "")
                # A file of one name exports its value.
                return (Permalink(known=False, origin=path), Permalink()) if key else _in_script(text, path)
        for suffix in _TABLES:
            if (path := stem + suffix) in self._tree.tracked:
                return _in_table(read_table(self._tree, path), path)
        return Permalink(), Permalink()


def _in_table(table: dict[str, Any], origin: str) -> tuple[Permalink, Permalink]:
    return _of(table.get("permalink"), origin), _of(as_table(table.get("eleventyComputed")).get("permalink"), origin)


def _of(value: Any, origin: str) -> Permalink:
    if isinstance(value, dict):
        value = value.get("build", False)
    if value is None:
        return Permalink()
    if value is False or (isinstance(value, str) and value.strip().lower() in ("false", "no")):
        return Permalink("")
    return Permalink(value.strip() or None) if isinstance(value, str) else Permalink(known=False, origin=origin)


def _in_script(text: str, origin: str) -> tuple[Permalink, Permalink]:
    if not re.search(r"\bpermalink\b", text):
        return Permalink(), Permalink()
    given = setting(text, "permalink")
    made = _ARROW.search(text) or _METHOD.search(text)
    if given is not None:
        found = Permalink(given)
    elif flag(text, "permalink") is False:
        found = Permalink("")
    elif made:
        # A function that fills in a text is read as a template of the same text.
        body = made[3][1:-1]
        name = (made[1] or made[2] or "").strip()
        inner = re.sub(r"\$\{\s*([^{}]*?)\s*\}", r"{{ \1 }}", body)
        found = Permalink(re.sub(rf"\{{\{{ {re.escape(name)}\.", "{{ ", inner) if name.isidentifier() else inner)
    else:
        found = Permalink(known=False, origin=origin)
    return found, Permalink()


def front_matter(tree: Tree, file: str, matter: dict[str, Any]) -> dict[str, Any]:
    """A file's front matter; that in JSON or as a script (`---json`, `---js`) as far as it can be read."""
    if matter:
        return matter
    if ".11ty." in file.rpartition("/")[2]:
        text = without_comments(tree.text(file) or "")
        permalink = _in_script(text, file)[0]
        found: dict[str, Any] = {} if permalink.known else {"permalink": 0}
        if permalink.text is not None:
            found["permalink"] = permalink.text or "false"
        return {**found, **_paginated(text)}
    text = tree.text(file) or ""
    opening, _, rest = text.partition("\n")
    kind = opening.strip()[3:].strip().lower() if opening.startswith("---") else ""
    if not kind:
        return {}
    inner = re.split(r"(?m)^---\s*$", rest, maxsplit=1)[0]
    if kind == "json":
        try:
            return as_table(json.loads(inner))
        except (ValueError, RecursionError):
            return {}
    inner = without_comments(inner)
    permalink = _in_script(inner, file)[0]
    fields: dict[str, Any] = {
        "permalink": (permalink.text or "false") if permalink.known and permalink.text is not None else None,
        "title": setting(inner, "title"),
        "date": setting(inner, "date"),
    }
    if not permalink.known:
        fields["permalink"] = 0
    return {key: value for key, value in fields.items() if value is not None} | _paginated(inner)


def _paginated(script: str) -> dict[str, Any]:
    """The pagination that a script sets, as far as it tells one page of many from lists."""
    found = re.search(r"\bpagination\s*[:=]\s*\{", script)
    size = re.compile(r"\bsize\s*:\s*(\d+)").search(script, found.start()) if found else None
    return {"pagination": {"size": size[1] if size else "0"}} if found else {}


# -------------------------------------------------------------------------------------------------- filling in


def rendered(text: str, scope: Scope, *, whole: bool) -> list[str] | None:
    """The texts that a permalink becomes; None if it names something that is not known.

    `whole`: the front matter in `scope` is the file's; else what it may hold is not known.
    """
    if "{%" in text or "<%" in text:
        return None
    pieces = _SLOT.split(text)
    filled: list[list[str]] = []
    for place, piece in enumerate(pieces):
        values = _expression(piece, scope, whole=whole) if place % 2 else [piece]
        if not values:
            return None
        filled.append(values)
    found = []
    for parts in product(*filled):
        found.append("".join(parts))
        if len(found) >= _MOST:
            break
    return found


def pattern_of(text: str, scope: Scope, *, numbered: bool) -> re.Pattern[str] | None:
    """What the written files of a paginated template are called; None if the text says too little.

    `numbered`: the text does not tell its pages apart, so that each but the first goes into a folder of its number.
    """
    text = _OPTION.sub(lambda found: f"\1{found[1]}\2", text)
    if "{%" in text or "<%" in text:
        return None
    if text.endswith(("/", "/\2")):
        text += "index.html"
    pieces = _SLOT.split(text)
    if len(pieces) > _PIECES:
        return None
    expression = ""
    for place, piece in enumerate(pieces):
        if place % 2:
            known = [] if piece.startswith("pagination") else _expression(piece, scope, whole=True)
            expression += f"(?:{'|'.join(map(re.escape, known))})" if known else "[^/]+?"
        else:
            expression += re.escape(piece).replace("\1", "(?:").replace("\2", ")?")
    if numbered:
        folder, _, name = expression.rpartition("/")
        expression = rf"{folder}/(?:\d+/)?{name}"
    # A text of nothing but what is not known would fit every page of the site.
    literal = re.sub(r"index\.html$|[^\w]", "", "".join(pieces[0::2]))
    return re.compile(expression) if literal or numbered else None


def fits(pattern: re.Pattern[str], path: str) -> bool:
    """Whether an address is that of a file that the pattern fits."""
    forms = [f"{path}index.html"] if path.endswith("/") else [path, f"{path}/index.html", f"{path}.html"]
    return any(pattern.fullmatch(form) for form in forms)


def _expression(text: str, scope: Scope, *, whole: bool) -> list[str]:
    """The values of `name | filter: …`; [] if it cannot be told."""
    name, *filters = [part.strip() for part in text.split("|")]
    called = re.fullmatch(r"(?:this\.)?(slugify|slug)\(\s*(?:data\.)?([\w.]+)\s*\)", name)
    if called:
        name, filters = called[2], [called[1], *filters]
    name = name.removeprefix("data.")
    if name == "page.date":
        return _dated(filters, scope)
    values = _named(name, scope, whole=whole)
    for one in filters:
        found = _FILTER.fullmatch(one)
        if not found:
            return []
        match found[1]:
            case "slugify":
                values = [slug for value in values for slug in sindre_slugs(value)]
            case "slug":
                values = [slug for value in values for slug in npm_slugs(value)]
            case "lower" | "downcase":
                values = [value.lower() for value in values]
            case "safe" | "trim" | "strip":
                pass
            case _:
                return []
    return values


def _named(name: str, scope: Scope, *, whole: bool) -> list[str]:
    match name:
        case "page.fileSlug":
            return [scope.slug] if scope.slug else []
        case "page.filePathStem":
            return [scope.path_stem]
    if re.fullmatch(r"\"[^\"]*\"|'[^']*'", name):
        return [name[1:-1]]
    value: Any = scope.matter
    for part in name.split("."):
        value = as_table(value).get(part)
    text = as_text(value)
    return [text] if text and whole else []


def _dated(filters: list[str], scope: Scope) -> list[str]:
    found = _FILTER.fullmatch(filters[0]) if len(filters) == 1 else None
    if not found or found[1] != "date" or not found[2] or "%" not in found[2]:
        return []
    texts = []
    for day in sorted(scope.days()):
        missing = False

        def part(match: re.Match[str], day: Day = day) -> str:
            nonlocal missing
            form = _STRFTIME.get(match[1])
            missing = missing or form is None
            return form.format(*day, day[0] % 100) if form else ""

        text = re.sub(r"%(-?\w)", part, found[2])
        if not missing:
            texts.append(text)
    return texts
