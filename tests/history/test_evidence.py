"""Evidence files: written where history is whole, read where it is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sitemap_guard import cli
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.evidence import COLUMNS, blob_id, read_evidence
from sitemap_guard.history.opening import open_site_history
from sitemap_guard.history.reader import HistoryReader
from sitemap_guard.model import PathHistory, UserError

DAY = 86400


def day(number: int) -> int:
    """The first second of a day counted from 2019-04-14."""
    return (18_000 + number) * DAY


@pytest.fixture
def source(repo: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two pages, one of which went through a merge that brought it nothing, and one with a strange name."""
    repo.commit("one", {"a.md": "a\n", "b.md": "b\n", 'é "x",\n.md': "c\n"}, at=day(1), zone="+0200", committed=day(2))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("two", {"b.md": "bb\n"}, at=day(3), zone="-0730")
    repo.git("checkout", "-q", "main")
    repo.commit("three", {"a.md": "a  \n"}, at=day(4))
    when = {"GIT_AUTHOR_DATE": f"{day(6)} +0000", "GIT_COMMITTER_DATE": f"{day(6)} +0000"}
    repo.git("merge", "-q", "--no-ff", "--no-edit", "side", env=when)
    monkeypatch.chdir(repo.root)
    return repo


def evidence(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert cli.main(["dates", "--format", "csv", *args]) == 0
    return capsys.readouterr().out


def read(start: Path, file: Path, base: Path | None = None) -> HistoryReader:
    with isolated_git():
        return open_site_history(start, start / "public", base=base or start, evidence=str(file))


def walk(reader: HistoryReader) -> dict[str, PathHistory]:
    with isolated_git():
        return reader.walk(dict.fromkeys(sorted(reader.repository.tracked), ()))


def days(reader: HistoryReader) -> dict[str, int | None]:
    return {path: one.last and one.last.commit.authored.seconds // DAY - 18_000 for path, one in walk(reader).items()}


def test_the_file_has_all_that_a_claim_can_stand_on(source: Any, capsys: pytest.CaptureFixture[str]) -> None:
    first, names, *rows = evidence(capsys).splitlines()
    assert first == f"# sitemap-guard dates 1 at {source.git('rev-parse', 'HEAD').strip()}"
    assert names == ",".join(COLUMNS)
    told = [row.split(",") for row in rows if row.startswith(("a.md", "b.md"))]
    assert [(row[0], row[2][:10], row[4][:10], row[6]) for row in told] == [
        ("a.md", "2019-04-18", "2019-04-18", "change"),
        ("a.md", "2019-04-20", "2019-04-20", "merge"),
        ("a.md", "2019-04-15", "2019-04-16", "older"),  # since then only white space
        ("b.md", "2019-04-16", "2019-04-20", "change"),
        ("b.md", "2019-04-20", "2019-04-20", "merge"),
    ]
    assert told[3][2] == "2019-04-16T16:30:00-07:30"


def test_evidence_may_be_of_some_paths_and_be_shown_as_text(source: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert "b.md" not in evidence(capsys, "a.md")
    assert cli.main(["dates", "b.md"]) == 0
    out = capsys.readouterr().out
    assert "2019-04-16T16:30:00-07:30  2019-04-16T16:30:00-07:30  2019-04-20T00:00:00Z" in out
    assert cli.main(["dates", "none"]) == 2
    assert "git tracks no such file" in capsys.readouterr().err


def test_names_that_are_not_utf_8_come_back_as_they_are(source: Any, tmp_path: Path) -> None:
    names = [b"\xff.md", b"caf\xe9/\r.md", b"\xc3\xa9.md"]
    for name in names:
        Path(source.root, os.fsdecode(name)).parent.mkdir(exist_ok=True)
        Path(source.root, os.fsdecode(name)).write_text("x")
    source.commit("four", at=day(9))
    file = tmp_path / "evidence.csv"
    command = [sys.executable, "-m", "sitemap_guard", "dates", "--format", "csv"]
    with file.open("wb") as stream:
        subprocess.run(command, cwd=source.root, stdout=stream, check=True)
    assert set(map(os.fsdecode, names)) <= read_evidence(file).histories.keys()
    shutil.rmtree(source.root / ".git")
    found = days(read(source.root, file))
    assert [found[os.fsdecode(name)] for name in names] == [9, 9, 9]


def test_evidence_stands_in_where_there_is_no_repository(
    source: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evidence.csv"
    file.write_text(evidence(capsys), "utf-8")
    bare = tmp_path / "bare"
    shutil.copytree(source.root, bare, ignore=shutil.ignore_patterns(".git"))
    reader = read(bare, file)
    assert (reader.repository.problem, reader.repository.prefix, reader.repository.root) == ("", "public", str(bare))
    assert days(reader) == {"a.md": 4, "b.md": 3, 'é "x",\n.md': 1}
    with isolated_git(), open_site_history(source.root, source.root, base=source.root) as whole:
        full = whole.walk(dict.fromkeys(whole.repository.tracked, ()))
    told = walk(reader)
    assert {path: one.last and one.last.commit for path, one in told.items()} == {
        path: one.last and one.last.commit for path, one in full.items()
    }
    assert {one.last.kind for one in told.values() if one.last} == {"evidence"}
    (bare / "b.md").write_text("another\n")
    (bare / "a.md").write_bytes(b"a  \r\n")
    (bare / 'é "x",\n.md').unlink()
    reader = read(bare, file)
    assert days(reader) == {"a.md": 4, "b.md": None}
    assert walk(reader)["b.md"].unknown.startswith("b.md is not what it was when ")


def test_evidence_stands_in_beyond_a_shallow_edge_for_the_same_content(
    source: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evidence.csv"
    file.write_text(evidence(capsys), "utf-8")
    source.commit("new", {"b.md": "newer\n"}, at=day(9))
    source.commit("newest", {"n.md": "n\n"}, at=day(10))
    clone = tmp_path / "clone"
    source.git("clone", "-q", "--depth=2", f"file://{source.root}", str(clone))
    found = walk(read(clone, file))
    assert {path: one.last and (one.last.kind, one.last.edge) for path, one in found.items()} == {
        "a.md": ("evidence", False),
        "b.md": ("change", True),  # its content is another one now
        "n.md": ("change", False),
        'é "x",\n.md': ("evidence", False),
    }
    assert "b.md is not what it was" in found["b.md"].unknown
    subprocess.run(["git", "-C", str(clone), "fetch", "-q", "--unshallow"], check=True)
    assert {one.last.kind for one in walk(read(clone, file)).values() if one.last} == {"change"}


def test_a_shallow_clone_gives_no_evidence_of_what_it_does_not_know(
    source: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source.commit("new", {"b.md": "newer\n"}, at=day(9))
    source.commit("newest", {"n.md": "n\n"}, at=day(10))
    source.git("clone", "-q", "--depth=2", f"file://{source.root}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert cli.main(["dates", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert [line.split(",")[0] for line in out.splitlines()[2:]] == ["n.md"]
    assert "3 of 4 files may have changed earlier" in err


ROW = "a.md,{blob},2026-03-01T10:00:00Z,2026-03-01T10:00:00Z,2026-03-01T10:00:00Z,{commit},change\n".format(
    blob="a" * 40, commit="b" * 40
)
HEAD = f"# sitemap-guard dates 1 at {'c' * 40}\n{','.join(COLUMNS)}\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "no evidence file"),
        ("path,date\na.md,2026-01-01\n", 1, "no evidence file"),
        (HEAD.replace("dates 1", "dates 2") + ROW, 1, "version 2"),
        (HEAD.replace("blob,", ""), 2, "the columns must be"),
        (HEAD + ROW.replace("a.md,", ""), 3, "a row must have 7 columns"),
        (HEAD + ROW.replace("a.md", "../a.md"), 3, "is no path of a repository"),
        (HEAD + ROW.replace("a.md", "/etc/passwd"), 3, "is no path of a repository"),
        (HEAD + ROW.replace("a" * 40, "a" * 39), 3, "whole object ids"),
        (HEAD + ROW.replace("10:00:00Z", "10:00:00", 1), 3, "is no time like"),
        (HEAD + ROW.replace("03-01", "13-01", 1), 3, ""),
        (HEAD + ROW.replace("change", "guess"), 3, "kind must be one of"),
        (HEAD + ROW + ROW, 4, "one row of kind change"),
        (HEAD + ROW + ROW.replace("a" * 40, "d" * 40).replace("change", "older"), 4, "two contents"),
        (HEAD + ROW.replace("a.md", '"a.md'), 3, ""),
    ],
)
def test_a_file_that_is_not_well_formed_is_refused(tmp_path: Path, text: str, line: int, why: str) -> None:
    file = tmp_path / "evidence.csv"
    file.write_text(text)
    with pytest.raises(UserError) as error:
        read_evidence(file)
    said = str(error.value)
    assert said.startswith(f"{file}:{line}:")
    assert why in said
    assert "sitemap-guard dates --format csv" in said
    assert "\n" not in said
    assert read_evidence(_good(tmp_path)).commit == "c" * 40


def _good(folder: Path) -> Path:
    file = folder / "good.csv"
    file.write_text(HEAD + ROW)
    return file


def test_a_file_that_is_not_there_is_refused(source: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source.root / "public").mkdir()
    (source.root / "public/sitemap.txt").write_text("https://a.example/\n")
    assert cli.main(["check", "public", "--evidence", str(tmp_path / "none.csv")]) == 2
    assert "the evidence cannot be read" in capsys.readouterr().err


def test_the_name_of_a_content_is_the_one_that_git_gives(source: Any) -> None:
    assert blob_id(b"bb\n") == source.git("rev-parse", "HEAD:b.md").strip()
    assert len(blob_id(b"", 64)) == 64


def test_staged_edits_are_asked_of_the_clone_that_the_evidence_helps(
    source: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evidence.csv"
    file.write_text(evidence(capsys), "utf-8")
    clone = tmp_path / "clone"
    source.git("clone", "-q", "--depth=1", f"file://{source.root}", str(clone))
    (clone / "b.md").write_text("staged\n")
    subprocess.run(["git", "-C", str(clone), "add", "b.md"], check=True)
    with isolated_git(), open_site_history(clone, clone, base=clone, evidence=str(file)) as reader:
        assert reader.staged_ids(["b.md", "none.md"]) == {"b.md": blob_id(b"staged\n")}
        assert [names for _, names in reader.commits_at([(day(4), day(5))])] == []
