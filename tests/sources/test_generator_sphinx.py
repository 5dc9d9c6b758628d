"""Sphinx: sources below conf.py."""

from __future__ import annotations

from trees import mapped, sources

CONF = "extensions = ['myst_parser']\n"


def test_sources_of_all_suffixes_go_by_path_with_both_builders() -> None:
    files = {"docs/conf.py": CONF, "docs/index.rst": "", "docs/a.md": "", "docs/b/index.rst": "", "docs/n.ipynb": ""}
    for paths in (("/", "/a.html", "/b/index.html", "/n.html"), ("/", "/a/", "/b/", "/n/")):
        assert list(sources(files, *paths, prefix="docs/_build/html").values()) == [
            "docs/index.rst", "docs/a.md", "docs/b/index.rst", "docs/n.ipynb",
        ]  # fmt: skip


def test_excluded_files_are_no_pages_and_the_root_may_be_another() -> None:
    files = {
        "conf.py": CONF + "# root_doc = 'wrong'\nroot_doc = 'contents'\nexclude_patterns = ['old', 'x*.rst']\n",
        "contents.rst": "",
        "old/a.rst": "",
        "xa.rst": "",
        "ya.rst": "",
    }
    assert sources(files, "/", "/old/a.html", "/xa.html", "/ya.html", prefix="_build/html") == {
        "/": "contents.rst",
        "/old/a.html": "(no-source)",
        "/xa.html": "(no-source)",
        "/ya.html": "ya.rst",
    }


def test_generated_pages_have_no_source_and_are_no_lists() -> None:
    files = {"docs/conf.py": CONF, "docs/index.rst": "", "docs/a.rst": ""}
    found = mapped(files, "/a.html", "/genindex.html", "/search.html", prefix="docs/_build/html")
    assert [found[path].kind for path in ("/genindex.html", "/search.html")] == ["page", "page"]
    assert found["/genindex.html"].reason == "no-source"


def test_a_conf_of_nikola_is_none() -> None:
    files = {"conf.py": "POSTS = (('posts/*.rst', 'blog', 'post.tmpl'),)\n", "index.rst": "", "a.rst": ""}
    assert sources(files, "/a.html") == {"/a.html": "(no-source)"}


def test_a_source_in_two_suffixes_is_told() -> None:
    files = {"conf.py": CONF, "index.rst": "", "a.md": "", "a.rst": ""}
    assert sources(files, "/a.html", "/")["/a.html"] == "(ambiguous)"
