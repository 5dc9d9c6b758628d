"""Which Python the action finds, and what it says when there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from action_runner import ACTION, commands


def bootstrap(tmp_path: Path, path: Path, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {
        "PATH": f"{path}{os.pathsep}{tools(tmp_path)}",
        "GITHUB_ACTION_PATH": str(tmp_path / "the action"),
        "GITHUB_OUTPUT": str(tmp_path / "out"),
        "RUNNER_ARCH": "X64",
        **({"RUNNER_TOOL_CACHE": str(cache)} if cache else {}),
    }
    (tmp_path / "the action" / "action").mkdir(parents=True)
    (tmp_path / "the action" / "action" / "__main__.py").write_text("import sys; print('ran', sys.flags.isolated)")
    command = ["/bin/bash", str(ACTION / "bootstrap.sh")]
    return subprocess.run(command, env=env, check=False, capture_output=True, text=True)


def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "tr").symlink_to("/usr/bin/tr")
    return folder


def program(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def test_without_a_fitting_python_one_line_says_what_to_do(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "python3", "echo 'shim: not installed' >&2; exit 127")
    done = bootstrap(tmp_path, tmp_path / "bin")
    assert done.returncode == 2
    assert len(commands(done.stdout)) == 1
    assert "actions/setup-python" in done.stdout
    assert (tmp_path / "out").read_text() == "verdict=unknown\n"


def test_a_python_that_fails_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "python3", "exit 1")
    program(tmp_path / "bin" / "python", f'exec {sys.executable} "$@"')
    done = bootstrap(tmp_path, tmp_path / "bin")
    assert (done.returncode, done.stdout) == (0, "ran 1\n")


def test_the_tool_cache_of_the_runner_is_the_last_resort(tmp_path: Path) -> None:
    cache = tmp_path / "tool cache"
    program(cache / "Python" / "3.10.9" / "x64" / "bin" / "python3", "exit 1")
    program(cache / "Python" / "3.12.4" / "x64" / "bin" / "python3", f'exec {sys.executable} "$@"')
    done = bootstrap(tmp_path, tmp_path / "bin", cache)
    assert (done.returncode, done.stdout) == (0, "ran 1\n")
