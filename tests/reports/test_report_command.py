"""`sitemap-guard report` writes the page, whatever it has to tell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build, html

from sitemap_guard import cli


def test_the_page_is_written_and_findings_do_not_fail(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit("one", {"content/a.md": "x", ".gitignore": "public/\n"}, at=1767225600)
    build(
        repo.root / "public",
        {"a/index.html": html("a/index.html", source="content/a.md")},
        [(f"{BASE}a/", "2026-11-30")],
    )
    before = Path.cwd()
    os.chdir(repo.root)
    try:
        assert cli.main(["report", "--no-cache", "--output", "out/r.html"]) == 0
        assert "out/r.html: 1 date is false" in capsys.readouterr().out
        assert (repo.root / "out/r.html").read_text().startswith("<!doctype html>")
        (repo.root / "public" / "sitemap.xml").write_text("<urlset/>")
        assert cli.main(["report", "--no-cache"]) == 2
    finally:
        os.chdir(before)
