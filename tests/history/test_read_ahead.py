"""The log that is read ahead: the same answers and errors as without, and nothing left running."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from commit_graphs import NAMES, Graph, Node, children, random_graph

from sitemap_guard.history import process, reader
from sitemap_guard.history.cache import Cache
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.process import Running, text
from sitemap_guard.history.reader import open_history
from sitemap_guard.model import PathHistory, UserError

DAY = 18_000 * 86400
Claims = dict[str, tuple[tuple[int, int], ...]]


@pytest.fixture(autouse=True)
def few_pages_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_MANY", 1)


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The logs that were begun: whether ahead."""
    begun: list[bool] = []
    begin = Running.__init__

    def noted(self: Running, git: Any, *args: str, **more: Any) -> None:
        if args[0] == "log":
            begun.append(more.get("ahead", False))
        begin(self, git, *args, **more)

    monkeypatch.setattr(Running, "__init__", noted)
    return begun


def walk(root: Path, claims: Claims, pages: int, cache: str | None = None) -> dict[str, PathHistory]:
    with isolated_git(), open_history(root, root, cache=cache) as history:
        history.read_ahead(pages)
        return history.walk(claims)


def line(length: int, *names: bytes) -> Graph:
    """A history in which each commit changes each of the files."""
    files = [dict.fromkeys(names, (b"100644", b"%d" % number)) for number in range(length)]
    return Graph([Node([n - 1] if n else [], tree, 86400 * n, 86400 * n) for n, tree in enumerate(files)])


@pytest.mark.parametrize("seed", range(6))
def test_the_answers_are_those_of_a_log_begun_in_time(tmp_path: Path, logs: list[bool], seed: int) -> None:
    rng = random.Random(seed)
    random_graph(rng, 30, NAMES).write(tmp_path / "r")
    claims: Claims = {text(name): ((0, 1 << 40),) if rng.random() < 0.5 else () for name in NAMES}
    plain = walk(tmp_path / "r", claims, 0)
    assert logs == [False]
    assert walk(tmp_path / "r", claims, 1000) == plain
    assert logs == [False, True]
    assert walk(tmp_path / "r", claims, 1000, str(tmp_path / "kept")) == plain
    assert logs == [False, True, True]
    assert children() == set()


def test_more_than_may_be_read_ahead(tmp_path: Path, logs: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CHUNK", 64)
    monkeypatch.setattr(process, "AHEAD", 128)
    line(300, b"a", b"b").write(tmp_path / "r")
    claims: Claims = {"a": ((0, 1 << 40),), "b": ()}
    found = walk(tmp_path / "r", claims, 1000)
    assert logs == [True]
    assert found == walk(tmp_path / "r", claims, 0)


def test_a_narrower_walk_begins_anew(tmp_path: Path, logs: list[bool]) -> None:
    graph = line(20, *(b"dir%d/%d" % (number % 3, number) for number in range(30)))
    graph.write(tmp_path / "r")
    found = walk(tmp_path / "r", {"dir1/1": ()}, 1000)
    assert logs == [True, False]
    assert found == walk(tmp_path / "r", {"dir1/1": ()}, 0)
    assert children() == set()


def test_it_serves_one_walk(tmp_path: Path, logs: list[bool]) -> None:
    line(20, b"a").write(tmp_path / "r")
    with isolated_git(), open_history(tmp_path / "r", tmp_path) as history:
        history.read_ahead(10)
        assert history.walk({"a": ()}) == history.walk({"a": ()})
    assert logs == [True, False]


@pytest.mark.parametrize("chunk", [64, process.CHUNK])
def test_what_nobody_asks_for_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(process, "CHUNK", chunk)
    monkeypatch.setattr(process, "AHEAD", 4 * chunk)
    line(2000, b"a").write(tmp_path / "r")
    with isolated_git(), open_history(tmp_path / "r", tmp_path) as history:
        history.read_ahead(10)
        assert children()
        time.sleep(0.2)
    assert children() == set()


def test_a_history_with_a_hole_is_the_same_error(repo: Any) -> None:
    first = repo.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=DAY)
    repo.commit("two", {"a.md": "2\n"}, at=2 * DAY)
    missing = repo.git("rev-parse", f"{first}^{{tree}}").strip()
    (repo.root / ".git/objects" / missing[:2] / missing[2:]).unlink()
    told = []
    for pages in (0, 1000):
        with pytest.raises(UserError) as caught:
            walk(repo.root, {"a.md": (), "b.md": ()}, pages)
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_it_is_not_begun_for_nothing(tmp_path: Path, logs: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    line(5, b"a", b"b", b"c", b"d").write(tmp_path / "r")
    kept = str(tmp_path / "kept")
    with isolated_git(), open_history(tmp_path, tmp_path) as history:
        history.read_ahead(1000)  # no repository
    with isolated_git(), open_history(tmp_path / "r", tmp_path) as history:
        history.read_ahead(2)  # half of the files
    with isolated_git(), open_history(tmp_path / "r", tmp_path, cache=kept) as history:
        monkeypatch.setattr(Cache, "used", True)
        history.read_ahead(1000)
    monkeypatch.setattr(reader, "_MANY", 1001)
    with isolated_git(), open_history(tmp_path / "r", tmp_path) as history:
        history.read_ahead(1000)
    assert logs == []
