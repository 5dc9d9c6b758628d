"""What is reported of the addresses of six real sites: true faults and notes, nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemap_guard import guard
from sitemap_guard.config import Config, HostingTable
from sitemap_guard.model import Result

Open = Callable[[str, str], Path]


def checked(built: Path, profile: str = "") -> tuple[Result, Counter[tuple[str, str]]]:
    config = Config(hosting=HostingTable(profile))
    options = guard.Options(start=built, site=str(built), drop=("lastmod", "history"))
    result = guard.check(options, config)
    return result, Counter((finding.rule, finding.level.word) for finding in result.findings)


@pytest.mark.parametrize(
    ("site", "build", "reported"),
    [
        ("click", "html", {("page-noindex", "error"): 1}),  # Sphinx lists its search page, the theme says noindex
        ("hugodocs", "git", {("page-shadowed", "info"): 1}),  # /functions/time: a page and a redirect's source
        ("jekyll", "lastmod", {}),
        # Docusaurus: x/index.html without the slash; all priorities 0.5, every changefreq weekly.
        (
            "js-lingui",
            "git",
            {("page-redirect", "info"): 67, ("sitemap-priority", "info"): 1, ("sitemap-changefreq", "info"): 1},
        ),
        # Hugo: en/sitemap.xml lists the pages at the root; robots.txt names no sitemap.
        ("letsencrypt", "git", {("loc-scope", "error"): 216, ("sitemap-robots", "info"): 1}),
        ("vuejs-docs", "lastupdated", {}),
    ],
)
def test_what_is_reported(real_site: Open, site: str, build: str, reported: dict[tuple[str, str], int]) -> None:
    assert checked(real_site(site, build))[1] == reported


def test_a_host_that_redirects_makes_errors_of_notes(real_site: Open) -> None:
    result, reported = checked(real_site("js-lingui", "git"), "github-pages")
    assert reported["page-redirect", "error"] == 67
    heads = {finding.headline for finding in result.findings if finding.rule == "page-redirect"}
    assert heads == {"sitemap and canonical tags agree on addresses that github-pages redirects"}
    assert checked(real_site("js-lingui", "git"), "vercel")[1]["page-redirect", "error"] == 0
    assert checked(real_site("vuejs-docs", "lastupdated"), "cloudflare-pages")[1]["page-redirect", "error"] > 90


def test_the_host_is_found_by_the_sites_own_files(real_site: Open) -> None:
    assert checked(real_site("jekyll", "lastmod"))[0].site.hosting.profiles == ("github-pages",)
    assert checked(real_site("hugodocs", "git"))[0].site.hosting.profiles == ("netlify", "cloudflare-pages")
    assert checked(real_site("js-lingui", "git"))[0].site.hosting.profiles == ()
