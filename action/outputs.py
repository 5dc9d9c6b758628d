"""What the step hands back to the workflow: its outputs and its part of the job summary."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path

# "1 MiB per step" (GitHub, workflow commands): over it the whole summary is dropped.
SUMMARY_BYTES = 1024 * 1024
_CUT_NOTE = "\n\n*Cut here: a job summary holds 1 MiB. The step's log and its `report` output have all of it.*\n"

UNKNOWN = "unknown"
_COUNTS = ("errors", "warnings", "false-dates", "cannot-tell")

# Counts are a word here, since a workflow's expression takes an empty text for 0.
NO_REPORT: Mapping[str, str] = {"verdict": UNKNOWN, **dict.fromkeys(_COUNTS, UNKNOWN), "report": ""}


def read_report(path: Path) -> dict[str, str]:
    """The outputs that the JSON report yields; NO_REPORT when there is none."""
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))["summary"]
        dates, findings = summary["dates"], summary["findings"]
        counts = [int(n) for n in (findings["error"], findings["warning"], dates["false"], dates["cannot_tell"])]
        true = int(dates["true"])
    except (OSError, ValueError, TypeError, KeyError):
        return dict(NO_REPORT)
    errors, _, false, untold = counts
    verdict = "true"
    if errors or false:
        verdict = "false"
    elif untold and not true:
        # None of the dates could be judged: that is no success.
        verdict = UNKNOWN
    return {"verdict": verdict, **dict(zip(_COUNTS, map(str, counts), strict=True)), "report": str(path)}


def write_outputs(outputs: Mapping[str, str], file: str) -> None:
    """Appends to GITHUB_OUTPUT. The random delimiter keeps a value from ending itself and adding another."""
    if not file:
        return
    with open(file, "a", encoding="utf-8", newline="\n") as out:
        for name, value in outputs.items():
            delimiter = f"ghadelimiter_{secrets.token_hex(16)}"
            out.write(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")


def write_summary(markdown: Path, file: str) -> None:
    """Appends the report to GITHUB_STEP_SUMMARY, and never more than GitHub takes."""
    if not file or not markdown.is_file():
        return
    target = Path(file)
    used = target.stat().st_size if target.exists() else 0
    text = cut(markdown.read_text(encoding="utf-8", errors="replace"), SUMMARY_BYTES - used - 1)
    with target.open("a", encoding="utf-8", newline="\n") as out:
        out.write(text + "\n")


def cut(markdown: str, room: int) -> str:
    """At most `room` bytes of Markdown, cut at the end of a line, with a note that says so."""
    data = markdown.encode("utf-8", "replace")
    if len(data) <= room:
        return markdown
    # The note, and the ends of what is open where it is cut, need room as well.
    kept = data[: max(0, room - len(_CUT_NOTE) - 100)].rpartition(b"\n")[0].decode("utf-8", "ignore")
    if sum(line.lstrip().startswith("```") for line in kept.split("\n")) % 2:
        kept += "\n```"
    kept += "\n</details>" * min(5, max(0, kept.count("<details") - kept.count("</details>")))
    return (kept + _CUT_NOTE)[: max(0, room)]
