"""`sitemap-guard map` and `sitemap-guard init`, from argv to exit code."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, MARCH, build, html, run_cli

from sitemap_guard import config


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A Hugo site: a page by name, one by an edit link, a list without a file, pages of an unknown kind."""
    files = {f"lib/items/i{n}.txt": "x" for n in range(3)}
    files |= {"hugo.toml": "baseURL = 'x'", "content/a.md": "a", "data/b.md": "b", ".gitignore": "/public/\n"}
    repo.commit("One", files, at=MARCH)
    paths = ["a/", "b/", "tags/x/", *(f"items/i{n}/" for n in range(3)), "lost/"]
    pages = {
        f"{path}index.html": html(f"{path}index.html", source="data/b.md" if path == "b/" else "") for path in paths
    }
    build(repo.root / "public", pages, [(BASE + path, None) for path in paths])
    (repo.root / "public" / "robots.txt").write_text(f"Sitemap: {BASE}sitemap.xml\n")
    monkeypatch.chdir(repo.root)
    return repo


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_cli(capsys, *args)


def test_text_tells_source_way_and_counts(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "map")
    assert code == 0
    assert "https://docs.example.org/a/  content/a.md  [generator hugo]" in out
    assert "https://docs.example.org/b/  data/b.md  [edit-link]" in out
    assert "https://docs.example.org/tags/x/  -  [list without a file]\n" in out
    assert "7 pages: 2 with a source, 1 lists without a file, 4 without" in out
    assert "hugo in the root" in out


def test_the_counts_add_up_and_say_what_is_only_not_tracked(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.commit(
        "Section",
        {"content/docs/_index.md": "d", "content/docs/x.md": "x", ".gitignore": "/public/\n*.tmp.md\n"},
        at=MARCH,
    )
    for name in ("new", "kept.tmp"):
        site.write(f"content/docs/{name}.md", "x")
    paths = ["docs/", "docs/x/", "docs/new/", "docs/kept.tmp/", "tags/x/", "lost/"]
    build(
        site.root / "public",
        {f"{p}index.html": html(f"{p}index.html") for p in paths},
        [(BASE + p, None) for p in paths],
    )
    _, out, _ = run(capsys, "map")
    assert "content/docs/new.md is there, but git does not track it: git add it; " in out
    assert "git ignores content/docs/kept.tmp.md by .gitignore:2; " in out
    lines = out.splitlines()
    at = lines.index("6 pages: 2 with a source (1 of them lists), 1 lists without a file, 3 without")
    assert [line.split(maxsplit=1) for line in lines[at + 1 :] if line.startswith(" ")] == [
        ["2", "generator hugo"], ["1", "ignored"], ["1", "list without a file"], ["1", "none"], ["1", "untracked"],
    ]  # fmt: skip


def test_csv_and_json(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "map", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["source"] for row in rows[:3]] == ["content/a.md", "data/b.md", ""]
    _, out, _ = run(capsys, "map", "--format", "json")
    table = json.loads(out)
    assert table["summary"]["ways"] == {"edit-link": 1, "generator hugo": 1, "list without a file": 1, "none": 4}
    assert table["summary"]["generators"] == [{"name": "hugo", "folder": "", "configured": True}]
    assert table["pages"][2]["kind"] == "list"


def test_check_scores_against_a_table(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        ("a/", "content/a.md", "page"),
        ("b/", "content/b.md", "page"),
        ("lost/", "x.md", "page"),
        ("tags/x/", "", "list"),
    ]
    text = "url\tsource\tkind\n" + "".join(f"{BASE}{path}\t{source}\t{kind}\n" for path, source, kind in rows)
    (site.root / "truth.tsv").write_text(text)
    code, out, _ = run(capsys, "map", "--check", "truth.tsv")
    assert code == 1
    assert out.splitlines()[:2] == ["right 1, wrong 1, missing 1", "lists recognised 1 of 1"]
    assert "wrong: https://docs.example.org/b/  is content/b.md, found data/b.md" in out
    (site.root / "truth.tsv").write_text(f"url\tsource\n{BASE}a/\tcontent/a.md\n")
    assert run(capsys, "map", "--check", "truth.tsv")[0] == 0
    (site.root / "truth.tsv").write_text("loc,file\n")
    assert run(capsys, "map", "--check", "truth.tsv")[0] == 2


def test_init_writes_what_raises_the_coverage_and_never_overwrites(
    site: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "init")
    assert code == 0
    assert "before: 2 of 7 pages have a source" in out
    assert "after:  5 of 7 pages have a source" in out
    written = site.root / config.FILE_NAME
    settings = config.parse(written.read_text(), written)
    assert (settings.site, settings.base_url) == ("public", BASE)
    assert [(rule.url, rule.path) for rule in settings.source] == [("/items/{name}/", "lib/items/{name}.txt")]
    before = written.read_text()
    code, _, err = run(capsys, "init")
    assert code == 2
    assert "there is a configuration already" in err
    assert written.read_text() == before


def test_a_pyproject_with_settings_is_a_configuration_too(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (site.root / "pyproject.toml").write_text("[tool.sitemap-guard]\nsite = 'public'\n")
    assert run(capsys, "init")[0] == 2
    assert not (site.root / config.FILE_NAME).exists()


def test_without_a_repository_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build(tmp_path / "public", {"a/index.html": html("a/index.html")}, [(BASE + "a/", None)])
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "map")
    assert code == 2
    assert "no git repository" in err


def test_the_table_may_come_through_a_pipe(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"\xef\xbb\xbfurl\tsource\nhttps://docs.example.org/a/\tcontent/a.md\n")
    os.close(writing)
    try:
        code, out, _ = run(capsys, "map", "--check", f"/dev/fd/{reading}")
    finally:
        os.close(reading)
    assert (code, out.splitlines()[0]) == (0, "right 1, wrong 0, missing 0")
