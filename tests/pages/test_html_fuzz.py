"""parse_page never raises, and its short cut gives what the whole page gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_guard.model import Page
from sitemap_guard.pages.html import parse_page, parse_whole

# Pieces that open, close, hide or rewrite what stands around them.
PIECES = st.sampled_from(
    """<!doctype html>|<html lang=en>|<html lang=fr>|<head>|</head>|<body>|</body>|</html>|<title>|</title>|<!--|-->
<script>|</script>|<script>location.href="/n"</script>|<style>|</style>|<template>|</template>|<noscript>|</noscript>
<svg>|</svg>|<math>|<mi>|<![CDATA[|]]>|<foreignobject>|<textarea>|</textarea>|<select>|<option>|</select>|<selectedcontent>
<table>|<tr>|<td>|</td>|</table>|<p>|</p>|<div>|</div>|<b>|</b>|<a>|</a>|<a title="|">|'|"|<p title='|<img src=x>|<frameset>
<plaintext>|<iframe>|</iframe>|<xmp>|text|&amp;|&#x2f;|&#101;|<br/|<
<link rel=canonical href=/a>|<LINK REL='canonical' HREF="/b" title="a>b">|<link rel=canonical href=/c media=print>
<link rel=alternate hreflang=de href=/de>|<meta name=robots content=noindex>|<meta name=generator content=x
<meta http-equiv=refresh content="0;url=/x">|<base href=/base/>|<base href="/q|<cut-here>
<a href="https://github.com/o/r/edit/main/a.md">|<a class=k href='https://github.com/o/r/blob/main/b.md'>
<a href="https://github.com/o/r/&#101;dit/main/c.md">""".replace("\n", "|").split("|")
)
PAGES = st.lists(PIECES, max_size=25).map("".join).map(str.encode)


def same(page: Page, whole: Page) -> None:
    # Body elements may be moved by what follows the cut (a table, an unclosed <b>): their order is no fact.
    def key(page: Page) -> tuple[object, ...]:
        return (
            sorted((one.href, one.in_head) for one in page.canonicals),
            page.robots,
            page.refresh,
            page.base,
            page.lang,
            page.generator,
            page.alternates,
            frozenset(page.edit_links),
            page.problem,
        )

    assert key(page) == key(whole)


@settings(deadline=None, max_examples=600)
@given(PAGES, st.booleans(), st.integers(0, 2))
def test_the_short_cut_is_exact(data: bytes, edit_links: bool, filling: int) -> None:
    data += b"<p>filling</p>" * (filling * 300)  # room to cut, and with much of it no stub
    same(parse_page(data, "x", edit_links=edit_links), parse_whole(data, "x", edit_links=edit_links))


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=400))
def test_random_bytes_never_raise(data: bytes) -> None:
    same(parse_page(data, "x"), parse_whole(data, "x"))


@settings(deadline=None, max_examples=300)
@given(PAGES, st.lists(st.tuples(st.integers(0, 2000), st.binary(max_size=3)), max_size=6))
def test_damaged_pages_never_raise(data: bytes, damage: list[tuple[int, bytes]]) -> None:
    for place, junk in damage:
        data = data[:place] + junk + data[place + 1 :]
    same(parse_page(data + b"<p>filling</p>" * 300, "x"), parse_whole(data + b"<p>filling</p>" * 300, "x"))
