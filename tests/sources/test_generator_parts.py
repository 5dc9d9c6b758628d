"""What several generators share: slugs, routes that are files, settings in Python."""

from __future__ import annotations

import pytest
from trees import tree_of

from sitemap_guard.sources.generators import astro, slugs
from sitemap_guard.sources.generators.base import Hints
from sitemap_guard.sources.generators.pysettings import literals
from sitemap_guard.sources.generators.routes import best_first, route_of
from sitemap_guard.sources.publishing import Wanted, publish


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Hello, World!", ["hello-world"]),
        ("It's Bob's", ["its-bobs"]),
        ("R&D größe", ["r-and-d-grosse", "r-and-d-groesse"]),
        ("v2.0 (final)", ["v2-0-final"]),
        ("日本", []),
    ],
)
def test_slugs_are_those_that_eleventy_makes(text: str, made: list[str]) -> None:
    assert slugs.sindre_slugs(text) == made


def test_slugs_are_those_that_other_libraries_make() -> None:
    assert slugs.npm_slugs("C++ & Rust camelCase") == ["c++-and-rust-camelcase"]
    assert slugs.github_slug("What's New - v1.0_x") == "whats-new---v10_x"
    assert slugs.hexo_slug("Été: A/B  test!") == "Ete-A-B-test"
    assert slugs.python_slugs("A <b>bold</b>  Title_x!") == ["a-bold-title_x"]
    assert slugs.rust_slugs("Ünï code") == ["uni-code", "ueni-code"]


def test_the_most_particular_route_goes_first() -> None:
    routes = [
        route_of("rest", ["blog", "[...x]"], rest_may_be_empty=True),
        route_of("one", ["blog", "[x]"], rest_may_be_empty=True),
        route_of("any", ["[a]", "new"], rest_may_be_empty=True),
        route_of("piece", ["blog", "v-[n]"], rest_may_be_empty=True),
    ]
    order = [route.file for route in best_first(routes)]
    assert order.index("one") < order.index("rest") < order.index("any")
    rest, one, _, piece = routes
    assert (rest.values("/blog"), rest.values("/blog/a/b/"), one.values("/blog/a/b"), piece.values("/blog/v-2.html")) == (
        ("",), ("a/b",), None, ("2",),
    )  # fmt: skip
    assert rest.filled(["a/b"]) == "/blog/a/b"
    assert rest.filled([""]) == "/blog"


def test_settings_of_a_program_are_parsed() -> None:
    text = """
import os
A: str = "a"
B = A + "/b"
C = (("x", {"en": "y"}), [1, None])
D = {A: ""}
E = os.path.join("a")
F = "x"
F += "y"
G = f"{A}"
if True:
    H = "no"
"""
    assert literals(text) == {"A": "a", "B": "a/b", "C": [["x", {"en": "y"}], [1, None]], "D": {"a": ""}}
    assert literals("A = (") == {}
    assert literals("A = " + "-" * 100_000 + "1") == {}


def test_a_file_that_is_known_already_has_its_other_addresses_too() -> None:
    files = {
        "astro.config.mjs": "starlight({ locales: { root: { label: 'E' }, fr: { label: 'F' } } })",
        "src/content/docs/a.md": "---\nslug: moved\n---\n",
    }
    tree = tree_of(files)
    layout = astro.find(tree, Hints())[0]
    wanted = Wanted(["/moved/", "/fr/moved/"], {"/fr/moved/"}, frozenset({"src/content/docs/a.md"}))
    assert {at: some[0].source for at, some in publish(layout, wanted).items()} == {
        "/moved": "src/content/docs/a.md",
        "/fr/moved": "src/content/docs/a.md",
    }
