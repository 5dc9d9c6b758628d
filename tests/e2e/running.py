"""How end-to-end tests run a program: in a folder, in an environment of theirs, and not for ever."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

Done = subprocess.CompletedProcess[str]


def run_in(folder: Path, command: Sequence[str | Path], env: Mapping[str, str]) -> Done:
    return subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
