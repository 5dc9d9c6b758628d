"""What the tests of the action share: how a runner reads a log, and how it runs the step."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
ACTION = PROJECT / "action"
# The action's own folder is on the import path when it runs, too.
sys.path.insert(0, str(ACTION))

import inputs  # noqa: E402
import install  # noqa: E402
import log  # noqa: E402
import outputs  # noqa: E402

__all__ = ["ACTION", "PROJECT", "Step", "commands", "inputs", "install", "log", "make_site", "outputs"]


def commands(text: str) -> list[str]:
    """The workflow commands that a runner would obey in a log: it splits at CR too, and knows two forms."""
    found: list[str] = []
    resume = ""
    for line in re.split(r"\r\n|\r|\n", text):
        if resume:
            resume = "" if line.strip() == f"::{resume}::" else resume
        elif match := re.match(r"\s*::stop-commands::(.+)", line):
            resume = match[1]
        elif re.match(r"\s*::[\w-]+( .*?)?::", line) or "##[" in line:
            found.append(line)
    assert not resume, "the log ends with commands still stopped"
    return found


def make_site(kind: str, folder: Path) -> None:
    subprocess.run(["bash", str(PROJECT / "tests" / "e2e" / "make-site.sh"), kind, str(folder)], check=True)


class Step:
    """Runs the step as the runner does, but with the tests' own environment in place of an installation."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "work"
        self.temp = tmp_path / "temp"
        self.summary, self.output = tmp_path / "summary", tmp_path / "output"
        base = self.temp / "sitemap-guard"
        base.mkdir(parents=True)
        (base / f"env-{install._fingerprint()}").symlink_to(sys.prefix, target_is_directory=True)

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        given = {f"GUARD_INPUT_{name.upper()}": value for name, value in inputs.items()}
        runner = {
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }
        return subprocess.run(
            [*install.isolated(sys.executable), "-B", str(ACTION)],
            cwd=self.folder,
            env={**os.environ, **runner, **given},
            check=False,
            capture_output=True,
            text=True,
        )

    def outputs(self) -> dict[str, str]:
        text = self.output.read_text()
        return {m[1]: m[3] for m in re.finditer(r"^([\w-]+)<<(\S+)\n(.*)\n\2$", text, re.MULTILINE)}
