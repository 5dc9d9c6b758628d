"""Is a change of a source one of substance? What a reader of the page would not notice need not move its date.

Google counts the main content, structured data and links, and not a copyright year ("Build and submit a sitemap").
Both readings of a change that is not substantive are right: the site may count it, or leave it out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sitemap_guard.sources.headers import Header, header_of

_WORD = re.compile(r"\w+|[^\w\s]")


class Substance:
    """Compares two versions of a source.

    `counting` are the front-matter keys whose change counts, `trivial` patterns of text that does not, `least` the
    number of words below which a change does not count (0: every one does).
    """

    def __init__(self, counting: Sequence[str], trivial: Sequence[str] = (), least: int = 0) -> None:
        self._counting = frozenset(name.lower() for name in counting)
        self._trivial = [re.compile(pattern) for pattern in trivial]
        self._least = least

    def why(self, old_path: str, old: bytes, path: str, new: bytes) -> str:
        """Why the change is not substantive: `white-space`, `front-matter`, `trivial`, `small`; "" when it is."""
        if b"\0" in old[:8000] or b"\0" in new[:8000]:
            return ""
        if _squeezed(old.decode("utf-8-sig", "replace")) == _squeezed(new.decode("utf-8-sig", "replace")):
            return "white-space"
        before, after = header_of(old_path, old), header_of(path, new)
        counted = self._counted(before) != self._counted(after) or not (before.readable and after.readable)
        if not counted and _squeezed(before.body) == _squeezed(after.body):
            return "front-matter"
        if self._trivial and self._without(old) == self._without(new):
            return "trivial"
        if self._least and not counted and 0 < _words_changed(before.body, after.body) < self._least:
            return "small"
        return ""

    def _counted(self, header: Header) -> dict[str, Any]:
        return {key.lower(): value for key, value in header.table.items() if str(key).lower() in self._counting}

    def _without(self, content: bytes) -> str:
        text = content.decode("utf-8-sig", "replace")
        for pattern in self._trivial:
            text = pattern.sub("", text)
        return _squeezed(text)


def _squeezed(text: str) -> str:
    """Without any white space, as `git diff -w` sees it, and without regard to where lines break."""
    return "".join(text.split())


def _words_changed(old: str, new: str) -> int:
    """How many words went or came, whichever is more."""
    before, after = Counter(_WORD.findall(old)), Counter(_WORD.findall(new))
    return max((before - after).total(), (after - before).total())
