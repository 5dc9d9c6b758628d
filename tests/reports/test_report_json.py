from __future__ import annotations

import json
import time
from typing import Any

import msgspec
from sample import rich_result

from sitemap_guard.model import Result
from sitemap_guard.reports import FORMATS, Style


def report(result: Result) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(FORMATS["json"](result, Style()))
    return loaded


def test_version_1_has_these_keys() -> None:
    made = report(rich_result())
    assert list(made) == ["version", "tool", "summary", "entries", "findings"]
    assert made["version"] == 1
    assert made["tool"] == {"name": "sitemap-guard", "version": "0.1.0"}
    counts = made["summary"]
    assert set(counts) == {"base_url", "urls", "sitemaps", "dates", "fit", "findings", "skipped", "notes"}
    assert counts["dates"] == {"true": 8, "false": 27, "cannot_tell": 2, "absent": 3}
    assert counts["findings"] == {"error": 28, "warning": 3, "info": 1}
    keys = "loc lastmod sitemap line verdict witness reason expected page sources mapped_by"
    assert {tuple(one) for one in made["entries"]} == {tuple(keys.split())}
    keys = "rule level message loc path line column expected claimed group count"
    assert {tuple(one) for one in made["findings"]} == {tuple(keys.split())}


def test_findings_are_listed_one_by_one_with_the_size_of_their_group() -> None:
    findings = report(rich_result())["findings"]
    assert len(findings) == 32
    assert [one["count"] for one in findings if one["group"] == "build-clock"] == [25] * 25
    assert {one["count"] for one in findings if one["group"] is None} == {1}


def test_unknown_is_null_and_never_empty() -> None:
    made = report(rich_result())
    for one in [*made["entries"], *made["findings"], *(one["witness"] or {} for one in made["entries"])]:
        assert "" not in one.values()
        assert 0 not in [one.get("line"), one.get("column")]
    untold = next(one for one in made["entries"] if one["verdict"] == "cannot_tell")
    assert (untold["witness"], untold["reason"], untold["sources"], untold["mapped_by"]) == (
        None,
        "no-source",
        [],
        None,
    )


def test_the_order_of_the_input_does_not_show() -> None:
    result = rich_result()
    turned = msgspec.structs.replace(
        result,
        findings=result.findings[::-1],
        site=msgspec.structs.replace(result.site, entries=result.site.entries[::-1], now=result.site.now + 99),
    )
    assert FORMATS["json"](turned, Style()) == FORMATS["json"](result, Style())


def test_commands_and_unseen_characters_are_escaped_and_come_back() -> None:
    subject = "##[error]x ##vso[task] \x9b31m \u202e \x1b]8;; \U000e0041"
    result = rich_result()
    result = msgspec.structs.replace(result, site=msgspec.structs.replace(result.site, fit=subject))
    result = msgspec.structs.replace(result, summary=msgspec.structs.replace(result.summary, fit=subject))
    text = FORMATS["json"](result, Style())
    assert not [one for one in ("##[", "##vso[", "\x9b", "\u202e", "\x1b", "\U000e0041") if one in text]
    assert json.loads(text)["summary"]["fit"] == subject


def test_time_grows_with_the_number_of_entries_and_no_faster() -> None:
    def cost(count: int) -> float:
        result = rich_result()
        made, findings = result.site.entries, result.findings
        many = msgspec.structs.replace(
            result,
            site=msgspec.structs.replace(result.site, entries=made * (count // len(made))),
            findings=findings * (count // len(findings)),
        )
        best = 9e9
        for _ in range(3):
            start = time.perf_counter()
            FORMATS["json"](many, Style())
            best = min(best, time.perf_counter() - start)
        return best

    assert cost(16_000) < 8 * 4 * cost(2_000)
