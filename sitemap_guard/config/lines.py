"""On which line of a TOML file a key is set. The parser does not tell, and an error without its line is half of one."""

from __future__ import annotations

import re

Key = tuple[str | int, ...]

# What may hold a bracket, a line feed or a hash sign that means nothing.
_TEXTS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)
_PART = r"""(?:[\w-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_NAME = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_NAME})\s*\]")
_PAIR = re.compile(rf"\s*({_NAME})\s*=")


def line_of(text: str, key: Key) -> int:
    """The line on which the key is set, else that of the nearest table around it; 1 when neither is there."""
    places: dict[Key, int] = {}
    counts: dict[str, int] = {}
    table: Key = ()
    depth = 0
    blanked = _TEXTS.sub(_blank, text).split("\n")
    for number, (line, shape) in enumerate(zip(text.split("\n"), blanked, strict=True), 1):
        if depth == 0:
            header, pair = _HEADER.match(line), _PAIR.match(line)
            if header and shape[header.end() - 1] == "]":
                table = _table(_parts(header[2]), counts, new=header[1] == "[[")
                places.setdefault(table, number)
            elif pair and shape[pair.end() - 1] == "=":
                name = (*table, *_parts(pair[1]))
                for end in range(len(table) + 1, len(name) + 1):
                    places.setdefault(name[:end], number)
                depth = max(0, _opened(shape.partition("=")[2]))
        else:
            depth = max(0, depth + _opened(shape))
    return next((places[key[:end]] for end in range(len(key), 0, -1) if key[:end] in places), 1)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "_", match[0])


def _opened(shape: str) -> int:
    return sum(shape.count(mark) for mark in "[{") - sum(shape.count(mark) for mark in "]}")


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_PART, name))


def _table(parts: tuple[str, ...], counts: dict[str, int], *, new: bool) -> Key:
    """The key of a table, with the number of each list of tables on the way."""
    key: Key = ()
    for end, part in enumerate(parts, 1):
        name = ".".join(parts[:end])
        if new and end == len(parts):
            counts[name] = counts.get(name, -1) + 1
        key = (*key, part, counts[name]) if name in counts else (*key, part)
    return key
