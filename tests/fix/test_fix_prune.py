"""`--prune` drops what surely cannot be listed, and no page with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Repo
from fix_sites import JAN, run
from sites import BASE, build, html

DAY = "2026-01-01"


def slashless(repo: Repo) -> Path:
    """A site whose locs lack the slash that some hosts add, and whose pages say the same."""
    repo.write(".gitignore", "public/\n")
    repo.commit("one", {f"content/{name}.md": "x" for name in "abc"}, at=JAN)
    pages = {
        f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md", canonical=f"{BASE}{name}")
        for name in "abc"
    }
    build(repo.root / "public", pages, [(f"{BASE}{name}", DAY) for name in "abc"])
    return repo.root / "public" / "sitemap.xml"


def locs(file: Path) -> list[str]:
    return re.findall("<loc>(.*)</loc>", file.read_text())


def test_what_only_some_hosts_redirect_stays(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = slashless(repo)
    before = file.read_bytes()
    assert run(repo, "--prune") == 0
    assert file.read_bytes() == before
    assert "3 entries not dropped: whether their host redirects them is not sure" in capsys.readouterr().err


def test_a_redirect_to_a_page_that_nothing_lists_stays(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = slashless(repo)
    repo.write("sitemap-guard.toml", '[hosting]\nprofile = "github-pages"\n')
    file.write_text(file.read_text().replace("</urlset>", f"<url><loc>{BASE}a/</loc></url>\n</urlset>"))
    assert run(repo, "--prune") == 0
    assert locs(file) == [f"{BASE}b", f"{BASE}c", f"{BASE}a/"]
    said = capsys.readouterr().err
    assert "2 entries not dropped: they redirect to pages of the site that no entry lists" in said
    assert "1 entry dropped" in said


def test_redirects_in_a_row_go_when_their_end_is_listed(repo: Repo) -> None:
    pages = {"end/index.html": html("end/index.html")}
    for name, target in (
        ("one", f"{BASE}two/"),
        ("two", f"{BASE}end/"),
        ("lost", f"{BASE}not-listed/"),
        ("away", "https://other.example/"),
        ("round", f"{BASE}again/"),
        ("again", f"{BASE}round/"),
        ("broken", f"{BASE}gone/"),
    ):
        pages[f"{name}/index.html"] = f'<meta http-equiv="refresh" content="0; url={target}">'
    names = ("one", "two", "end", "lost", "away", "round", "again", "broken", "gone")
    build(repo.root / "public", pages, [(f"{BASE}{name}/", None) for name in names])
    repo.commit("one", at=JAN)
    run(repo, "--prune")
    # Of two that lead to each other nobody knows which is the page.
    assert locs(repo.root / "public/sitemap.xml") == [f"{BASE}{name}/" for name in ("end", "lost", "round", "again")]


def test_missing_pages_stay_when_the_address_of_the_site_is_in_doubt(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"{name}/index.html": html(f"{name}/index.html") for name in ("a", "b", "c", "d")}
    listed = [(f"{BASE}project/{name}/", None) for name in "abcd"] + [(f"{BASE}a/", None)]
    build(repo.root / "public", pages, listed)
    repo.commit("one", at=JAN)
    before = (repo.root / "public/sitemap.xml").read_bytes()
    run(repo, "--prune", "--base-url", BASE)
    assert (repo.root / "public/sitemap.xml").read_bytes() == before
    assert "4 entries not dropped: they lead to no page, perhaps because" in capsys.readouterr().err


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_text_sitemap_is_never_emptied(repo: Repo, capsys: pytest.CaptureFixture[str], end: str) -> None:
    build(repo.root / "public", {"a/index.html": html("a/index.html")}, [(f"{BASE}a/", None)])
    repo.commit("one", at=JAN)
    file = repo.root / "public/sitemap.txt"
    text = f"{BASE}gone/{end}{BASE}lost/{end}"
    file.write_bytes(text.encode())
    assert run(repo, "--prune") == 2
    assert file.read_bytes() == text.encode()
    assert "public/sitemap.txt: --prune would drop every entry" in capsys.readouterr().err
    file.write_bytes(f"\ufeff{BASE}gone/{end}  {BASE}a/ {end}".encode())
    assert run(repo, "--prune") == 0
    assert file.read_bytes() in (f"  {BASE}a/ {end}".encode(), f"\ufeff  {BASE}a/ {end}".encode())
