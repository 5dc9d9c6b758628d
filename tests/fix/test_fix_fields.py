"""`fix --fields`: date fields in sources, where their place is certain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build, html

from sitemap_guard import api, cli
from sitemap_guard.fix.fields import _span

JAN, MARCH = 1767225600, 1772323200  # 2026-01-01, 2026-03-01


def test_a_stale_field_is_set_and_the_rest_of_the_source_stays(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    head = "---\r\ntitle: \"a: b\"\r\nlastmod: '2026-01-01'  # by hand\r\n---\r\n"
    repo.write(".gitignore", "public/\n")
    repo.commit("one", {"content/a.md": head + "one\n", "content/b.md": "---\ndate: 2026-01-01\n---\none\n"}, at=JAN)
    repo.commit(
        "two", {"content/a.md": head + "another text\n", "content/b.md": "---\ndate: 2026-01-01\n---\nno\n"}, at=MARCH
    )
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md") for name in "ab"}
    build(repo.root / "public", pages, [(f"{BASE}{name}/", "2026-01-01") for name in "ab"])
    before = Path.cwd()
    os.chdir(repo.root)
    try:
        assert cli.main(["fix", "--no-cache", "--fields", "--diff"]) == 1
        assert "+lastmod: '2026-03-01'  # by hand\r\n" in capsys.readouterr().out
        assert cli.main(["fix", "--no-cache", "--fields"]) == 0
        assert (repo.root / "content/a.md").read_bytes() == head.replace(
            "'2026-01-01'", "'2026-03-01'"
        ).encode() + b"another text\n"
        repo.commit("three", at=MARCH + 999)
        build(repo.root / "public", pages, [(f"{BASE}a/", "2026-03-01"), (f"{BASE}b/", "2026-01-01")])
        result = api.check("public", cache=False)
        assert [f.path for f in result.findings if f.rule == "lastmod-field-stale"] in ([], ["content/b.md"])
        assert cli.main(["fix", "--no-cache", "--fields"]) == 0
        assert repo.git("status", "--porcelain") == ""
    finally:
        os.chdir(before)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("lastmod: 2026-01-01", "2026-01-01"),
        ('lastmod = "2026-01-01" # x', "2026-01-01"),
        ("  'lastmod' : 2026-01-01,", "2026-01-01"),
        ('"lastmod": "2026-01-01",', "2026-01-01"),
        (":lastmod: 2026-01-01", "2026-01-01"),
    ],
)
def test_plain_lines(line: str, value: str) -> None:
    data = f"---\n{line}\n".encode()
    span = _span(data, 2, "lastmod", value)
    assert span is not None
    assert data[slice(*span)] == value.encode()


@pytest.mark.parametrize(
    "line", ["lastmod: [2026-01-01]", "{lastmod: 2026-01-01}", "x: 2026-01-01", "lastmod: &a 2026-01-01"]
)
def test_other_lines_are_not_certain(line: str) -> None:
    assert _span(f"---\n{line}\n".encode(), 2, "lastmod", "2026-01-01") is None
