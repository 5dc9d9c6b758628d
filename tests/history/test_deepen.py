"""Deepening a shallow clone, from a remote of its own."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import Any

import pytest

from sitemap_guard.history import deepen as deepening
from sitemap_guard.history.deepen import deepen
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.reader import open_history
from sitemap_guard.model import UserError

DAY = 86400


def day(number: int) -> int:
    """The first second of a day counted from 2019-04-14."""
    return (18_000 + number) * DAY


@pytest.fixture
def upstream(repo: Any) -> Any:
    repo.commit("one", {"old.md": "1\n", "new.md": "1\n"}, at=day(1))
    repo.commit("two", {"mid.md": "2\n"}, at=day(2))
    repo.commit("three", {"new.md": "3\n"}, at=day(3))
    return repo


def clone(repo: Any, to: Path, *options: str) -> Path:
    repo.git("clone", "-q", *options, f"file://{repo.root}", str(to))
    return to


def state(root: Path) -> dict[str, str]:
    """Everything of a checkout but the object store and what says that history is cut off."""
    left_out = ("objects", "shallow", "config")
    return {
        str(path.relative_to(root)): hashlib.sha1(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and path.relative_to(root).parts[:1] + path.relative_to(root).parts[1:2]
        not in [(".git", name) for name in left_out]
    }


def last_days(root: Path) -> dict[str, int]:
    with isolated_git(), open_history(root, root) as reader:
        found = reader.walk(dict.fromkeys(reader.repository.tracked, ()))
        assert not reader.repository.shallow
    return {
        path: history.last.commit.authored.seconds // DAY - 18_000 for path, history in found.items() if history.last
    }


@pytest.mark.parametrize("can_filter", [True, False])
def test_fetches_history_and_nothing_else(upstream: Any, tmp_path: Path, can_filter: bool) -> None:
    upstream.git("config", "uploadpack.allowFilter", str(can_filter).lower())
    root = clone(upstream, tmp_path / "clone", "--depth=1")
    before = state(root)
    with isolated_git():
        said = deepen(root)
    assert "1 -> 3 commits" in said
    assert ("no file contents" in said) is can_filter
    assert state(root) == before
    assert ("promisor" in upstream.git("-C", str(root), "config", "--list")) is can_filter
    assert last_days(root) == {"old.md": 1, "mid.md": 2, "new.md": 3}


def test_detached_checkout_of_a_commit_that_no_branch_has(upstream: Any, tmp_path: Path) -> None:
    # What a pull request's checkout looks like: a merge commit fetched by its own reference.
    upstream.git("checkout", "-q", "-b", "topic")
    tip = upstream.commit("four", {"topic.md": "4\n"}, at=day(4))
    upstream.git("update-ref", "refs/pull/1/merge", tip)
    upstream.git("checkout", "-q", "main")
    upstream.git("branch", "-q", "-D", "topic")
    root = clone(upstream, tmp_path / "clone", "--depth=1")
    upstream.git("-C", str(root), "fetch", "-q", "--depth=1", "origin", "refs/pull/1/merge")
    upstream.git("-C", str(root), "checkout", "-q", "--detach", "FETCH_HEAD")
    with isolated_git():
        deepen(root)
    assert last_days(root) == {"old.md": 1, "mid.md": 2, "new.md": 3, "topic.md": 4}


def test_commits_made_on_top_of_a_shallow_clone(upstream: Any, tmp_path: Path, make_repo: Any) -> None:
    root = clone(upstream, tmp_path / "clone", "--depth=1")
    make_repo(root).commit("local", {"local.md": "5\n"}, at=day(5))
    with isolated_git():
        assert "2 -> 4 commits" in deepen(root)
    assert last_days(root) == {"old.md": 1, "mid.md": 2, "new.md": 3, "local.md": 5}


def test_complete_history_is_left_alone(upstream: Any) -> None:
    with isolated_git():
        assert deepen(upstream.root) == ""


def test_says_what_to_do_when_it_cannot(upstream: Any, tmp_path: Path) -> None:
    root = clone(upstream, tmp_path / "clone", "--depth=1")
    upstream.git("-C", str(root), "remote", "set-url", "origin", "file:///nowhere/at/all")
    with isolated_git(), pytest.raises(UserError, match="fetch-depth: 0") as caught:
        deepen(root)
    assert "\n" not in str(caught.value)
    upstream.git("-C", str(root), "remote", "remove", "origin")
    with isolated_git(), pytest.raises(UserError, match=r"no remote.*fetch-depth: 0"):
        deepen(root)


def test_a_remote_that_is_shallow_itself(upstream: Any, tmp_path: Path) -> None:
    middle = clone(upstream, tmp_path / "middle", "--depth=2")
    upstream.git("clone", "-q", "--depth=1", f"file://{middle}", str(tmp_path / "clone"))
    with isolated_git(), pytest.raises(UserError, match="fetch-depth: 0"):
        deepen(tmp_path / "clone")


def test_asks_no_questions() -> None:
    with isolated_git():
        assert os.environ["GIT_TERMINAL_PROMPT"] == "0"


def script(file: Path, text: str) -> Path:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("named", ["transport", "vcs", "uploadpack"])
def test_no_program_that_the_repository_names_is_run(upstream: Any, tmp_path: Path, named: str) -> None:
    root = clone(upstream, tmp_path / "clone", "--depth=1")
    program = script(tmp_path / "program.sh", f"touch '{tmp_path}/ran'; exit 1")
    settings = {
        "transport": {"remote.origin.url": f"ext::{program}", "protocol.ext.allow": "always"},
        "vcs": {"remote.origin.vcs": "ext", "remote.origin.url": str(program), "protocol.ext.allow": "always"},
        "uploadpack": {"remote.origin.uploadpack": str(program)},
    }[named]
    for name, value in settings.items():
        upstream.git("-C", str(root), "config", name, value)
    if named == "uploadpack":
        with isolated_git():
            assert "1 -> 3 commits" in deepen(root)
    else:
        with isolated_git(), pytest.raises(UserError, match=r"transport 'ext' not allowed.*fetch-depth: 0"):
            deepen(root)
    assert not (tmp_path / "ran").exists()


def test_a_remote_that_never_answers_is_given_up(
    upstream: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = clone(upstream, tmp_path / "clone", "--depth=1")
    asleep = script(tmp_path / "ssh.sh", f"echo $$ > '{tmp_path}/asleep'; exec sleep 60")
    upstream.git("-C", str(root), "config", "remote.origin.url", "ssh://host.invalid/site.git")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(asleep))
    monkeypatch.setattr(deepening, "_LIMIT", 2.0)
    with isolated_git(), pytest.raises(UserError, match=r"not there after 2 seconds.*fetch-depth: 0"):
        deepen(root)
    number = int((tmp_path / "asleep").read_text())
    for _ in range(50):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        stat = Path(f"/proc/{number}/stat")
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return  # ended, and nobody has collected it yet
        time.sleep(0.1)
    pytest.fail("what fetch had started is still running")
