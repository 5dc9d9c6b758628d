"""Which built file stands behind an address."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_guard.model import Located
from sitemap_guard.pages.locate import Locator
from sitemap_guard.urls import Address, parse

BASE = "https://o.github.io/project/"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    for name in (
        "index.html",
        "a/index.html",
        "b.html",
        "both.html",
        "both/index.html",
        "plain",
        "feed.xml",
        "é x.html",
        "Case.HTM",
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (folder / "empty").mkdir()
    (tmp_path / "secret.html").write_text("secret")
    return folder


def locate(site: Path, url: str) -> Located:
    address = parse(url)
    assert address is not None
    return Locator(site, BASE).locate(address)


@pytest.mark.parametrize(
    ("path", "file", "as_written"),
    [
        ("", "index.html", True),
        ("index.html", "index.html", True),
        ("a/", "a/index.html", True),
        ("a", "a/index.html", False),
        ("a/index.html", "a/index.html", True),
        ("b", "b.html", True),
        ("b.html", "b.html", True),
        ("b/", "b.html", False),
        ("both", "both.html", True),
        ("both/", "both/index.html", True),
        ("%C3%A9%20x", "é x.html", True),
        ("é x.html", "é x.html", True),
        ("%61%2F", "a/index.html", True),
        ("a/?page=2#top", "a/index.html", True),
        ("a/../b", "b.html", True),
        ("Case.HTM", "Case.HTM", True),
    ],
)
def test_the_forms_of_an_address(site: Path, path: str, file: str, as_written: bool) -> None:
    assert locate(site, BASE + path) == Located("html", file, as_written=as_written)


def test_the_base_path_without_its_slash_is_the_home_page(site: Path) -> None:
    assert locate(site, BASE.rstrip("/")) == Located("html", "index.html", as_written=False)


@pytest.mark.parametrize(("path", "file"), [("plain", "plain"), ("feed.xml", "feed.xml")])
def test_other_files(site: Path, path: str, file: str) -> None:
    assert locate(site, BASE + path) == Located("file", file)


@pytest.mark.parametrize(
    "path",
    [
        "none",
        "A/",
        "B.html",
        "case.htm",
        "empty/",
        "empty",
        "a//",
        "plain/",
        "b.html/",
        "a%00",
        "n" * 5000,
        "x/" * 900,
        "%FF",
        "%2e%2Fb",
    ],
)
def test_what_is_not_there(site: Path, path: str) -> None:
    found = locate(site, BASE + path)
    assert found.state == "missing"
    assert found.tried


def test_missing_says_what_was_tried(site: Path) -> None:
    assert locate(site, BASE + "x").tried == ("x", "x.html", "x/index.html")
    assert locate(site, BASE + "x/").tried == ("x/index.html", "x.html")


@pytest.mark.parametrize(
    "path", ["..%2Fsecret.html", "a%2F..%2f../secret", "%2e%2e%2Fsecret", "a/..%2F..%2Fsecret.html", "..%2F"]
)
def test_dots_never_leave_the_folder(site: Path, path: str) -> None:
    assert locate(site, BASE + path) == Located("outside")


@pytest.mark.parametrize(
    "url",
    [
        "https://o.github.io/",
        "https://o.github.io/projects/a/",
        "https://e.org/project/a/",
        "http://o.github.io/project/a/",
        BASE + "../secret",
        BASE + "%2e%2e/secret.html",
    ],
)
def test_other_sites_and_paths_are_elsewhere(site: Path, url: str) -> None:
    found = locate(site, url)
    assert (found.state, found.path) == ("elsewhere", "")
    # The file that the same path has here is told; it is not the page.
    assert found.near == ("a/index.html" if url.endswith("/project/a/") else "")


def test_no_address(site: Path) -> None:
    assert Locator(site, BASE).locate(None) == Located("unparsable")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert Locator(tmp_path / "none", BASE).locate(parse(BASE)) == Located("missing", tried=("index.html",))


def test_symbolic_links(site: Path) -> None:
    try:
        (site / "out.html").symlink_to(site.parent / "secret.html")
        (site / "outdir").symlink_to(site.parent)
        (site / "in.html").symlink_to("b.html")
        (site / "indir").symlink_to("a")
        (site / "loop").symlink_to("loop")
        (site / "up").symlink_to(".")
        (site / "gone.html").symlink_to("nowhere.html")
    except OSError:
        pytest.skip("this system makes no symbolic links")
    assert locate(site, BASE + "out.html").state == "outside"
    assert locate(site, BASE + "outdir/secret.html").state == "outside"
    assert locate(site, BASE + "in").path == "in.html"
    assert locate(site, BASE + "indir/").path == "indir/index.html"
    assert locate(site, BASE + "loop/x").state == "missing"
    assert locate(site, BASE + "up/up/up/b").path == "up/up/up/b.html"
    assert locate(site, BASE + "gone").state == "missing"
    files = [name for some in Locator(site, BASE).files() for name in some]
    # Neither the links nor what they lead to.
    own = ["Case.HTM", "a/index.html", "b.html", "both.html", "both/index.html", "feed.xml", "index.html", "plain"]
    assert sorted(files) == [*own, "é x.html"]


def test_all_files_come_folder_by_folder(site: Path) -> None:
    for name in ("b/c/d.html", "b/a.html", ".hidden/x.html", ".dot.html"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("")
    locator = Locator(site, BASE)
    locator.is_file("b/c/d.html")
    found = [sorted(some) for some in locator.files()]
    assert found[1:] == [["a/index.html"], ["b/a.html"], ["b/c/d.html"], ["both/index.html"], []]
    assert ".dot.html" in found[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_only_regular_files_count(site: Path) -> None:
    os.mkfifo(site / "pipe.html")
    assert locate(site, BASE + "pipe.html").state == "missing"


def test_each_folder_is_listed_once(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = []
    scandir = os.scandir

    def counted(folder: str) -> object:
        listed.append(folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", counted)
    locator = Locator(site, BASE)
    for address in [
        Address(f"{BASE}{name}/", "https://o.github.io", f"/project/{name}/") for name in ("a", "both", "none")
    ] * 50:
        locator.locate(address)
    assert len(listed) == len(set(listed)) == 3
