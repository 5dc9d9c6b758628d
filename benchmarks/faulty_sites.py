"""Small sites with one fault each, and right ones that look odd, for benchmarks/comparison.py.

Each is a change to one right site: a home page and three pages with sources in git, a robots.txt, and a sitemap with
a true date for each page.
"""

# ruff: noqa: E501 (a table reads better with a case on each line)
from __future__ import annotations

import gzip
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

BASE = "http://docs.garden.site/"
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
PAGES = {
    "": "2026-01-10T10:00:00Z",
    "guide/": "2026-02-11T10:00:00Z",
    "team/": "2026-03-12T10:00:00Z",
    "faq/": "2026-04-13T10:00:00Z",
}
_SECONDS = {"": 1768039200, "guide/": 1770804000, "team/": 1773309600, "faq/": 1776074400}
Files = dict[str, str | bytes | None]


class Case(NamedTuple):
    """A site: what is wrong with it ("" when nothing is), and the files that differ from the right one.

    `like` is the right site that it is compared with: what a tool says of both is not about the fault.
    """

    name: str
    fault: str
    files: Files
    options: tuple[str, ...] = ()
    like: str = "right"


def source(path: str) -> str:
    """The file that a page is made from."""
    return f"content/{path.strip('/') or 'index'}.md"


def html(path: str, canonical: str | None = None, head: str = "", lang: str = "en") -> str:
    """A built page with its canonical tag and its edit link."""
    own = BASE + path if canonical is None else canonical
    link = f'<link rel="canonical" href="{own}">' if own else ""
    edit = f'<a class="edit" href="https://github.com/o/r/edit/main/{source(path)}">Edit</a>'
    return f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>t</title>{link}{head}</head><body>{edit}</body></html>'


def url(loc: str, lastmod: str | None = None, more: str = "") -> str:
    """One entry."""
    return f"<url><loc>{loc}</loc>{f'<lastmod>{lastmod}</lastmod>' if lastmod is not None else ''}{more}</url>\n"


def urlset(*entries: str, space: str = SPACE, more: str = "") -> str:
    """A sitemap."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}"{more}>\n{"".join(entries)}</urlset>\n'


def entries(**changed: str) -> list[str]:
    """The right entries, but for those that are given by name (`home`, `guide`, `team`, `faq`)."""
    return [changed.get(path.strip("/") or "home", url(BASE + path, date)) for path, date in PAGES.items()]


def sitemap(**changed: str) -> Files:
    """The sitemap with entries changed."""
    return {"sitemap.xml": urlset(*entries(**changed))}


def dated(guide: str) -> Files:
    """The sitemap with another date for the guide."""
    return sitemap(guide=url(BASE + "guide/", guide))


def page(path: str, text: str) -> Files:
    """One page changed."""
    return {f"{path}index.html": text}


def alternates(**links: str) -> str:
    """Alternates of an entry, by code."""
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code.replace("_", "-")}" href="{href}"/>'
        for code, href in links.items()
    )


def index(*children: str) -> str:
    """A sitemap index."""
    inner = "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{SPACE}">{inner}</sitemapindex>\n'


def make(case: Case, folder: Path) -> Path:
    """The site in `public/` of a new repository with its history."""
    built = folder / "public"
    built.mkdir(parents=True)
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*words: str, at: int = 0) -> None:
        dates = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"} if at else {}
        who = ("-c", "user.name=A", "-c", "user.email=a@garden.site")
        subprocess.run(
            ["git", "-C", str(folder), *who, *words], check=True, capture_output=True, env=environment | dates
        )

    git("init", "-q", "-b", "main")
    (folder / ".gitignore").write_text("/public/\n")
    for path, at in _SECONDS.items():
        file = folder / source(path)
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# {path or 'home'}\n")
        git("add", "-A")
        git("commit", "-q", "-m", f"Write {path or 'home'}", at=at)
    files: Files = {f"{path}index.html": html(path) for path in PAGES}
    files |= {"robots.txt": f"User-agent: *\nAllow: /\nSitemap: {BASE}sitemap.xml\n", "404.html": "<title>404</title>"}
    for name, text in (files | sitemap() | case.files).items():
        file = built / name
        if text is None:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return built


_ROBOTS = f"\nSitemap: {BASE}sitemap.xml\n"
_GUIDE, _DAY = BASE + "guide/", PAGES["guide/"]
_IMAGE = ' xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'
_BOTH = alternates(en=_GUIDE, de=BASE + "team/")

FILES_ = [
    Case("raw-ampersand", "a raw & in a loc", sitemap(guide=url(BASE + "?a=1&b=2", _DAY))),
    Case("blank-first-line", "a blank line before the XML declaration", {"sitemap.xml": "\n" + urlset(*entries())}),
    Case(
        "latin-1",
        "bytes that are not UTF-8",
        {"sitemap.xml": urlset(*entries(), url(BASE + "caf\u00e9/", _DAY)).encode("latin-1")},
    ),
    Case(
        "html-as-sitemap",
        "an HTML page under the sitemap's name",
        {"sitemap.xml": "<!doctype html><html><body>404</body></html>"},
    ),
    Case("no-namespace", "no namespace", {"sitemap.xml": urlset(*entries()).replace(f' xmlns="{SPACE}"', "")}),
    Case(
        "https-namespace",
        "the namespace with https",
        {"sitemap.xml": urlset(*entries(), space=SPACE.replace("http:", "https:"))},
    ),
    Case(
        "misspelt-element",
        "<lastMod> for <lastmod>",
        sitemap(guide=f"<url><loc>{_GUIDE}</loc><lastMod>2026-02-11</lastMod></url>"),
    ),
    Case("priority-comma", "a priority with a comma", sitemap(guide=url(_GUIDE, _DAY, "<priority>0,8</priority>"))),
    Case("priority-range", "a priority of 5", sitemap(guide=url(_GUIDE, _DAY, "<priority>5</priority>"))),
    Case(
        "changefreq",
        "a changefreq of fortnightly",
        sitemap(guide=url(_GUIDE, _DAY, "<changefreq>fortnightly</changefreq>")),
    ),
    Case("empty-loc", "an empty loc", sitemap(guide="<url><loc></loc></url>")),
    Case(
        "too-many",
        "50,001 entries",
        {"sitemap.xml": urlset(*(url(f"{BASE}guide/?n={n}", "2026-02-11") for n in range(50_001)))},
    ),
    Case("empty-sitemap", "no entry at all", {"sitemap.xml": urlset()}),
    Case(
        "gzip-double",
        "a sitemap packed twice",
        {
            "sitemap.xml": None,
            "sitemap.xml.gz": gzip.compress(gzip.compress(urlset(*entries()).encode())),
            "robots.txt": f"Sitemap: {BASE}sitemap.xml.gz\n",
        },
    ),
    Case(
        "gzip-stale", "a packed twin with other entries", {"sitemap.xml.gz": gzip.compress(urlset(url(BASE)).encode())}
    ),
    Case(
        "index-missing",
        "an index that lists a missing file",
        {"sitemap.xml": index(BASE + "one.xml", BASE + "two.xml"), "one.xml": urlset(*entries())},
    ),
    Case(
        "index-relative",
        "an index with a relative address",
        {"sitemap.xml": index("one.xml"), "one.xml": urlset(*entries())},
    ),
    Case(
        "index-nested",
        "an index in an index",
        {
            "sitemap.xml": index(BASE + "in.xml", BASE + "one.xml"),
            "in.xml": index(BASE + "one.xml"),
            "one.xml": urlset(*entries()),
        },
    ),
    Case("robots-relative", "a relative Sitemap line", {"robots.txt": "Sitemap: /sitemap.xml\n"}),
    Case(
        "robots-missing",
        "a Sitemap line to no file",
        {"robots.txt": f"Sitemap: {BASE}sitemap.xml\nSitemap: {BASE}map.xml\n"},
    ),
    Case(
        "image-without-loc",
        "an image without its address",
        {"sitemap.xml": urlset(*entries(guide=url(_GUIDE, _DAY, "<i:image></i:image>")), more=_IMAGE)},
        like="right-image",
    ),
]
LOCS = [
    Case("relative-loc", "a relative loc", sitemap(guide=url("/guide/", _DAY))),
    Case("other-host", "a loc on another host", sitemap(guide=url("http://www.garden.site/guide/", _DAY))),
    Case(
        "other-scheme",
        "a loc with https on a site with http",
        sitemap(guide=url(_GUIDE.replace("http:", "https:"), _DAY)),
    ),
    Case("localhost", "a loc on localhost", sitemap(guide=url("http://localhost:1313/guide/", _DAY))),
    Case(
        "space",
        "a space in a loc",
        {**sitemap(guide=url(BASE + "my guide/", _DAY)), "my guide/index.html": html("my%20guide/")},
    ),
    Case("escaped-twice", "an ampersand escaped twice", sitemap(guide=url(BASE + "?a=1&amp;amp;b=2", _DAY))),
    Case("too-long", "a loc of 2,048 characters", sitemap(guide=url(BASE + "?" + "x" * (2047 - len(BASE)), _DAY))),
    Case("fragment", "a loc with a fragment", sitemap(guide=url(_GUIDE + "#cache", _DAY))),
    Case("tracking", "a loc with a tracking parameter", sitemap(guide=url(_GUIDE + "?utm_source=mail", _DAY))),
    Case(
        "duplicate", "a loc listed twice with two dates", {"sitemap.xml": urlset(*entries(), url(_GUIDE, "2026-01-01"))}
    ),
    Case("letter-case", "a loc in another letter case", sitemap(guide=url(BASE + "Guide/", PAGES["guide/"]))),
    Case(
        "scope",
        "a sitemap in a folder that lists the root",
        {"sitemap.xml": None, "en/sitemap.xml": urlset(*entries()), "robots.txt": "User-agent: *\n"},
    ),
    Case(
        "old-prefix",
        "a doubled prefix on all locs",
        {
            "sitemap.xml": urlset(*(url(f"{BASE}docs/docs/{path}", _DAY) for path in PAGES if path)),
            **{f"docs/{path}index.html": html(f"docs/{path}") for path in PAGES},
        },
        ("--base-url", BASE),
    ),
]
PAGE = [
    Case(
        "missing", "a listed page that was not built", {"sitemap.xml": urlset(*entries(), url(BASE + "draft/", _DAY))}
    ),
    Case(
        "meta-refresh",
        "a listed page that redirects",
        page("guide/", html("guide/", "", '<meta http-equiv="refresh" content="0; url=/team/">')),
    ),
    Case(
        "host-redirect",
        "locs and canonicals that the host redirects",
        {
            "sitemap.xml": urlset(*(url(BASE + p.rstrip("/"), d) for p, d in PAGES.items())),
            **{f"{p}index.html": html(p, BASE + p.rstrip("/")) for p in PAGES},
            "CNAME": "docs.garden.site\n",
        },
    ),
    Case(
        "noindex",
        "a listed page with noindex",
        page("guide/", html("guide/", head='<meta name="robots" content="noindex">')),
    ),
    Case(
        "noindex-list",
        "a listed page with NOFOLLOW, NOINDEX",
        page("guide/", html("guide/", head='<meta name="ROBOTS" content="NOFOLLOW, NOINDEX">')),
    ),
    Case(
        "noindex-none",
        "a listed page with none for googlebot",
        page("guide/", html("guide/", head='<meta name="googlebot" content="none">')),
    ),
    Case(
        "disallowed", "a listed page that robots.txt bars", {"robots.txt": f"User-agent: *\nDisallow: /guide/{_ROBOTS}"}
    ),
    Case("all-disallowed", "robots.txt bars everything", {"robots.txt": f"User-agent: *\nDisallow: /{_ROBOTS}"}),
    Case("unlisted", "a page that no sitemap lists", page("more/", html("more/"))),
]
CANONICAL = [
    Case("canonical-slash", "a canonical without the slash", page("guide/", html("guide/", BASE + "guide"))),
    Case(
        "canonical-host", "a canonical on another host", page("guide/", html("guide/", "http://www.garden.site/guide/"))
    ),
    Case(
        "canonical-two",
        "two canonicals",
        page("guide/", html("guide/", head=f'<link rel="canonical" href="{BASE}team/">')),
    ),
    Case(
        "canonical-body",
        "a canonical after a div in the head",
        page("guide/", html("guide/", "", f'<div></div><link rel="canonical" href="{_GUIDE}">')),
    ),
    Case(
        "canonical-shared",
        "the home page as everyone's canonical",
        {f"{path}index.html": html(path, BASE) for path in PAGES},
    ),
    Case("canonical-gone", "a canonical that was not built", page("guide/", html("guide/", BASE + "gone/"))),
]
LANGUAGES = [
    Case(
        "hreflang-code",
        "hreflang en-UK",
        {"sitemap.xml": urlset(*entries(guide=url(_GUIDE, _DAY, alternates(en_UK=_GUIDE))), more=XHTML)},
        like="right-alternates",
    ),
    Case(
        "hreflang-one-way",
        "an alternate that does not answer",
        {
            "sitemap.xml": urlset(*entries(guide=url(_GUIDE, _DAY, _BOTH)), more=XHTML),
            **page("team/", html("team/", lang="de")),
        },
        like="right-alternates",
    ),
    Case(
        "hreflang-missing",
        "an alternate that was not built",
        {"sitemap.xml": urlset(*entries(guide=url(_GUIDE, _DAY, alternates(en=_GUIDE, fr=BASE + "fr/"))), more=XHTML)},
        like="right-alternates",
    ),
]
DATES = [
    Case("date-no-zone", "a time without a zone", dated("2026-02-11T10:00:00")),
    Case("date-no-day", "30 February", dated("2026-02-30")),
    Case("date-offset", "an offset without a colon", dated("2026-02-11T10:00:00+0000")),
    Case("date-empty", "an empty lastmod", dated("")),
    Case("date-future", "a date in the future", dated("2199-01-01")),
    Case("date-epoch", "1970-01-01", dated("1970-01-01")),
    Case("date-invented", "a date newer than any change", dated("2026-05-01T10:00:00Z")),
    Case("date-stale", "a date older than the last change", dated("2024-05-01T10:00:00Z")),
    Case(
        "date-clock",
        "the build's clock on every page",
        {"sitemap.xml": urlset(*(url(BASE + path, "2026-06-01T08:00:00Z") for path in PAGES))},
    ),
]
RIGHT = [
    Case("right", "", {}),
    Case("right-padded", "", sitemap(guide=f"<url>\n<loc>\n {_GUIDE}\n</loc><lastmod>{_DAY}</lastmod></url>\n")),
    Case("right-order", "", sitemap(guide=f"<url><lastmod>{PAGES['guide/']}</lastmod><loc>{_GUIDE}</loc></url>")),
    Case("right-minutes", "", dated("2026-02-11T10:00Z")),
    Case("right-day", "", dated("2026-02-11")),
    Case("right-month", "", dated("2026-02")),
    Case("right-alternates", "", {"sitemap.xml": urlset(*entries(guide=url(_GUIDE, _DAY, _BOTH), team=url(BASE + "team/", PAGES["team/"], _BOTH)), more=XHTML), **page("team/", html("team/", lang="de"))}),
    Case("right-image", "", {"sitemap.xml": urlset(*entries(guide=url(_GUIDE, _DAY, f"<i:image><i:loc>{BASE}a.png</i:loc></i:image>")), more=_IMAGE), "a.png": b"\x89PNG"}),
    Case("right-iri", "", {"sitemap.xml": urlset(*entries(), url(BASE + "сад/", _DAY)), "сад/index.html": html("%D1%81%D0%B0%D0%B4/")}),
]  # fmt: skip
CASES = {
    "Files": FILES_,
    "Addresses": LOCS,
    "Pages": PAGE,
    "Canonical tags": CANONICAL,
    "Alternates": LANGUAGES,
    "Dates": DATES,
    "Right sites": RIGHT,
}
