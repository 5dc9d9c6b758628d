"""Links from a page to a file of a repository on a code host."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from sitemap_guard.model import EditLink

# GitHub /edit/ /blob/ /tree/ /raw/, GitLab /-/edit/ and the like, Bitbucket /src/, Gitea /_edit/ and /src/branch/.
WORDS = ("edit", "blob", "tree", "raw", "src", "_edit")

_WORD = "|".join(WORDS)
# An owner and a name at least come before the word; GitLab's groups may nest, and its "/-/" ends them.
_HREF = re.compile(
    rf"(?P<prefix>(?:https?:)?//[^/?#\s]+/(?:[^?#\s]*?/-/|[^/?#\s]+/[^/?#\s]+/(?:[^/?#\s]+/)*?)(?:{_WORD})/)"
    r"(?P<tail>[^?#]+)(?:\?[^#]*)?(?P<fragment>#.*)?",
    re.IGNORECASE | re.DOTALL,
)
_LINE = re.compile(r"#(?:L|lines-|l)\d")
# Class names that a tool makes up: with digits, with a tool's own prefix, or with a mixed-case tail (CSS modules).
_MADE_UP = re.compile(r".*\d|(?:css|sc|svelte|astro|jsx|emotion)-[\w-]+$|.*_(?=\w*[a-z])(?=\w*[A-Z])[\w-]{5,}$")


def edit_link(href: str, css_class: str, tag: str) -> EditLink | None:
    """The link as a candidate for the page's source; None if it has not that form.

    A link to a line of a file is talk about code, never the page's own source.
    """
    found = _HREF.fullmatch(href.strip())
    if not found or _LINE.match(found["fragment"] or ""):
        return None
    tail = unquote_to_bytes(found["tail"]).decode("utf-8", "surrogateescape")
    words = [word for word in css_class.split() if not _MADE_UP.match(word)]
    return EditLink(found["prefix"], tail, " ".join([tag, *words]))
