"""The real nginx and Apache answer as the profiles say, for every listed address and its other forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from sites import build, html

from benchmarks.real_hosts import SERVERS, compare, installed

BASE = "https://docs.example.org/"
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
