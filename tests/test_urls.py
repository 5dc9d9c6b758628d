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
        url.pathname.replace("%2e", "."),
        url.search.replace("%2e", "."),
        url.hash.replace("%2e", "."),
    ) or (
        # A lone ? or # is kept in the address, though the parser names no query or fragment for it.
        found.query in ("?", url.search.replace("%2e", "."))
        and found.fragment in ("#", url.hash.replace("%2e", "."))
        and found.path == url.pathname.replace("%2e", ".")
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


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("/caf%c3%a9/", "/caf%C3%A9/"),
        ("/%63af%C3%A9/", "/caf%C3%A9/"),
        ("/café/", "/caf%C3%A9/"),
        ("/%7Ea/%2d%5f%2E", "/~a/-_."),
        ("/a%2fb", "/a%2Fb"),
        ("/a%3fb%23%25%41", "/a%3Fb%23%25A"),
        ("/%25%37e", "/%257e"),
        ("/%2%35", "/%2%35"),
        ("/%%35a", "/%%35a"),
        ("/%zz%7e", "/%zz~"),
    ],
)
def test_addresses_that_differ_only_in_needless_escapes_are_one(written: str, path: str) -> None:
    found = urls.parse(f"https://o.io{written}")
    assert found is not None
    assert found.path == path
    assert urls.parse(found.href) == found


@given(st.text("%0123456789abcdefABCDEF/~", max_size=12))
def test_the_normal_form_says_the_same_bytes(path: str) -> None:
    found = urls.parse(f"https://o.io/x{path}")
    assert found is not None
    assert urls.decoded(found.path) == urls.decoded(f"/x{path}")
    assert urls.parse(found.href) == found
