"""Several repositories as one: submodules, and checkouts side by side, each with a history of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.opening import open_site_history
from sitemap_guard.history.reader import HistoryReader
from sitemap_guard.history.roots import Further
from sitemap_guard.model import PathHistory, UserError

DAY = 86400


def day(number: int) -> int:
    """The first second of a day counted from 2019-04-14."""
    return (18_000 + number) * DAY


def read(base: Path, *roots: Further, cache: str | None = None) -> HistoryReader:
    with isolated_git() as index:
        return open_site_history(base, base / "public", "HEAD", index, base=base, roots=roots, cache=cache)


def days(reader: HistoryReader, *paths: str) -> dict[str, int | None]:
    with isolated_git():
        found: dict[str, PathHistory] = reader.walk(dict.fromkeys(paths, ()))
    assert all(one.last is None or one.last.path == path for path, one in found.items())
    return {path: one.last and one.last.commit.authored.seconds // DAY - 18_000 for path, one in found.items()}


@pytest.fixture
def nested(repo: Any, make_repo: Any, tmp_path: Path) -> Any:
    """A repository with a page, and a submodule with another one of the same name and one of its own."""
    other = make_repo(tmp_path / "other")
    other.commit("theirs", {"docs/a.md": "theirs\n", "docs/b.md": "1\n"}, at=day(5))
    other.commit("theirs, too", {"docs/b.md": "2\n"}, at=day(6))
    repo.commit("ours", {"docs/a.md": "ours\n"}, at=day(1))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "vendor/docs")
    repo.commit("with the submodule", at=day(8))
    return repo


def test_a_submodule_is_judged_by_its_own_history(nested: Any) -> None:
    reader = read(nested.root, Further(nested.root / "vendor/docs", ""))
    facts = reader.repository
    assert (facts.problem, facts.prefix, facts.root) == ("", "public", str(nested.root))
    assert {"docs/a.md", "vendor/docs/docs/a.md", "vendor/docs/docs/b.md"} <= facts.tracked
    assert days(reader, "docs/a.md", "vendor/docs/docs/a.md", "vendor/docs/docs/b.md", "none.md") == {
        "docs/a.md": 1,
        "vendor/docs/docs/a.md": 5,
        "vendor/docs/docs/b.md": 6,
        "none.md": None,
    }
    with isolated_git():
        assert reader.blob("docs/a.md") == b"ours\n"
        assert reader.blob("vendor/docs/docs/a.md") == b"theirs\n"
        assert reader.ids["vendor/docs/docs/b.md"] != reader.ids["docs/a.md"]
        last = reader.walk({"vendor/docs/docs/b.md": ()})["vendor/docs/docs/b.md"].last
        assert last is not None
        assert reader.subjects([last.commit.id]) == {last.commit.id: "theirs, too"}
        trails = reader.trails(["vendor/docs/docs/b.md"], lambda *_: "", lambda path, _v, _w: path.startswith("vendor"))
        assert [change.path for change in trails["vendor/docs/docs/b.md"].changes] == ["vendor/docs/docs/b.md"] * 2
        told = reader.why_untracked(["vendor/docs/Docs/a.md", "Docs/a.md"])
    assert told["Docs/a.md"] == ("case", "git tracks docs/a.md, not Docs/a.md")
    assert told["vendor/docs/Docs/a.md"] == ("case", "git tracks docs/a.md, not Docs/a.md (in vendor/docs/)")
    assert [(root.prefix, root.shallow) for root in facts.roots] == [("", False), ("vendor/docs", False)]
    reader.close()


def test_edits_in_each_root_are_seen(nested: Any) -> None:
    nested.write("docs/a.md", "edited\n")
    (nested.root / "vendor/docs/docs/b.md").write_text("edited\n")
    facts = read(nested.root, Further(nested.root / "vendor/docs", "theirs")).repository
    assert facts.edited == {"docs/a.md", "theirs/docs/b.md"}


def test_of_two_checkouts_side_by_side_each_is_shallow_by_itself(repo: Any, make_repo: Any, tmp_path: Path) -> None:
    base = tmp_path / "site"
    for name in ("content", "translated"):
        source = make_repo(tmp_path / f"from-{name}")
        source.commit("one", {"a.md": "1\n", "b.md": "1\n"}, at=day(1))
        source.commit("two", {"b.md": "2\n"}, at=day(2))
        depth = ["--depth=1"] if name == "translated" else []
        source.git("clone", "-q", *depth, f"file://{source.root}", str(base / name))
    reader = read(base, Further(base / "content", ""), Further(base / "translated", "fr"))
    facts = reader.repository
    assert (facts.problem, facts.root, facts.prefix, facts.shallow) == ("", str(base), "public", True)
    assert [(root.shown, root.shallow) for root in facts.roots] == [("content/", False), ("fr/", True)]
    assert days(reader, "content/a.md", "content/b.md", "fr/a.md") == {
        "content/a.md": 1,
        "content/b.md": 2,
        "fr/a.md": 2,
    }
    with isolated_git():
        found = reader.walk({"content/a.md": (), "fr/a.md": ()})
    assert [one.last is not None and one.last.edge for one in found.values()] == [False, True]


def test_a_root_in_trouble_does_not_spoil_the_others(nested: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = nested.root / "broken"
    broken.mkdir()
    (broken / ".git").write_text("gitdir: /nowhere\n")
    reader = read(nested.root, Further(broken, ""))
    assert reader.repository.problem == ""
    assert [(root.shown, bool(root.problem)) for root in reader.repository.roots] == [
        ("the main repository", False),
        ("broken/", True),
    ]
    assert days(reader, "docs/a.md") == {"docs/a.md": 1}
    with isolated_git():
        assert reader.walk({"broken/x.md": ()})["broken/x.md"].unknown
        assert reader.why_untracked(["broken/x.md"])["broken/x.md"][0] == "no-history"
        assert reader.blob("broken/x.md") is None


def test_roots_that_cannot_be_used(nested: Any) -> None:
    with pytest.raises(UserError, match="there is no folder"):
        read(nested.root, Further(nested.root / "none", ""))
    with pytest.raises(UserError, match="a folder of the main repository"):
        read(nested.root, Further(nested.root / "docs", ""))
    twice = Further(nested.root / "vendor/docs", "x")
    with pytest.raises(UserError, match="two roots go by 'x'"):
        read(nested.root, twice, twice)


def test_variables_of_a_hook_do_not_lead_to_another_root(nested: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(nested.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(nested.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(nested.root / ".git/index"))
    nested.write("docs/a.md", "staged\n")
    nested.git("add", "docs/a.md")
    reader = read(nested.root, Further(nested.root / "vendor/docs", ""))
    assert reader.repository.staged == {"docs/a.md"}
    assert days(reader, "vendor/docs/docs/b.md") == {"vendor/docs/docs/b.md": 6}
