"""Where settings are looked for, what is taken for none, and that the folder they stand in is what paths start at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build, html

import sitemap_guard
from sitemap_guard import cli, config
from sitemap_guard.model import UserError

MARCH, MAY = 1772355600, 1777626000  # 2026, the first of each month, 09:00Z


@pytest.mark.parametrize(
    "text",
    [
        "[tool.sitemap-guard]\nsite = 'x'",
        "tool.sitemap-guard.site = 'x'",
        "[tool]\nsitemap-guard = {site = 'x'}",
        "[tool]\nsitemap-guard.site = 'x'",
        "[ tool . 'sitemap-guard' ]\nsite = 'x'",
    ],
)
def test_the_table_is_found_in_each_way_of_writing_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert config.load(None, tmp_path).config.site == "x"


@pytest.mark.parametrize(
    "text", ["[tool.x]\ndev = 'sitemap-guard'", "tool = 3 # sitemap-guard", "[project]\nname = 'a'", "not = = toml"]
)
def test_a_project_without_the_table_has_no_settings(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / ".git").mkdir()
    assert config.load(None, tmp_path) == config.Settings()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"pyproject.toml": "\n[tool.sitemap_guard]\nsite='x'"}, "pyproject.toml:2: settings are not read from [tool.sitemap_guard]; write [tool.sitemap-guard]"),
        ({"sitemap_guard.toml": ""}, "sitemap_guard.toml: settings are not read from here; call the file sitemap-guard.toml"),
        ({".sitemap-guard.toml": ""}, ".sitemap-guard.toml: settings are not read from here"),
        ({"sitemap-guard.toml": "", "pyproject.toml": "[tool.sitemap-guard]"}, "sitemap-guard.toml: pyproject.toml holds settings too, in [tool.sitemap-guard], which would not count; keep them in one of the two"),
        ({"sitemap-guard.toml": "[dates]\nstrict=true\n[dates]"}, "sitemap-guard.toml:3: the table [dates] is there twice; put its keys under one heading"),
        ({"sitemap-guard.toml": "site='a'\nsite='b'\nbaseline='x'"}, "sitemap-guard.toml:2: this is set twice; keep one of the two"),
        ({"sitemap-guard.toml": "site = \n"}, "sitemap-guard.toml:1: not valid TOML: Invalid value"),
        ({"sitemap-guard.toml": "site = \"a\\d\""}, "sitemap-guard.toml:1: not valid TOML: Unescaped '\\' in a string; write / between folders, or single quotes"),
        ({"pyproject.toml": "[tool.sitemap-guard]\nx = \n"}, "pyproject.toml:2: not valid TOML"),
        ({"pyproject.toml": "[tool]\nsitemap-guard = 3"}, "pyproject.toml:2: tool.sitemap-guard: this must be a table, not a whole number"),
        ({"sitemap-guard.toml/x": ""}, "sitemap-guard.toml: the configuration cannot be read: Is a directory"),
    ],
)  # fmt: skip
def test_settings_that_would_not_count_are_told(tmp_path: Path, files: dict[str, str], said: str) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError) as told:
        config.load(None, tmp_path)
    assert str(told.value).startswith(said)
    assert "\n" not in str(told.value)


def test_a_file_that_is_named_must_hold_settings(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname='x'")
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere")
    for name, words in (
        ("pyproject.toml", "has no table [tool.sitemap-guard]; add it, or name another file"),
        (".", "cannot be read: Is a directory"),
        ("link.toml", "cannot be read: No such file"),
        ("a\0b", "cannot be read: embedded null"),
    ):
        with pytest.raises(UserError) as told:
            config.load(tmp_path / name, tmp_path)
        assert words in str(told.value)


# ------------------------------------------------------------------------------------------- the folder of the file


@pytest.fixture
def site(repo: Repo) -> Repo:
    """Two sources, an honest sitemap in an ignored out/, settings in the root that name it."""
    settings = "site = 'out'\nbaseline = 'known.json'\n"
    repo.commit("First", {"content/a.md": "a\n", ".gitignore": "/out/\n", "sitemap-guard.toml": settings}, at=MARCH)
    repo.write("known.json", '{"version": 1, "tool": "x", "findings": []}')
    build(
        repo.root / "out", {"a/index.html": html("a/index.html", source="content/a.md")}, [(BASE + "a/", "2026-03-01")]
    )
    return repo


@pytest.mark.parametrize("below", ["", "content", "out", "out/a"])
@pytest.mark.parametrize(
    "command", ["check", "map", "fix", "why /a/", "changed --since HEAD", "report --output -", "dates"]
)
def test_paths_of_settings_start_at_their_file(
    site: Repo, below: str, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site.root / below)
    assert cli.main(command.split()) == 0, capsys.readouterr().err
    assert sitemap_guard.check(start=site.root / below).summary.true == 1
    assert sitemap_guard.check(start=Path()).summary.true == 1


def test_without_a_named_site_the_folder_of_the_settings_is_looked_through(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site.write("sitemap-guard.toml", "fail-on = 'warning'\n")
    (site.root / "out").rename(site.root / "public")
    monkeypatch.chdir(site.root / "content")
    assert cli.main(["check", "--no-cache"]) == 0
    assert "(site: public)" in capsys.readouterr().out
    # The nearest folder comes first: here the settings are in a sub-project of the repository.
    (site.root / "public").rename(site.root / "content" / "public")
    (site.root / "sitemap-guard.toml").rename(site.root / "content" / "sitemap-guard.toml")
    (site.root / "content" / "x").mkdir()
    monkeypatch.chdir(site.root / "content" / "x")
    assert cli.main(["check", "--no-cache"]) == 0
    assert "(site: content/public)" in capsys.readouterr().out


def test_a_nearer_file_wins_and_its_paths_are_its_own(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "[[source]]\nurl = '/b/'\npath = 'docs/text/b.md'\n"
    site.commit(
        "Docs", {"docs/text/b.md": "b", "docs/sitemap-guard.toml": f"site = 'html'\ncache='c'\n{source}"}, at=MAY
    )
    build(site.root / "docs" / "html", {"b/index.html": html("b/index.html")}, [(BASE + "b/", "2026-05-01")])
    monkeypatch.chdir(site.root / "docs" / "text")
    assert cli.main(["check"]) == 0
    assert "docs/html" in capsys.readouterr().out
    monkeypatch.chdir(site.root)
    assert cli.main(["check", "--config", "docs/sitemap-guard.toml"]) == 0
    assert cli.main(["check"]) == 0
    assert "(site: out)" in capsys.readouterr().out


def test_paths_on_the_command_line_start_at_the_working_folder(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site.root / "content")
    assert cli.main(["check", "../out", "--baseline", "../known.json"]) == 0
    assert cli.main(["check", "--baseline", "known.json"]) == 2
    assert "known.json: there is no such baseline" in capsys.readouterr().err


def test_a_baseline_of_the_settings_is_written_where_it_is_read(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site.root / "content")
    assert cli.main(["check", "--write-baseline"]) == 0
    assert "(../known.json)" in capsys.readouterr().err
    assert '"tool": "sitemap-guard' in (site.root / "known.json").read_text()
    assert not (site.root / "content" / "known.json").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("\nsite = 'nowhere'\n", "2: site: ../nowhere: there is no such folder; name the folder that the site was built into"),
        ("site = 'known.json'\n", "1: site: ../known.json is a file; name the folder that the site was built into"),
        ("sitemaps = ['none.xml']", "1: sitemaps: none.xml: no such file in the built site"),
        ("sitemaps = ['../known.json']", "1: sitemaps: ../known.json: it is not inside the built site"),
        ("[[root]]\npath = 'themes/x'", "2: root[0].path: there is no folder"),
        ("[[root]]\npath = 'content'", "2: root[0].path: "),
        ("[dates]\nignore-revs = 'etc/revs'", "2: dates.ignore-revs: there is no file 'etc/revs' in the repository; correct it"),
        ("[[manifest]]\nfile = 'pages.csv'", "1: manifest[0]: pages.csv: there is no such file at"),
        ("[[source]]\nurl = '/{a}/'\npath = '{b}.md'", "3: source[0].path: it uses {b}, but url has {a}; add it to url"),
        ("[[source]]\nurl = '/{a/'\npath = 'a.md'", "2: source[0].url: a stray brace at '{a/'; a name is written {name}"),
        ("[[source]]\nurl = '/{a}/{a}'\npath = 'a.md'", "2: source[0].url: the name {a} stands there twice"),
        ("[[source]]\nurl = '/'\npath = 'x.md'\n[[source]]\nurl = 'https://{x}/'\npath = 'a.md'", "5: source[1].url: 'https://{x}/' has no host"),
    ],
)  # fmt: skip
def test_what_only_the_site_and_the_repository_tell_has_its_line_too(
    site: Repo, settings: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site.write("sitemap-guard.toml", settings)
    monkeypatch.chdir(site.root / "content")
    given = [] if settings.strip().startswith("site") else ["../out"]
    assert cli.main(["check", *given]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"sitemap-guard: ../sitemap-guard.toml:{said}")
    assert len(err.splitlines()) == 1
    with pytest.raises(UserError) as told:
        sitemap_guard.check(*given, start=site.root / "content")
    assert f"sitemap-guard: {told.value}\n" == err


def test_a_policy_that_fits_no_file_is_told(site: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    site.write(
        "sitemap-guard.toml", "[[policy]]\npaths = ['contents/**', 'content/*.md', 'text/a.md']\nfield = 'ignore'\n"
    )
    found = sitemap_guard.check("out", start=site.root)
    assert found.notes == (
        "[[policy]] paths: 'contents/**' fits no file that git tracks",
        "[[policy]] paths: 'text/a.md' fits no file that git tracks; did you mean content/a.md?",
    )


def test_a_source_and_an_exception_that_fit_nothing_are_told(site: Repo) -> None:
    site.write("sitemap-guard.toml", "[[source]]\nurl = '/x/'\npath = 'x.md'\n[pages]\nunlisted = ['nope/**']\n")
    first, second = sitemap_guard.check("out", start=site.root).notes
    assert first.startswith("[[source]] 1 (url '/x/'): no sitemap lists an address that it fits (paths are below ")
    assert second == "[pages] unlisted: 'nope/**' fits no built page that the sitemaps leave out"
    # Where the rule is off, nobody looks at what is built.
    site.write("sitemap-guard.toml", "[rules]\npage-unlisted = 'off'\n[pages]\nunlisted = ['nope/**']\n")
    assert sitemap_guard.check("out", start=site.root).notes == ()


def test_a_repo_that_is_named_in_python_starts_at_start(site: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(os.sep)
    assert sitemap_guard.check("out", start=site.root, repo="content").summary.true == 1
    assert sitemap_guard.check("out", start=site.root, config="sitemap-guard.toml").summary.true == 1


def test_the_settings_of_a_work_tree_and_of_the_folder_that_holds_the_repository(
    site: Repo, make_repo: Callable[[Path], Repo], tmp_path: Path
) -> None:
    (tmp_path / "sitemap-guard.toml").write_text("site = 'elsewhere'\n")
    site.git("worktree", "add", "-q", str(tmp_path / "tree"))
    assert config.load(None, tmp_path / "tree" / "content").file == tmp_path / "tree" / "sitemap-guard.toml"
    (tmp_path / "tree" / "sitemap-guard.toml").unlink()
    assert config.load(None, tmp_path / "tree" / "content").file is None
