"""Pages as bytes and files: encodings, giants, what cannot be read, and what would take for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_html import C, facts

from sitemap_guard.model import Canonical, Page
from sitemap_guard.pages.html import SIZE_LIMIT, parse_page, read_page


@pytest.mark.parametrize(
    ("data", "href"),
    [
        (b"\xef\xbb\xbf<link rel=canonical href=/\xc3\xa9>", "/é"),
        ("<link rel=canonical href=/é>".encode("utf-16"), "/é"),
        (b"\xfe\xff" + "<link rel=canonical href=/é>".encode("utf-16-be"), "/é"),
        (b"<meta charset=iso-8859-1><link rel=canonical href=/\xe9\x80>", "/é€"),
        (
            b"<meta http-equiv=content-type content='text/html; charset=windows-1251'><link rel=canonical href=/\xe9>",
            "/й",
        ),
        (b"<meta charset=latin1><link rel=canonical href=/\xc3\xa9>", "/é"),  # valid UTF-8 is UTF-8
        (b"<meta charset=rot13><link rel=canonical href=/a\xff>", "/a�"),
        (b"<meta charset=unicode_escape><link rel=canonical href=/a\xff>", "/a�"),
        (b"<link rel=canonical href=/a\xff\xfe>", "/a��"),
        (b"<link rel=canonical href='/a\0b'>", "/a�b"),
    ],
)
def test_encodings(data: bytes, href: str) -> None:
    assert facts(data).canonicals == (Canonical(href, True),)


def test_a_huge_attribute() -> None:
    huge = "/" + "a" * 1_000_000
    assert facts(f"<link rel=canonical href={huge}>").canonicals[0].href == huge


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + C,
        "<div>" * 100_000 + "</div>" * 100_000 + C,
        "<p>" + "".join(f"<b a={i}>" for i in range(1500)) + "</p>" + "<p>x</p>" * 3000 + C,
        "<x><!-- </x> --></y>" * 5000 + C,
    ],
)
def test_a_page_that_would_take_for_ever_is_not_parsed(html: str) -> None:
    assert parse_page(html.encode(), "x") == Page("x", problem="too-large")


@pytest.mark.parametrize(
    "html",
    [
        "<div><p>a<b>b</b><br><img></div>" * 5000,
        "<ul>" + "<li><b>a</b>" * 20_000,
        "<svg>" + "<path d='x'/>" * 20_000 + "</svg>",
        "<script>" + "'<div>';" * 20_000 + "</script>",
        "<!--" + "<div>" * 20_000 + "-->",
        '<a title="' * 20_000 + '">',
    ],
)
def test_a_long_page_is_parsed(html: str) -> None:
    assert parse_page((C + html + "<meta name=generator content=x>").encode(), "x").canonicals == (
        Canonical("/c", True),
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert read_page(tmp_path / "none.html", "none.html").problem == "unreadable"
    assert read_page(tmp_path, "folder").problem == "unreadable"
    assert read_page(tmp_path / "a\0b", "nul").problem == "unreadable"
    (tmp_path / "big.html").write_bytes(b" " * (SIZE_LIMIT + 1))
    assert read_page(tmp_path / "big.html", "big.html") == Page("big.html", problem="too-large")
    (tmp_path / "ok.html").write_text(C)
    assert read_page(tmp_path / "ok.html", "ok.html") == Page("ok.html", canonicals=(Canonical("/c", True),))


@pytest.mark.skipif(not Path("/proc/self/cmdline").is_file(), reason="this system has no file without a known size")
def test_a_file_is_read_to_its_end_whatever_its_size_is_said_to_be() -> None:
    command = [sys.executable, "-c", "input()", "<meta name=generator content=x>" + "<p>text</p>" * 100 + C]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        file = Path(f"/proc/{process.pid}/cmdline")
        while not (data := file.read_bytes()).endswith(b">\0"):  # until it has its arguments
            assert process.poll() is None
        assert file.stat().st_size == 0
        assert read_page(file, "x") == parse_page(data, "x")
        assert len(parse_page(data, "x").canonicals) == 1
        process.communicate(b"\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_does_not_stop_the_run(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    assert read_page(tmp_path / "pipe.html", "pipe.html").problem == "unreadable"
