"""Every format of one rich result, letter by letter.

To rewrite the files after a change on purpose: REWRITE_GOLDEN=1 pytest tests/reports/test_report_golden.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample import rich_result

from sitemap_guard.reports import FORMATS, Style

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "result.txt": ("text", Style()),
    "result-all.txt": ("text", Style(everything=True)),
    "result-quiet.txt": ("text", Style(verbosity=-1)),
    "result-verbose.txt": ("text", Style(verbosity=1)),
    "result-color.txt": ("text", Style(color=True)),
    "result.github": ("github", Style()),
    "result.json": ("json", Style()),
    "result.md": ("markdown", Style()),
}


@pytest.mark.parametrize("name", CASES)
def test_a_report_is_as_it_was_looked_at(name: str) -> None:
    format_, style = CASES[name]
    made = FORMATS[format_](rich_result(), style).encode()
    file = GOLDEN / name
    if os.environ.get("REWRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(made)
    assert made.decode() == file.read_bytes().decode()


def test_every_format_has_a_golden_file() -> None:
    assert {format_ for format_, _ in CASES.values()} == set(FORMATS)
