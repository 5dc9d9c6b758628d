"""The mending hook, run by pre-commit in a repository that keeps its built site."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_a_commit_fails_once_and_holds_the_mended_sitemap_then(
    run: Callable[..., subprocess.CompletedProcess[str]],
    tool: Callable[[str], str],
    site_with_hook: Callable[[str], Path],
) -> None:
    folder = site_with_hook("sitemap-guard-fix")
    clean = run(folder, tool("pre-commit"), "run")
    assert clean.returncode == 0, clean.stdout + clean.stderr
    page = folder / "public" / "news.html"
    page.write_text(page.read_text().replace("<h1>News</h1>", "<h1>News of today</h1>"))
    run(folder, "git", "add", "public/news.html")
    before = (folder / "public" / "sitemap.xml").read_text()
    first = run(folder, tool("pre-commit"), "run")
    assert first.returncode == 1, first.stdout + first.stderr
    assert "files were modified by this hook" in first.stdout
    assert "public/sitemap.xml: 1 date rewritten" in first.stdout
    after = (folder / "public" / "sitemap.xml").read_text()
    assert sum(one != two for one, two in zip(before.splitlines(), after.splitlines(), strict=True)) == 1
    run(folder, "git", "add", "public/sitemap.xml")
    second = run(folder, tool("pre-commit"), "run")
    assert second.returncode == 0, second.stdout + second.stderr
