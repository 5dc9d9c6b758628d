"""A repository's own settings run nothing, and a git that fails or files that nobody edited do no harm."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Repo

from sitemap_guard.history.reader import open_history


def edited(root: Path) -> frozenset[str]:
    with open_history(root, None) as history:
        assert not history.repository.problem, history.repository.detail
        return history.repository.edited


@pytest.fixture
def filtered(repo: Repo, tmp_path: Path) -> tuple[Repo, Path]:
    """A file with a filter whose programs leave a mark, and looks as if it had changed."""
    mark = tmp_path / "ran"
    repo.commit("first", {"a.md": "one\n", ".gitattributes": "*.md filter=x=y\n"}, at=1704103200)
    return repo, mark


@pytest.mark.parametrize("kind", ["clean", "process"])
def test_no_filter_of_the_configuration_is_run(filtered: tuple[Repo, Path], kind: str) -> None:
    repo, mark = filtered
    repo.git("config", f"filter.x=y.{kind}", f"touch '{mark}'; cat")
    repo.git("config", "filter.x=y.required", "true")
    os.utime(repo.root / "a.md", (1, 1))
    assert edited(repo.root) == frozenset()
    assert not mark.exists()
    (repo.root / "a.md").write_text("two\n")
    assert edited(repo.root) == {"a.md"}
    assert not mark.exists()


def test_settings_of_the_environment_stay(filtered: tuple[Repo, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    repo, mark = filtered
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "filter.x=y.clean")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"touch '{mark}'; cat")
    os.utime(repo.root / "a.md", (1, 1))
    assert edited(repo.root) == frozenset()
    assert not mark.exists()


def test_modes_and_ends_of_lines_alone_are_no_edit(repo: Repo) -> None:
    files = {"mode.md": "one\n", "ends.md": "one\ntwo\n", "both.md": "one\n", "gone.md": "one\n", "raw.bin": "\0\n"}
    repo.commit("first", files, at=1704103200)
    (repo.root / "mode.md").chmod(0o755)
    (repo.root / "ends.md").write_bytes(b"one\r\ntwo\r\n")
    (repo.root / "both.md").write_bytes(b"two\r\n")
    (repo.root / "gone.md").unlink()
    (repo.root / "raw.bin").write_bytes(b"\0\r\n")
    assert edited(repo.root) == {"both.md", "gone.md", "raw.bin"}


def test_a_mode_does_not_make_the_clock_of_a_build_true(repo: Repo) -> None:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    page, base = "<title>a</title>", "https://docs.acme.com/"
    entry = f"<url><loc>{base}</loc><lastmod>{now}</lastmod></url>"
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    sitemap = f'<urlset xmlns="{space}">{entry}</urlset>'
    repo.commit("first", {"index.html": page, "sitemap.xml": sitemap}, at=1704103200)
    command = [sys.executable, "-m", "sitemap_guard", "check", "-q", "."]
    assert subprocess.run(command, cwd=repo.root, capture_output=True, check=False).returncode == 1
    (repo.root / "index.html").chmod(0o777)
    assert subprocess.run(command, cwd=repo.root, capture_output=True, check=False).returncode == 1
    (repo.root / "index.html").write_text("<title>b</title>")
    assert subprocess.run(command, cwd=repo.root, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("kind", ["configuration", "program", "mode"])
def test_a_git_that_does_not_run_is_told(repo: Repo, tmp_path: Path, kind: str) -> None:
    repo.commit("first", {"index.html": "<title>a</title>"}, at=1704103200)
    env, folder = dict(os.environ), tmp_path / "bin"
    folder.mkdir()
    if kind == "configuration":
        (tmp_path / "bad").write_text("[user\n")
        env["GIT_CONFIG_GLOBAL"] = str(tmp_path / "bad")
    else:
        (folder / "git").write_text("#!/bin/sh\necho 'xcrun: error: no developer tools' >&2\nexit 1\n")
        (folder / "git").chmod(0o755 if kind == "program" else 0o644)
        env["PATH"] = str(folder)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    entry = "<url><loc>https://docs.acme.com/</loc><lastmod>2024-01-01</lastmod></url>"
    (repo.root / "sitemap.xml").write_text(f'<urlset xmlns="{space}">{entry}</urlset>')
    ran = subprocess.run(
        [sys.executable, "-m", "sitemap_guard", "check", "."],
        cwd=repo.root, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stderr
    assert "history-missing" in ran.stdout
    said = {"configuration": "bad config line 1", "program": "no developer tools", "mode": "git"}[kind]
    assert said in ran.stdout
    assert "internal error" not in ran.stdout + ran.stderr
