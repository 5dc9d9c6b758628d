"""Which files a report replaces: earlier reports, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROJECT
from msgspec.structs import replace
from sample import rich_result, summary
from sites import BASE, build, html, sitemap

from sitemap_guard import baseline, cli
from sitemap_guard.notify import state
from sitemap_guard.reports import FORMATS
from sitemap_guard.reports.earlier import LOOKED_AT, is_report
from sitemap_guard.reports.style import Style


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_knows_itself(name: str) -> None:
    full = rich_result()
    site = replace(full.site, base_url="", entries=(), sitemaps=(), fit="")
    bare = replace(full, findings=(), skipped=(), notes=(), site=site, summary=summary(site, ()))
    for result in (full, bare, replace(bare, notes=full.notes)):
        made = FORMATS[name](result, Style(everything=True)).encode()
        assert is_report(made[:LOOKED_AT])


def test_nothing_else_is_taken_for_one(tmp_path: Path) -> None:
    baseline.write(tmp_path / "baseline.json", baseline.counted(rich_result().findings), "sitemap-guard 1")
    state.write(tmp_path / "state.json", {BASE: None})
    others = [
        sitemap((BASE, "2026-01-01")),
        html("index.html"),
        html("index.html").replace("<title>t</title>", "<title>Docs - sitemap-guard</title>"),
        "# sitemap-guard\n",
        'site = "public"\n',
        '[\n  {"description": "x", "check_name": "no-unused-vars", "fingerprint": "1"}]',
        '{"$schema": "x", "runs": [{"tool": {"driver": {"name": "ESLint"}}}]}',
        '<?xml version="1.0"?><testsuites name="pytest">',
        "{}",
        "::error::x",
        "\0\1",
        *((tmp_path / name).read_text() for name in ("baseline.json", "state.json")),
        *(file.read_text("utf-8") for file in (PROJECT / "docs").glob("*.md")),
        (PROJECT / "README.md").read_text("utf-8"),
    ]
    for text in others:
        assert not is_report(text.encode()[:LOOKED_AT]), text[:80]
    assert is_report(b"")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    build(tmp_path / "public", {"index.html": html("index.html")}, [(BASE, None)])
    (tmp_path / "sitemap-guard.toml").write_text("site = 'public'\n")
    (tmp_path / "notes.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("file", ["public/sitemap.xml", "sitemap-guard.toml", "notes.txt", "public/index.html"])
@pytest.mark.parametrize("command", ["check --output json=", "check --output text=", "report --output "])
def test_no_other_file_is_replaced(site: Path, command: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = (site / file).read_bytes()
    assert cli.main(f"{command}{file}".split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{file}: there is a file already that is no report; name another, or move it away first" in err
    assert len(err.splitlines()) == 1
    assert (site / file).read_bytes() == before
    assert cli.main(f"check --no-cache --write-baseline --baseline {file}".split()) == 2
    assert f"{file}: there is a file already that is no baseline of ours" in capsys.readouterr().err
    assert (site / file).read_bytes() == before


def test_a_report_and_an_empty_file_are_replaced(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "out").touch()
    for name in FORMATS:
        cli.main(["check", "--fail-on", "never", "--output", f"{name}=out"])
        assert is_report((site / "out").read_bytes()[:LOOKED_AT])
    assert cli.main(["report", "--output", "out"]) == 0
    for _ in range(2):
        cli.main(["check", "--no-cache", "--write-baseline", "--baseline", "known.json"])
        assert '"findings"' in (site / "known.json").read_text()
    assert capsys.readouterr().err.count("known now (known.json)") == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["check", "--output", "json=-"], "'json=-': standard output is for --format json; name a file here"),
        (["check", "--output", "json="], "'json=' is not FORMAT=FILE"),
        (["check", "--output", "json= "], "'json= ' is not FORMAT=FILE"),
        (["check", "--output", "json=public"], "public is a folder; name a file in it"),
        (["check", "--output", "json=new/"], "new/ is a folder; name a file in it"),
        (["report", "--output", "public"], "public is a folder; name a file in it"),
        (["report", "--output", " "], "' ' is no name of a file; name one"),
        (["check", "--output", "json=notes.txt/x"], "notes.txt/x: the report cannot be written: "),
    ],
)
def test_what_is_no_place_for_a_report_is_told(
    site: Path, given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(given) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
