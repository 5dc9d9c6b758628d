"""Runs the rules over a site and stamps id, level and place on what they yield."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from sitemap_guard.model import Finding, Hit, Level, Site, UserError
from sitemap_guard.rules import BY_ID, FAMILIES, RULES


def levels(chosen: Mapping[str, str]) -> dict[str, Level]:
    """Each rule's level: its default, unless the settings name the rule or its family (the rule wins).

    Raises:
        UserError: a name is neither a rule nor a family.
    """
    for name in chosen:
        if name not in BY_ID and name not in FAMILIES:
            near = difflib.get_close_matches(name, [*BY_ID, *FAMILIES], 1)
            hint = f"did you mean {near[0]!r}?" if near else "`sitemap-guard rules` lists them"
            raise UserError(f"[rules]: there is no rule or family {name!r}; {hint}")
    return {rule.id: Level[chosen.get(rule.id, chosen.get(rule.family, rule.level.word)).upper()] for rule in RULES}


def run(site: Site, chosen: Mapping[str, str]) -> tuple[Finding, ...]:
    """All findings, most severe first, then by rule, place and loc: the same order on every run.

    Raises:
        UserError: as for `levels`.
    """
    level = levels(chosen)
    found: list[Finding] = []
    for rule in RULES:
        if level[rule.id] is Level.OFF:
            continue
        for hit in rule.check(site):
            # A milder case of a rule stays milder, unless the settings say more or less for the whole rule.
            own = hit.level if hit.level is not None and level[rule.id] is rule.level else level[rule.id]
            found.append(_finding(rule.id, own, hit, site))
    order = {rule.id: number for number, rule in enumerate(RULES)}
    found.sort(key=lambda f: (-f.level, not f.headline, order[f.rule], f.path, f.line, f.column, f.loc, f.message))
    return tuple(found)


def _finding(rule: str, level: Level, hit: Hit, site: Site) -> Finding:
    claim = site.entries[hit.entry].claim if hit.entry >= 0 else None
    return Finding(
        rule=rule,
        level=level,
        message=hit.message,
        loc=claim.loc if claim else "",
        path=hit.path or (site.place(claim.sitemap) if claim else ""),
        line=hit.line or (claim.line if claim and not hit.path else 0),
        column=hit.column or (claim.column if claim and not hit.path and not hit.line else 0),
        element=hit.element,
        claimed=hit.claimed,
        expected=hit.expected,
        evidence=hit.evidence,
        group=hit.group or rule,
        headline=hit.headline,
        cure=hit.cure,
    )
