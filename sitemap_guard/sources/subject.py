"""What every way from a URL to its source starts from, and what it answers."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model import Located, Page


class Subject(Struct, frozen=True, gc=False):
    """One entry of a sitemap, as the ways see it. `path` is below the site's address, decoded, with a first slash.

    `full` is origin and decoded path and query ("" when the loc is no URL); `path` is "" for another site's URL.
    """

    full: str
    path: str
    located: Located
    page: Page | None


class Outcome(Struct, frozen=True, gc=False):
    """What one way found for one subject.

    `content` is a tracked file or "". Without content, `reason` is "" (the way has nothing to say), `untracked` or
    `ambiguous`, and `note` is one clause for people on what was tried. `final`: no other way may answer. `kind` is
    `list` for a page that lists others, "" if the way does not know; `by` names the generator or manifest. `missing`
    are the paths that the way leads to, none of which is tracked.
    """

    content: str = ""
    also: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    final: bool = False
    kind: str = ""
    by: str = ""
    missing: tuple[str, ...] = ()
