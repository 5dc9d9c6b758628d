"""A small built site in a real repository, checked as a whole: what the tests on reported dates share."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from conftest import Repo
from sites import BASE, build, html

from sitemap_guard import guard
from sitemap_guard.config import Config, Dates, Policy, SourceRule
from sitemap_guard.model import Answer, Finding, Result, Verdict

__all__ = ["BASE", "Checked", "Dates", "Policy", "at", "check"]


def at(text: str) -> int:
    """Seconds of an ISO datetime; a day alone is its noon in UTC."""
    return int(datetime.fromisoformat(text if "T" in text else f"{text}T12:00:00+00:00").timestamp())


NOW = at("2026-11-30T12:00:00+00:00")


class Checked:
    """The result, by page name."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.fit = result.summary.fit

    def verdict(self, page: str) -> Verdict:
        return next(entry.verdict for entry in self.result.site.entries if entry.claim.loc == f"{BASE}{page}")

    def answer(self, page: str) -> Answer:
        return self.verdict(page).answer

    def rule(self, page: str) -> str:
        return self.verdict(page).rule

    def found(self, rule: str) -> list[Finding]:
        return [finding for finding in self.result.findings if finding.rule == rule]

    def about_dates(self, *levels: str) -> list[Finding]:
        """The findings about dates at these levels (default: error and warning)."""
        wanted = levels or ("error", "warning")
        families = ("lastmod", "history")
        return [f for f in self.result.findings if f.rule.split("-")[0] in families and f.level.word in wanted]


def check(
    repo: Repo,
    dates: Mapping[str, str | None],
    *,
    sources: Mapping[str, str] | None = None,
    also: tuple[str, ...] = (),
    generator: str = "",
    folder: str = "public",
    start: Any = None,
    now: int = NOW,
    staged: bool = False,
    policy: tuple[Policy, ...] = (),
    **settings: Any,
) -> Checked:
    """Build a page for each date (page `a` is made from `a.md` unless `sources` says otherwise), and check it all."""
    meta = f'<meta name="generator" content="{generator}">' if generator else ""
    pages = {f"{name}/index.html": html(f"{name}/index.html", head=meta, canonical=BASE + name) for name in dates}
    build(repo.root / folder, pages, [(BASE + name, date) for name, date in dates.items()])
    named = {name: f"{name}.md" for name in dates} | dict(sources or {})
    rules = tuple(SourceRule(f"/{name}", path, also) for name, path in named.items() if path)
    config = Config(source=rules, dates=Dates(**settings), policy=policy)
    where = start or repo.root
    options = guard.Options(start=where, site=str(repo.root / folder), base_url=BASE, now=now, staged=staged, jobs=1)
    return Checked(guard.check(options, config))
