"""Where a page's tags stand: the very place, or none."""

from __future__ import annotations

import time

import pytest

from sitemap_guard.model import Spot
from sitemap_guard.pages.html import parse_page
from sitemap_guard.pages.spots import canonical_at

NOINDEX = '<meta name="robots" content="noindex">'
C = '<link rel="canonical" href="/c">'


@pytest.mark.parametrize(
    ("html", "spot"),
    [
        (f"<head>\n<title>t</title>\n  {NOINDEX}</head>", Spot(3, 3)),
        (f"<head><title>é</title>{NOINDEX}", Spot(1, 23)),
        (f"<head>\r\n{NOINDEX}", Spot(2, 1)),
        (f"<head><!-- {NOINDEX} -->\n{NOINDEX}", Spot(2, 1)),
        (f"<head><script>'{NOINDEX}'</script>\n{NOINDEX}", Spot(2, 1)),
        (f"<head><template>{NOINDEX}</template>\n{NOINDEX}", Spot(2, 1)),
        ('<head><meta name="description" content="noindex is a word">\n<meta content=NONE name=GoogleBot>', Spot(2, 1)),
        ('<head>\n<META NAME="robots"\n CONTENT="nofollow, noindex">', Spot(2, 1)),
        (f"<head></head><body><p>\n{NOINDEX}", Spot(2, 1)),
        ("<head>\n<meta name=robots content='unavailable_after: 2020-01-01'>", Spot(2, 1)),
        ("<head>\n<meta name=robots content=nosnippet>", None),
        ("<head><meta name=robots content='no&#105;ndex'>", None),  # spelt so that the text does not show it
    ],
)
def test_what_asks_not_to_be_indexed(html: str, spot: Spot | None) -> None:
    assert parse_page(html.encode(), "x").robots_at == spot


@pytest.mark.parametrize(
    ("html", "spot"),
    [
        (f"<head>\n{C}</head>", Spot(2, 1)),
        (f"<head>\n<!-- {C} -->{C}</head>", Spot(2, 42)),
        (f'<head><link rel="alternate" href="/canonical">\n{C}', Spot(2, 1)),
        (f"<head></head><body>\n{C}", Spot(2, 1)),
        (f"<head>{C.replace('/c', '/d')}<div></div>\n{C}", Spot(1, 7)),
        ('<head>\n<link href="/a?b=1&amp;c=2" rel=canonical>', Spot(2, 1)),
        ("<head>\n<link rel=canonical title='a > b' href=/c>", None),
        ("<head><link rel=next href=/c>", None),
    ],
)
def test_the_canonical_that_counts(html: str, spot: Spot | None) -> None:
    page = parse_page(html.encode(), "x")
    assert page.canonical_at is None  # not looked for in every page
    assert canonical_at(page, html.encode()) == spot


@pytest.mark.parametrize(
    ("html", "spot"),
    [
        ("<head>\n<meta http-equiv='refresh' content='0; url=/new/'>", Spot(2, 1)),
        ("<head>\n<script>location.replace('/new/')</script>", Spot(2, 9)),
        ("<head>\n<meta http-equiv='refresh' content='5'>", None),
    ],
)
def test_what_sends_visitors_elsewhere(html: str, spot: Spot | None) -> None:
    assert parse_page(html.encode(), "x").refresh_at == spot


def test_a_file_in_utf_16_has_the_lines_of_its_text() -> None:
    assert parse_page(f"<head>\n{NOINDEX}".encode("utf-16"), "x").robots_at == Spot(2, 1)


def test_pages_made_to_take_long_take_no_time() -> None:
    began = time.perf_counter()
    for many in (C, "<!--" + C, "<link canonical", "canonical ", "<script>" + C + "</script>", f"<!-- {C} -->"):
        data = ("<head>" + many * 30_000 + f"{C.replace('/c', '/d')}{NOINDEX}").encode()
        canonical_at(parse_page(data, "x"), data)
    assert time.perf_counter() - began < 20
