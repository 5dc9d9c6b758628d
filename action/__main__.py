"""The GitHub Action: installs sitemap-guard in a place of its own, runs it, and tells the workflow what it found.

Standard library only. `bootstrap.sh` starts this folder with `python -I`, which puts it on the import path and
keeps the checked-out repository off it; the tool is started in the same way.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from inputs import ActionError, Inputs, Reports, arguments, notification, read_inputs
from install import KEY, clean_environment, installed, isolated
from log import annotate_error, annotation_lines, mask, say, stopped_commands
from outputs import NO_REPORT, UNKNOWN, read_report, write_outputs, write_summary


def check(env: Mapping[str, str]) -> int:
    """The whole step. Returns its exit code; raises ActionError."""
    inputs = read_inputs(env)
    if inputs.indexnow_key:
        mask(inputs.indexnow_key)
    folder = Path(inputs.working_directory)
    if not folder.is_dir():
        raise ActionError(f"Input 'working-directory' is {inputs.working_directory!r}: there is no such folder.")
    base = Path(env.get("RUNNER_TEMP") or tempfile.mkdtemp()).absolute() / "sitemap-guard"
    base.mkdir(parents=True, exist_ok=True)
    reports = Reports(Path(tempfile.mkdtemp(prefix="report-", dir=base)))
    clean = clean_environment(env)
    tool = [*isolated(installed(base, clean)), "-m", "sitemap_guard"]
    command = [*tool, *arguments(inputs, reports)]

    with stopped_commands():
        code, said = run_tool(command, folder, clean, reports.annotations)
        if reports.text.is_file():
            say(reports.text.read_text(encoding="utf-8", errors="replace"))
    for line in annotation_lines(reports.annotations.read_text(encoding="utf-8", errors="replace")):
        say(line)

    outputs = read_report(reports.json)
    if code in {0, 1} and not outputs["report"]:
        said, code = f"sitemap-guard ended with exit code {code} and left no report. {said}", 3
    if code not in {0, 1}:
        outputs["verdict"] = UNKNOWN
        annotate_error(said or f"sitemap-guard ended with exit code {code} and said nothing.")
    write_outputs(outputs, env.get("GITHUB_OUTPUT", ""))
    write_summary(reports.markdown, env.get("GITHUB_STEP_SUMMARY", ""))
    if inputs.indexnow_key:
        code = code or notify(inputs, tool, folder, clean, reports)
    return code if 0 <= code <= 255 else 3


def notify(inputs: Inputs, tool: list[str], folder: Path, env: Mapping[str, str], reports: Reports) -> int:
    """Sends what changed to search engines; only here does a program get to see the key. Returns its exit code."""
    command = [*tool, *notification(inputs)]
    with stopped_commands():
        code, said = run_tool(command, folder, {**env, KEY: inputs.indexnow_key}, reports.folder / "indexnow.txt")
    if code:
        annotate_error(said or f"sitemap-guard indexnow ended with exit code {code} and said nothing.")
    return code


def run_tool(command: list[str], folder: Path, env: Mapping[str, str], output: Path) -> tuple[int, str]:
    """Runs the check with its standard output in a file. Returns its exit code and the last lines of its stderr.

    Standard error is logged as it comes, through this process: the runner reads the two streams of a step apart,
    so only what comes by one of them is sure to stay between two lines of it.
    """
    with output.open("wb") as stdout:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(env), stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE
        )
        said = relay(process.stderr) if process.stderr else ""
    return process.wait(), said


def relay(stream: IO[bytes]) -> str:
    """Logs a stream line by line and returns its last few lines."""
    last: list[str] = []
    for raw in stream:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        say(line)
        if line.strip():
            last = [*last[-4:], line]
    return "\n".join(last)


def main() -> int:
    """Runs the step; an expected failure ends it with 2, a bug of ours with 3."""
    try:
        return check(os.environ)
    except ActionError as error:
        code, message = 2, str(error)
    except Exception as error:
        with stopped_commands():
            traceback.print_exc(file=sys.stdout)
        code, message = 3, f"A bug in the action: {type(error).__name__}: {error}"
    annotate_error(message)
    write_outputs(NO_REPORT, os.environ.get("GITHUB_OUTPUT", ""))
    return code


if __name__ == "__main__":
    sys.exit(main())
