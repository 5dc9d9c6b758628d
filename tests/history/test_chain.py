"""The chain of a path's changes: held against brute force, and by example for moves and missing contents."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from commit_graphs import NAMES, Graph, random_graph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_guard.history.chain import Versions
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.process import text
from sitemap_guard.history.reader import open_history

DAY = 86_400
START = 1_600_000_000


def expected(graph: Graph, path: bytes) -> list[str]:
    """Goes as git goes: to the first parent with the same file, else a change, and on to the first that has one."""
    at, found = len(graph.nodes) - 1, []
    while path in graph.nodes[at].tree:
        node = graph.nodes[at]
        there = [parent for parent in node.parents if path in graph.nodes[parent].tree]
        same = [parent for parent in there if graph.nodes[parent].tree[path] == node.tree[path]]
        if not same:
            found.append(node.id)
        if not there:
            break
        at = (same or there)[0]
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.integers(1, 30))
def test_every_change_of_a_name_is_found_in_order(seed: int, size: int) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng, size, rng.sample(NAMES, 6))
    tracked = sorted(graph.nodes[-1].tree)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repo"
        graph.write(root)
        with isolated_git(), open_history(root, root) as reader:
            trails = reader.trails(map(text, tracked), lambda *_: "", lambda _p, v, _w: v.old_path == v.path)
            walked = reader.walk(dict.fromkeys(map(text, tracked), ()))
    for path in tracked:
        trail = trails[text(path)]
        assert [change.commit.id for change in trail.changes] == expected(graph, path), path
        assert not trail.cut
        first = trail.changes[0]
        last = walked[text(path)].last
        assert last is not None
        assert (first.commit, first.path) == (last.commit, last.path)  # times and landing too


def kinds(repo: Any, path: str, **more: Any) -> list[tuple[str, str, str]]:
    def compare(_old_path: str, old: bytes, _path: str, new: bytes) -> str:
        return "white-space" if old.split() == new.split() else ""

    with isolated_git(), open_history(repo.root, repo.root) as reader:
        trail = reader.trails([path], compare, more.pop("go_on", lambda _p, _v, why: bool(why)), **more)[path]
        subjects = reader.subjects(change.commit.id for change in trail.changes)
    return [(subjects[change.commit.id], change.path, change.why) for change in trail.changes]


def test_a_chain_goes_through_moves_out_of_the_folder_and_back(repo: Any) -> None:
    repo.commit("written", {"notes/draft.md": "a page of text\n", "site/other.md": "other\n"}, at=START + DAY)
    repo.git("mv", "notes/draft.md", "site/page.md")
    repo.commit("published", at=START + 2 * DAY)
    repo.git("mv", "site/page.md", "site/renamed.md")
    repo.commit("renamed", at=START + 3 * DAY)
    (repo.root / "site/renamed.md").chmod(0o755)
    repo.commit("mode", at=START + 4 * DAY)
    repo.commit("spaces", {"site/renamed.md": "a page  of text\n"}, at=START + 5 * DAY)
    assert kinds(repo, "site/renamed.md") == [
        ("spaces", "site/renamed.md", "white-space"),
        ("mode", "site/renamed.md", "mode"),
        ("renamed", "site/renamed.md", "move"),
        ("published", "site/page.md", "move"),
        ("written", "notes/draft.md", ""),
    ]


def test_a_name_that_is_taken_again_does_not_mix_two_histories(repo: Any) -> None:
    repo.commit("first", {"a.md": "text of the first\n"}, at=START + DAY)
    repo.git("mv", "a.md", "b.md")
    repo.commit("moved", at=START + 2 * DAY)
    repo.commit("second", {"a.md": "text of the second\n"}, at=START + 3 * DAY)
    repo.commit("second, edited", {"a.md": "text of the second, edited\n"}, at=START + 4 * DAY)
    with isolated_git(), open_history(repo.root, repo.root) as reader:
        trails = reader.trails(["a.md", "b.md"], lambda *_: "", lambda *_: True)
        subjects = {
            path: [*reader.subjects(change.commit.id for change in trail.changes).values()]
            for path, trail in trails.items()
        }
    assert subjects == {"a.md": ["second, edited", "second"], "b.md": ["moved", "first"]}


def test_a_copy_is_a_new_page(repo: Any) -> None:
    repo.commit("one", {"a.md": "text\n"}, at=START + DAY)
    repo.commit("copy", {"b.md": "text\n"}, at=START + 2 * DAY)
    with isolated_git(), open_history(repo.root, repo.root) as reader:
        trail = reader.trails(["b.md"], lambda *_: "", lambda *_: True)["b.md"]
    assert [(change.why, change.born) for change in trail.changes] == [("", True)]


def test_listed_commits_are_passed_whatever_they_did(repo: Any) -> None:
    repo.commit("one", {"a.md": "one\n"}, at=START + DAY)
    listed = repo.commit("two", {"a.md": "two\n"}, at=START + 2 * DAY)
    assert kinds(repo, "a.md", ignored=frozenset({listed})) == [("two", "a.md", "ignored"), ("one", "a.md", "")]


def test_a_caller_may_look_at_contents_as_far_back_as_it_likes(repo: Any) -> None:
    for number in range(5):
        repo.commit(str(number), {"a.md": f"{number}\n"}, at=START + DAY * number)
    seen: list[tuple[bytes | None, bytes | None]] = []

    def go_on(_path: str, versions: Versions, _why: str) -> bool:
        seen.append((versions.old(), versions.new()))
        return versions.old() != b"1\n"

    assert len(kinds(repo, "a.md", go_on=go_on)) == 3
    assert seen == [(b"3\n", b"4\n"), (b"2\n", b"3\n"), (b"1\n", b"2\n")]


def test_a_file_too_large_to_be_a_source_is_not_compared(repo: Any) -> None:
    repo.commit("one", {"a.md": "x" * 4_000_001}, at=START + DAY)
    repo.commit("two", {"a.md": "x " * 2_000_001}, at=START + 2 * DAY)
    assert kinds(repo, "a.md")[0] == ("two", "a.md", "unknown")
