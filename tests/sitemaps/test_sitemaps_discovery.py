from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.content import NAMESPACE
from sitemap_guard.sitemaps.discovery import Discovered, discover

SITE = "https://e.org/"


def urlset(*locs: str, lastmod: str = "2026-01-02") -> str:
    entries = "".join(f"<url><loc>{loc}</loc><lastmod>{lastmod}</lastmod></url>" for loc in locs)
    return f'<urlset xmlns="{NAMESPACE}">{entries}</urlset>'


def index(*locs: str) -> str:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="{NAMESPACE}">{entries}</sitemapindex>'


def make(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def shape(found: Discovered) -> list[tuple[str, str, bool, int]]:
    return [(one.path, one.found_by, one.announced, len(one.claims)) for one in found.sitemaps]


def test_robots_lines_and_usual_names(tmp_path: Path) -> None:
    robots = (
        b"\xef\xbb\xbfUser-agent: *\r\nSITEMAP : https://e.org/map.xml # the map\r\nDisallow: /caf\xe9\r\n"
        b"sitemap: /feed.xml\r\nSitemap:\r\nSitemap: https://other.org/sitemap.xml\r\nSitemap: https://e.org/no.xml\r\n"
        b"site-map https://e.org/sub/../up.txt\nSitemaps: https://e.org/not-a-key.xml"
    )
    make(
        tmp_path,
        {
            "robots.txt": robots,
            "map.xml": urlset(SITE),
            "feed.xml": "<rss><channel><item><link>https://e.org/a</link></item></channel></rss>",
            "up.txt": "https://e.org/b\n",
            "sitemap.xml": urlset(SITE + "c"),
            "atom.xml": "<feed xmlns='http://www.w3.org/2005/Atom'/>",
            "index.html": "",
        },
    )
    found = discover(tmp_path)
    assert [(line.line, line.state, line.path) for line in found.robots] == [
        (2, "read", "map.xml"),
        (4, "relative", "feed.xml"),
        (5, "empty", ""),
        (6, "elsewhere", ""),
        (7, "missing", ""),
        (8, "read", "up.txt"),
    ]
    assert found.robots[0].url == "https://e.org/map.xml"
    assert found.robots_path == "robots.txt"
    assert (found.base_url, found.base_by) == (SITE, "robots.txt")
    # The line for another host is what is wrong with sitemap.xml: it is not called unannounced as well.
    assert shape(found) == [
        ("map.xml", "robots.txt", True, 1),
        ("feed.xml", "robots.txt", True, 1),
        ("sitemap.xml", "robots.txt", True, 1),
        ("up.txt", "robots.txt", True, 1),
    ]


def test_usual_names_without_robots(tmp_path: Path) -> None:
    make(
        tmp_path,
        {"sitemap.xml": urlset(SITE), "sub/sitemap.xml": urlset(SITE), "sitemap/sitemap.xml": urlset(SITE + "x")},
    )
    found = discover(tmp_path)
    assert shape(found) == [("sitemap.xml", "name", False, 1), ("sitemap/sitemap.xml", "name", False, 1)]
    assert (found.robots, found.robots_path) == ((), "")


def test_the_states_of_an_indexes_children(tmp_path: Path) -> None:
    outside = make(tmp_path / "outside", {"x.xml": urlset(SITE)})
    site = make(
        tmp_path / "site",
        {
            "sitemap-index.xml": index(
                "https://e.org/sitemap-0.xml",
                "https://e.org/deep/b%20c.xml.gz",
                "/rel.xml",
                "http://e.org/sitemap-0.xml",
                "https://e.org/no.xml",
                "",
                "https://e.org/sitemap-index.xml",
                "https://e.org/nested.xml",
                "https://e.org/link.xml",
                "https://e.org/..%2foutside/x.xml",
                "https://e.org//etc/passwd",
                "https://e.org/bad.xml",
            ),
            "sitemap-0.xml": urlset(SITE, SITE + "a"),
            "deep/b c.xml.gz": gzip.compress(urlset(SITE + "b").encode()),
            "rel.xml": urlset(SITE + "r"),
            "nested.xml": index("https://e.org/never.xml"),
            "never.xml": urlset(SITE + "never"),
            "bad.xml": "<oops>",
            "index.html": "",
        },
    )
    (site / "link.xml").symlink_to(outside / "x.xml")
    read: list[str] = []
    found = discover(site, progress=read.append)
    assert [(child.state, child.path) for child in found.sitemaps[0].children] == [
        ("read", "sitemap-0.xml"),
        ("read", "deep/b c.xml.gz"),
        ("relative", "rel.xml"),
        ("elsewhere", ""),
        ("missing", ""),
        ("empty", ""),
        ("itself", "sitemap-index.xml"),
        ("nested", "nested.xml"),
        ("outside", ""),
        ("outside", ""),
        ("missing", ""),
        ("read", "bad.xml"),
    ]
    assert shape(found) == [
        ("sitemap-index.xml", "name", False, 0),
        ("sitemap-0.xml", "index", False, 2),
        ("deep/b c.xml.gz", "index", False, 1),
        ("rel.xml", "index", False, 1),
        ("bad.xml", "index", False, 0),
    ]
    assert sorted(read) == sorted(set(read))


def test_a_child_is_announced_through_its_index_and_listed_once(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "robots.txt": "Sitemap: https://e.org/a.xml\nSitemap: https://e.org/sitemap_index.xml\n",
            "sitemap_index.xml": index("https://e.org/a.xml", "https://e.org/sitemap-0.xml", "https://e.org/a.xml"),
            "a.xml": urlset(SITE),
            "sitemap-0.xml": urlset(SITE + "a"),
        },
    )
    assert shape(discover(tmp_path)) == [
        ("sitemap_index.xml", "robots.txt", True, 0),
        ("a.xml", "robots.txt", True, 1),
        ("sitemap-0.xml", "index", True, 1),
    ]


def test_two_indexes_that_list_each_other_are_both_read(tmp_path: Path) -> None:
    one, two = "https://e.org/sitemap.xml", "https://e.org/sitemap_index.xml"
    make(tmp_path, {"sitemap.xml": index(two), "sitemap_index.xml": index(one)})
    found = discover(tmp_path)
    assert [(one.path, one.children[0].state) for one in found.sitemaps] == [
        ("sitemap.xml", "nested"),
        ("sitemap_index.xml", "nested"),
    ]


def test_named_sitemaps_are_the_only_ones(tmp_path: Path) -> None:
    site = make(tmp_path / "site", {"sitemap.xml": urlset(SITE), "a/feed.xml": "<rss><channel/></rss>", "b.txt": SITE})
    found = discover(site, sitemaps=["./a/feed.xml", str(site / "b.txt")])
    assert [sitemap.path for sitemap in found.sitemaps] == ["a/feed.xml", "b.txt"]
    make(tmp_path, {"other.xml": urlset(SITE)})
    for name, words in [
        ("no.xml", "no such file"),
        ("../other.xml", "not inside"),
        (str(tmp_path / "other.xml"), "not inside"),
    ]:
        with pytest.raises(UserError, match=words):
            discover(site, sitemaps=[name])
    with pytest.raises(UserError, match="no such folder"):
        discover(tmp_path / "none")


def test_a_packed_twin_makes_no_claims(tmp_path: Path) -> None:
    text = urlset(SITE, SITE + "a")
    make(tmp_path, {"sitemap.xml": text, "sitemap.xml.gz": gzip.compress(text.encode())})
    make(tmp_path, {"robots.txt": "Sitemap: https://e.org/sitemap.xml.gz"})
    found = discover(tmp_path)
    assert sorted(shape(found)) == [("sitemap.xml", "name", True, 2), ("sitemap.xml.gz", "robots.txt", True, 0)]
    assert [sitemap.problems for sitemap in found.sitemaps] == [(), ()]


@pytest.mark.parametrize(
    ("other", "words"),
    [(urlset(SITE), "1 entry, not 2"), (urlset(SITE, SITE + "a", lastmod="2025-01-01"), "2 of 2")],
)
def test_a_stale_packed_twin(tmp_path: Path, other: str, words: str) -> None:
    make(tmp_path, {"sitemap.xml": urlset(SITE, SITE + "a"), "sitemap.xml.gz": gzip.compress(other.encode())})
    plain, twin = discover(tmp_path).sitemaps
    assert (len(plain.claims), plain.problems, twin.claims) == (2, (), ())
    assert [problem.code for problem in twin.problems] == ["gzip-stale"]
    assert words in twin.problems[0].detail


def test_a_packed_child_whose_plain_file_merely_lies_there_keeps_its_claims(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "sitemap.xml": index("https://e.org/a.xml.gz"),
            "a.xml.gz": gzip.compress(urlset(SITE).encode()),
            "a.xml": urlset(SITE + "old"),
        },
    )
    _, child = discover(tmp_path).sitemaps
    assert ([claim.loc for claim in child.claims], child.problems[0].code) == ([SITE], "gzip-stale")


def test_a_text_twin_claims_only_what_the_xml_does_not(tmp_path: Path) -> None:
    make(tmp_path, {"sitemap.xml": urlset(SITE, SITE + "a"), "sitemap.txt": f"{SITE}\n{SITE}a\n{SITE}b\n"})
    _, twin = discover(tmp_path).sitemaps
    assert [(claim.loc, claim.line) for claim in twin.claims] == [(SITE + "b", 3)]


def test_a_broken_sitemap_does_not_silence_its_packed_twin(tmp_path: Path) -> None:
    make(tmp_path, {"sitemap.xml": "<oops", "sitemap.xml.gz": gzip.compress(urlset(SITE).encode())})
    assert shape(discover(tmp_path)) == [("sitemap.xml", "name", False, 0), ("sitemap.xml.gz", "name", False, 1)]


def test_formats_are_told_by_content(tmp_path: Path) -> None:
    robots = "Sitemap: https://e.org/list\nSitemap: https://e.org/xml.txt\nSitemap: https://e.org/urls.txt.gz\n"
    make(
        tmp_path,
        {
            "robots.txt": robots,
            "list": f"{SITE}\n",
            "xml.txt": urlset(SITE + "x"),
            "urls.txt.gz": gzip.compress(b"https://e.org/y\n"),
            "sitemap.xml": f"{SITE}\n",
        },
    )
    found = discover(tmp_path)
    assert [(sitemap.path, sitemap.kind) for sitemap in found.sitemaps] == [
        ("list", "text"),
        ("xml.txt", "urlset"),
        ("urls.txt.gz", "text"),
        ("sitemap.xml", "none"),
    ]


def test_sizes_and_packing_are_told(tmp_path: Path) -> None:
    text = urlset(SITE).encode()
    make(tmp_path, {"sitemap.xml": gzip.compress(text)})
    (sitemap,) = discover(tmp_path).sitemaps
    assert (sitemap.size, sitemap.gzipped) == (len(text), True)
    assert [problem.code for problem in sitemap.problems] == ["gzip-unnamed"]


def test_the_folder_may_be_reached_through_a_link(tmp_path: Path) -> None:
    make(tmp_path / "real", {"sitemap.xml": urlset(SITE)})
    os.symlink(tmp_path / "real", tmp_path / "link")
    assert len(discover(tmp_path / "link").sitemaps) == 1
    named = discover(tmp_path / "link", sitemaps=[str(tmp_path / "link" / "sitemap.xml")])
    assert [sitemap.path for sitemap in named.sitemaps] == ["sitemap.xml"]


# ------------------------------------------------------------------------------------------------ base URL


def pages(base: str, *names: str) -> str:
    return urlset(*(base + name for name in names))


def base_of(folder: Path, files: dict[str, str | bytes], **options: str) -> tuple[str, str]:
    found = discover(make(folder, files), **options)
    return found.base_url, found.base_by


BUILT: dict[str, str | bytes] = {"index.html": "", "a/index.html": "", "b.html": ""}


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("https://e.org", SITE),
        ("HTTPS://E.org:443/p", "https://e.org/p/"),
        (" http://localhost:8080/ ", "http://localhost:8080/"),
    ],
)
def test_the_given_base_url_wins(tmp_path: Path, given: str, base: str) -> None:
    assert base_of(tmp_path, {"sitemap.xml": pages("https://x.org/", "a/")}, base_url=given) == (base, "--base-url")


@pytest.mark.parametrize("given", ["e.org", "/p/", "ftp://e.org/", "https://", "https://e.org/?q", "https://e.org/#f"])
def test_a_base_url_that_is_none(tmp_path: Path, given: str) -> None:
    with pytest.raises(UserError, match="base URL"):
        discover(tmp_path, base_url=given)


def test_the_base_path_is_the_shortest_folder_under_which_the_pages_are(tmp_path: Path) -> None:
    files = {**BUILT, "sitemap.xml": pages("https://o.io/p/q/", "", "a/", "b.html")}
    assert base_of(tmp_path, files) == ("https://o.io/p/q/", "3 of 3 locs")


def test_no_base_path_where_the_pages_share_a_folder_of_the_site(tmp_path: Path) -> None:
    files = {"blog/a/index.html": "", "blog/b.html": "", "sitemap.xml": pages("https://e.org/blog/", "a/", "b")}
    assert base_of(tmp_path, files)[0] == SITE


def test_one_stray_address_does_not_hide_the_base_path(tmp_path: Path) -> None:
    files = {
        **BUILT,
        "sitemap.xml": urlset("https://o.io/", "https://o.io/p/", "https://o.io/p/a/", "https://o.io/p/b"),
    }
    assert base_of(tmp_path, files)[0] == "https://o.io/p/"


def test_the_origin_of_most_locs_and_a_tie_that_cname_settles(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        **BUILT,
        "sitemap.xml": urlset("https://x.org/", "HTTPS://E.ORG/a/", "https://e.org/b", "mailto:x", "/r"),
    }
    assert base_of(tmp_path, files) == (SITE, "2 of 5 locs")
    files["sitemap.xml"] = urlset("https://x.org/", "https://e.org/")
    assert base_of(tmp_path, files)[0] == "https://x.org/"
    assert base_of(tmp_path, {**files, "CNAME": "E.org\n"})[0] == SITE
    # A CNAME confirms; it does not overrule.
    files["sitemap.xml"] = urlset("https://x.org/", "https://x.org/a/", "https://e.org/")
    assert base_of(tmp_path, files)[0] == "https://x.org/"


def test_robots_gives_the_origin_if_its_line_leads_to_a_file_here(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {**BUILT, "sitemap.xml": pages("http://e.org/", "a/")}
    assert base_of(tmp_path, {**files, "robots.txt": "Sitemap: https://e.org/sitemap.xml"}) == (SITE, "robots.txt")
    away = {**files, "robots.txt": "Sitemap: https://cdn.net/maps/e.xml"}
    assert base_of(tmp_path, away) == ("http://e.org/", "1 of 1 locs")


def test_robots_settles_the_base_path_when_no_page_is_found(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"sitemap.xml": pages("https://o.io/p/q/", "a/", "b/")}
    assert base_of(tmp_path, files)[0] == "https://o.io/"
    assert base_of(tmp_path, {**files, "robots.txt": "Sitemap: https://o.io/p/sitemap.xml"})[0] == "https://o.io/p/"


def test_an_index_below_a_base_path(tmp_path: Path) -> None:
    files = {**BUILT, "sitemap.xml": index("https://o.io/p/s/1.xml"), "s/1.xml": pages("https://o.io/p/", "a/", "b")}
    found = discover(make(tmp_path, files))
    assert (found.base_url, found.sitemaps[0].children[0].state) == ("https://o.io/p/", "read")
    assert [sitemap.path for sitemap in found.sitemaps] == ["sitemap.xml", "s/1.xml"]


def test_a_child_outside_the_base_path(tmp_path: Path) -> None:
    files = {"sitemap.xml": index("https://o.io/sitemap-0.xml"), "sitemap-0.xml": pages("https://o.io/p/", "a/")}
    found = discover(make(tmp_path, files), base_url="https://o.io/p/")
    assert found.sitemaps[0].children[0].state == "outside"


@pytest.mark.parametrize("locs", [("/a/", "b/", ""), ("http://", "https://[x/"), ()])
def test_no_base_url_when_nothing_tells_it(tmp_path: Path, locs: tuple[str, ...]) -> None:
    assert base_of(tmp_path, {**BUILT, "sitemap.xml": urlset(*locs)}) == ("", "")


def test_a_large_site_is_sampled_all_over(tmp_path: Path) -> None:
    # The first two hundred pages are not built; the other thousand are.
    names = [f"{n}.html" for n in range(1200)]
    files: dict[str, str | bytes] = dict.fromkeys(names[200:], "")
    assert base_of(tmp_path, {**files, "sitemap.xml": pages("https://o.io/p/", *names)})[0] == "https://o.io/p/"


def test_a_packed_twin_is_not_counted_where_the_address_comes_from(tmp_path: Path) -> None:
    both = urlset(SITE + "a/", SITE + "b/")
    files: dict[str, str | bytes] = {"sitemap.xml": both, "sitemap.xml.gz": gzip.compress(both.encode())}
    assert discover(make(tmp_path, files)).base_by == "2 of 2 locs"
