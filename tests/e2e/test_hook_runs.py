"""The hook, installed and run by pre-commit in a repository that keeps its built site."""

from __future__ import annotations

import datetime as dt
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def site(run: Run, tool: Callable[[str], str], site_with_hook: Callable[[str], Path]) -> Path:
    """An honest site with the hook installed."""
    folder = site_with_hook("sitemap-guard")
    done = run(folder, tool("pre-commit"), "install")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def edit_news(folder: Path) -> None:
    page = folder / "public" / "news.html"
    page.write_text(page.read_text().replace("<h1>News</h1>", "<h1>News of today</h1>"))


def date_news_today(folder: Path) -> None:
    sitemap = folder / "public" / "sitemap.xml"
    today = dt.datetime.now(dt.UTC).strftime("%Y-%m-%d")
    sitemap.write_text(sitemap.read_text().replace("2024-05-21", today))


def head(run: Run, folder: Path) -> str:
    return run(folder, "git", "log", "-1", "--format=%s").stdout.strip()


def test_try_repo(
    run: Run,
    tool: Callable[[str], str],
    project_copy: Path,
    make_site: Callable[[str, Path], None],
    tmp_path: Path,
) -> None:
    for kind, code in (("honest", 0), ("lying", 1)):
        folder = tmp_path / kind
        make_site(kind, folder)
        done = run(
            folder, tool("pre-commit"), "try-repo", str(project_copy), "sitemap-guard", "--verbose", "--all-files"
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert ("lastmod-too-new" in done.stdout) == (kind == "lying"), done.stdout
        assert run(folder, "git", "status", "--porcelain").stdout == ""


def test_a_commit_whose_date_is_old_is_refused_until_it_is_true(run: Run, site: Path) -> None:
    edit_news(site)
    run(site, "git", "add", "--all")
    done = run(site, "git", "commit", "-m", "Only the page")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "lastmod-too-old" in done.stdout + done.stderr
    assert "news.html" in done.stdout + done.stderr
    assert head(run, site) == "Everything"

    date_news_today(site)
    run(site, "git", "add", "--all")
    done = run(site, "git", "commit", "-m", "The page and its date")
    assert done.returncode == 0, done.stdout + done.stderr
    assert head(run, site) == "The page and its date"


def test_a_commit_of_one_path_is_judged_by_its_own_index(run: Run, site: Path) -> None:
    # `git commit -- PATH` commits by a temporary index, which the hook learns of by GIT_INDEX_FILE only. What else is
    # staged is no part of the commit: neither a page, nor the date that would make a page's commit true.
    edit_news(site)
    (site / "notes.txt").write_text("Nothing of the site\n")
    run(site, "git", "add", "--all")
    done = run(site, "git", "commit", "-m", "A note", "--", "notes.txt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert head(run, site) == "A note"

    date_news_today(site)
    run(site, "git", "add", "--all")
    done = run(site, "git", "commit", "-m", "Only the page", "--", "public/news.html")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "lastmod-too-old" in done.stdout + done.stderr
    assert run(site, "git", "commit", "-m", "All").returncode == 0


def test_a_linked_work_tree(run: Run, site: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    assert run(site, "git", "worktree", "add", "-q", str(linked), "-b", "other").returncode == 0
    edit_news(linked)
    run(linked, "git", "add", "--all")
    done = run(linked, "git", "commit", "-m", "Only the page")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "lastmod-too-old" in done.stdout + done.stderr

    date_news_today(linked)
    done = run(linked, "git", "commit", "-a", "-m", "The page and its date")
    assert done.returncode == 0, done.stdout + done.stderr
    assert head(run, linked) == "The page and its date"


def test_a_push_is_judged_too(run: Run, tool: Callable[[str], str], site: Path, tmp_path: Path) -> None:
    assert run(site, tool("pre-commit"), "install", "--hook-type", "pre-push").returncode == 0
    run(tmp_path, "git", "init", "-q", "--bare", "remote.git")
    run(site, "git", "remote", "add", "origin", str(tmp_path / "remote.git"))
    done = run(site, "git", "push", "-q", "origin", "main")
    assert done.returncode == 0, done.stdout + done.stderr

    edit_news(site)
    run(site, "git", "commit", "-a", "--no-verify", "-m", "Only the page")
    done = run(site, "git", "push", "-q", "origin", "main")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "lastmod-too-old" in done.stdout + done.stderr
