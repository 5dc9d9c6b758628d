"""Eleventy: default addresses, permalinks of front matter and data files, pagination."""

from __future__ import annotations

import json

import pytest
from trees import mapped, sources

CONFIG = {"eleventy.config.js": 'export default (c) => ({ dir: { input: "src" } }); // dir: { input: "no" }'}


def test_templates_go_by_their_paths() -> None:
    files = CONFIG | {
        "src/index.njk": "",
        "src/about.md": "",
        "src/2024-01-02-dated.md": "",
        "src/team/team.md": "",
        "src/Mixed Case.md": "",
        "src/made.11ty.js": "export default () => 1",
        "src/_includes/about.njk": "",
        "src/_data/x.html": "",
        "README.md": "",
    }
    assert sources(files, "/", "/about/", "/2024-01-02-dated/", "/team/", "/Mixed Case/", "/made/", "/README/", "/mixed case/") == {
        "/": "src/index.njk",
        "/about/": "src/about.md",
        "/2024-01-02-dated/": "src/2024-01-02-dated.md",
        "/team/": "src/team/team.md",
        "/Mixed Case/": "src/Mixed Case.md",
        "/made/": "src/made.11ty.js",
        "/README/": "(no-source)",
        "/mixed case/": "(no-source)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("config", "package", "root"),
    [
        ('module.exports = { dir: { input: "./content" } }', "", "content"),
        ('export default (c) => { c.setInputDirectory("content"); }', "", "content"),
        ("module.exports = {}", '{"scripts": {"build": "eleventy --input=content --output=x"}}', "content"),
        ("module.exports = {}", "", ""),
    ],
)
def test_the_input_folder_is_found_wherever_it_is_set(config: str, package: str, root: str) -> None:
    file = f"{root}/a.md".lstrip("/")
    assert sources({".eleventy.js": config, "package.json": package, file: ""}, "/a/") == {"/a/": file}


def test_permalinks_of_front_matter_are_filled_in() -> None:
    files = CONFIG | {
        "src/a.md": "---\npermalink: /own/\n---\n",
        "src/b.md": "---\npermalink: false\n---\n",
        "src/in-its-place.md": "---\npermalink: /b/\n---\n",
        "src/c.md": '---json\n{"permalink": "/json/"}\n---\n',
        "src/d.md": "---js\n{ permalink: '/js/' }\n---\n",
        "src/e.md": "---\ntitle: \"Größe & it's C++\"\npermalink: '/t/{{ title | slugify }}/'\n---\n",
        "src/f.md": "---\npermalink: 'f/{{ page.fileSlug }}.html'\n---\n",
        "src/g.md": "---\npermalink: {build: /built/, serverless: /x/}\n---\n",
        "src/h.md": "---\ndate: 2024-05-06\npermalink: '/{{ page.date | date: \"%Y/%m/%d\" }}/h/'\n---\n",
        "src/i.md": "---\npermalink: '/{{ nothing.known }}/'\n---\n",
    }
    paths = [
        "/own/",
        "/b/",
        "/json/",
        "/js/",
        "/t/groesse-and-its-c/",
        "/f/f.html",
        "/built/",
        "/2024/05/06/h/",
        "/known/",
    ]
    assert list(sources(files, *paths).values()) == [
        "src/a.md", "src/in-its-place.md", "src/c.md", "src/d.md", "src/e.md", "src/f.md", "src/g.md", "src/h.md", "(no-source)",
    ]  # fmt: skip


def test_the_nearest_data_file_gives_the_permalink() -> None:
    files = CONFIG | {
        "src/posts/posts.json": json.dumps({"permalink": "/blog/{{ page.fileSlug }}/"}),
        "src/posts/2024-01-02-one.md": "",
        "src/posts/deep/index.md": "",
        "src/posts/two.md": "---\npermalink: /elsewhere/\n---\n",
        "src/posts/three.11tydata.json": json.dumps({"permalink": "/3.html"}),
        "src/posts/three.md": "",
        "src/notes/notes.11tydata.js": "export default { permalink: ({ page }) => `/n/${page.fileSlug}/` }",
        "src/notes/a.md": "",
        "src/made/made.11tydata.js": "module.exports = { eleventyComputed: { permalink: (data) => slugOf(data) } }",
        "src/made/x.md": "",
        "src/comp/comp.json": json.dumps({"eleventyComputed": {"permalink": "/c{{ page.filePathStem }}/"}}),
        "src/comp/y.md": "",
    }
    paths = ["/blog/one/", "/blog/deep/", "/elsewhere/", "/blog/two/", "/3.html", "/n/a/", "/made/x/", "/c/comp/y/"]
    assert list(sources(files, *paths).values()) == [
        "src/posts/2024-01-02-one.md", "src/posts/deep/index.md", "src/posts/two.md", "(no-source)",
        "src/posts/three.md", "src/notes/a.md", "(no-source)", "src/comp/y.md",
    ]  # fmt: skip


def test_a_permalink_that_a_program_makes_is_learnt() -> None:
    files = CONFIG | {"src/log/log.11tydata.js": "export default { permalink: makes(it) }"}
    files |= {f"src/log/entry-{n}.md": f"---\ndate: 202{n}-03-04\n---\n" for n in range(4)}
    paths = [f"/diary/202{n}/entry-{n}/" for n in range(4)]
    assert list(sources(files, *paths).values()) == [f"src/log/entry-{n}.md" for n in range(4)]
    # Two pages are no habit.
    assert list(sources(files, *paths[:2]).values()) == ["(no-source)"] * 2


def test_paginated_templates_have_the_addresses_that_no_file_has() -> None:
    files = CONFIG | {
        "src/blog.njk": "---\npagination: {data: collections.post, size: 2}\n---\n",
        "src/terms.njk": "---\npagination: {data: terms, size: 1, alias: term}\npermalink: '/terms/{{ term.slug }}/'\n---\n",
        "src/terms/all.md": "",
        "src/terms/index.md": "",
        "src/tags.njk": "---\npagination: {data: collections, size: 1}\npermalink: '/tags/{{ tag | slugify }}/'\n---\n",
        "src/news.njk": "---\npagination: {data: news, size: 9}\npermalink: 'news/{% if pagination.pageNumber > 0 %}page/{{ pagination.pageNumber }}/{% endif %}index.html'\n---\n",
        "src/any.njk": "---\npagination: {data: cms, size: 1}\npermalink: '/{{ x.slug }}/'\n---\n",
        "src/lost/lost.11tydata.js": "export default { permalink: makes(it) }",
        "src/lost/mystery.md": "",
    }
    found = mapped(
        files,
        "/blog/",
        "/blog/1/",
        "/terms/api/",
        "/terms/all/",
        "/terms/",
        "/tags/x/",
        "/news/",
        "/news/page/2/",
        "/xyz/",
        "/terms/mystery/",
    )
    assert {path: (one.content, one.kind) for path, one in found.items()} == {
        "/blog/": ("src/blog.njk", "list"),
        "/blog/1/": ("src/blog.njk", "list"),
        "/terms/api/": ("src/terms.njk", "page"),
        "/terms/all/": ("src/terms/all.md", "page"),
        "/terms/": ("src/terms/index.md", "list"),
        "/tags/x/": ("src/tags.njk", "list"),
        "/news/": ("src/news.njk", "list"),
        "/news/page/2/": ("src/news.njk", "list"),
        # A pattern of nothing literal explains nothing, and a page of an unknown place is not given to a template.
        "/xyz/": ("", "page"),
        "/terms/mystery/": ("", "page"),
    }  # fmt: skip


def test_two_files_at_one_address_are_told() -> None:
    files = CONFIG | {"src/a.md": "", "src/a/index.md": ""}
    assert sources(files, "/a/") == {"/a/": "(ambiguous)"}


def test_ignored_files_are_no_pages() -> None:
    files = {
        ".eleventy.js": "",
        ".eleventyignore": "README.md\ndrafts/\n",
        "README.md": "",
        "drafts/x.md": "",
        "a.md": "",
    }
    assert sources(files, "/README/", "/drafts/x/", "/a/") == {
        "/README/": "(no-source)", "/drafts/x/": "(no-source)", "/a/": "a.md",
    }  # fmt: skip


def test_front_matter_that_is_a_program_is_read_as_far_as_it_is_plain() -> None:
    text = """---js
// const permalink = "/no/";
const pagination = { data: "collections", size: 1, alias: "tag" };
const eleventyComputed = {
  permalink: function (data) {
    // A tag in two spellings is one page too many.
    return `/topics/${this.slugify(data.tag)}/`;
  },
};
---
"""
    found = mapped(CONFIG | {"src/topic-pages.njk": text}, "/topics/one-two/", "/no/")
    assert [one.content for one in found.values()] == ["src/topic-pages.njk", ""]
