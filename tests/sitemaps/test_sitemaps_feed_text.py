from __future__ import annotations

import pytest

from sitemap_guard.sitemaps import text, xml


def test_items_of_rss_are_claims() -> None:
    content = xml.read(
        b"<?xml version='1.0'?>\n<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel>\n"
        b"<title>T</title><link>https://e.org/</link><atom:link href='https://e.org/feed.xml' rel='self'/>\n"
        b"<item>\n<pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>\n <link>https://e.org/a</link></item>\n"
        b"<item><title>no link</title></item></channel></rss>",
        "feed.xml",
    )
    first, second = content.claims
    assert (content.kind, content.problems) == ("rss", ())
    assert (first.loc, first.lastmod, first.feed) == ("https://e.org/a", "Mon, 05 Jan 2026 10:00:00 GMT", True)
    assert (first.line, first.column, first.lastmod_line) == (6, 2, 5)
    assert (second.loc, second.lastmod, second.line) == ("", None, 7)


@pytest.mark.parametrize(
    ("namespace", "date"), [("http://www.w3.org/2005/Atom", "updated"), ("http://purl.org/atom/ns#", "modified")]
)
def test_entries_of_atom_are_claims(namespace: str, date: str) -> None:
    content = xml.read(
        f"<feed xmlns='{namespace}'><link href='https://e.org/'/><updated>2026-02-01T00:00:00Z</updated>\n"
        f"<entry><link rel='edit' href='https://e.org/edit'/><link href=' https://e.org/a '/>"
        f"<link rel='alternate' href='https://e.org/second'/><{date}>2026-01-02T00:00:00Z</{date}>"
        f"<source><link href='https://other.org/'/></source></entry></feed>".encode(),
        "feed.xml",
    )
    (claim,) = content.claims
    assert (content.kind, content.problems) == ("atom", ())
    assert (claim.loc, claim.lastmod, claim.feed, claim.line) == ("https://e.org/a", "2026-01-02T00:00:00Z", True, 2)


def test_an_empty_feed_is_told() -> None:
    assert [problem.code for problem in xml.read(b"<rss><channel/></rss>", "f").problems] == ["empty"]


def test_a_text_sitemap_has_a_claim_a_line() -> None:
    content = text.read("https://e.org/a\r\n\r\n  https://e.org/é \nhttps://e.org/c\rhttps://e.org/d".encode(), "s.txt")
    assert [(claim.loc, claim.line, claim.column) for claim in content.claims] == [
        ("https://e.org/a", 1, 1),
        ("https://e.org/é", 3, 3),
        ("https://e.org/c", 4, 1),
        ("https://e.org/d", 5, 1),
    ]
    assert (content.kind, content.problems) == ("text", ())


@pytest.mark.parametrize(
    ("data", "kind", "codes"),
    [
        (b"\xef\xbb\xbfhttps://e.org/", "text", ["bom"]),
        (b"", "text", ["empty"]),
        (b"https://e.org/\nhttps://e.org/caf\xe9", "none", ["not-utf8"]),
        ("https://e.org/".encode("utf-16"), "none", ["not-utf8"]),
        (b"<!doctype html><p>", "none", ["html"]),
        (b'["https://e.org/"]', "none", ["json"]),
    ],
)
def test_what_is_wrong_with_a_text_is_told_by_code(data: bytes, kind: str, codes: list[str]) -> None:
    content = text.read(data, "sitemap.txt")
    assert (content.kind, [problem.code for problem in content.problems]) == (kind, codes)


def test_bytes_that_are_not_utf8_are_found_in_the_second_mebibyte() -> None:
    # A three-byte character lies across the border between two pieces.
    data = b"x" * ((1 << 20) - 1) + "€".encode() + b"\nab\xff"
    (problem,) = text.read(data, "sitemap.txt").problems
    assert (problem.code, problem.line, problem.column) == ("not-utf8", 2, 3)
