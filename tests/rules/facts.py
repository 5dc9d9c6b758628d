"""Small facts for rule tests: a site with one entry, changed where a test needs it."""

from __future__ import annotations

from typing import Any

from sitemap_guard import urls
from sitemap_guard.model import (
    Answer,
    Canonical,
    Claim,
    Entry,
    Finding,
    Located,
    Page,
    Repository,
    Site,
    Sitemap,
    Verdict,
)
from sitemap_guard.rules import BY_ID, runner

BASE = "https://a.example/"
NOW = 1796040000


def page(path: str = "x/index.html", **facts: Any) -> Page:
    facts.setdefault("canonicals", (Canonical(BASE + path.removesuffix("index.html"), True),))
    return Page(path, **facts)


def entry(
    loc: str = BASE + "x/", *, built: Page | None = None, state: str = "html", line: int = 3, **facts: Any
) -> Entry:
    address = urls.parse(loc)
    claim = Claim(loc, facts.pop("lastmod", None), facts.pop("sitemap", "sitemap.xml"), line)
    shown = built or (page() if state == "html" else None)
    located = Located(state, shown.path if shown else "x.pdf" if state == "file" else "", ("x/index.html", "x.html"))
    return Entry(claim, address.href if address else "", located, shown, **facts)


def site(*entries: Entry, **facts: Any) -> Site:
    facts.setdefault("base_url", BASE)
    facts.setdefault("sitemaps", (Sitemap("sitemap.xml", "urlset", "name"),))
    facts.setdefault("repository", Repository(root="/repo", prefix="public"))
    return Site(folder="/repo/public", shown="public", base_by="most locs", entries=entries, now=NOW, **facts)


def false(rule: str, **facts: Any) -> Verdict:
    return Verdict(Answer.FALSE, rule, **facts)


def findings(rule: str, checked: Site) -> list[Finding]:
    """What one rule finds, at its default level (or as a warning where it is off by default)."""
    chosen = dict.fromkeys(BY_ID, "off") | {rule: BY_ID[rule].level.word if BY_ID[rule].level else "warning"}
    return list(runner.run(checked, chosen))


def words(rule: str, *entries: Entry, **facts: Any) -> list[str]:
    return [finding.message for finding in findings(rule, site(*entries, **facts))]


def all_ids(checked: Site) -> list[str]:
    return [finding.rule for finding in runner.run(checked, {})]
