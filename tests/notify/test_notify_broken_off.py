"""Submissions that are broken off: nothing accepted is sent twice, the state is whole, and the key stays unseen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PROJECT, Repo
from engine import Act, engine
from sites import BASE, build, html

from sitemap_guard import cli
from sitemap_guard.notify import send

JAN, FEB = 1767225600, 1769904000
KEY = "0123456789abcdef"
NAMES = [f"p{number:02}" for number in range(25)]
# The command with ten addresses a submission.
_IN_TENS = """
import sys
from sitemap_guard import cli
from sitemap_guard.notify import submit
submit.batches.__defaults__ = (10,)
sys.exit(cli.main(["indexnow", "--no-cache", *sys.argv[1:]]))
"""


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo.write(".gitignore", "/public/\n")
    repo.commit("zero", {"README.md": "x"}, at=JAN - 86400)
    repo.commit("one", {f"content/{name}.md": "x" for name in NAMES}, at=JAN)
    dated(repo, "2026-01-01")
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", KEY)
    return repo


def dated(repo: Repo, day: str) -> None:
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md") for name in NAMES}
    build(repo.root / "public", pages, [(f"{BASE}{name}/", day) for name in NAMES])
    (repo.root / "public" / f"{KEY}.txt").write_text(KEY)


def start(repo: Repo, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _IN_TENS, *args],
        cwd=repo.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "SITEMAP_GUARD_INDEXNOW_KEY": KEY},
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    said = process.communicate(timeout=120)[0]
    assert KEY not in said
    return process.returncode, said


def test_a_run_that_is_killed_between_submissions_goes_on_where_it_was(site: Repo) -> None:
    assert ended(start(site, "--state", "s.json"))[0] == 0
    site.commit("two", {f"content/{name}.md": "y" for name in NAMES}, at=FEB)
    dated(site, "2026-02-01")
    with engine(Act(200), Act(do="slow")) as one:
        running = start(site, "--state", "s.json", "--endpoint", one.url)
        limit = time.monotonic() + 60
        while len(one.got) < 2 and time.monotonic() < limit:
            time.sleep(0.02)
        assert KEY.encode() not in Path(f"/proc/{running.pid}/cmdline").read_bytes()
        running.send_signal(signal.SIGKILL)
        ended(running)
        accepted = one.urls[0]
    assert set(json.loads((site.root / "s.json").read_text())["urls"].values()) == {"2026-01-01", "2026-02-01"}
    with engine(Act(200)) as other:
        assert ended(start(site, "--state", "s.json", "--endpoint", other.url))[0] == 0
        assert sorted(url for batch in other.urls for url in batch) == sorted(
            {f"{BASE}{name}/" for name in NAMES} - set(accepted)
        )


def test_a_state_beside_a_revision_keeps_what_was_accepted(site: Repo) -> None:
    asked = ("--since", "HEAD~1", "--state", "s.json")
    with engine(Act(200), Act(403)) as one:
        assert ended(start(site, *asked, "--endpoint", one.url))[0] == 2
        accepted = one.urls[0]
    with engine(Act(200)) as other:
        assert ended(start(site, *asked, "--endpoint", other.url))[0] == 0
        assert [len(batch) for batch in other.urls] == [10, 5]
        assert not {url for batch in other.urls for url in batch} & set(accepted)
    with engine(Act(200)) as third:
        assert ended(start(site, *asked, "--endpoint", third.url))[0] == 0
        assert third.got == []


def test_nothing_is_sent_when_the_state_cannot_be_written(site: Repo) -> None:
    (site.root / "folder").mkdir()
    with engine(Act(200)) as one:
        code, said = ended(
            start(site, "--since", "HEAD~1", "--state", "folder/x/../../README.md/s", "--endpoint", one.url)
        )
        assert (code, "the state cannot be written" in said) == (2, True)
        assert one.got == []


@pytest.mark.parametrize("option", ["--state", "--key-file"])
def test_a_device_without_end_is_not_read(site: Repo, option: str) -> None:
    code, said = ended(start(site, "--all", option, "/dev/zero", "--endpoint", "http://127.0.0.1:9/x"))
    assert code == 2
    assert "cannot be read" in said or "holds no IndexNow key" in said


@pytest.mark.parametrize("debug", [(), ("--debug",)])
def test_an_internal_error_does_not_show_the_key(
    site: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, debug: tuple[str, ...]
) -> None:
    del site

    def post(*_: object, secret: str, **__: object) -> str:
        try:
            raise ValueError(secret)
        except ValueError:
            raise LookupError("as it was") from None

    def worse(*_: object, secret: str, **__: object) -> str:
        raise ValueError(f"no place for {secret}")

    for broken, told in ((post, "LookupError: as it was"), (worse, "ValueError: no place for <key>")):
        monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", KEY)
        monkeypatch.setattr(send, "post", broken)
        assert cli.main(["indexnow", "--no-cache", "--all", "--endpoint", "http://127.0.0.1:9/x", *debug]) == 3
        out, err = capsys.readouterr()
        assert KEY not in out + err
        assert told in err


def test_a_dry_run_does_not_show_the_key(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = site.root / "public" / "sitemap.xml"
    file.write_text(file.read_text().replace("</urlset>", f"<url><loc>{BASE}{KEY}.txt</loc></url></urlset>"))
    code = cli.main(["indexnow", "--no-cache", "--all", "--dry-run", "--endpoint", f"https://127.0.0.1:9/{KEY}"])
    out, err = capsys.readouterr()
    assert code == 0
    assert KEY not in out + err
    assert f"{BASE}<key>.txt" in out


def test_what_may_not_be_sent_with_this_key_is_not_remembered_as_told(
    site: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (site.root / "public" / "p00" / f"{KEY}.txt").write_text(KEY)
    (site.root / "public" / f"{KEY}.txt").unlink()
    place = f"{BASE}p00/{KEY}.txt"
    with engine(Act(200)) as one:
        asked = ["indexnow", "--no-cache", "--since", "HEAD~1", "--state", "s.json", "--endpoint", one.url]
        assert cli.main([*asked, "--key-location", place]) == 0
        assert one.urls == [[f"{BASE}p00/"]]
    assert list(json.loads((site.root / "s.json").read_text())["urls"]) == [f"{BASE}p00/"]
    assert KEY not in "".join(capsys.readouterr())
