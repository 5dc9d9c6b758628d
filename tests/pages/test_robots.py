"""Which line of robots.txt keeps a page from crawlers."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_guard.model import Disallow
from sitemap_guard.pages.robots import SIZE_LIMIT, Robots, read_robots

URL = "https://e.org"


@pytest.mark.parametrize(
    ("text", "path", "answer"),
    [
        ("User-agent: *\nDisallow: /a", "/a/b", (2, "Disallow: /a")),
        ("User-agent: *\nDisallow: /a", "/b", None),
        ("User-agent: *\nDisallow: /a", "/A", None),
        ("User-agent: *\nDisallow:", "/a", None),
        ("", "/a", None),
        ("Disallow: /", "/a", None),
        # the longest match counts, and of two as long the one that allows
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b", None),
        ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b", (3, "Disallow: /a/b")),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", None),
        ("User-agent: *\nDisallow: /\nDisallow: /a/b\nDisallow: /a", "/a/b", (3, "Disallow: /a/b")),
        ("User-agent: *\nDisallow: /*.pdf$", "/a.pdf", (2, "Disallow: /*.pdf$")),
        ("User-agent: *\nDisallow: /*.pdf$", "/a.pdf?x", None),
        ("User-agent: *\nDisallow: /a*/c", "/ab/c/d", (2, "Disallow: /a*/c")),
        ("User-agent: *\nDisallow: /*?p=", "/a?p=1", (2, "Disallow: /*?p=")),
        ("User-agent: *\nDisallow: /%C3%A9", "/é", (2, "Disallow: /%C3%A9")),
        # groups: the crawler's own one wins, several of one name are one
        ("User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nDisallow: /x", "/a", None),
        ("User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nDisallow: /x", "/x", (5, "Disallow: /x")),
        ("User-agent: bingbot\nDisallow: /", "/a", None),
        ("User-agent: a\nUser-agent: Googlebot\nDisallow: /x", "/x", (3, "Disallow: /x")),
        (
            "User-agent: Googlebot\nDisallow: /x\nUser-agent: b\nDisallow: /y\nUser-agent: Googlebot\nDisallow: /z",
            "/z",
            (6, "Disallow: /z"),
        ),
        ("User-agent: *\nSitemap: https://e.org/s.xml\nDisallow: /a", "/a", (3, "Disallow: /a")),
        ("User-agent: b\nDisallow: /x/long\nUser-agent: Googlebot\nDisallow: /x", "/x/long", (4, "Disallow: /x")),
        # syntax: comments, CRLF, BOM, missing colon, misspelling
        ("# c\r\n\r\nUSER-AGENT: * # all\r\n  disallow : /a # why\r\n", "/a", (4, "disallow : /a")),
        ("\ufeffUser-agent: *\nDisallow: /a", "/a", (2, "Disallow: /a")),
        ("User-agent: *\nDisalow /a", "/a", (2, "Disalow /a")),
        ("User-agent: *\nDisallow: /", "/robots.txt", None),
    ],
)
def test_the_line_that_decides(text: str, path: str, answer: tuple[int, str] | None) -> None:
    assert Robots(text).disallowed(URL + path) == (Disallow(*answer) if answer else None)


def test_another_agent() -> None:
    robots = Robots("User-agent: *\nDisallow: /a\nUser-agent: Bingbot\nDisallow: /b")
    assert robots.disallowed(URL + "/b", "Bingbot") == Disallow(4, "Disallow: /b")
    assert robots.disallowed(URL + "/b") is None


def test_no_url_is_no_trouble() -> None:
    assert Robots("User-agent: *\nDisallow: /").disallowed("http://[") is None


def test_reading(tmp_path: Path) -> None:
    assert read_robots(tmp_path) is None
    file = tmp_path / "robots.txt"
    file.write_bytes(b"\xef\xbb\xbfUser-agent: *\n# \xff\nDisallow: /a")
    robots = read_robots(tmp_path)
    assert robots is not None
    assert robots.disallowed(URL + "/a") == Disallow(3, "Disallow: /a")
    file.unlink()
    file.mkdir()
    assert read_robots(tmp_path) is None


def test_a_rule_that_the_limit_cuts_is_dropped(tmp_path: Path) -> None:
    start = b"User-agent: *\nDisallow: /a\n"
    (tmp_path / "robots.txt").write_bytes(
        start + b"#" * (SIZE_LIMIT - len(start) - 13) + b"\nDisallow: /bcdef\nDisallow: /z\n"
    )
    robots = read_robots(tmp_path)
    assert robots is not None
    assert robots.disallowed(URL + "/a") is not None
    assert robots.disallowed(URL + "/bx") is None
    assert robots.disallowed(URL + "/z") is None


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("User-agent: *\nDisallow: /")
    (tmp_path / "site").mkdir()
    try:
        (tmp_path / "site" / "robots.txt").symlink_to(tmp_path / "secret")
    except OSError:
        pytest.skip("this system makes no symbolic links")
    assert read_robots(tmp_path / "site") is None
