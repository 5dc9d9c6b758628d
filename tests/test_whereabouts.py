"""Where the repository is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build, html

import sitemap_guard
from sitemap_guard import cli
from sitemap_guard.model import UserError

MARCH = 1772355600  # 2026-03-01T09:00:00Z


@pytest.fixture
def bare(repo: Repo, tmp_path: Path) -> Path:
    """A bare repository, and beside it a built site, out."""
    repo.commit("First", {"content/a.md": "a\n"}, at=MARCH)
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    pages = {"a/index.html": html("a/index.html", source="content/a.md")}
    build(tmp_path / "out", pages, [(BASE + "a/", "2026-03-01")])
    return tmp_path / "bare.git"


@pytest.mark.parametrize(
    ("folder", "given"),
    [
        (".", ["out", "--repo", "bare.git"]),
        (".", ["out", "--repo", "bare.git/refs"]),
        ("bare.git", ["../out"]),
        ("bare.git", ["../out", "--repo", "."]),
        ("bare.git/refs/heads", ["../../../out"]),
    ],
)
@pytest.mark.parametrize("command", ["check", "map", "fix --diff"])
def test_a_bare_repository_is_read_from_inside_and_by_name(
    bare: Path, folder: str, given: list[str], command: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(bare.parent / folder)
    assert cli.main([*command.split(), *given]) == 0, capsys.readouterr()


def test_a_site_inside_a_work_tree_is_not_judged_by_the_bare_repository_one_stands_in(
    bare: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("Second", {"content/b.md": "b\n"}, at=MARCH + 86400)
    pages = {"b/index.html": html("b/index.html", source="content/b.md")}
    build(repo.root / "public", pages, [(BASE + "b/", "2026-03-02")])
    monkeypatch.chdir(bare)
    assert sitemap_guard.check(repo.root / "public").summary.true == 1


def test_the_folder_of_a_work_trees_history_is_no_repository(
    bare: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.root / ".git")
    told = sitemap_guard.check("../../out").site.repository
    assert told.problem == "none"
    assert "is inside a git folder, not a work tree: name the folder with the sources" in told.detail
    with pytest.raises(UserError) as error:
        sitemap_guard.check("../../out", repo=".")
    assert str(error.value) == told.detail
