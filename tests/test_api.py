"""The check from Python: what it offers, what it loads, and that the command runs nothing else."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, Repo
from sites import BASE, MARCH, build, html, sitemap

import sitemap_guard
from sitemap_guard import api, cli


@pytest.fixture
def site(repo: Repo) -> Repo:
    repo.commit("A page", {"content/a.md": "a\n", ".gitignore": "/public/\n"}, at=MARCH)
    pages = {"a/index.html": html("a/index.html", source="content/a.md")}
    build(repo.root / "public", pages, [(BASE + "a/", "2026-05-01")])
    return repo


def test_a_check_from_anywhere(site: Repo) -> None:
    result = sitemap_guard.check("public", start=site.root)
    assert isinstance(result, sitemap_guard.Result)
    [finding] = result.findings
    assert (finding.rule, finding.level, finding.loc) == ("lastmod-too-new", sitemap_guard.Level.ERROR, BASE + "a/")
    assert finding.expected == "2026-03-01"
    assert result.summary.false == 1
    [entry] = result.site.entries
    assert entry.verdict.answer is sitemap_guard.Answer.FALSE
    assert sitemap_guard.check(site.root / "public").findings == result.findings


def test_settings_are_given_or_found(site: Repo) -> None:
    (site.root / "sitemap-guard.toml").write_text('[rules]\nlastmod = "off"\n')
    assert sitemap_guard.check(start=site.root).findings == ()
    assert len(sitemap_guard.check(start=site.root, config=sitemap_guard.Config()).findings) == 1
    assert sitemap_guard.check(start=site.root, config=site.root / "sitemap-guard.toml").findings == ()


def test_what_is_wrong_is_raised(site: Repo) -> None:
    with pytest.raises(sitemap_guard.UserError, match="no such folder"):
        sitemap_guard.check("nowhere", start=site.root)
    with pytest.raises(sitemap_guard.UserError, match="no share"):
        sitemap_guard.check(start=site.root, require_verified="most")


def test_adopting_and_progress(site: Repo) -> None:
    (site.root / "old.xml").write_text(sitemap((BASE + "gone/", "2026-03-01")))
    stages: list[str] = []
    result = sitemap_guard.check(
        start=site.root,
        against="old.xml",
        ignore=["lastmod"],
        progress=lambda stage, _done, _total: stages.append(stage),
    )
    assert [finding.rule for finding in result.findings] == ["page-dropped"]
    assert {"sitemaps", "rules"} <= set(stages)


def test_the_command_runs_the_same_function(site: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def spy(*args: object, **named: object) -> object:
        given.extend(named)
        return real(*args, **named)

    real = api.check
    monkeypatch.setattr(api, "check", spy)
    monkeypatch.chdir(site.root)
    assert cli.main(["check", "-q"]) == 1
    # Every argument can be reached from the command line, but for the place, the clock, and what `why` asks for.
    assert set(inspect.signature(real).parameters) - set(given) == {"site", "start", "now", "links"}


def test_importing_is_light() -> None:
    code = (
        "import sys, sitemap_guard; print([m for m in sys.modules if m.startswith('sitemap_guard.') or m == 'msgspec'])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_every_name_is_there_and_documented() -> None:
    page = (PROJECT / "docs" / "api.md").read_text("utf-8")
    for name in sitemap_guard.__all__:
        assert getattr(sitemap_guard, name) is not None
        assert name.startswith("__") or f"`{name}" in page, name
    for name in inspect.signature(api.check).parameters:
        assert f"`{name}`" in page, name
    with pytest.raises(AttributeError):
        sitemap_guard.nothing  # noqa: B018


def test_the_documented_example_runs(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {"b/index.html": html("b/index.html")}
    build(site.root / "public", pages, [(BASE + "a/", "2026-05-01"), (BASE + "b/", "2026-05-01")])
    [example] = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / "api.md").read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(site.root)
    exec(compile(example, "docs/api.md", "exec"), {"__name__": "example"})
    out = capsys.readouterr().out
    assert "0 dates are true, 1 are false" in out
    assert f"error lastmod-too-new {BASE}a/" in out
    assert "  + 2026-03-01" in out
    assert f"{BASE}b/ " in out.splitlines()[-1]


def test_callers_are_type_checked(tmp_path: Path) -> None:
    caller = tmp_path / "caller.py"
    caller.write_text(
        "import sitemap_guard\n"
        "result: sitemap_guard.Result = sitemap_guard.check('public', select=['lastmod'])\n"
        "count: int = result.summary.false\n"
        "level: str = result.findings[0].level.word\n"
        "sitemap_guard.check(nonsense=1)\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--no-error-summary",
            "--cache-dir",
            str(PROJECT / ".mypy_cache"),
            str(caller),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    errors = [line for line in done.stdout.splitlines() if "caller.py" in line and "error" in line]
    assert len(errors) == 1
    assert 'Unexpected keyword argument "nonsense"' in errors[0]


WRONG = [
    ("select", "lastmod", "a list or tuple of names"),
    ("ignore", "lastmod", "a list or tuple of names"),
    ("select", [3], "no name of a rule or family"),
    ("select", 3, "a list or tuple of names"),
    ("config", {"site": "x"}, "a Config or the path of its file"),
    ("now", "x", "a whole number of seconds since 1970"),
    ("now", True, "a whole number of seconds since 1970"),
    ("now", 1.5, "a whole number of seconds since 1970"),
    ("evidence", 3, "a path"),
    ("site", None, "a path"),
    ("baseline", 3, "a path"),
    ("against", b"x", "a path"),
    ("jobs", 0, "a number of processes from 1"),
    ("jobs", "2", "a number of processes from 1"),
    ("strict", "x", "True or False"),
    ("links", None, "True or False"),
    ("rev", 3, "a text"),
    ("changed_since", None, "a text"),
    ("base_url", 3, "a text"),
    ("require_verified", [], "a share"),
    ("require_verified", True, "a share"),
    ("progress", 3, "a function"),
    ("start", "/nope", "a folder that is there"),
    ("start", 3, "a path"),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_an_argument_that_cannot_be_right_is_named_in_one_line(
    site: Repo, monkeypatch: pytest.MonkeyPatch, name: str, value: object, said: str
) -> None:
    monkeypatch.chdir(site.root)
    with pytest.raises(sitemap_guard.UserError) as caught:
        api.check(**{name: value})  # type: ignore[arg-type]
    told = str(caught.value)
    assert told.startswith(f"{name}: ")
    assert said in told
    assert "\n" not in told


def test_every_argument_is_looked_at() -> None:
    assert {name for name, _, _ in WRONG} | {"repo", "staged", "deepen", "preview", "cache"} == set(
        inspect.signature(api.check).parameters
    )
