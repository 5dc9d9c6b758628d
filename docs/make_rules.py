"""Writes docs/rules.md from the rules' docstrings, or with --check says whether it is current."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from sitemap_guard.rules import FAMILIES, RULES

PAGE = Path(__file__).resolve().parent / "rules.md"


def text() -> str:
    """The page: a table of all rules, then each rule's documentation."""
    lines = ["# Rules", "", "Written from the rules' own documentation (`sitemap-guard explain RULE`).", ""]
    lines += ["| rule | level | |", "|---|---|---|"]
    for rule in RULES:
        first = inspect.cleandoc(rule.check.__doc__ or "").splitlines()[0].replace("|", "\\|")
        lines.append(f"| [{rule.id}](#{rule.id}) | {rule.level.word} | {first} |")
    for family in FAMILIES:
        lines += ["", f"## {family}"]
        for rule in RULES:
            if rule.family == family:
                body = inspect.cleandoc(rule.check.__doc__ or "").replace("\nGood:", "  \nGood:")
                lines += ["", f"### {rule.id}", "", f"Default level: {rule.level.word}.", "", body]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.is_file() and PAGE.read_text("utf-8") == text() else "docs/rules.md is old: run make docs")
    PAGE.write_text(text(), "utf-8")
