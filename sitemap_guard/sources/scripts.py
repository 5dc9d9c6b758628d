"""Settings in configurations that are programs (conf.py, docusaurus.config.js, .vitepress/config.mts).

Never run. A setting counts only where it is written out as a literal; comments and the inside of strings are told
apart by a small scanner, so that a commented-out setting is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`"""
_LONG = r"""\"{3}.*?\"{3}|'{3}.*?'{3}"""
_JS = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_PY = re.compile(rf"({_LONG}|{_STRING})|\#[^\n]*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def without_comments(text: str, *, python: bool = False) -> str:
    """The text of a script with its comments taken out. A regular expression literal may be taken for a comment."""
    return (_PY if python else _JS).sub(lambda found: found[1] or " ", text)


def setting(text: str, name: str, start: int = 0) -> str | None:
    """The string that a key (`name: 'x'`, `name = "x"`) is set to, at its first place; None if it is none.

    The text is one without comments. A template with `${` in it is not a literal.
    """
    found = re.compile(rf"""(?<![\w.$-])["']?{name}["']?\s*[:=]\s*({_STRING})""").search(text, start)
    return literal(found[1]) if found else None


def flag(text: str, name: str) -> bool | None:
    """The truth value that a key is set to, at its first place; None if it is not set to a literal."""
    found = re.search(rf"""(?<![\w.$-])["']?{name}["']?\s*[:=]\s*(true|false|True|False)\b""", text)
    return found[1].lower() == "true" if found else None


def literal(text: str) -> str | None:
    """The value of a quoted string; None for a template with something to fill in."""
    if text.startswith("`") and "${" in text:
        return None
    return _ESCAPE.sub(r"\1", text[1:-1])


def strings(text: str) -> Iterator[str]:
    """All literal strings of a piece of a script."""
    for found in re.finditer(_STRING, text):
        value = literal(found[0])
        if value is not None:
            yield value


def block(text: str, name: str, start: int = 0) -> str | None:
    """The braces or brackets that a key is set to (`name: {…}`, `name = […]`), with all inside; None for none."""
    found = re.compile(rf"""(?<![\w.$-])["']?{name}["']?\s*[:=]\s*(?=[\[{{])""").search(text, start)
    if not found:
        return None
    return balanced(text, found.end())


def balanced(text: str, start: int) -> str | None:
    """The text from an opening brace or bracket to the one that closes it; None if nothing does."""
    depth = 0
    for found in re.compile(rf"{_STRING}|[\[\](){{}}]", re.DOTALL).finditer(text, start):
        sign = found[0]
        if sign in "[({":
            depth += 1
        elif sign in "])}":
            depth -= 1
            if depth == 0:
                return text[start : found.end()]
    return None


def pairs(text: str) -> dict[str, str]:
    """The entries of an object of strings: `'a': 'b'`, `c: 'd'`."""
    found = {}
    for match in re.finditer(rf"(?:({_STRING})|([\w$]+))\s*:\s*({_STRING})", text):
        key = literal(match[1]) if match[1] else match[2]
        value = literal(match[3])
        if key is not None and value is not None:
            found[key] = value
    return found
