"""Sites, pages and files are found from where the user stands, and by the names that the user has for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, MARCH, build, html, run_cli

import sitemap_guard


@pytest.fixture
def site(repo: Repo) -> Repo:
    """A repository with a source in a folder, and the built site in the root's `public`."""
    repo.commit("First", {"docs/guide/a.md": "a\n", "docs/b.md": "b\n", ".gitignore": "/public/\n"}, at=MARCH)
    build(
        repo.root / "public",
        {"a/index.html": html("a/index.html", source="docs/guide/a.md")},
        [(BASE + "a/", "2026-03-01")],
    )
    return repo


COMMANDS = ["check --no-cache", "map", "fix", "changed --since HEAD", "why /a/", "indexnow --all --dry-run"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("folder", ["docs/guide", "docs"])
def test_a_sub_folder_will_do(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, folder: str
) -> None:
    site.write("public/0123456789abcdef.txt", "0123456789abcdef")
    codes = []
    for place in (".", folder):
        monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", "0123456789abcdef")  # the command takes it out
        monkeypatch.chdir(site.root / place)
        code, out, err = run_cli(capsys, *command.split())
        assert code in (0, 1), (place, out, err)
        codes.append(code)
    assert codes[0] == codes[1]


def test_init_in_a_sub_folder_writes_where_it_found_the_site(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site.root / "docs" / "guide")
    code, out, _ = run_cli(capsys, "init")
    assert code == 0
    assert "wrote ../../sitemap-guard.toml" in out
    text = (site.root / "sitemap-guard.toml").read_text()
    assert 'site = "public"' in text
    assert "tables that are ([[source]], [[manifest]]) are examples" in text
    assert not list((site.root / "docs").rglob("*.toml"))
    assert run_cli(capsys, "check", "--no-cache")[0] in (0, 1)


def test_a_project_may_be_named_for_its_site(
    site: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run_cli(capsys, "map", str(site.root))
    assert code == 0, err
    assert "a/  docs/guide/a.md" in out


def test_a_named_folder_without_a_sitemap_is_named_as_it_was(
    site: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    (site.root / "public" / "sitemap.xml").unlink()
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    code, _, err = run_cli(capsys, "check", "--no-cache", str(site.root))
    assert code == 2
    assert f"nothing was checked: no sitemap in {site.root}\n" in err


@pytest.mark.parametrize(
    ("folder", "path", "listed"),
    [
        ("docs", "guide/a.md", ["docs/guide/a.md"]),
        ("docs", "docs/guide/a.md", ["docs/guide/a.md"]),
        ("docs", ".", ["docs/b.md", "docs/guide/a.md"]),
        ("docs/guide", "../b.md", ["docs/b.md"]),
        (".", "docs/guide", ["docs/guide/a.md"]),
        (".", "./docs/", ["docs/b.md", "docs/guide/a.md"]),
    ],
)
def test_dates_takes_paths_from_here_and_from_the_root(
    site: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: str, path: str,
    listed: list[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(site.root / folder)
    code, out, _ = run_cli(capsys, "dates", path)
    assert code == 0
    assert [line.split()[-1] for line in out.splitlines()[1:]] == listed


def test_where_the_address_was_given_is_told(site: Repo) -> None:
    assert sitemap_guard.check("public", start=site.root, base_url=BASE).site.base_by == "--base-url"
    site.write("sitemap-guard.toml", f'base-url = "{BASE}"\n')
    found = sitemap_guard.check("public", start=site.root).site
    assert found.base_by == "base-url of the configuration"
