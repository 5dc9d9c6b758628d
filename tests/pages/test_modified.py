"""The modification dates that pages state about themselves."""

from __future__ import annotations

import json

import pytest

from sitemap_guard.model import Stated
from sitemap_guard.pages.html import parse_page, parse_whole

META, JSON_LD, ITEM = "article:modified_time", "JSON-LD dateModified", "itemprop dateModified"
LONG = "<p>" + "text " * 4000


def stated(head: str = "", body: str = "") -> list[tuple[str, str]]:
    data = f"<!doctype html><html><head><title>t</title>{head}</head><body>{body}</body></html>".encode()
    page = parse_page(data, "x.html")
    assert page == parse_whole(data, "x.html")
    assert all(isinstance(one, Stated) for one in page.modified)
    return [(one.how, one.value) for one in page.modified]


def script(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def test_the_meta_tag() -> None:
    assert stated('<meta property="article:modified_time" content=" 2026-05-10 ">') == [(META, "2026-05-10")]
    assert stated('<meta name="Article:Modified_Time" content="2026-05-10">') == [(META, "2026-05-10")]
    assert stated('<meta property="article:published_time" content="2026-05-10">') == []
    assert stated('<meta property="article:modified_time">') == []


def test_two_that_differ_speak_of_others() -> None:
    tag = '<meta property="article:modified_time" content="{}">'
    assert stated(tag.format("2026-05-10") * 2) == [(META, "2026-05-10")]
    assert stated(tag.format("2026-05-10") + tag.format("2026-05-11")) == []


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "BlogPosting", "dateModified": "2026-05-10", "datePublished": "2020-01-01"},
        {"@context": "https://schema.org", "@type": ["Thing", "schema:NewsArticle"], "dateModified": "2026-05-10"},
        {"@type": "https://schema.org/WebPage", "dateModified": " 2026-05-10 "},
        [{"@type": "WebSite"}, {"@type": "TechArticle", "dateModified": "2026-05-10"}],
        {"@graph": [{"@type": "Organization"}, {"@type": "WebPage", "dateModified": "2026-05-10"}]},
        {"@type": "WebPage", "mainEntity": {"@type": "Article", "dateModified": "2026-05-10"}},
        {
            "@type": "WebPage",
            "dateModified": "2026-05-10",
            "mainEntity": {"@type": "Article", "dateModified": "2026-05-10"},
        },
    ],
)
def test_json_ld_of_the_page(data: object) -> None:
    assert stated(script(data)) == [(JSON_LD, "2026-05-10")]
    assert stated("", LONG + script(data) + LONG) == [(JSON_LD, "2026-05-10")]


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "BlogPosting", "datePublished": "2026-05-10"},
        {"@type": "Product", "dateModified": "2026-05-10"},
        {"@type": "Article", "comment": [{"@type": "Comment", "dateModified": "2026-05-10"}]},
        {"@type": "Blog", "blogPost": [{"@type": "BlogPosting", "dateModified": "2026-05-10"}]},
        [{"@type": "Article", "dateModified": "2026-05-10"}, {"@type": "Article", "dateModified": "2026-05-10"}],
        {"@type": "Article", "dateModified": 20260510},
        {"dateModified": "2026-05-10"},
        "dateModified",
        {"@graph": {"dateModified": 1}, "@type": None},
    ],
)
def test_json_ld_of_other_things(data: object) -> None:
    assert stated(script(data)) == []


def test_json_ld_that_is_hostile_or_broken_is_passed_over() -> None:
    deep = "[" * 100_000 + '"dateModified"'
    for text in ("{dateModified", deep, '{"@type": "Article", "dateModified": "2026-05-10"} trailing'):
        assert stated(f'<script type="application/ld+json">{text}</script>') == []
    good = script({"@type": "Article", "dateModified": "2026-05-10"})
    assert stated('<script type="application/ld+json">{dateModified</script>' + good) == [(JSON_LD, "2026-05-10")]
    assert stated('<script>var x = {"@type": "Article", "dateModified": "2026-05-10"}</script>') == []


def test_microdata() -> None:
    time = '<time itemprop="dateModified" datetime="2026-05-10T10:00:00Z">May 10</time>'
    assert stated("", time) == [(ITEM, "2026-05-10T10:00:00Z")]
    assert stated("", '<time itemprop="datePublished dateModified">2026-05-10</time>') == [(ITEM, "2026-05-10")]
    assert stated('<meta itemprop="dateModified" content="2026-05-10">') == [(ITEM, "2026-05-10")]
    assert stated("", f'<div itemscope itemtype="https://schema.org/BlogPosting"><p>{time}</p></div>') != []
    assert stated("", f'<div itemscope itemtype="http://schema.org/Comment"><p>{time}</p></div>') == []
    outer = '<article itemscope itemtype="https://schema.org/Article">{}</article>'
    comment = '<div itemscope itemtype="https://schema.org/Comment">{}</div>'
    assert stated("", outer.format(time + comment.format(time.replace("2026", "2027")))) != []
    several = outer.format(time) + outer.format(time.replace("2026", "2025"))
    assert stated("", several) == []


def test_a_page_without_any_is_not_read_further() -> None:
    assert stated("", LONG + "<p>Last modified: 2026-05-10") == []
