"""The HTML report in a real browser: what its reader does with it, and what a hostile site does to it."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from browser import chromium
from msgspec.structs import replace
from sample import BASE, rich_result
from test_report_html_browser import addresses, opened

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import FORMATS, Style

NASTY = (
    "<script>window.pwned=1</script>",
    '"onmouseover="window.pwned=2"/',
    "a\u202egpj.exe/",
    "long/" + "verylongsegment-" * 125 + "/",
    "long/" + "a" * 1990,
    "\U0001f984/\U0001f468\u200d\U0001f469\u200d\U0001f467/",
    "%D8%A7%D9%84%D8%B9/%D8%B5%D9%81/",
    "\u0627\u0644\u0639/",
    "zalgo/z" + "\u0335\u0321\u0322" * 60,
)


def nasty() -> Result:
    """The sample, its first entries with addresses that attack the layout or the reader, and findings about them."""
    result = rich_result()
    entries = list(result.site.entries)
    found = list(result.findings)
    for index, path in enumerate(NASTY):
        entries[index] = replace(entries[index], claim=replace(entries[index].claim, loc=BASE + path), url=BASE + path)
        message = f"{path} and {'w' * 900}"
        found.append(
            Finding("loc-escape", Level.ERROR, message, BASE + path, "public/sitemap.xml", 4, group=str(index))
        )
    return replace(result, site=replace(result.site, entries=tuple(entries)), findings=tuple(found))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("html") / "report.html"
    target.write_text(FORMATS["html"](rich_result(), Style()), "utf-8")
    return target


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("nasty") / "report.html"
    target.write_text(FORMATS["html"](nasty(), Style()), "utf-8")
    return target


# ------------------------------------------------------------------------------------------------- finding one's way


def test_the_first_screen_says_what_to_mend_and_leads_there(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    page.emulate_media(reduced_motion="reduce")  # else it scrolls smoothly
    first = page.locator(".glance a").first
    box = first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900
    assert "the generator writes the clock" in first.inner_text()
    assert "take the date from git" in first.inner_text()
    first.click()
    page.wait_for_timeout(100)
    assert abs(page.evaluate("document.querySelector('#finding-0').getBoundingClientRect().top")) < 40
    assert "build-clock" not in page.locator("#finding-0 .head-line").inner_text()
    assert page.locator("#finding-0 .times").inner_text() == "25 ×"


def test_a_count_shows_its_entries(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    page.locator("#query").fill("news")
    page.locator(".count", has_text="cannot tell").click()
    assert page.locator("#count").inner_text() == "2 of 40 entries"
    assert page.get_by_label("cannot tell").is_checked()
    assert page.locator("#query").input_value() == ""
    assert page.evaluate("document.activeElement.id") == "table"


def test_entries_with_and_without_findings(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    page.locator("#rule").select_option("some")
    assert page.locator("#count").inner_text() == "28 of 40 entries"
    page.locator("#rule").select_option("none")
    assert page.locator("#count").inner_text() == "12 of 40 entries"
    page.locator("#clear").click()
    page.locator("[data-sort=found]").click()
    shown = page.locator(".row .found").all_inner_texts()
    # The most severe first, and what has none last.
    assert shown[0] == "lastmod-too-new +1"
    assert page.locator(".row .loc").first.inner_text() == "/guide/"
    page.locator("#table").press("End")
    assert page.locator(".row.active .found").inner_text() == ""


def test_one_goes_through_the_entries_without_closing_them(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    page.locator("#query").fill("news")
    page.get_by_text("7 of 40 entries").wait_for()
    page.locator(".row").nth(1).click()
    title = page.locator("#details-title")
    assert title.inner_text() == "/news/1/"
    page.locator("#after").click()
    assert title.inner_text() == "/news/2/"
    page.locator("#before").click()
    page.locator("#before").click()
    assert title.inner_text() == "/news/0/"
    assert page.locator("#before").is_disabled()
    page.keyboard.press("Escape")
    assert page.locator(".row.active .loc").inner_text() == "/news/0/"


def test_the_theme_is_remembered(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    page.locator("#theme").click()
    assert page.locator("#theme-name").inner_text() == "dark"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#theme-name").inner_text() == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def saved(page: Any) -> list[list[str]]:
    with page.expect_download() as download:
        page.locator("#save").click()
    text = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_what_the_table_shows_can_be_saved(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    page.locator(".count", has_text="false").click()
    page.locator("[data-sort=loc]").click()
    head, *lines = saved(page)
    assert head[:4] == ["loc", "verdict", "lastmod", "expected"]
    assert len(lines) == 27
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    line = next(line for line in lines if line[0] == BASE + "guide/chapter-1/")
    assert line[1:4] == ["false", "2026-11-30T06:12:44Z", "2026-10-15T14:25:16+02:00"]
    assert line[6:] == ["content/guide/chapter-1.md", "public/sitemap.xml", "5", "lastmod-too-new"]


def test_a_saved_value_is_no_formula(browser: Any, tmp_path: Path) -> None:
    result = rich_result()
    first, *rest = result.site.entries
    loc = '=HYPERLINK("https://bad.example","x")'
    file = tmp_path / "report.html"
    changed = replace(first, claim=replace(first.claim, loc=loc), url="")
    made = replace(result, site=replace(result.site, entries=(changed, *rest)))
    file.write_text(FORMATS["html"](made, Style()), "utf-8")
    page = opened(browser, file)
    assert "'" + loc in [line[0] for line in saved(page)]


# --------------------------------------------------------------------------------------------------- for every reader


def test_a_table_of_few_entries_is_no_taller_than_they_are(browser: Any, tmp_path: Path) -> None:
    result = rich_result()
    few = result.site.entries[:4]
    counts = replace(result.summary, urls=4, true=0, false=4, cannot_tell=0, absent=0)
    file = tmp_path / "report.html"
    file.write_text(FORMATS["html"](replace(result, site=replace(result.site, entries=few), summary=counts), Style()))
    page = opened(browser, file)
    assert page.locator("#table").bounding_box()["height"] < 36 * 4 + 40 + 10


@pytest.mark.parametrize("late", [False, True])
def test_larger_text_makes_larger_rows(browser: Any, file: Path, late: bool) -> None:
    page = opened(browser, file)
    sized = page.context.new_cdp_session(page)
    if not late:
        sized.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        page.reload()
        page.wait_for_selector("html[data-ready]")
    else:
        page.evaluate("document.documentElement.style.fontSize = '32px'")
        page.wait_for_timeout(300)
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "30px"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    boxes = page.evaluate(
        "[...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect())"
        ".map((box) => [box.top, box.bottom]).sort((one, two) => one[0] - two[0])"
    )
    assert all(lower[0] >= upper[1] - 1 for upper, lower in itertools.pairwise(boxes))
    assert page.locator(".row .verdict-cell").first.bounding_box()["height"] > 30


def test_forced_colours_leave_the_marks(browser: Any, file: Path) -> None:
    page = browser.new_context(forced_colors="active").new_page()
    page.goto(file.as_uri())
    colours = page.evaluate(
        "['.mark-t', '.mark-f'].map((one) => getComputedStyle(document.querySelector(one)).backgroundColor)"
    )
    assert len(set(colours)) == 2
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") not in colours


def test_without_a_script_nothing_pretends_to_work(browser: Any, file: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(file.as_uri())
    for unseen in ("#filters", "#table", "#theme", ".show-group >> nth=0"):
        assert page.locator(unseen).is_hidden(), unseen
    assert page.get_by_text("needs a script").is_visible()
    page.locator("summary", has_text="why it matters").first.click()
    assert page.locator(".why p").first.is_visible()


def test_an_empty_table_is_sound(browser: Any, file: Path) -> None:
    page = opened(browser, file)
    page.locator("#query").fill("no such address")
    page.get_by_text("No entry fits").wait_for()
    assert page.locator("#table").get_attribute("aria-activedescendant") is None
    assert page.locator("#body [role=row] [role=gridcell]").count() == 1
    page.locator("#table").press("ArrowDown")
    page.locator("#table").press("Enter")
    assert page.locator("dialog[open]").count() == 0
    assert page.locator("#save").is_disabled()


# Colours change with the scheme, the layout with the width: each of them once, since a run takes seconds.
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_no_violation(browser: Any, bad: Path, width: int, scheme: Any) -> None:
    # A published checker of accessibility: one file of JavaScript inside the package.
    axe = resources.files("axe_playwright_python") / "axe.min.js"
    page = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    ).new_page()
    page.goto(bad.as_uri())
    page.wait_for_selector("html[data-ready]")
    page.evaluate(axe.read_text("utf-8"))
    run = "axe.run().then((told) => told.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"
    assert page.evaluate(run) == []
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(run) == []
    page.locator(".row").first.click()
    assert page.evaluate(run) == []
    page.keyboard.press("Escape")
    page.locator("#query").fill("no such address")
    page.get_by_text("No entry fits").wait_for()
    assert page.evaluate(run) == []


# ------------------------------------------------------------------------------------------------------- hostile sites


@pytest.mark.parametrize("width", [320, 760, 1280])
def test_hostile_addresses_leave_the_layout_whole(browser: Any, bad: Path, width: int) -> None:
    page = opened(browser, bad, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tallest = page.evaluate("Math.max(...[...document.querySelectorAll('.card')].map((one) => one.offsetHeight))")
    assert tallest < (1400 if width == 320 else 700)
    wide = "[...document.querySelectorAll('.card *, .glance *, .folder *, dialog *')]"
    out = "!one.textContent.includes('zalgo') && one.getBoundingClientRect().right > innerWidth"
    assert page.evaluate(f"{wide}.filter((one) => {out}).length") == 0
    for index in range(len(NASTY)):
        page.locator("#table").press("Home")
        for _ in range(index):
            page.locator("#table").press("ArrowDown")
        page.locator("#table").press("Enter")
        box = page.locator("dialog").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert page.evaluate(
            "document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth"
        )
        page.keyboard.press("Escape")
    assert page.evaluate("window.pwned") is None


def test_hostile_addresses_are_shown_as_they_are(browser: Any, bad: Path) -> None:
    page = opened(browser, bad)
    shown = addresses(page)
    assert "/<script>window.pwned=1</script>" in shown
    assert "/a\\u202egpj.exe/" in shown
    assert "/\u0627\u0644\u0639/\u0635\u0641/" in shown  # it is percent-encoded in the sitemap
    page.locator("#query").fill("\u0635\u0641")
    page.get_by_text("1 of 40 entries").wait_for()
    page.locator(".row").click()
    assert "%D8%B5%D9%81" in page.locator("dialog a").inner_text()


def test_only_a_plain_address_is_offered_as_a_command(browser: Any, tmp_path: Path) -> None:
    result = rich_result()
    first, *rest = result.site.entries
    loc = BASE + "x'$(touch${IFS}pwned)'/"
    file = tmp_path / "report.html"
    changed = replace(first, claim=replace(first.claim, loc=loc), url=loc)
    made = replace(result, site=replace(result.site, entries=(changed, *rest)))
    file.write_text(FORMATS["html"](made, Style()), "utf-8")
    page = opened(browser, file)
    page.locator(".row", has_text="touch").click()
    assert "sitemap-guard why" not in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    page.locator(".row", has_text="/guide/chapter-2/").click()
    assert f"sitemap-guard why '{BASE}guide/chapter-2/'" in page.locator("dialog").inner_text()
