"""VitePress: srcDir, rewrites, dynamic routes."""

from __future__ import annotations

from trees import mapped, sources

DIST = ".vitepress/dist"


def test_a_page_may_be_written_with_html_or_without() -> None:
    files = {
        ".vitepress/config.mts": "export default defineConfig({ srcDir: './src', srcExclude: ['**/draft.md'] })",
        "src/index.md": "",
        "src/a.md": "",
        "src/a/index.md": "",
        "src/draft.md": "",
        "README.md": "",
    }
    assert sources(files, "/", "/a.html", "/a/", "/draft.html", prefix=DIST) == {
        "/": "src/index.md",
        "/a.html": "src/a.md",
        "/a/": "src/a/index.md",
        "/draft.html": "(no-source)",
    }
    assert sources(files, "/a", prefix=DIST)["/a"] == "(ambiguous)"


def test_rewrites_move_pages() -> None:
    files = {
        "docs/.vitepress/config.ts": """export default {
            rewrites: {
              'packages/:pkg/src/(.*)': ':pkg/(.*)',
              'one.md': 'two/three.md',
              'guide/:rest*': ':rest*',
            }, }""",
        "docs/packages/core/src/x/y.md": "",
        "docs/one.md": "",
        "docs/guide/deep/z.md": "",
    }
    assert sources(files, "/core/x/y", "/two/three", "/deep/z", "/one", prefix=f"docs/{DIST}") == {
        "/core/x/y": "docs/packages/core/src/x/y.md",
        "/two/three": "docs/one.md",
        "/deep/z": "docs/guide/deep/z.md",
        "/one": "(no-source)",
    }


def test_a_dynamic_route_has_the_addresses_that_no_file_has() -> None:
    files = {
        ".vitepress/config.js": "",
        "partners/[id].md": "",
        "partners/[id].paths.ts": "",
        "partners/index.md": "",
        "partners/all.md": "",
        "lost/[id].md": "",
    }
    found = mapped(files, "/partners/x.html", "/partners/all.html", "/partners/", "/lost/x.html", prefix=DIST)
    assert (found["/partners/x.html"].content, found["/partners/x.html"].also) == (
        "partners/[id].md", ("partners/[id].paths.ts",),
    )  # fmt: skip
    assert found["/partners/all.html"].content == "partners/all.md"
    assert found["/partners/"].content == "partners/index.md"
    assert found["/lost/x.html"].content == ""


def test_pages_are_found_without_the_configuration() -> None:
    files = {f"src/p{n}.md": "" for n in range(3)}
    assert list(sources(files, *(f"/p{n}.html" for n in range(3)), prefix=DIST).values()) == list(files)
