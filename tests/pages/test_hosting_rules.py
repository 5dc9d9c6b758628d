"""The hosts' own files: redirects, headers, and which goes first."""

from __future__ import annotations

import time

import pytest
from test_hosting_profiles import BASE, answer, host

from sitemap_guard import urls
from sitemap_guard.model import Header, Located
from sitemap_guard.pages.hosting import headers, htaccess, netlify, redirects, staticwebapp, vercel
from sitemap_guard.pages.hosting.matching import safe


def to(profile: str, name: str, text: str, path: str) -> str:
    """Where an address leads by a file's rule: the location's path, a status, or "" when no rule takes it."""
    found = answer(host(profile, files={name: text}), path)
    if found.rule is None:
        return ""
    return found.location.removeprefix(BASE.rstrip("/")) or str(found.status)


@pytest.mark.parametrize(
    ("line", "path", "leads"),
    [
        ("/old /new", "old", "/new"),
        ("/old /new", "old/", "/new"),
        ("/old/ /new", "old", "/new"),
        ("/old /new", "older", ""),
        ("# /old /new", "old", ""),
        ("/old /new # why", "old", "/new"),
        ("/news/* /blog/:splat", "news/2024/x", "/blog/2024/x"),
        ("/news/* /blog/:splat", "news", "/blog/"),
        ("/n/:year/:slug /b/:slug-:year", "n/2024/x", "/b/x-2024"),
        ("/n/:year /b/:year", "n/2024/x", ""),
        ("/store id=:id /item 301", "store", ""),
        ("/store id=:id /item 301", "store?id=4", "/item"),
        ("/ /en 302 Language=en", "", ""),
        ("/gone /x 410", "gone", "410"),
        ("/file /other 301", "file", ""),
        ("/file /other 301!", "file", "/other"),
        ("/x https://b.example/y 301", "x", "https://b.example/y"),
        ("http://a.example/* https://a.example/new/:splat 301!", "z", "/new/z"),
        ("https://b.example/* https://a.example/new/:splat 301!", "z", ""),
        ("/loop /loop/ 301!", "loop", ""),
    ],
)
def test_redirects_of_netlify(line: str, path: str, leads: str) -> None:
    assert to("netlify", "_redirects", line + "\n", path) == leads


def test_the_first_rule_counts() -> None:
    text = "/a/b /first\n/a/* /second\n/a/c /third\n"
    assert to("netlify", "_redirects", text, "a/b") == "/first"
    assert to("netlify", "_redirects", text, "a/c") == "/second"


def test_cloudflare_follows_rules_before_files_and_compares_the_slash() -> None:
    assert to("cloudflare-pages", "_redirects", "/file /other\n", "file") == "/other"
    assert to("cloudflare-pages", "_redirects", "/old /new\n", "old/") == ""
    assert to("gitlab-pages", "_redirects", "/file /other\n", "file") == ""


def test_a_file_in_front_of_a_rule_is_told() -> None:
    found = answer(host("netlify", files={"_redirects": "\n/file /other\n"}), "file")
    assert found.status == 200
    assert found.shadowed is not None
    assert (found.shadowed.path, found.shadowed.line) == ("_redirects", 2)
    assert answer(host("netlify", files={"_redirects": "/file /file/\n"}), "file").shadowed is None


def test_netlify_toml() -> None:
    text = """
[[redirects]]
  from = "/old/*"
  to = "/new/:splat"
[[redirects]]
  from = "/c"
  to = "/d"
  conditions = {Country = ["NO"]}
[[redirects]]
  from = "/file"
  to = "/f"
  force = true
  status = 302
[[headers]]
  for = "/private/*"
  [headers.values]
    X-Robots-Tag = "noindex"
"""
    assert to("netlify", "netlify.toml", text, "old/x") == "/new/x"
    assert to("netlify", "netlify.toml", text, "c") == ""
    assert to("netlify", "netlify.toml", text, "file") == "/f"
    rule = answer(host("netlify", files={"netlify.toml": text}), "file").rule
    assert rule is not None
    assert rule.line == 9
    assert set_by("netlify", "netlify.toml", text, "private/x") == ["noindex"]
    assert netlify.parse("[[redirects", "netlify.toml").redirects == ()


@pytest.mark.parametrize(
    ("source", "target", "path", "leads"),
    [
        ("/old", "/new", "old", "/new"),
        ("/old", "/new", "old/", "/new"),
        ("/blog/:slug", "/news/:slug", "blog/x", "/news/x"),
        ("/blog/:path*", "/news/:path*", "blog/a/b", "/news/a/b"),
        ("/blog/:path*", "/news", "blog", "/news"),
        ("/post/:id(\\d+)", "/p/:id", "post/12", "/p/12"),
        ("/post/:id(\\d+)", "/p/:id", "post/x", ""),
        ("/v1/(.*)", "/v2/$1", "v1/a/b", "/v2/a/b"),
        ("/file", "/other", "file", "/other"),
        ("/(((", "/x", "x", ""),
    ],
)
def test_vercel_redirects(source: str, target: str, path: str, leads: str) -> None:
    import json

    text = json.dumps({"redirects": [{"source": source, "destination": target}]}, indent=1)
    assert to("vercel", "vercel.json", text, path) == leads


def test_vercel_settings_conditions_and_headers() -> None:
    assert (
        answer(host("vercel", files={"vercel.json": '{"trailingSlash": true}'}), "folder").location == BASE + "folder/"
    )
    assert (
        answer(host("vercel", files={"vercel.json": '{"trailingSlash": false}'}), "folder/").location == BASE + "folder"
    )
    assert answer(host("vercel", files={"vercel.json": '{"cleanUrls": true}'}), "file.html").location == BASE + "file"
    only = '{"redirects": [{"source": "/a", "destination": "/b", "has": [{"type": "host", "value": "x"}]}]}'
    assert to("vercel", "vercel.json", only, "a") == ""
    text = '{"headers": [{"source": "/p/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "none"}]}]}'
    assert set_by("vercel", "vercel.json", text, "p/x") == ["none"]
    assert set_by("vercel", "vercel.json", text, "q/x") == []
    assert vercel.parse("[1]", "vercel.json").redirects == ()
    assert vercel.parse("{", "vercel.json").redirects == ()


def test_azure() -> None:
    text = """{"trailingSlash": "never", "globalHeaders": {"X-Robots-Tag": "noindex"},
      "routes": [{"route": "/old/*", "redirect": "/new", "statusCode": 301},
                 {"route": "/admin*", "allowedRoles": ["a"], "redirect": "/x"}, {"route": "/gone", "statusCode": 404}]}"""
    assert to("azure", "staticwebapp.config.json", text, "old/x") == "/new"
    assert to("azure", "staticwebapp.config.json", text, "admin") == ""
    assert to("azure", "staticwebapp.config.json", text, "gone") == "404"
    assert answer(host("azure", files={"staticwebapp.config.json": text}), "folder/").location == BASE + "folder"
    assert set_by("azure", "staticwebapp.config.json", text, "any") == ["noindex"]
    assert staticwebapp.parse("null", "x").redirects == ()


@pytest.mark.parametrize(
    ("text", "path", "leads"),
    [
        ("Redirect 301 /old /new", "old", "/new"),
        ("Redirect permanent /old https://b.example/n", "old/x", "https://b.example/n/x"),
        ("Redirect /old /new", "older", ""),
        ("Redirect gone /old", "old", "410"),
        ("RedirectMatch 301 ^/a/(\\d+)$ /b/$1", "a/12", "/b/12"),
        ("RedirectMatch 301 ^/a/(\\d+)$ /b/$1", "a/x", ""),
        ("RewriteEngine On\nRewriteRule ^old/(.*)$ /new/$1 [R=301,L]", "old/x", "/new/x"),
        ("RewriteRule ^old/(.*)$ /new/$1 [R=301,L]", "old/x", ""),
        ("RewriteEngine On\nRewriteCond %{HTTPS} off\nRewriteRule ^(.*)$ https://a.example/$1 [R=301,L]", "x", ""),
        ("<IfModule mod_rewrite.c>\nRewriteEngine on\nRewriteRule ^OLD$ /n [R,NC]\n</IfModule>", "old", "/n"),
        ("<If \"%{HTTP_HOST} == 'x'\">\nRedirect /old /new\n</If>", "old", ""),
        ("Redirect 301 /file /other", "file", "/other"),
    ],
)
def test_htaccess(text: str, path: str, leads: str) -> None:
    assert to("apache", ".htaccess", text + "\n", path) == leads


def test_what_htaccess_may_change_is_not_sure() -> None:
    assert answer(host("apache", files={".htaccess": "Options +MultiViews\n"}), "file").sure is False
    assert answer(host("apache", files={".htaccess": "Options -Indexes\n"}), "file").sure is True
    front = "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME}.html -f\nRewriteRule ^(.*)$ $1.html [L]\n"
    served = answer(host("apache", files={".htaccess": front}), "file")
    assert (served.status, served.sure) == (200, True)
    assert htaccess.parse('Redirect "/a', "x").redirects == ()


# -------------------------------------------------------------------------------------------------------- headers


def set_by(profile: str, name: str, text: str, path: str) -> list[str]:
    address = urls.parse(BASE + path)
    assert address is not None
    found = host(profile, files={name: text}).headers(address, Located("html", path + ".html"))
    return [header.value for header in found]


def test_headers_files() -> None:
    text = "# all\n/*\n  X-Frame-Options: DENY\n\n/d/*\n  X-Robots-Tag: noindex\n  Link: </x>; rel=preload\n/e\n  x-robots-tag: none\n"
    assert set_by("netlify", "_headers", text, "d/x") == ["noindex", "</x>; rel=preload"]
    assert set_by("netlify", "_headers", text, "e/") == ["none"]
    assert set_by("netlify", "_headers", text, "f") == []
    assert set_by("github-pages", "_headers", text, "d/x") == []
    assert headers.parse(text, "_headers")[0].headers[0].rule.line == 6


VERCEL = """{
  "redirects": [{"source": "/p/(.*)", "destination": "/q"}],
  "headers": [
    {"source": "/p/(.*)", "headers": [
      {"key": "X-Other", "value": "1"},
      {"key": "X-Robots-Tag", "value": "noindex"}]},
    {"source": "/p/(.*)", "headers": [
      {"key": "x-robots-tag", "value": "none"}]}
  ]
}"""
NETLIFY = """
[[headers]]
  for = "/x-robots-tag/*"
  [headers.values]
    X-Other = "1"
    X-Robots-Tag = "noindex"
[[headers]]
  for = "/*"
  values = { "x-robots-tag" = "none" }
"""
AZURE = """{
  "globalHeaders": {
    "X-Other": "1",
    "X-Robots-Tag": "noindex"}
}"""
HTACCESS = "Options \\\n -Indexes\n\nHeader set \\\n  X-Robots-Tag noindex\nHeader add X-Robots-Tag none\n"


@pytest.mark.parametrize(
    ("profile", "name", "text", "path", "lines"),
    [
        ("vercel", "vercel.json", VERCEL, "p/x", [6, 8]),
        ("netlify", "netlify.toml", NETLIFY, "x-robots-tag/y", [6, 9]),
        ("azure", "staticwebapp.config.json", AZURE, "x", [4]),
        ("apache", ".htaccess", HTACCESS, "x", [4, 6]),
    ],
)
def test_a_header_is_told_at_its_own_line(profile: str, name: str, text: str, path: str, lines: list[int]) -> None:
    address = urls.parse(BASE + path)
    assert address is not None
    found = host(profile, files={name: text}).headers(address, Located("html", path + ".html"))
    assert [header.rule.line for header in found] == lines


def test_a_header_for_the_hosts_own_name_is_not_the_sites() -> None:
    own = "https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n"
    assert set_by("cloudflare-pages", "_headers", own, "x") == []
    here = "https://a.example/*\n  X-Robots-Tag: noindex\n"
    assert set_by("cloudflare-pages", "_headers", here, "x") == ["noindex"]
    detached = "/*\n  X-Robots-Tag: noindex\n/x\n  ! X-Robots-Tag\n"
    assert set_by("cloudflare-pages", "_headers", detached, "x") == []
    assert set_by("cloudflare-pages", "_headers", detached, "y") == ["noindex"]


def test_headers_of_htaccess_for_kinds_of_files() -> None:
    text = '<FilesMatch "\\.pdf$">\nHeader set X-Robots-Tag "noindex, nofollow"\n</FilesMatch>\nHeader set X "y"\n'
    address = urls.parse(BASE + "a.pdf")
    assert address is not None
    asked = host("apache", files={".htaccess": text})
    assert asked.headers(address, Located("file", "a.pdf")) == (
        Header("x-robots-tag", "noindex, nofollow", htaccess.Rule(".htaccess", 2)),
    )
    assert asked.headers(address, Located("html", "a.html")) == ()


# -------------------------------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a*)*b", "(a|a*)+", "((a+))+x", "x" * 500, "(", "a*b*c*d*e*"])
def test_expressions_that_could_take_for_ever_are_left_out(pattern: str) -> None:
    assert safe(pattern) is None


def test_hostile_files_are_read_in_no_time() -> None:
    began = time.perf_counter()
    for text in ("/*/*/*/* /x\n" * 2000, "/" + ":a/" * 3000 + " /x\n", "/a /b\n" * 20_000, "\0\n" * 1000):
        found = answer(host("netlify", files={"_redirects": text, "_headers": text}), "a" * 400)
        assert found.status in (301, 404)
    for text in ('{"redirects": ' + "[" * 5000, '{"redirects": [1, null, {}]}'):
        vercel.parse(text, "x")
        staticwebapp.parse(text, "x")
    assert redirects.parse("/a\n/b b\n b /c", "x") != []
    assert time.perf_counter() - began < 10
