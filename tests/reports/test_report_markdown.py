from __future__ import annotations

import re

import msgspec
import pytest
from sample import BASE, rich_result, summary

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.reports.markdown import code, prose

LIMIT = 1_048_576  # GitHub drops a step's summary whole when it is larger


def markdown(*findings: Finding) -> str:
    result: Result = rich_result()
    result = msgspec.structs.replace(result, findings=findings, summary=summary(result.site, findings))
    return FORMATS["markdown"](result, Style())


def test_a_large_group_does_not_take_the_room_of_the_others() -> None:
    large = [
        Finding("page-missing", Level.ERROR, f"no file {'é' * 300}", f"{BASE}{index}/", "s.xml", index + 1, group="g")
        for index in range(50_000)
    ]
    made = markdown(*large, Finding("page-unlisted", Level.WARNING, "seen all the same"))
    assert len(made.encode()) < LIMIT
    assert "seen all the same" in made
    shown = len(re.findall(r"^\| `s\.xml", made, re.MULTILINE))
    left = int(re.search(r"… and ([\d,]+) more, not shown here", made)[1].replace(",", ""))  # type: ignore[index]
    assert shown + left == 50_000
    assert shown > 500


def test_groups_that_do_not_fit_are_counted_by_rule() -> None:
    findings = [
        Finding(f"rule-{index % 30}", Level.ERROR, "x " * 1000, BASE, "s.xml", 1, group=f"group {index}")
        for index in range(5_000)
    ]
    made = markdown(*findings)
    assert len(made.encode()) < LIMIT
    shown = made.count("#### ")
    left = int(re.search(r"^([\d,]+) more findings not shown: `rule-", made, re.MULTILINE)[1].replace(",", ""))  # type: ignore[index]
    assert 100 < shown < 5_000
    assert shown + left == 5_000


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a|b", r"`a\x7cb`"),
        ("a`b", "``a`b``"),
        ("`a``b", "``` `a``b ```"),
        ("", ""),
        ("two\nlines", r"`two\nlines`"),
    ],
)
def test_code(text: str, made: str) -> None:
    assert code(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("content/a.md changed 2026-10-15 14:25 +02:00.", "`content/a.md` changed 2026-10-15 14:25 +02:00."),
        ('(3f2a91c "Fix #12 for @me")', '(3f2a91c "Fix `#12` for `@me")`'),
        ("set `a = [1]` and go", "set `a = [1]` and go"),
        ("`a``b`x_y", "`a` `b` `x_y`"),
        ("an [x](https://evil.example) link", "an `[x](https://evil.example)` link"),
        ("see GH-12a and www.example.org", "see `GH-12a` and `www.example.org`"),
        ("1. no list", "`1`. no list"),
        ("<b>x</b> &amp; *y*", "`<b>x</b> &amp`; `*y*`"),
    ],
)
def test_prose_leaves_only_plain_words_outside_code(text: str, made: str) -> None:
    assert prose(text) == made


def test_a_diff_with_backticks_has_a_longer_fence() -> None:
    made = markdown(Finding("r", Level.ERROR, "m", element="lastmod", claimed="a````b"))
    assert "\n`````diff\n-   <lastmod>a````b</lastmod>\n`````\n" in made
