"""Docusaurus: docs, blog, pages, versions, languages, prefixes and slugs."""

from __future__ import annotations

from trees import mapped, sources

CONFIG = """
// routeBasePath: '/wrong',
module.exports = {
  url: 'https://e.org', baseUrl: '/',
  i18n: {defaultLocale: 'en', locales: ['en', 'fr']},
  presets: [['classic', {docs: {path: 'docs', routeBasePath: 'manual'}, blog: {showReadingTime: true}}]],
  plugins: [['@docusaurus/plugin-content-docs', {id: 'api', path: 'api', routeBasePath: 'api'}]],
};
"""


def test_docs_blog_and_pages_go_by_path_number_id_slug_and_date() -> None:
    files = {
        "web/docusaurus.config.js": CONFIG,
        "web/docs/01-intro.md": "",
        "web/docs/02-guide/README.md": "",
        "web/docs/02-guide/03_step one.mdx": "",
        "web/docs/2024-notes.md": "",
        "web/docs/7.0-release.md": "",
        "web/docs/ref/ref.md": "",
        "web/docs/named.md": "---\nid: other\n---\n",
        "web/docs/sub/slug.md": "---\nslug: custom/b\n---\n",
        "web/docs/abs.md": "---\nslug: /top\n---\n",
        "web/docs/_partial.mdx": "",
        "web/api/x.md": "",
        "web/blog/2024-01-02-x/index.md": "",
        "web/blog/2024-01-03-y.md": "---\nslug: why\n---\n",
        "web/blog/undated.md": "",
        "web/src/pages/index.tsx": "",
        "web/src/pages/about/team.mdx": "",
        "web/src/pages/_hidden.js": "",
    }
    expected = {
        "/manual/intro": "web/docs/01-intro.md",
        "/manual/guide/": "web/docs/02-guide/README.md",
        "/manual/guide/step%20one": "web/docs/02-guide/03_step one.mdx",
        "/manual/notes": "web/docs/2024-notes.md",
        "/manual/7.0-release": "web/docs/7.0-release.md",
        "/manual/ref/": "web/docs/ref/ref.md",
        "/manual/other": "web/docs/named.md",
        "/manual/sub/custom/b": "web/docs/sub/slug.md",
        "/manual/top": "web/docs/abs.md",
        "/manual/partial": "(no-source)",
        "/api/x": "web/api/x.md",
        "/blog/2024/01/02/x": "web/blog/2024-01-02-x/index.md",
        "/blog/why": "web/blog/2024-01-03-y.md",
        "/blog/undated": "web/blog/undated.md",
        "/": "web/src/pages/index.tsx",
        "/about/team": "web/src/pages/about/team.mdx",
    }
    assert sources(files, *expected, prefix="web/build") == expected


def test_the_newest_version_has_no_prefix_and_the_current_docs_are_next() -> None:
    files = {
        "docusaurus.config.ts": "export default {presets: [['classic', {docs: {}}]]}",
        "versions.json": '["2.0", "1.0"]',
        "docs/a.md": "",
        "versioned_docs/version-2.0/a.md": "",
        "versioned_docs/version-1.0/a.md": "",
    }
    assert sources(files, "/docs/a", "/docs/next/a", "/docs/1.0/a", prefix="build") == {
        "/docs/a": "versioned_docs/version-2.0/a.md",
        "/docs/next/a": "docs/a.md",
        "/docs/1.0/a": "versioned_docs/version-1.0/a.md",
    }


def test_translations_and_what_is_not_translated() -> None:
    files = {
        "docusaurus.config.js": CONFIG,
        "docs/a.md": "",
        "docs/b.md": "",
        "i18n/fr/docusaurus-plugin-content-docs/current/a.md": "",
        "src/pages/index.js": "",
    }
    found = sources(files, "/manual/a", "/fr/manual/a", "/fr/manual/b", "/fr", prefix="build")
    assert found == {
        "/manual/a": "docs/a.md",
        "/fr/manual/a": "i18n/fr/docusaurus-plugin-content-docs/current/a.md",
        "/fr/manual/b": "docs/b.md",
        "/fr": "src/pages/index.js",
    }


def test_generated_lists_are_known_as_lists() -> None:
    files = {"docusaurus.config.js": CONFIG, "blog/2024-01-02-x.md": "", "docs/a.md": ""}
    paths = (
        "/blog",
        "/blog/tags",
        "/blog/tags/x",
        "/blog/archive",
        "/blog/authors",
        "/manual/category/basics",
        "/search",
    )
    found = mapped(files, "/blog/2024/01/02/x", "/manual/a", *paths, prefix="build")
    assert [path for path in paths if found[path].kind != "list"] == ["/search"]


def test_docs_at_the_root_are_found_without_a_configuration() -> None:
    files = {f"website/docs/p{n}.md": "" for n in range(4)}
    paths = [f"/p{n}" for n in range(4)]
    assert list(sources(files, *paths, prefix="website/build", meta="Docusaurus v3.9").values()) == list(files)
