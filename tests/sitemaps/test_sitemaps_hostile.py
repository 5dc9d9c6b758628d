"""Whatever the bytes: problems, never an exception, and nothing read but the file itself."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_guard.sitemaps import text, xml
from sitemap_guard.sitemaps.content import NAMESPACE, Content
from sitemap_guard.sitemaps.discovery import discover

VALID = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    "<!-- c --><url><loc>https://e.org/?a=1&amp;b</loc><lastmod>2026-01-02</lastmod><priority>0.5</priority>"
    '<xhtml:link rel="alternate" hreflang="de" href="https://e.org/de"/></url><url><loc><![CDATA[x]]></loc></url></urlset>'
).encode()
INDEX = (
    f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>https://e.org/a.xml</loc><lastmod>2026</lastmod></sitemap>'
    "</sitemapindex>"
).encode()
RSS = b"<rss version='2.0'><channel><item><link>https://e.org/</link><pubDate>x</pubDate></item></channel></rss>"
ATOM = (
    b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://e.org/'/><updated>x</updated></entry></feed>"
)
LAUGHS = b"<!DOCTYPE urlset [<!ENTITY a 'ha'>" + b"".join(
    b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(20)
)


def sound(content: Content) -> None:
    if content.kind == "none":
        assert content.problems
        assert not content.claims
        assert not content.children
    for problem in content.problems:
        assert problem.code
        assert problem.detail
    for claim in content.claims:
        assert claim.line > 0
        assert claim.column > 0
        assert (claim.lastmod is None) == (claim.lastmod_line == 0)


def test_billion_laughs_are_not_read() -> None:
    start = time.perf_counter()
    content = xml.read(LAUGHS + b"]><urlset><url><loc>&u;</loc></url></urlset>", "sitemap.xml")
    assert [problem.code for problem in content.problems] == ["dtd"]
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file://{}">]>',
        '<!DOCTYPE urlset [<!ENTITY % x SYSTEM "file://{}"> %x;]>',
        '<!DOCTYPE urlset SYSTEM "{}">',
    ],
)
def test_an_external_entity_reads_no_file(tmp_path: Path, doctype: str) -> None:
    # A FIFO without a writer: whoever opened it would wait for ever.
    secret = tmp_path / "secret"
    os.mkfifo(secret)
    content = xml.read(f"{doctype.format(secret)}<urlset><url><loc>&x;</loc></url></urlset>".encode(), "sitemap.xml")
    assert (content.kind, content.problems[0].code) == ("none", "dtd")


def test_a_sitemap_that_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "sitemap.xml")
    os.mkfifo(tmp_path / "robots.txt")
    assert discover(tmp_path).sitemaps == ()


def test_a_comment_or_attribute_without_end_is_given_up() -> None:
    # Ten times the size must not take a hundred times the time.
    for opening in (b"<urlset><!--", b"<urlset><url a='"):
        content = xml.read(opening + b"x" * (40 << 20), "sitemap.xml")
        assert content.problems[0].code == "unreadable"


def test_deep_nesting_and_a_million_entries_are_given_up() -> None:
    assert xml.read(b"<urlset>" + b"<a>" * 100_000, "s").problems[0].code == "unreadable"
    head = f'<urlset xmlns="{NAMESPACE}">'.encode()
    assert xml.read(head + b"<url/>" * 1_000_001 + b"</urlset>", "s").problems[0].code == "unreadable"


def test_a_million_different_unknown_elements_make_few_problems() -> None:
    body = "".join(f"<x{n}/>" for n in range(5000))
    content = xml.read(f'<urlset xmlns="{NAMESPACE}"><url>{body}</url></urlset>'.encode(), "s")
    assert len(content.problems) == 100


def test_a_bomb_under_a_sitemaps_name(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(bytes(300 << 20), 9))
    (sitemap,) = discover(tmp_path).sitemaps
    assert (sitemap.kind, sitemap.claims) == ("none", ())
    assert [problem.code for problem in sitemap.problems] == ["gzip-bomb"]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_to_a_sound_answer(data: bytes) -> None:
    sound(xml.read(data, "s"))
    sound(text.read(data, "s"))
    sound(xml.read(b"<urlset><url><loc>" + data, "s"))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([VALID, INDEX, RSS, ATOM]), st.data())
def test_mutated_sitemaps_are_read_to_a_sound_answer(base: bytes, data: st.DataObject) -> None:
    mutated = bytearray(base)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(mutated)))
        length = data.draw(st.integers(0, 30))
        piece = data.draw(
            st.one_of(
                st.binary(max_size=6), st.sampled_from([b"<", b"&", b"]]>", b"<url>", b"</loc>", base[at : at + 40]])
            )
        )
        mutated[at : at + length] = piece
    sound(xml.read(bytes(mutated), "s"))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_mutated_gzip_and_robots_raise_nothing(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("site")
    raw = bytearray(gzip.compress(VALID))
    raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    (folder / "sitemap.xml.gz").write_bytes(raw)
    (folder / "sitemap.xml").write_bytes(
        INDEX.replace(
            b"https://e.org/a.xml", data.draw(st.text("aé%2./\\:?#&;@", max_size=20)).replace("&", "&amp;").encode()
        )
    )
    (folder / "robots.txt").write_bytes(
        b"Sitemap:"
        + data.draw(st.binary(max_size=30))
        + b"\nSitemap: https://e.org/"
        + data.draw(st.binary(max_size=12))
    )
    found = discover(folder)
    assert {sitemap.path for sitemap in found.sitemaps} >= {"sitemap.xml", "sitemap.xml.gz"}
