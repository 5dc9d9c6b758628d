"""Pages that would take a tree builder for ever.

The rules for building a tree look through the open elements at each tag, and repeat open formatting elements in
each block: a page of a megabyte can cost hours or all memory. Browsers stop nesting at 512; no honest page comes
near the limits here.
"""

from __future__ import annotations

import re
from collections import Counter

DEPTH_LIMIT = 2000  # elements in each other
_COPIES_LIMIT = 1_000_000  # open formatting elements x tags; a copy costs nearly a kilobyte
# With fewer tags the worst page costs half a second.
_HARMLESS = 2000

# On lower-case bytes: comments and raw text as a whole, then tags.
_TAG = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</\1|\Z)"
    rb"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*)(?P<rest>[^>]*)>",
    re.DOTALL,
)
_FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
# Void elements, and those that end by themselves when the next of their kind begins.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li dd dt option optgroup tr td th tbody thead tfoot colgroup rb rt rtc rp html head body".split()
)


def too_deep(lowered: bytes) -> bool:
    """Whether the page (in lower case) nests beyond all reason. An estimate; quick for pages of usual size."""
    tags = lowered.count(b"<")
    if tags <= _HARMLESS:
        return False
    opened: Counter[bytes] = Counter()
    depth = formatting = 0
    # Every tag ends before the last '>': so the search is never led to the end of the page in vain.
    for found in _TAG.finditer(lowered, 0, lowered.rfind(b">") + 1):
        name = found["name"]
        if not name or name in _FLAT:
            continue
        step = -1 if found["end"] else 1
        if step > 0 and found["rest"].endswith(b"/") and (opened[b"svg"] or opened[b"math"]):
            continue
        if step < 0 and not opened[name]:
            continue
        opened[name] += step
        depth += step
        formatting += step * (name in _FORMATTING)
        if depth > DEPTH_LIMIT or formatting * tags > _COPIES_LIMIT:
            return True
    return False
