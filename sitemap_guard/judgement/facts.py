"""What a judgement starts from: the rules to judge by, the facts, and one claim with both. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.model import Change, Claim, Commit, Field, Instant, Moment, PathHistory, Repository, Stale
from sitemap_guard.model import Mapping as Source


class Rules(Struct, frozen=True):
    """How to judge: the window's time (`any`, `authored`, `committed`, `landed`), the site's zone (IANA name),
    seconds of tolerance, the time of the check, whether staged edits count as changes made now, which of a change's
    times to propose, whether every change counts (`strict`), and the commits that the site's owner says do not."""

    now: int
    date: str = "any"
    zone: str = "UTC"
    tolerance: int = 0
    staged: bool = False
    habit: str = "authored"
    strict: bool = False
    ignored: frozenset[str] = frozenset()


class Facts(Struct, frozen=True):
    """What is known about the sources: their histories, and the date fields of those that were read for them.

    `stale` tells, by path and field name, how far a source went on after a field was set; `policies` the `field`
    policy of the paths that have one, `back_merges` the merges that brought the branch into a side branch. Of the
    staged paths `unchanged` are those whose edit is not of substance, `deleted` those that go. `clocks` are the time
    zones (IANA names) that generators are set to, by the folder of their configuration.
    """

    repository: Repository
    histories: Mapping[str, PathHistory]
    fields: Mapping[str, tuple[Field, ...]]
    stale: Mapping[tuple[str, str], Stale] = {}
    policies: Mapping[str, str] = {}
    back_merges: frozenset[str] = frozenset()
    unchanged: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    clocks: Mapping[str, str] = {}


class Case(Struct, frozen=True, dict=True):
    """A claim that names a moment, with its source and all that it is judged by."""

    claim: Claim
    moment: Moment
    source: Source
    facts: Facts
    rules: Rules

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The sources, the content first."""
        return sources(self.source)

    @cached_property
    def histories(self) -> list[PathHistory]:
        """The histories of the sources that have a change."""
        return histories_of(self.source, self.facts)

    @cached_property
    def changes(self) -> list[Change]:
        """The last change of each source that has one."""
        return [last_of(history) for history in self.histories]

    def history(self, path: str) -> PathHistory:
        """What history says about a source."""
        return self.facts.histories.get(path) or _NOTHING

    def fields(self, path: str) -> tuple[Field, ...]:
        """The date fields of a source that count, best first."""
        return () if self.facts.policies.get(path) == "ignore" else self.facts.fields.get(path, ())

    def write(self, instant: Instant) -> str:
        """A moment as the claim would write it: in its precision and zone."""
        return dates.write(instant, self.moment, self.claim.lastmod or "")

    def habitual(self, commit: Commit) -> Instant:
        """The time of a commit that the site's dates follow."""
        return time_of(commit, self.rules.habit)


_NOTHING = PathHistory(None)


def sources(source: Source) -> tuple[str, ...]:
    """The files that a page is made from, the content first."""
    return (source.content, *source.also)


def histories_of(source: Source, facts: Facts) -> list[PathHistory]:
    """The histories of the sources that have a change."""
    return [known for path in sources(source) if (known := facts.histories.get(path)) and known.last]


def last_of(history: PathHistory) -> Change:
    """The last change of a path that has one, with what the chain found out about it."""
    return history.last if history.last is not None and not history.chain else history.chain[0]


def time_of(commit: Commit, kind: str) -> Instant:
    """One of a commit's times, by name (`authored`, `committed`, `landed`)."""
    return {"authored": commit.authored, "committed": commit.committed}.get(kind, commit.landed)
