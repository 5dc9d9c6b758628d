"""The HTML report in a real browser: seen, used by mouse and by keyboard, and safe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import chromium
from msgspec.structs import replace
from sample import apart, rich_result

from sitemap_guard.model import Result
from sitemap_guard.reports import FORMATS, Style

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "https://docs.example.org/</script><script>window.pwned=1</script><img src=x onerror=window.pwned=2>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("html") / "report.html"
    target.write_text(FORMATS["html"](hostile(), Style()), "utf-8")
    return target


def hostile() -> Result:
    """The sample, with an address and a message that attack."""
    result = rich_result()
    first, *rest = result.site.entries
    attacked = replace(first, claim=replace(first.claim, loc=HOSTILE), url="javascript:window.pwned=3")
    message = '"><img src=x onerror=window.pwned=4>{{ 7*7 }}'
    found = tuple(replace(one, loc=HOSTILE if one.loc == first.claim.loc else one.loc) for one in result.findings)
    found = (replace(found[0], message=message, headline=message), *found[1:])
    return replace(result, site=replace(result.site, entries=(attacked, *rest)), findings=found)


def opened(browser: Browser, file: Path, width: int = 1280, scheme: Any = "light", slower: int = 1) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(10_000)
    if slower > 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    assert asked == [file.as_uri()]
    assert wrong == []
    return page


def addresses(page: Page) -> list[str]:
    return page.locator(".row .loc").all_inner_texts()


def test_hostile_content_is_shown_and_does_nothing(browser: Browser, file: Path) -> None:
    page = opened(browser, file)
    assert "/</script><script>window.pwned=1</script><img src=x onerror=window.pwned=2>" in addresses(page)
    page.locator(".row", has_text="pwned=1").click()
    assert "window.pwned=2" in page.locator("#details-title").inner_text()
    assert (page.locator("dialog a").get_attribute("href") or "").startswith("https://docs.example.org/")
    assert page.locator("img").count() == 0
    page.wait_for_timeout(100)
    assert page.evaluate("window.pwned") is None


def test_filter_and_sort(browser: Browser, file: Path) -> None:
    page = opened(browser, file)
    assert page.locator("#count").inner_text() == "40 entries"
    page.locator("#query").fill("NEWS")
    page.get_by_text("7 of 40 entries").wait_for()
    assert addresses(page) == [f"/news/{index}/" for index in range(7)]
    page.locator("[data-sort=loc]").click()
    page.locator("[data-sort=loc]").click()
    assert addresses(page) == [f"/news/{index}/" for index in reversed(range(7))]
    assert page.locator("[data-sort=loc]").locator("..").get_attribute("aria-sort") == "descending"
    page.locator("#clear").click()
    page.get_by_label("cannot tell").check()
    assert page.locator("#count").inner_text() == "2 of 40 entries"
    page.get_by_label("cannot tell").uncheck()
    page.locator("#rule").select_option("rule:page-missing")
    assert "0 of 40" in page.locator("#count").inner_text()
    page.locator("#rule").select_option("rule:lastmod-unmatched")
    assert addresses(page) == ["/drafts/new/"]
    page.locator("#clear").click()
    page.locator(".folder", has_text="/guide/").click()
    assert page.locator("#count").inner_text() == "25 of 40 entries, in /guide/"
    page.locator("#clear").click()
    page.locator(".show-group").first.click()
    assert "with this finding" in page.locator("#count").inner_text()


def test_keyboard_alone_is_enough(browser: Browser, file: Path) -> None:
    page = opened(browser, file)
    page.locator("#table").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator("#table").get_attribute("aria-activedescendant") == "row-2"
    page.keyboard.press("End")
    assert page.locator("#table").get_attribute("aria-activedescendant") == "row-39"
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert page.locator("dialog[open]").count() == 1
    assert page.locator("dialog .diff .plus").count() == 1
    assert "take the date from git" in page.locator("dialog .cure").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.id") == "table"


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_it_fits_and_does_not_jump(browser: Browser, file: Path, width: int) -> None:
    # On a slow processor the page is painted before its script has run: only then does a late element push others.
    page = opened(browser, file, width, slower=6)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shift = page.evaluate(
        """new Promise((done) => { let sum = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
          .observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 200); })"""
    )
    assert shift < 0.02


CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const back = (element) => { for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor); if (colour.length < 4 || colour[3] > 0) return colour; } return [255, 255, 255]; };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) { const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest("svg, script, :disabled, .unseen, noscript")) continue;
    const style = getComputedStyle(element), one = light(parse(style.color)), two = light(back(element));
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05), size = parseFloat(style.fontSize);
    if (ratio < (size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5)) low.push([node.data.trim().slice(0, 40), ratio]); }
  return low; }"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_of_wcag_aa(browser: Browser, file: Path, scheme: str) -> None:
    page = opened(browser, file, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(CONTRAST) == []


def test_the_scatter_is_drawn_and_answers(browser: Browser, file: Path) -> None:
    page = opened(browser, file)
    colours = page.evaluate(
        """() => { const c = document.getElementById("scatter"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        const seen = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3]) seen.add(`${d[i]},${d[i+1]},${d[i+2]}`); return seen.size; }"""
    )
    assert colours > 10
    page.evaluate("document.querySelector('#charts').scrollIntoView({ behavior: 'instant' })")
    before = page.locator("#scatter-caption").inner_text()
    box = page.locator("#scatter").bounding_box()
    assert box is not None
    for step in range(10, 100, 3):
        page.mouse.move(box["x"] + box["width"] * step / 100, box["y"] + 38 + (step % 2))
        if "claims" in page.locator("#scatter-caption").inner_text():
            break
    assert page.locator("#scatter-caption").inner_text() != before
    assert page.locator("#ring").is_visible()
    page.mouse.move(0, 0)
    assert page.locator("#scatter-caption").inner_text() == before
    assert page.locator("#ring").is_hidden()


@pytest.mark.parametrize("width", [320, 400, 480, 500])
def test_no_heading_of_the_table_is_cut_off(browser: Browser, file: Path, width: int) -> None:
    page = opened(browser, file, width)
    page.click("[data-sort=verdict]")
    cut = page.evaluate(
        """() => { const head = document.getElementById("heading").getBoundingClientRect();
        return [...document.querySelectorAll("#heading button")].map((one) => one.getBoundingClientRect())
          .filter((box) => box.width && (box.right > head.right || box.bottom > head.bottom || box.left < head.left)).length; }"""
    )
    assert cut == 0
    assert page.locator("#heading button:visible").count() == 6


def test_a_date_true_by_a_merge_or_a_stale_field_shows_the_last_change(browser: Browser, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text(FORMATS["html"](apart(), Style()), "utf-8")
    page = opened(browser, target)
    page.fill("#query", "guide/chapter-")
    changed = {
        address: (page.locator(f"{row} .true").inner_text(), page.locator(f"{row} .off").inner_text())
        for address in ("/guide/chapter-1/", "/guide/chapter-2/")
        if (row := f'.row:has(.loc[title="{address}"])')
    }
    assert changed["/guide/chapter-1/"] == ("2026-10-15T14:25:16+02:00", "+75 d")
    assert changed["/guide/chapter-2/"] == ("2026-10-15", "−80 d")
    page.click('.row:has(.loc[title="/guide/chapter-1/"])')
    told = page.locator("#details-body dl").inner_text()
    assert "true, but 75 d after the last change" in told
    assert "changed\n2026-10-15T14:25:16+02:00" in told
    assert "Merge branch 'main' into cache" in told
