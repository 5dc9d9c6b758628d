"""What someone meets on the first day: odd folders and streams, shallow clones, slips in settings and options."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build, edited, honest, html, run_cli, sitemap

import sitemap_guard
from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.folders import find_site

HERE = [sys.executable, "-m", "sitemap_guard"]


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.chdir(repo.root)
    return honest(repo)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return partial(run_cli, capsys)


def shell(folder: Path, line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A line of the shell; `guard` in it is the program."""
    line = line.replace("guard", f"{sys.executable} -m sitemap_guard", 1)
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **env}
    )


# ------------------------------------------------------------------------------------------ folders and streams


def test_a_folder_that_cannot_be_read_is_no_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.stat

    def stat(path: object, *args: object, **more: object) -> object:
        if str(path).startswith(str(tmp_path / "docs")):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *args, **more)  # type: ignore[arg-type]

    build(tmp_path / "public", {}, [(BASE, None)])
    monkeypatch.setattr(os, "stat", stat)
    assert find_site(tmp_path) == tmp_path / "public"
    with pytest.raises(UserError, match="no such folder"):
        find_site(tmp_path / "docs")


@pytest.mark.parametrize("command", ["check", "map", "fix"])
def test_a_named_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, command: str
) -> None:
    def scandir(path: object = ".") -> object:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "scandir", scandir)
    code, _, err = run(command, "site")
    assert (code, err) == (2, "sitemap-guard: site: the folder cannot be read: Permission denied\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="NOT TESTED: there is no /dev/full")
def test_a_full_standard_output_is_told_in_one_line(site: Repo) -> None:
    done = shell(site.root, "guard check --no-cache >/dev/full")
    assert (done.returncode, done.stderr) == (
        2, "sitemap-guard: standard output cannot be written: No space left on device\n"
    )  # fmt: skip


@pytest.mark.parametrize("line", ["check --no-cache", "check --no-cache --format json", "rules", "map", "--help"])
def test_a_reader_that_has_gone_changes_no_exit_code(site: Repo, line: str) -> None:
    code = f"({{ sleep 0.1; guard {line}; echo $? >code; }} | true) && cat code"
    done = shell(site.root, code)
    assert (done.stdout, done.stderr) == ("0\n", "")
    build(site.root / "public", edited("ab"), [(BASE + "a/", "2026-03-01"), (BASE + "b/", "2026-05-09")])
    done = shell(site.root, f"({{ sleep 0.1; guard {line} 2>&1; echo $? >code; }} | true) && cat code")
    assert (done.stdout, done.stderr) == ("1\n" if line.startswith("check") else "0\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="NOT TESTED: there is no /dev/full")
@pytest.mark.parametrize("line", ["check --nonsense", "check nowhere", "check --no-cache >/dev/full", "chek"])
def test_an_error_that_nobody_can_be_told_of_keeps_its_exit_code(site: Repo, line: str) -> None:
    assert shell(site.root, f"guard {line} 2>/dev/full").returncode == 2
    assert shell(site.root, f"({{ sleep 0.1; guard {line} 2>&1; echo $? >code; }} | true) && cat code").stdout == "2\n"


@pytest.mark.skipif(sys.platform == "win32", reason="NOT TESTED: Windows has no limit on the size of files")
def test_a_report_that_finds_no_room_leaves_no_file(site: Repo) -> None:
    done = shell(site.root, "ulimit -f 0; guard check --no-cache --output json=new.json")
    assert done.returncode == 2
    assert "new.json: the report cannot be written: File too large" in done.stderr
    assert not (site.root / "new.json").exists()


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["check --no-cache", "map", "report --no-cache", "rules", "fix --no-cache"])
def test_closed_streams_do_not_matter(site: Repo, command: str, closed: str) -> None:
    done = shell(site.root, f"guard {command} {closed}")
    assert (done.returncode, done.stdout) == (0, "")
    assert "Error" not in done.stderr


# ---------------------------------------------------------------------------------------------------------- fix


@pytest.fixture
def shallow(site: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with only the newest commit; the dates of both pages are newer than that one."""
    clone = site.root.parent / "clone"
    site.git("clone", "-q", "--depth", "1", site.root.as_uri(), str(clone))
    pages = edited("ab")
    build(clone / "public", pages, [(BASE + "a/", "2026-06-20"), (BASE + "b/", "2026-06-20")])
    monkeypatch.chdir(clone)
    return clone


def test_the_edge_of_a_shallow_clone_is_named_as_no_pages_date(shallow: Path, run: Run) -> None:
    code, out, _ = run("check", "-v")
    assert code == 1
    assert " ".join(out.split()).count("changed at or before 2026-05-01 09:00 UTC") == 2
    assert "the edge of this shallow clone" in " ".join(out.split())
    code, out, _ = run("check", "--format", "json")
    report = json.loads(out)
    assert [(one["witness"]["kind"], one["expected"]) for one in report["entries"]] == [("edge", None)] * 2
    (told,) = (one for one in report["findings"] if one["rule"] == "history-shallow")
    assert told["level"] == "warning"
    assert "instead of 2 false dates is not known" in told["message"]
    assert "git fetch --unshallow" in told["message"]
    assert "the edge of this shallow clone, or before" in run("why", "/a/")[1]
    page = run("report", "--output", "-")[1]
    assert re.search(r'"true":\s*\[null,\s*null\]', page)
    assert "history-shallow" not in run("check", "--select", "lastmod", "--format", "json")[1]
    assert "cure: fetch the whole history" in " ".join(run("check", "--select", "lastmod")[1].split())


@pytest.mark.parametrize("diff", [(), ("--diff",)])
def test_fix_takes_out_no_date_of_a_shallow_clone(shallow: Path, run: Run, diff: tuple[str, ...]) -> None:
    before = (shallow / "public" / "sitemap.xml").read_text()
    code, out, err = run("fix", *diff)
    assert (code, out) == (2, "")
    assert (shallow / "public" / "sitemap.xml").read_text() == before
    assert "2 dates not touched: this clone is shallow; fetch the whole history first" in err
    assert "nothing supports" not in err


def test_fix_still_mends_what_needs_no_history(shallow: Path, run: Run) -> None:
    file = shallow / "public" / "sitemap.xml"
    file.write_text(sitemap((BASE + "a/", "2026-06-20"), (BASE + "gone/", None)))
    code, _, err = run("fix", "--prune")
    assert code == 0
    assert "1 date not touched: this clone is shallow" in err
    assert "2026-06-20" in file.read_text()
    assert "gone" not in file.read_text()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (("--rev", "nosuch"), "'nosuch' names no commit"),
        (("--repo", "../EMPTY"), "no commit"),
        (("--repo", "../BARE"), "no git repository at"),
        (("../BARE/public",), "no git repository"),
    ],
)
def test_fix_that_can_judge_nothing_says_why(
    site: Repo, make_repo: Callable[[Path], Repo], run: Run, given: tuple[str, ...], reason: str
) -> None:
    beside = site.root.parent
    make_repo(beside / "EMPTY")
    build(beside / "BARE" / "public", {"index.html": html("index.html")}, [(BASE, "2026-05-01")])
    if given[0].startswith(".."):
        os.chdir(beside / "BARE")
        given = ("public",)
    code, _, err = run("fix", *given)
    assert code == 2
    told = [line for line in err.splitlines() if line.startswith("sitemap-guard: ")]
    assert len(told) == 1
    assert reason in told[0]
    assert "nothing to change" not in err


# -------------------------------------------------------------------------------------------- commands of manifests


def manifest(repo: Repo, *command: str) -> None:
    words = ", ".join(f"{word!r}" for word in command)
    repo.write("sitemap-guard.toml", f"[[manifest]]\ncommand = [{words}]\n")


def test_a_command_that_does_not_end_is_stopped_and_named(
    site: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap_guard.sources.manifests.configured._TIMEOUT", 0.2)
    manifest(site, "sleep", "30")
    code, _, err = run("check", "--no-cache")
    assert code == 2
    first, second = err.splitlines()
    assert first == "sitemap-guard: running sleep 30 …"
    assert "sitemap-guard.toml:1: manifest[0]: sleep 30: the command did not end within 0.2 seconds" in second


@pytest.mark.parametrize("command", [("check", "--no-cache"), ("map",)])
def test_a_command_that_is_not_there_is_named_in_words(site: Repo, run: Run, command: tuple[str, ...]) -> None:
    manifest(site, "no-such-program", "--json")
    code, _, err = run(*command)
    assert code == 2
    assert "sitemap-guard.toml:1: manifest[0]: no-such-program --json: there is no program no-such-program here" in err
    assert "Errno" not in err


def test_a_table_that_is_not_there_is_named_in_words(site: Repo, run: Run) -> None:
    code, _, err = run("map", "--check", "nope")
    assert (code, err) == (2, "sitemap-guard: nope: there is no such table to compare with\n")


# --------------------------------------------------------------------------------------------- what is printed


def test_colour_can_be_forced_into_a_pipe(site: Repo) -> None:
    assert "\x1b[" in shell(site.root, "guard check --no-cache | cat", FORCE_COLOR="1", NO_COLOR="").stdout
    assert "\x1b[" not in shell(site.root, "guard check --no-cache | cat", FORCE_COLOR="", NO_COLOR="").stdout


def test_history_that_was_fetched_is_no_check_left_out(shallow: Path, run: Run) -> None:
    code, out, err = run("check", "--no-cache", "--deepen", "auto")
    assert code == 1
    assert "not checked" not in out
    assert "not made" not in out
    assert err == ""
    assert "  note: fetched the missing history from origin (" in out
    again = run("check", "--no-cache", "--deepen", "auto")[1]
    assert "not checked" not in again
    assert "note:" not in again


def test_history_that_was_fetched_is_told_by_every_report(shallow: Path, run: Run) -> None:
    names = ("text", "markdown", "json", "github", "sarif")
    outputs = [word for name in names for word in ("--output", f"{name}=out/{name}")]
    run("check", "--no-cache", "--deepen", "auto", *outputs)
    for name in names:
        assert "fetched the missing history from origin" in (shallow / "out" / name).read_text(), name


@pytest.mark.parametrize("command", ["fix --diff", "report --output -", "changed --since HEAD", "why /a/"])
def test_a_command_without_such_reports_tells_it_beside(shallow: Path, run: Run, command: str) -> None:
    _, _, err = run(*command.split(), "--no-cache", "--deepen", "auto")
    assert "sitemap-guard: fetched the missing history from origin" in err


def test_history_that_cannot_be_fetched_leaves_the_rest_to_be_checked(
    shallow: Path, site: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.root.rename(site.root.with_name("moved"))
    (shallow / "public/sitemap.xml").write_text(sitemap((BASE + "a/", "2026-03-01"), (BASE + "b/", "2026-06-20")))
    code, out, err = run("check", "--no-cache", "--deepen", "auto", "--format", "json")
    assert (code, err) == (1, "")
    report = json.loads(out)
    (note,) = report["summary"]["notes"]
    assert "could not be fetched from origin" in note
    assert "fetch-depth: 0" in note
    assert report["summary"]["urls"] == 2
    assert "history-shallow" in {finding["rule"] for finding in report["findings"]}
    assert sitemap_guard.check(deepen=True).notes == (note,)


def test_without_git_nothing_is_fetched_and_that_is_told(
    site: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = shell(site.root, "PATH=/nowhere guard check --no-cache --deepen auto")
    assert done.returncode == 1
    assert "install git" in done.stdout
    assert "internal error" not in done.stderr


WITH_SITE = ["check", "map", "report", "fix", "init", "why /a/", "changed --since HEAD", "indexnow --dry-run"]


@pytest.mark.parametrize("command", WITH_SITE)
@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("public/sitemap.xml", "public/sitemap.xml is a file; name the folder that the site was built into"),
        ("public/sitemap.xml/", "public/sitemap.xml/ is a file; name the folder that the site was built into"),
        ("nowhere", "nowhere: there is no such folder; name the folder that the site was built into"),
        ("x" * 300, "x" * 300 + ": this cannot be a folder: File name too long; name the folder that the site was built into"),
    ],
)  # fmt: skip
def test_what_is_no_site_is_told_alike_everywhere(
    site: Repo, run: Run, command: str, named: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", "0123456789abcdef")
    code, out, err = run(*command.split(), named)
    assert (code, out, err) == (2, "", f"sitemap-guard: {said}\n")
    with pytest.raises(UserError) as told:
        sitemap_guard.check(named)
    assert str(told.value) == said


def test_one_finding_is_counted_as_one(site: Repo, run: Run) -> None:
    (site.root / "public/sitemap.xml").write_text(
        sitemap((BASE + "a/", "2026-06-20T10:00:00Z"), (BASE + "b/", "2026-05-01"))
    )
    assert "1 finding is known now" in run("check", "--no-cache", "--write-baseline")[2]


def test_an_empty_date_is_called_empty_once(site: Repo, run: Run) -> None:
    (site.root / "public/sitemap.xml").write_text(sitemap((BASE + "a/", ""), (BASE + "b/", "2026-05-01")))
    out = run("check", "--no-cache")[1]
    assert "the lastmod is empty" in out
    assert "it is empty" not in out


@pytest.mark.parametrize("given", [(), ("--help",), ("-h",)])
def test_the_bare_program_prints_its_help(run: Run, given: tuple[str, ...]) -> None:
    code, out, err = run(*given)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: sitemap-guard ")
    assert "fix " in out


def test_one_file_takes_one_report(site: Repo, run: Run) -> None:
    code, _, err = run("check", "--output", "json=out", "--output", "html=./out")
    assert code == 2
    assert "./out is named twice" in err
    assert not (site.root / "out").exists()


def test_the_page_can_be_printed(site: Repo, run: Run) -> None:
    code, out, _ = run("report", "--no-cache", "--output", "-")
    assert code == 0
    assert out.lower().startswith("<!doctype html>")
    assert out.rstrip().endswith("</html>")
    assert not (site.root / "-").exists()


# --------------------------------------------------------------------------------------------------- addresses


def test_an_address_with_a_user_is_told_without_it(site: Repo, run: Run) -> None:
    loc = BASE.replace("://", "://me:secret@") + "a/"
    (site.root / "public/sitemap.xml").write_text(sitemap((loc, "2026-03-01T09:00:00Z"), (BASE + "b/", "2026-05-01")))
    out = run("check", "--no-cache", "--format", "json", "--select", "loc-host")[1]
    (finding,) = json.loads(out)["findings"]
    assert finding["message"] == "the address names a user; leave that out"
    assert finding["expected"] == BASE + "a/"


@pytest.mark.parametrize("loc", ["", "#part", "?utm_source=x", "/a/", "http://[", "https://exa mple.org/"])
def test_no_loc_is_proposed_that_is_empty_or_the_same(tmp_path: Path, run: Run, loc: str) -> None:
    # Without any whole address the site's own is not known, so that nothing can be proposed.
    build(tmp_path / "public", {}, [(loc, None)])
    out = run("check", "--format", "json", "--fail-on", "never", str(tmp_path / "public"))[1]
    findings = [one for one in json.loads(out)["findings"] if one.get("element") == "loc" or one.get("claimed")]
    assert [one for one in findings if one.get("expected") in (None, "", loc)] == []


# ----------------------------------------------------------------------------------------------------- settings


def test_the_settings_may_begin_with_a_byte_order_mark(site: Repo, run: Run) -> None:
    (site.root / "public/sitemap.xml").write_text(sitemap((BASE + "a/", "2026-06-20"), (BASE + "b/", "2026-05-01")))
    assert run("check", "--no-cache")[0] == 1
    site.write("sitemap-guard.toml", b"\xef\xbb\xbffail-on = 'never'\n")
    code, out, err = run("check", "--no-cache")
    assert (code, err) == (0, "")
    assert "lastmod-too-new" in out
