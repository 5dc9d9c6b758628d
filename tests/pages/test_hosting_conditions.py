"""Rules of hosts that hold for some requests only: decided for a crawler's plain request, or told as not decided."""

from __future__ import annotations

import json
from typing import Any

import pytest
from test_hosting_profiles import BASE, answer, host

from sitemap_guard import urls
from sitemap_guard.model import Located, Rule
from sitemap_guard.pages.hosting import conditions
from sitemap_guard.pages.hosting.rewrite import start_of

COOKIE = {"type": "cookie", "key": "seen"}
ENGLISH = {"type": "header", "key": "accept-language", "value": "en.*"}


def vercel(**item: Any) -> str:
    return json.dumps({"redirects": [{"source": "/a", "destination": "/b", **item}]})


@pytest.mark.parametrize(
    ("item", "leads"),
    [
        ({"has": [{"type": "host", "value": "a.example"}]}, "/b"),
        ({"has": [{"type": "host", "value": "(?<name>.*)\\.example"}]}, "/b"),
        ({"has": [{"type": "host", "value": "www.a.example"}]}, ""),
        ({"missing": [{"type": "host", "value": "www.a.example"}]}, "/b"),
        ({"has": [COOKIE]}, ""),
        ({"missing": [COOKIE]}, "/b"),
        ({"has": [ENGLISH]}, ""),
        ({"missing": [{"type": "header", "key": "Authorization"}]}, "/b"),
        ({"has": [{"type": "header", "key": "user-agent", "value": ".*(?:[Gg]oogle|bing)bot.*"}]}, "/b"),
        ({"has": [{"type": "header", "key": "user-agent", "value": ".*Android.*"}]}, None),
        ({"has": [{"type": "header", "key": "x-vercel-ip-country", "value": "NO"}]}, None),
        ({"has": [{"type": "header", "key": "x-vercel-ip-country", "value": "NO"}, COOKIE]}, ""),
        ({"has": [{"type": "query", "key": "id"}]}, ""),
        ({"missing": [{"type": "query", "key": "id"}]}, "/b"),
        ({"has": [{"type": "planet", "value": "Mars"}]}, None),
        ({"has": [{"type": "host", "value": "(a+)+x"}]}, None),
        ({"has": [{"type": "host", "value": "(?<sub>.*)"}], "destination": "/:sub"}, None),
    ],
)
def test_has_and_missing_of_vercel(item: dict[str, Any], leads: str | None) -> None:
    found = answer(host("vercel", files={"vercel.json": vercel(**item)}), "a")
    if leads is None:
        assert (found.status, found.sure, found.undecided) == (0, False, Rule("vercel.json", 1))
    else:
        assert found.undecided is None
        assert found.location == (BASE.rstrip("/") + leads if leads else "")


def test_a_query_that_the_address_has() -> None:
    asked = host("vercel", files={"vercel.json": vercel(has=[{"type": "query", "key": "id", "value": "\\d+"}])})
    assert answer(asked, "a?id=7").location == BASE + "b"
    assert answer(asked, "a?id=x").location == ""
    assert answer(asked, "a?other=7").location == ""


@pytest.mark.parametrize(
    ("line", "toml", "undecided", "leads"),
    [
        ("/a /b 302 Language=de", "{Language = ['de']}", False, ""),
        ("/a /b 302 Role=admin", "{Role = ['admin']}", False, ""),
        ("/a /b 302 Cookie=seen", "{Cookie = ['seen']}", False, ""),
        ("/a /b 302 Country=no", "{Country = ['no']}", True, ""),
        ("/a /b 302 Country=no Language=nb", "{Country = ['no'], Language = ['nb']}", False, ""),
        ("/file /b 302 Country=no", "{Country = ['no']}", False, ""),  # the file goes first
        ("/a /b 302", "{}", False, "b"),
    ],
)
def test_conditions_of_netlify(line: str, toml: str, undecided: bool, leads: str) -> None:
    source, _, _, *_ = line.split()
    table = f'[[redirects]]\nfrom = "{source}"\nto = "/b"\nstatus = 302\nconditions = {toml}\n'
    for name, text in (("_redirects", line + "\n"), ("netlify.toml", table)):
        found = answer(host("netlify", files={name: text}), source[1:])
        assert (found.undecided is not None) == undecided, name
        assert found.location == (BASE + leads if leads else ""), name


def test_a_rule_that_may_hold_is_no_doubt_where_the_next_one_does_the_same() -> None:
    asked = host("netlify", files={"_redirects": "/a /b 302 Country=no\n/a /b 301\n"})
    assert (answer(asked, "a").undecided, answer(asked, "a").location) == (None, BASE + "b")
    asked = host("netlify", files={"_redirects": "/a /c 302 Country=no\n/a /b 301\n"})
    assert answer(asked, "a").undecided == Rule("_redirects", 1)
    asked = host("netlify", files={"_redirects": "/a /b 301\n/a /c 302 Country=no\n"})
    assert answer(asked, "a").location == BASE + "b"


def test_doubts_are_counted_by_rule() -> None:
    asked = host("netlify", files={"_redirects": "/* /no/:splat 302 Country=no\n"})
    for path in ("x", "y", "file"):
        answer(asked, path)
    (doubt,) = asked.doubts
    assert (doubt.rule, doubt.why, doubt.count) == (Rule("_redirects", 1), "Country", 2)


def header_at(profile: str, name: str, text: str, path: str = "x") -> tuple[list[str], int]:
    address = urls.parse(BASE + path)
    assert address is not None
    asked = host(profile, files={name: text})
    found = [header.value for header in asked.headers(address, Located("html", path + ".html"))]
    return found, len(asked.doubts)


@pytest.mark.parametrize(
    ("rest", "found"),
    [("", (["noindex"], 0)), (" env=STAGING", ([], 1)), (" \"expr=%{HTTP_HOST} == 'x'\"", ([], 1))],
)
def test_a_header_of_apache_with_a_condition(rest: str, found: tuple[list[str], int]) -> None:
    assert header_at("apache", ".htaccess", f'Header set X-Robots-Tag "noindex"{rest}\n') == found
    assert header_at("apache", ".htaccess", f'Header set X-Other "noindex"{rest}\n') == ([], 0)


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ("set X-Robots-Tag all", ["all"]),
        ("unset X-Robots-Tag", []),
        ("add X-Robots-Tag nosnippet", ["noindex", "nosnippet"]),
    ],
)
def test_a_later_header_of_apache_takes_the_place_of_an_earlier_one(second: str, found: list[str]) -> None:
    assert header_at("apache", ".htaccess", f"Header set X-Robots-Tag noindex\nHeader {second}\n") == (found, 0)


def test_headers_of_vercel_with_conditions() -> None:
    def text(**more: Any) -> str:
        own = [{"key": "X-Robots-Tag", "value": "noindex"}]
        return json.dumps({"headers": [{"source": "/(.*)", "headers": own, **more}]})

    preview = [{"type": "host", "value": ".*\\.vercel\\.app"}]
    assert header_at("vercel", "vercel.json", text(has=preview)) == ([], 0)
    assert header_at("vercel", "vercel.json", text(missing=preview)) == (["noindex"], 0)
    assert header_at("vercel", "vercel.json", text(has=[{"type": "header", "key": "cf-ray"}])) == ([], 1)


HTTPS = "RewriteEngine On\nRewriteCond %{HTTPS} off\nRewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]\n"
PROXY = "RewriteEngine On\nRewriteCond %{HTTP:X-Forwarded-Proto} !https\nRewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]\n"


@pytest.mark.parametrize("text", [HTTPS, PROXY])
def test_a_site_that_is_at_https_is_not_sent_there(text: str) -> None:
    asked = host("apache", files={".htaccess": text})
    assert (answer(asked, "file.html").status, answer(asked, "file.html").undecided) == (200, None)


def test_a_site_that_is_at_http_is_sent_to_https() -> None:
    base = "http://a.example/"
    assert (
        answer(host("apache", files={".htaccess": HTTPS}, base=base), "file.html", base).location == BASE + "file.html"
    )


def test_a_site_in_a_folder_has_its_own_paths() -> None:
    base = "https://a.example/docs/"
    text = "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^old/(.*)$ new/$1 [R=301,L]\n"
    assert answer(host("apache", files={".htaccess": text}, base=base), "old/x", base).location == base + "new/x"
    assert answer(host("apache", files={".htaccess": text}, base=base), "file.html", base).status == 200
    based = text.replace("On\n", "On\nRewriteBase /\n")
    assert answer(host("apache", files={".htaccess": based}, base=base), "old/x", base).location == BASE + "new/x"


@pytest.mark.parametrize(
    "text",
    ["RewriteEngine On\nRewriteRule (a+)+$ /x [R]\n", "RewriteEngine On\nRewriteCond expr x\nRewriteRule ^ /x [R]\n"],
)
def test_what_is_not_understood_is_not_decided(text: str) -> None:
    found = answer(host("apache", files={".htaccess": text}), "file.html")
    assert (found.status, found.undecided) == (0, Rule(".htaccess", text.count("\n")))


@pytest.mark.parametrize(
    ("pattern", "start"),
    [
        ("^a/b$", "a/b"),
        ("^a\\.html$", "a.html"),
        ("^a?b", ""),
        ("^a\\.?b", "a"),
        ("^(a)", ""),
        ("a", ""),
        ("^ab|c", ""),
    ],
)
def test_the_text_that_a_pattern_starts_with(pattern: str, start: str) -> None:
    assert start_of(pattern) == start


def test_three_answers() -> None:
    assert conditions.all_of([True, None]) is None
    assert conditions.all_of([None, False]) is False
    assert conditions.any_of([False, None]) is None
    assert conditions.any_of([None, True]) is True
    assert conditions.negated(None) is None
