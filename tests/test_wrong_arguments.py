"""Each command with arguments that cannot be right: one line, exit code 2, no trace, nothing written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest
from conftest import Repo
from sites import BASE, build, html

import sitemap_guard
from sitemap_guard import cli
from sitemap_guard.model import UserError

MARCH = 1772355600  # 2026-03-01T09:00:00Z
LONG = "x" * 300
HOSTILE = "é\n::error::x"
RAW = os.fsdecode(b"\xff")
KEY = "0123456789abcdef"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A source, a page, an honest sitemap, an empty folder and a file of bytes."""
    repo.commit("First", {"content/a.md": "a\n", ".gitignore": "/public/\n"}, at=MARCH)
    build(
        repo.root / "public",
        {"a/index.html": html("a/index.html", source="content/a.md")},
        [(BASE + "a/", "2026-03-01")],
    )
    repo.write(f"public/{KEY}.txt", KEY)
    repo.write("bytes", bytes(range(256)))
    (repo.root / "empty").mkdir()
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", KEY)
    return repo


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: str) -> tuple[int, str, str]:
        code = cli.main(list(args))
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert "internal error" not in err
        return code, out, err

    return call


NAMED = {
    "--repo": ["check", "map", "dates", "fix", "why /a/", "changed --since HEAD"],
    "--evidence": ["check", "fix"],
    "--config": ["check", "map", "dates", "indexnow"],
    "--baseline": ["check"],
    "--against": ["check"],
    "--since": ["changed"],
    "--check": ["map"],
    "--key-file": ["indexnow"],
}


@pytest.mark.parametrize("bad", ["nowhere", LONG, RAW, HOSTILE, "content/a.md/x", "\x1b[31m"])
@pytest.mark.parametrize(("option", "command"), [(option, one) for option, all_ in NAMED.items() for one in all_])
def test_a_file_that_is_not_there_is_told_in_one_line(
    site: Repo, run: Run, option: str, command: str, bad: str
) -> None:
    code, out, err = run(*command.split(), f"{option}={bad}")
    assert (code, out) == (2, "")
    assert err.startswith("sitemap-guard: ")
    assert len(err.splitlines()) == 1
    assert "\x1b" not in err
    if bad not in (LONG, HOSTILE) and option != "--key-file":
        shown = bad.replace("\x1b", "\\x1b")
        words = set(re.split("[ ':]+", err.replace(f"{site.root}/", "")))
        assert words & {shown.replace(RAW, "\\xff"), shown.replace(RAW, "\\udcff")}


@pytest.mark.parametrize(
    "given",
    ["check --config=", "check --base-url=", "check --baseline ?", "check ?", "why ?", "dates ?", "demo --keep=",
     "changed --since=", "fix --repo ?", "check --select=", "map --check=", "init ?"],
)  # fmt: skip
def test_an_empty_argument_is_no_argument_left_out(site: Repo, run: Run, given: str) -> None:
    code, out, err = run(*(word.replace("?", "") for word in given.split()))
    assert (code, out) == (2, "")
    before = given.removesuffix("?").split()[-1]
    what = f"the value of {before[:-1]}" if before.endswith("=") else f"the argument after {before}"
    assert err == f"sitemap-guard: {what} is empty; write what is meant, or leave it out\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("check --select lastmod --ignore lastmod", "no rule is left to check by: all are switched off or left out"),
        ("check --staged --rev HEAD~0", "what is staged belongs to HEAD, not to HEAD~0: leave out --rev or --staged"),
        ("map --check x --format json", "--check prints counts: leave out --format json"),
        ("indexnow --all --since HEAD", "--all sends every page, --since what changed: leave out one of the two"),
        ("check --write-baseline --baseline empty", "empty: this is a folder; name a file for the baseline"),
        ("check --write-baseline --baseline /", "/: this is a folder; name a file for the baseline"),
        ("map --check bytes", "bytes: the table cannot be read: it is not UTF-8"),
        ("indexnow empty", "nothing was checked: no sitemap in empty"),
        ("check project", "nothing was checked: no sitemap in project; did you mean project/site?"),
        ("indexnow --dry-run --state bytes", "bytes: this is no state file ("),
        ("indexnow --dry-run --state empty", "empty: the state cannot be read: Is a directory"),
        ("indexnow --dry-run --state public/sitemap.xml", "public/sitemap.xml: this is no state file ("),
        ("indexnow --dry-run --key-location k.txt", "key-location 'k.txt' is no web address; write the whole one"),
        ("demo --keep bytes", "bytes: the demo cannot be made there: File exists"),
        ("map empty", "nothing was mapped: no sitemap in empty"),
        ("changed --since HEAD empty", "nothing was checked: no sitemap in empty"),
        ("why /a/ empty", "nothing was checked: no sitemap in empty"),
        ("fix empty", "nothing was checked: no sitemap in empty"),
        ("init empty", "nothing was written, since nothing was found: no sitemap in empty"),
    ],
)
def test_what_cannot_be_done_is_told(site: Repo, run: Run, given: str, said: str) -> None:
    if "project" in given:
        site.write("project/site/sitemap.xml", "")
        site.write("project/index.html", "")
    code, _, err = run(*given.split(), *(["--no-cache"] if given.startswith("check") else []))
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1
    assert not (site.root / "sitemap-guard.toml").exists()


def test_no_rule_left_in_the_settings_is_told(site: Repo, run: Run) -> None:
    families = {one.partition("-")[0] for one in run("rules")[1].splitlines()}
    site.write("sitemap-guard.toml", "[rules]\n" + "".join(f"{family} = 'off'\n" for family in families))
    assert "no rule is left" in run("check")[2]


def test_names_that_a_stranger_could_choose_are_shown_not_obeyed(site: Repo, run: Run) -> None:
    code, out, err = run("check", "--no-cache", "--write-baseline", "--baseline", HOSTILE)
    assert code == 0
    assert "(é\\n::error::x)" in err
    code, out, err = run("indexnow", "--dry-run", "--state", f"new {HOSTILE}")
    assert (code, out) == (0, "")
    assert "noted in new é\\n::error::x" in err
    code, out, err = run("demo", "--keep", HOSTILE + "2")
    assert code == 0
    assert not [line for line in (out + err).splitlines() if line.startswith("::")]


def test_a_folder_of_the_cache_must_be_none_or_a_folder(site: Repo, run: Run) -> None:
    site.write("sitemap-guard.toml", "cache = 'bytes'\n")
    assert run("check")[2] == (
        "sitemap-guard: sitemap-guard.toml:1: cache: bytes is no folder; name one, which need not be there yet\n"
    )


def test_what_is_no_repository_but_looks_like_one_is_told(site: Repo, run: Run) -> None:
    shutil.rmtree(site.root / ".git" / "objects")
    said = f"git takes {site.root / '.git'} for no repository: check that it is whole, and that you may read it"
    assert run("map")[2] == f"sitemap-guard: {said}\n"
    assert sitemap_guard.check("public").site.repository.detail == said


@pytest.mark.parametrize("name", ["site", "start", "config", "repo", "baseline", "against", "evidence"])
def test_from_python_too_a_name_that_no_file_can_have_is_told(site: Repo, name: str) -> None:
    with pytest.raises(UserError, match=f"{name}: .* is no path, since it has a NUL character"):
        sitemap_guard.check(**{name: "a\0b"})  # type: ignore[arg-type]


# ------------------------------------------------------------------------------- what the user has no right to read

_LESS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--inh-caps=-all"]
UNREAD = [
    ("public", 0, "check public", "public: the folder cannot be read: Permission denied"),
    ("public", 0o444, "fix public", "public: the folder cannot be read: Permission denied"),
    ("public/sitemap.xml", 0, "why /a/", "nothing was checked: no entry could be read from public/sitemap.xml"),
    ("public/sitemap.xml", 0, "map", "nothing was mapped: no entry could be read from public/sitemap.xml"),
    ("sitemap-guard.toml", 0, "check", "sitemap-guard.toml: the configuration cannot be read: Permission denied"),
    ("list", 0, "check public", "sitemap-guard.toml:2: dates.ignore-revs: 'list' cannot be read: Permission denied"),
    ("table", 0, "map --check table", "Path 'table' is not readable"),
    (
        f"public/{KEY}.txt",
        0,
        "indexnow --dry-run",
        "the key's file <key>.txt in the built site cannot be read: Permission",
    ),
    ("empty", 0o555, "check --output json=empty/x", "empty/x: the report cannot be written: Permission denied"),
    ("empty", 0o555, "indexnow --state empty/x", "empty/x: the state cannot be written: Permission denied"),
    ("empty", 0o555, "demo --keep empty/x", "empty/x: the demo cannot be made there: Permission denied"),
]


@pytest.mark.parametrize(("path", "mode", "given", "said"), UNREAD)
def test_without_the_right_to_read_or_write_that_is_told(
    site: Repo, path: str, mode: int, given: str, said: str
) -> None:
    less = [] if os.geteuid() else _LESS
    if less and (shutil.which("setpriv") is None or subprocess.run([*less, "true"], check=False).returncode):
        pytest.skip("NOT TESTED: root may read everything, and setpriv cannot take that away here")
    site.write("sitemap-guard.toml", "[dates]\nignore-revs = 'list'\n")
    for name in ("list", "table"):
        site.write(name, "")
    site.write(f"public/{KEY}.txt", KEY)
    os.chmod(site.root / path, mode)
    try:
        done = subprocess.run(
            [*less, sys.executable, "-m", "sitemap_guard", *given.split()],
            cwd=site.root, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        os.chmod(site.root / path, 0o755)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert KEY not in done.stdout + done.stderr


def test_evidence_survives_a_closed_output(site: Repo) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m sitemap_guard dates --format csv >&-"],
        cwd=site.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_json_says_the_same_from_a_folder_with_a_name_that_is_not_utf_8(site: Repo, run: Run) -> None:
    (site.root / "public").rename(site.root / RAW)
    code, out, _ = run("check", RAW, "--no-cache", "--format", "json")
    assert code == 0
    assert json.loads(out)["summary"]["dates"]["true"] == 1
