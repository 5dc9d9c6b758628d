"""The real nginx and Apache answer as the profiles say, for every listed address and its other forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from sites import build, html

from benchmarks.real_hosts import SERVERS, compare, installed

BASE = "https://docs.example.org/"
# By this name, and without TLS, the servers are asked.
ASKED = "http://a.example/"
HTACCESS = r"""
Redirect 301 /old /a/
Redirect gone /gone
RedirectMatch 302 ^/n/(\d+)$ /b/c.html
RewriteEngine On
RewriteRule ^r/(.*)$ /a/ [R=301,L]
Header set X-Robots-Tag "noindex"
"""


@pytest.mark.parametrize("server", sorted(SERVERS))
def test_a_real_server_agrees(tmp_path: Path, server: str) -> None:
    if not installed(server):
        pytest.skip(f"NOT TESTED against the real {server}: it is not installed (Debian: nginx-light, apache2-bin)")
    names = ["index.html", "a/index.html", "b/c.html", "both.html", "both/index.html", "e é/index.html", "Case/x.html"]
    locs = [
        "",
        "a",
        "a/",
        "a/index.html",
        "b/c",
        "b/c.html",
        "b/c/",
        "both",
        "both/",
        "e%20%C3%A9",
        "case/x.html",
        "none/",
        "b",
    ]
    locs += ["old", "old/deeper", "gone", "n/12", "n/x", "r/y"]
    site = build(tmp_path / "public", {name: html(name) for name in names}, [(BASE + loc, None) for loc in locs])
    if server == "apache":
        (site / ".htaccess").write_text(HTACCESS)
    compared = compare(server, site)
    assert compared.differences == []
    assert compared.listed == len(locs)


# Rules that sites have, each with the addresses for which nobody can tell what they do.
CONDITIONAL = {
    "to https": "RewriteCond %{HTTPS} off\nRewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]",
    "to https, once there": "RewriteCond %{HTTPS} !=off\nRewriteRule ^ http://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]",
    "without www": "RewriteCond %{HTTP_HOST} ^www\\.(.+)$ [NC]\nRewriteRule ^ http://%1%{REQUEST_URI} [R=301,L]",
    "with www": "RewriteCond %{HTTP_HOST} !^www\\. [NC]\nRewriteRule ^(.*)$ http://www.%{HTTP_HOST}/$1 [R=302,L]",
    "html behind the bare name": "RewriteCond %{DOCUMENT_ROOT}/$1.html -f\nRewriteRule ^(.+?)/?$ /$1.html [L]",
    "no index.html": "RewriteCond %{THE_REQUEST} ^[A-Z]{3,9}\\ /(.*)index\\.html\\ HTTP/\nRewriteRule ^ /%1 [R=301,L]",
    "a slash at the end": "RewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_URI} !/$\n"
    "RewriteRule ^(.*)$ /$1/ [R=301,L]",
    "no slash at the end": "RewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule ^(.+)/$ /$1 [R=301,L]",
    "all to one page": "RewriteCond %{REQUEST_FILENAME} -f [OR]\nRewriteCond %{REQUEST_FILENAME} -d\nRewriteRule ^ - [L]\n"
    "RewriteRule ^ /index.html [L]",
    "a moved folder": "RewriteBase /\nRewriteRule ^b/(.*)$ a/$1 [R=301,L]",
    "stop, then never": "RewriteRule ^a - [L]\nRewriteRule ^(a|b/) /both.html [R=301]",
    "one of two": "RewriteCond %{REQUEST_URI} ^/a [OR]\nRewriteCond %{REQUEST_URI} ^/b/\nRewriteRule ^ /both.html [R=302,L]",
    "neither of two": "RewriteCond %{REQUEST_URI} !^/a\nRewriteCond %{REQUEST_URI} !^/b\nRewriteRule ^ /a/ [R=302,L]",
    "by method": "RewriteCond %{REQUEST_METHOD} ^POST$\nRewriteRule ^ - [F]",
    "by cookie": "RewriteCond %{HTTP_COOKIE} lang=de\nRewriteRule ^a /de/ [R=302,L]",
    "without a cookie": "RewriteCond %{HTTP_COOKIE} !seen\nRewriteRule ^a/$ /b/c.html [R=302,L]",
    "by referrer": "RewriteCond %{HTTP_REFERER} !^$\nRewriteRule \\.html$ - [F]",
    "by query": "RewriteCond %{QUERY_STRING} ^id=(\\d+)$\nRewriteRule ^a/$ /b/c.html?n=%1 [R=301,L]",
    "the query goes along": "RewriteRule ^a/$ /b/c.html [R=301,L]",
    "the query is dropped": "RewriteRule ^a/$ /b/c.html? [R=301,L]",
    "gone": "RewriteRule ^a/ - [G]",
    "forbidden": "RewriteRule ^b/ - [F]",
    "engine off in the end": "RewriteRule ^ /a/ [R=301,L]\nRewriteEngine Off",
    "rules go before Redirect": "Redirect 302 /a /b/c.html\nRewriteRule ^a/ /both.html [R=301,L]",
    "Redirect after a rewrite": "RewriteRule ^a/ /both.html [L]\nRedirect 302 /a /b/c.html",
    "where a module is lacking": "<IfModule !mod_rewrite.c>\nRedirect 301 / /none\n</IfModule>",
    "chained": "RewriteCond %{REQUEST_URI} ^/none\nRewriteRule ^ - [C]\nRewriteRule ^a /both.html [R=301,L]",
    "skipped": "RewriteRule ^a - [S=1]\nRewriteRule !^both /both.html [R=301,L]",
    "quoted": 'RewriteCond "%{REQUEST_URI}" "^/a/$"\nRewriteRule "^(.*)$" \'/b/c.html\' [R=301,L]',
    "round in a file": "RewriteRule ^a/$ /b/c [L]\nRewriteRule ^b/c$ /b/c.html [L]",
    "only the first round": "RewriteCond %{ENV:REDIRECT_STATUS} ^$\nRewriteRule ^a/$ /b/c.html [L]",
}
UNKNOWN = {
    # For /b/c/ these go round in circles, and Apache gives up.
    "without .html": "RewriteCond %{THE_REQUEST} \\s/+(.+?)\\.html[\\s?] [NC]\nRewriteRule ^ /%1 [R=301,L]\n"
    "RewriteCond %{REQUEST_FILENAME} !-d\nRewriteCond %{REQUEST_FILENAME}.html -f\nRewriteRule ^(.*)$ $1.html [L]",
    "by crawler": "RewriteCond %{HTTP_USER_AGENT} bingbot\nRewriteRule ^a /both.html [R=302,L]",
    "by address": "RewriteCond %{REMOTE_ADDR} !^203\\.\nRewriteRule ^a - [F]",
    "behind a proxy": "RewriteCond %{HTTP:X-Forwarded-Proto} =ftp\nRewriteRule ^a ftp://x.example/ [R=301,L]",
    "by a script": "RewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule . /front.php [L]",
    "by an expression": 'RewriteCond expr "%{TIME_HOUR} == 4"\nRewriteRule ^a /both.html [R=302,L]',
}
NAMES = ["index.html", "a/index.html", "b/c.html", "both.html", "both/index.html", "none/x.txt"]
LOCS = [
    "",
    "a",
    "a/",
    "a/?id=7",
    "a/index.html",
    "b/c",
    "b/c.html",
    "b/c.html/more",
    "b/c/",
    "both",
    "both/",
    "both.html",
]


@pytest.mark.parametrize("rules", [*CONDITIONAL, *UNKNOWN])
def test_apache_follows_conditions_as_it_is_said(tmp_path: Path, rules: str) -> None:
    if not installed("apache"):
        pytest.skip("NOT TESTED against the real apache: it is not installed (Debian: apache2-bin)")
    site = build(tmp_path / "public", {name: html(name) for name in NAMES}, [(ASKED + loc, None) for loc in LOCS])
    (site / ".htaccess").write_text(f"RewriteEngine On\n{ {**CONDITIONAL, **UNKNOWN}[rules] }\n")
    compared = compare("apache", site)
    assert compared.differences == []
    assert compared.asked > len(LOCS)
    # What is never told proves nothing.
    assert (compared.untold > 0) == (rules in UNKNOWN)
