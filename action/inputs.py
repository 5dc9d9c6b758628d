"""What the workflow asked for, and the arguments that it becomes. No shell ever sees an input."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# What IndexNow takes for a key (indexnow.org, documentation).
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}", re.ASCII)


class ActionError(Exception):
    """An expected failure: one line that says what is wrong and what to do. The step then exits with 2."""


@dataclass(frozen=True)
class Inputs:
    """The action's inputs, as the workflow gave them."""

    site: str = ""
    base_url: str = ""
    config: str = ""
    fail_on: str = ""
    rev: str = ""
    deepen: str = ""
    summary: bool = True
    working_directory: str = "."
    args: tuple[str, ...] = ()
    indexnow_key: str = field(default="", repr=False)
    indexnow_since: str = ""


def read_inputs(env: Mapping[str, str]) -> Inputs:
    """The inputs from GUARD_INPUT_* variables. Raises ActionError for those that cannot be read."""

    def value(name: str) -> str:
        return env.get(f"GUARD_INPUT_{name}", "").strip()

    summary = value("SUMMARY").lower() or "true"
    if summary not in {"true", "false"}:
        raise ActionError(f"Input 'summary' is {summary!r}: write true or false.")
    try:
        args = tuple(shlex.split(value("ARGS")))
    except ValueError as error:
        raise ActionError(f"Input 'args' cannot be split ({error}): close its quotes.") from None
    if "--" in args:
        raise ActionError("Input 'args' holds a bare '--': give the folder in input 'site' instead.")
    key = value("INDEXNOW_KEY")
    if key and not _KEY.fullmatch(key):
        raise ActionError("Input 'indexnow-key' is no key: 8 to 128 of the characters a-z, A-Z, 0-9 and -.")
    return Inputs(
        site=value("SITE"),
        base_url=value("BASE_URL"),
        config=value("CONFIG"),
        fail_on=value("FAIL_ON"),
        rev=value("REV"),
        deepen=value("DEEPEN"),
        summary=summary == "true",
        working_directory=value("WORKING_DIRECTORY") or ".",
        args=args,
        indexnow_key=key,
        indexnow_since=value("INDEXNOW_SINCE"),
    )


@dataclass(frozen=True)
class Reports:
    """Where the reports of one run are written."""

    folder: Path

    @property
    def json(self) -> Path:
        """For the outputs, and for later steps."""
        return self.folder / "report.json"

    @property
    def text(self) -> Path:
        """For the log."""
        return self.folder / "report.txt"

    @property
    def markdown(self) -> Path:
        """For the job summary."""
        return self.folder / "summary.md"

    @property
    def annotations(self) -> Path:
        """The tool's standard output."""
        return self.folder / "annotations.txt"


def arguments(inputs: Inputs, reports: Reports) -> list[str]:
    """The arguments of `sitemap-guard`. Each value is joined to its option, so none can pass for an option."""
    options = {
        "--base-url": inputs.base_url,
        "--config": inputs.config,
        "--fail-on": inputs.fail_on,
        "--rev": inputs.rev,
        "--deepen": inputs.deepen,
    }
    argv = ["check", *inputs.args]
    argv += [f"{name}={value}" for name, value in options.items() if value]
    argv += ["--format=github", f"--output=json={reports.json}", f"--output=text={reports.text}"]
    if inputs.summary:
        argv.append(f"--output=markdown={reports.markdown}")
    return [*argv, "--", inputs.site] if inputs.site else argv


def notification(inputs: Inputs) -> list[str]:
    """The arguments of `sitemap-guard` that send what changed. The key is none of them: it goes by the environment."""
    options = {
        "--base-url": inputs.base_url,
        "--config": inputs.config,
        "--rev": inputs.rev,
        "--since": inputs.indexnow_since,
    }
    argv = ["indexnow", *(f"{name}={value}" for name, value in options.items() if value)]
    return [*argv, "--", inputs.site] if inputs.site else argv
