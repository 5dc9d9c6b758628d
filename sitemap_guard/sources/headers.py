"""The head of a source, apart from its text: front matter, or the fields of Org, reStructuredText and AsciiDoc.

Also the plain `Key: value` lines at the top of a Markdown file, as Python-Markdown and Pelican read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from sitemap_guard.sources.matter import table_of

# Front matter stands at the top; what follows this many characters is text.
_HEAD = 65536
_ORG = re.compile(r"#\+(\w[\w-]*):[ \t]*(.*)")
_RST = re.compile(r":([\w][\w -]*):[ \t]*(.*)")
_PLAIN = re.compile(r"([A-Za-z][\w-]*):[ \t]+(\S.*)")
_RULE = re.compile(r"([=\-~^\"'#*+`.:_])\1{2,}\s*")
_ORG_STAMP = re.compile(r"[<\[]?(\d{4}-\d\d-\d\d)(?: +[^\W\d]+\.?)?(?: +(\d\d?:\d\d))?[>\]]?")
_END = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*\r?$", re.MULTILINE),
}


class Header(NamedTuple):
    """`table` are the fields, `body` what is left of the text, `lines` where fields stand (only what was counted).

    `folded`: the names of this kind of field are read without regard to case. `readable` is False when there is
    front matter that its library cannot read.
    """

    table: dict[str, Any]
    body: str
    folded: bool = False
    readable: bool = True

    def value(self, name: str) -> str:
        """A field's scalar as text, "" for none; dots in the name go into nested tables."""
        found = _at(self.table, name, folded=False)
        if found is None:
            found = _at(self.table, name, folded=True)
        return "" if found is None or isinstance(found, (dict, list, bool, float)) else str(found).strip()


def _at(table: dict[str, Any], name: str, *, folded: bool) -> Any:
    """Generators differ in whether a key's case counts (for Hugo's it does not), so that is the second try."""
    keys = {str(key).lower(): key for key in table} if folded else {}
    found = table.get(keys.get(name.lower(), name) if folded else name)
    if found is None and "." in name:
        first, _, rest = name.partition(".")
        inner = table.get(keys.get(first.lower(), first) if folded else first)
        return _at(inner, rest, folded=folded) if isinstance(inner, dict) else None
    return found


def header_of(path: str, content: bytes) -> Header:
    """The head and body of a source; any bytes will do."""
    text = content.decode("utf-8-sig", "replace")
    opening = text.partition("\n")[0].strip()
    if opening in _END:
        end = _END[opening].search(text, len(opening))
        if end is None:
            return Header({}, text)
        table = _table(text[: end.end()] + "\n")
        return Header(table, text[end.end() :], readable=bool(table) or not text[len(opening) : end.start()].strip())
    if text.startswith("{"):
        table = table_of(text)
        return Header(table, _after_json(text)) if table else Header({}, text)
    kind = path.rpartition(".")[2].lower()
    if kind == "org":
        return _collected(text, _ORG, blank=True, prefix="hugo_")
    if kind in ("rst", "rest", "adoc", "asciidoc"):
        return _collected(text, _RST, blank=True)
    if kind in ("md", "markdown", "mkd") and _PLAIN.match(text):
        return _collected(text, _PLAIN, blank=False)
    return Header({}, text)


@lru_cache(maxsize=2048)
def _table(front: str) -> dict[str, Any]:
    """Kept, because most changes of a file leave its front matter as it is."""
    return table_of(front)


def _after_json(text: str) -> str:
    import json

    try:
        return text[json.JSONDecoder().raw_decode(text)[1] :]
    except (ValueError, RecursionError):
        return text


def _collected(text: str, pattern: re.Pattern[str], *, blank: bool, prefix: str = "") -> Header:
    """Fields that stand one a line at the top, after a title and blank lines at most."""
    table: dict[str, Any] = {}
    body: list[str] = []
    lines = text.split("\n")
    titles = 0
    for number, line in enumerate(lines):
        match = pattern.match(line)
        if match is not None and number < 400:
            name = match[1].strip().lower().removeprefix(prefix)
            table.setdefault(name, _plain(match[2]))
        elif not line.strip():
            body.append(line)
            if not blank:
                body += lines[number:]
                break
        elif table and line[:1] in " \t":
            continue  # a field's value goes on
        elif not table and blank and (titles < 2 or _RULE.fullmatch(line) or line[:1] in "#=.:"):
            titles += not _RULE.fullmatch(line)
            body.append(line)
        else:
            body += lines[number:]
            break
    return Header(table, "\n".join(body), folded=True)


def _plain(value: str) -> str:
    """A field's value; Org's time stamps as other formats write them."""
    value = value.strip()
    stamp = _ORG_STAMP.fullmatch(value)
    if stamp is None:
        return value
    return stamp[1] + (f" {stamp[2].zfill(5)}" if stamp[2] else "")


def line_of(name: str, text: str) -> int:
    """The line on which a field stands (1 when it cannot be found)."""
    start = 0
    lines = text[:_HEAD].split("\n")
    for part in name.split("."):
        start = _find(part, lines, start) or start
    return start or 1


def _find(name: str, lines: Iterable[str], after: int) -> int:
    pattern = re.compile(rf"""\s*(?:#\+(?:hugo_)?|:)?["']?{re.escape(name)}["']?\s*[:=]""", re.IGNORECASE)
    for number, line in enumerate(lines, 1):
        if number > after and pattern.match(line):
            return number
    return 0
