"""Sites that real generators build from repositories with history: one that dates by its clock, one that asks git."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Repo

import sitemap_guard
from sitemap_guard.model import Answer, Result

DAY = 86400
FIRST = 1709283600  # 2024-03-01T09:00:00Z
HUGO = Path(sys.executable).parent / "hugo"


def build(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def histories(repo: Repo, folder: str, first: str) -> None:
    """Five pages that changed on five days; one of them on a branch that was merged later."""
    for number, name in enumerate([first, "api", "guide", "setup"]):
        repo.commit(f"Write {name}", {f"{folder}/{name}.md": f"# {name}\n\nText.\n"}, at=FIRST + number * 20 * DAY)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("Write faq", {f"{folder}/faq.md": "# faq\n\nText.\n"}, at=FIRST + 100 * DAY, zone="-0500")
    repo.git("checkout", "-q", "main")
    repo.commit("Edit guide", {f"{folder}/guide.md": "# guide\n\nMore text.\n"}, at=FIRST + 110 * DAY, zone="+0200")
    when = f"{FIRST + 120 * DAY} +0000"
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side", env=dates)


def about_dates(result: Result) -> set[str]:
    return {finding.rule for finding in result.findings if finding.level.word != "info"}


def test_mkdocs_stamps_the_build_day_and_is_caught(repo: Repo) -> None:
    repo.write("mkdocs.yml", "site_name: Docs\nsite_url: https://docs.garden.example/\n")
    repo.write(".gitignore", "/site/\n")
    histories(repo, "docs", "index")
    build(sys.executable, "-m", "mkdocs", "build", "--quiet", folder=repo.root)
    result = sitemap_guard.check(start=repo.root)
    s = result.summary
    assert (s.urls, s.true, s.false, s.cannot_tell, s.absent) == (5, 0, 5, 0, 0)
    assert {entry.verdict.cause for entry in result.site.entries} == {"build-clock"}
    (headline,) = {finding.headline for finding in result.findings if finding.rule == "lastmod-too-new"}
    assert headline.startswith("5 of 5 dates are the build's clock")
    expected = {entry.claim.loc: entry.verdict.expected for entry in result.site.entries}
    assert expected["https://docs.garden.example/guide/"] == "2024-06-19"


@pytest.fixture
def hugo(repo: Repo) -> Repo:
    if not HUGO.exists():
        pytest.skip("NOT TESTED: Hugo is not installed (it comes with the dev extra)")
    repo.write(
        "hugo.toml",
        'baseURL = "https://blog.garden.example/"\ntitle = "Blog"\nenableGitInfo = true\ndisableKinds = ["taxonomy", "term"]\n',
    )
    page = (
        "<!doctype html><html><head><title>{{ .Title }}</title></head><body><main>{{ .Content }}</main></body></html>"
    )
    for name in ("single", "list"):
        repo.write(f"layouts/_default/{name}.html", page)
    repo.write(".gitignore", "/public/\n/.hugo_build.lock\n/resources/\n")
    histories(repo, "content/posts", "intro")
    return repo


def test_hugo_that_asks_git_is_clean(hugo: Repo) -> None:
    build(str(HUGO), "--quiet", folder=hugo.root)
    result = sitemap_guard.check(start=hugo.root)
    assert result.summary.false == 0
    assert result.summary.cannot_tell == 0
    assert result.summary.true >= 5
    assert about_dates(result) == set()


def test_hugo_built_from_a_shallow_clone_is_caught_by_the_whole_history(hugo: Repo, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{hugo.root}", str(clone)], check=True)
    build(str(HUGO), "--quiet", folder=clone)
    shallow = sitemap_guard.check(start=clone)
    assert shallow.summary.true == 0
    assert shallow.summary.cannot_tell > 0
    assert "history-shallow" in about_dates(shallow)
    (clone / "public").rename(hugo.root / "public")
    whole = sitemap_guard.check(start=hugo.root)
    false = [entry for entry in whole.site.entries if entry.verdict.answer is Answer.FALSE]
    assert len(false) == 3  # the other two landed with HEAD, or a merge of HEAD's names them
    assert {entry.verdict.cause for entry in false} == {"head"}
