"""The workflow of docs/recipes.md for GitHub Pages, run by act as it stands there, on sites that MkDocs builds.

The action is this project's own. act plays actions/checkout. What belongs to GitHub's servers is played by the small
actions below: setup-python gives an environment instead of a Python of that version (and keeps it, and what our action
installs, for the next job), upload-pages-artifact packs the folder, deploy-pages unpacks it elsewhere.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Repo
from engine import Engine, engine

from e2e.recipes import BASE, JUNE, block, mkdocs_site

KEY = "0123456789abcdef"
Done = subprocess.CompletedProcess[str]

SETUP_PYTHON = """
[ -d "$KEPT/python" ] || python3 -m venv "$KEPT/python"
echo "$KEPT/python/bin" >>"$GITHUB_PATH"
mkdir -p "$KEPT/installed"
ln -sfn "$KEPT/installed" "$RUNNER_TEMP/sitemap-guard"
"""
# By name: the input that is asked for, and what is done.
STAND_INS = {
    "actions/setup-python@v7": ("python-version", SETUP_PYTHON),
    "actions/upload-pages-artifact@v5": ("path", 'tar -cf "$TOLD/pages.tar" -C "$INPUT" .'),
    "actions/deploy-pages@v5": ("", 'mkdir "$TOLD/deployed" && tar -xf "$TOLD/pages.tar" -C "$TOLD/deployed"'),
}


@pytest.fixture(scope="module")
def actions(
    project_copy: Path, commit: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The actions that the recipe uses, each in a repository."""
    found = {"OWNER/sitemap-guard@v1": project_copy}
    for name, (given, script) in STAND_INS.items():
        folder = tmp_path_factory.mktemp("action")
        inputs = f"inputs:\n  {given}:\n    description: x\n    required: true\n" if given else ""
        indented = "".join(f"        {line}\n" for line in script.splitlines())
        value = f"${{{{ inputs.{given} }}}}" if given else ""
        (folder / "action.yml").write_text(
            f"name: {name}\ndescription: x\n{inputs}runs:\n  using: composite\n  steps:\n"
            f"    - shell: bash\n      env:\n        INPUT: {value}\n      run: |\n{indented}"
        )
        commit(folder, init=True)
        found[name] = folder
    return found


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def act(run_act: Callable[..., Done], actions: dict[str, Path], kept: Path, tmp_path: Path) -> Callable[..., Done]:
    def run(site: Repo, event: str, before: str = "", *options: str) -> Done:
        site.commit("The workflow", {".github/workflows/site.yml": block("GitHub Pages", "yaml")}, at=JUNE)
        said = tmp_path / "event.json"
        said.write_text(json.dumps({"ref": "refs/heads/main", "before": before} if event == "push" else {}))
        more = ("--eventpath", str(said), "--env", f"KEPT={kept}", *options)
        return run_act(site.root, *more, event=event, actions=actions, told=tmp_path)

    return run


@pytest.fixture
def listening() -> Iterator[Engine]:
    with engine() as server:
        yield server


def ended(log: str) -> dict[str, str]:
    """How each job that ran ended."""
    return dict(re.findall(r"^\[site/(\w+)\s*\].* Job (succeeded|failed)$", log, re.MULTILINE))


def with_key(site: Repo, server: Engine) -> str:
    """Has the site serve the key's file, and edits a page after that. Returns the commit before the edit."""
    before = site.commit(
        "The key",
        {f"docs/{KEY}.txt": KEY, "sitemap-guard.toml": f'[indexnow]\nendpoint = "{server.url}"\n'},
        at=JUNE,
    )
    site.commit("More news", {"docs/news.md": "# News\n\nMore news.\n"}, at=JUNE)
    return before


def test_a_true_site_is_deployed_and_what_changed_is_told(
    act: Callable[..., Done], listening: Engine, tmp_path: Path
) -> None:
    site = mkdocs_site(tmp_path / "site")
    before = with_key(site, listening)
    done = act(site, "push", before, "--secret", f"INDEXNOW_KEY={KEY}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert ended(done.stdout) == {"build": "succeeded", "deploy": "succeeded", "notify": "succeeded"}
    assert f"<loc>{BASE}news/</loc>" in (tmp_path / "deployed" / "sitemap.xml").read_text("utf-8")
    assert listening.urls == [[f"{BASE}news/"]]
    assert KEY not in done.stdout + done.stderr


def test_the_first_push_of_a_branch_tells_nothing(act: Callable[..., Done], listening: Engine, tmp_path: Path) -> None:
    site = mkdocs_site(tmp_path / "site")
    with_key(site, listening)
    done = act(site, "push", "0" * 40, "--secret", f"INDEXNOW_KEY={KEY}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert ended(done.stdout)["notify"] == "succeeded"
    assert "nothing is sent: there was no commit before" in done.stdout
    assert listening.got == []


def test_a_false_site_is_not_deployed(act: Callable[..., Done], tmp_path: Path) -> None:
    done = act(mkdocs_site(tmp_path / "site", true=False), "push")
    assert done.returncode == 1, done.stdout + done.stderr
    assert ended(done.stdout) == {"build": "failed"}
    assert re.search(r"::error file=site/sitemap.xml,line=\d+,title=lastmod-too-new \(3 findings\)", done.stdout)
    assert not (tmp_path / "pages.tar").exists()


def test_a_pull_request_is_checked_and_not_deployed(act: Callable[..., Done], tmp_path: Path) -> None:
    done = act(mkdocs_site(tmp_path / "site"), "pull_request")
    assert done.returncode == 0, done.stdout + done.stderr
    assert ended(done.stdout) == {"build": "succeeded"}
    assert "all 3 dates are true" in done.stdout
    assert not (tmp_path / "deployed").exists()
