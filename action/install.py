"""Installs sitemap-guard where nothing of the job is touched: a virtual environment in the runner's own folder.

The dependencies are locked by hash and come as wheels only, so no code of theirs runs while they are installed.
The package itself is copied from the action, whose commit thereby names all the code that runs.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from inputs import ActionError
from log import group, stopped_commands

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "action.txt"
PACKAGE = ROOT / "sitemap_guard"

# By this variable the tool takes the key of IndexNow; no other program may see it, nor the input that it came by.
KEY = "SITEMAP_GUARD_INDEXNOW_KEY"
_SECRET = frozenset({KEY, "GUARD_INPUT_INDEXNOW_KEY"})

# Settings of pip that would put the packages elsewhere, or ask for others than the lock names. All others stay,
# since mirrors and certificates are set by them.
_PIP_UNWANTED = frozenset(
    f"PIP_{name}"
    for name in (
        *("TARGET", "PREFIX", "ROOT", "USER", "PYTHON", "DRY_RUN", "REPORT"),
        *("REQUIREMENT", "CONSTRAINT", "BUILD_CONSTRAINT", "EDITABLE", "NO_BINARY"),
    )
)


def isolated(python: Path | str) -> list[str]:
    """The start of a command line for a Python that neither its folder nor its environment can lead astray."""
    return [str(python), "-I", "-X", "utf8"]


def clean_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment for pip and the tool: no PYTHON*, no key, and on Windows no programs from the work folder."""
    kept = {
        name: value
        for name, value in env.items()
        if not name.upper().startswith("PYTHON") and name.upper() not in _PIP_UNWANTED | _SECRET
    }
    return {**kept, "NoDefaultCurrentDirectoryInExePath": "1"}


def installed(base: Path, env: Mapping[str, str]) -> Path:
    """The Python that has sitemap-guard, from an earlier use in this job or installed now. Raises ActionError.

    Built aside and renamed when whole, so that an interrupted installation is never used.
    """
    home = base / f"env-{_fingerprint()}"
    if _python_in(home).exists():
        return _python_in(home)
    with group("Set up sitemap-guard"), stopped_commands():
        aside = Path(tempfile.mkdtemp(prefix="new-", dir=base))
        _build(aside, env)
        try:
            aside.rename(home)
        except OSError:
            # Another step was first, or (on Windows) a scanner holds a file: what was built works where it is.
            return _python_in(aside)
    return _python_in(home)


def _fingerprint() -> str:
    """Names an installation by all that it is made of: this Python, the lock, the package, this file."""
    digest = hashlib.sha256(f"{sys.version}\n{sys.executable}\n{sys.platform}\n".encode())
    for path in [LOCK, Path(__file__).resolve(), *_package_files()]:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:24]


def _package_files() -> list[Path]:
    """The files of the package in a fixed order, without compiled ones."""
    return sorted(path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc")


def _python_in(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _build(environment: Path, env: Mapping[str, str]) -> None:
    """Makes a virtual environment with the locked dependencies and a copy of the package."""
    _run([*isolated(sys.executable), "-m", "venv", str(environment)], env, "make a virtual environment")
    python = isolated(_python_in(environment))
    pip = [*python, "-m", "pip", "install", "--quiet", "--no-input", "--no-compile", "--disable-pip-version-check"]
    pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", f"--requirement={LOCK}"]
    _run(pip, env, "install the dependencies")
    # A copy and not a path entry: the rest of the action's folder (with `uses: ./`, of the whole repository) then
    # never stands on the import path.
    asked = subprocess.run(
        [*python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        env=dict(env),
        check=True,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )
    target = Path(asked.stdout.strip()) / PACKAGE.name
    for path in _package_files():
        copy = target / path.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def _run(command: list[str], env: Mapping[str, str], purpose: str) -> None:
    """Runs one command of the installation; its output goes to the log."""
    code = subprocess.run(
        command, env=dict(env), check=False, stdin=subprocess.DEVNULL, stdout=sys.stdout, stderr=sys.stdout
    ).returncode
    if code:
        version = ".".join(map(str, sys.version_info[:3]))
        raise ActionError(
            f"Could not {purpose} (exit code {code}, Python {version} on {sys.platform}; see the log). "
            "If there is no wheel for it, add a step with 'uses: actions/setup-python' and 'python-version: 3.13'."
        )
