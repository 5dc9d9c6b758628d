from __future__ import annotations

import re
import subprocess
import sys

import msgspec
from sample import BASE, rich_result, summary

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import FORMATS, Style


def text(result: Result, **style: object) -> str:
    return FORMATS["text"](result, Style(**style))  # type: ignore[arg-type]


def with_findings(*findings: Finding) -> Result:
    result = rich_result()
    return msgspec.structs.replace(result, findings=findings, summary=summary(result.site, findings))


def many(count: int, **changes: object) -> tuple[Finding, ...]:
    changes.setdefault("group", "page-missing")
    return tuple(
        Finding("page-missing", Level.ERROR, f"no file {index}", f"{BASE}{index}/", "s.xml", index + 1, **changes)  # type: ignore[arg-type]
        for index in range(count)
    )


def test_the_dates_add_up_to_the_urls_and_the_reader_sees_it() -> None:
    line = next(line for line in text(rich_result()).splitlines() if line.startswith("  dates"))
    *counts, total = map(int, re.findall(r"\d+", line))
    assert sum(counts) == total == 40


def test_a_group_of_twenty_is_shown_whole_and_a_larger_one_by_three() -> None:
    assert text(with_findings(*many(20))).count("  page-missing") == 20
    large = text(with_findings(*many(21)))
    assert "\nerror  21 × page-missing\n\n" in large
    assert large.count(BASE) == 1 + 3
    assert "… and 18 more (--all shows all)" in large
    whole = text(with_findings(*many(21)), everything=True)
    assert whole.count(BASE) == 1 + 21
    assert "more (" not in whole


def test_a_group_of_two_shows_its_headline_and_cure_once() -> None:
    shown = text(with_findings(*many(2, group="g", headline="two are gone", cure="build them")))
    assert shown.count("two are gone") == shown.count("cure: build them") == 1
    assert shown.count("no file") == 2


def test_most_severe_first_whatever_the_order_of_groups() -> None:
    mild = Finding("page-unlisted", Level.WARNING, "the milder", headline="a headline", group="g")
    grave = Finding("page-missing", Level.ERROR, "the graver")
    shown = text(with_findings(mild, mild, grave))
    assert shown.index("the graver") < shown.index("the milder")


def test_one_message_of_a_whole_group_is_said_once() -> None:
    alike = [msgspec.structs.replace(finding, message="gone") for finding in many(30)]
    shown = text(with_findings(*alike))
    assert shown.count("gone") == 1
    assert "error  30 × page-missing\n  gone\n" in shown


def test_a_finding_that_is_alone_needs_no_headline() -> None:
    [one] = many(1, headline="listed pages are missing", cure="build them")
    shown = text(with_findings(one))
    assert "listed pages" not in shown
    assert f"s.xml:1  error  page-missing  {BASE}0/\n  no file 0\n  cure: build them\n" in shown


def test_a_finding_of_another_rule_or_level_in_a_group_says_so() -> None:
    one, two = many(2, headline="both")
    shown = text(with_findings(one, msgspec.structs.replace(two, rule="page-redirect")))
    assert "s.xml:1  https" in shown
    assert "s.xml:2  error  page-redirect  https" in shown


def test_a_claim_that_nothing_makes_true_is_only_taken_away() -> None:
    shown = text(with_findings(Finding("r", Level.ERROR, "m", element="lastmod", claimed="2026-01-01")))
    assert "\n-   <lastmod>2026-01-01</lastmod>\n" in shown
    assert "\n+" not in shown


def test_the_diff_is_xml_that_can_be_pasted() -> None:
    shown = text(with_findings(Finding("r", Level.ERROR, "m", element="loc", claimed="/a", expected=f"{BASE}?a&b")))
    assert f"+   <loc>{BASE}?a&amp;b</loc>" in shown


def test_a_long_address_is_never_cut_or_broken() -> None:
    loc = BASE + "a-long-part/" * 150
    shown = text(with_findings(Finding("r", Level.ERROR, f"the page {loc} is gone", loc)), width=60)
    assert shown.count(loc) == 2


def test_prose_keeps_to_the_width() -> None:
    shown = text(with_findings(Finding("r", Level.ERROR, "word " * 100, BASE)), width=60)
    assert max(len(line) for line in shown.splitlines() if "word" in line) <= 60


def test_colour_is_sgr_only_and_changes_no_letter() -> None:
    painted = text(rich_result(), color=True)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == text(rich_result())


def test_quiet_is_one_line_a_group_of_errors_and_the_verdict() -> None:
    lines = text(rich_result(), verbosity=-1).splitlines()
    assert len(lines) == 4 + 1
    assert lines[-1].startswith("27 dates are false; 2 cannot be told; 28 errors")
    assert text(with_findings(), verbosity=-1).count("\n") == 1


def verdict_of(*, urls: int, true: int = 0, false: int = 0, cannot_tell: int = 0, skipped: bool = False) -> str:
    result = rich_result()
    counts = msgspec.structs.replace(
        result.summary,
        urls=urls,
        true=true,
        false=false,
        cannot_tell=cannot_tell,
        absent=urls - true - false - cannot_tell,
        errors=0,
        warnings=0,
        infos=0,
    )
    result = msgspec.structs.replace(result, findings=(), summary=counts, skipped=result.skipped if skipped else ())
    return text(result, verbosity=-1).rstrip("\n")


def test_the_verdict_never_passes_silence_for_success() -> None:
    assert verdict_of(urls=9, true=9) == "all 9 dates are true"
    assert verdict_of(urls=9, true=8) == "all 8 dates are true"
    assert verdict_of(urls=9, true=8, cannot_tell=1) == "no date is false; 1 cannot be told"
    assert verdict_of(urls=9, true=8, false=1) == "1 date is false (not reported: their rules are off or left out)"
    assert verdict_of(urls=192, cannot_tell=192) == "0 of 192 dates could be checked"
    assert verdict_of(urls=9) == "no date to check: all 9 entries have no lastmod"
    assert verdict_of(urls=0) == "nothing was checked: no URL in any sitemap"
    assert verdict_of(urls=1, true=1, skipped=True) == "the only date is true; 1 kind of check not made"


def test_rich_is_loaded_for_colour_alone() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from sample import rich_result;"
        "from sitemap_guard.reports import FORMATS, Style;"
        "[render(rich_result(), Style()) for render in FORMATS.values()]; print('rich' in sys.modules)"
    )
    folder = __file__.rpartition("/")[0]
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
