"""Findings that a person sees as one are shown as one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sitemap_guard.model import Finding, Level

# A group with more findings is shown by examples.
LIMIT = 20


class Group(Struct, frozen=True):
    """Findings shown together, in their order; `headline` and `cure` are "" when there are none.

    A headline speaks of several: a finding that is alone has its message. Several with one and the same message
    have that as their headline.
    """

    findings: tuple[Finding, ...]
    level: Level
    headline: str
    cure: str

    @property
    def first(self) -> Finding:
        """The finding that stands for the group: one of its most severe."""
        return next(finding for finding in self.findings if finding.level == self.level)

    @property
    def bulk(self) -> bool:
        """Whether the group is too large to show each finding."""
        return len(self.findings) > LIMIT


def grouped(findings: Sequence[Finding]) -> list[Group]:
    """The groups, most severe first, then those with a headline, then in the order of the findings.

    A finding without a group stands alone.
    """
    members: dict[str | int, list[Finding]] = {}
    for index, finding in enumerate(findings):
        members.setdefault(finding.group or index, []).append(finding)
    groups = [_group(tuple(found)) for found in members.values()]
    return sorted(groups, key=lambda group: (-group.level, not group.headline))


def _group(findings: tuple[Finding, ...]) -> Group:
    return Group(
        findings,
        max(finding.level for finding in findings),
        _headline(findings) if len(findings) > 1 else "",
        next((finding.cure for finding in findings if finding.cure), ""),
    )


def _headline(findings: tuple[Finding, ...]) -> str:
    given = next((finding.headline for finding in findings if finding.headline), "")
    message = findings[0].message
    return given or (message if all(finding.message == message for finding in findings) else "")
