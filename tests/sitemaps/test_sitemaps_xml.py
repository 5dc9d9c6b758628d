from __future__ import annotations

import pytest

from sitemap_guard.model import Alternate, Problem
from sitemap_guard.sitemaps import xml
from sitemap_guard.sitemaps.content import NAMESPACE, Content

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(body: str, attributes: str = "") -> bytes:
    return f'{HEAD}<urlset xmlns="{NAMESPACE}"{attributes}>\n{body}\n</urlset>'.encode()


def read(data: str | bytes) -> Content:
    return xml.read(data if isinstance(data, bytes) else data.encode(), "sitemap.xml")


def only(content: Content) -> Problem:
    assert len(content.problems) == 1, content.problems
    return content.problems[0]


def test_a_claim_has_its_texts_and_places() -> None:
    content = read(urlset("<url>\n  <loc>https://e.org/a</loc>\n    <lastmod>2026-01-02</lastmod>\n</url>"))
    (claim,) = content.claims
    assert (content.kind, content.problems) == ("urlset", ())
    assert (claim.loc, claim.lastmod, claim.sitemap) == ("https://e.org/a", "2026-01-02", "sitemap.xml")
    assert (claim.line, claim.column, claim.lastmod_line) == (4, 3, 5)


def test_places_are_right_beyond_65535_lines() -> None:
    body = "\n".join(f"<url>\n <loc>https://e.org/{n}</loc>\n <lastmod>2026</lastmod>\n</url>" for n in range(17_500))
    claim = read(urlset(body)).claims[-1]
    assert (claim.line, claim.column, claim.lastmod_line) == (2 + 17_500 * 4 - 2, 2, 2 + 17_500 * 4 - 1)
    assert claim.line > 65_535


def test_columns_count_characters_on_a_file_of_one_line() -> None:
    head = f'<urlset xmlns="{NAMESPACE}">'
    entry = "<url><loc>https://e.org/привет</loc></url>"
    claims = read(head + entry * 3000 + "</urlset>").claims
    assert [claim.line for claim in claims] == [1] * 3000
    assert claims[2999].column == len(head + entry * 2999 + "<url>") + 1


def test_comments_cdata_and_entities_do_not_move_or_hide_a_loc() -> None:
    body = (
        "<!-- <url><loc>https://e.org/commented</loc></url> -->\n"
        "<url><loc> https://e.org/<!-- x --><![CDATA[?a=1&b=<loc>]]>&amp;c&#x3D;2\n</loc></url>"
    )
    (claim,) = read(urlset(body)).claims
    assert claim.loc == "https://e.org/?a=1&b=<loc>&c=2"
    assert (claim.line, claim.column) == (4, 6)


@pytest.mark.parametrize(
    ("entry", "loc", "lastmod"),
    [
        ("<url><lastmod>2026</lastmod><priority>1</priority><loc>https://e.org/</loc></url>", "https://e.org/", "2026"),
        ("<url><loc>https://e.org/</loc></url>", "https://e.org/", None),
        ("<url><loc>https://e.org/</loc><lastmod/></url>", "https://e.org/", ""),
        ("<url><loc>https://e.org/</loc><lastmod> \n </lastmod></url>", "https://e.org/", ""),
        ("<url><lastmod>2026</lastmod></url>", "", "2026"),
        ("<url/>", "", None),
    ],
)
def test_children_may_come_in_any_order_or_be_missing_or_empty(entry: str, loc: str, lastmod: str | None) -> None:
    content = read(urlset(entry))
    (claim,) = content.claims
    assert (claim.loc, claim.lastmod, content.problems) == (loc, lastmod, ())
    assert claim.line == 3


def test_extensions_are_accepted_and_alternates_kept() -> None:
    spaces = (
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
        ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    )
    body = (
        '<url><xhtml:link rel="alternate" hreflang="de" href="https://e.org/de/?a&amp;b"/>'
        "<image:image><image:loc>https://e.org/i.png</image:loc></image:image>"
        "<news:news><news:publication><news:name>N</news:name><news:language>de</news:language></news:publication>"
        "<news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title></news:news>"
        '<loc>https://e.org/</loc><xhtml:link rel="alternate" hreflang="x-default" ref="/"/>'
        '<xhtml:link rel="canonical" href="https://e.org/"/></url><url><loc>https://e.org/2</loc></url>'
    )
    content = read(urlset(body, spaces))
    assert content.problems == ()
    assert content.claims[0].alternates == (Alternate("de", "https://e.org/de/?a&b"), Alternate("x-default", ""))
    assert content.claims[1].alternates == ()


def test_unknown_elements_are_told_once_with_place_suggestion_and_count() -> None:
    content = read(urlset("<url><loc>https://e.org/</loc>\n <lastMod>2026</lastMod></url>\n" * 3 + "<Url/>"))
    assert [claim.lastmod for claim in content.claims] == [None] * 3
    first, second = content.problems
    assert (first.code, first.line, first.column) == ("element", 4, 2)
    assert first.detail == "<lastMod> is no element of <url>: write <lastmod> (3 times)"
    assert second.detail == "<Url> is no element of <urlset>: write <url>"


@pytest.mark.parametrize(
    ("element", "hint"),
    [
        ("<Loc>x</Loc>", ": write <loc>"),
        ("<last_modified>x</last_modified>", ": did you mean <lastmod>?"),
        ("<link/>", ": an alternate is written <xhtml:link>"),
        ("<image/>", ": it needs its prefix"),
        ("<url/>", ": it belongs directly below <urlset>"),
        ("<title/>", ""),
    ],
)
def test_what_was_meant_by_an_unknown_element(element: str, hint: str) -> None:
    detail = only(read(urlset(f"<url><loc>https://e.org/</loc>{element}</url>"))).detail
    assert " is no element of <url>" + hint in detail
    if not hint:
        assert detail.endswith("<url>")


def test_a_second_loc_and_an_element_inside_loc_are_told() -> None:
    content = read(
        urlset("<url><loc>https://e.org/a</loc><loc>https://e.org/b</loc></url><url><loc>x<b>y</b></loc></url>")
    )
    assert [claim.loc for claim in content.claims] == ["https://e.org/a", "xy"]
    assert [problem.code for problem in content.problems] == ["element", "element"]


@pytest.mark.parametrize(
    "attribute",
    [
        "",
        ' xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"',
        ' xmlns="http://www.google.com/schemas/sitemap/0.84"',
    ],
)
def test_a_wrong_namespace_is_told_with_the_right_one_and_the_entries_are_read(attribute: str) -> None:
    content = read(f"<urlset{attribute}><url><loc>https://e.org/</loc></url></urlset>")
    assert [claim.loc for claim in content.claims] == ["https://e.org/"]
    problem = only(content)
    assert problem.code == "namespace"
    assert f'xmlns="{NAMESPACE}"' in problem.detail


def test_a_prefix_for_the_protocol_is_fine_and_an_entry_outside_the_namespace_is_not() -> None:
    good = f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>https://e.org/</s:loc></s:url></s:urlset>'
    assert read(good).problems == ()
    bad = read(f'<s:urlset xmlns:s="{NAMESPACE}"><url><loc>https://e.org/</loc></url></s:urlset>')
    assert (only(bad).code, bad.claims[0].loc) == ("namespace", "https://e.org/")


def test_an_index_has_children() -> None:
    body = "<sitemap>\n<loc>https://e.org/a.xml</loc><lastmod>2026</lastmod></sitemap><url><loc>x</loc></url>"
    content = read(f'<sitemapindex xmlns="{NAMESPACE}">{body}</sitemapindex>')
    (child,) = content.children
    assert (content.kind, child.loc, child.lastmod, child.line, child.column) == (
        "index",
        "https://e.org/a.xml",
        "2026",
        2,
        1,
    )
    assert "<urlset>" in only(content).detail


@pytest.mark.parametrize(
    ("data", "code", "words", "place"),
    [
        (urlset("<url><loc>https://e.org/?a=1&b=2</loc></url>"), "not-well-formed", "&amp;", (3, 29)),
        (urlset("<url><loc>https://e.org/a & b</loc></url>"), "not-well-formed", "&amp;", (3, 27)),
        (urlset("<url><loc>https://e.org/&eacute;</loc></url>"), "not-well-formed", "&#233;", (3, 25)),
        (urlset("<url><loc>https://e.org/&x;</loc></url>"), "not-well-formed", "&amp;", (3, 25)),
        (urlset("<url><loc>https://e.org/</url>"), "not-well-formed", "closing tag", (3, 27)),
        (urlset("<image:image/>"), "not-well-formed", "prefix", (3, 1)),
        (urlset("<url><loc>\x01</loc></url>"), "not-well-formed", "does not allow", (3, 11)),
        (urlset("")[:-9], "not-well-formed", "ends before", (4, 1)),
        (urlset("") + b"x", "not-well-formed", "follows", (4, 10)),
        (b"\n" + urlset(""), "not-well-formed", "very first thing", (2, 1)),
        (b"hello " + urlset(""), "not-well-formed", "before the XML", (1, 1)),
        (b"Not found", "not-well-formed", "not XML", (1, 1)),
        (b"", "not-well-formed", "empty", (1, 1)),
        (b" \n", "not-well-formed", "empty", (1, 1)),
        ("é<".encode(), "not-well-formed", "not XML", (1, 1)),
        (b"<!doctype html><html><p>not found", "html", "HTML", (0, 0)),
        (b"<!-- x --><!DOCTYPE html><html>", "html", "HTML", (1, 11)),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "html", "HTML", (1, 22)),
        (b'{"urls": []}', "json", "JSON", (0, 0)),
        (b"<note/>", "not-a-sitemap", "<note>", (1, 1)),
        (b"<URLSet/>", "not-a-sitemap", "write <urlset>", (1, 1)),
        (b'<!DOCTYPE urlset SYSTEM "x.dtd">' + urlset("")[39:], "dtd", "DOCTYPE", (1, 1)),
        (urlset("<url><loc>caf\u00e9</loc></url>").decode().encode("latin-1"), "not-utf8", "0xE9", (3, 14)),
        (urlset("").replace(b"UTF-8", b"ISO-8859-1"), "not-utf8", "ISO-8859-1", (1, 1)),
        (urlset("").replace(b"UTF-8", b"UTF-16"), "not-utf8", "UTF-16", (1, 1)),
        (urlset("").replace(b"UTF-8", b"no-such-code"), "not-utf8", "no-such-code", (1, 1)),
        (urlset("").decode().encode("utf-16"), "not-utf8", "UTF-16", (1, 1)),
        (urlset("").decode().encode("utf-16-le"), "not-utf8", "UTF-16", (1, 1)),
    ],
)
def test_what_cannot_be_read_is_told_with_reason_and_place(
    data: bytes, code: str, words: str, place: tuple[int, int]
) -> None:
    content = read(data)
    problem = only(content)
    assert (content.kind, content.claims, problem.code) == ("none", (), code)
    assert words in problem.detail
    assert (problem.line, problem.column) == place


def test_claims_before_the_fault_are_dropped() -> None:
    content = read(urlset("<url><loc>https://e.org/</loc></url><url><loc>a&b</loc></url>"))
    assert (content.claims, only(content).code) == ((), "not-well-formed")


def test_a_bom_is_told_and_moves_no_column() -> None:
    data = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://e.org/</loc></url></urlset>'.encode()
    plain, marked = read(data), read(b"\xef\xbb\xbf" + data)
    assert only(marked).code == "bom"
    assert marked.claims == plain.claims


def test_ascii_is_utf8_but_should_be_declared_so() -> None:
    content = read(urlset("<url><loc>https://e.org/</loc></url>").replace(b"UTF-8", b"US-ASCII"))
    assert (len(content.claims), only(content).code) == (1, "encoding")


def test_a_sitemap_may_have_50000_entries_and_none_is_told() -> None:
    assert only(read(urlset(""))).code == "empty"
    assert read(urlset("<url><loc>https://e.org/</loc></url>" * 50_000)).problems == ()
    content = read(urlset("<url><loc>https://e.org/</loc></url>" * 50_001))
    assert (len(content.claims), only(content).code) == (50_001, "too-many")
