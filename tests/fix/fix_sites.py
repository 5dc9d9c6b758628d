"""A site whose dates are the build's clock, and the command run on it."""

from __future__ import annotations

import os
from pathlib import Path

from conftest import Repo
from sites import BASE, build, html

from sitemap_guard import cli

JAN, CLOCK, MENDED = 1767225600, "2026-11-30T06:12:44+00:00", "2026-01-01T00:00:00+00:00"


def clocked(repo: Repo, names: str = "abc", folder: str = "public") -> Path:
    """Build it: a page for each letter, all of the same day. Returns the sitemap's file."""
    repo.write(".gitignore", f"{folder}/\n")
    repo.commit("one", {f"content/{name}.md": "x" for name in names}, at=JAN)
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md") for name in names}
    build(repo.root / folder, pages, [(f"{BASE}{name}/", CLOCK) for name in names])
    return repo.root / folder / "sitemap.xml"


def run(repo: Repo, *args: str) -> int:
    """`sitemap-guard fix` in the repository."""
    before = Path.cwd()
    os.chdir(repo.root)
    try:
        return cli.main(["fix", "--no-cache", *args])
    finally:
        os.chdir(before)
