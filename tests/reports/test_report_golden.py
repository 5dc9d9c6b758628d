"""Every format of one rich result, letter by letter.

To rewrite the files after a change on purpose: REWRITE_GOLDEN=1 pytest tests/reports/test_report_golden.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample import rich_result

from sitemap_guard.model import Hit, Level, Site
from sitemap_guard.reports import FORMATS, Style, junit, sarif
from sitemap_guard.rules.base import Rule

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
    "result.sarif": ("sarif", Style()),
    "result.junit.xml": ("junit", Style()),
    "result.gitlab.json": ("gitlab", Style()),
    "result.rdjson": ("rdjson", Style()),
}


def example(_site: Site) -> Iterator[Hit]:
    """A rule that stands in for the real ones, so that a new rule changes no golden file.

    Bad: `<lastmod>1</lastmod>`
    """
    yield from ()


@pytest.mark.parametrize("name", CASES)
def test_a_report_is_as_it_was_looked_at(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins = tuple(
        Rule(rule, level, example)
        for rule, level in (
            ("lastmod-too-new", Level.ERROR),
            ("lastmod-format", Level.ERROR),
            ("loc-host", Level.WARNING),
        )
    )
    monkeypatch.setattr(sarif, "RULES", stand_ins)
    monkeypatch.setattr(junit, "RULES", stand_ins)
    format_, style = CASES[name]
    made = FORMATS[format_](rich_result(), style).encode()
    file = GOLDEN / name
    if os.environ.get("REWRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(made)
    assert made.decode() == file.read_bytes().decode()


def test_every_format_has_a_golden_file() -> None:
    # The HTML report is looked at in a browser instead: see test_report_html_browser.py.
    assert {format_ for format_, _ in CASES.values()} == set(FORMATS) - {"html"}
