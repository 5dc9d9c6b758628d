"""What is wrong with a setting's type or name, in plain words: msgspec's messages are for programmers."""

from __future__ import annotations

import difflib
import re
from typing import Any, Literal, get_args, get_origin

import msgspec

from sitemap_guard.config.lines import Key
from sitemap_guard.config.tables import Config, Table

_TYPES = {
    "str": "a text in quotes", "array": "a list", "object": "a table", "int": "a whole number", "float": "a number",
    "bool": "true or false", "date": "a date", "datetime": "a date", "time": "a time of day",
}  # fmt: skip


def explained(error: str, table: Any) -> tuple[Key, str]:
    """The key that a message of msgspec is about ("… - at `$.dates`"), and what is wrong with it."""
    what, _, where = error.partition(" - at ")
    found = re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]", where)
    key: Key = tuple(int(number) if number else name for name, number in found)
    unknown = re.search(r"unknown field `([^`]*)`", what)
    if unknown:
        name = unknown[1]
        known = _keys_at(key)
        near = difflib.get_close_matches(name, known, 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
        return (*key, name), f"unknown key; {hint}"
    if where.strip("`").endswith("rules[...]"):
        bad = (name for name, value in table["rules"].items() if value not in _choices(("rules",)))
        key = ("rules", *(name for name in [next(bad, "")] if name))
    return key, _plainly(what, key)


def _plainly(what: str, key: Key) -> str:
    """A message of msgspec's in plain words, with what may be written instead."""
    found = re.fullmatch(r"Invalid enum value (.*)", what, re.DOTALL)
    if found:
        *rest, last = (choice for choice in _choices(key) if choice)
        kind = "no level" if key[:1] == ("rules",) else "none of the values"
        return f"{found[1]} is {kind}; write {', '.join(rest)} or {last}"
    found = re.fullmatch(r"Expected `([^`]*)`(?:, got `(\w+)`| (>=) (\d+))", what)
    if found:
        return _mistyped(found[1], found[2], found[4], key)
    found = re.fullmatch(r"Object missing required field `([^`]*)`", what)
    if found:
        choices = [choice for choice in _choices((*key, found[1])) if choice]
        return f"the key {found[1]!r} is missing" + (f"; write {' or '.join(choices)}" if choices else "")
    return f"{what[:1].lower()}{what[1:]}"


def _mistyped(wanted: str, got: str | None, least: str | None, key: Key) -> str:
    words = " or ".join(_TYPES.get(name, name) for name in wanted.split(" | ") if name != "null")
    more = f" of {least} or more" if least else ""
    said = f"this must be {words}{more}" + (f", not {_TYPES.get(got, got)}" if got else "")
    if (wanted, got) == ("array", "object"):
        return f"{said}; write [[{key[-1]}]], with two brackets"
    if (wanted, got) == ("object", "array"):
        return f"{said}; write [{key[-1]}], with one bracket"
    return said


def _types_at(key: Key) -> list[Any]:
    """The types that the value at this place may have, with all that they are made of."""
    here: list[Any] = [Config]
    for part in key:
        if isinstance(part, int):
            continue
        tables = [one for one in here if isinstance(one, type) and issubclass(one, Table)]
        types = {field.encode_name: field.type for table in tables for field in msgspec.structs.fields(table)}
        here = _within(types[part]) if part in types else here
    return here


def _within(kind: Any) -> list[Any]:
    found, waiting = [], [kind]
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        if get_origin(one) is not Literal:
            waiting += get_args(one)
    return found


def _choices(key: Key) -> list[str]:
    """The values that the key at this place may have, where there is a list of them."""
    return [value for one in _types_at(key) if get_origin(one) is Literal for value in get_args(one)]


def _keys_at(key: Key) -> list[str]:
    tables = [one for one in _types_at(key) if isinstance(one, type) and issubclass(one, Table)]
    return [field.encode_name for field in msgspec.structs.fields((tables or [Config])[0])]
