"""Dates that honest sites have, and words that say what a verdict stands on, on small real repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from sites import BASE, MARCH, MAY, build, edited, html, run_cli, sitemap


def run(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    return run_cli(capsys, *args)[1]


def entries(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, dict[str, Any]]:
    report = json.loads(run(capsys, "check", "--format", "json", *args))
    return {entry["loc"].removeprefix(BASE): entry for entry in report["entries"]}


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two sources whose pages name them, dated the day they were written."""
    text = "---\ntitle: A\n---\nThe first page says something of its own.\n"
    repo.commit("Pages", {"docs/a.md": text, "docs/b.md": "b\n", ".gitignore": "/public/\n"}, at=MARCH)
    build(repo.root / "public", edited("ab", "docs"), [(BASE + "a/", "2026-03-01"), (BASE + "b/", "2026-03-01")])
    monkeypatch.chdir(repo.root)
    return repo


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("---\ntitle: A\n---\n\nThe first page  says something\nof its own.\n", "true"),
        ("---\ntitle: A\nweight: 3\n---\nThe first page says something of its own.\n", "true"),
        ("---\ntitle: A\n---\nThe first page says another thing.\n", "false"),
    ],
)
def test_a_staged_edit_counts_if_it_is_of_substance(
    site: Repo, capsys: pytest.CaptureFixture[str], text: str, verdict: str
) -> None:
    site.write("docs/a.md", text)
    site.git("add", "-A")
    assert entries(capsys, "--staged")["a/"]["verdict"] == verdict


def test_every_staged_edit_counts_where_every_change_does(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.write("docs/a.md", "---\ntitle: A\n---\n\nThe first page says something of its own.\n")
    site.write("sitemap-guard.toml", "[dates]\nstrict = true\n")
    site.git("add", "-A")
    assert entries(capsys, "--staged")["a/"]["verdict"] == "false"


@pytest.mark.parametrize(("date", "verdict"), [("2026-03-01", "true"), ("2026-04-01", "false")])
def test_a_staged_rename_is_no_change(site: Repo, capsys: pytest.CaptureFixture[str], date: str, verdict: str) -> None:
    site.git("mv", "docs/a.md", "docs/c.md")
    pages = {"c/index.html": html("c/index.html", source="docs/c.md")}
    build(site.root / "public", pages, [(BASE + "c/", date)])
    entry = entries(capsys, "--staged")["c/"]
    assert (entry["verdict"], entry["sources"]) == (verdict, ["docs/c.md"])


@pytest.mark.parametrize(("date", "verdict"), [("2026-03-01", "true"), ("2026-04-01", "cannot_tell")])
def test_a_staged_deletion_makes_no_date_false(
    site: Repo, capsys: pytest.CaptureFixture[str], date: str, verdict: str
) -> None:
    site.git("rm", "-q", "docs/a.md")
    (site.root / "public" / "sitemap.xml").write_text(sitemap((BASE + "a/", date)))
    assert entries(capsys, "--staged")["a/"]["verdict"] == verdict


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hugo.toml", 'timeZone = "Asia/Tokyo"\n'),
        ("config/_default/hugo.yaml", "timeZone: Asia/Tokyo\n"),
        ("_config.yml", "timezone: Asia/Tokyo\n"),
        ("pelicanconf.py", 'TIMEZONE = "Asia/Tokyo"\n'),
        ("conf.py", 'TIMEZONE = "Asia/Tokyo"\n'),
    ],
)
def test_a_field_is_read_in_the_generators_zone(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    matter = "---\ntitle: A\nlastmod: 2026-02-10T08:00:00\n---\nText\n"
    repo.commit("All", {"content/a.md": matter, name: text, ".gitignore": "/public/\n"}, at=MARCH)
    pages = {"a/index.html": html("a/index.html", source="content/a.md")}
    build(repo.root / "public", pages, [(BASE + "a/", "2026-02-09T23:00:00Z")])
    monkeypatch.chdir(repo.root)
    assert entries(capsys)["a/"]["verdict"] == "true"
    repo.commit("No zone", {name: "\n"}, at=MAY)
    assert entries(capsys)["a/"]["verdict"] == "false"


def test_a_generators_committed_pages_are_not_their_own_source(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {
        "hugo.toml": 'baseURL = "https://docs.example.org/"\npublishDir = "docs"\n',
        "content/a.md": "---\ntags: [x]\n---\na\n",
        "content/b.md": "b\n",
    }
    repo.commit("Sources", sources, at=MARCH)
    meta = '<meta name="generator" content="Hugo 0.150.0">'
    paths = ("a", "b", "tags", "tags/x", "odd")
    pages = {f"{path}/index.html": html(f"{path}/index.html", head=meta) for path in paths}
    build(repo.root / "docs", pages, [(f"{BASE}{path}/", "2026-03-01") for path in paths])
    repo.commit("Build", at=MAY)
    monkeypatch.chdir(repo.root)
    found = entries(capsys)
    assert {path: entry["verdict"] for path, entry in found.items() if "tags" not in path} == {
        "a/": "true",
        "b/": "true",
        "odd/": "cannot_tell",
    }
    assert {found["tags/"]["verdict"], found["tags/x/"]["verdict"]} <= {"true", "cannot_tell"}


def hand_made(repo: Repo, pages: dict[str, str], date: str) -> None:
    found = {path: html(path) for path in pages}
    build(repo.root / "docs", found, [(BASE + path.removesuffix("index.html"), date) for path in found])


def test_a_home_made_generators_source_may_be_the_other_file(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("Sources", {"src/guide/a.md": "a\n", "src/c.txt": "c\n"}, at=MARCH)
    hand_made(repo, {"guide/a.html": "", "c.html": ""}, "2026-03-01")
    repo.commit("Build", at=MAY)
    monkeypatch.chdir(repo.root)
    report = json.loads(run(capsys, "check", "--format", "json"))
    first, second = report["entries"]
    assert (first["verdict"], first["reason"]) == ("cannot_tell", "ambiguous")
    assert second["verdict"] == "false"
    said = [one["message"] for one in report["findings"] if one["rule"] == "lastmod-too-old"]
    assert len(said) == 1
    assert "the built file is taken for its own source; name another with [[source]]" in said[0]
    hand_made(repo, {"guide/a.html": "", "c.html": ""}, "2026-05-01")
    assert {entry["verdict"] for entry in entries(capsys).values()} == {"true"}


def tracked_sitemap(repo: Repo, date: str) -> None:
    repo.write("docs/sitemap.xml", sitemap((BASE + "c.html", date)))
    repo.write("docs/c.html", html("c.html"))
    repo.commit("Page", at=MAY)


def test_why_says_that_a_date_is_true_only_within_the_tolerance(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tracked_sitemap(repo, "2026-04-30")
    monkeypatch.chdir(repo.root)
    assert "within the tolerance of 1 d" in run(capsys, "why", BASE + "c.html")
    repo.write("docs/sitemap.xml", sitemap((BASE + "c.html", "2026-05-01")))
    assert "tolerance" not in run(capsys, "why", BASE + "c.html")


@pytest.mark.parametrize(("date", "hinted"), [("2026-04-28", True), ("2026-01-28", False)])
def test_squash_merges_are_blamed_only_for_a_few_days(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, date: str, hinted: bool
) -> None:
    tracked_sitemap(repo, date)
    monkeypatch.chdir(repo.root)
    out = run(capsys, "check")
    assert "lastmod-too-old" in out
    assert ("squash merges" in out) == hinted


def test_false_dates_follow_nothing(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With only the author's date allowed, dates of the commit are false, although they follow a reading of git."""
    repo.write("docs/a.md", "a\n")
    repo.write(".gitignore", "/public/\n")
    repo.commit("Page", at=MARCH, committed=MAY)
    repo.write("sitemap-guard.toml", '[dates]\ndate = "authored"\n')
    build(
        repo.root / "public", {"a/index.html": html("a/index.html", source="docs/a.md")}, [(BASE + "a/", "2026-05-01")]
    )
    monkeypatch.chdir(repo.root)
    report = json.loads(run(capsys, "check", "--format", "json"))
    assert report["entries"][0]["verdict"] == "false"
    assert "follow" not in (report["summary"]["fit"] or "")
