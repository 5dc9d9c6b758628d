"""Six real sites as data: honest builds give no false alarm, dishonest ones are called out by their cause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import REAL

from benchmarks.real_sites import check, rules_for, truth
from sitemap_guard.model import Answer, Result

Open = Callable[[str, str], Path]
ZONES = {"letsencrypt": "America/Los_Angeles", "jekyll": "America/Los_Angeles", "hugodocs": "Europe/Oslo"}


def judged(real_site: Open, site: str, build: str) -> Result:
    built = real_site(site, build)
    zone = ZONES.get(site, "UTC")
    alone, _ = check(built, (), zone)
    known = truth(REAL, site)
    for entry in alone.site.entries:
        row = known[entry.claim.loc]
        # A page of a dynamic route has no file of its own: it is made from the route's.
        sources = [row["source"]] if row["source"] else ["", *row["deps"].split(";")]
        assert entry.mapping.content in sources, entry.claim.loc
    return check(built, rules_for(alone, known), zone)[0]


@pytest.mark.parametrize(
    ("site", "build", "true", "cannot_tell", "absent", "fit"),
    [
        ("vuejs-docs", "lastupdated", 103, 0, 7, "author date"),
        ("js-lingui", "git", 56, 0, 12, "author date"),
        ("letsencrypt", "git", 1350, 0, 0, "author date"),
        ("jekyll", "lastmod", 210, 0, 0, "committer date"),
    ],
)
def test_honest_builds_are_clean(
    real_site: Open, site: str, build: str, true: int, cannot_tell: int, absent: int, fit: str
) -> None:
    result = judged(real_site, site, build)
    s = result.summary
    assert (s.true, s.false, s.cannot_tell, s.absent) == (true, 0, cannot_tell, absent)
    sourced = sum(1 for entry in result.site.entries if entry.mapping.content and entry.claim.lastmod)
    assert s.fit.startswith(f"{sourced:,} of {sourced:,} follow: {fit}")
    assert not [f for f in result.findings if f.rule.startswith(("lastmod", "history")) and f.level.word != "info"]


@pytest.mark.parametrize(
    ("site", "build", "true", "overstated", "kind"),
    [("hugodocs", "git", 787, 677, "twin"), ("click", "html", 37, 29, "merge")],
)
def test_generators_that_name_other_commits_only_overstate(
    real_site: Open, site: str, build: str, true: int, overstated: int, kind: str
) -> None:
    result = judged(real_site, site, build)
    assert (result.summary.true, result.summary.false) == (true, 0)
    about = [finding for finding in result.findings if finding.rule == "lastmod-overstated"]
    assert len(about) == overstated
    assert {finding.group for finding in about} == {f"lastmod-overstated:{kind}"}
    assert result.summary.fit.startswith(f"{true} of {true} follow")


def test_lists_dated_by_their_newest_page_are_true_by_front_matter_too(real_site: Open) -> None:
    result, _ = check(real_site("letsencrypt", "asis"), (), ZONES["letsencrypt"])
    lists = [entry for entry in result.site.entries if entry.mapping.kind == "list"]
    assert len(lists) == 58
    assert {entry.verdict.answer for entry in lists} == {Answer.TRUE}
    assert result.summary.false == 0


def test_the_builds_clock_is_one_group(real_site: Open) -> None:
    result = judged(real_site, "jekyll", "asis")
    false = [entry for entry in result.site.entries if entry.verdict.answer is Answer.FALSE]
    assert len(false) == 92
    assert {entry.verdict.cause for entry in false} == {"build-clock"}
    about = [
        finding for finding in result.findings if finding.rule.startswith("lastmod") and finding.level.word == "error"
    ]
    assert len({finding.group for finding in about}) == 1
    assert about[0].headline.startswith("92 of 202 dates are the build's clock")
