"""What a rule is, and what rules share.

A rule is a pure function from a site's facts to hits. Its docstring is its documentation: why it matters, a bad
and a good example, how to mend it. It reads neither disk nor git.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from sitemap_guard.model import Entry, Hit, Level, Site

Check = Callable[[Site], Iterator[Hit]]


class Rule(Struct, frozen=True):
    """A registered rule. Its family is the first word of its id."""

    id: str
    level: Level
    check: Check

    @property
    def family(self) -> str:
        """The part of the id before the first hyphen."""
        return self.id.partition("-")[0]


def entries(site: Site, *states: str) -> Iterator[tuple[int, Entry]]:
    """The entries whose built file is in one of the states (all of them when none is named), with their index."""
    for index, entry in enumerate(site.entries):
        if not states or entry.located.state in states:
            yield index, entry


def standing(site: Site) -> Iterator[tuple[int, Entry]]:
    """The entries whose page was read and is a page in its own right: neither a redirect nor noindex.

    One fault is one finding: what a redirect stub says about its canonical or robots is part of the redirect.
    """
    for index, entry in entries(site, "html"):
        if entry.page is not None and not entry.page.problem and not entry.page.refresh and not is_noindex(entry):
            yield index, entry


def is_noindex(entry: Entry) -> bool:
    """Whether the page asks search engines not to list it (`none` is `noindex, nofollow`)."""
    return entry.page is not None and bool(entry.page.robots & {"noindex", "none"})


def plural(count: int, one: str, many: str = "") -> str:
    """`1 page`, `3 pages`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
