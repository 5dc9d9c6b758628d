"""Reports on the dates of indexes, feeds and pages: the whole check on real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from dated import at
from sites import BASE, build, html, sitemap

from sitemap_guard import cli

INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}</sitemapindex>
"""
RSS = """<?xml version="1.0"?>
<rss version="2.0"><channel><title>t</title><link>https://docs.example.org/</link><description>d</description>
<item><title>a</title><link>https://docs.example.org/a/</link><pubDate>{}</pubDate></item>
<item><title>b</title><link>https://docs.example.org/b/</link><pubDate>{}</pubDate></item>
</channel></rss>
"""
ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x</id><updated>2026-05-01T00:00:00Z</updated>
<entry><title>a</title><id>urn:a</id><link href="https://docs.example.org/a/"/><published>2020-01-01T00:00:00Z</published>
<updated>{}</updated></entry>
<entry><title>b</title><id>urn:b</id><link rel="alternate" href="https://docs.example.org/b/"/><updated>{}</updated></entry>
</feed>
"""


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two pages of 2026-01-10 and 2026-02-10."""
    repo.commit("one", {"docs/a.md": "1\n"}, at=at("2026-01-10"), zone="+0200")
    repo.commit("two", {"docs/b.md": "1\n"}, at=at("2026-02-10"))
    pages(repo)
    monkeypatch.chdir(repo.root)
    return repo


def pages(repo: Repo, **heads: str) -> None:
    made = {f"{n}/index.html": html(f"{n}/index.html", source=f"docs/{n}.md", head=heads.get(n, "")) for n in "ab"}
    build(repo.root / "public", made, [(BASE + "a/", "2026-01-10"), (BASE + "b/", "2026-02-10")])


def check(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    code = cli.main(["check", "public", "--format", "json", *args])
    out, err = capsys.readouterr()
    assert code in (0, 1), err
    return dict(json.loads(out))


def about_dates(report: dict[str, Any]) -> list[tuple[str, str]]:
    families = ("lastmod", "sitemap-index", "history")
    return [(f["rule"], f["level"]) for f in report["findings"] if f["rule"].startswith(families)]


def write_index(root: Path, lastmod: str) -> None:
    (root / "public" / "sitemap.xml").rename(root / "public" / "pages.xml")
    child = f"<sitemap><loc>{BASE}pages.xml</loc><lastmod>{lastmod}</lastmod></sitemap>\n"
    (root / "public" / "sitemap.xml").write_text(INDEX.format(child))


# An index date older than the newest entry inside; newer is fine; and so is the tracked file's own change.
def test_the_date_of_an_index_entry(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    write_index(site.root, "2026-02-09")
    report = check(capsys)
    assert about_dates(report) == [("sitemap-index-lastmod", "warning")]
    (finding,) = [f for f in report["findings"] if f["rule"] == "sitemap-index-lastmod"]
    assert (finding["path"], finding["line"], finding["expected"]) == ("public/sitemap.xml", 3, "2026-02-10")
    for accepted in ("2026-02-10", "2026-03-01", "2026-02-10T08:00:00Z"):
        pages(site)
        write_index(site.root, accepted)
        assert about_dates(check(capsys)) == []


def test_the_history_of_a_tracked_part_supports_its_date(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    # The entries were edited by hand on the 9th for the day on which they would be published.
    write_index(site.root, "2026-02-09")
    site.commit("built", at=at("2026-02-09"))
    assert about_dates(check(capsys)) == []


def test_dates_of_an_index_that_are_none(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for lastmod, rule in [("yesterday", "format"), ("1970-01-01", "placeholder"), ("2999-01-01", "future")]:
        pages(site)
        write_index(site.root, lastmod)
        found = about_dates(check(capsys))
        assert (f"lastmod-{rule}", "error") in found


@pytest.mark.parametrize(
    ("feed", "a", "b", "wrong"),
    [
        (RSS, "Sat, 10 Jan 2026 12:00:00 GMT", "Tue, 10 Feb 2026 13:00:00 +0100", "Tue, 10 Feb 2026 13:00:00 GMT"),
        (RSS, "10 Jan 2026 14:00:00 +0200", "Tue, 10 Feb 2026 07:00 EST", "Tue, 10 Feb 2026 12:00:00 EST"),
        (ATOM, "2026-01-10T14:00:00+02:00", "2026-02-10T12:00:00.5Z", "2026-02-10T12:00:00+01:00"),
    ],
)
def test_feeds_are_judged_as_sitemaps_are(
    site: Repo, capsys: pytest.CaptureFixture[str], feed: str, a: str, b: str, wrong: str
) -> None:
    (site.root / "public" / "sitemap.xml").unlink()
    (site.root / "public" / "robots.txt").write_text(f"Sitemap: {BASE}feed.xml\n")
    (site.root / "public" / "feed.xml").write_text(feed.format(a, b))
    report = check(capsys)
    assert [one["verdict"] for one in report["entries"]] == ["true", "true"]
    assert about_dates(report) == []
    (site.root / "public" / "feed.xml").write_text(feed.format(a, wrong))
    report = check(capsys)
    assert [one["verdict"] for one in report["entries"]] == ["true", "false"]
    assert [level for _, level in about_dates(report)] == ["error"]
    (site.root / "public" / "feed.xml").write_text(feed.format(a, "soon"))
    assert ("lastmod-format", "error") in about_dates(check(capsys))


def test_a_page_that_states_another_day(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    meta = '<meta property="article:modified_time" content="{}">'
    data = '<script type="application/ld+json">{{"@type": "BlogPosting", "dateModified": "{}"}}</script>'
    pages(site, a=meta.format("2026-01-10T14:00:00+02:00"), b=data.format("2025-12-31"))
    report = check(capsys)
    assert about_dates(report) == [("lastmod-page", "warning")]
    (finding,) = [f for f in report["findings"] if f["rule"] == "lastmod-page"]
    assert (finding["loc"], finding["line"]) == (BASE + "b/", 9)
    # A date that is false is told once, and the same false day in the page does not make it true.
    pages(site, b=data.format("2025-12-31"))
    entries = [(BASE + "a/", "2026-01-10"), (BASE + "b/", "2025-12-31")]
    (site.root / "public" / "sitemap.xml").write_text(sitemap(*entries))
    assert about_dates(check(capsys)) == [("lastmod-too-old", "error")]
