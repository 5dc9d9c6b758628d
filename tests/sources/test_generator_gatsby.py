"""Gatsby: src/pages, and Markdown whose place is seen."""

from __future__ import annotations

from trees import sources

CONFIG = {
    "gatsby-config.js": """module.exports = { plugins: [
        { resolve: 'gatsby-source-filesystem', options: { name: 'blog', path: `${__dirname}/content/blog` } },
        { resolve: `gatsby-source-filesystem`, options: { path: path.join(__dirname, "content/pages") } },
        // { resolve: 'gatsby-source-filesystem', options: { path: 'content/no' } },
    ] }""",
}


def test_pages_go_by_their_paths() -> None:
    files = CONFIG | {
        "src/pages/index.js": "",
        "src/pages/about.tsx": "",
        "src/pages/legal/index.jsx": "",
        "src/pages/{Thing.slug}.js": "",
        "src/pages/app/[...].js": "",
        "src/pages/__tests__/x.js": "",
        "src/pages/about.test.tsx": "",
        "src/pages/note.mdx": "",
    }
    assert sources(files, "/", "/about/", "/legal/", "/__tests__/x/", "/note/", "/app/x/", prefix="public") == {
        "/": "src/pages/index.js",
        "/about/": "src/pages/about.tsx",
        "/legal/": "src/pages/legal/index.jsx",
        "/__tests__/x/": "(no-source)",
        "/note/": "(no-source)",
        "/app/x/": "(no-source)",
    }


def test_markdown_lies_where_its_addresses_show() -> None:
    files = CONFIG | {
        "content/blog/one/index.md": "",
        "content/blog/two.md": "",
        "content/blog/moved.md": "---\npath: /else/where\n---\n",
        "content/blog/draft.md": "---\ndraft: true\n---\n",
        "content/pages/imprint.md": "",
        "content/pages/terms.md": "",
        "content/no/three.md": "",
    }
    assert sources(files, "/blog/one/", "/blog/two/", "/else/where/", "/imprint/", "/terms/", "/blog/three/", "/blog/draft/", prefix="public") == {
        "/blog/one/": "content/blog/one/index.md",
        "/blog/two/": "content/blog/two.md",
        "/else/where/": "content/blog/moved.md",
        "/imprint/": "content/pages/imprint.md",
        "/terms/": "content/pages/terms.md",
        "/blog/three/": "(no-source)",
        "/blog/draft/": "(no-source)",
    }  # fmt: skip


def test_two_places_that_fit_as_well_are_no_place() -> None:
    files = CONFIG | {"content/blog/a.md": "", "content/blog/b.md": ""}
    assert set(sources(files, "/x/a/", "/x/b/", "/y/a/", "/y/b/", prefix="public").values()) == {"(no-source)"}
