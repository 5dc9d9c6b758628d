"""The whole job, from argv to exit code, on small real repositories and sites."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from sites import BASE, MARCH, MAY, build, honest, html, run_cli, sitemap

from sitemap_guard import cli


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.chdir(repo.root)
    return honest(repo, zone="+0100")


def rewrite(repo: Repo, *entries: tuple[str, str | None]) -> None:
    (repo.root / "public" / "sitemap.xml").write_text(sitemap(*entries))


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_cli(capsys, "check", *args)


def as_json(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    _, out, _ = run(capsys, "--format", "json", *args)
    return dict(json.loads(out))


def rules(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    return [finding["rule"] for finding in as_json(capsys, *args)["findings"]]


def test_an_honest_site_passes_without_configuration(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 0
    assert "2 true + 0 false + 0 cannot tell + 0 absent = 2 URLs" in out


def test_a_lie_fails_with_place_evidence_and_diff(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(site, (BASE + "a/", "2026-05-01T09:00:00Z"), (BASE + "b/", "2026-05-01"))
    code, out, _ = run(capsys)
    assert code == 1
    assert "public/sitemap.xml:5  error  lastmod-too-new  https://docs.example.org/a/" in out
    assert "content/a.md last changed 2026-03-01 10:00 +01:00" in out
    assert '"First page"' in out
    assert "-   <lastmod>2026-05-01T09:00:00Z</lastmod>" in out
    assert "+   <lastmod>2026-03-01T09:00:00Z</lastmod>" in out


def test_the_json_report_has_the_documented_shape(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(site, (BASE + "a/", "2026-05-01T09:00:00Z"), (BASE + "b/", None))
    report = as_json(capsys)
    assert report["version"] == 1
    assert report["summary"]["urls"] == 2
    assert report["summary"]["dates"] == {"true": 0, "false": 1, "cannot_tell": 0, "absent": 1}
    assert report["summary"]["findings"] == {"error": 1, "warning": 0, "info": 0}
    assert set(report["summary"]) >= {"urls", "sitemaps", "dates", "fit", "findings"}
    first = report["entries"][0]
    keys = {
        "loc",
        "lastmod",
        "sitemap",
        "line",
        "verdict",
        "witness",
        "reason",
        "expected",
        "page",
        "sources",
        "mapped_by",
    }
    assert keys <= set(first)
    assert (first["verdict"], first["expected"], first["sources"]) == (
        "false",
        "2026-03-01T09:00:00Z",
        ["content/a.md"],
    )
    assert (first["page"], first["mapped_by"]) == ("public/a/index.html", "edit-link")
    keys = {"rule", "level", "message", "loc", "path", "line", "column", "expected", "claimed", "count"}
    assert keys <= set(report["findings"][0])
    assert as_json(capsys) == report


def test_reports_are_written_beside_what_is_printed(
    site: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, _ = run(capsys, "--output", f"json={tmp_path}/deep/r.json", "--output", f"markdown={tmp_path}/r.md", "-q")
    assert code == 0
    assert json.loads((tmp_path / "deep" / "r.json").read_text())["version"] == 1
    assert (tmp_path / "r.md").read_text().startswith("#")
    code, _, err = run(capsys, "--output", f"json={tmp_path}")
    assert code == 2
    assert "is a folder; name a file in it" in err
    assert run(capsys, "--output", "pdf=x")[0] == 2


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_fail_on(site: Repo, capsys: pytest.CaptureFixture[str], level: str, code: int) -> None:
    rewrite(site, (BASE + "a/#x", "2026-03-01"), (BASE + "b/", "2026-05-01"))
    assert run(capsys, "--fail-on", level)[0] == code


def test_the_configuration_names_sources_and_levels(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for n in "ab":
        (site.root / "public" / n / "index.html").write_text(html(f"{n}/index.html"))
    assert as_json(capsys)["summary"]["dates"]["cannot_tell"] == 2
    site.write("sitemap-guard.toml", '[[source]]\nurl = "/{name}/"\npath = "content/{name}.md"\n')
    report = as_json(capsys)
    assert report["summary"]["dates"]["true"] == 2
    assert {entry["mapped_by"] for entry in report["entries"]} == {"rule"}
    rewrite(site, (BASE + "a/", "2026-05-01"))
    site.write("sitemap-guard.toml", '[rules]\nlastmod = "warning"\n')
    assert run(capsys)[0] == 0
    assert run(capsys, "--config", "none.toml")[0] == 2


def test_a_packed_twin_is_no_second_sitemap(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    plain = (site.root / "public" / "sitemap.xml").read_bytes()
    twin = site.root / "public" / "sitemap.xml.gz"
    twin.write_bytes(gzip.compress(plain))
    report = as_json(capsys)
    assert (report["summary"]["sitemaps"], report["summary"]["urls"], report["findings"]) == (1, 2, [])
    assert "2 URLs in 1 sitemap of " in run(capsys)[1]
    twin.write_bytes(gzip.compress(plain.replace(b"2026-05-01", b"2026-05-02")))
    assert rules(capsys) == ["sitemap-gzip-stale"]
    (site.root / "public" / "sitemap.xml").unlink()
    assert as_json(capsys)["summary"]["sitemaps"] == 1
    (site.root / "public" / "sitemap.xml").write_bytes(b"<urlset>")
    assert as_json(capsys)["summary"]["sitemaps"] == 1


def test_a_hand_made_site_is_its_own_source(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("Home", {"index.html": html("index.html")}, at=MARCH)
    repo.commit("Map", {"sitemap.xml": sitemap((BASE, "2026-03-01"))}, at=MAY)
    monkeypatch.chdir(repo.root)
    report = as_json(capsys)
    assert report["summary"]["dates"]["true"] == 1
    assert report["entries"][0]["mapped_by"] == "identity"


def test_a_base_path_is_found(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(site, (BASE + "project/a/", "2026-03-01"), (BASE + "project/b/", "2026-05-01"))
    for n in "ab":
        page = html(f"{n}/index.html", source=f"content/{n}.md", canonical=f"{BASE}project/{n}/")
        (site.root / "public" / n / "index.html").write_text(page)
    report = as_json(capsys)
    assert report["summary"]["dates"]["true"] == 2
    assert report["findings"] == []


def test_the_revision_that_was_built_can_be_named(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.commit("Rewrite", {"content/a.md": "new\n"}, at=MAY + 86400)
    assert run(capsys)[0] == 1
    assert run(capsys, "--rev", "HEAD~1")[0] == 0
    code, _, err = run(capsys, "--rev", "--upload-pack=x")
    assert code == 2
    assert "'--upload-pack=x' names no commit" in err


def test_a_staged_source_counts_as_changed_now(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.write("content/a.md", "new text\n")
    site.git("add", "-A")
    assert run(capsys)[0] == 0
    code, out, _ = run(capsys, "--staged")
    assert code == 1
    assert "content/a.md is staged, but its date is older" in out
    today = time.strftime("%Y-%m-%d", time.gmtime())
    rewrite(site, (BASE + "a/", today), (BASE + "b/", "2026-05-01"))
    assert run(capsys, "--staged")[0] == 0


def test_a_tracked_sitemap_has_a_days_tolerance(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(site, (BASE + "a/", "2026-03-02"), (BASE + "b/", "2026-05-01"))
    assert run(capsys)[0] == 1
    site.git("add", "-f", "public/sitemap.xml")
    site.git("commit", "-q", "-m", "Map")
    assert run(capsys)[0] == 0
    site.write("sitemap-guard.toml", '[dates]\ntolerance = "0"\n')
    assert run(capsys)[0] == 1


def test_front_matter_dates_stand_on_the_authors_word(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.commit("Dates", {"content/a.md": "---\nlastmod: 2024-02-03\n---\na\n"}, at=MAY)
    rewrite(site, (BASE + "a/", "2024-02-03T00:00:00+00:00"), (BASE + "b/", "2026-05-01"))
    report = as_json(capsys)
    assert report["summary"]["dates"]["true"] == 2
    assert report["entries"][0]["witness"]["kind"] == "field"


def test_a_shallow_clone_is_told_and_newer_lies_are_still_found(
    site: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{site.root}", str(clone)], check=True)
    build(clone / "public", {}, [(BASE + "a/", "2026-03-01T09:00:00Z"), (BASE + "b/", "2026-10-01")])
    for n in "ab":
        (clone / "public" / n).mkdir()
        (clone / "public" / n / "index.html").write_text(html(f"{n}/index.html", source=f"content/{n}.md"))
    monkeypatch.chdir(clone)
    report = as_json(capsys)
    assert [entry["verdict"] for entry in report["entries"]] == ["cannot_tell", "false"]
    assert sorted(finding["rule"] for finding in report["findings"]) == [
        "history-shallow", "lastmod-too-new", "lastmod-unverified",
    ]  # fmt: skip
    code, _, _ = run(capsys, "--deepen", "auto")
    assert code == 1
    assert as_json(capsys)["summary"]["dates"]["true"] == 1


# ----------------------------------------------------------------------------------------------------- bad input


def test_without_a_repository_addresses_are_still_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "public", {}, [(BASE + "a/", "2026-03-01")])
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys)
    assert code == 1
    assert "page-missing" in out
    assert "history-missing" in out
    assert "no git repository" in out


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("sitemap.xml", sitemap().encode(), "nothing was checked"),
        ("sitemap.xml", b"<!doctype html><html><body>Not found</body></html>", "HTML"),
        ("sitemap.xml", b"", "nothing was checked"),
        ("sitemap.xml", sitemap((BASE + "?a=1&b=2", None)).encode(), "&"),
        ("sitemap.xml.gz", gzip.compress(sitemap((BASE, None)).encode(), mtime=0)[:-20], "gzip"),
        (
            "sitemap.xml",
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset>&b;</urlset>',
            "document type",
        ),
        (
            "sitemap.xml",
            b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>&e;</loc></url></urlset>',
            "document type",
        ),
    ],
)
def test_what_cannot_be_read_is_no_success(
    repo: Repo,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: bytes,
    words: str,
) -> None:
    repo.commit("First", {"a.md": "a"}, at=MARCH)
    repo.write(f"public/{name}", content)
    monkeypatch.chdir(repo.root)
    code, out, err = run(capsys)
    assert code == 2
    assert words in out + err
    assert "root:" not in out
    assert err.startswith("sitemap-guard: ")
    assert len(err.splitlines()) == 1


def test_no_site_no_sitemap_no_folder(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.root)
    for args in ((), ("nowhere",), ("--base-url", "nonsense")):
        code, out, err = run(capsys, *args)
        assert (code, out) == (2, "")
        assert err.startswith("sitemap-guard: ")
        assert len(err.splitlines()) == 1


def test_hostile_locs_and_links_stay_inside_the_site(
    site: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "secret.html").write_text(html("x", head='<meta name="robots" content="noindex">'))
    (site.root / "public" / "out.html").symlink_to(tmp_path / "secret.html")
    (site.root / "public" / "latin").mkdir()
    (site.root / "public" / "latin" / "index.html").write_bytes(
        b"<html><head><title>\xe9\xff</title></head>\x00</html>"
    )
    rewrite(
        site,
        (BASE + "..%2f..%2fsecret.html", None),
        (BASE + "%2e%2e/secret.html", None),
        (BASE + "out.html", None),
        (BASE + "latin/", None),
        (BASE + "x" * 1500 + "/" + "y" * 400, None),
        (BASE + "%00/", None),
        (BASE + "a/::error file=x::boo%0A##[error]boo\x1b", None)
        if False
        else (BASE + "a/::error file=x::b%0Ao##[error]", None),
        (BASE + "a/", "2026-03-01"),
    )
    code, out, _ = run(capsys, "--format", "github")
    assert code == 1
    assert "says noindex" not in out
    assert all(
        line.startswith(("::error ", "::warning ", "::notice ")) for line in out.splitlines() if line.startswith("::")
    )
    assert "##[" not in out.replace("##%5B", "")


def test_an_unreadable_page_is_told(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    if os.geteuid() == 0:
        pytest.skip("NOT TESTED: root reads every file, so no page can be made unreadable")
    (site.root / "public" / "a" / "index.html").chmod(0)
    assert "page-unreadable" in rules(capsys)


# --------------------------------------------------------------------------------------------------- the command


def test_an_internal_error_is_told_in_one_line(
    site: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sitemap_guard import guard

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(guard, "check", broken)
    code, out, err = run(capsys)
    assert (code, out) == (3, "")
    assert len(err.splitlines()) == 1
    assert cli.main(["check", "--debug"]) == 3
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize("args", [["--nonsense"], ["check", "--fail-on", "x"], ["nonsense"], ["explain", "loc-hots"]])
def test_usage_errors_are_one_line_and_code_2(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_rules_and_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules"]) == 0
    assert "lastmod-too-new" in capsys.readouterr().out
    assert cli.main(["explain", "lastmod-too-new"]) == 0
    assert "Good:" in capsys.readouterr().out
    for args in (["--help"], ["check", "--help"], ["--version"]):
        assert cli.main(args) == 0


def test_the_demo_shows_one_lie_of_each_common_kind(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["demo", "--keep", str(tmp_path / "demo")]) == 0
    out = capsys.readouterr().out
    for rule in (
        "lastmod-too-new", "lastmod-too-old", "lastmod-format", "page-redirect", "page-noindex", "page-missing",
        "canonical-mismatch", "loc-host",
    ):  # fmt: skip
        assert rule in out, rule
    assert "build's clock" in out
    assert (tmp_path / "demo" / "public" / "sitemap.xml").is_file()
    assert "--keep" not in out
    assert cli.main(["demo", "--keep", str(tmp_path / "demo")]) == 2


def test_the_demo_in_a_temporary_folder_says_how_to_keep_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo"]) == 0
    out = capsys.readouterr().out
    assert out.rstrip().endswith("sitemap-guard demo --keep DIR")


def test_the_formats_offered_are_those_that_there_are() -> None:
    from sitemap_guard import reports
    from sitemap_guard.commands import reporting

    assert tuple(reports.FORMATS) == reporting.FORMATS


def test_start_up_is_light() -> None:
    code = "import sys, sitemap_guard.cli as c; c.main(['--version']); print([m for m in ('git','lxml','rich','yaml','selectolax') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "[]"
