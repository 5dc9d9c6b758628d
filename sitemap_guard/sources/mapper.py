"""From URLs to their sources: a few ways, tried in a fixed order."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_guard.config import SourceRule
from sitemap_guard.model import Located, Mapping, Page
from sitemap_guard.sources import edit_links, identity
from sitemap_guard.sources import rules as source_rules
from sitemap_guard.sources.subject import Outcome, Subject
from sitemap_guard.urls import Address, parse, within

# A page that cannot be told from two others says more than one that nothing is known of.
_REASONS = ("ambiguous", "untracked")


def map_sources(
    entries: Sequence[tuple[str, Located, Page | None]],
    *,
    base_url: str,
    prefix: str | None,
    tracked: frozenset[str],
    rules: Sequence[SourceRule],
) -> list[Mapping]:
    """The source of each entry (URL, built file, facts of its HTML), in their order.

    `prefix` is the built site's folder from the repository's root ("" for the root, None when it is outside);
    `tracked` are the files git tracks. The first way that leads to a tracked file gives the answer; an entry that
    no way answers says what was tried.

    Raises:
        UserError: a rule's pattern is not well formed.
    """
    subjects = _subjects(entries, base_url)
    ways = (
        ("rule", source_rules.answers(subjects, rules, base_url, tracked)),
        ("edit-link", edit_links.answers(subjects, tracked)),
        ("identity", identity.answers(subjects, prefix, tracked)),
    )
    return [_first([(how, outcomes[place]) for how, outcomes in ways]) for place in range(len(subjects))]


def _first(outcomes: Sequence[tuple[str, Outcome]]) -> Mapping:
    for how, outcome in outcomes:
        if outcome.content:
            return Mapping(outcome.content, outcome.also, how)
        if outcome.final:
            return Mapping(reason=outcome.reason, tried=outcome.note)
    given = {outcome.reason for _, outcome in outcomes}
    reason = next((reason for reason in _REASONS if reason in given), "no-source")
    return Mapping(reason=reason, tried="; ".join(outcome.note for _, outcome in outcomes if outcome.note))


def _subjects(entries: Sequence[tuple[str, Located, Page | None]], base_url: str) -> list[Subject]:
    base = parse(base_url)
    root = Address(f"{base.origin}/", base.origin, "/") if base else None
    subjects = []
    for url, located, page in entries:
        address = parse(url) if url else None
        full = path = ""
        if address and base and root:
            origin = root if address.origin == base.origin else Address("", address.origin, "/")
            full = f"{address.origin}/{within(address, origin) or ''}{address.query}"
            below = within(address, base)
            path = "" if below is None else f"/{below}"
        subjects.append(Subject(full, path, located, page))
    return subjects
