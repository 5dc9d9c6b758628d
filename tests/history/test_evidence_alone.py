"""An evidence file with no repository at all: every question has an answer, and every command comes to its end."""

from __future__ import annotations

import inspect
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from sites import BASE, MARCH, MAY, build, edited, run_cli

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.opening import open_site_history
from sitemap_guard.history.reader import HistoryReader
from sitemap_guard.model import UserError

DAY = 86400
NAMES = "abcdefghijkl"
KEY = "0123456789abcdef"
# A moment at which a file that many pages share was changed, and one of another page's change.
LAYOUT, OTHER = "2026-04-10T09:00:00Z", "2026-05-01T09:00:00Z"


@pytest.fixture
def exported(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The files of a repository without it, and evidence made from it: twelve pages of March, one of May."""
    text = "---\ndate: 2026-01-01\nlastmod: 2026-02-01\n---\n"
    pages = {f"content/{name}.md": f"{text}{name}\n" for name in NAMES}
    repo.commit("pages", pages | {".gitignore": "/public/\n"}, at=MARCH, zone="+0100")
    repo.commit("layout", {"layouts/base.html": "x\n"}, at=MARCH + 40 * DAY)
    repo.commit("other", {"content/m.md": "m\n"}, at=MAY)
    monkeypatch.chdir(repo.root)
    code, out, _ = run_cli(capsys, "dates", "--format", "csv")
    assert code == 0
    folder = tmp_path / "exported"
    shutil.copytree(repo.root, folder, ignore=shutil.ignore_patterns(".git"))
    (folder / "dates.csv").write_text(out, "utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_every_question_is_answered_from_the_evidence_or_not_known(exported: Path) -> None:
    ever = [(0, 1 << 40)]
    asked: dict[str, Callable[[HistoryReader], Any]] = {
        "blob": lambda reader: reader.blob("content/a.md"),
        "commits_at": lambda reader: reader.commits_at(ever),
        "content": lambda reader: reader.content("a" * 40),
        "modified": lambda reader: reader.modified("content/a.md"),
        "read_ahead": lambda reader: reader.read_ahead(1 << 20),
        "remotes": lambda reader: reader.remotes(),
        "staged_ids": lambda reader: reader.staged_ids(["content/a.md"]),
        "subjects": lambda reader: reader.subjects(["a" * 40]),
        "trails": lambda reader: reader.trails(["content/a.md"], lambda *_: "", lambda *_: True),
        "untracked": lambda reader: reader.untracked(),
        "walk": lambda reader: reader.walk({"content/a.md": (ever[0],)}),
        "why_untracked": lambda reader: reader.why_untracked(["none.md"]),
    }
    with isolated_git(), open_site_history(exported, exported, base=exported, evidence="dates.csv") as reader:
        answers = {name: ask(reader) for name, ask in asked.items()}
        with pytest.raises(UserError):  # only who names a revision needs one
            reader.since("HEAD~1")
    public = {name for name, _ in inspect.getmembers(HistoryReader, inspect.isfunction) if not name.startswith("_")}
    assert public == asked.keys() | {"since", "close"}
    assert answers["walk"]["content/a.md"].last.kind == "evidence"
    assert answers["blob"].endswith(b"a\n")
    assert answers["modified"] > 0
    assert not any(answers[name] for name in ("commits_at", "content", "staged_ids", "subjects", "trails"))


@pytest.mark.parametrize(
    ("claimed", "rule"),
    [
        (LAYOUT, "lastmod-too-new"),  # only a shared file changed then
        (OTHER, "lastmod-too-new"),  # another page did
        ("2026-10-01T09:00:00Z", "lastmod-too-new"),
        ("2026-10-01", "lastmod-too-new"),
        ("2999-01-01", "lastmod-future"),
        ("2020-01-01", "lastmod-too-old"),
        ("1970-01-01T00:00:00Z", "lastmod-placeholder"),
        ("2026-03-01T10:00:00Z", "lastmod-too-new"),  # local time as UTC
        ("2026-03-01 09:00", "lastmod-format"),
        ("2026-01-01", "lastmod-field-stale"),
    ],
)
def test_false_dates_of_every_cause_end_no_command(
    exported: Path, capsys: pytest.CaptureFixture[str], claimed: str, rule: str
) -> None:
    # On most pages one value would be a constant, whatever else it is.
    few = NAMES[:4]
    for false in (NAMES, few):
        dates = [(f"{BASE}{name}/", claimed if name in false else "2026-03-01T09:00:00Z") for name in NAMES]
        build(exported / "public", edited(NAMES), dates)
        code, out, err = run_cli(capsys, "check", "--evidence", "dates.csv", "--format", "json")
        report = json.loads(out)
        assert err == ""
        if rule == "lastmod-field-stale":  # how old a field is, evidence does not say
            assert (code, report["summary"]["dates"]["true"]) == (0, len(NAMES))
            return
        assert (code, report["summary"]["dates"]["false"]) == (1, len(false))
        assert {finding["rule"] for finding in report["findings"]} >= {rule}
    shutil.copy("public/sitemap.xml", "old.xml")
    Path(f"public/{KEY}.txt").write_text(KEY)
    for line in (
        "check --staged",
        "check -v --format html",
        "why /a/",
        "report",
        "fix --diff",
        "changed --since old.xml",
        f"indexnow --since old.xml --dry-run --force --key-file public/{KEY}.txt",
    ):
        code, out, err = run_cli(capsys, *line.split(), "--evidence", "dates.csv")
        assert code in (0, 1), (line, err)
        assert "no history to read" not in out + err
