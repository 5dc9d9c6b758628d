"""Where the text of a lastmod stands, to the byte."""

from __future__ import annotations

import pytest

from sitemap_guard.sitemaps import xml

OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def cut(data: bytes, place: tuple[int, ...]) -> bytes:
    """The bytes of a range, as a consumer of rdjson cuts them."""
    first, start, last, end = place
    lines = data.split(b"\n")
    if first == last:
        return lines[first - 1][start - 1 : end - 1]
    return b"\n".join([lines[first - 1][start - 1 :], *lines[first : last - 1], lines[last - 1][: end - 1]])


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("gap", ["", "\n", "\r\n", "\n\n  "])
@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("<lastmod>2026-01-02</lastmod>", "2026-01-02"),
        ("<lastmod>\n  2026-01-02\r\n</lastmod>", "2026-01-02"),
        ("<lastmod a=\">\" b='x>y' >2026</lastmod >", "2026"),
        ("<lastmod><![CDATA[2026-01-02]]></lastmod>", "<![CDATA[2026-01-02]]>"),
        ("<lastmod>2026&#45;01<!-- é -->-02</lastmod>", "2026&#45;01<!-- é -->-02"),
        ("<lastmod>2026\n-01</lastmod>", "2026\n-01"),
    ],
)
def test_the_range_cuts_out_the_text(bom: bytes, gap: str, element: str, text: str) -> None:
    entry = f"<url>{gap}<loc>https://example.org/é</loc>{gap}{element}{gap}</url>{gap}"
    data = bom + f"{OPEN}{gap}{entry}<url><loc>https://example.org/</loc></url>{gap}{entry}</urlset>".encode()
    one, none, two = xml.read(data, "s.xml").claims
    assert [cut(data, claim.lastmod_range) for claim in (one, two)] == [text.encode()] * 2
    assert none.lastmod_range == ()


def test_an_empty_element_has_no_range_but_an_empty_text_has() -> None:
    data = f"{OPEN}<url><loc>https://e.org/</loc><lastmod/></url><url><lastmod> </lastmod></url></urlset>".encode()
    single, blank = xml.read(data, "s.xml").claims
    assert single.lastmod_range == ()
    assert cut(data, blank.lastmod_range) == b""
