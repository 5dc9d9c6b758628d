"""The cache of walks: the same results with and without it, whatever happens to history or to the files."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from commit_graphs import Graph, git, random_graph, stretched
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_guard.history import cache
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.process import text
from sitemap_guard.history.reader import open_history
from sitemap_guard.model import PathHistory

MODEST = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = [b"a", b"a/b", b"a.b", b"dir/page one.md", b"dir/\xc3\xa9.md", b"new\nline", b'"quoted"', b"index.md"]
Claims = dict[str, tuple[tuple[int, int], ...]]
DAY = 86400


def day(number: int) -> int:
    """The first second of a day counted from 2019-04-14."""
    return (18_000 + number) * DAY


def walk(root: Path, rev: str, claims: Claims, folder: Path | None) -> Mapping[str, PathHistory]:
    with isolated_git(), open_history(root, root, rev, cache=None if folder is None else str(folder)) as reader:
        return reader.walk(claims)


@pytest.fixture(autouse=True)
def short_histories_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LEAST", 0)


class Seen:
    """How walks ended: taken over whole, resumed, or from the start."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ends: list[str] = []
        original, same = cache.resume, cache._same

        def resume(*args: Any) -> Any:
            found = original(*args)
            self.ends.append("resumed" if found else "refused")
            return found

        def whole(*args: Any) -> bool:
            found = same(*args)
            self.ends += ["whole"] if found else []
            return found

        monkeypatch.setattr(cache, "resume", resume)
        monkeypatch.setattr(cache, "_same", whole)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    return Seen(monkeypatch)


def grow(graph: Graph, rng: random.Random, root: Path, folder: Path, names: list[bytes]) -> None:
    """Every few commits a run with the cache and one without; claims change as pages do, and a little besides."""
    graph.write(root)
    times = sorted({time for node in graph.nodes for time in (node.authored, node.committed)})

    def claim() -> tuple[tuple[int, int], ...]:
        return tuple(sorted((time, time + rng.choice([0, 3600])) for time in rng.sample(times, min(3, len(times)))))

    claims: Claims = {text(name): claim() for name in names}
    for number in sorted(rng.sample(range(1, len(graph.nodes) + 1), min(5, len(graph.nodes)))):
        if rng.random() < 0.4:
            claims[text(rng.choice(names))] = rng.choice([claim(), ()])
        wanted = dict(rng.sample(sorted(claims.items()), rng.choice([len(claims), len(claims), len(claims) - 1])))
        plain = walk(root, f"n{number}", wanted, None)
        assert walk(root, f"n{number}", wanted, folder) == plain
        assert walk(root, f"n{number}", wanted, folder) == plain


@MODEST
@given(st.integers(0, 2**32), st.integers(4, 24))
def test_histories_that_grow_have_the_same_answers_with_the_cache(seed: int, size: int) -> None:
    rng = random.Random(seed)
    names = rng.sample(NAMES, 5)
    with tempfile.TemporaryDirectory() as folder:
        grow(random_graph(rng, size, names), rng, Path(folder) / "repo", Path(folder) / "cache", names)


def test_histories_that_grow_from_their_tip_are_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each run writes a snapshot, so that one made from another one is used as well.
    monkeypatch.setattr(cache, "WORTH", 0)
    seen = Seen(monkeypatch)

    @settings(MODEST, max_examples=20)
    @given(st.integers(0, 2**32), st.integers(6, 26))
    def run(seed: int, size: int) -> None:
        rng = random.Random(seed)
        names = rng.sample(NAMES, 5)
        with tempfile.TemporaryDirectory() as folder:
            grow(stretched(rng, size, names), rng, Path(folder) / "repo", Path(folder) / "cache", names)

    run()
    # The test is worth nothing unless the cache was used, in every way.
    assert seen.ends.count("resumed") > 15
    assert seen.ends.count("whole") > 30


@pytest.fixture
def small(repo: Any) -> Any:
    repo.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=day(100))
    repo.commit("two", {"b.md": "2\n"}, at=day(200))
    return repo


WANTED: Claims = {"a.md": ((day(100), day(101)),), "b.md": ((day(200), day(201)),)}


def days(found: Mapping[str, PathHistory]) -> dict[str, int]:
    return {
        path: history.last.commit.authored.seconds // DAY - 18_000 for path, history in found.items() if history.last
    }


def test_only_new_commits_are_read(small: Any, tmp_path: Path, seen: Seen) -> None:
    folder = tmp_path / "cache"
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 100, "b.md": 200}
    small.commit("three", {"a.md": "3\n"}, at=day(300))
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 300, "b.md": 200}
    small.git("checkout", "-q", "-b", "side")
    small.commit("four", {"b.md": "4\n"}, at=day(400))
    small.git("checkout", "-q", "main")
    small.git("merge", "-q", "--no-ff", "--no-edit", "side")
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 300, "b.md": 400}
    assert seen.ends == ["resumed", "resumed"]
    assert len(list(folder.iterdir())) == 1  # a few commits are not worth another file


def test_a_branch_that_began_earlier_is_read_from_an_older_snapshot(
    small: Any, tmp_path: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH", 0)
    folder = tmp_path / "cache"
    walk(small.root, "HEAD", WANTED, folder)
    small.git("checkout", "-q", "-b", "side")
    small.commit("three", {"b.md": "3\n"}, at=day(300))
    small.git("checkout", "-q", "main")
    small.commit("four", {"a.md": "4\n"}, at=day(400))
    walk(small.root, "HEAD", WANTED, folder)
    small.git("merge", "-q", "--no-ff", "--no-edit", "side")
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 400, "b.md": 300}
    assert seen.ends == ["resumed", "resumed"]


@pytest.mark.parametrize(
    "content", [b"", b"sitemap-guard history 1\n", b"x" * 500, None], ids=["empty", "cut", "other", "a bit"]
)
def test_a_damaged_file_is_passed_over(small: Any, tmp_path: Path, seen: Seen, content: bytes | None) -> None:
    folder = tmp_path / "cache"
    before = walk(small.root, "HEAD", WANTED, folder)
    file = next(folder.iterdir())
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data) if content is None else content)
    assert walk(small.root, "HEAD", WANTED, folder) == before
    assert seen.ends == []
    assert walk(small.root, "HEAD", WANTED, folder) == before  # it was written anew
    assert seen.ends == ["whole"]


def test_another_version_and_other_edges_are_passed_over(
    small: Any, tmp_path: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    walk(small.root, "HEAD", WANTED, folder)
    with monkeypatch.context() as other:
        other.setattr("sitemap_guard.history.snapshot.__version__", "0.0.other")
        walk(small.root, "HEAD", WANTED, folder)
    for file in folder.iterdir():
        file.unlink()
    clone = tmp_path / "clone"
    small.git("clone", "-q", "--depth=1", f"file://{small.root}", str(clone))
    shallow = walk(clone, "HEAD", WANTED, folder)["a.md"].last
    assert shallow is not None
    assert shallow.edge
    git(clone, "fetch", "-q", "--unshallow")
    assert days(walk(clone, "HEAD", WANTED, folder)) == {"a.md": 100, "b.md": 200}
    assert seen.ends == []


def test_rewritten_history_is_not_cached(small: Any, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    small.git("replace", "--graft", "HEAD")
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 200, "b.md": 200}
    assert not folder.exists()
    small.git("replace", "-d", small.git("rev-parse", "HEAD").strip())
    (small.root / ".git/info").mkdir(exist_ok=True)
    (small.root / ".git/info/grafts").write_text(small.git("rev-parse", "HEAD"))
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 200, "b.md": 200}
    assert not folder.exists()


def test_history_that_was_rewritten_is_walked(small: Any, tmp_path: Path, seen: Seen) -> None:
    folder = tmp_path / "cache"
    walk(small.root, "HEAD", WANTED, folder)
    small.git("reset", "-q", "--hard", "HEAD^")
    small.commit("other", {"b.md": "other\n"}, at=day(250))
    assert days(walk(small.root, "HEAD", WANTED, folder)) == {"a.md": 100, "b.md": 250}
    assert seen.ends == []


def test_the_default_place_is_the_git_folder_and_few_files_are_kept(small: Any, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    small.git("worktree", "add", "-q", "-b", "side", str(linked))
    for number in range(9):
        small.commit("more", {"a.md": f"{number}\n"}, at=day(300 + number))
        with isolated_git(), open_history(linked, linked, "main", cache="") as reader:
            reader.walk({**WANTED, f"{number}.md": ()})
    files = list((small.root / ".git/sitemap-guard").iterdir())
    assert len(files) == cache.MOST_FILES
    assert small.git("status", "--porcelain") == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_no_fault(small: Any) -> None:
    (small.root / ".git").chmod(0o555)
    try:
        assert days(walk(small.root, "HEAD", WANTED, small.root / ".git/sitemap-guard")) == {"a.md": 100, "b.md": 200}
    finally:
        (small.root / ".git").chmod(0o755)


def test_a_file_in_place_of_the_folder_is_no_fault(small: Any, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    assert days(walk(small.root, "HEAD", WANTED, tmp_path / "cache")) == {"a.md": 100, "b.md": 200}


def trails(root: Path, folder: Path | None, path: str, question: str) -> list[str]:
    """The commits of a trail of white space, and how often a content was compared."""
    compared: list[str] = []

    def why(_old_path: str, old: bytes, _path: str, new: bytes) -> str:
        compared.append("compared")
        return "white-space" if old.split() == new.split() else ""

    cached = None if folder is None else str(folder)
    with isolated_git(), open_history(root, root, cache=cached) as reader:
        reader.walk({path: WANTED.get(path, ())})
        found = reader.trails([path], why, lambda _p, _v, why: bool(why), question=lambda _path: question)
    return [change.commit.id for change in found[path].changes] + compared


def test_trails_are_kept_for_as_long_as_nothing_changes(small: Any, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    small.commit("three", {"b.md": "2 \n"}, at=day(300))
    *ids, compared, again = trails(small.root, folder, "b.md", "x")
    assert (compared, again) == ("compared", "compared")
    assert trails(small.root, folder, "b.md", "x") == ids
    assert trails(small.root, folder, "b.md", "y") == [*ids, "compared", "compared"]  # another question
    small.commit("four", {"a.md": "4\n"}, at=day(400))
    assert trails(small.root, folder, "b.md", "x") == ids
    small.commit("five", {"b.md": " 2\n"}, at=day(500))
    assert trails(small.root, folder, "b.md", "x")[1:] == [*ids, "compared", "compared", "compared"]
    (folder / "trails").write_bytes(b"broken")
    assert trails(small.root, folder, "b.md", "x") == trails(small.root, None, "b.md", "x")
    assert trails(small.root, folder, "b.md", "x")[-1] != "compared"
    # Where the branch was set to something else, nothing is known.
    small.git("reset", "-q", "--hard", "HEAD~2")
    assert trails(small.root, folder, "b.md", "x")[-1] == "compared"


def test_a_short_history_leaves_no_file(small: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LEAST", 3)
    walk(small.root, "HEAD", WANTED, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    small.commit("three", {"a.md": "3\n"}, at=day(300))
    walk(small.root, "HEAD", WANTED, tmp_path / "cache")
    assert len(list((tmp_path / "cache").iterdir())) == 1
