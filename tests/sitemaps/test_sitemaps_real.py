from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemap_guard.sitemaps import xml
from sitemap_guard.sitemaps.content import NAMESPACE
from sitemap_guard.sitemaps.discovery import discover, find_site


@pytest.mark.parametrize(
    ("site", "build", "files", "urls", "base", "by"),
    [
        ("click", "html", 1, 40, "https://click.palletsprojects.com/en/stable/", "40 of 40 locs"),
        ("hugodocs", "git", 1, 788, "https://gohugo.io/", "788 of 788 locs"),
        ("jekyll", "asis", 1, 210, "https://jekyllrb.com/", "robots.txt"),
        ("js-lingui", "git", 1, 68, "https://lingui.dev/", "68 of 68 locs"),
        ("letsencrypt", "asis", 29, 1350, "https://letsencrypt.org/", "1,350 of 1,350 locs"),
        ("vuejs-docs", "lastupdated", 1, 110, "https://vuejs.org/", "110 of 110 locs"),
    ],
)
def test_sitemaps_of_real_sites_are_read_whole_with_the_places_of_their_parts(
    real_site: Callable[[str, str], Path], site: str, build: str, files: int, urls: int, base: str, by: str
) -> None:
    folder = real_site(site, build)
    found = discover(folder)
    assert (found.base_url, found.base_by) == (base, by)
    assert len(found.sitemaps) == files
    assert sum(len(sitemap.claims) for sitemap in found.sitemaps) == urls
    assert [sitemap.problems for sitemap in found.sitemaps] == [()] * files
    assert {child.state for sitemap in found.sitemaps for child in sitemap.children} <= {"read"}
    for sitemap in found.sitemaps:
        rows = (folder / sitemap.path).read_text("utf-8").split("\n")
        for claim in sitemap.claims:
            assert rows[claim.line - 1][claim.column - 1 :].startswith("<loc>")
            assert claim.lastmod is None or f"{claim.lastmod}</lastmod>" in rows[claim.lastmod_line - 1]
    repository = next(parent for parent in folder.parents if (parent / ".git").exists())
    assert find_site(repository) == folder


def test_a_full_sitemap_is_read_in_about_the_time_of_a_plain_tree() -> None:
    from xml.etree import ElementTree as ET

    entry = "<url><loc>https://example.org/section/page-{}/</loc><lastmod>2026-01-02T03:04:05+00:00</lastmod></url>\n"
    body = "".join(entry.format(n) for n in range(50_000))
    data = f'<urlset xmlns="{NAMESPACE}">{body}</urlset>'.encode()
    start = time.perf_counter()
    assert len(xml.read(data, "sitemap.xml").claims) == 50_000
    ours = time.perf_counter() - start
    start = time.perf_counter()
    ET.fromstring(data)
    plain = time.perf_counter() - start
    assert ours < 10 * plain  # three times, as measured
