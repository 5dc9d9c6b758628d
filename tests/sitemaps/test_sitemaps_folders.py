from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.discovery import find_site


def make(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("Sitemap: https://e.org/map.xml" if name.endswith("robots.txt") else "")
    return root


@pytest.mark.parametrize(
    ("names", "site"),
    [
        (["public/sitemap.xml"], "public"),
        (["_site/sitemap.xml", "public/index.html"], "_site"),
        (["docs/_build/html/sitemap.xml", "docs/conf.py"], "docs/_build/html"),
        ([".vitepress/dist/sitemap.xml"], ".vitepress/dist"),
        (["website/build/sitemap.xml"], "website/build"),
        (["apps/dist/sitemap-index.xml"], "apps/dist"),
        (["docs/sitemap.xml"], "docs"),
        (["dist/robots.txt"], "dist"),
        (["dist/sitemap.txt", "node_modules/dist/sitemap.xml", ".git/x", ".venv/site/sitemap.xml"], "dist"),
        (["sitemap.xml", ".git/x"], "."),
        (["sitemap.xml", "docs/sitemap.xml"], "."),  # no repository: a built site with a part of its own
    ],
)
def test_the_one_built_folder_is_found(tmp_path: Path, names: list[str], site: str) -> None:
    assert find_site(make(tmp_path, *names)) == tmp_path / site


@pytest.mark.parametrize("names", [["public/sitemap.xml", "dist/sitemap.xml"], ["sitemap.xml", "dist/sitemap.xml"]])
def test_several_are_named(tmp_path: Path, names: list[str]) -> None:
    folders = [str(Path(name).parent) for name in names]
    with pytest.raises(UserError, match="name one: sitemap-guard check PATH") as caught:
        find_site(make(tmp_path, ".git/x", *names))
    assert all(folder in str(caught.value) for folder in folders)


def test_the_same_folder_by_two_names_is_one(tmp_path: Path) -> None:
    make(tmp_path, "dist/sitemap.xml")
    (tmp_path / "public").symlink_to(tmp_path / "dist")
    assert find_site(tmp_path).resolve() == tmp_path / "dist"


def test_none_is_told_with_what_was_looked_into(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    with pytest.raises(UserError) as caught:
        find_site(tmp_path)
    assert "public, _site" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(UserError, match="no such folder"):
        find_site(tmp_path / "none")
