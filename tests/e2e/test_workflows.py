"""The workflows and the action, read by the two linters that know them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path


def test_actionlint(tool: Callable[[str], str], project_copy: Path) -> None:
    done = subprocess.run([tool("actionlint")], cwd=project_copy, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_zizmor(tool: Callable[[str], str], project_copy: Path) -> None:
    command = [tool("zizmor"), "--offline", "--no-progress", "--persona=pedantic", "."]
    done = subprocess.run(command, cwd=project_copy, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for read in ("action.yml", "ci.yml", "selftest.yml"):
        assert read in done.stderr
