"""The mending hook, run by pre-commit in a repository that keeps its built site."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("hook")


def test_a_commit_fails_once_and_holds_the_mended_sitemap_then(
    home: dict[str, str],
    tool: Callable[[str], str],
    project_copy: Path,
    make_site: Callable[[str, Path], None],
    commit: Callable[..., None],
    tmp_path: Path,
) -> None:
    folder = tmp_path / "site"

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=folder,
            env=home,
            stdin=subprocess.DEVNULL,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )

    make_site("honest", folder)
    rev = subprocess.run(
        ["git", "-C", str(project_copy), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {project_copy}\n  rev: {rev}\n  hooks:\n  - id: sitemap-guard-fix\n    args: [public]\n"
    )
    commit(folder)
    clean = run(tool("pre-commit"), "run")
    assert clean.returncode == 0, clean.stdout + clean.stderr
    page = folder / "public" / "news.html"
    page.write_text(page.read_text().replace("<h1>News</h1>", "<h1>News of today</h1>"))
    run("git", "add", "public/news.html")
    before = (folder / "public" / "sitemap.xml").read_text()
    first = run(tool("pre-commit"), "run")
    assert first.returncode == 1, first.stdout + first.stderr
    assert "files were modified by this hook" in first.stdout
    assert "public/sitemap.xml: 1 date rewritten" in first.stdout
    after = (folder / "public" / "sitemap.xml").read_text()
    assert sum(one != two for one, two in zip(before.splitlines(), after.splitlines(), strict=True)) == 1
    run("git", "add", "public/sitemap.xml")
    second = run(tool("pre-commit"), "run")
    assert second.returncode == 0, second.stdout + second.stderr
