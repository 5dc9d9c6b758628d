"""Reported faults of pages, robots.txt and alternates."""

from __future__ import annotations

from pathlib import Path

import pytest
from address_sites import BASE, Site, entry, page, urlset
from conftest import Repo


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.chdir(tmp_path)
    return Site(tmp_path, capsys)


def one(site: Site, head: str = "", *, canonical: str | None = BASE + "a/", more: str = "") -> Site:
    return site.write(
        {
            "public/a/index.html": page(canonical, head=head),
            "public/b/index.html": page(BASE + "b/"),
            "public/sitemap.xml": urlset(entry(BASE + "a/"), entry(BASE + "b/")),
            "public/robots.txt": f"User-agent: *\n{more or 'Allow: /'}\nSitemap: {BASE}sitemap.xml\n",
        }
    )


# Noindex pages stay listed; one tool compared the whole attribute.
@pytest.mark.parametrize(
    "head",
    [
        "<meta name='ROBOTS' content='NOINDEX, NOFOLLOW'>",
        '<meta name="robots" content="nofollow,noindex">',
        '<meta name="googlebot" content="none">',
        '<meta name=robots content="follow noindex">',
        '<meta name="robots" content="unavailable_after: 2020-01-01">',
        '<meta name="robots" content="unavailable_after: 25 Jun 2010 15:00:00 GMT">',
    ],
)
def test_a_page_that_asks_not_to_be_indexed(site: Site, head: str) -> None:
    assert one(site, f"\n  {head}").found() == [("page-noindex", "error")]
    assert site.messages("page-noindex")[0].startswith("public/a/index.html:2:3 says ")


# RFC 3986, 6.2.2: the same address, however it is escaped.
@pytest.mark.parametrize(
    ("loc", "canonical", "folder"),
    [
        ("caf%C3%A9/", "caf%c3%a9/", "café"),
        ("caf%C3%A9/", "%63af%C3%A9/", "café"),
        ("caf%c3%a9/", "caf%C3%A9/", "café"),
        ("%7Ea/", "~a/", "~a"),
    ],
)
def test_a_canonical_tag_that_is_only_escaped_otherwise(site: Site, loc: str, canonical: str, folder: str) -> None:
    site.write(
        {
            f"public/{folder}/index.html": page(
                BASE + canonical, head=f'<link rel="alternate" hreflang="en" href="{BASE}{canonical}">'
            ),
            "public/sitemap.xml": urlset(entry(BASE + loc)),
            "public/robots.txt": f"User-agent: *\nAllow: /\nSitemap: {BASE}sitemap.xml\n",
        }
    )
    assert site.found() == []
    site.write({"public/sitemap.xml": urlset(entry(BASE + loc), entry(BASE + canonical))})
    assert site.found() == [("loc-duplicate", "error")]


def test_a_finding_stands_on_a_page_that_git_tracks(repo: Repo, capsys: pytest.CaptureFixture[str],
                                                    monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(repo.root)
    body = '</head><body>\n<link rel="canonical" href="https://docs.example.org/b/">'
    site = one(Site(repo.root, capsys), '\n<meta name="robots" content="noindex">')
    site.write({"public/b/index.html": page(head=body)})
    found = {f["rule"]: (f["path"], f["line"], f["column"]) for f in site.check()["findings"]}
    assert found["page-noindex"] == ("public/sitemap.xml", 3, 6)
    assert found["canonical-outside-head"] == ("public/sitemap.xml", 4, 6)
    repo.git("add", "public/a", "public/b")
    repo.git("commit", "-qm", "pages")
    found = {f["rule"]: (f["path"], f["line"], f["column"]) for f in site.check()["findings"]}
    assert found["page-noindex"] == ("public/a/index.html", 2, 1)
    assert found["canonical-outside-head"] == ("public/b/index.html", 2, 1)


def test_other_findings_tell_the_line_of_the_tag_too(site: Site) -> None:
    one(site, canonical=None, head=f'\n<link rel="canonical" href="{BASE}b/">')
    assert site.messages("canonical-mismatch")[0].startswith("public/a/index.html:2:1 names ")
    one(site, '\n <meta http-equiv="refresh" content="0; url=/b/">')
    assert site.messages("page-redirect")[0].startswith("public/a/index.html:2:2 redirects to ")


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="robots" content="noindex">',
        '<meta name="bingbot" content="noindex">',
        '<meta name="robots" content="max-snippet:-1, index">',
        '<meta name="robots" content="unavailable_after: 2199-01-01">',
        '<!-- <meta name="robots" content="noindex"> -->',
    ],
)
def test_what_is_no_noindex(site: Site, head: str) -> None:
    assert one(site, head).found() == []


@pytest.mark.parametrize(
    ("value", "hidden"),
    [
        ("noindex, nofollow", True), ("nofollow, noindex", True), ("googlebot: noindex", True), ("none", True),
        ("otherbot: noindex, nofollow", False), ("otherbot: noindex, googlebot: noindex", True), ("nosnippet", False),
        ("unavailable_after: 2020-01-01", True),
    ],
)  # fmt: skip
def test_a_header_counts_as_the_tag(site: Site, value: str, hidden: bool) -> None:
    one(site).write(
        {"public/_headers": f"/a/*\n  X-Robots-Tag: {value}\n", "public/404.html": page(), "netlify.toml": ""}
    )
    assert site.rules() == ({"page-noindex"} if hidden else set())


# The sitemap itself is served noindex.
def test_noindex_for_the_sitemap_itself_is_fine(site: Site) -> None:
    one(site).write({"public/_headers": "/sitemap.xml\n  X-Robots-Tag: noindex\n"})
    assert site.found() == []


# Listed pages are disallowed; the longest rule wins.
def test_a_disallowed_page_names_the_line(site: Site) -> None:
    one(site, more="Disallow: /a/\nAllow: /b\nDisallow: /b/secret/")
    report = site.check()
    (found,) = [f for f in report["findings"] if f["rule"] == "page-disallowed"]
    assert (found["loc"], found["path"], found["line"]) == (BASE + "a/", "public/robots.txt", 2)
    assert "Disallow: /a/" in found["message"]


def test_a_finding_stands_on_the_tracked_robots_txt(site: Site) -> None:
    import subprocess

    one(site, more="Disallow: /a/")
    site.write({"static/robots.txt": (site.root / "public" / "robots.txt").read_bytes(), ".gitignore": "/public/\n"})
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *command], cwd=site.root, check=True)
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "page-disallowed"]
    assert (found["path"], found["line"]) == ("static/robots.txt", 2)


# Everything disallowed; a relative Sitemap line.
def test_everything_disallowed_is_one_finding(site: Site) -> None:
    one(site).write({"public/robots.txt": "User-agent: *\nDisallow: /\nSitemap: /sitemap.xml\n"})
    assert sorted(site.found("--base-url", BASE)) == [("page-disallowed", "error"), ("sitemap-robots", "error")]
    assert "preview build" in site.messages("page-disallowed", "--base-url", BASE)[0]
    one(site).write({"public/robots.txt": f"User-agent: *\nAllow: /\nSitemap: {BASE}other.xml\n"})
    assert site.found() == [("sitemap-robots", "error")]


def test_a_robots_txt_that_bars_everything_explains_an_empty_sitemap(site: Site) -> None:
    one(site).write({"public/robots.txt": "User-agent: *\nDisallow: /\n", "public/sitemap.xml": urlset()})
    (message,) = site.messages("page-disallowed")
    assert message == "Disallow: / bars the whole site: is this a preview build (--env preview)?"
    site.write({"public/sitemap.xml": urlset(entry(BASE + "a/"))})
    assert site.messages("page-disallowed") == [message]
    assert site.messages("page-disallowed", "--env", "preview") == []
    site.write({"public/robots.txt": "User-agent: *\nDisallow: /a/\n", "public/sitemap.xml": urlset()})
    assert site.messages("page-disallowed") == []


def test_a_project_page_has_no_robots_txt_of_its_own(site: Site) -> None:
    base = "https://o.example.io/project/"
    site.write(
        {
            "public/a/index.html": page(base + "a/"),
            "public/robots.txt": "User-agent: *\nDisallow: /\n",
            "public/sitemap.xml": urlset(entry(base + "a/")),
        }
    )
    assert site.found("--base-url", base) == []
    assert "robots.txt" in str(site.check("--base-url", base))


# ------------------------------------------------------------------------------------------------------- alternates


def languages(site: Site, sets: dict[str, dict[str, str]], lang: dict[str, str] | None = None) -> Site:
    """Pages by path, each with the alternates of its sitemap entry."""
    files: dict[str, str | bytes] = {
        f"public/{path}/index.html": page(f"{BASE}{path}/", lang=(lang or {}).get(path, path[:2])) for path in sets
    }
    entries = [entry(f"{BASE}{path}/", alternates=links) for path, links in sets.items()]
    return site.write(files | {"public/sitemap.xml": urlset(*entries)})


def links(*paths: str, **more: str) -> dict[str, str]:
    return {path[:2]: f"{BASE}{path}/" for path in paths} | {
        code.replace("_", "-"): href for code, href in more.items()
    }


# Only the default language has entries.
def test_languages_without_entries_of_their_own_are_one_finding(site: Site) -> None:
    languages(site, {"en/x": links("de/x", "fr/x")})
    site.write({f"public/{name}/x/index.html": page(f"{BASE}{name}/x/", lang=name) for name in ("de", "fr")})
    found = site.found()
    # That the two are in no sitemap is the same fault, not one more.
    assert sorted(found) == [("hreflang-self", "error"), ("hreflang-target", "error")]
    by_rule = {f["rule"]: f for f in site.check()["findings"]}
    link = f'<xhtml:link rel="alternate" hreflang="en" href="{BASE}en/x/"/>'
    assert by_rule["hreflang-self"]["expected"] == link
    added = by_rule["hreflang-target"]["expected"].split("\n")
    assert [line[: line.index("</loc>")] for line in added] == [f"<url><loc>{BASE}{name}/x/" for name in ("de", "fr")]
    # What it proposes is no fault any more.
    whole = [entry(f"{BASE}en/x/", alternates=links("en/x", "de/x", "fr/x")), *added]
    assert link in added[0]
    message = site.messages("hreflang-target")[0]
    assert "de (" in message
    assert "fr (" in message
    assert "no entry of its own" in message
    site.write({"public/sitemap.xml": urlset(*whole)})
    assert site.found() == []


def test_a_whole_cluster_is_no_fault(site: Site) -> None:
    every = links("en/x", "de/x", "fr/x", x_default=BASE + "en/x/")
    languages(site, dict.fromkeys(("en/x", "de/x", "fr/x"), every))
    assert site.found() == []
    # One language alone, or a version on another host, is fine.
    languages(site, {"en/y": {}, "en/z": {"en": BASE + "en/z/", "de": "https://docs.example.de/z/"}})
    site.write({"sitemap-guard.toml": '[pages]\nunlisted = ["*/x/**"]\n'})
    assert site.found() == []


# Many pages name one home page as their version in a language.
def test_many_pages_with_one_alternate(site: Site) -> None:
    sets = {f"en/p{n}": links(f"en/p{n}", "de/home") for n in range(5)}
    languages(site, sets | {"de/home": links("de/home", "en/home"), "en/home": links("en/home", "de/home")})
    found = site.found()
    assert found == [("hreflang-return", "error")]
    assert "5 pages name" in site.messages("hreflang-return")[0]
    languages(site, {"en/a": links("en/a", "de/gone")})
    assert ("hreflang-target", "error") in site.found()
    assert "no such page was built" in site.messages("hreflang-target")[0]


@pytest.mark.parametrize("code", ["de", "x-default"])
def test_several_pages_with_one_alternate_on_another_host(site: Site, code: str) -> None:
    sets = {f"en/p{n}": links(f"en/p{n}") | {code: "https://docs.example.de/"} for n in range(3)}
    languages(site, sets)
    assert site.found() == [("hreflang-return", "error")]
    assert "3 pages in en name https://docs.example.de/" in site.messages("hreflang-return")[0]
    # Two versions of one page name the same third one, and one page alone names anything.
    both = {"en-GB": BASE + "gb/x/", "en-US": BASE + "us/x/", code: "https://docs.example.de/x/"}
    languages(site, dict.fromkeys(("gb/x", "us/x"), both), lang={"gb/x": "en-GB", "us/x": "en-US"})
    site.write({"sitemap-guard.toml": '[pages]\nunlisted = ["en/**"]\n'})
    assert site.found() == []


def test_a_page_that_no_sitemap_lists_must_name_the_page_in_return_too(site: Site) -> None:
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{BASE}{code}/x/">' for code in ("en", "de"))
    site.write(
        {
            "public/en/x/index.html": page(BASE + "en/x/", head=head),
            "public/de/x/index.html": page(BASE + "de/x/", lang="de"),
            "public/sitemap.xml": urlset(entry(BASE + "en/x/")),
        }
    )
    assert site.found("--ignore", "page-unlisted") == []  # then unlisted pages are not read
    assert sorted(site.found()) == [("hreflang-return", "error"), ("page-unlisted", "warning")]
    site.write({"public/de/x/index.html": page(BASE + "de/x/", head=head, lang="de")})
    assert site.found() == [("page-unlisted", "warning")]


# X-default twice with different addresses; missing is fine.
def test_two_defaults_contradict_each_other(site: Site) -> None:
    both = (
        f'<url><loc>{BASE}en/x/</loc><xhtml:link rel="alternate" hreflang="en" href="{BASE}en/x/"/>'
        f'<xhtml:link rel="alternate" hreflang="x-default" href="{BASE}en/x/"/>'
        f'<xhtml:link rel="alternate" hreflang="X-Default" href="https://docs.example.com/x/"/></url>'
    )
    site.write({"public/en/x/index.html": page(BASE + "en/x/"), "public/sitemap.xml": urlset(both)})
    assert site.found() == [("hreflang-duplicate", "error")]


@pytest.mark.parametrize(
    ("code", "level", "hint"),
    [
        ("en-UK", "error", "GB"), ("en_GB", "error", "en-GB"), ("jp", "error", "ja"), ("us", "error", "en-US"),
        ("", "error", "empty"), ("english", "error", "no language code"), ("en-EU", "error", "no region"),
        ("en-Latm", "error", "script"), ("es-419", "warning", "by number"), ("fil", "warning", "two letters"),
    ],
)  # fmt: skip
def test_codes(site: Site, code: str, level: str, hint: str) -> None:
    languages(site, {"en/x": {code: BASE + "en/x/"}})
    assert site.found("--ignore", "hreflang-language") == [("hreflang-code", level)]
    assert hint in site.messages("hreflang-code")[0]


@pytest.mark.parametrize("code", ["en", "EN-gb", "zh-Hant", "zh-Hant-TW", "sr-latn-rs", "be", "x-default", "pt-BR"])
def test_right_codes(site: Site, code: str) -> None:
    languages(site, {"en/x": {code: BASE + "en/x/"}})
    assert site.found("--ignore", "hreflang-language") == []


def test_head_and_sitemap_must_not_contradict_each_other(site: Site) -> None:
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{BASE}{code}/x/">' for code in ("en", "de"))
    site.write(
        {
            "public/en/x/index.html": page(BASE + "en/x/", head=head),
            "public/de/x/index.html": page(BASE + "de/x/", head=head, lang="de"),
            "public/de/y/index.html": page(BASE + "de/y/", head=head.replace("de/x", "de/y"), lang="de"),
            "public/sitemap.xml": urlset(
                entry(BASE + "en/x/", alternates=links("en/x", "de/y")),
                entry(BASE + "de/x/", alternates=links("en/x", "de/x")),
                entry(BASE + "de/y/", alternates=links("en/x", "de/y")),
            ),
        }
    )
    assert site.found("--select", "hreflang-page") == [("hreflang-page", "error")]
    assert "disagree on de" in site.messages("hreflang-page")[0]


def test_a_code_that_the_page_contradicts(site: Site) -> None:
    every = links("en/x", "de/x")
    languages(site, dict.fromkeys(("en/x", "de/x"), every), lang={"de/x": "en"})
    assert site.found() == [("hreflang-language", "warning")]


def test_a_default_in_the_head_alone_is_fine(site: Site) -> None:
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{BASE}{path}/x/">' for code, path in (("en", "en"), ("de", "de"), ("x-default", "en")))  # fmt: skip
    every = links("en/x", "de/x")
    languages(site, dict.fromkeys(("en/x", "de/x"), every))
    site.write({f"public/{code}/x/index.html": page(f"{BASE}{code}/x/", head=head, lang=code) for code in ("en", "de")})
    assert site.found() == []
    languages(site, {"en/x": links("en/x"), "de/x": links("de/x")})
    site.write({f"public/{code}/x/index.html": page(f"{BASE}{code}/x/", head=head, lang=code) for code in ("en", "de")})
    assert site.found() == [("hreflang-page", "warning")] * 2
