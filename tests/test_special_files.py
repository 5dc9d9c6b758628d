"""Files that never end, and pipes that never begin: one line, exit code 2, and no waiting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build, html

from sitemap_guard import files
from sitemap_guard.sources import missing

MARCH = 1772355600  # 2026-03-01T09:00:00Z
_SHORT = """
import sys
from sitemap_guard import cli, files
from sitemap_guard.commands import reporting
files._SILENCE = reporting._PATIENCE = 0.3
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def site(repo: Repo) -> Path:
    """A source, a page, and an honest sitemap."""
    repo.commit("First", {"content/a.md": "a\n", ".gitignore": "/public/\n"}, at=MARCH)
    page = {"a/index.html": html("a/index.html", source="content/a.md")}
    build(repo.root / "public", page, [(BASE + "a/", "2026-03-01")])
    return repo.root


def run(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    # Little memory: reading a device to its end fails at once.
    limited = ["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh"]
    words = [*limited, sys.executable, "-c", _SHORT, *given]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=40)


def refused(done: subprocess.CompletedProcess[str], said: str) -> None:
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def put(place: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("name", ["sitemap-guard.toml", ".git-blame-ignore-revs"])
def test_a_file_that_is_found_must_be_a_regular_one(site: Path, name: str, kind: str) -> None:
    put(site / name, kind)
    refused(run(site, "check", "--no-cache"), "it is no regular file")
    assert name in run(site, "check", "--no-cache").stderr


GIVEN = ["check --config", "check --evidence", "check --baseline", "map --check"]


@pytest.mark.parametrize("given", GIVEN)
def test_a_named_file_that_never_begins_or_ends_is_given_up(site: Path, given: str) -> None:
    os.mkfifo(site / "pipe")
    refused(run(site, *given.split(), "pipe"), "pipe: ")
    refused(run(site, *given.split(), "/dev/zero"), "it has more than ")


def test_a_key_that_never_comes_is_given_up(site: Path) -> None:
    os.mkfifo(site / "pipe")
    said = "the file of --key-file cannot be read: "
    refused(run(site, "indexnow", "--dry-run", "--key-file", "pipe"), f"{said}nothing came through it")
    refused(run(site, "indexnow", "--dry-run", "--key-file", "/dev/zero"), f"{said}it has more than 4,096 bytes")


def test_settings_may_come_through_a_pipe(site: Path) -> None:
    # As `<(…)` makes one: it is open already, and is written to while it is read.
    words = f"(sleep 0.1; echo 'unknown = 1') | {sys.executable} -m sitemap_guard check --config /dev/stdin"
    done = subprocess.run(["sh", "-c", words], cwd=site, capture_output=True, text=True, check=False, timeout=40)
    refused(done, "/dev/stdin:1: ")


def test_a_report_goes_through_a_pipe_only_when_something_reads_it(site: Path) -> None:
    os.mkfifo(site / "pipe")
    done = run(site, "check", "--no-cache", "--output", "json=pipe")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "it is a pipe that nothing reads" in done.stderr
    with subprocess.Popen(["cat", "pipe"], cwd=site, stdout=subprocess.PIPE) as reader:
        assert run(site, "check", "--no-cache", "--output", "json=pipe").returncode == 0
        assert reader.stdout is not None
        assert reader.stdout.read().startswith(b"{")


def test_a_file_as_large_as_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abcd")
    assert files.read_file(tmp_path / "file", 4) == b"abcd"
    with pytest.raises(OSError, match="it has more than 3 bytes"):
        files.read_file(tmp_path / "file", 3)
    with pytest.raises(IsADirectoryError):
        files.read_file(tmp_path, 3)


def test_an_untracked_link_to_a_pipe_is_no_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a.md").symlink_to("pipe")
    assert missing.read_untracked(str(tmp_path), "a.md") is None


@pytest.mark.parametrize(
    ("command", "kind", "why"),
    [
        ("check", "out", "it is, or lies behind, a link that leads out of the built site, to "),
        ("fix", "out", "it is, or lies behind, a link that leads out of the built site, to "),
        ("map", "pipe", "it is a named pipe, a socket or a device"),
        ("check", "device", "it is a named pipe, a socket or a device"),
        ("fix", "circle", "it is a link that leads in a circle"),
        ("init", "nowhere", "it is a link that leads to nothing"),
    ],
)
def test_a_sitemap_that_is_passed_over_is_told(site: Path, command: str, kind: str, why: str) -> None:
    file = site / "public" / "sitemap.xml"
    if kind == "out":
        file.rename(site / "sitemap.xml")
    else:
        file.unlink()
    if kind in ("pipe", "device"):
        put(file, kind)
    else:
        file.symlink_to({"out": "../sitemap.xml", "circle": "sitemap.xml", "nowhere": "gone.xml"}[kind])
    refused(run(site, command, "public"), f"no sitemap in public; sitemap.xml there is passed over, since {why}")
    if kind != "out":
        refused(run(site, "check"), f"no sitemap found; public/sitemap.xml is passed over, since {why}")


def test_a_sitemap_that_is_passed_over_beside_another_is_told_too(site: Path) -> None:
    os.mkfifo(site / "public" / "sitemap.txt")
    done = run(site, "check", "--no-cache")
    assert done.returncode == 0
    assert "public/sitemap.txt, because it is a named pipe" in " ".join(done.stdout.split())
    (site / "sitemap-guard.toml").write_text("sitemaps = ['sitemap.txt']\n")
    refused(run(site, "check"), "sitemap.txt: it cannot be read, since it is a named pipe")
