"""What is taken for a fact of a page, and what only looks like one."""

from __future__ import annotations

import pytest

from sitemap_guard.model import Alternate, Canonical, EditLink, Page, Spot
from sitemap_guard.pages.html import parse_page, parse_whole

C = '<link rel="canonical" href="/c">'
EDIT = "https://github.com/o/r/edit/main/docs/x.md"


def facts(html: str | bytes) -> Page:
    data = html if isinstance(html, bytes) else html.encode()
    page = parse_page(data, "x.html")
    assert page == parse_whole(data, "x.html"), "the short cut must give what the whole page gives"
    return page


def head(inside: str, after: str = "<body><p>text</p></body></html>") -> Page:
    return facts(f"<!doctype html><html><head>{inside}</head>{after}")


# ------------------------------------------------------------------------------------------------- canonical


@pytest.mark.parametrize(
    ("tag", "href"),
    [
        (C, "/c"),
        ("<LINK HREF=https://e.org/a/ REL=Canonical>", "https://e.org/a/"),
        ('<link data-rh="true" rel="canonical" href="/a?x=1&amp;y=&#50;"/>', "/a?x=1&y=2"),
        ("<link href='/a' rel='nofollow CANONICAL'>", "/a"),
        ('<link rel=canonical href="">', ""),
        ("<link rel=canonical href>", ""),
        ('<link rel=canonical title="a > b" href=/c>', "/c"),
    ],
)
def test_canonical_is_found(tag: str, href: str) -> None:
    assert head(tag).canonicals == (Canonical(href, True),)


@pytest.mark.parametrize(
    "tag",
    [
        "<link rel=canonical>",
        '<link rel=canonical href=/c hreflang="en">',
        '<link rel=canonical href=/c lang="en">',
        '<link rel=canonical href=/c media="print">',
        '<link rel=canonical href=/c type="text/html">',
        '<link rel="canonicals" href=/c>',
        '<link rev=canonical href="/c">',
        f"<!-- {C} -->",
        f"<script>'{C}'</script>",
        f"<style>{C}</style>",
        f"<title>{C}</title>",
        f"<template>{C}</template>",
        f"<meta name=x content='{C}'>",
        f"<!-- never closed {C}",
    ],
)
def test_what_only_looks_like_a_canonical(tag: str) -> None:
    assert head(tag).canonicals == ()


def test_a_svg_element_called_link_is_none() -> None:
    assert facts(f"<body><svg>{C}</svg>").canonicals == ()
    assert facts(f"<body><svg><title>{C}</title></svg>").canonicals == (Canonical("/c", False),)


def test_two_canonicals_are_two() -> None:
    assert head(C + C).canonicals == (Canonical("/c", True),) * 2


@pytest.mark.parametrize(
    ("before", "in_head"),
    [
        ("<meta charset=utf-8><title>t</title><style>a{}</style><script>1</script><base href=/>", True),
        ("<!-- a comment --> \n", True),
        ("<template><div></div></template>", True),
        ("<noscript><style>a{}</style></noscript>", True),
        ("<noscript>", True),
        ("<title>a <svg> b</title>", True),
        ("<bgsound><basefont>", True),
        ("<div></div>", False),
        ("<img src=x>", False),
        ("text", False),
        ("<noscript><img src=pixel></noscript>", True),
        ("<noscript><iframe src=x></iframe></noscript>", True),
        ("<svg><title>a</title></svg>", False),
        ("<custom-element>", False),
        ("<body>", False),
        ("</p>", True),
        ("</br>", False),
    ],
)
def test_what_ends_the_head(before: str, in_head: bool) -> None:
    assert head(before + C).canonicals == (Canonical("/c", in_head),)


def test_a_link_after_the_head_is_put_back_into_it() -> None:
    assert facts(f"<head></head>\n{C}<body>").canonicals == (Canonical("/c", True),)
    assert facts(f"<head></head><body>{C}").canonicals == (Canonical("/c", False),)
    assert facts(C).canonicals == (Canonical("/c", True),)


# ---------------------------------------------------------------------------------------------------- robots


@pytest.mark.parametrize(
    ("html", "robots"),
    [
        ("<meta name='ROBOTS' content='NOINDEX, NOFOLLOW'>", {"noindex", "nofollow"}),
        ("<meta name=robots content=none>", {"none"}),
        ("<meta name=robots content='noindex nofollow'>", {"noindex", "nofollow"}),
        ("<meta name=Googlebot content=noindex><meta name=robots content=index>", {"noindex", "index"}),
        ("</head><body><meta name=robots content=noindex>", {"noindex"}),
        ("</head><body><div><noscript><meta name=robots content=noindex></noscript></div>", {"noindex"}),
        (
            "<meta name=robots content='max-snippet:-1, unavailable_after: 25 Jun 2010'>",
            {"max-snippet:-1", "unavailable_after: 25 jun 2010"},
        ),
        ("<meta property=robots content=noindex>", set()),
        ("<meta name=googlebot-news content=noindex>", set()),
        ("<meta name=bingbot content=noindex>", set()),
        ("<meta name=robots>", set()),
        ("<!--<meta name=robots content=noindex>-->", set()),
        ("<template><meta name=robots content=noindex></template>", set()),
        ("</head><body><textarea><meta name=robots content=noindex></textarea>", set()),
        ("</head><body><p title='<meta name=robots content=noindex>'>", set()),
    ],
)
def test_robots(html: str, robots: set[str]) -> None:
    assert head(html).robots == robots


# ------------------------------------------------------------------------------------------------- redirects


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/x", "/x"),
        ("0;URL='/x'", "/x"),
        ("0;url=&quot;/x&quot;", "/x"),
        ("5, url = /x y ", "/x y"),
        ("0 url=/x", "/x"),
        ("0; /x", "/x"),
        ("0.5;url=/x", "/x"),
        ("0; url=../../a/", "../../a/"),
        ("5.9; url=/x", "/x"),
        (".9; url=/x", "/x"),
        ("0005; url=/x", "/x"),
        ("6; url=/x", ""),
        ("86400; url=/x", ""),
        ("9" * 5000 + "; url=/x", ""),
        ("300", ""),
        ("0;", ""),
        ("0; url=", ""),
        ("url=/x", ""),
        ("; url=/x", ""),
        ("0url=/x", ""),
        ("", ""),
    ],
)
def test_refresh(content: str, target: str) -> None:
    assert head(f'<meta http-equiv="Refresh" content="{content}">').refresh == target


def test_refresh_is_found_inside_noscript_and_the_first_counts() -> None:
    assert head("<noscript><meta http-equiv=refresh content='0;url=/a'></noscript>").refresh == "/a"
    two = "<meta http-equiv=refresh content='9'><meta http-equiv=refresh content='0;url=/a'>"
    assert head(two).refresh == ""
    later = "<meta http-equiv=refresh content='60;url=/b'><meta http-equiv=refresh content='0;url=/a'>"
    assert head(later).refresh == ""
    assert head("<meta name=refresh content='0;url=/a'>").refresh == ""


@pytest.mark.parametrize(
    "script",
    [
        'window.location.replace("/new/")',
        'location.href = "/new/";',
        "window.location = '/new/'",
        "document.location.assign('/new/');",
        "<!--\nlocation='/new/' // -->",
        "window.location.href = '/new/' + window.location.search + window.location.hash;",
    ],
)
def test_a_page_that_is_only_a_redirecting_script(script: str) -> None:
    stub = f"<!doctype html><title>Moved</title><script>{script}</script><a href=/new/>Moved here</a>"
    assert facts(stub).refresh == "/new/"
    assert facts(f"<meta http-equiv=refresh content='30;url=/later/'>{stub}").refresh == "/new/"


@pytest.mark.parametrize(
    "html",
    [
        "<script>if (!user) location.href = '/login'</script><p>Welcome",
        "<script>function go() { location.href = '/login' }</script>",
        "<script>location.href = '/' + lang</script>",
        "<script>location.hash = '/new'</script>",
        "<script>location.replace('#top')</script>",
        "<script src=x.js>location.href='/new/'</script>",
        "<script type=text/template>location.href='/new/'</script>",
        "<!--<script>location.href='/new/'</script>-->",
        "<script>location.href='/new/'</script>" + "<p>words " * 40,
        "<script>location.href='/new/'</script>" + "x" * 301,
        "<script>location.href='/new/'</script>" + " " * 9000,
    ],
)
def test_a_normal_page_with_a_script_is_no_redirect(html: str) -> None:
    assert facts(html).refresh == ""


# ---------------------------------------------------------------------------------------------- other facts


def test_base_lang_generator() -> None:
    page = facts(
        "<html lang=' de-AT '><head><base target=x><base href='/b/'><base href=/c/><meta name=Generator content='Hugo 1'>"
    )
    assert (page.base, page.lang, page.generator) == ("/b/", "de-AT", "Hugo 1")
    page = facts("<html xml:lang=fr><head><meta property=generator content=x><!--<base href=/x>-->")
    assert (page.base, page.lang, page.generator) == ("", "", "")


def test_a_late_html_tag_adds_its_language() -> None:
    assert facts("<head></head><body><p>" + "x" * 500 + "<html lang=fr><p>" + "x" * 500).lang == "fr"


def test_a_frameset_takes_the_body_away() -> None:
    assert facts("<head></head><a href=x></a>" + C + "<frameset></frameset>" + " " * 300).canonicals in (
        (),
        (Canonical("/c", False),),
    )


@pytest.mark.parametrize(
    ("tag", "alternates"),
    [
        ('<link rel=alternate hreflang="de-AT" href="/de/">', (Alternate("de-AT", "/de/"),)),
        ("<link REL='Alternate' hreflang=x-default href=/>", (Alternate("x-default", "/"),)),
        ("<link rel=alternate hreflang=de media='(max-width: 9px)' href=/m>", (Alternate("de", "/m"),)),
        ("<link rel=alternate hreflang=de type=text/html href=/m>", (Alternate("de", "/m"),)),
        ("<link rel=alternate href=/de/>", ()),
        ("<link rel=alternate hreflang=de>", ()),
        ("<link rel=alternate hreflang=de type=application/rss+xml href=/feed>", ()),
        ("<link rel='alternate stylesheet' hreflang=de href=/a.css>", ()),
        ("</head><body><link rel=alternate hreflang=de href=/de/>", ()),
    ],
)
def test_alternates(tag: str, alternates: tuple[Alternate, ...]) -> None:
    assert head(tag).alternates == alternates


# --------------------------------------------------------------------------------------------- edit links


@pytest.mark.parametrize(
    ("href", "prefix", "tail"),
    [
        (EDIT, "https://github.com/o/r/edit/", "main/docs/x.md"),
        (
            "https://github.com/o/r/blob/main/a%20b/%C3%A9.md?plain=1#top",
            "https://github.com/o/r/blob/",
            "main/a b/é.md",
        ),
        (
            "https://github.com/o/r/edit/main/src/edit/blob/x.md",
            "https://github.com/o/r/edit/",
            "main/src/edit/blob/x.md",
        ),
        ("https://github.com/edit/raw/edit/main/x.md", "https://github.com/edit/raw/edit/", "main/x.md"),
        ("https://gitlab.com/g/sub/p/-/edit/main/x.md", "https://gitlab.com/g/sub/p/-/edit/", "main/x.md"),
        ("https://gitlab.com/g/src/p/-/blob/main/x.md", "https://gitlab.com/g/src/p/-/blob/", "main/x.md"),
        ("https://bitbucket.org/w/r/src/main/x.md", "https://bitbucket.org/w/r/src/", "main/x.md"),
        ("https://git.io/o/r/_edit/main/x.md", "https://git.io/o/r/_edit/", "main/x.md"),
        ("https://git.io/o/r/src/branch/main/x.md", "https://git.io/o/r/src/", "branch/main/x.md"),
        ("//github.com/o/r/tree/main/x.md", "//github.com/o/r/tree/", "main/x.md"),
        (
            "https:&#x2F;&#x2F;github.com&#x2F;o&#x2F;r&#x2F;edit&#x2F;main&#x2F;x.md",
            "https://github.com/o/r/edit/",
            "main/x.md",
        ),
    ],
)
def test_edit_link_forms(href: str, prefix: str, tail: str) -> None:
    page = facts(f"<head></head><body>{'<p>text</p>' * 99}<a class='edit' href='{href}'>Edit</a>{'<p>text</p>' * 99}")
    assert page.edit_links == (EditLink(prefix, tail, "a edit"),)


@pytest.mark.parametrize(
    "html",
    [
        "<a href='/o/r/edit/main/x.md'>",
        "<a href='https://github.com/o/r/issues/1'>",
        "<a href='https://github.com/o/edit/main'>",
        "<a href='https://github.com/o/r/blob/main/x.py#L10-L20'>",
        f"<!--<a href='{EDIT}'>-->",
        f"<script>\"<a href='{EDIT}'>\"</script>",
        f"<template><a href='{EDIT}'></a></template>",
        f'<p title="<a href={EDIT}>">',
        f"<link rel=edit href='{EDIT}'>",
        f"<p>{EDIT}</p>",
        f"<a name='{EDIT}'>",
    ],
)
def test_what_is_no_edit_link(html: str) -> None:
    assert facts(f"<body>{html}{'<p>text</p>' * 99}").edit_links == ()


@pytest.mark.parametrize(
    ("css_class", "mark"),
    [
        ("md-content__button md-icon", "a md-content__button md-icon"),
        ("editLink_x3Y9", "a"),
        ("theme css-1ab2c svelte-abcdef edit_aBcDe px-4 btn", "a theme btn"),
        ("", "a"),
    ],
)
def test_class_without_made_up_words(css_class: str, mark: str) -> None:
    assert facts(f"<a class='{css_class}' href='{EDIT}'>").edit_links[0].mark == mark


def test_edit_links_can_be_left_out() -> None:
    html = f"<head><meta name=robots content=none></head><a href='{EDIT}'>".encode()
    assert parse_page(html, "x", edit_links=False) == Page("x", robots=frozenset({"none"}), robots_at=Spot(1, 7))
