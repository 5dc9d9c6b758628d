"""A baseline and a narrowed check across builds that look otherwise: other folders, split sitemaps, edited sitemaps."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, NAMESPACE, build, html, sitemap

from sitemap_guard import cli
from sitemap_guard.baseline import counted, key, write_whole
from sitemap_guard.model import Finding, Level, UserError

JAN, FEB, MARCH = 1767225600, 1769904000, 1772323200  # 2026-01-01, 2026-02-01, 2026-03-01
CLOCK = "2026-10-01T10:00:00Z"


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Three pages of January; two dates are the build's clock, and a fourth page is not listed."""
    repo.write(".gitignore", "/public/\n/other/\n")
    repo.commit("one", {f"content/{name}.md": "x\n" for name in "abc"}, at=JAN)
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md") for name in "abc"}
    pages["extra/index.html"] = html("extra/index.html")
    build(repo.root / "public", pages, [(f"{BASE}a/", "2026-01-01"), (f"{BASE}b/", CLOCK), (f"{BASE}c/", CLOCK)])
    monkeypatch.chdir(repo.root)
    return repo


def found(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    capsys.readouterr()
    cli.main(["check", "--no-cache", "--format", "json", *args])
    return [finding["rule"] for finding in json.loads(capsys.readouterr().out)["findings"]]


def listed(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    capsys.readouterr()
    cli.main(["check", "--no-cache", "--format", "json", *args])
    return [entry["loc"].removeprefix(BASE) for entry in json.loads(capsys.readouterr().out)["entries"]]


def index(*parts: tuple[str, str | None]) -> str:
    rows = "".join(
        f"<sitemap><loc>{BASE}{name}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</sitemap>"
        for name, date in parts
    )
    return f'<sitemapindex xmlns="{NAMESPACE}">{rows}</sitemapindex>'


def test_a_build_in_another_folder_has_the_same_faults(
    site: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sorted(found(capsys, "public")) == ["lastmod-too-new", "lastmod-too-new", "page-unlisted"]
    cli.main(["check", "--no-cache", "public", "--write-baseline", "--baseline", "known.json"])
    assert "public" not in (site.root / "known.json").read_text()
    shutil.copytree("public", "other")
    shutil.copytree("public", tmp_path / "build-4711")
    assert found(capsys, "other", "--baseline", "known.json") == []
    assert found(capsys, str(tmp_path / "build-4711"), "--repo", ".", "--baseline", "known.json") == []


def test_a_sitemap_that_is_split_has_the_same_faults(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["check", "--no-cache", "public", "--write-baseline", "--baseline", "known.json"])
    public = site.root / "public"
    (public / "one.xml").write_text(sitemap((f"{BASE}c/", CLOCK)))
    (public / "two.xml").write_text(sitemap((f"{BASE}b/", CLOCK), (f"{BASE}a/", "2026-01-01")))
    (public / "sitemap.xml").write_text(index(("one.xml", None), ("two.xml", None)))
    assert found(capsys, "public", "--baseline", "known.json") == []


def test_a_date_of_an_index_is_the_same_fault_whichever_page_is_newest(
    site: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    public = site.root / "public"

    def dated(c: str) -> None:
        rows = [(f"{BASE}a/", "2026-01-01"), (f"{BASE}b/", "2026-01-01"), (f"{BASE}c/", c), (f"{BASE}extra/", None)]
        (public / "pages.xml").write_text(sitemap(*rows))

    dated("2026-01-01")
    (public / "sitemap.xml").write_text(index(("pages.xml", "2025-06-01")))
    assert found(capsys, "public") == ["sitemap-index-lastmod"]
    cli.main(["check", "--no-cache", "public", "--write-baseline", "--baseline", "known.json"])
    site.commit("two", {"content/c.md": "y\n"}, at=FEB)
    dated("2026-02-01")
    assert found(capsys, "public", "--baseline", "known.json") == []
    (public / "more.xml").write_text(sitemap())
    (public / "sitemap.xml").write_text(index(("pages.xml", "2025-06-01"), ("more.xml", "soon")))
    assert "lastmod-format" in found(capsys, "public", "--baseline", "known.json")


def test_what_could_not_be_read_is_not_fixed(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["check", "--no-cache", "public", "--write-baseline", "--baseline", "known.json"])
    file = site.root / "public" / "sitemap.xml"
    file.write_text(file.read_text() + "<")
    rules = found(capsys, "public", "--baseline", "known.json")
    assert "sitemap-unreadable" in rules
    assert "baseline-fixed" not in rules


def test_another_alternate_that_is_wrong_is_new() -> None:
    one = Finding(
        "hreflang-return", Level.ERROR, f"names {BASE}fr/ (fr), which does not name it in return", f"{BASE}a/"
    )
    other = Finding(
        "hreflang-return", Level.ERROR, f"names {BASE}de/ (de), which does not name it in return", f"{BASE}a/"
    )
    assert key(one) != key(other)
    assert counted([one, other]).total() == 2


def test_a_baseline_or_state_keeps_its_link_and_its_mode(tmp_path: Path) -> None:
    file, link = tmp_path / "file.json", tmp_path / "link.json"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to("file.json")
    write_whole(link, "new", "the state")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_never_replaced_by_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place in (pipe, tmp_path):
        with pytest.raises(UserError, match="the state cannot be written: it is no regular file"):
            write_whole(place, "new", "the state")
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


# ---------------------------------------------------------------------------------------------- only what changed


def test_a_page_that_takes_in_a_changed_file_is_judged(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".gitignore", "/site/\n")
    settings = (
        f"site_name: x\nsite_url: {BASE}\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n"
    )
    repo.commit(
        "one",
        {"mkdocs.yml": settings, "docs/index.md": '--8<-- "part.md"\n', "docs/b.md": "b\n", "parts/part.md": "one\n"},
        at=JAN,
    )
    base = repo.git("rev-parse", "HEAD").strip()
    repo.commit("two", {"parts/part.md": "two\n"}, at=FEB)
    pages = {"index.html": html("index.html"), "b/index.html": html("b/index.html")}
    build(repo.root / "site", pages, [(BASE, CLOCK), (f"{BASE}b/", CLOCK)])
    os.chdir(repo.root)
    assert listed(capsys, "--changed-since", base) == [""]
    repo.commit("three", {"README.md": "x\n"}, at=MARCH)
    assert listed(capsys, "--changed-since", "HEAD~1") == []


def test_an_entry_that_a_tracked_sitemap_says_anew_is_judged(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("", "a.html", "b.html")

    def say(*days: str) -> str:
        return sitemap(*((BASE + name, day) for name, day in zip(names, days, strict=False)))

    pages = {name or "index.html": html(name or "index.html", canonical=BASE + name) for name in names}
    repo.commit("one", {**pages, "sitemap.xml": say("2026-01-01", "2026-01-01")}, at=JAN)
    base = repo.git("rev-parse", "HEAD").strip()
    os.chdir(repo.root)
    assert listed(capsys, ".", "--changed-since", base) == []
    repo.commit("two", {"sitemap.xml": say("2026-01-01", "2026-02-05", "2026-01-01")}, at=FEB)
    assert listed(capsys, ".", "--changed-since", base) == ["a.html", "b.html"]
    assert found(capsys, ".", "--changed-since", base) == ["lastmod-too-new"]
    repo.write("sitemap.xml", say("2026-02-06", "2026-02-05", "2026-01-01"))
    assert listed(capsys, ".", "--changed-since", "HEAD") == [""]


@pytest.mark.parametrize("command", [["check", "--against"], ["changed", "--since"]])
def test_an_address_is_not_fetched(site: Repo, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert cli.main([command[0], "--no-cache", "public", command[1], f"{BASE}sitemap.xml"]) == 2
    said = capsys.readouterr().err
    assert f"{BASE}sitemap.xml: this is an address, and nothing is fetched; download it first" in said
