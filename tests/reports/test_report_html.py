"""The HTML report as text: self-contained, and inert whatever a site writes into it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from sample import BUILT, rich_result
from selectolax.lexbor import LexborHTMLParser
from test_report_hostile import assert_harmless, results

from sitemap_guard.model import Result
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.reports.html_charts import DAY, coverage, domain, strip
from sitemap_guard.reports.html_data import Row, Rows


def page(result: Result) -> str:
    return FORMATS["html"](result, Style())


def data(text: str) -> dict[str, Any]:
    tag = LexborHTMLParser(text).css_first("script#data")
    assert tag is not None
    found: dict[str, Any] = json.loads(tag.text())
    return found


def test_the_page_needs_nothing_else() -> None:
    tree = LexborHTMLParser(page(rich_result()))
    for selector in ("link", "img", "iframe", "object", "embed", "[src]", "[style]", "[onclick]", "style + style"):
        assert tree.css(selector) == [], selector
    assert "@import" not in page(rich_result())
    assert "url(" not in page(rich_result())
    policy = tree.css_first("meta[http-equiv]").attributes["content"] or ""
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    style, script = tree.css_first("style").text(), tree.css("script")[1].text()
    for text in (style, script):
        assert f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}" in policy
    assert [tag.attributes.get("type") for tag in tree.css("script")] == ["application/json", None]


def test_entries_and_findings_are_all_there() -> None:
    result = rich_result()
    made = data(page(result))
    assert len(made["loc"]) == len(made["verdict"]) == result.summary.urls
    assert [made["verdict"].count(letter) for letter in "tfca"] == [8, 27, 2, 3]
    assert made["loc"][0] == "/guide/chapter-1/"
    assert made["said"][0] == BUILT
    assert made["claimed"][0] > made["true"][0]
    assert made["expected"][0] == "2026-10-15T14:25:16+02:00"
    assert len(made["findings"]) == sum(
        1 for one in result.findings if any(one.loc == e.claim.loc for e in result.site.entries)
    )
    true = [index for index, letter in enumerate(made["verdict"]) if letter == "t"]
    assert all(abs(made["claimed"][index] - made["true"][index]) < DAY for index in true)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(results())
def test_hostile_content_stays_text(result: Result) -> None:
    text = page(result)
    plain = page(replace(result, findings=()))
    tree = LexborHTMLParser(text)
    assert len(tree.css("script")) == 2
    assert not tree.css("img, iframe, [onerror], [onclick], [style], main a[href^='http'], meta[http-equiv=refresh]")
    assert len(tree.css("article")) == text.count("<article")
    assert len(data(plain)["loc"]) == len(result.site.entries)
    assert_harmless(re.sub("##\\[", "", text))
    assert "<script>alert" not in text


def test_a_site_without_anything_has_a_report() -> None:
    result = rich_result()
    counts = replace(result.summary, urls=0, true=0, false=0, cannot_tell=0, absent=0, errors=0, warnings=0, infos=0)
    empty = replace(result, site=replace(result.site, entries=(), sitemaps=()), findings=(), summary=counts)
    assert "nothing was checked" in page(empty)
    assert data(page(empty))["loc"] == []


# -------------------------------------------------------------------------------------------------------- charts


def charted(*moments: tuple[int | None, int | None]) -> Rows:
    rows = Rows(replace(rich_result(), site=replace(rich_result().site, entries=())))
    rows.rows = [Row(f"/{index % 3}/p{index}/", "t", claimed, true) for index, (claimed, true) in enumerate(moments)]
    return rows


def test_a_stand_in_does_not_squeeze_the_chart() -> None:
    now = 1796019164
    rows = charted((0, now - 9 * DAY), *((now - day * DAY, now - day * DAY) for day in range(1, 30)))
    low, high = domain(rows)
    assert now - 40 * DAY < low < now - 29 * DAY
    assert now - DAY <= high < now + 3 * DAY


def test_the_strip_counts_every_date_once() -> None:
    now = 1796019164
    for days in (1, 40, 400, 4000, 12000):
        rows = charted(*((now, now - day * DAY) for day in range(0, days, max(1, days // 40))), (None, None))
        made = strip(rows, domain(rows))
        assert sum(cell["claims"] for cell in made["cells"]) == len(rows.rows) - 1
        assert sum(cell["changes"] for cell in made["cells"]) == len(rows.rows) - 1
        assert len(made["cells"]) <= 260
        assert 1 <= len(made["ticks"]) <= 9
        assert max(cell["claim_level"] for cell in made["cells"]) == 5


def test_coverage_is_by_folder() -> None:
    rows = charted(*((1, 1) for _ in range(9)))
    assert [(one["folder"], one["total"]) for one in coverage(rows)] == [("/0/", 3), ("/1/", 3), ("/2/", 3)]
    real = coverage(Rows(rich_result()))
    assert real[0]["folder"] == "/guide/"
    assert real[0]["false"] == 26
    assert sum(one["total"] for one in real) == rich_result().summary.urls
