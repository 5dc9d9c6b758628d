"""What came of it: broken rules, counts, and the result that reports print."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.base import Level
from sitemap_guard.model.site import Site


class Hit(Struct, frozen=True, gc=False):
    """What a rule yields: a fault and its place; the runner adds id and level.

    `entry` is the index in `Site.entries`, -1 when the fault is not one entry's. `path` and `line` default to
    those of the entry. `group` ties hits that a person sees as one; `headline` and `cure` are the same in all
    hits of a group. `claimed` and `expected` make the diff of one line; `element` names the element that they
    are the text of ("lastmod" or "loc"); `expected` None with `claimed` set proposes to delete it; `expected` alone,
    without `element`, is what to add, in lines.
    `level` is set only where one case of a rule is milder than the rule.
    """

    message: str
    entry: int = -1
    path: str = ""
    line: int = 0
    column: int = 0
    element: str = ""
    claimed: str | None = None
    expected: str | None = None
    group: str = ""
    headline: str = ""
    cure: str = ""
    level: Level | None = None


class Finding(Struct, frozen=True, gc=False):
    """A broken rule, ready to be reported. Fields as in `Hit`; `path` is shown as it is."""

    rule: str
    level: Level
    message: str
    loc: str = ""
    path: str = ""
    line: int = 0
    column: int = 0
    element: str = ""
    claimed: str | None = None
    expected: str | None = None
    group: str = ""
    headline: str = ""
    cure: str = ""


class Skipped(Struct, frozen=True):
    """A kind of check that could not be made, and why; or what is left out because the user asked for it.

    `left` is "" for the former, else how it is left out: findings are `known` or `accepted`, entries `left out`.
    """

    what: str
    why: str
    left: str = ""


class Summary(Struct, frozen=True):
    """The counts of a run. The four counts of dates add up to `urls`; a packed twin is no sitemap of its own."""

    urls: int
    sitemaps: int
    true: int
    false: int
    cannot_tell: int
    absent: int
    fit: str
    errors: int
    warnings: int
    infos: int


class Result(Struct, frozen=True):
    """Everything a report needs. `findings` are sorted: most severe first, then by rule, place and loc.

    `narrowed` tells that only pages whose sources changed were judged (`site` has only those); then a run without
    entries has nothing to judge, and that is no fault. `notes` tell what was done or tried before
    the check, and which settings had no effect.
    """

    version: str
    site: Site
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    summary: Summary
    narrowed: bool = False
    notes: tuple[str, ...] = ()
