"""Hexo: pages, posts by the permalink pattern, days beside the written one, names."""

from __future__ import annotations

import pytest
from trees import mapped, sources

POST = "source/_posts/"


def config(more: str = "") -> dict[str, str]:
    return {"_config.yml": f"title: x\nskip_render: raw/**\n{more}", "package.json": '{"hexo": {"version": ""}}'}


def test_pages_go_by_their_paths_or_permalinks() -> None:
    files = config() | {
        "source/about/index.md": "",
        "source/plain.md": "",
        "source/moved.md": "---\npermalink: a/b/\n---\n",
        "source/file.md": "---\npermalink: a/c\n---\n",
        "source/raw/x.html": "",
        "source/_drafts/d.md": "",
        "source/_hidden/h.md": "",
        "README.md": "",
    }
    assert sources(files, "/about/", "/plain.html", "/a/b/", "/a/c.html", "/raw/x.html", "/d/", "/h.html", "/README.html") == {
        "/about/": "source/about/index.md",
        "/plain.html": "source/plain.md",
        "/a/b/": "source/moved.md",
        "/a/c.html": "source/file.md",
        "/raw/x.html": "source/raw/x.html",
        "/d/": "(no-source)",
        "/h.html": "(no-source)",
        "/README.html": "(no-source)",
    }  # fmt: skip


def test_posts_go_by_the_default_pattern_in_any_zone() -> None:
    files = config() | {
        f"{POST}hello.md": "---\ndate: 2024-05-10 23:30:00\n---\n",
        f"{POST}deep/one.md": "---\ndate: 2024-05-11\n---\n",
        f"{POST}gone.md": "---\ndate: 2024-05-12\npublished: false\n---\n",
        f"{POST}own.md": "---\npermalink: here/it-is.html\n---\n",
        f"{POST}open.md": "title: Without the first line\ndate: 2024-05-13\n---\nText\n",
    }
    # The machine's zone, or the site's, moves a day.
    assert sources(files, "/2024/05/11/hello/", "/2024/05/10/deep/one/", "/2024/05/12/gone/", "/here/it-is.html", "/2024/05/13/open/", "/2024/05/20/hello/") == {
        "/2024/05/11/hello/": f"{POST}hello.md",
        "/2024/05/10/deep/one/": f"{POST}deep/one.md",
        "/2024/05/12/gone/": "(no-source)",
        "/here/it-is.html": f"{POST}own.md",
        "/2024/05/13/open/": f"{POST}open.md",
        "/2024/05/20/hello/": "(no-source)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "name", "matter", "path"),
    [
        ("permalink: :category/:title.html", "a.md", "categories: [One Two, Three]", "/One-Two/Three/a.html"),
        ("permalink: :category/:title.html", "a.md", "x: 1", "/uncategorized/a.html"),
        (
            "permalink: :category/:title/\ncategory_map: {Große Dinge: big}",
            "a.md",
            "categories: Große Dinge",
            "/big/a/",
        ),
        ("permalink: :category/:title/\nfilename_case: 1", "a.md", "categories: [[A, B], [C D]]", "/c-d/a/"),
        (
            "permalink: posts/:year-:i_month/:name/\nnew_post_name: :year-:month-:day-:title.md",
            "deep/2024-03-04-x.md",
            "date: 2024-03-04",
            "/posts/2024-3/deep-2024-03-04-x/",
        ),
        (
            "permalink: posts/:year-:i_month/:name/\nnew_post_name: :year-:month-:day-:title.md",
            "2024-03-04-x.md",
            "a: 1",
            "/posts/2024-3/x/",
        ),
        ("permalink: :lang/:title/\npermalink_defaults: {lang: en}", "a.md", "x: 1", "/en/a/"),
        ("permalink: :lang/:title/\nnew_post_name: :lang/:title.md", "fr/a.md", "x: 1", "/fr/a/"),
        ("permalink: :slugged/", "a.md", "slugged: mine", "/mine/"),
        ("permalink: p/:post_title/", "a.md", "title: 'Été: one'", "/p/ete-one/"),
    ],
)
def test_permalink_patterns_are_filled_in(settings: str, name: str, matter: str, path: str) -> None:
    files = config(settings) | {POST + name: f"---\n{matter}\n---\n"}
    assert sources(files, path) == {path: POST + name}


def test_undated_posts_are_learnt_by_name() -> None:
    files = config() | {f"{POST}p{n}.md": "" for n in range(3)}
    paths = [f"/2026/11/30/p{n}/" for n in range(3)]
    # Their day is that of the build: no day of the file's agrees, so that nothing is learnt.
    assert list(sources(files, *paths).values()) == ["(no-source)"] * 3
    flat = config("permalink: :title/") | {f"{POST}p{n}.md": "" for n in range(3)}
    assert sources(flat, "/p1/") == {"/p1/": f"{POST}p1.md"}


def test_lists_have_no_file() -> None:
    files = config("archive_dir: log\n") | {"source/a.md": ""}
    found = mapped(files, "/log/2024/05/", "/tags/x/page/2/", "/categories/A/B/", "/a.html")
    assert [one.kind for one in found.values()] == ["list", "list", "list", "page"]


def test_a_jekyll_site_is_none_of_hexos() -> None:
    files = {"_config.yml": "title: x\npermalink: pretty\n", "_posts/2024-01-02-a.md": "", "source/b.md": ""}
    assert sources(files, "/b.html") == {"/b.html": "(no-source)"}
