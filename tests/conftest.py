"""Fixtures shared by all tests: real repositories in a temporary folder, and the optional real-site data."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parent.parent
# Six real sites as data. They are not part of the project: tests that use them say so when they are not there.
REAL = Path(os.environ.get("SITEMAP_GUARD_REAL", PROJECT.parent / "shared" / "real"))


def pytest_configure(config: pytest.Config) -> None:
    # A test must not depend on the git settings of whoever runs it, nor on the hook it may be run from.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    os.environ["GIT_CONFIG_SYSTEM"] = os.devnull
    os.environ["GIT_CONFIG_NOSYSTEM"] = "1"


class Repo:
    """A real git repository for a test; times are seconds since the epoch, zones like +0200."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "A Writer")
        self.git("config", "user.email", "writer@example.org")
        self.git("config", "gc.auto", "0")

    def git(self, *args: str, env: dict[str, str] | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *args],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, **(env or {})},
        )
        if check and done.returncode:
            raise AssertionError(f"git {args} failed: {done.stderr}")
        return done.stdout

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def commit(
        self,
        message: str,
        files: dict[str, str] | None = None,
        *,
        at: int,
        zone: str = "+0000",
        committed: int | None = None,
    ) -> str:
        """Write the files, commit everything, and return the commit's id."""
        for path, text in (files or {}).items():
            self.write(path, text)
        self.git("add", "-A")
        self.git(
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            message,
            env={
                "GIT_AUTHOR_DATE": f"{at} {zone}",
                "GIT_COMMITTER_DATE": f"{at if committed is None else committed} {zone}",
            },
        )
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def make_repo() -> Callable[[Path], Repo]:
    return Repo


@pytest.fixture(scope="session")
def real_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """A function (site, build) -> folder of the build inside a repository with the site's real history."""
    if not (REAL / "open.py").is_file():
        pytest.skip(f"NOT TESTED on real sites: no data at {REAL} (set SITEMAP_GUARD_REAL to its folder)")
    spec = importlib.util.spec_from_file_location("real_open", REAL / "open.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules["real_open"] = module
    spec.loader.exec_module(module)
    made: dict[tuple[str, str], Path] = {}

    def open_site(site: str, build: str) -> Path:
        if (site, build) not in made:
            made[site, build] = module.open_site(site, build, tmp_path_factory.mktemp("real") / f"{site}-{build}")
        return made[site, build]

    return open_site
