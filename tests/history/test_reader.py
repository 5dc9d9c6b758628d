"""The repository's facts, in every state that a repository can be in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.reader import HistoryReader, open_history
from sitemap_guard.model import UserError

DAY = 86400


def day(number: int) -> int:
    """The first second of a day counted from 2019-04-14."""
    return (18_000 + number) * DAY


def read(start: Path, site: Path | None = None, rev: str = "HEAD") -> HistoryReader:
    with isolated_git() as index:
        return open_history(start, site or start, rev, index)


def days(reader: HistoryReader, *paths: str) -> dict[str, int | None]:
    with isolated_git(), reader:
        found = reader.walk(dict.fromkeys(paths, ()))
    return {
        path: history.last and history.last.commit.authored.seconds // DAY - 18_000 for path, history in found.items()
    }


def test_an_ordinary_repository_is_told_whole(repo: Any) -> None:
    repo.commit("one", {"content/a b.md": "1\n", "content/é.md": "1\n"}, at=day(1), zone="+0200", committed=day(1) + 60)
    tip = repo.commit("two\n\nbody", {"content/c.md": "2\n"}, at=day(2))
    (repo.root / "public").mkdir()
    reader = read(repo.root / "content", repo.root / "public")
    facts = reader.repository
    assert (facts.problem, facts.root, facts.prefix) == ("", str(repo.root), "public")
    assert facts.head is not None
    assert (facts.head.id, facts.head.authored.seconds, facts.head.landed.seconds) == (tip, day(2), day(2))
    assert facts.tracked == {"content/a b.md", "content/é.md", "content/c.md"}
    assert (facts.shallow, facts.partial, facts.staged, facts.edited) == (False, False, frozenset(), frozenset())
    assert reader.subjects([tip, tip, "0" * 40]) == {tip: "two"}
    assert reader.blob("content/c.md") == b"2\n"
    assert reader.blob("content/none.md") is None
    found = reader.walk({"content/a b.md": ()})["content/a b.md"].last
    assert found is not None
    assert found.commit.authored.iso() == "2019-04-15T02:00:00+02:00"
    assert found.commit.committed.seconds == day(1) + 60
    reader.close()


def test_a_site_elsewhere_has_no_prefix(repo: Any, tmp_path: Path) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    assert read(repo.root, tmp_path).repository.prefix is None
    assert read(repo.root, repo.root).repository.prefix == ""
    link = tmp_path / "link"
    link.symlink_to(repo.root)
    assert read(link, link / "public").repository.prefix == "public"


def test_staged_and_edited_files_are_told_apart(repo: Any) -> None:
    files = dict.fromkeys(("staged.md", "edited.md", "both.md", "gone.md", "touched.md", "same.md"), "1\n")
    repo.commit("one", files, at=day(1))
    for name in ("staged.md", "both.md", "added.md"):
        repo.write(name, "2\n")
    repo.git("rm", "-q", "gone.md")
    repo.git("add", "-A")
    for name in ("edited.md", "both.md"):
        repo.write(name, "three\n")
    os.utime(repo.root / "touched.md", (5, 5))
    repo.write("untracked.md", "?")
    index = (repo.root / ".git/index").read_bytes()
    facts = read(repo.root).repository
    assert facts.staged == {"staged.md", "both.md", "added.md", "gone.md"}
    assert facts.edited == {"edited.md", "both.md"}
    assert (repo.root / ".git/index").read_bytes() == index


def test_a_hook_sees_the_index_of_its_commit(repo: Any, tmp_path: Path) -> None:
    # `git commit -- FILE` gives its hooks an index of its own.
    repo.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=day(1))
    repo.write("a.md", "2\n")
    repo.write("b.md", "2\n")
    hook = repo.write(
        ".git/hooks/pre-commit", f'#!/bin/sh\nenv > "{tmp_path}/env"\ncp "$GIT_INDEX_FILE" "{tmp_path}/index"\n'
    )
    hook.chmod(0o755)
    repo.git("commit", "-q", "-m", "two", "--", "a.md")
    repo.git("reset", "-q", "--soft", "HEAD^")
    repo.git("reset", "-q")
    saved = repo.root / ".git/next-index-1.lock"
    saved.write_bytes((tmp_path / "index").read_bytes())
    assert open_history(repo.root, repo.root, index_file=str(saved)).repository.staged == {"a.md"}
    assert open_history(repo.root, repo.root, index_file=".git/next-index-1.lock").repository.staged == {"a.md"}
    # An index of another repository says nothing about this one.
    elsewhere = tmp_path / "index"
    assert open_history(repo.root, repo.root, index_file=str(elsewhere)).repository.staged == frozenset()


def test_the_environment_of_another_repository_is_set_aside(
    repo: Any, make_repo: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    other = make_repo(tmp_path / "other")
    other.commit("other", {"other.md": "1\n"}, at=day(9))
    leaked = {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other.root / ".git/objects"),
        "GIT_LITERAL_PATHSPECS": "0",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_NAMESPACE": "n",
        "GIT_TRACE": "1",
    }
    for name, value in leaked.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    with isolated_git() as index:
        assert index == leaked["GIT_INDEX_FILE"]
        assert not set(leaked) & set(os.environ)
        with open_history(repo.root, repo.root, "HEAD", index) as reader:
            assert reader.repository.tracked == {"a.md"}
            assert reader.repository.staged == frozenset()
            assert reader.walk({"a.md": ()})["a.md"].last is not None
    assert dict(os.environ) == before


def test_what_users_set_for_every_git_stays(monkeypatch: Any) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -v")
    monkeypatch.setenv("GIT_CONFIG", "/dev/null")
    with isolated_git():
        assert os.environ["GIT_CONFIG_COUNT"] == "0"
        assert os.environ["GIT_SSH_COMMAND"] == "ssh -v"
        assert "GIT_CONFIG" not in os.environ


def test_a_linked_work_tree(repo: Any, tmp_path: Path) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    tree = tmp_path / "tree"
    (tree / "a.md").write_text("2\n")
    repo.git("-C", str(tree), "add", "a.md")
    index = repo.git("-C", str(tree), "rev-parse", "--git-path", "index").strip()
    reader = open_history(tree, tree / "public", index_file=index)
    assert (reader.repository.root, reader.repository.prefix) == (str(tree), "public")
    assert reader.repository.staged == {"a.md"}
    assert read(repo.root).repository.staged == frozenset()
    assert reader.blob("a.md") == b"1\n"
    assert days(reader, "a.md") == {"a.md": 1}


def test_a_work_tree_away_from_its_git_folder(repo: Any, tmp_path: Path) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    (repo.root / ".git").rename(tmp_path / "store")
    (repo.root / ".git").write_text(f"gitdir: {tmp_path}/store\n")
    repo.git("config", "core.worktree", str(repo.root))
    reader = read(repo.root)
    assert (reader.repository.problem, reader.repository.root) == ("", str(repo.root))
    assert reader.blob("a.md") == b"1\n"
    assert days(reader, "a.md") == {"a.md": 1}


def test_no_repository_and_no_commits_are_told_apart(tmp_path: Path, make_repo: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "plain").mkdir()
    reader = read(tmp_path / "plain" / "not" / "made")
    assert reader.repository.problem == "none"
    assert str(tmp_path / "plain") in reader.repository.detail
    with pytest.raises(UserError, match="no git repository"):
        reader.walk({"a.md": ()})
    empty = make_repo(tmp_path / "empty")
    assert read(empty.root).repository.problem == "no-commits"
    assert read(empty.root, rev="main").repository.problem == "bad-rev"


def test_a_folder_inside_the_git_folder_is_no_repository(repo: Any) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    assert read(repo.root / ".git").repository.problem == "none"


@pytest.mark.parametrize(
    "rev", ["nowhere", "", "--all", "-h", "--output=x", "HEAD:a.md", "HEAD\n--all", "a\0b", "HEAD..HEAD"]
)
def test_unknown_revisions_never_become_options(repo: Any, rev: str) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    facts = read(repo.root, rev=rev).repository
    assert facts.problem == "bad-rev"
    assert "\n" not in facts.detail
    assert not (repo.root / "x").exists()


def test_another_revision_is_read_as_it_was(repo: Any) -> None:
    repo.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=day(1))
    repo.git("tag", "-a", "-m", "v1", "v1")
    repo.commit("two", {"a.md": "2\n", "c.md": "2\n"}, at=day(2))
    reader = read(repo.root, rev="v1")
    assert reader.repository.tracked == {"a.md", "b.md"}
    assert reader.blob("a.md") == b"1\n"
    assert days(reader, "a.md", "c.md") == {"a.md": 1, "c.md": None}


def test_a_bare_repository_is_read(repo: Any, tmp_path: Path) -> None:
    repo.commit("one", {"a/b.md": "1\n"}, at=day(1))
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    reader = read(tmp_path / "bare.git", tmp_path, "main")
    assert (reader.repository.problem, reader.repository.prefix) == ("", None)
    assert reader.blob("a/b.md") == b"1\n"
    assert days(reader, "a/b.md") == {"a/b.md": 1}


def test_dubious_ownership_names_the_cure(repo: Any, monkeypatch: Any) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    facts = open_history(repo.root, repo.root).repository
    assert facts.problem == "dubious-ownership"
    assert f"git config --global --add safe.directory {repo.root}" in facts.detail


def test_a_missing_git_names_the_cure(repo: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    facts = read(repo.root).repository
    assert facts.problem == "no-git"
    assert "install git" in facts.detail


def test_a_git_that_is_too_old(repo: Any, tmp_path: Path, monkeypatch: Any) -> None:
    old = tmp_path / "git"
    old.write_text("#!/bin/sh\necho git version 2.17.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    facts = read(repo.root).repository
    assert facts.problem == "no-git"
    assert "2.31" in facts.detail


def test_importing_without_git_does_not_raise(tmp_path: Path) -> None:
    import sys

    code = "from sitemap_guard.history.reader import open_history as o; from pathlib import Path; print(o(Path('.'), Path('.')).repository.problem)"
    env = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "no-git"


def test_submodules_are_no_files(repo: Any) -> None:
    tip = repo.commit("one", {"a.md": "1\n"}, at=day(1))
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{tip},sub")
    repo.git("commit", "-q", "-m", "two")
    assert read(repo.root).repository.tracked == {"a.md"}


def test_a_broken_repository_is_a_fact(repo: Any) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    tree = repo.git("rev-parse", "HEAD^{tree}").strip()
    (repo.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    facts = read(repo.root).repository
    assert facts.problem == "broken"
    assert "\n" not in facts.detail


def test_subjects_in_other_encodings_are_read(repo: Any) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    header = "tree {}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n".format(
        repo.git("rev-parse", "HEAD^{tree}").strip()
    )

    def make(message: bytes, extra: str = "") -> str:
        command = ["git", "-C", str(repo.root), "hash-object", "-t", "commit", "-w", "--stdin"]
        done = subprocess.run(
            command, input=(header + extra + "\n").encode() + message, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    latin = make(b"caf\xe9\n", "encoding ISO-8859-1\n")
    odd = make(b"\n\nbad \xff byte\nmore\n")
    unknown = make(b"plain\n", "encoding no-such\n")
    none = make(b"")
    found = read(repo.root).subjects([latin, odd, unknown, none])
    assert found == {latin: "café", odd: "bad \ufffd byte", unknown: "plain", none: ""}


def test_a_blobless_clone_is_read_without_the_network(repo: Any, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("one", {"a.md": "1\n"}, at=day(1))
    repo.git("clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{repo.root}", str(tmp_path / "clone"))
    repo.git("-C", str(tmp_path / "clone"), "read-tree", "HEAD")
    reader = read(tmp_path / "clone")
    assert reader.repository.partial
    with isolated_git():
        assert reader.blob("a.md") is None
        tip = reader.repository.head
        assert tip is not None
        assert reader.subjects([tip.id]) == {tip.id: "one"}
    assert days(reader, "a.md") == {"a.md": 1}
