"""What the end-to-end tests share: a copy of the project as others get it, and the tools of the development lock."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from e2e.running import run_in

PROJECT = Path(__file__).resolve().parent.parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.e2e)


def find_tool(name: str) -> str:
    """The program's path: first beside this Python, where `make` puts it."""
    beside = shutil.which(name, path=str(Path(sys.executable).parent))
    found = beside or shutil.which(name)
    if not found:
        pytest.fail(f"{name} is not installed: run `make e2e`, which installs it from requirements/dev.txt")
    return found


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    return find_tool


@pytest.fixture(scope="session")
def project_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own files in a repository of their own, with what is not committed yet."""
    copy = tmp_path_factory.mktemp("copy") / "sitemap-guard"
    listed = subprocess.run(
        ["git", "-C", str(PROJECT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        source, target = PROJECT / name, copy / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    commit_all(copy, init=True)
    return copy


@pytest.fixture(scope="session")
def commit() -> Callable[..., None]:
    return commit_all


def commit_all(folder: Path, *, init: bool = False) -> None:
    """Commits everything in a folder, as a new repository when asked."""
    git = ["git", "-C", str(folder), "-c", "user.name=A Writer", "-c", "user.email=writer@example.org"]
    if init:
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "-q", "--no-verify", "-m", "Everything"], check=True)


@pytest.fixture(scope="session")
def make_site() -> Callable[[str, Path], None]:
    def make(kind: str, folder: Path) -> None:
        subprocess.run(["bash", str(PROJECT / "tests" / "e2e" / "make-site.sh"), kind, str(folder)], check=True)

    return make


@pytest.fixture
def run(home: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command in a folder, with nothing of this machine's settings."""

    def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        return run_in(folder, command, home)

    return run


@pytest.fixture
def site_with_hook(
    run: Callable[..., subprocess.CompletedProcess[str]],
    project_copy: Path,
    make_site: Callable[[str, Path], None],
    commit: Callable[..., None],
    tmp_path: Path,
) -> Callable[[str], Path]:
    """Makes an honest site whose settings of pre-commit name a hook of the project."""

    def make(hook: str) -> Path:
        folder = tmp_path / "site"
        make_site("honest", folder)
        rev = run(project_copy, "git", "rev-parse", "HEAD").stdout.strip()
        (folder / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {project_copy}\n  rev: {rev}\n  hooks:\n  - id: {hook}\n    args: [public]\n"
        )
        commit(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose home is empty, so that no test reads or leaves settings; pip's cache is shared."""
    folder = tmp_path_factory.mktemp("home")
    (folder / ".config" / "act").mkdir(parents=True)
    (folder / ".config" / "act" / "actrc").touch()
    python = str(Path(sys.base_prefix) / "bin")
    return {
        **os.environ,
        "PATH": python + os.pathsep + os.environ["PATH"],
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "XDG_CACHE_HOME": str(folder / ".cache"),
        "XDG_DATA_HOME": str(folder / ".local"),
        "PIP_CACHE_DIR": str(folder / "pip"),
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
    }


@pytest.fixture(scope="session")
def run_act(tool: Callable[[str], str], home: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the workflows of a folder: `actions` are those that are taken from a folder instead of being fetched."""

    def run(
        folder: Path, *args: str, event: str = "push", actions: Mapping[str, Path], told: Path
    ) -> subprocess.CompletedProcess[str]:
        command = [tool("act"), event, "--pull=false", "-P", "ubuntu-latest=-self-hosted", "--env", f"TOLD={told}"]
        for name, place in actions.items():
            command += ["--local-repository", f"{name}={place}"]
        return run_in(folder, [*command, *args], home)

    return run


@pytest.fixture(scope="session")
def pip_finds_us(home: dict[str, str], project_copy: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which git takes the address of this project in the documentation for the copy of it."""
    subprocess.run(["git", "-C", str(project_copy), "tag", "--force", "v1"], check=True, capture_output=True)
    settings = tmp_path_factory.mktemp("git") / "config"
    settings.write_text(f'[url "file://{project_copy}"]\n\tinsteadOf = https://github.com/OWNER/sitemap-guard\n')
    kept = {name: value for name, value in home.items() if not name.startswith("PYTHON") and name != "VIRTUAL_ENV"}
    return {**kept, "GIT_CONFIG_GLOBAL": str(settings)}
