"""How Eleventy fills in a permalink's text: data of the page, front matter, filters; for one page, or for many."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.permalinks import Day, day_of, filled, near
from sitemap_guard.sources.generators.slugs import npm_slugs, sindre_slugs
from sitemap_guard.sources.matter import as_table, as_text
from sitemap_guard.sources.tree import folder_of

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
_TIME = re.compile(r"%(-?\w)")


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
    texts = (filled(found[2], _TIME, partial(_time, day)) for day in sorted(scope.days()))
    return [text for text in texts if text is not None]


def _time(day: Day, slot: re.Match[str]) -> str | None:
    form = _STRFTIME.get(slot[1])
    return form.format(*day, day[0] % 100) if form else None
