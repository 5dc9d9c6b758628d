"""Rules on canonical targets, unlisted pages, the host's answers, and what users may accept."""

from __future__ import annotations

from typing import Any

import pytest
from facts import BASE, all_ids, entry, findings, page, site, words

from sitemap_guard.config import Ignore
from sitemap_guard.model import (
    Alternate,
    Answered,
    Built,
    Canonical,
    Claim,
    Entry,
    Header,
    Hosting,
    Level,
    Located,
    Rule,
    Target,
    UserError,
)
from sitemap_guard.rules import runner
from sitemap_guard.rules.ignores import fits_url

WHERE = Rule("public/_headers", 3)


def with_canonical(href: str, loc: str = BASE + "x/", **facts: Any) -> Entry:
    path = loc.removeprefix(BASE) + "index.html"
    return entry(loc, built=page(path, canonicals=(Canonical(href, True),)), **facts)


# ------------------------------------------------------------------------------------------------------ canonical


@pytest.mark.parametrize(
    ("there", "why"),
    [
        (Target(Located("missing")), "was not built"),
        (
            Target(Located("html", "y/index.html"), page("y/index.html", refresh="/z/")),
            "redirects (to https://a.example/z/)",
        ),
        (
            Target(Located("html", "y"), None, Answered(301, BASE + "z/", "github-pages")),
            "redirects (to https://a.example/z/)",
        ),
        (Target(Located("html", "y"), page("y", robots=frozenset({"noindex"}))), "asks not to be indexed"),
        (
            Target(Located("html", "y"), page("y"), None, (Header("x-robots-tag", "none", WHERE),)),
            "asks not to be indexed",
        ),
    ],
)
def test_a_canonical_that_is_no_use_is_told_once(there: Target, why: str) -> None:
    checked = site(with_canonical(BASE + "y/"), targets={BASE + "y/": there})
    (found,) = findings("canonical-target", checked)
    assert why in found.message
    assert all_ids(checked) == ["canonical-target"]


def test_a_canonical_that_answers_is_a_plain_mismatch() -> None:
    checked = site(with_canonical(BASE + "y/"), targets={BASE + "y/": Target(Located("html", "y"), page("y"))})
    assert all_ids(checked) == ["canonical-mismatch"]


def test_many_pages_with_one_foreign_canonical_have_inherited_it() -> None:
    three = [with_canonical(BASE, f"{BASE}{n}/") for n in "xyz"]
    assert all_ids(site(*three)) == ["canonical-shared"] * 3
    assert all_ids(site(*three[:2])) == ["canonical-mismatch"] * 2


@pytest.mark.parametrize(
    ("href", "kind"), [("", "is empty"), ("/x/", "is relative"), (BASE + "x/#top", "has a fragment"), (BASE + "x/", "")]
)
def test_a_canonical_should_be_written_as_an_absolute_address(href: str, kind: str) -> None:
    told = words("canonical-relative", with_canonical(href))
    assert (kind in told[0]) if kind else told == []


def test_a_header_names_a_canonical_as_well() -> None:
    header = Header("link", f'<{BASE}y/>; rel="canonical"', WHERE)
    (told,) = words("canonical-multiple", entry(headers=(header,)))
    assert "public/_headers:3" in told
    alone = entry(built=page(canonicals=()), headers=(header,))
    assert all_ids(site(alone)) == ["canonical-mismatch"]
    assert all_ids(site(entry(headers=(Header("link", "</style.css>; rel=preload", WHERE),)))) == []


def test_a_preview_may_name_the_published_host() -> None:
    elsewhere = with_canonical("https://www.a.example/x/")
    assert all_ids(site(elsewhere)) == ["canonical-mismatch"]
    assert [f.rule for f in runner.run(site(elsewhere, preview=True), runner.Choice(preview=True))] == []


def test_canonical_missing_is_off_by_default() -> None:
    assert words("canonical-missing", entry(built=page(canonicals=())))
    assert not words("canonical-missing", entry())


# ---------------------------------------------------------------------------------------------------------- host


def redirected(**facts: Any) -> Entry:
    return entry(
        BASE + "x",
        built=page(canonicals=(Canonical(BASE + "x", True),)),
        answered=Answered(301, BASE + "x/", "github-pages", **facts),
    )


def test_agreement_on_a_redirect_has_its_own_headline_and_a_diff() -> None:
    (found,) = findings("page-redirect", site(redirected(), hosting=Hosting(("github-pages",), "CNAME")))
    assert found.headline == "sitemap and canonical tags agree on addresses that github-pages redirects"
    assert (found.claimed, found.expected) == (BASE + "x", BASE + "x/")
    assert "CNAME" in found.cure
    assert all_ids(site(redirected())) == ["page-redirect"]


def test_what_is_not_sure_is_a_warning() -> None:
    (found,) = findings("page-redirect", site(redirected(sure=False)))
    assert found.level is Level.WARNING


def test_a_rule_is_told_at_its_line() -> None:
    (found,) = findings("page-redirect", site(redirected(rule=Rule("static/_redirects", 12))))
    assert (found.path, found.line, found.claimed) == ("static/_redirects", 12, None)


def test_a_rewrite_of_the_host_serves_what_was_not_built() -> None:
    assert not words("page-missing", entry(state="missing", answered=Answered(200, host="netlify", rule=WHERE)))
    gone = entry(state="missing", answered=Answered(410, host="netlify", rule=WHERE))
    assert words("page-missing", gone) == ["public/_headers:3 answers 410 for this address"]


def test_a_shadowed_rule_is_only_noted() -> None:
    (found,) = findings("page-shadowed", site(entry(answered=Answered(200, shadowed=Rule("_redirects", 4)))))
    assert (found.level, found.path, found.line) == (Level.INFO, "_redirects", 4)


def test_a_page_that_reloads_itself_does_not_redirect() -> None:
    assert not words("page-redirect", entry(built=page(refresh="/x/")))
    assert words("page-redirect", entry(built=page(refresh="/y/")))


def test_two_addresses_of_one_file_are_a_warning_where_the_page_is_silent() -> None:
    silent = page(canonicals=())
    (found,) = findings("loc-duplicate", site(entry(built=silent), entry(BASE + "x/index.html", built=silent)))
    assert found.level is Level.WARNING
    assert not words("loc-duplicate", entry(), entry(BASE + "x/index.html", built=page()))


# ------------------------------------------------------------------------------------------------------- unlisted


def built(path: str, url: str = "", **facts: Any) -> Built:
    own = url or BASE + path.removesuffix("index.html")
    more = {name: facts.pop(name) for name in ("disallowed", "answered", "headers") if name in facts}
    facts.setdefault("canonicals", (Canonical(own, True),))
    return Built(own, page(path, **facts), **more)


def unlisted(*pages: Built, entries: tuple[Entry, ...] = ()) -> list[str]:
    return [found.message for found in findings("page-unlisted", site(*(entries or (entry(),)), built=pages))]


def test_an_unlisted_page_is_told() -> None:
    assert unlisted(built("new/index.html")) == [f"no sitemap lists {BASE}new/"]
    assert unlisted(built("new.html", canonicals=(Canonical(BASE + "new", True),))) != []


def test_unlisted_pages_are_told_together_by_their_folder() -> None:
    pages = [built(f"{name}/index.html") for name in ("a", "b", "blog/c", "blog/d")]
    found = findings("page-unlisted", site(entry(), built=tuple(pages)))
    assert sorted({one.headline for one in found}) == [
        "built pages in blog that no sitemap lists",
        "built pages in the top folder that no sitemap lists",
    ]


@pytest.mark.parametrize(
    "page_",
    [
        built("404.html"),
        built("en/404/index.html"),
        built("blog/page/2/index.html"),
        built("blog/page3/index.html"),
        built("archives/2024/05/index.html"),
        built("blog/2024/index.html"),
        built("google0123456789abcdef.html"),
        built("old/index.html", refresh="/new/"),
        built("old/index.html", robots=frozenset({"noindex"})),
        built("old/index.html", headers=(Header("x-robots-tag", "noindex", WHERE),)),
        built("old/index.html", disallowed=True),
        built("old/index.html", canonicals=(Canonical(BASE + "x/", True),)),
        built("old/index.html", canonicals=()),
        built("old/index.html", answered=Answered(301, BASE + "x/", "netlify", WHERE)),
        built("old/index.html", problem="unreadable"),
    ],
    ids=lambda one: one.page.path,
)
def test_what_need_not_be_listed(page_: Built) -> None:
    assert unlisted(page_) == []


def test_where_no_page_names_a_canonical_all_pages_count() -> None:
    bare = entry(built=page(canonicals=()))
    assert unlisted(built("new/index.html", canonicals=()), entries=(bare,)) != []


def test_one_fault_is_not_told_twice() -> None:
    pointing = with_canonical(BASE + "new/")
    assert unlisted(built("new/index.html"), entries=(pointing,)) == []
    stub = entry(built=page(refresh="/new/"))
    assert unlisted(built("new/index.html"), entries=(stub,)) == []


def test_orphans_and_the_page_for_people() -> None:
    links = {"x/index.html": frozenset({BASE + "x/", BASE + "y"}), "y/index.html": frozenset({BASE})}
    both = (entry(), entry(BASE + "y/", built=page("y/index.html")))
    (found,) = findings("page-orphan", site(*both, links=links))
    assert found.loc == BASE + "x/"
    assert all_ids(site(*both, links=links)) == []
    (found,) = findings("page-directory", site(*both, links=links, directory="y/index.html"))
    assert (found.loc, found.level) == (BASE + "x/", Level.WARNING)
    assert findings("page-directory", site(*both, links=links)) == []
    (found,) = findings("page-directory", site(*both, links={}, directory="map.html"))
    assert "was not built" in found.message
    assert found.path == ""  # the site's folder is no file that a report could show


# ------------------------------------------------------------------------------------------------------ hreflang


def test_alternates_of_a_preview_or_another_host_are_left_alone() -> None:
    claim = Claim(
        BASE + "x/",
        None,
        "sitemap.xml",
        3,
        alternates=(Alternate("en", BASE + "x/"), Alternate("de", "https://b.example/x/")),
    )
    assert all_ids(site(Entry(claim, BASE + "x/", Located("html", "x/index.html"), page(lang="en")))) == []


@pytest.mark.parametrize(("href", "rule"), [("", "hreflang-target"), ("/de/", "hreflang-target")])
def test_alternates_need_whole_addresses(href: str, rule: str) -> None:
    claim = Claim(BASE + "x/", None, "sitemap.xml", 3, alternates=(Alternate("en", BASE + "x/"), Alternate("de", href)))
    assert all_ids(site(Entry(claim, BASE + "x/", Located("html", "x/index.html"), page(lang="en")))) == [rule]


# ------------------------------------------------------------------------------------------------- levels, ignores


def test_select_drop_and_strict() -> None:
    bad = site(entry(state="missing"), entry(BASE + "y/#a", built=page("y/index.html")))
    assert [f.rule for f in runner.run(bad, runner.Choice(select=("loc",)))] == ["loc-fragment"]
    assert [f.rule for f in runner.run(bad, runner.Choice(drop=("page-missing",)))] == ["loc-fragment"]
    assert {f.level for f in runner.run(bad, runner.Choice(strict=True))} == {Level.ERROR}
    assert [
        f.rule for f in runner.run(site(entry(built=page(canonicals=()))), runner.Choice(select=("canonical-missing",)))
    ] == ["canonical-missing"]
    for choice in (runner.Choice(select=("page-mising",)), runner.Choice(drop=("page-mising",))):
        with pytest.raises(UserError, match="did you mean 'page-missing'"):
            runner.levels(choice)


@pytest.mark.parametrize(
    ("ignore", "kept"),
    [
        (Ignore("why", rule="page-missing"), []),
        (Ignore("why", rule="page"), []),
        (Ignore("why", url="/drafts/**"), []),
        (Ignore("why", url="https://a.example/drafts/*/"), []),
        (Ignore("why", path="public/sitemap.xml"), []),
        (Ignore("why", rule="page-noindex"), ["page-missing", "ignore-unused"]),
        (Ignore("why", rule="page-missing", url="/x/"), ["page-missing", "ignore-unused"]),
        (Ignore("why", url="/drafts/*"), ["page-missing", "ignore-unused"]),
    ],
)
def test_ignores(ignore: Ignore, kept: list[str]) -> None:
    checked = site(entry(BASE + "drafts/a/", state="missing"))
    found, gone = runner.accepted(checked, runner.run(checked, {}), (ignore,), {})
    assert [finding.rule for finding in found] == kept
    assert gone == (0 if kept else 1)
    if kept:
        assert "why" in found[-1].message


@pytest.mark.parametrize("pattern", ["/caf%c3%a9/**", "/caf%C3%A9/**", BASE + "%63af%c3%a9/*"])
def test_an_ignore_fits_an_address_however_either_is_escaped(pattern: str) -> None:
    assert fits_url(pattern, BASE + "caf%C3%A9/x")
    assert fits_url(pattern, BASE + "c%61f%c3%a9/x")
    assert not fits_url(pattern, BASE + "cafe/x")
