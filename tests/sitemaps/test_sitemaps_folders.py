from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.discovery import find_site, site_in


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


@pytest.mark.parametrize("start", ["docs/guide", "docs", "."])
def test_the_root_of_the_repository_is_looked_through_too(tmp_path: Path, start: str) -> None:
    make(tmp_path, ".git/x", "site/sitemap.xml", "docs/guide/a.md")
    assert find_site(tmp_path / start) == tmp_path / "site"


def test_the_nearest_folder_comes_first(tmp_path: Path) -> None:
    make(tmp_path, ".git/x", "site/sitemap.xml", "a/public/sitemap.xml", "a/b/c/d/x", "a/b/c/out/sitemap.xml")
    assert find_site(tmp_path / "a/b/c/d", tmp_path / "a") == tmp_path / "a/public"
    assert find_site(tmp_path / "a/b/c", tmp_path / "a") == tmp_path / "a/b/c/out"
    assert find_site(tmp_path / "a/b", tmp_path / "a") == tmp_path / "a/b/c/out"


def test_nothing_above_a_repository_is_looked_at(tmp_path: Path) -> None:
    make(tmp_path, "site/sitemap.xml", "a/.git/x", "a/docs/x")
    for start in ("a", "a/docs"):
        with pytest.raises(UserError, match="no sitemap found"):
            find_site(tmp_path / start)


def test_what_was_looked_into_is_told_in_short(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        find_site(make(tmp_path, ".git/x", "docs/x") / "docs")
    said = str(caught.value).removeprefix(str(tmp_path))
    assert said.startswith("/docs: no sitemap found, neither here nor in public, _site, site, …, nor in ..; build the")
    assert len(said) < 200


def test_a_named_folder_may_hold_the_site(tmp_path: Path) -> None:
    make(tmp_path, "one/site/sitemap.xml", "built/docs/sitemap.xml", "built/index.html", "none/x", "is/sitemap.xml")
    make(tmp_path, "is/docs/sitemap.xml", "two/site/sitemap.xml", "two/public/sitemap.xml")
    assert site_in(tmp_path / "one") == tmp_path / "one/site"
    for name in ("built", "none", "is"):
        assert site_in(tmp_path / name) == tmp_path / name
    with pytest.raises(UserError, match=r"two: more than one folder in it has a sitemap: .*public, .*site; name one"):
        site_in(tmp_path / "two")
