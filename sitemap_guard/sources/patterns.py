"""The patterns of `[[source]]`: `{name}` in a URL, and the same names in the path of a file."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from sitemap_guard.config.lines import Key
from sitemap_guard.model import SettingError
from sitemap_guard.sources.globs import escaped, has_wild_card
from sitemap_guard.urls import is_absolute, parse

_NAME = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)(\*?)\}")
_ORIGIN = re.compile(r"\s*(https?://[^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


class UrlPattern(Struct, frozen=True):
    """A URL pattern: either one literal text, or an expression with a group for each name."""

    names: tuple[str, ...]
    literal: str = ""
    expression: re.Pattern[str] | None = None

    def fits_any(self, urls: frozenset[str]) -> bool:
        """Whether one of these URLs, in full, fits."""
        return any(map(self.expression.fullmatch, urls)) if self.expression else self.literal in urls


class Template(Struct, frozen=True):
    """A path in which names are filled in. `parts` alternate: text, name, text, ... `wild`: it has wild cards."""

    parts: tuple[str, ...]
    wild: bool

    def fill(self, values: dict[str, str]) -> str:
        """The path; in one with wild cards, those that come from the URL are literal (see `globs`)."""
        filled = [
            (escaped(values[part]) if self.wild else values[part]) if place % 2 else part
            for place, part in enumerate(self.parts)
        ]
        # A {name*} that stands for no segment at all leaves a slash too many behind.
        return re.sub(r"/{2,}", "/", "".join(filled)).removeprefix("/")


def url_pattern(text: str, base_url: str, setting: Key) -> UrlPattern:
    """The pattern for the full text of a URL (origin, decoded path and query).

    `{name}` is one segment or a part of one; `{name*}` between slashes is any number of whole segments, none too,
    and elsewhere one or more. `setting` is where it stands.

    Raises:
        SettingError: a brace that is not closed or opens no name, a name used twice, a name in the host.
    """
    pieces = _pieces(_full(text, base_url, setting), setting)
    names = tuple(name.removesuffix("*") for name in pieces[1::2])
    for name in names:
        if names.count(name) > 1:
            raise SettingError(setting, f"the name {{{name}}} stands there twice; give each part its own name")
    if not names:
        return UrlPattern((), literal=pieces[0])
    source = re.escape(pieces[0])
    for place in range(1, len(pieces), 2):
        text_after = pieces[place + 1]
        if not pieces[place].endswith("*"):
            source += "([^/]+?)"
        elif not source.endswith("/") or text_after[:1] not in ("", "/"):
            source += "([^/]+(?:/[^/]+)*)"
        elif text_after:
            source += "((?:[^/]+/)*)"
            text_after = text_after[1:]
        else:
            source += "((?:[^/]+(?:/[^/]+)*)?)"
        source += re.escape(text_after)
    return UrlPattern(names, expression=re.compile(source, re.DOTALL))


def from_host(text: str, base_url: str) -> str:
    """The whole URL of a pattern that is written from the host's root, and so begins with the site's own base path;
    "" for any other."""
    base = parse(base_url) if base_url else None
    if base is None or base.path == "/" or is_absolute(text) or not _decoded(text).startswith(_decoded(base.path)):
        return ""
    return base.origin + text


def template(text: str, names: tuple[str, ...], setting: Key) -> Template:
    """The path with the names of its URL pattern; a leading `/` or `./` is taken off.

    Raises:
        SettingError: a bad brace, or a name that the URL pattern does not have.
    """
    pieces = _pieces(re.sub(r"^(?:\./+|/+)+", "", text), setting)
    pieces[1::2] = [name.removesuffix("*") for name in pieces[1::2]]
    for name in pieces[1::2]:
        if name not in names:
            known = ", ".join(f"{{{known}}}" for known in names) or "no names"
            raise SettingError(setting, f"it uses {{{name}}}, but url has {known}; add it to url or take it out")
    return Template(tuple(pieces), any(has_wild_card(part) for part in pieces[0::2]))


def _pieces(text: str, setting: Key) -> list[str]:
    """Text, name, text, name, ..., text. A name of many segments keeps its star."""
    pieces = [""]
    place = 0
    for found in _NAME.finditer(text):
        pieces[-1] = _literal(text[place : found.start()], setting)
        pieces += [found[1] + found[2], ""]
        place = found.end()
    pieces[-1] = _literal(text[place:], setting)
    return pieces


def _literal(text: str, setting: Key) -> str:
    if "{" in text or "}" in text:
        wrong = text[min(place for place in (text.find("{"), text.find("}")) if place >= 0) :]
        raise SettingError(setting, f"a stray brace at {wrong[:30]!r}; a name is written {{name}} or {{name*}}")
    return text


def _full(text: str, base_url: str, setting: Key) -> str:
    if not is_absolute(text):
        base = parse(base_url)
        root = base.origin + _decoded(base.path) if base else ""
        return root.removesuffix("/") + "/" + _decoded(text.removeprefix("/"))
    found = _ORIGIN.match(text)
    host = parse(found[1]) if found else None
    if not found or not host or "{" in found[1]:
        raise SettingError(setting, f"{text!r} has no host that can be read; names can stand in its path only")
    return host.origin + (_decoded(found[2]) or "/")


def _decoded(text: str) -> str:
    return unquote_to_bytes(text).decode("utf-8", "surrogateescape")
