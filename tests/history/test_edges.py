"""Repositories that are not whole: shallow, partial, grafted, bare, detached, orphaned, a pull request's."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commit_graphs import git, stretched

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.process import raw, text
from sitemap_guard.history.reader import HistoryReader, open_history
from sitemap_guard.model import PathHistory

DAY = 86400


def day(number: int) -> int:
    """The first second of a day counted from 2019-04-14."""
    return (18_000 + number) * DAY


def read(start: Path, rev: str = "HEAD", now: int | None = None) -> HistoryReader:
    with isolated_git():
        return open_history(start, start, rev, now=now)


def walked(start: Path, *paths: str, rev: str = "HEAD", now: int | None = None) -> dict[str, PathHistory]:
    with isolated_git(), open_history(start, start, rev, now=now) as reader:
        return reader.walk(dict.fromkeys(paths or sorted(reader.repository.tracked), ()))


def days(found: dict[str, PathHistory]) -> dict[str, int | None]:
    return {path: one.last and one.last.commit.authored.seconds // DAY - 18_000 for path, one in found.items()}


# Random histories with several roots and merges of every kind: a shallow clone says what git says there, and is
# sure of exactly those pages whose last change is not at its edge.
@pytest.mark.parametrize("depth", [1, 2, 50])
@pytest.mark.parametrize("seed", [3, 4])
def test_a_shallow_clone_is_sure_of_what_lies_inside(tmp_path: Path, depth: int, seed: int) -> None:
    names = [b"a", b"b/c", b"d.md", b"e.md", b"f.md"]
    graph = stretched(random.Random(seed), 200, names)
    graph.write(tmp_path / "whole")
    git(tmp_path, "clone", "-q", "--no-tags", f"--depth={depth}", f"file://{tmp_path}/whole", "shallow")
    edges = set((tmp_path / "shallow/.git/shallow").read_text().split())
    whole = walked(tmp_path / "whole", *map(text, names))
    for path, history in walked(tmp_path / "shallow", *map(text, names)).items():
        answer = git(tmp_path / "shallow", "--literal-pathspecs", "log", "-1", "--format=%H", "--", raw(path))
        assert (history.last.commit.id if history.last else "") == answer.decode().strip()
        assert history.last is None or history.last.edge == (history.last.commit.id in edges)
        if history.last is not None and not history.last.edge:
            assert history.last == whole[path].last


@pytest.fixture
def three(repo: Any) -> Any:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("one", {"a.md": "1\n", "b.md": "1\n", "c/d.md": "1\n"}, at=day(1))
    repo.commit("two", {"b.md": "2\n"}, at=day(2))
    repo.commit("three", {"c/d.md": "3\n"}, at=day(3))
    return repo


@pytest.mark.parametrize("extra", [(), ("--depth=2",)])
def test_a_clone_without_contents_has_all_dates(three: Any, tmp_path: Path, extra: tuple[str, ...]) -> None:
    git(tmp_path, "clone", "-q", "--filter=blob:none", *extra, f"file://{three.root}", "clone")
    found = walked(tmp_path / "clone")
    if not extra:
        assert days(found) == {"a.md": 1, "b.md": 2, "c/d.md": 3}
    else:
        assert found["c/d.md"] == walked(three.root)["c/d.md"]
        assert found["a.md"].last is not None
        assert found["a.md"].last.edge


def test_a_clone_without_folders_says_so(three: Any, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--filter=tree:0", f"file://{three.root}", "clone")
    before = sorted((tmp_path / "clone/.git/objects").rglob("*"))
    with isolated_git(), open_history(tmp_path / "clone", tmp_path / "clone") as reader:
        assert reader.repository.partial
        found = reader.walk({"a.md": ()})
        assert (found["a.md"].last, reader.repository.problem) == (None, "partial")
        assert "--filter=blob:none" in found["a.md"].unknown
        assert "\n" not in found["a.md"].unknown
    assert sorted((tmp_path / "clone/.git/objects").rglob("*")) == before  # nothing was fetched


def test_replaced_commits_and_grafts_are_what_git_sees(three: Any) -> None:
    first, second = three.git("rev-parse", "HEAD~2", "HEAD~1").split()
    three.git("replace", "--graft", second)
    assert days(walked(three.root)) == {"a.md": 2, "b.md": 2, "c/d.md": 3}
    three.git("replace", "-d", second)
    (three.root / ".git/info").mkdir(exist_ok=True)
    (three.root / ".git/info/grafts").write_text(f"{three.git('rev-parse', 'HEAD').strip()} {first}\n")
    # Two files differ from the new parent: the newest commit changed both.
    assert days(walked(three.root)) == {"a.md": 1, "b.md": 3, "c/d.md": 3}
    (three.root / ".git/info/grafts").write_text(f"{second}\n")
    found = walked(three.root)
    assert days(found) == {"a.md": 2, "b.md": 2, "c/d.md": 3}
    assert [path for path, one in found.items() if one.last and one.last.edge] == ["a.md", "b.md"]


def test_a_detached_head_is_read_and_an_orphan_branch_has_no_commits(three: Any) -> None:
    three.git("checkout", "-q", "--detach", "HEAD~1")
    assert days(walked(three.root)) == {"a.md": 1, "b.md": 2, "c/d.md": 1}
    three.git("checkout", "-q", "--orphan", "gh-pages")
    facts = read(three.root).repository
    assert facts.problem == "no-commits"
    assert "gh-pages" in facts.detail
    assert days(walked(three.root, rev="main")) == {"a.md": 1, "b.md": 2, "c/d.md": 3}
    three.git("rm", "-rfq", ".")
    three.commit("built", {"index.html": "1\n"}, at=day(9))
    assert days(walked(three.root, "index.html", "a.md")) == {"index.html": 9, "a.md": None}


def test_another_revision_is_read_from_history_not_from_the_work_tree(three: Any, tmp_path: Path) -> None:
    three.write("a.md", "edited\n")
    three.write("b.md", "staged\n")
    three.git("add", "b.md")
    here, there = read(three.root), read(three.root, "HEAD~1")
    assert (here.repository.edited, here.repository.staged) == ({"a.md"}, {"b.md"})
    assert (there.repository.edited, there.repository.staged) == (frozenset(), frozenset())
    assert there.blob("a.md") == b"1\n"
    git(tmp_path, "clone", "-q", "--bare", str(three.root), "bare.git")
    bare = read(tmp_path / "bare.git", "main~1")
    assert (bare.repository.edited, bare.blob("c/d.md")) == (frozenset(), b"1\n")
    assert days(walked(tmp_path / "bare.git", rev="main~1")) == {"a.md": 1, "b.md": 2, "c/d.md": 1}


def trial(repo: Any, message: str = "Merge {head} into {base}") -> tuple[str, str]:
    """A pull request's branch with a change on day 5, and its trial merge on day 8, checked out as actions do."""
    base = repo.git("rev-parse", "main").strip()
    repo.git("checkout", "-q", "-b", "change", "HEAD~1")
    head = repo.commit("in the pull request", {"a.md": "5\n"}, at=day(5))
    repo.git("checkout", "-q", "--detach", "main")
    when = {"GIT_AUTHOR_DATE": f"{day(8)} +0000", "GIT_COMMITTER_DATE": f"{day(8)} +0000"}
    repo.git("merge", "-q", "--no-ff", "-m", message.format(head=head, base=base), head, env=when)
    repo.git("update-ref", "refs/remotes/pull/7/merge", "HEAD")
    return base, head


def test_what_a_pull_request_changes_has_not_landed_yet(three: Any) -> None:
    trial(three)
    assert read(three.root).repository.trial
    found = walked(three.root, now=day(20))
    landed = {path: one.last and one.last.commit.landed.seconds for path, one in found.items()}
    assert landed == {"a.md": day(20), "b.md": day(2), "c/d.md": day(3)}
    assert days(found) == {"a.md": 5, "b.md": 2, "c/d.md": 3}


def test_a_merge_that_is_no_trial_landed_when_it_was_made(three: Any) -> None:
    trial(three, "Merge pull request #7 from change")
    assert not read(three.root).repository.trial
    last = walked(three.root, now=day(20))["a.md"].last
    assert last is not None
    assert last.commit.landed.seconds == day(8)


def test_the_trial_merge_of_a_checkout_with_one_commit_is_an_edge(three: Any, tmp_path: Path) -> None:
    trial(three)
    three.git("branch", "trial", "HEAD")
    git(tmp_path, "clone", "-q", "--depth=1", "-b", "trial", f"file://{three.root}", "clone")
    found = walked(tmp_path / "clone", now=day(20))
    assert all(one.last and one.last.edge for one in found.values())


def test_why_a_path_is_not_tracked(repo: Any, make_repo: Any, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    other.commit("one", {"x.md": "1\n"}, at=day(1))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "vendor/docs")
    repo.commit("one", {"Docs/a.md": "1\n", ".gitignore": "/built/\n*.tmp\n"}, at=day(1))
    repo.write("built/a.md", "1\n")
    repo.write("plain.md", "1\n")
    repo.write("new.md", "1\n")
    repo.git("add", "new.md")
    make_repo(repo.root / "theirs" / "own").write("x.md", "1\n")
    with isolated_git(), open_history(repo.root, repo.root) as reader:
        assert reader.repository.submodules == {"vendor/docs"}
        asked = ["docs/a.md", "Docs/a.md", "vendor/docs/x.md", "built/a.md", "plain.md", "new.md", "none.md"]
        asked.append("theirs/own/x.md")
        asked += ["-x", ":(top)x"]
        told = reader.why_untracked(asked)
    assert {path: code for path, (code, _) in told.items()} == {
        "docs/a.md": "case",
        "vendor/docs/x.md": "submodule",
        "theirs/own/x.md": "submodule",
        "built/a.md": "ignored",
        "plain.md": "untracked",
        "new.md": "staged",
        "none.md": "missing",
        "-x": "missing",
        ":(top)x": "missing",
    }
    assert told["docs/a.md"][1] == "git tracks Docs/a.md, not docs/a.md"


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT TESTED: only root can give a repository to another user")
def test_a_repository_of_another_user_names_the_cure_and_the_cure_works(three: Any, tmp_path: Path) -> None:
    subprocess.run(["chown", "-R", "12345:12345", str(three.root)], check=True)
    facts = read(three.root).repository
    assert facts.problem == "dubious-ownership"
    cure = facts.detail.rpartition(": ")[2]
    assert cure == f"git config --global --add safe.directory {three.root}"
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(home / "config")}
    subprocess.run(cure.split(), check=True, env=environment)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(home / "config"))
        assert days(walked(three.root)) == {"a.md": 1, "b.md": 2, "c/d.md": 3}
    shutil.rmtree(three.root)
