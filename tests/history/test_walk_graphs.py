"""The walk on random histories, held against git itself and against brute force."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from commit_graphs import NAMES, Graph, git, random_graph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_guard.history import reading, walk
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.process import raw, text
from sitemap_guard.history.reader import open_history

MODEST = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def truth(root: Path, path: bytes) -> str | None:
    answer = git(root, "--literal-pathspecs", "log", "-1", "--format=%H", "main", "--", path)
    return answer.decode().strip() or None


def expected_others(
    graph: Graph, root: Path, path: bytes, ranges: tuple[tuple[int, int], ...], last: str | None, *, loose: bool
) -> set[tuple[str, str]]:
    order = graph.order(root)
    found = set()
    last_at = next((at for at, number in enumerate(order) if graph.nodes[number].id == last), len(order))
    for at, number in enumerate(order):
        node = graph.nodes[number]
        times = (node.authored, node.committed, graph.landed(number))
        claimed = any(first <= time <= end for first, end in ranges for time in times)
        parents: list[int | None] = [*node.parents] or [None]
        differs = any(graph.differs(number, path, parent, loose=loose) for parent in parents)
        later = last_at < len(order) and node.committed > graph.nodes[order[last_at]].committed
        if claimed and differs and node.id != last and (at < last_at or later):
            found.add((node.id, "merge" if len(node.parents) > 1 else "twin"))
    return found


def expected_one_pass(graph: Graph, root: Path, path: bytes, last: str | None, *, loose: bool) -> str | None:
    for number in graph.order(root):
        node = graph.nodes[number]
        parent = node.parents[0] if node.parents else None
        if len(node.parents) < 2 and graph.differs(number, path, parent, loose=loose):
            return node.id if node.id != last else None
    return None


def check(graph: Graph, root: Path, names: list[bytes], rng: random.Random) -> None:
    graph.write(root)
    times = sorted({time for node in graph.nodes for time in (node.authored, node.committed)})
    claims = {
        name: tuple((time, time + rng.choice([0, 3600])) for time in rng.sample(times, min(4, len(times))))
        for name in names
    }
    with isolated_git(), open_history(root, root) as reader:
        found = reader.walk({text(name): claims[name] for name in names})
        # With nothing claimed the walk may stop early; the answers are the same.
        short = reader.walk({text(name): () for name in names})
        some = reader.walk({text(name): claims[name] for name in names[:2]})
    tip = graph.nodes[-1]
    number_of = {node.id: number for number, node in enumerate(graph.nodes)}
    assert {raw(path) for path in reader.repository.tracked} == set(tip.tree)
    for name in names:
        history = found[text(name)]
        loose = name not in tip.tree
        last = truth(root, name)
        assert (history.last.commit.id if history.last else None) == last, name
        others = {(change.commit.id, change.kind) for change in history.others}
        assert others == expected_others(graph, root, name, claims[name], last, loose=loose), name
        one_pass = history.one_pass.id if history.one_pass else None
        assert one_pass == expected_one_pass(graph, root, name, last, loose=loose), name
        assert short[text(name)].last == history.last
        assert short[text(name)].one_pass == history.one_pass
        for change in [*history.others, *([history.last] if history.last else [])]:
            number = number_of[change.commit.id]
            node = graph.nodes[number]
            assert change.commit.landed.seconds == graph.landed(number)
            assert change.commit.authored.seconds == node.authored
            assert change.commit.committed.seconds == node.committed
    for name in names[:2]:
        assert some[text(name)] == found[text(name)]


@MODEST
@given(st.integers(0, 2**32), st.integers(2, 30))
def test_random_histories_agree_with_git(seed: int, size: int) -> None:
    rng = random.Random(seed)
    names = rng.sample(NAMES, 6)
    with tempfile.TemporaryDirectory() as folder:
        check(random_graph(rng, size, names), Path(folder) / "repo", [*names, b"never/there"], rng)


@MODEST
@given(st.integers(0, 2**32))
def test_files_that_become_folders_agree_with_git(seed: int) -> None:
    rng = random.Random(seed)
    names = [b"a", b"a/b", b"a/b/c"]
    with tempfile.TemporaryDirectory() as folder:
        check(random_graph(rng, 14, names), Path(folder) / "repo", names, rng)


@pytest.mark.parametrize("seed", range(4))
def test_how_far_ahead_git_is_told_of_merges_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    random_graph(rng, 90, NAMES).write(tmp_path / "r")
    wanted = {text(name): ((0, 1 << 40),) if rng.random() < 0.3 else () for name in NAMES}
    found = []
    for records in (0, 1, 4, 50):
        monkeypatch.setattr(walk, "FORESEEN", records)
        monkeypatch.setattr(reading, "FORESEEN", records)
        with isolated_git(), open_history(tmp_path / "r", tmp_path) as reader:
            found.append(reader.walk(wanted))
    assert found[0] == found[1] == found[2] == found[3]
