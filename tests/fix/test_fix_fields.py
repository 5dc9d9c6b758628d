"""`fix --fields`: date fields in sources, where their place is certain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Repo
from msgspec.structs import replace
from sites import BASE, build, html

from sitemap_guard import api, cli
from sitemap_guard.fix import Changed, plan_fields, write_all
from sitemap_guard.model import UserError

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


HEADS = {
    "yaml.md": ('---\ntitle: x\nlastmod: "2026-01-01"   # by hand\n---\n', '"2026-03-01"'),
    "crlf.md": ("---\r\nlastmod: 2026-01-01\r\ntitle: x\r\n---\r\n", "lastmod: 2026-03-01\r\n"),
    "bom.md": ("\ufeff---\nlastmod: 2026-01-01\n---\n", "2026-03-01"),
    "blank.md": ("---\nlastmod: 2026-01-01 08:00:00 +0800\n---\n", "2026-03-01 08:00:00 +0800"),
    "zone.md": ("---\nlastmod: 2026-01-01T01:00:00+01:00\n---\n", "2026-03-01T01:00:00+01:00"),
    "part.md": ("---\nlastmod: 2026-01-01T00:00:00.000Z\n---\n", "2026-03-01T00:00:00.000Z"),
    "wall.md": ("---\nupdated: 2026-01-01 00:00\n---\n", "2026-03-01 01:00\n"),
    "slash.md": ("---\nlastmod: 2026/01/01\n---\n", "2026/03/01"),
    "flow.md": ("---\n{title: x, lastmod: 2026-01-01}\n---\n", "lastmod: 2026-03-01}"),
    "nested.md": ("---\nlast_update:\n  date: 2026-01-01\n  author: me\n---\n", "  date: 2026-03-01"),
    "inline.md": ("---\nlast_update: {date: 2026-01-01, author: me}\n---\n", "{date: 2026-03-01,"),
    "case.md": ("---\nLastmod: 2026-01-01\n---\n", "Lastmod: 2026-03-01"),
    "other.md": ("---\nextra:\n  lastmod: 2025-05-05\nlastmod: 2026-01-01\n---\n", "\nlastmod: 2026-03-01"),
    "text.md": ("---\nnote: |\n  lastmod: 2026-01-01\nlastmod: 2026-01-01\n---\n", "\nlastmod: 2026-03-01"),
    "comment.md": ("---\n# lastmod: 2026-01-01\nlastmod: 2026-01-01\n---\n", "\nlastmod: 2026-03-01"),
    "toml.md": ("+++\nlastmod = 2026-01-01 # by hand\n+++\n", "lastmod = 2026-03-01 # by hand"),
    "time.md": ("+++\nlastmod = 2026-01-01T00:00:00Z\n+++\n", "2026-03-01T00:00:00Z"),
    "local.md": ("+++\nlastmod = 2026-01-01T00:00:00\n+++\n", "2026-03-01T01:00:00\n"),
    "json.md": ('{\n  "lastmod": "2026-01-01",\n  "b": 1\n}\n', '"lastmod": "2026-03-01",'),
    "line.md": ('{"title": "x", "lastmod": "2026-01-01", "b": 1}\n', '"lastmod": "2026-03-01",'),
    "org.org": ("#+TITLE: x\n#+LASTMOD: [2026-01-01 Thu]\n\n", "#+LASTMOD: [2026-03-01 Sun]"),
    "hugo.org": ("#+title: x\n#+hugo_lastmod: <2026-01-01 Thu 10:00>\n\n", "<2026-03-01 Sun 01:00>"),
    "adoc.adoc": ("= X\n:lastmod: 2026-01-01\n\n", ":lastmod: 2026-03-01"),
    "plain.md": ("Title: x\nModified: 2026-01-01\n\n", "Modified: 2026-03-01"),
    "latin.md": (b"---\ntitle: caf\xe9\nlastmod: 2026-01-01\n---\n", "2026-03-01"),
}
LEFT = {
    "words.md": "---\nlastmod: Jan 1, 2026\n---\n",
    "anchor.md": "---\nextra: &day 2026-01-01\nlastmod: *day\n---\n",
    "week.org": "#+lastmod: [2026-01-01 Do]\n\n",
}


def test_every_way_of_writing_a_date_is_kept(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    heads = {name: head if isinstance(head, bytes) else head.encode() for name, (head, _) in HEADS.items()}
    heads |= {name: head.encode() for name, head in LEFT.items()}
    repo.write(".gitignore", "public/\n")
    for at, text in ((JAN, b"one\n"), (MARCH, b"quite another text\n")):
        for name, head in heads.items():
            repo.write(f"content/{name}", head + text)
        repo.commit("change", at=at, zone="+0100")
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}") for name in heads}
    build(repo.root / "public", pages, [(f"{BASE}{name}/", "2026-01-01") for name in heads])
    before = Path.cwd()
    os.chdir(repo.root)
    try:
        assert cli.main(["fix", "--no-cache", "--fields"]) == 0
    finally:
        os.chdir(before)
    said = capsys.readouterr().err
    for name, head in heads.items():
        after = (repo.root / "content" / name).read_bytes()
        if name in LEFT:
            assert after == head + b"quite another text\n"
            continue
        assert HEADS[name][1].encode() in after, (name, after)
        old, new = head + b"quite another text\n", after
        differ = [place for place in range(len(old)) if old[place] != new[place]]
        assert len(old) == len(new), name
        assert differ, name
        assert differ[-1] - differ[0] < len("2026-01-01 Thu 10:00"), name
    assert f"{len(HEADS)} date fields set" in said
    left = ", ".join(sorted(f"content/{name}" for name in LEFT))
    assert sorted(said.partition(": their date fields are left")[0].splitlines()[-1].split(", ")) == left.split(", ")


def test_a_field_without_a_zone_is_set_in_the_zone_that_the_claim_tells(repo: Repo) -> None:
    head = "---\nlastmod: 2026-01-01 18:00:00\n---\n"
    repo.write(".gitignore", "public/\n")
    repo.write("_config.yml", "timezone: Asia/Shanghai\n")
    repo.commit("one", {"content/a.md": head + "one\n"}, at=JAN + 36000)
    repo.commit("two", {"content/a.md": head + "another text\n"}, at=MARCH, zone="-0500")
    page = {"a/index.html": html("a/index.html", source="content/a.md")}
    build(repo.root / "public", page, [(f"{BASE}a/", "2026-01-01T10:00:00Z")])
    result = api.check("public", start=repo.root, cache=False)
    [planned], left = plan_fields(result)
    assert left == []
    assert b"lastmod: 2026-03-01 08:00:00\n" in planned.after


def test_a_source_that_is_elsewhere_is_left(repo: Repo) -> None:
    head = "---\nlastmod: 2026-01-01\n---\n"
    repo.write(".gitignore", "public/\n")
    repo.commit("one", {"content/a.md": head + "one\n"}, at=JAN)
    repo.commit("two", {"content/a.md": head + "another text\n"}, at=MARCH)
    page = {"a/index.html": html("a/index.html", source="content/a.md")}
    build(repo.root / "public", page, [(f"{BASE}a/", "2026-01-01")])
    result = api.check("public", start=repo.root, cache=False)
    (repo.root / "content/a.md").unlink()
    assert plan_fields(result) == ([], [("content/a.md", "this is no regular file that git tracks here")])


def test_a_source_that_must_not_be_written_keeps_no_other_from_being_mended(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "---\nlastmod: 2026-01-01\n---\n"
    repo.write(".gitignore", "public/\nother.md\n")
    repo.commit("one", {f"content/{name}.md": f"{head}one {name}\n" for name in "abc"}, at=JAN)
    repo.commit("two", {f"content/{name}.md": f"{head}another text {name}\n" for name in "abc"}, at=MARCH)
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md") for name in "abc"}
    build(repo.root / "public", pages, [(f"{BASE}{name}/", "2026-01-01") for name in "abc"])
    (repo.root / "content/a.md").chmod(0o444)
    os.link(repo.root / "content/b.md", repo.root / "other.md")
    monkeypatch.chdir(repo.root)
    assert cli.main(["fix", "--no-cache", "--fields"]) == 0
    said = capsys.readouterr().err
    assert "content/a.md: its date field is left as it is, since it is read-only" in said
    assert "content/b.md: its date field is left as it is, since it has another name (a hard link)" in said
    assert [head in (repo.root / f"content/{name}.md").read_text() for name in "abc"] == [True, True, False]


def test_a_file_that_became_read_only_is_not_said_to_have_changed(repo: Repo) -> None:
    repo.commit("one", {"content/a.md": "old"}, at=JAN)
    build(repo.root / "public", {}, [(f"{BASE}a/", "2026-01-01")])
    result = api.check("public", start=repo.root, cache=False)
    (repo.root / "content/a.md").chmod(0o444)
    root = replace(result.site, folder=str(repo.root), shown="")
    with pytest.raises(UserError, match=r"content/a\.md: it is read-only; nothing was written"):
        write_all(root, [Changed("content/a.md", b"old", b"new")])
