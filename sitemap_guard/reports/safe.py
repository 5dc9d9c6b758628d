"""Text from the site made harmless: addresses, file names and commit subjects are written by strangers.

`visible` shows every character that would act instead of being seen, `neutralise` keeps a line from being read as
a command by a build service that reads our log. Both are for people and cannot be undone; JSON carries the text
itself.
"""

from __future__ import annotations

import re

# Characters that do something or show nothing: C0, DEL and C1 controls, line and paragraph separators, soft hyphen
# and other invisible format characters, bidi marks, embeddings and isolates, tags, and lone surrogates (the bytes
# of a file name that is not UTF-8).
_WIDE = (
    "\x80-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f\ud800-\udfff"
)
_UNSEEN = re.compile(f"[\x00-\x1f\x7f{_WIDE}]")
_UNSEEN_IN_JSON = re.compile(f"[\x7f{_WIDE}]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_SURROGATE = re.compile("[\ud800-\udfff]")

# GitHub's runner obeys `::name::` at the start of a line, blanks skipped, and `##[name]` anywhere (actions/runner,
# ActionCommand.cs); Azure and TeamCity know `##vso[` and `##teamcity[`. A comparison by culture may skip characters
# that have no weight, so whatever is not ASCII counts as skipped.
_LINE_COMMAND = re.compile(r"^([^!-~\n]*)(?=:[^!-~\n]*:)", re.MULTILINE)
_INLINE_COMMAND = re.compile(r"(#[^ -~\n]*#[^ -~\n]*[A-Za-z._-]*[^ -~\n]*)\[")


def visible(text: str) -> str:
    r"""The text on one line, each unseen character as an escape: `\n`, `\x1b`, `\u202e`; byte 0xff as `\xff`."""
    return _UNSEEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _SHORT.get(character) or _code(ord(character))


def _code(point: int) -> str:
    if 0xDC80 <= point <= 0xDCFF:  # how Python carries a byte that is not UTF-8
        point -= 0xDC00
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def encodable(text: str) -> str:
    r"""The text with lone surrogates written out (`\xff`), so that it can be written as UTF-8."""
    return _SURROGATE.sub(lambda match: _code(ord(match.group())), text)


def neutralise(text: str) -> str:
    r"""The text, of one or many lines, without anything that a build service would take for a command.

    A backslash breaks the command and leaves it readable: `::error::x` at the start of a line becomes
    `\::error::x`, and `##[error]x` anywhere becomes `##\[error]x`.
    """
    if "::" not in text and "#" not in text and text.isascii():
        return text
    return _INLINE_COMMAND.sub(r"\1\\[", _LINE_COMMAND.sub(r"\1\\", text))


def clip(text: str, limit: int) -> str:
    """The text cut to `limit` characters, with a note of how long it was."""
    return text if len(text) <= limit else _cut(text, limit, len(text))


def _cut(text: str, limit: int, length: int) -> str:
    note = f"… ({length:,} characters)"
    return text[: max(0, limit - len(note))] + note


def clean(text: str, limit: int = 4096) -> str:
    """Site content for one line of a report. Longer texts are cut: an address may have 2,048 characters."""
    shown = visible(text[:limit])
    if len(text) > limit or len(shown) > limit:
        shown = _cut(shown, limit, len(text))
    return neutralise(shown)


def inert(json: str) -> str:
    """The JSON text with commands and unseen characters, other than its own line ends, escaped.

    JSON's own escapes are used, so nothing is lost. A bracket after `##` is always inside a string.
    """
    json = _UNSEEN_IN_JSON.sub(_json_escape, json)
    return _INLINE_COMMAND.sub(r"\1\\u005b", json)
