"""Runs the rules over a site and stamps id, level and place on what they yield."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from msgspec import Struct

from sitemap_guard.config import Config, Ignore
from sitemap_guard.model import Finding, Hit, Level, SettingError, Site, UserError
from sitemap_guard.rules import BY_ID, FAMILIES, RULES, ignores

# What a preview build rightly does: it has its own host, and asks not to be indexed.
_NOT_IN_PREVIEW = ("loc-host", "loc-staging", "page-noindex", "page-disallowed")


class Choice(Struct, frozen=True):
    """Which rules run, at what level.

    `rules` gives levels by rule or family. `select` runs only those rules or families, `drop` leaves some out,
    `strict` makes errors of warnings, `preview` switches the rules of host and noindex off.
    """

    rules: Mapping[str, str] = {}
    select: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    strict: bool = False
    preview: bool = False


def levels(chosen: Mapping[str, str] | Choice) -> dict[str, Level]:
    """Each rule's level: its default, unless the settings name the rule or its family (the rule wins).

    A rule that is selected by name runs even when it is off by default.

    Raises:
        UserError: a name is neither a rule nor a family.
    """
    choice = chosen if isinstance(chosen, Choice) else Choice(chosen)
    for name in choice.rules:
        if said := _unknown(name):
            raise SettingError(("rules", name), said)
    for option, names in (("--select", choice.select), ("--ignore", choice.drop)):
        for name in names:
            if said := _unknown(name):
                raise UserError(f"{option}: {said}")
    found = {}
    for rule in RULES:
        level = Level[choice.rules.get(rule.id, choice.rules.get(rule.family, rule.level.word)).upper()]
        if choice.select:
            level = level if {rule.id, rule.family} & set(choice.select) else Level.OFF
            if rule.id in choice.select and level is Level.OFF:
                level = rule.level or Level.WARNING
        if {rule.id, rule.family} & set(choice.drop) or (choice.preview and rule.id in _NOT_IN_PREVIEW):
            level = Level.OFF
        found[rule.id] = Level.ERROR if choice.strict and level is Level.WARNING else level
    return found


def check_names(config: Config) -> None:
    """Check that the rules which the settings name are there.

    Raises:
        SettingError: one is neither a rule nor a family.
    """
    levels(config.rules)
    for number, ignore in enumerate(config.ignore):
        if ignore.rule and (said := _unknown(ignore.rule)):
            raise SettingError(("ignore", number, "rule"), said)


def _unknown(name: str) -> str:
    if name in BY_ID or name in FAMILIES:
        return ""
    near = difflib.get_close_matches(name, [*BY_ID, *FAMILIES], 1)
    hint = f"did you mean {near[0]!r}?" if near else "`sitemap-guard rules` lists them"
    return f"there is no rule or family {name!r}; {hint}"


def accepted(
    site: Site, findings: Sequence[Finding], settings: Sequence[Ignore], chosen: Mapping[str, str] | Choice
) -> tuple[tuple[Finding, ...], int]:
    """The findings without those that the configuration accepts, and how many these were.

    An ignore that takes none is a finding itself.
    """
    kept, unused = ignores.split(site, findings, settings, frozenset(FAMILIES))
    gone = len(findings) - len(kept)
    level = levels(chosen)["ignore-unused"]
    for ignore in unused if level is not Level.OFF else ():
        text = f"[[ignore]] {ignores.text_of(ignore)} ({ignore.reason}) fits no finding: take it out"
        kept.append(Finding("ignore-unused", level, text, group="ignore-unused"))
    return tuple(kept), gone


def run(site: Site, chosen: Mapping[str, str] | Choice) -> tuple[Finding, ...]:
    """All findings, most severe first, then by rule, place and loc: the same order on every run.

    Raises:
        UserError: as for `levels`.
    """
    level = levels(chosen)
    strict = isinstance(chosen, Choice) and chosen.strict
    found: list[Finding] = []
    for rule in RULES:
        if level[rule.id] is Level.OFF:
            continue
        for hit in rule.check(site):
            # A milder case of a rule stays milder, unless the settings say more or less for the whole rule.
            own = hit.level if hit.level is not None and level[rule.id] is rule.level else level[rule.id]
            own = Level.ERROR if strict and own is Level.WARNING else own
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
        group=hit.group or rule,
        headline=hit.headline,
        cure=hit.cure,
    )
