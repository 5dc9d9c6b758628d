"""Addresses: parts cut out of the normal form are those that the parser itself names."""

from __future__ import annotations

import pytest
from ada_url import URL
from hypothesis import given
from hypothesis import strategies as st

from sitemap_guard import urls

_PIECES = st.sampled_from(
    ["https://", "http://", "HTTPS://", "a.example", "user:pw@", ":8080", ":443", "/", "//", "x", "..", ".", "?", "#", "@",
     "%2e", "é", " ", "&a=1", "[::1]", "mailto:", "\\", "\t", "ftp://"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=8).map("".join))
def test_parts_are_the_parsers_own(text: str) -> None:
    found = urls.parse(text)
    try:
        url = URL(text)
    except ValueError:
        assert found is None
        return
    if url.protocol not in ("http:", "https:"):
        assert found is None
        return
    assert found is not None
    assert (found.origin, found.path, found.query, found.fragment) == (
        url.origin,
        url.pathname,
        url.search,
        url.hash,
    ) or (
        # A lone ? or # is kept in the address, though the parser names no query or fragment for it.
        found.query in ("?", url.search) and found.fragment in ("#", url.hash) and found.path == url.pathname
    )
    assert "#" not in found.href


@pytest.mark.parametrize(
    ("address", "base", "path"),
    [
        ("https://o.io/project/a/", "https://o.io/project/", "a/"),
        ("https://o.io/project", "https://o.io/project/", ""),
        ("https://o.io/projects/", "https://o.io/project/", None),
        ("https://o.io/", "https://o.io/", ""),
        ("http://o.io/project/", "https://o.io/project/", None),
        ("https://o.io/%D0%BF/a%20b", "https://o.io/", "п/a b"),
        ("https://o.io/%ff", "https://o.io/", "\udcff"),
    ],
)
def test_what_lies_below_a_base(address: str, base: str, path: str | None) -> None:
    one, other = urls.parse(address), urls.parse(base)
    assert one is not None
    assert other is not None
    assert urls.within(one, other) == path


def test_the_files_behind_a_path() -> None:
    assert urls.file_names("") == ("index.html",)
    assert urls.file_names("a/") == ("a/index.html", "a.html")
    assert urls.file_names("a") == ("a", "a.html", "a/index.html")
