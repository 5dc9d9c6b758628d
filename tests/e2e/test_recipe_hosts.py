"""The commands of docs/recipes.md for Netlify, Cloudflare Pages, Vercel and others, as they stand there.

Each runs in a clone as its host makes it, on a site that Hugo builds, with nothing on PATH but a plain shell, git, the
generator, npm and a Python without pip. Git takes the address of this project for a copy of it. The script that they
share installs it once, in a run of the last recipe; the others run the script's last line with what that one installed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Repo

from e2e.recipes import BASE, block, hugo_site

Done = subprocess.CompletedProcess[str]
Shell = Callable[..., Done]
Clone = Callable[..., Path]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return hugo_site(tmp_path_factory.mktemp("origin") / "site")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The host's own Python, which has no pip and must stay as it is."""
    folder = tmp_path_factory.mktemp("host") / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def shell(tool: Callable[[str], str], pip_finds_us: dict[str, str], python: Path) -> Shell:
    """Runs a command by `sh` in a folder."""
    programs, temporary = python.parent / "bin", python.parent / "tmp"
    programs.mkdir()
    temporary.mkdir()
    for name in ("sh", "git", "mktemp", "env", "ls", "hugo", *filter(shutil.which, ("npm", "node"))):
        (programs / name).symlink_to(tool(name))
    env = {**pip_finds_us, "PATH": f"{python / 'bin'}{os.pathsep}{programs}", "TMPDIR": str(temporary)}

    def run(command: str, folder: Path, **more: str) -> Done:
        return subprocess.run(
            [programs / "sh", "-c", command],
            cwd=folder,
            env={**env, **more},
            stdin=subprocess.DEVNULL,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


def cloned(origin: Repo, folder: Path, *options: str) -> Path:
    subprocess.run(["git", "clone", "-q", *options, f"file://{origin.root}", str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def elsewhere(origin: Repo, shell: Shell, tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Path]:
    """The recipe for any other place: how it ended, and where."""
    work = cloned(origin, tmp_path_factory.mktemp("elsewhere") / "work")
    return shell(block("Any other place", "sh"), work), work


@pytest.fixture
def clone(origin: Repo, python: Path, elsewhere: tuple[Done, Path], tmp_path: Path) -> Clone:
    """A clone in which the script uses what is installed already."""
    [installed] = (python.parent / "tmp").glob("*/bin/sitemap-guard")
    script = block("One script for hosts with a build command", "sh").splitlines()
    assert script[1] == "guard=$(mktemp -d)"
    text = "\n".join([script[0], f"guard='{installed.parent.parent}'", script[-1], ""])

    def make(*options: str) -> Path:
        work = cloned(origin, tmp_path / f"work{len(options)}", *options)
        (work / "check-sitemap.sh").write_text(text)
        return work

    return make


def assert_true(done: Done, base: str = BASE) -> None:
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"3 URLs in 1 sitemap of {base} " in done.stdout
    assert "3 true + 0 false + 0 cannot tell + 0 absent = 3 URLs" in done.stdout


def test_any_other_place(elsewhere: tuple[Done, Path], origin: Repo, python: Path) -> None:
    done, work = elsewhere
    assert_true(done)
    assert json.loads((work / "report.json").read_text("utf-8"))["summary"]["dates"]["true"] == 3
    assert "all 3 dates are true" in (work / "report.md").read_text("utf-8")
    # What was installed is in a place of its own: neither the host's Python nor the work tree has any of it.
    assert [path.name for path in python.glob("lib/python*/site-packages/*")] == []
    assert origin.git("-C", str(work), "status", "--porcelain").split() == ["??", "report.json", "??", "report.md"]


def test_netlify_in_production_and_in_a_preview(shell: Shell, clone: Clone) -> None:
    settings = tomllib.loads(block("Netlify", "toml"))
    assert settings["build"]["publish"] == "public"
    work = clone("--filter=blob:none")
    assert_true(shell(settings["build"]["command"], work))

    preview = "https://deploy-preview-7--garden.netlify.app"
    done = shell(settings["context"]["deploy-preview"]["command"], work, DEPLOY_PRIME_URL=preview)
    assert_true(done, f"{preview}/")
    assert "not checked: host and noindex rules, because --env preview" in done.stdout


def test_cloudflare_fetches_the_history_before_the_build(shell: Shell, clone: Clone) -> None:
    command = block("Cloudflare Pages", "sh")
    work = clone("--depth=1")
    assert_true(shell(command, work))
    # In a clone that is whole there is nothing to fetch, and that is no error.
    assert_true(shell(command, work))


def test_to_fetch_the_history_after_the_build_is_too_late(shell: Shell, clone: Clone) -> None:
    command = re.sub(r"^git fetch [^;]*; ", "", block("Cloudflare Pages", "sh")).replace(
        "public", "public --deepen auto"
    )
    done = shell(command, clone("--depth=1"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 of 3 dates are that of the newest commit" in done.stdout


@pytest.mark.skipif(not shutil.which("npm"), reason="NOT TESTED: npm is not installed")
def test_vercel_needs_the_deep_clone(shell: Shell, clone: Clone) -> None:
    settings = json.loads(block("Vercel", "json"))
    assert settings["outputDirectory"] == "out"
    done = shell(settings["buildCommand"], clone("--depth=10"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "history-shallow" in done.stdout
    assert "VERCEL_DEEP_CLONE=true" in done.stdout
    assert_true(shell(settings["buildCommand"], clone()))


def test_a_build_that_fails_is_not_checked(shell: Shell, clone: Clone) -> None:
    """Each command stops at the generator's error, whatever an earlier build left behind."""
    settings = tomllib.loads(block("Netlify", "toml"))
    commands = [
        settings["build"]["command"],
        settings["context"]["deploy-preview"]["command"],
        block("Cloudflare Pages", "sh"),
        block("Any other place", "sh"),
    ]
    work = clone()
    assert shell("hugo --gc", work).returncode == 0
    (work / "hugo.toml").write_text("no settings")
    for command in commands:
        done = shell(command, work, DEPLOY_PRIME_URL=BASE)
        assert done.returncode != 0, command
        assert "URLs in" not in done.stdout, command
