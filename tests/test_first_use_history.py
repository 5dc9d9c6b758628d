"""Checkouts as newcomers have them: a built folder that is a repository, linked sources, odd clones, wrong names."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from sites import BASE, MARCH, MAY, build, html

from sitemap_guard import cli

AT_MARCH, AT_MAY = "2026-03-01T09:00:00Z", "2026-05-01T09:00:00Z"


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two sources, two pages with edit links, an honest sitemap in an ignored public/."""
    repo.commit("First page", {"content/a.md": "a\n", ".gitignore": "/public/\n"}, at=MARCH)
    repo.commit("Second page", {"content/b.md": "b\n"}, at=MAY)
    publish(repo.root / "public", ("content/a.md", AT_MARCH), ("content/b.md", AT_MAY))
    monkeypatch.chdir(repo.root)
    return repo


def publish(folder: Path, *pages: tuple[str, str]) -> None:
    """A page for each source, with its date in the sitemap."""
    names = [Path(source).stem.lower() for source, _ in pages]
    built = {
        f"{n}/index.html": html(f"{n}/index.html", source=source) for n, (source, _) in zip(names, pages, strict=True)
    }
    build(folder, built, [(f"{BASE}{n}/", date) for n, (_, date) in zip(names, pages, strict=True)])


def checked(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, dict[str, Any]]:
    code = cli.main(["check", "--format", "json", *args])
    return code, dict(json.loads(capsys.readouterr().out))


def verdicts(report: dict[str, Any]) -> list[str]:
    return [entry["verdict"] for entry in report["entries"]]


# ---------------------------------------------------------------------------------- the repository of the sources


@pytest.mark.parametrize("below", ["", "docs"])
def test_a_built_folder_that_is_a_repository_of_its_own(
    site: Repo, capsys: pytest.CaptureFixture[str], below: str
) -> None:
    publish(site.root / "public" / below, ("content/a.md", AT_MARCH), ("content/b.md", AT_MAY))
    Repo(site.root / "public").commit("Deploy", at=MAY + 86400)
    code, report = checked(capsys, *([f"public/{below}"] if below else []))
    assert (code, verdicts(report)) == (0, ["true", "true"])
    assert report["entries"][0]["sitemap"].startswith(f"public/{below}")


def test_a_built_folder_that_is_a_work_tree_of_another_branch(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (site.root / "public").rename(site.root.parent / "built")
    tree = site.git("write-tree", env={"GIT_INDEX_FILE": str(site.root.parent / "none")}).strip()
    site.git("branch", "gh-pages", site.git("commit-tree", "-m", "Deploy", tree).strip())
    site.git("worktree", "add", "-q", "public", "gh-pages")
    for file in (site.root.parent / "built").iterdir():
        file.rename(site.root / "public" / file.name)
    code, report = checked(capsys)
    assert (code, verdicts(report)) == (0, ["true", "true"])


def test_from_outside_any_repository_that_of_the_site_counts(
    site: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.root.parent)
    code, report = checked(capsys, f"{site.root.name}/public")
    assert (code, verdicts(report)) == (0, ["true", "true"])


# ------------------------------------------------------------------------------------------------- linked sources


def linked(repo: Repo, link: str, target: str) -> None:
    (repo.root / link).parent.mkdir(parents=True, exist_ok=True)
    (repo.root / link).symlink_to(target)


@pytest.mark.parametrize(("date", "verdict"), [(AT_MAY, "true"), (AT_MARCH, "true"), ("2026-04-01", "false")])
def test_a_linked_source_changes_with_its_target(
    site: Repo, capsys: pytest.CaptureFixture[str], date: str, verdict: str
) -> None:
    linked(site, "docs/middle.md", "../README.md")
    linked(site, "docs/index.md", "./middle.md")
    site.commit("A page that is the read-me", {"README.md": "one\n"}, at=MARCH)
    site.commit("Tell more", {"README.md": "one\ntwo\n"}, at=MAY)
    publish(site.root / "public", ("docs/index.md", date))
    _, report = checked(capsys)
    assert verdicts(report) == [verdict]
    assert report["entries"][0]["sources"] == ["README.md", "docs/index.md", "docs/middle.md"]


@pytest.mark.parametrize("target", ["../../outside.md", "/etc/hostname", "index.md", "gone.md", "../content"])
def test_a_link_that_leads_to_no_tracked_file_stands_for_itself(
    site: Repo, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    linked(site, "docs/index.md", target)
    site.commit("A link", at=MAY)
    publish(site.root / "public", ("docs/index.md", AT_MAY))
    code, report = checked(capsys)
    assert (code, report["entries"][0]["sources"]) == (0, ["docs/index.md"])


# ------------------------------------------------------------------------------------------------- shallow clones


@pytest.mark.parametrize(("depth", "shallow"), [(1, True), (2, False)])
def test_a_shallow_clone_that_has_all_commits_hides_nothing(
    site: Repo,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    depth: int,
    shallow: bool,
) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", f"--depth={depth}", site.root.as_uri(), str(clone)], check=True)
    assert (clone / ".git" / "shallow").is_file()
    publish(clone / "public", ("content/a.md", AT_MARCH), ("content/b.md", AT_MAY))
    monkeypatch.chdir(clone)
    _, report = checked(capsys)
    assert (verdicts(report)[0] == "cannot_tell") is shallow
    assert ("history-shallow" in [finding["rule"] for finding in report["findings"]]) is shallow


# --------------------------------------------------------------------------------------------------- wrong names

COMMANDS = (["check"], ["report"], ["why", BASE + "a/"], ["fix", "--diff"])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    "named", [("--rev", "nope"), ("--rev", ""), ("--rev", "HEAD:content"), ("--repo", "/nope"), ("--repo", "..")]
)
def test_a_wrong_revision_or_repository_is_an_error_of_use(
    site: Repo, capsys: pytest.CaptureFixture[str], command: list[str], named: tuple[str, str]
) -> None:
    code = cli.main([*command, *named])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert named[1] in err or str(site.root.parent) in err


def test_a_missing_folder_inside_a_repository_is_no_repository(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--repo", "contents"]) == 2
    assert "contents" in capsys.readouterr().err


def test_a_branch_without_commits_is_a_finding_still(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Repo(tmp_path / "fresh")
    publish(fresh.root / "public", ("content/a.md", AT_MARCH))
    monkeypatch.chdir(fresh.root)
    code, report = checked(capsys, "--repo", ".")
    assert (code, verdicts(report)) == (1, ["cannot_tell"])


# ------------------------------------------------------------------------------------------------ no history at all


def test_without_git_the_exit_codes_are_those_of_the_readme_and_the_reason_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    publish(tmp_path / "public", ("content/a.md", AT_MARCH), ("content/b.md", AT_MAY))
    assert cli.main(["check"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert out.count("no git repository") == 2  # among what was not checked, and as the finding
    assert "0 of 2 dates could be checked; 1 error" in out
    assert cli.main(["fix"]) == 2
    build(tmp_path / "public", {}, [(f"{BASE}{name}/", None) for name in "ab"])
    assert cli.main(["check"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("no date to check: all 2 entries have no lastmod")
    build(tmp_path / "public", {}, [])
    assert cli.main(["check"]) == 2
