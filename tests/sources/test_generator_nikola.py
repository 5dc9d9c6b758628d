"""Nikola: POSTS and PAGES, metadata of several kinds, languages with fall-back."""

from __future__ import annotations

from trees import mapped, sources

CONF = """
BLOG_AUTHOR = "A"
DEFAULT_LANG = "en"
TRANSLATIONS = {DEFAULT_LANG: "", "fr": "./fr"}
POSTS = (("posts/*.rst", "posts", "post.tmpl"), ("posts/*.md", "posts", "post.tmpl"))
PAGES = (("pages/*.md", "", "page.tmpl"), ("stories/*.md", {"en": "stories", "fr": "histoires"}, "page.tmpl"))
"""
FILES = {
    "conf.py": CONF,
    "posts/a.rst": ".. title: A\n.. slug: hello\n\nText",
    "posts/a.fr.rst": ".. title: B\n.. slug: bonjour\n",
    "posts/b.rst": ".. title: B\n\nHow to::\n\n    .. slug: index\n",
    "posts/b.fr.rst": ".. title: B\n",
    "posts/deep/c.md": "<!--\n.. title: C\n.. slug: c\n.. pretty_url: no\n-->\n",
    "posts/Mixed Name_x.md": "",
    "posts/yaml.md": "---\nslug: from-yaml\n---\n",
    "posts/meta.md": "Text",
    "posts/meta.meta": ".. slug: beside\n",
    "pages/index.md": ".. slug: index\n",
    "stories/s.md": "",
    "README.md": "",
}


def test_pages_and_posts_go_by_slug_or_name() -> None:
    paths = ["/posts/hello/", "/posts/b/", "/posts/deep/c.html", "/posts/mixed-name_x/", "/posts/from-yaml/", "/posts/beside/",
             "/", "/stories/s/", "/posts/a/", "/README/"]  # fmt: skip
    assert list(sources(FILES, *paths, prefix="output").values()) == [
        "posts/a.rst", "posts/b.rst", "posts/deep/c.md", "posts/Mixed Name_x.md", "posts/yaml.md", "posts/meta.md",
        "pages/index.md", "stories/s.md", "(no-source)", "(no-source)",
    ]  # fmt: skip


def test_what_is_not_translated_is_shown_in_every_language() -> None:
    paths = ["/fr/posts/bonjour/", "/fr/posts/b/", "/fr/posts/hello/", "/fr/posts/beside/", "/fr/histoires/s/"]
    assert list(sources(FILES, *paths, prefix="output").values()) == [
        "posts/a.fr.rst", "posts/b.fr.rst", "(no-source)", "posts/meta.md", "stories/s.md",
    ]  # fmt: skip
    only = FILES | {"conf.py": CONF + "SHOW_UNTRANSLATED_POSTS = False\n"}
    assert sources(only, "/fr/posts/beside/", prefix="output") == {"/fr/posts/beside/": "(no-source)"}


def test_addresses_may_be_ugly_and_translations_named_otherwise() -> None:
    conf = CONF + "PRETTY_URLS = False\nTRANSLATIONS_PATTERN = '{path}.{ext}.{lang}'\n"
    files = {"conf.py": conf, "posts/a.rst": "", "posts/a.rst.fr": ".. slug: le-a\n"}
    assert sources(files, "/posts/a.html", "/fr/posts/le-a.html", prefix="output") == {
        "/posts/a.html": "posts/a.rst",
        "/fr/posts/le-a.html": "posts/a.rst.fr",
    }


def test_listings_are_made_from_code() -> None:
    files = FILES | {"listings/deep/a.py": "", "README.md": ""}
    assert sources(files, "/listings/deep/a.py.html", prefix="output") == {
        "/listings/deep/a.py.html": "listings/deep/a.py"
    }


def test_lists_without_a_file_are_known_as_lists() -> None:
    found = mapped(
        FILES,
        "/posts/hello/",
        "/index-1.html",
        "/fr/index-2.html",
        "/categories/x/",
        "/2024/",
        "/archive.html",
        prefix="output",
    )
    assert [one.kind for one in found.values()] == ["page", *["list"] * 5]


def test_a_conf_of_sphinx_is_none() -> None:
    files = {"docs/conf.py": "project = 'x'\nextensions = []\n", "docs/posts/a.rst": ""}
    assert sources(files, "/posts/a/") == {"/posts/a/": "(no-source)"}
