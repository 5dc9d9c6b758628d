"""Reported faults of sitemap files: escaping, gzip, indexes; and what is no fault at all."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from address_sites import BASE, SPACES, Site, entry, index, page, urlset


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.chdir(tmp_path)
    return Site(tmp_path, capsys).write(
        {"public/a/index.html": page(BASE + "a/"), "public/b/index.html": page(BASE + "b/")}
    )


def child(loc: str, lastmod: str = "") -> str:
    return f"<sitemap><loc>{loc}</loc>" + (f"<lastmod>{lastmod}</lastmod>" if lastmod else "") + "</sitemap>"


# The index says an older date than an entry inside.
@pytest.mark.parametrize(
    ("lastmod", "found"),
    [("2025-05-20", True), ("2025-06-26", False), ("2025-08-01", False), ("", False), ("2025-06-26T09:00:00Z", False)],
)
def test_an_index_date_that_is_older_than_its_entries(site: Site, lastmod: str, found: bool) -> None:
    site.write(
        {
            "public/sitemap.xml": index(child(BASE + "pages.xml", lastmod)),
            "public/pages.xml": urlset(entry(BASE + "a/", "2024-01-01"), entry(BASE + "b/", "2025-06-26")),
        }
    )
    assert site.found() == ([("sitemap-index-lastmod", "warning")] if found else [])


# An index in an index; robots.txt names a child that the index has.
def test_a_nested_index_and_a_child_named_twice(site: Site) -> None:
    site.write(
        {
            "public/sitemap.xml": index(child(BASE + "inner.xml")),
            "public/inner.xml": index(child(BASE + "pages.xml")),
            "public/pages.xml": urlset(entry(BASE + "a/"), entry(BASE + "b/")),
        }
    )
    assert ("sitemap-index-child", "error") in site.found()
    site.write(
        {
            "public/sitemap.xml": index(child(BASE + "pages.xml")),
            "public/inner.xml": "",
            "public/robots.txt": f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}pages.xml\n",
        }
    )
    report = site.check()
    (found,) = [f for f in report["findings"] if f["rule"] == "sitemap-robots"]
    assert (found["level"], found["path"], found["line"]) == ("warning", "public/robots.txt", 2)


# Children by relative names, or missing.
@pytest.mark.parametrize(("loc", "word"), [("pages.xml", "absolute"), (BASE + "pages-0.xml", "no such file")])
def test_children_that_lead_nowhere(site: Site, loc: str, word: str) -> None:
    site.write({"public/sitemap.xml": index(child(loc)), "public/pages.xml": urlset(entry(BASE + "a/"))})
    assert word in site.messages("sitemap-index-child", "--base-url", BASE)[0]


@pytest.mark.parametrize(
    ("loc", "built", "near"),
    [
        ("sitemap-0.xml", "sitemap-1.xml", "sitemap-1.xml"),
        ("pages.xml", "maps/pages.xml", "maps/pages.xml"),
        ("sitemap-0.xml", "sitemap-0.xml.gz", "sitemap-0.xml.gz"),
        ("products.xml", "news.xml", ""),
    ],
)
def test_a_missing_child_tells_the_nearest_file(site: Site, loc: str, built: str, near: str) -> None:
    text = urlset(entry(BASE + "a/")).encode()
    site.write(
        {
            "public/sitemap.xml": index(child(BASE + loc)),
            f"public/{built}": gzip.compress(text) if built.endswith(".gz") else text,
            "public/robots.txt": f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}{loc}\n",
        }
    )
    end = f"has no such file; the nearest is {near}" if near else "has no such file"
    for rule in ("sitemap-index-child", "sitemap-robots"):
        assert site.messages(rule, "--base-url", BASE)[0].endswith(end)


def test_a_child_outside_the_folder_of_its_index(site: Site) -> None:
    site.write(
        {
            "public/maps/index.xml": index(child(BASE + "pages.xml"), child(BASE + "maps/more.xml")),
            "public/pages.xml": urlset(entry(BASE + "a/")),
            "public/maps/more.xml": urlset(entry(BASE + "maps/c/")),
            "public/maps/c/index.html": page(BASE + "maps/c/"),
            "public/robots.txt": f"Sitemap: {BASE}maps/index.xml\n",
            "sitemap-guard.toml": '[pages]\nunlisted = ["b/**"]\n',
        }
    )
    assert site.found() == [("sitemap-index-child", "warning")]


# A raw &, and one that was escaped twice.
def test_ampersands(site: Site) -> None:
    site.write({"public/sitemap.xml": urlset(f"<url><loc>{BASE}?a=1&b=2</loc></url>")})
    report = site.check()
    (found,) = [f for f in report["findings"] if f["rule"] == "sitemap-unreadable"]
    assert "raw &" in found["message"]
    assert found["line"] == 3
    site.write(
        {"public/index.html": page(), "public/sitemap.xml": urlset(f"<url><loc>{BASE}?a=1&amp;amp;b=2</loc></url>")}
    )
    # A parameter may be called `amp;b`.
    assert site.found("--ignore", "page-unlisted") == [("loc-escape", "warning")]
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "loc-escape"]
    assert found["expected"] == BASE + "?a=1&b=2"
    site.write({"public/r&amp;d.html": page(), "public/sitemap.xml": urlset(entry(BASE + "r&amp;amp;d.html"))})
    assert site.rules("--select", "loc-escape") == set()


# Spaces are wrong, letters outside ASCII are not; NFC and NFD are the same letters.
def test_spaces_and_letters(site: Site) -> None:
    site.write({"public/my page/index.html": page(), "public/проверка/index.html": page(), "public/sitemap.xml": urlset(
        entry(BASE + "a/"), entry(BASE + "b/"), entry(BASE + "my page/"), entry(BASE + "проверка/"))})  # fmt: skip
    assert sorted(site.found()) == [("loc-escape", "error"), ("loc-escape", "info")]
    site.write({"public/cafe\u0301/index.html": page(), "public/sitemap.xml": urlset(entry(BASE + "caf%C3%A9/"))})
    assert [found for found in site.found() if found[0].startswith(("loc", "page-missing"))] == [
        ("loc-escape", "warning")
    ]


# Newlines around the address, a blank first line, an empty loc.
def test_white_space(site: Site) -> None:
    padded = "".join(f"<url><loc>\n   {BASE}{name}/\n </loc></url>" for name in "ab")
    site.write({"public/sitemap.xml": urlset(padded)})
    assert site.found() == [("loc-escape", "info")]
    assert site.messages("loc-escape")[0].endswith("(2 times)")
    site.write({"public/sitemap.xml": "\n" + urlset(entry(BASE + "a/"))})
    assert "precedes the XML declaration" in site.messages("sitemap-unreadable")[0]
    site.write({"public/sitemap.xml": urlset("<url><loc/></url>", entry(BASE + "a/"), entry(BASE + "b/"))})
    assert site.found() == [("loc-relative", "error")]


# Gzip that is none, doubled, unnamed, or stale; packed text.
def test_gzip(site: Site) -> None:
    xml = urlset(entry(BASE + "a/"), entry(BASE + "b/")).encode()
    for name, data, rule in (
        ("sitemap.xml.gz", xml, "sitemap-unreadable"),
        ("sitemap.xml.gz", gzip.compress(gzip.compress(xml)), "sitemap-unreadable"),
        ("sitemap.xml", gzip.compress(xml), "sitemap-bom"),
    ):
        site.write({f"public/{name}": data})
        assert site.rules("--base-url", BASE) >= {rule}, name
        (site.root / "public" / name).unlink()
    site.write({"public/sitemap.xml": xml, "public/sitemap.xml.gz": gzip.compress(urlset(entry(BASE + "a/")).encode())})
    assert site.found() == [("sitemap-gzip-stale", "error")]
    (site.root / "public" / "sitemap.xml").unlink()
    (site.root / "public" / "sitemap.xml.gz").unlink()
    lines = gzip.compress(f"{BASE}a/\n{BASE}b/\n".encode())
    for name in ("sitemap.txt.gz", "urllist.txt.gz"):
        site.write({f"public/{name}": lines})
        assert site.found() == []
        (site.root / "public" / name).unlink()
    # Beside a sitemap.xml it says the same once more.
    site.write({"public/sitemap.xml": xml, "public/urllist.txt.gz": lines})
    report = site.check()
    assert (report["summary"]["urls"], report["summary"]["sitemaps"]) == (2, 2)
    assert site.found() == []


# Alternates make browsers show a sitemap as text; it is right all the same.
def test_a_sitemap_that_browsers_show_as_text_is_fine(site: Site) -> None:
    links = {"en": BASE + "a/", "de": BASE + "b/"}
    site.write({"public/b/index.html": page(BASE + "b/", lang="de")})
    site.write(
        {"public/sitemap.xml": urlset(entry(BASE + "a/", alternates=links), entry(BASE + "b/", alternates=links))}
    )
    assert site.found() == []


# No entry, or an error page under the sitemap's name, is no success.
@pytest.mark.parametrize(
    "text", [f"<urlset {SPACES}></urlset>", "<!doctype html><html><body>404</body></html>", "{}", ""]
)
def test_nothing_to_check_is_no_success(site: Site, text: str) -> None:
    site.write({"public/sitemap.xml": text})
    assert site.check()["code"] == 2


@pytest.mark.parametrize(
    ("element", "rule", "level"),
    [
        ("<priority>0,8</priority>", "sitemap-priority", "error"), ("<priority>1.5</priority>", "sitemap-priority", "error"),
        ("<priority>1e-1</priority>", "sitemap-priority", "error"), ("<priority>0.80</priority>", "", ""),
        ("<changefreq>Weekly</changefreq>", "sitemap-changefreq", "error"), ("<changefreq>weekly</changefreq>", "", ""),
        ("<changefreq>biweekly</changefreq>", "sitemap-changefreq", "error"),
    ],
)  # fmt: skip
def test_priority_and_changefreq(site: Site, element: str, rule: str, level: str) -> None:
    site.write({"public/sitemap.xml": urlset(f"<url><loc>{BASE}a/</loc>{element}</url>", entry(BASE + "b/"))})
    assert [found for found in site.found() if found[1] != "info"] == ([(rule, level)] if rule else [])


def test_what_google_ignores_is_noted_once_a_sitemap(site: Site) -> None:
    often = "<changefreq>daily</changefreq>"
    entries = [
        f"<url><loc>{BASE}{name}/</loc>{often}<priority>0.{n}</priority></url>" for n, name in enumerate("ab", 5)
    ]
    site.write({"public/sitemap.xml": urlset(*entries)})
    assert site.found() == [("sitemap-changefreq", "info")]
    (message,) = site.messages("sitemap-changefreq")
    assert message == "2 entries have a changefreq and a priority: Google ignores both"
    site.write({"public/sitemap.xml": urlset(f"<url><loc>{BASE}a/</loc>{often}</url>", entry(BASE + "b/"))})
    assert site.messages("sitemap-changefreq") == ["1 entry has a changefreq: Google ignores it"]


def extended(*elements: str) -> str:
    """A sitemap with these extensions, one an entry, and with the page b."""
    spaces = "".join(f' xmlns:{kind}="http://www.google.com/schemas/sitemap-{kind}/{version}"' for kind, version in
                     (("image", "1.1"), ("video", "1.1"), ("news", "0.9")))  # fmt: skip
    pages = [f"<url><loc>{BASE}a/</loc>\n{element}</url>" for element in elements]
    return urlset(*pages, entry(BASE + "b/")).replace(SPACES, SPACES + spaces)


@pytest.mark.parametrize(
    ("element", "fault"),
    [
        ("<image:image><image:loc>https://e.org/a.png</image:loc></image:image>", ""),
        ("<image:image><image:caption>x</image:caption></image:image>", "no <image:loc>"),
        (
            "<video:video><video:thumbnail_loc>https://e.org/t</video:thumbnail_loc><video:title>t</video:title></video:video>",
            "neither <video:content_loc>",
        ),
        ("<news:news><news:title>t</news:title></news:news>", "no <news:publication_date>"),
    ],
)
def test_extensions(site: Site, element: str, fault: str) -> None:
    site.write({"public/sitemap.xml": extended(element)})
    assert site.rules() == ({"sitemap-extension"} if fault else set())
    assert not fault or any(fault in message for message in site.messages("sitemap-extension"))


IMAGE = "<image:image><image:loc>https://e.org/a.png</image:loc>\n<image:{0}>x</image:{0}></image:image>"
VIDEO = (
    "<video:video><video:thumbnail_loc>https://e.org/t</video:thumbnail_loc><video:title>t</video:title>"
    "<video:description>d</video:description><video:content_loc>https://e.org/v</video:content_loc>\n"
    "<video:{0}>x</video:{0}></video:video>"
)
NEWS = (
    "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>"
    "<news:title>t</news:title>\n<news:publication_date>{}</news:publication_date></news:news>"
)


# Elements that the formats had once.
@pytest.mark.parametrize(
    ("element", "name"),
    [(IMAGE, name) for name in ("caption", "geo_location", "title", "license")]
    + [(VIDEO, name) for name in ("category", "gallery_loc", "price", "tvshow")],
)
def test_elements_that_are_read_no_more_are_noted(site: Site, element: str, name: str) -> None:
    site.write({"public/sitemap.xml": extended(element.format(name) * 3)})
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "sitemap-extension"]
    assert (found["level"], found["line"]) == ("info", 5)
    assert f":{name}>: Google took it out and reads it no more (3 times)" in found["message"]


@pytest.mark.parametrize("name", ["publication_date", "family_friendly", "live", "uploader"])
def test_elements_of_videos_that_are_read_are_not_noted(site: Site, name: str) -> None:
    site.write({"public/sitemap.xml": extended(VIDEO.format(name))})
    assert site.found() == []


@pytest.mark.parametrize(
    ("age", "level", "words"),
    [
        (timedelta(hours=1), "", ""),
        (timedelta(days=1, hours=20), "", ""),
        (timedelta(days=3), "info", "1 article of more than two days ago"),
        (timedelta(days=-2), "error", "it lies in the future"),
    ],
)
def test_dates_of_news(site: Site, age: timedelta, level: str, words: str) -> None:
    text = (datetime.now(UTC) - age).strftime("%Y-%m-%dT%H:%M:%S+00:00")
    site.write({"public/sitemap.xml": extended(NEWS.format(text))})
    found = [f for f in site.check()["findings"] if f["rule"] == "sitemap-extension"]
    assert [(f["level"], f["line"], words in f["message"]) for f in found] == ([(level, 5, True)] if level else [])


@pytest.mark.parametrize(
    ("text", "fixed"), [("2026-05-10T10:00:00", None), ("2026-05-10 10:00:00Z", "2026-05-10T10:00:00Z"), ("soon", None)]
)
def test_a_date_of_news_that_is_none(site: Site, text: str, fixed: str | None) -> None:
    site.write({"public/sitemap.xml": extended(NEWS.format(text))})
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "sitemap-extension"]
    assert (found["level"], found["line"], found["expected"]) == ("error", 5, fixed)
