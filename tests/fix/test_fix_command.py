"""`sitemap-guard fix` on real files and real repositories."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PROJECT, Repo
from sites import BASE, NAMESPACE, build, html

from sitemap_guard import api, cli
from sitemap_guard.fix import files
from sitemap_guard.model import Answer, UserError

JAN, FEB, CLOCK = 1767225600, 1769904000, "2026-11-30T06:12:44+00:00"  # 2026-01-01, 2026-02-01
NOW = 1796019164


@pytest.fixture
def site(repo: Repo) -> Repo:
    """Two honest pages, two with the build's clock, one redirect, one noindex, one missing, one without a date."""
    names = ("a", "b", "c", "d", "e", "moved", "hidden")
    repo.write(".gitignore", "public/\n")
    repo.commit("one", {f"content/{name}.md": "x" for name in names}, at=JAN)
    repo.commit("two", {"content/b.md": "y"}, at=FEB, zone="+0100")
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"content/{name}.md") for name in names}
    pages["moved/index.html"] = f'<html><head><meta http-equiv="refresh" content="0; url={BASE}a/"></head></html>'
    pages["hidden/index.html"] = html(
        "hidden/index.html", source="content/hidden.md", head='<meta name="robots" content="noindex">'
    )
    honest = "2026-01-01T00:00:00+00:00"
    build(
        repo.root / "public",
        pages,
        [(f"{BASE}a/", honest), (f"{BASE}b/", CLOCK), (f"{BASE}c/", CLOCK), (f"{BASE}d/", CLOCK), (f"{BASE}e/", None)]
        + [(f"{BASE}{name}/", honest) for name in ("moved", "hidden", "gone")],
    )
    return repo


def run(repo: Repo, *args: str) -> int:
    before = Path.cwd()
    os.chdir(repo.root)
    try:
        return cli.main(["fix", "--no-cache", *args])
    finally:
        os.chdir(before)


def test_false_dates_become_true_and_nothing_else_changes(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    file = site.root / "public" / "sitemap.xml"
    os.chmod(file, 0o640)
    before = file.read_bytes()
    assert run(site, "--diff") == 1
    assert file.read_bytes() == before
    diff = capsys.readouterr().out
    assert run(site) == 0
    expected = (
        before.decode().replace(CLOCK, "2026-02-01T00:00:00+00:00", 1).replace(CLOCK, "2026-01-01T00:00:00+00:00")
    )
    assert file.read_text() == expected
    assert file.stat().st_mode & 0o777 == 0o640
    assert not [name for name in os.listdir(file.parent) if name.startswith(".sitemap-guard")]
    subprocess.run(["git", "apply", "-R", "--check"], cwd=site.root, input=diff.encode(), check=True)
    said = capsys.readouterr().err
    assert "public/sitemap.xml: 3 dates rewritten" in said
    assert "entries that redirect, say noindex or lead to no page: 3; --prune drops them" in said
    assert run(site) == 0
    assert file.read_text() == expected
    assert "nothing to change" in capsys.readouterr().err
    result = api.check("public", start=site.root, now=NOW, cache=False)
    assert result.summary.false == 0


def test_prune_and_add_missing(site: Repo) -> None:
    file = site.root / "public" / "sitemap.xml"
    assert run(site, "--prune", "--add-missing") == 0
    text = file.read_text()
    assert re.findall("<loc>(.*)</loc>", text) == [f"{BASE}{name}/" for name in "abcde"]
    # As the others are written: to the second, with their zone, on a line of its own.
    assert f"    <loc>{BASE}e/</loc>\n    <lastmod>2026-01-01T00:00:00+00:00</lastmod>\n" in text
    result = api.check("public", start=site.root, now=NOW, cache=False)
    assert (result.summary.true, result.summary.urls) == (5, 5)
    assert not [one for one in result.findings if one.rule.startswith(("page-", "lastmod"))]
    assert run(site, "--prune", "--add-missing") == 0
    assert file.read_text() == text


def test_what_is_off_stays(site: Repo) -> None:
    site.write("sitemap-guard.toml", '[rules]\nlastmod-too-new = "off"\n')
    before = (site.root / "public" / "sitemap.xml").read_bytes()
    assert run(site) == 0
    assert (site.root / "public" / "sitemap.xml").read_bytes() == before


def test_packed_twins_are_made_anew_alike_on_every_run(site: Repo) -> None:
    public = site.root / "public"
    plain, twin = public / "sitemap.xml", public / "sitemap.xml.gz"
    made = []
    original = plain.read_bytes()
    for level in (1, 9):
        plain.write_bytes(original)
        twin.write_bytes(gzip.compress(original, level))
        assert run(site) == 0
        assert gzip.decompress(twin.read_bytes()) == plain.read_bytes() != original
        made.append(twin.read_bytes())
    assert made[0] == made[1]
    assert made[0][4:8] == b"\0\0\0\0"


def test_a_packed_sitemap_alone(site: Repo) -> None:
    public = site.root / "public"
    (public / "sitemap.xml.gz").write_bytes(gzip.compress((public / "sitemap.xml").read_bytes()))
    (public / "sitemap.xml").unlink()
    assert run(site) == 0
    assert CLOCK.encode() not in gzip.decompress((public / "sitemap.xml.gz").read_bytes())
    assert sorted(name for name in os.listdir(public) if "sitemap" in name) == ["sitemap.xml.gz"]


@pytest.mark.parametrize("named", ["public", "public/", "linked/public", "./linked/public"])
@pytest.mark.parametrize("given", [[], ["--diff"], ["--prune"]])
def test_a_site_behind_a_link_out_of_the_repository_is_never_written(
    site: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str, given: list[str]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (site.root / "public").rename(elsewhere / "public")
    (site.root / "public").symlink_to(elsewhere / "public")
    (site.root / "linked").symlink_to("../elsewhere")
    before = (elsewhere / "public" / "sitemap.xml").read_bytes()
    assert run(site, named, *given) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        f"sitemap-guard: {os.path.normpath(named)}: a link leads out of the repository, to {elsewhere / 'public'}; "
        "name that folder itself if it is to be written\n"
    )
    assert (elsewhere / "public" / "sitemap.xml").read_bytes() == before
    assert run(site, str(elsewhere / "public")) == 0
    assert (elsewhere / "public" / "sitemap.xml").read_bytes() != before


def test_a_site_behind_a_link_inside_the_repository_is_written(site: Repo, tmp_path: Path) -> None:
    (site.root / "public").rename(site.root / "releases-5")
    (site.root / "public").symlink_to("releases-5")
    (tmp_path / "way").symlink_to(site.root)
    file = site.root / "releases-5" / "sitemap.xml"
    before = file.read_bytes()
    assert run(site, "--prune", str(tmp_path / "way" / "public")) == 0
    after = file.read_bytes()
    assert after != before
    assert CLOCK.encode() not in after
    assert (site.root / "public").is_symlink()


def test_without_a_repository_a_link_may_lead_to_a_folder_beside_it(
    site: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    (place / "in").mkdir(parents=True)
    (site.root / "public").rename(place / "v2")
    (place / "current").symlink_to("v2")
    (place / "in" / "site").symlink_to("../v2")
    monkeypatch.chdir(place)
    assert cli.main(["fix", "--prune", "in/site"]) == 2
    assert "in/site: a link leads out of its folder, to " in capsys.readouterr().err
    cli.main(["fix", "--prune", "current"])
    assert "gone" not in (place / "v2" / "sitemap.xml").read_text()


def test_a_link_to_outside_is_never_written(site: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = site.root / "public" / "sitemap.xml"
    real = site.root / "public" / "real.xml"
    file.rename(real)
    file.symlink_to("real.xml")
    before = real.read_bytes()
    assert run(site) == 1
    assert real.read_bytes() == before
    assert file.is_symlink()
    said = (
        "public/sitemap.xml: left as it is, since it is a symbolic link, or lies behind one; 3 false dates stay in it"
    )
    assert said in capsys.readouterr().err


def test_nothing_is_written_when_a_file_changes_meanwhile(site: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    file = site.root / "public" / "sitemap.xml"
    changed = file.read_bytes().replace(b"moved", b"other")
    prove = files.prove

    def meanwhile(*given: object) -> None:
        file.write_bytes(changed)
        prove(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "prove", meanwhile)
    assert run(site) == 2
    assert file.read_bytes() == changed


def test_one_file_that_cannot_be_written_keeps_all_as_they_were(site: Repo) -> None:
    result = api.check("public", start=site.root, now=NOW, cache=False)
    file = site.root / "public" / "sitemap.xml"
    before = file.read_bytes()
    good = files.Changed("sitemap.xml", before, b"new")
    with pytest.raises(UserError, match=r"no-such/sitemap\.xml"):
        files.write_all(result.site, [good, files.Changed("no-such/sitemap.xml", b"", b"new")])
    assert file.read_bytes() == before
    assert not [name for name in os.listdir(file.parent) if name.startswith(".sitemap-guard")]


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("2026-01-01 00:00:00Z", "2026-01-01T00:00:00Z"),  # only its punctuation was off
        ("2026-11-30 06:12:44Z", "2026-01-01T00:00:00Z"),  # well written it would still be false
        ("soon", "2026-01-01"),
        ("1970-01-01", "2026-01-01"),
        ("2999-01-01T00:00+02:00", "2026-01-01T02:00+02:00"),
    ],
)
def test_ill_formed_dates_become_true_in_one_go(repo: Repo, written: str, mended: str) -> None:
    repo.write(".gitignore", "public/\n")
    repo.commit("one", {"content/a.md": "x"}, at=JAN)
    build(repo.root / "public", {"a/index.html": html("a/index.html", source="content/a.md")}, [(f"{BASE}a/", written)])
    assert run(repo) == 0
    assert f"<lastmod>{mended}</lastmod>" in (repo.root / "public" / "sitemap.xml").read_text()
    assert api.check("public", start=repo.root, now=NOW, cache=False).summary.true == 1


def test_an_index_and_a_text_sitemap(site: Repo) -> None:
    public = site.root / "public"
    (public / "sitemap.xml").rename(public / "pages.xml")
    (public / "sitemap.xml").write_text(
        f'<sitemapindex xmlns="{NAMESPACE}">\r\n  <sitemap>\r\n    <loc>{BASE}pages.xml</loc>\r\n'
        f"    <lastmod>{CLOCK}</lastmod>\r\n  </sitemap>\r\n</sitemapindex>\r\n",
        newline="",
    )
    before = (public / "sitemap.xml").read_bytes()
    assert run(site) == 0
    assert (public / "sitemap.xml").read_bytes() == before.replace(CLOCK.encode(), b"2026-02-01T00:00:00+00:00")
    (public / "sitemap.txt").write_bytes(f"{BASE}a/\r\n{BASE}gone/\r\n{BASE}b/".encode())
    assert run(site, "--prune") == 0
    assert (public / "sitemap.txt").read_bytes() == f"{BASE}a/\r\n{BASE}b/".encode()


def test_the_hook_mends_a_committed_sitemap(repo: Repo) -> None:
    (repo.root / "public").mkdir()
    repo.write("index.html", html("index.html", canonical=BASE))
    (repo.root / "public").rmdir()
    text = f'<urlset xmlns="{NAMESPACE}"><url><loc>{BASE}</loc><lastmod>2020-01-01</lastmod></url></urlset>'
    repo.commit("one", {"sitemap.xml": text}, at=JAN)
    repo.write("index.html", html("index.html", canonical=BASE) + "<p>new</p>")
    repo.git("add", "index.html")
    done = subprocess.run(
        [sys.executable, "-m", "sitemap_guard", "fix", "--staged", "--no-cache", "."],
        cwd=repo.root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    assert done.returncode == 0, done.stderr
    assert "2020-01-01" not in (repo.root / "sitemap.xml").read_text()
    assert "sitemap.xml" in repo.git("diff", "--name-only")


Open = Callable[[str, str], Path]


@pytest.mark.parametrize(("name", "kind"), [("jekyll", "asis"), ("letsencrypt", "asis"), ("vuejs-docs", "lastupdated")])
def test_real_sites(real_site: Open, tmp_path: Path, name: str, kind: str) -> None:
    from conftest import REAL

    from benchmarks.real_sites import rules_for, truth
    from sitemap_guard.config import Config

    built = real_site(name, kind)
    alone = api.check(built, start=built, cache=False)
    config = Config(source=rules_for(alone, truth(REAL, name)))
    result = api.check(built, start=built, config=config, cache=False)
    everything = {path: path.read_bytes() for path in built.rglob("*") if path.is_file()}
    opened = files.open_files(result)
    from sitemap_guard.fix import Options, plan, write_all

    planned = plan(result, opened.plain, Options())
    try:
        write_all(result.site, files.changes(result, opened, planned))
        again = api.check(built, start=built, config=config, cache=False)
        assert again.summary.false == 0
        assert (
            sum(one.counts()["rewritten"] + one.counts()["removed"] for one in planned if "index" not in one.path)
            == result.summary.false
        )
        touched = [path for path, data in everything.items() if path.read_bytes() != data]
        assert {path.relative_to(built).as_posix() for path in touched} <= {one.path for one in planned} | {
            one.path + ".gz" for one in planned
        }
        by_loc = {entry.claim.loc: entry.claim.lastmod for entry in again.site.entries}
        for entry in result.site.entries:
            if entry.verdict.answer is not Answer.FALSE:
                assert by_loc[entry.claim.loc] == entry.claim.lastmod
        assert plan(again, files.open_files(again).plain, Options()) == []
    finally:
        for path, data in everything.items():
            path.write_bytes(data)


def test_the_last_lines_do_not_contradict_each_other(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = "---\nlastmod: 2026-01-01\n---\n"
    repo.commit("one", {"content/a.md": old + "one\n", ".gitignore": "public/\n"}, at=1767225600)
    repo.commit("two", {"content/a.md": old + "another text\n"}, at=1772323200)
    pages = {"a/index.html": html("a/index.html", source="content/a.md")}
    monkeypatch.chdir(repo.root)

    def told(*args: str) -> tuple[int, list[str]]:
        code = cli.main(["fix", "--no-cache", *args])
        return code, capsys.readouterr().err.splitlines()

    build(repo.root / "public", pages, [(BASE + "a/", "2026-01-01")])
    assert told("--fields", "--diff") == (1, ["1 date field would be set"])
    build(repo.root / "public", pages, [(BASE + "a/", "2025-01-01")])
    assert told("--diff") == (1, ["public/sitemap.xml: 1 date would be rewritten"])
    build(repo.root / "public", pages, [(BASE + "a/", "2026-03-01")])
    assert told() == (0, ["nothing to change"])
    (repo.root / "public/sitemap.xml").chmod(0o444)
    assert told() == (0, ["public/sitemap.xml: left as it is, since it is read-only"])
