"""Every rule: what it reports, and what it leaves alone."""

from __future__ import annotations

import inspect

import pytest
from facts import BASE, NOW, all_ids, entry, false, findings, page, site, words
from msgspec.structs import replace

from sitemap_guard.model import (
    Answer,
    Canonical,
    Change,
    Child,
    Commit,
    Disallow,
    Instant,
    Level,
    Located,
    Problem,
    Repository,
    Sitemap,
    SitemapLine,
    Verdict,
    Witness,
)
from sitemap_guard.rules import BY_ID, RULES


def test_a_clean_site_has_no_finding() -> None:
    assert all_ids(site(entry())) == []


def test_every_rule_is_documented() -> None:
    assert len(BY_ID) == len(RULES)
    for rule in RULES:
        lines = inspect.cleandoc(rule.check.__doc__ or "").splitlines()
        assert len(lines) >= 1, rule.id
        assert lines[0].endswith((".", ":", "?")) or len(lines) > 1, rule.id


# ------------------------------------------------------------------------------------------------------ sitemap


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("sitemap-unreadable", "not-well-formed"),
        ("sitemap-unreadable", "html"),
        ("sitemap-unreadable", "gzip-double"),
        ("sitemap-namespace", "namespace"),
        ("sitemap-too-large", "too-many"),
        ("sitemap-too-large", "too-large"),
        ("sitemap-element", "element"),
        ("sitemap-empty", "empty"),
        ("sitemap-gzip-stale", "gzip-stale"),
        ("sitemap-bom", "bom"),
    ],
)
def test_a_file_problem_is_reported_by_its_rule_alone(rule: str, code: str) -> None:
    bad = site(sitemaps=(Sitemap("sitemap.xml", "none", "name", problems=(Problem(code, "why", 7, 2),)),))
    (found,) = findings(rule, bad)
    assert (found.message, found.path, found.line, found.column) == ("why", "public/sitemap.xml", 7, 2)
    assert all_ids(bad) == [rule]


@pytest.mark.parametrize("state", ["missing", "relative", "elsewhere", "outside", "itself", "nested", "empty"])
def test_an_index_entry_that_leads_nowhere_is_reported(state: str) -> None:
    index = Sitemap("index.xml", "index", "name", children=(Child("sitemap-0.xml", None, 4, 3, state),))
    (found,) = findings("sitemap-index-child", site(sitemaps=(index,)))
    assert (found.path, found.line) == ("public/index.xml", 4)


def test_an_index_entry_that_was_read_is_no_fault() -> None:
    index = Sitemap("index.xml", "index", "name", children=(Child(BASE + "s.xml", None, 4, 3, "read", "s.xml"),))
    assert findings("sitemap-index-child", site(sitemaps=(index,))) == []


@pytest.mark.parametrize(("state", "count"), [("relative", 1), ("missing", 1), ("read", 0), ("elsewhere", 0)])
def test_a_robots_line_must_be_absolute_and_lead_to_a_file(state: str, count: int) -> None:
    lines = (SitemapLine("/sitemap.xml", 2, state),)
    assert len(findings("sitemap-robots", site(robots=lines, robots_path="robots.txt"))) == count


# ---------------------------------------------------------------------------------------------------------- loc


def test_a_relative_or_empty_loc_is_reported_with_its_absolute_form() -> None:
    (found,) = findings("loc-relative", site(entry("/x/")))
    assert (found.claimed, found.expected) == ("/x/", BASE + "x/")
    assert words("loc-relative", entry("")) == ["the loc is empty"]
    assert words("loc-relative", entry("//a.example/x/"))
    assert not words("loc-relative", entry())


@pytest.mark.parametrize("loc", ["http://a.example/x/", "https://www.a.example/x/", "https://a.example:8443/x/"])
def test_another_host_scheme_or_port_is_reported(loc: str) -> None:
    elsewhere = entry(loc, state="elsewhere")
    here = replace(elsewhere, located=Located("elsewhere", near="x/index.html"))
    (found,) = findings("loc-host", site(here))
    assert found.expected == BASE + "x/"
    (found,) = findings("loc-host", site(elsewhere))
    assert found.expected is None


def test_the_same_host_written_otherwise_is_no_fault() -> None:
    assert not words("loc-host", entry("HTTPS://A.Example:443/x/"))


def test_scope_is_the_sitemaps_folder_and_softer_when_announced() -> None:
    inner = Sitemap("en/sitemap.xml", "urlset", "index")
    outside, inside = entry(BASE, sitemap="en/sitemap.xml"), entry(BASE + "en/x/", sitemap="en/sitemap.xml")
    (found,) = findings("loc-scope", site(outside, inside, sitemaps=(inner,)))
    assert (found.loc, found.level) == (BASE, Level.ERROR)
    known = Sitemap("en/sitemap.xml", "urlset", "robots.txt", announced=True)
    (mild,) = findings("loc-scope", site(outside, inside, sitemaps=(known,)))
    assert mild.level is Level.WARNING


def test_where_robots_txt_names_the_sitemap_scope_does_not_ask_for_that_again() -> None:
    inner = Sitemap("en/sitemap.xml", "urlset", "index")
    outside = entry(BASE, sitemap="en/sitemap.xml")
    (strict,) = findings("loc-scope", site(outside, sitemaps=(inner,)))
    (mild,) = findings("loc-scope", site(outside, sitemaps=(replace(inner, announced=True),)))
    assert "robots.txt" in strict.cure
    assert "[[ignore]]" not in strict.cure
    assert "allowed, since robots.txt names" in mild.message
    assert mild.cure.startswith("nothing need be done; ")
    assert "robots.txt" not in mild.cure
    assert "[[ignore]]" in mild.cure


def test_a_robots_txt_below_the_hosts_root_allows_no_scope() -> None:
    top = Sitemap("sitemap.xml", "urlset", "robots.txt", announced=True)
    (found,) = findings("loc-scope", site(entry(BASE + "other/"), sitemaps=(top,), base_url=BASE + "project/"))
    assert found.level is Level.WARNING
    assert "allowed" not in found.message
    assert found.cure.endswith("in robots.txt at the host's root")


def test_the_base_folder_itself_is_in_scope() -> None:
    base = BASE + "project/"
    assert not words("loc-scope", entry(base), entry(BASE + "project"), base_url=base)
    assert words("loc-scope", entry(BASE + "other/"), base_url=base)


@pytest.mark.parametrize(("size", "count"), [(2047, 0), (2048, 1)])
def test_a_loc_may_have_2047_characters(size: int, count: int) -> None:
    assert len(words("loc-length", entry(BASE + "x" * (size - len(BASE))))) == count


def test_a_loc_must_be_escaped_once() -> None:
    (found,) = findings("loc-escape", site(entry(BASE + "malware analysis")))
    assert (found.expected, found.level) == (BASE + "malware%20analysis", Level.ERROR)
    (found,) = findings("loc-escape", site(entry(BASE + "?a=1&amp;b=2")))
    assert found.expected == BASE + "?a=1&b=2"
    (found,) = findings("loc-escape", site(entry(BASE + "проверка/")))
    assert found.level is Level.INFO
    assert words("loc-escape", entry("https://a example/"))
    assert not words("loc-escape", entry(BASE + "?a=1&b=2"), entry(BASE + "%D0%BF/"))


def test_a_loc_should_have_no_fragment_and_no_tracking_parameter() -> None:
    (found,) = findings("loc-fragment", site(entry(BASE + "x/#top")))
    assert found.expected == BASE + "x/"
    assert words("loc-tracking", entry(BASE + "x/?utm_source=mail"))
    assert not words("loc-tracking", entry(BASE + "x/?source=mail"))


def test_duplicates_are_found_across_spellings_and_tell_other_dates() -> None:
    (told,) = words("loc-duplicate", entry("https://a.example", line=3), entry(BASE, line=9, lastmod="2026-01-01"))
    assert told == "listed already at public/sitemap.xml:3 with another date (none)"
    assert not words("loc-duplicate", entry(BASE), entry(BASE + "x/"))


# --------------------------------------------------------------------------------------------------------- page


def test_a_missing_page_tells_what_was_tried() -> None:
    assert words("page-missing", entry(state="missing")) == [
        "no built file for this address (tried x/index.html, x.html)"
    ]


def test_when_nothing_is_found_the_base_path_is_suspected() -> None:
    (found, _) = findings("page-missing", site(entry(state="missing"), entry(BASE + "y/", state="missing")))
    assert "none of 2 locs leads to a built file" in found.headline


def test_one_fault_is_one_finding() -> None:
    stub = page(refresh="/new/", robots=frozenset({"noindex"}), canonicals=(Canonical("/new/", True),))
    assert all_ids(site(entry(built=stub))) == ["page-redirect"]
    hidden = page(robots=frozenset({"noindex"}), canonicals=(Canonical(BASE + "y/", True),))
    assert all_ids(site(entry(built=hidden))) == ["page-noindex"]
    assert all_ids(site(entry(state="missing"))) == ["page-missing"]
    assert all_ids(site(entry("/x/", state="unparsable"))) == ["loc-relative"]


@pytest.mark.parametrize("target", ["", "./", BASE + "x/", "/x/#top"])
def test_a_page_that_reloads_itself_is_no_redirect(target: str) -> None:
    assert not words("page-redirect", entry(built=page(refresh=target)))


@pytest.mark.parametrize("word", ["noindex", "none"])
def test_a_listed_page_must_not_say_noindex_or_none(word: str) -> None:
    assert words("page-noindex", entry(built=page(robots=frozenset({word, "nofollow"}))))
    assert not words("page-noindex", entry(built=page(robots=frozenset({"nofollow", "index"}))))


def test_disallowed_names_the_line_and_suspects_a_preview_build() -> None:
    barred = entry(disallowed=Disallow(2, "Disallow: /"))
    assert words("page-disallowed", barred, entry(BASE + "y/"), robots_path="robots.txt") == [
        "public/robots.txt:2 says Disallow: /"
    ]
    (found,) = findings("page-disallowed", site(barred, barred))
    assert (found.path, found.line) == ("public/robots.txt", 2)
    assert "preview build" in found.message


def test_other_files_are_only_noted() -> None:
    (found,) = findings("page-not-html", site(entry(BASE + "x.pdf", state="file")))
    assert found.level is Level.INFO


def test_an_unreadable_page_is_told_and_not_judged() -> None:
    assert all_ids(site(entry(built=page(problem="unreadable", canonicals=())))) == ["page-unreadable"]


# ---------------------------------------------------------------------------------------------------- canonical


@pytest.mark.parametrize(
    ("href", "kind"),
    [
        (BASE + "x", "slash"),
        (BASE + "x/index.html", "index"),
        ("https://www.a.example/x/", "host https://www.a.example"),
        ("http://a.example/x/", "host http://a.example"),
        (BASE + "y/", "address"),
    ],
)
def test_another_canonical_is_reported_by_kind(href: str, kind: str) -> None:
    (found,) = findings("canonical-mismatch", site(entry(built=page(canonicals=(Canonical(href, True),)))))
    assert (found.expected, found.group) == (href, f"canonical-mismatch:{kind}")


def test_a_canonical_that_is_listed_already_proposes_to_drop_the_entry() -> None:
    wrong = entry(built=page(canonicals=(Canonical(BASE + "y/", True),)))
    (found,) = findings("canonical-mismatch", site(wrong, entry(BASE + "y/", built=page("y/index.html"))))
    assert found.expected is None


@pytest.mark.parametrize("href", [BASE + "x/", "/x/", "./", BASE + "x/#top", "HTTPS://A.example/x/", ""])
def test_the_same_address_written_otherwise_is_no_fault(href: str) -> None:
    assert not words("canonical-mismatch", entry(built=page(canonicals=(Canonical(href, True),))))


def test_a_base_element_moves_relative_canonicals() -> None:
    moved = page(base=BASE + "other/", canonicals=(Canonical("x/", True),))
    assert words("canonical-mismatch", entry(built=moved))


def test_the_home_page_with_and_without_its_slash_is_one() -> None:
    home = page("index.html", canonicals=(Canonical("https://a.example", True),))
    assert not words("canonical-mismatch", entry(BASE, built=home))


def test_several_canonicals_count_only_when_they_differ() -> None:
    twice = (Canonical(BASE + "x/", True), Canonical("/x/", True))
    assert not words("canonical-multiple", entry(built=page(canonicals=twice)))
    two = (Canonical(BASE + "x/", True), Canonical(BASE + "y/", True))
    assert all_ids(site(entry(built=page(canonicals=two)))) == ["canonical-multiple"]


def test_a_canonical_outside_the_head_is_reported_once() -> None:
    assert all_ids(site(entry(built=page(canonicals=(Canonical(BASE + "y/", False),))))) == ["canonical-outside-head"]


def test_no_canonical_is_no_fault() -> None:
    assert all_ids(site(entry(built=page(canonicals=())))) == []


# -------------------------------------------------------------------------------------------- lastmod and history

THEN = Instant(1792067116, 120)
CHANGE = Change("content/x.md", Commit("3f2a91c" + "0" * 33, THEN, THEN, THEN, "Explain the cache"))


def test_a_false_date_shows_its_evidence_and_a_diff() -> None:
    verdict = false("lastmod-too-new", witness=Witness("change", "content/x.md", CHANGE), expected="2026-10-15")
    (found,) = findings("lastmod-too-new", site(entry(lastmod="2026-11-30", verdict=verdict)))
    assert found.message == (
        'content/x.md last changed 2026-10-15 14:25 +02:00 (3f2a91c "Explain the cache"); the sitemap says today'
    )
    assert (found.element, found.claimed, found.expected) == ("lastmod", "2026-11-30", "2026-10-15")


@pytest.mark.parametrize(
    ("lastmod", "says"),
    [("2026-11-30T01:00:00Z", "today"), ("2026-11-29", "yesterday"), ("2020-01-01", "2020-01-01"), ("2026", "2026")],
)
def test_a_claim_is_told_in_words(lastmod: str, says: str) -> None:
    assert NOW == 1796040000
    verdict = false("lastmod-too-old", witness=Witness("change", "content/x.md", CHANGE))
    (told,) = words("lastmod-too-old", entry(lastmod=lastmod, verdict=verdict))
    assert told.endswith(f"the sitemap says {says}")


@pytest.mark.parametrize("cause", ["build-clock", "head", "constant", "local-as-utc"])
def test_a_cause_is_one_group_with_its_cure(cause: str) -> None:
    verdict = false("lastmod-too-new", witness=Witness("change", "content/x.md", CHANGE), cause=cause)
    many = [entry(f"{BASE}{n}/", lastmod="2026-11-30", verdict=verdict) for n in range(4)]
    found = findings("lastmod-too-new", site(*many))
    assert len({(f.group, f.headline, f.cure) for f in found}) == 1
    assert found[0].headline.startswith("4 of 4 dates")
    assert found[0].cure


def test_what_cannot_be_told_is_counted_by_reason() -> None:
    verdict = Verdict(Answer.CANNOT_TELL, reason="no-source", text="tried this and that")
    (found,) = findings("lastmod-unverified", site(entry(lastmod="2026-11-30", verdict=verdict)))
    assert (found.level, found.message, found.group) == (
        Level.INFO,
        "tried this and that",
        "lastmod-unverified:no-source",
    )


def test_missing_dates_are_off_by_default() -> None:
    assert all_ids(site(entry())) == []
    assert words("lastmod-missing", entry())


def test_a_shallow_clone_is_an_error_only_where_it_hides_dates() -> None:
    hidden = entry(lastmod="2026-01-01", verdict=Verdict(Answer.CANNOT_TELL, reason="shallow"))
    clone = Repository(root="/repo", prefix="public", shallow=True)
    (told,) = words("history-shallow", hidden, repository=clone)
    assert "fetch-depth: 0" in told
    assert not words("history-shallow", entry(lastmod="2026-01-01", verdict=Verdict(Answer.TRUE)), repository=clone)


def test_a_missing_repository_is_an_error_only_where_there_are_dates() -> None:
    none = Repository(problem="none", detail="there is no repository")
    dated = entry(lastmod="2026-01-01", verdict=Verdict(Answer.CANNOT_TELL, reason="no-history"))
    assert words("history-missing", dated, repository=none) == ["1 date could not be judged: there is no repository"]
    assert not words("history-missing", entry(), repository=none)


# -------------------------------------------------------------------------------------------------------- levels


def test_levels_of_a_rule_win_over_those_of_its_family() -> None:
    from sitemap_guard.rules.runner import run

    bad = site(entry(state="missing"), entry(BASE + "y/#a", built=page("y/index.html")))
    assert [f.rule for f in run(bad, {"page": "off"})] == ["loc-fragment"]
    levels = {f.rule: f.level for f in run(bad, {"page": "off", "page-missing": "warning", "loc": "error"})}
    assert levels == {"page-missing": Level.WARNING, "loc-fragment": Level.ERROR}


def test_findings_come_most_severe_first_and_always_in_the_same_order() -> None:
    from sitemap_guard.rules.runner import run

    many = site(entry(BASE + "b/#a"), entry(BASE + "a/", state="missing"), entry(BASE + "c.pdf", state="file"))
    levels = [f.level for f in run(many, {})]
    assert levels == sorted(levels, reverse=True)
    assert run(many, {}) == run(many, {})
