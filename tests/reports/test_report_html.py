"""The HTML report as text: self-contained, and inert whatever a site writes into it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from sample import BUILT, apart, rich_result
from selectolax.lexbor import LexborHTMLParser
from test_report_hostile import assert_harmless, results

from sitemap_guard.model import Answer, Finding, Level, Result, Verdict
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.reports.html_charts import DAY, FOLDERS, coverage, domain, strip
from sitemap_guard.reports.html_data import Row, Rows, read_iri


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


def test_what_weighs_most_comes_first() -> None:
    def some(rule: str, level: Level, count: int, loc: str = "https://docs.example.org/guide/") -> list[Finding]:
        return [Finding(rule, level, f"{rule} {index}", loc, group=rule) for index in range(count)]

    found = (
        some("page-redirect", Level.ERROR, 2)
        + some("page-noindex", Level.ERROR, 30)
        + some("hreflang-language", Level.WARNING, 90)
        + some("history-shallow", Level.ERROR, 1, "")
    )
    tree = LexborHTMLParser(page(replace(rich_result(), findings=tuple(found))))
    cards = [card.css_first("code").text() for card in tree.css("article")]
    assert cards == ["history-shallow", "page-noindex", "page-redirect", "hreflang-language"]
    assert [link.attributes["href"] for link in tree.css(".glance li a")] == [f"#finding-{at}" for at in range(4)]


def test_a_finding_says_why_it_matters_in_the_words_of_its_rule() -> None:
    tree = LexborHTMLParser(page(rich_result()))
    card = next(card for card in tree.css("article") if card.css_first("code").text() == "page-missing")
    why = [one.text() for one in card.css(".why p")]
    assert why[0] == "A listed address must have a built page behind it."
    assert any(one.startswith("Bad: ") for one in why)
    assert any(one.startswith("Good: ") for one in why)


def test_a_site_without_dates_is_told_what_that_means() -> None:
    result = rich_result()
    absent = tuple(
        replace(one, claim=replace(one.claim, lastmod=None), verdict=Verdict(Answer.ABSENT))
        for one in result.site.entries
    )
    counts = replace(result.summary, true=0, false=0, cannot_tell=0, absent=len(absent))
    tree = LexborHTMLParser(
        page(replace(result, site=replace(result.site, entries=absent), summary=counts, findings=()))
    )
    assert "search engines cannot learn" in tree.css_first(".notes").text()
    assert tree.css("canvas") == []
    assert "sitemap-guard fix" not in tree.css_first("#findings").text()
    assert "sitemap-guard fix public --diff" in LexborHTMLParser(page(result)).css_first("#findings").text()


def test_a_card_and_its_button_speak_of_the_same_count() -> None:
    found = [
        Finding("page-missing", Level.ERROR, f"gone {at}", one.claim.loc, group="gone")
        for at, one in enumerate(rich_result().site.entries)
    ]
    made = page(replace(rich_result(), findings=tuple(found)))
    assert len(found) == 40
    (card,) = LexborHTMLParser(made).css("article")
    assert card.css_first(".show-group").text() == "show all 40 in the table"
    assert card.css_first("summary").text() == "19 more here, of 40 in all"
    twice = page(replace(rich_result(), findings=(*found, *found)))
    (card,) = LexborHTMLParser(twice).css("article")
    assert card.css_first(".show-group").text() == "show all 40 entries in the table"
    assert card.css_first("summary").text() == "19 more here, of 80 in all"


def test_reasons_are_told_in_words() -> None:
    notes = LexborHTMLParser(page(rich_result())).css_first(".notes").text()
    assert "1 date cannot be told: no source is known for the page" in notes
    assert "fetched the missing history from origin" in notes


# -------------------------------------------------------------------------------------------------------- charts


def test_a_date_that_is_true_by_a_merge_or_a_stale_field_is_off_the_diagonal() -> None:
    made, before = data(page(apart())), data(page(rich_result()))
    assert (made["verdict"][:2], made["apart"], before["apart"]) == ("tt", [0, 1], [])
    assert [round((made["claimed"][at] - made["true"][at]) / DAY) for at in (0, 1)] == [75, -80]
    chart = LexborHTMLParser(page(apart())).css_first("canvas").attributes["aria-label"] or ""
    assert f": {sum(1 for one in Rows(rich_result()).rows if one.letter == 't' and one.true)} lie on" in chart


@pytest.mark.parametrize("lacking", ["expected", "feed"])
def test_without_a_date_to_propose_a_stale_field_stands_beside_the_change_it_missed(lacking: str) -> None:
    result = apart()
    merged, stale = result.site.entries[:2]
    if lacking == "feed":
        one = replace(stale, claim=replace(stale.claim, feed=True))
    else:
        one = replace(stale, verdict=replace(stale.verdict, expected=None))
    merged = replace(merged, verdict=replace(merged.verdict, expected=None))
    rows = Rows(replace(result, site=replace(result.site, entries=(one, merged)))).rows
    assert stale.verdict.witness is not None
    assert stale.verdict.witness.stale is not None
    assert rows[0].true == stale.verdict.witness.stale.newest.commit.authored.seconds
    assert (rows[0].apart, rows[1].apart) == (True, False)


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
        assert made["outside"] == (0, 0)
        assert sum(cell["claims"] for cell in made["cells"]) == len(rows.rows) - 1
        assert sum(cell["changes"] for cell in made["cells"]) == len(rows.rows) - 1
        assert len(made["cells"]) <= 260
        assert 1 <= len(made["ticks"]) <= 9
        assert max(cell["claim_level"] for cell in made["cells"]) == 5


def test_a_claim_outside_the_calendar_is_counted_and_falls_into_no_cell_of_it() -> None:
    now = 1796019164
    rows = charted(
        (0, now - 9 * DAY), (now + 900 * DAY, now), *((now - day * DAY, now - day * DAY) for day in range(30))
    )
    span = domain(rows)
    made = strip(rows, span)
    assert made["outside"] == (1, 1)
    assert sum(cell["claims"] for cell in made["cells"]) == 30
    assert sum(1 for row in rows.rows if row.claimed is not None and not span[0] <= row.claimed <= span[1]) == 2


def test_coverage_is_by_folder() -> None:
    rows = charted(*((1, 1) for _ in range(9)))
    assert [(one["label"], one["total"]) for one in coverage(rows).bars] == [("/0/", 3), ("/1/", 3), ("/2/", 3)]
    assert coverage(rows).of == (0, 1, 2) * 3
    real = coverage(Rows(rich_result()))
    assert real.bars[0]["label"] == "/guide/"
    assert real.bars[0]["false"] == 26
    assert sum(one["total"] for one in real.bars) == rich_result().summary.urls == len(real.of)


def folders(*paths: str) -> dict[str, int]:
    rows = charted()
    rows.rows = [Row(path, "t", 1, 1) for path in paths]
    found = coverage(rows)
    assert [found.of.count(index) for index in range(len(found.bars))] == [bar["total"] for bar in found.bars]
    return {bar["label"]: bar["total"] for bar in found.bars}


def test_a_page_with_an_address_like_a_folder_is_no_folder() -> None:
    assert folders("/", "/about/", "/contact/") == {"/": 3}
    assert folders(*(f"/notes/n{index}/" for index in range(25))) == {"/notes/": 25}
    # The list of a folder's pages belongs to them.
    assert folders("/", "/blog/", "/blog/a/", "/blog/b.html?x=/y/") == {"/blog/": 3, "/": 1}


def test_folders_are_told_apart_where_no_one_holds_nearly_all() -> None:
    deep = [f"/docs/part{index % 3}/page{index}/" for index in range(30)]
    assert folders("/", *deep) == {"/docs/part0/": 10, "/docs/part1/": 10, "/docs/part2/": 10, "/": 1}
    flat = [f"/blog/page{index}" for index in range(30)]
    assert folders("/about", *flat) == {"/blog/": 30, "/": 1}
    assert folders("javascript:alert(1)", "https://elsewhere.example/a/", "/a") == {"elsewhere": 2, "/": 1}


def test_a_site_of_very_many_folders_has_a_last_bar_for_the_rest() -> None:
    found = folders(*(f"/f{index}/page" for index in range(FOLDERS + 70)))
    assert len(found) == FOLDERS + 1
    assert found["70 more folders"] == 70


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("/%E6%97%A5%E6%9C%AC/", "/\u65e5\u672c/"),
        ("/a%2Fb%3Fc%20d/", None),  # decoded, it would be another address
        ("/%FF%FE/", None),
        ("/%E2%80%AE%2e/", "/\u202e%2e/"),
        ("/plain/", None),
    ],
)
def test_letters_that_are_percent_encoded_can_be_read(path: str, read: str | None) -> None:
    assert read_iri(path) == read


def test_what_is_shown_of_a_decoded_address_is_harmless() -> None:
    result = rich_result()
    first, *rest = result.site.entries
    loc = "https://docs.example.org/a%E2%80%AEgpj.exe/%E6%97%A5/"
    changed = replace(first, claim=replace(first.claim, loc=loc))
    text = page(replace(result, site=replace(result.site, entries=(changed, *rest))))
    assert data(text)["read"] == {"0": "/a\\u202egpj.exe/\u65e5/"}
    assert "\u202e" not in text
