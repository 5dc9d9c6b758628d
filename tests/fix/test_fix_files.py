"""What fix does to files: whole ones only, each as it was but for its dates, and none that is not its own."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, Repo
from fix_sites import CLOCK, MENDED, clocked, run
from sites import BASE, NAMESPACE, build, sitemap

from sitemap_guard import api

# A child that kills itself at the n-th file that it would put into place.
_KILLED = """
import os, signal, sys
left = int(sys.argv.pop(1))
put = os.replace
def replace(*names):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    put(*names)
os.replace = replace
from sitemap_guard import cli
sys.exit(cli.main(sys.argv[1:]))
"""


def killed(repo: Repo, at: int) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(at), "fix", "--no-cache", "public"],
        cwd=repo.root,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    return done.returncode


def test_a_hard_link_is_not_parted_from_its_other_name(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = clocked(repo)
    os.link(file, repo.root / "other.xml")
    assert run(repo) == 1
    assert file.stat().st_nlink == 2
    assert CLOCK in file.read_text()
    assert "public/sitemap.xml: left as it is, since it has another name (a hard link)" in capsys.readouterr().err


def test_a_read_only_file_stays(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = clocked(repo)
    file.chmod(0o444)
    assert run(repo) == 1
    assert CLOCK in file.read_text()
    assert "left as it is, since it is read-only" in capsys.readouterr().err


def test_mode_owner_and_attributes_stay(repo: Repo) -> None:
    file = clocked(repo)
    file.chmod(0o664)
    if os.geteuid() == 0:
        os.chown(file, 1234, 1235)
    try:
        os.setxattr(file, "user.note", b"kept")
    except (OSError, AttributeError):
        note = None
    else:
        note = b"kept"
    before = file.stat()
    assert run(repo) == 0
    after = file.stat()
    assert CLOCK not in file.read_text()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert note is None or os.getxattr(file, "user.note") == note


def test_a_run_that_is_killed_leaves_whole_files_and_the_next_one_ends_the_work(repo: Repo) -> None:
    file = clocked(repo)
    public = file.parent
    file.rename(public / "pages.xml")
    pages, twin = public / "pages.xml", public / "pages.xml.gz"
    old = pages.read_bytes()
    twin.write_bytes(gzip.compress(old))
    index = f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{BASE}pages.xml</loc><lastmod>{CLOCK}</lastmod></sitemap>'
    file.write_text(f"{index}</sitemapindex>")
    new = old.replace(CLOCK.encode(), MENDED.encode())
    for at in range(3):
        pages.write_bytes(old)
        twin.write_bytes(gzip.compress(old))
        file.write_text(f"{index}</sitemapindex>")
        assert killed(repo, at) == -signal.SIGKILL
        assert pages.read_bytes() in (old, new)
        assert gzip.decompress(twin.read_bytes()) in (old, new)
        left = [name for name in os.listdir(public) if name.endswith(".tmp")]
        assert left
        for name in left:
            os.utime(public / name, (1, 1))  # hours ago
        assert run(repo) == 0
        assert pages.read_bytes() == new
        assert gzip.decompress(twin.read_bytes()) == new
        assert file.read_text() == f"{index.replace(CLOCK, MENDED)}</sitemapindex>"
        assert not [name for name in os.listdir(public) if name.endswith(".tmp")]


def test_a_full_disk_leaves_everything_as_it_was(repo: Repo) -> None:
    file = clocked(repo)
    before = file.read_text().replace("</urlset>", f"<!--{'x' * 60_000}--></urlset>")
    file.write_text(before)
    done = subprocess.run(
        # No file may grow over 40 blocks of 1 KiB: the kernel refuses the write as on a full disk.
        ["bash", "-c", 'trap "" XFSZ; ulimit -f 40; exec "$@"', "-", sys.executable, "-m", "sitemap_guard", "fix",
         "--no-cache", "public"],
        cwd=repo.root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "public/sitemap.xml: it cannot be written: File too large; nothing was written" in done.stderr
    assert file.read_text() == before
    assert sorted(os.listdir(file.parent)) == ["a", "b", "c", "sitemap.xml"]


def test_a_packed_sitemap_that_an_index_of_its_name_lists_is_no_twin(repo: Repo) -> None:
    file = clocked(repo)
    pages = file.with_name("sitemap.xml.gz")
    pages.write_bytes(gzip.compress(file.read_bytes()))
    file.write_text(
        f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{BASE}sitemap.xml.gz</loc></sitemap></sitemapindex>'
    )
    index = file.read_bytes()
    result = api.check("public", start=repo.root, cache=False)
    assert (result.summary.urls, result.summary.false) == (3, 3)
    assert run(repo) == 0
    assert file.read_bytes() == index
    assert gzip.decompress(pages.read_bytes()).count(MENDED.encode()) == 3


def test_a_packed_file_that_lists_something_else_is_never_overwritten(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    file = clocked(repo)
    file.rename(file.with_name("pages.xml"))
    file.write_text(f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{BASE}pages.xml</loc></sitemap></sitemapindex>')
    other = file.with_name("pages.xml.gz")
    other.write_bytes(gzip.compress(sitemap((f"{BASE}elsewhere/", None)).encode()))
    before = other.read_bytes()
    assert run(repo) == 1
    assert other.read_bytes() == before
    assert CLOCK not in file.with_name("pages.xml").read_text()
    assert "public/pages.xml.gz: left as it is, since it does not list what pages.xml" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_told(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = clocked(repo)
    (repo.root / "public/robots.txt").write_text(f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}wide.xml\n")
    wide = file.read_text().encode("utf-16")
    (repo.root / "public/wide.xml").write_bytes(wide)
    assert run(repo) == 1
    assert (repo.root / "public/wide.xml").read_bytes() == wide
    assert CLOCK not in file.read_text()
    assert "public/wide.xml: left as it is, since it could not be read" in capsys.readouterr().err


def test_feeds_stay_and_are_told(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = clocked(repo)
    (repo.root / "public/robots.txt").write_text(f"Sitemap: {BASE}feed.xml\n")
    feed = f"<rss><channel><item><link>{BASE}a/</link><pubDate>Mon, 30 Nov 2026 06:12:44 GMT</pubDate></item></channel></rss>"
    (repo.root / "public/feed.xml").write_text(feed)
    assert run(repo) == 1
    assert (repo.root / "public/feed.xml").read_text() == feed
    assert CLOCK not in file.read_text()
    assert "public/feed.xml: left as it is, since fix does not write feeds" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["site map.xml", "sité.xml", 'q"uote.xml'])
@pytest.mark.parametrize("tool", [["git", "apply", "-"], ["patch", "-p1", "--binary", "--quiet"]])
def test_the_diff_names_its_file_so_that_it_can_be_applied(
    repo: Repo, capsys: pytest.CaptureFixture[str], name: str, tool: list[str]
) -> None:
    file = clocked(repo)
    file.rename(file.with_name(name))
    repo.write("sitemap-guard.toml", f"sitemaps = ['''{name}''']\n")
    assert run(repo, "--diff", "public") == 1
    told = capsys.readouterr()
    assert "cannot be applied" not in told.err
    subprocess.run(tool, cwd=repo.root, input=told.out.encode(), check=True)
    assert file.with_name(name).read_text().count(MENDED) == 3


def test_a_diff_at_a_byte_order_mark_can_be_applied(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = clocked(repo, "a")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b""))
    assert run(repo, "--diff") == 1
    diff = capsys.readouterr().out.encode()
    subprocess.run(["git", "apply", "-"], cwd=repo.root, input=diff, check=True)
    assert MENDED in file.read_text()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data.replace(b"<url>", "<!-- \u202e -->\n<url>".encode()), "unseen characters"),
        (lambda data: data.replace(b"\n", b"\r"), "unseen characters"),
        (gzip.compress, "packed file"),
    ],
)
def test_a_diff_that_cannot_be_applied_says_so(
    repo: Repo, capsys: pytest.CaptureFixture[str], change: object, why: str
) -> None:
    file = clocked(repo, "a")
    packed = change is gzip.compress
    file.write_bytes(change(file.read_bytes()))  # type: ignore[operator]
    if packed:
        file.rename(file.with_name("sitemap.xml.gz"))
    assert run(repo, "--diff") == 1
    said = capsys.readouterr().err
    assert "this diff cannot be applied" in said
    assert why in said


def test_dates_of_an_index_that_are_wrong_by_themselves_are_mended(repo: Repo) -> None:
    file = clocked(repo)
    file.rename(file.with_name("pages.xml"))
    build(file.parent, {}, [(f"{BASE}a/", None)])
    file.rename(file.with_name("undated.xml"))
    said = {"pages.xml": "2999-01-01", "undated.xml": "soon"}
    parts = "".join(
        f"<sitemap><loc>{BASE}{name}</loc><lastmod>{text}</lastmod></sitemap>\n" for name, text in said.items()
    )
    file.write_text(f'<sitemapindex xmlns="{NAMESPACE}">\n{parts}</sitemapindex>\n')
    before = file.read_text()
    assert run(repo) == 0
    assert file.read_text() == before.replace("2999-01-01", MENDED).replace("<lastmod>soon</lastmod>", "")
    assert {f.rule for f in api.check("public", start=repo.root, cache=False).findings} == {"loc-duplicate"}


def test_a_date_of_an_index_that_nothing_calls_false_stays(repo: Repo) -> None:
    file = clocked(repo)
    file.write_text(file.read_text().replace(CLOCK, MENDED))
    file.rename(file.with_name("pages.xml"))
    file.write_text(
        f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{BASE}pages.xml</loc><lastmod>2020-01-01</lastmod></sitemap>'
        "</sitemapindex>"
    )
    before = file.read_text()
    repo.write("sitemap-guard.toml", '[rules]\nsitemap-index-lastmod = "off"\n')
    assert run(repo) == 0
    assert file.read_text() == before
    repo.write("sitemap-guard.toml", "")
    assert run(repo) == 0
    assert file.read_text() == before.replace("2020-01-01", "2026-01-01")


def test_nothing_of_a_run_is_written_outside_the_site(repo: Repo, tmp_path: Path) -> None:
    file = clocked(repo)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path != file}
    assert run(repo) == 0
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path != file}
    assert {path for path in after if "/.git/" not in str(path)} == {
        path for path in before if "/.git/" not in str(path)
    }
    assert all(after[path] == data for path, data in before.items())
