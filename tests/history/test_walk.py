"""The walk, case by case, in real repositories; random ones are in test_walk_graphs.py."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from commit_graphs import Graph, Node, Tree, children, git

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.locate import locate
from sitemap_guard.history.process import Running, git_at
from sitemap_guard.history.reader import open_history
from sitemap_guard.history.walk import Merges, Walk, instant
from sitemap_guard.model import PathHistory, UserError

DAY = 86400
START = 18_000 * DAY
FILE, PROGRAM, LINK = b"100644", b"100755", b"120000"


def at(day: int) -> int:
    return START + day * DAY


def tree(**files: str) -> Tree:
    return {name.encode(): (FILE, text.encode()) for name, text in files.items()}


def make(root: Path, *nodes: tuple[list[int], Tree]) -> Graph:
    """Commits on successive days, numbered from 0."""
    graph = Graph([Node(parents, files, at(day), at(day)) for day, (parents, files) in enumerate(nodes)])
    graph.write(root)
    return graph


def histories(root: Path, *paths: str, claims: tuple[tuple[int, int], ...] = ()) -> dict[str, PathHistory]:
    with isolated_git(), open_history(root, root) as reader:
        return reader.walk(dict.fromkeys(paths, claims))


def last_day(root: Path, path: str) -> int | None:
    """The day of the last change, having made sure that git agrees."""
    last = histories(root, path)[path].last
    answer = git(root, "--literal-pathspecs", "log", "-1", "--format=%H", "--", path).decode().strip()
    assert (last.commit.id if last else "") == answer
    return last and (last.commit.committed.seconds - START) // DAY


def test_a_merge_without_news_is_no_change(tmp_path: Path) -> None:
    side = tree(a="1", b="2")
    make(tmp_path / "r", ([], tree(a="1")), ([0], tree(a="3")), ([0], side), ([1, 2], tree(a="3", b="2")))
    assert last_day(tmp_path / "r", "b") == 2
    assert last_day(tmp_path / "r", "a") == 1


def test_a_merge_with_a_text_of_its_own_is_the_change(tmp_path: Path) -> None:
    make(tmp_path / "r", ([], tree(a="1")), ([0], tree(a="2")), ([0], tree(a="3")), ([1, 2], tree(a="4")))
    assert last_day(tmp_path / "r", "a") == 3


def test_a_merge_that_takes_one_side_leads_to_that_side(tmp_path: Path) -> None:
    make(tmp_path / "r", ([], tree(a="1")), ([0], tree(a="2")), ([0], tree(a="3")), ([1, 2], tree(a="2")))
    assert last_day(tmp_path / "r", "a") == 1
    make(tmp_path / "s", ([], tree(a="1")), ([0], tree(a="2")), ([0], tree(a="3")), ([1, 2], tree(a="3")))
    assert last_day(tmp_path / "s", "a") == 2


def test_a_merge_that_changes_only_the_mode(tmp_path: Path) -> None:
    program: Tree = {b"a": (PROGRAM, b"2")}
    make(tmp_path / "r", ([], tree(a="1")), ([0], tree(a="2")), ([0], tree(a="3")), ([1, 2], program))
    assert last_day(tmp_path / "r", "a") == 3


def test_mode_and_type_changes_count(tmp_path: Path) -> None:
    make(tmp_path / "r", ([], tree(a="1", b="1")), ([0], {b"a": (PROGRAM, b"1"), b"b": (LINK, b"1")}))
    assert (last_day(tmp_path / "r", "a"), last_day(tmp_path / "r", "b")) == (1, 1)


def test_a_file_becomes_a_folder_and_back(tmp_path: Path) -> None:
    nested: Tree = {b"a/b": (FILE, b"1")}
    make(tmp_path / "r", ([], tree(a="1")), ([0], nested), ([1], tree(a="1")))
    assert (last_day(tmp_path / "r", "a"), last_day(tmp_path / "r", "a/b")) == (2, 2)


def test_a_deleted_path_changed_when_it_went_and_an_unknown_one_never(tmp_path: Path) -> None:
    make(tmp_path / "r", ([], tree(a="1", b="1")), ([0], tree(b="1")), ([1], tree(b="2")))
    assert last_day(tmp_path / "r", "a") == 1
    assert last_day(tmp_path / "r", "never") is None
    with isolated_git(), open_history(tmp_path / "r", tmp_path) as reader:
        strange = ["", "/", "/etc/passwd", "../x", "a/../b", "a//b", "./b", "b/", "x\0y"]
        assert set(reader.walk(dict.fromkeys(strange, ())).values()) == {PathHistory(None)}
        assert reader.walk({}) == {}


def test_octopus_goes_to_the_first_parent_that_agrees(tmp_path: Path) -> None:
    make(
        tmp_path / "r",
        ([], tree(a="1", b="1", c="1", d="1")),
        ([0], tree(a="2", b="1", c="1", d="1")),
        ([0], tree(a="1", b="2", c="1", d="1")),
        ([0], tree(a="1", b="2", c="2", d="1")),
        ([1, 2, 3], tree(a="2", b="2", c="2", d="9")),
    )
    assert [last_day(tmp_path / "r", name) for name in "abcd"] == [1, 2, 3, 4]


def test_paths_of_two_roots_lead_to_their_own(tmp_path: Path) -> None:
    make(tmp_path / "r", ([], tree(a="1")), ([], tree(b="1")), ([0, 1], tree(a="1", b="1")))
    assert (last_day(tmp_path / "r", "a"), last_day(tmp_path / "r", "b")) == (0, 1)


def test_landed_is_when_the_branch_was_merged(tmp_path: Path) -> None:
    # 0 - 1 ------ 4 - 5      2 and 3 land with 4
    #      \- 2 - 3 /
    texts = [tree(a="1"), tree(a="1", x="1"), tree(a="2", x="1"), tree(a="2", x="1", b="1")]
    both = tree(a="2", x="1", b="1")
    make(tmp_path / "r", ([], texts[0]), ([0], texts[1]), ([1], texts[2]), ([2], texts[3]), ([1, 3], both), ([4], both))
    found = histories(tmp_path / "r", "a", "b", "x")
    landed = {
        path: (history.last.commit.landed.seconds - START) // DAY for path, history in found.items() if history.last
    }
    assert landed == {"a": 4, "b": 4, "x": 1}


def test_a_twin_that_a_merge_dropped_is_kept_where_a_claim_names_it(tmp_path: Path) -> None:
    # Both sides make the same edit; git follows the first parent, a log without merges names the other first.
    make(tmp_path / "r", ([], tree(a="1")), ([0], tree(a="2")), ([0], tree(a="2")), ([1, 2], tree(a="2")))
    found = histories(tmp_path / "r", "a", claims=((at(2), at(2) + 10),))["a"]
    assert found.last is not None
    assert found.last.commit.committed.seconds == at(1)
    assert [(other.kind, other.commit.committed.seconds) for other in found.others] == [("twin", at(2))]
    assert found.one_pass is not None
    assert found.one_pass.committed.seconds == at(2)
    # Nothing is kept that no claim names.
    assert histories(tmp_path / "r", "a", claims=((at(1), at(1)), (at(2) + 1, at(3) - 1)))["a"].others == ()


def test_a_back_merge_that_brings_nothing_to_the_file_is_kept_as_a_merge(tmp_path: Path) -> None:
    # main is merged into the branch (3), main follows: `git log -m` dates the page by the merge.
    nodes = [([], tree(a="1")), ([0], tree(a="2")), ([0], tree(a="1", b="1")), ([2, 1], tree(a="2", b="1"))]
    make(tmp_path / "r", *nodes)
    found = histories(tmp_path / "r", "a", "b", claims=((at(3), at(3)),))
    assert [(other.kind, other.commit.committed.seconds) for other in found["a"].others] == [("merge", at(3))]
    assert [(other.kind, other.commit.committed.seconds) for other in found["b"].others] == [("merge", at(3))]
    assert found["a"].one_pass is None


@pytest.fixture
def long_repo(repo: Any) -> Any:
    for day in range(6):
        repo.commit(f"day {day}", {"new.md": f"{day}\n", f"page{day}.md": "1\n"}, at=at(day))
    return repo


@pytest.mark.parametrize(("depth", "known"), [(1, set()), (3, {"new.md", "page5.md", "page4.md"})])
def test_shallow_edges_are_told_path_by_path(long_repo: Any, tmp_path: Path, depth: int, known: set[str]) -> None:
    root = tmp_path / "clone"
    long_repo.git("clone", "-q", f"--depth={depth}", f"file://{long_repo.root}", str(root))
    with isolated_git(), open_history(root, root) as reader:
        assert reader.repository.shallow
        found = reader.walk(dict.fromkeys(reader.repository.tracked, ()))
    assert {path for path, history in found.items() if history.last and not history.last.edge} == known
    for path in known:
        truth = long_repo.git("log", "-1", "--format=%H", "--", path).strip()
        last = found[path].last
        assert last is not None
        assert last.commit.id == truth
    edge = long_repo.git("rev-parse", f"HEAD~{depth - 1}").strip()
    for path in set(found) - known:
        last = found[path].last
        assert last is not None
        assert last.commit.id == edge


def test_a_full_clone_has_no_edge(long_repo: Any) -> None:
    found = histories(long_repo.root, "page0.md")["page0.md"].last
    assert found is not None
    assert not found.edge


HOSTILE = """
[diff] renames = copies
 noprefix = true
 relative = true
 orderFile = /no/such/file
 ignoreSubmodules = all
 external = false
 mnemonicPrefix = true
 submodule = log
 wordRegex = .
 statGraphWidth = 1
[diff "x"] textconv = false
 command = false
[log] follow = true
 showSignature = true
 showRoot = false
 diffMerges = combined
 mailmap = true
 decorate = full
 date = relative
 abbrevCommit = true
[core] quotePath = true
 abbrev = 4
 fsmonitor = false-program
 pager = false
 attributesFile = /no/such/file
[color] ui = always
 diff = always
[format] pretty = oneline
 notes = true
[notes] displayRef = refs/notes/*
[status] short = true
 branch = true
 renames = copies
 showUntrackedFiles = all
 relativePaths = true
 showStash = true
[i18n] logOutputEncoding = UTF-16
[alias] log = !false
[pager] log = false
[submodule] recurse = true
"""


def test_the_users_settings_change_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    root = tmp_path / "r"
    odd: Tree = {b"dir/\xc3\xa9 x": (FILE, b"1"), b"a": (FILE, b"1"), b".gitattributes": (FILE, b"* diff=x\n")}
    more: Tree = {**odd, b"moved": (FILE, b"1")}
    del more[b"a"]
    graph = make(
        root, ([], odd), ([0], more), ([0], {**odd, b"b": (FILE, b"1")}), ([1, 2], {**more, b"b": (FILE, b"1")})
    )
    git(root, "reset", "-q", "--hard")
    git(root, "-c", "user.name=n", "-c", "user.email=e", "notes", "add", "-m", "a note", "HEAD")
    (root / "b").write_text("edited")
    paths = ["dir/é x", "a", "moved", "b", ".gitattributes"]

    def everything() -> Any:
        with isolated_git(), open_history(root, root) as reader:
            claims = ((at(0), at(9)),)
            return reader.repository, reader.walk(dict.fromkeys(paths, claims)), reader.subjects([graph.nodes[0].id])

    plain = everything()
    (tmp_path / "config").write_text(HOSTILE)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    with (root / ".git/config").open("a") as config:
        config.write(HOSTILE)
    assert everything() == plain
    assert plain[0].edited == {"b"}
    assert {path: history.last is not None for path, history in plain[1].items()} == dict.fromkeys(paths, True)


def test_a_history_with_a_hole_is_an_error_not_a_half_answer(repo: Any) -> None:
    first = repo.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=at(1))
    repo.commit("two", {"a.md": "2\n"}, at=at(2))
    missing = repo.git("rev-parse", f"{first}^{{tree}}").strip()
    (repo.root / ".git/objects" / missing[:2] / missing[2:]).unlink()
    with isolated_git(), open_history(repo.root, repo.root) as reader:
        assert reader.repository.problem == ""
        with pytest.raises(UserError, match="git log broke off") as caught:
            reader.walk({"a.md": (), "b.md": ()})
    assert "\n" not in str(caught.value)


def test_a_hole_beyond_what_is_asked_for_is_of_no_account(repo: Any) -> None:
    first = repo.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=at(1))
    for day in range(2, 5):
        repo.commit("more", {"b.md": f"{day}\n"}, at=at(day))
    repo.commit("last", {"a.md": "2\n"}, at=at(5))
    missing = repo.git("rev-parse", f"{first}^{{tree}}").strip()
    (repo.root / ".git/objects" / missing[:2] / missing[2:]).unlink()
    found = histories(repo.root, "a.md", "b.md")
    assert {path: one.last and one.last.commit.authored.seconds for path, one in found.items()} == {
        "a.md": at(5),
        "b.md": at(4),
    }


def walk_over(output: bytes) -> None:
    walk = Walk(b"1" * 40, {b"a": ()}, frozenset(), frozenset(), Merges())
    walk.run(output.split(b"//"))


WHOLE = b"//" + b"1" * 40 + b" " + b"2" * 40 + b",1 +0000,1 +0000\0//" + b"2" * 40 + b" ,1 +0000,1 +0000\0\na\0"


def test_malformed_output_is_an_error() -> None:
    walk_over(WHOLE)
    for broken in (b"", b"x" + WHOLE, WHOLE[:-1], WHOLE[:90], WHOLE[: WHOLE.rindex(b"//")], WHOLE.replace(b",", b";")):
        with pytest.raises(UserError, match=r"nothing was judged|git fsck"):
            walk_over(broken)


def test_a_commit_whose_declared_encoding_hides_its_dates(repo: Any) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=at(1))
    commit = repo.git("cat-file", "commit", "HEAD").replace("\n\n", "\nencoding UTF-16LE\n\n").encode()
    odd = git(repo.root, "hash-object", "-t", "commit", "-w", "--stdin", feed=commit).decode().strip()
    repo.git("update-ref", "HEAD", odd)
    last = histories(repo.root, "a.md")["a.md"].last
    assert last is not None
    # Git itself finds no date in it.
    assert git(repo.root, "log", "-1", "--format=%at") == b"\n"
    assert (last.commit.id, last.commit.authored.seconds) == (odd, 0)


def test_odd_dates_stay_within_the_calendar() -> None:
    assert instant(b"") == instant(b"0 +0000")
    assert instant(b"1700000000 -0730").offset == -450
    assert instant(b"1700000000 +9959").iso("day") == "2023-11-15"
    assert instant(b"99999999999999999 +1400").iso("year") == "9999"


def test_progress_counts_to_the_end_of_a_long_history(tmp_path: Path) -> None:
    graph = Graph([Node([day - 1] if day else [], tree(a=str(day)), at(day), at(day)) for day in range(4100)])
    graph.write(tmp_path / "r")
    told: list[tuple[int, int]] = []
    with isolated_git(), open_history(tmp_path / "r", tmp_path) as reader:
        reader.walk({"a": ((at(0), at(1)),)}, lambda done, total: told.append((done, total)))
        assert told == [(2000, 4100), (4000, 4100)]
        # With nothing claimed there is no reason to read on after the last change.
        told.clear()
        reader.walk({"a": ()}, lambda done, total: told.append((done, total)))
        assert told == []


def test_processes_end_when_the_reader_of_the_stream_fails(tmp_path: Path) -> None:
    graph = Graph([Node([day - 1] if day else [], tree(a=str(day)), at(day), at(day)) for day in range(2500)])
    graph.write(tmp_path / "r")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with isolated_git(), open_history(tmp_path / "r", tmp_path) as reader:
        with pytest.raises(KeyboardInterrupt):
            reader.walk({"a": ((0, 1),)}, stop)
        assert children() == set()
        assert reader.subjects([graph.nodes[0].id])
    assert children() == set()


def test_a_chatty_git_does_not_block(tmp_path: Path) -> None:
    fake = tmp_path / "git"
    fake.write_text(
        '#!/bin/sh\nyes "warning: of no interest" | head -n 20000 >&2\necho "fatal: it broke" >&2\nexit 3\n'
    )
    fake.chmod(0o755)
    runner = git_at(tmp_path)
    runner.update_environment(PATH=f"{tmp_path}:{os.environ['PATH']}")
    old = os.environ["PATH"]
    os.environ["PATH"] = f"{tmp_path}:{old}"
    try:
        running = Running(runner, "log")
    finally:
        os.environ["PATH"] = old
    with pytest.raises(UserError, match="it broke"):
        list(running.pieces(b"//"))
    running.close()


def test_locate_is_given_a_file_that_is_not_there(repo: Any) -> None:
    repo.commit("one", {"a.md": "1\n"}, at=at(1))
    with isolated_git():
        place = locate(repo.root / "public" / "not" / "built.html")
    assert getattr(place, "root", "") == str(repo.root)
