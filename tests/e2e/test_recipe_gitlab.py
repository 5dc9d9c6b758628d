"""The pipeline of docs/recipes.md for GitLab, as it stands there, on sites that MkDocs builds.

The scripts of its jobs run in a shell, as GitLab's runner runs them, with an environment in place of the image's Python.
Where npm and rsync are there, gitlab-ci-local runs the whole pipeline with its stages, needs, rules and artifacts.
GitLab itself is played by nobody: what it does with the reports, the pages and the key is not tested. Git takes the
address of this project for a copy of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from conftest import Repo
from engine import Engine, engine

from e2e.recipes import BASE, JUNE, block, mkdocs_site
from e2e.running import Done, run_in

KEY = "0123456789abcdef"
# The newest that runs on Node 20.
RUNNER = "gitlab-ci-local@4.72.0"


@pytest.fixture(scope="module")
def image(pip_finds_us: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a job: a Python of its own comes first."""
    python = tmp_path_factory.mktemp("image") / "python"
    subprocess.run([sys.executable, "-m", "venv", str(python)], check=True)
    return {**pip_finds_us, "PATH": f"{python / 'bin'}{os.pathsep}{pip_finds_us['PATH']}"}


@pytest.fixture
def job(image: dict[str, str]) -> Callable[..., Done]:
    """Runs the script of a job in a folder, as GitLab's runner does: it ends at the first command that fails."""

    def run(name: str, folder: Path, **variables: str) -> Done:
        lines = yaml.safe_load(block("GitLab CI", "yaml"))[name]["script"]
        command = ["bash", "-c", "\n".join(["set -eo pipefail", *lines])]
        return run_in(folder, command, {**image, **variables})

    return run


@pytest.fixture(scope="module")
def pipeline(image: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Done]:
    """Runs the whole pipeline in a folder."""
    for needed in ("npm", "rsync"):
        if not shutil.which(needed):
            pytest.skip(f"NOT TESTED with gitlab-ci-local, which needs {needed}")
    tools = tmp_path_factory.mktemp("tools")
    install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(tools), RUNNER]
    done = run_in(tools, install, dict(os.environ))
    if done.returncode:
        pytest.skip(f"NOT TESTED with gitlab-ci-local, which cannot be installed: {done.stderr.strip()[-200:]}")

    def run(site: Repo, **variables: str) -> Done:
        site.commit("The pipeline", {".gitlab-ci.yml": block("GitLab CI", "yaml")}, at=JUNE)
        command = [str(tools / "node_modules/.bin/gitlab-ci-local"), "--force-shell-executor"]
        for name, value in variables.items():
            command += ["--variable", f"{name}={value}"]
        return run_in(site.root, command, image)

    return run


def edited_site(folder: Path, server: Engine) -> tuple[Repo, str]:
    """A true site that serves the key's file, and the commit before its last edit."""
    site = mkdocs_site(folder)
    settings = f'[indexnow]\nendpoint = "{server.url}"\n'
    before = site.commit("The key", {f"docs/{KEY}.txt": KEY, "sitemap-guard.toml": settings}, at=JUNE)
    site.commit("More news", {"docs/news.md": "# News\n\nMore news.\n"}, at=JUNE)
    return site, before


def quality(folder: Path) -> list[tuple[str, str]]:
    """Severity and rule of each finding in the code quality report."""
    file = yaml.safe_load(block("GitLab CI", "yaml"))["build"]["artifacts"]["reports"]["codequality"]
    return [(row["severity"], row["check_name"]) for row in json.loads((folder / file).read_text("utf-8"))]


def failures(folder: Path) -> int:
    """Number of failed tests in the JUnit report."""
    file = yaml.safe_load(block("GitLab CI", "yaml"))["build"]["artifacts"]["reports"]["junit"]
    suites = ET.parse(folder / file).getroot()
    assert int(suites.attrib["tests"]) > 50
    return int(suites.attrib["failures"])


def assert_reported(folder: Path) -> None:
    assert quality(folder) == [("major", "lastmod-too-new")] * 3
    assert failures(folder) == 1


def test_a_true_site_passes_and_what_changed_is_told(job: Callable[..., Done], tmp_path: Path) -> None:
    with engine() as server:
        site, before = edited_site(tmp_path / "site", server)
        for name in ("build", "deploy"):
            done = job(name, site.root)
            assert done.returncode == 0, done.stdout + done.stderr
        assert (quality(site.root), failures(site.root)) == ([], 0)
        done = job("notify", site.root, CI_COMMIT_BEFORE_SHA=before, SITEMAP_GUARD_INDEXNOW_KEY=KEY)
        assert done.returncode == 0, done.stdout + done.stderr
        assert server.urls == [[f"{BASE}news/"]]
    assert KEY not in done.stdout + done.stderr


def test_a_false_site_fails_and_leaves_its_reports(job: Callable[..., Done], tmp_path: Path) -> None:
    site = mkdocs_site(tmp_path / "site", true=False)
    done = job("build", site.root)
    assert done.returncode == 1, done.stdout + done.stderr
    assert_reported(site.root)


def test_the_whole_pipeline(pipeline: Callable[..., Done], tmp_path: Path) -> None:
    with engine() as server:
        site, before = edited_site(tmp_path / "true", server)
        done = pipeline(site, CI_COMMIT_BEFORE_SHA=before, SITEMAP_GUARD_INDEXNOW_KEY=KEY)
        assert done.returncode == 0, done.stdout + done.stderr
        assert ended(done) == {"build": "PASS", "deploy": "PASS", "notify": "PASS"}
        assert server.urls == [[f"{BASE}news/"]]
    assert (quality(site.root), failures(site.root)) == ([], 0)

    site = mkdocs_site(tmp_path / "false", true=False)
    done = pipeline(site)
    assert done.returncode == 1, done.stdout + done.stderr
    assert ended(done) == {"build": "FAIL"}
    assert_reported(site.root)


def ended(done: Done) -> dict[str, str]:
    """How each job that ran ended."""
    return {name: how for how, name in re.findall(r"^ (PASS|FAIL|WARN) +(\S+) *$", done.stdout, re.MULTILINE)}
