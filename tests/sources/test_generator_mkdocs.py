"""MkDocs: docs_dir, README, flat addresses, Material's blog, languages."""

from __future__ import annotations

from trees import mapped, sources


def test_a_readme_is_an_index_and_names_may_be_encoded() -> None:
    files = {
        "mkdocs.yml": "site_name: x\nmarkdown_extensions:\n  - toc:\n      slugify: !!python/name:a.b\n",
        "docs/index.md": "",
        "docs/guide/README.md": "",
        "docs/guide/a é.md": "",
        "docs/both/README.md": "",
        "docs/both/index.md": "",
        "README.md": "",
    }
    assert sources(files, "/", "/guide/", "/guide/a%20%C3%A9/", "/both/", prefix="site") == {
        "/": "docs/index.md",
        "/guide/": "docs/guide/README.md",
        "/guide/a%20%C3%A9/": "docs/guide/a é.md",
        "/both/": "docs/both/index.md",
    }


def test_the_readme_of_the_repository_is_no_home_page() -> None:
    files = {"mkdocs.yml": "site_name: x", "docs/a.md": "", "README.md": ""}
    assert sources(files, "/", "/a/", prefix="site")["/"] == "(no-source)"


def test_addresses_may_be_flat_and_the_folder_another() -> None:
    files = {
        "mkdocs.yml": "use_directory_urls: false\ndocs_dir: manual",
        "manual/sub/index.md": "",
        "manual/sub/x.md": "",
    }
    assert sources(files, "/sub/index.html", "/sub/x.html", prefix="site") == {
        "/sub/index.html": "manual/sub/index.md",
        "/sub/x.html": "manual/sub/x.md",
    }


def test_posts_of_materials_blog_go_by_date_and_title() -> None:
    files = {
        "mkdocs.yml": "plugins:\n  - search\n  - blog:\n      post_url_date_format: yyyy/MM\n",
        "docs/index.md": "",
        "docs/blog/index.md": "",
        "docs/blog/posts/one.md": "---\ndate: 2024-05-10\n---\n\n# A `big` Day & Night!\n",
        "docs/blog/posts/two.md": "---\ndate:\n  created: 2024-06-01\n  updated: 2024-07-01\nslug: zwei\n---\n",
        "docs/blog/posts/three.md": "---\ndate: 2024-06-02\ndraft: true\n---\n# Three\n",
    }
    paths = ("/blog/", "/blog/2024/05/a-big-day--night/", "/blog/2024/06/zwei/", "/blog/2024/06/three/")
    found = mapped(files, *paths, "/blog/archive/2024/", "/blog/category/x/", "/blog/page/2/", prefix="site")
    assert [found[path].content for path in paths] == [
        "docs/blog/index.md", "docs/blog/posts/one.md", "docs/blog/posts/two.md", "",
    ]  # fmt: skip
    assert {path for path, one in found.items() if one.kind == "list"} == {
        "/blog/", "/blog/archive/2024/", "/blog/category/x/", "/blog/page/2/",
    }  # fmt: skip


def test_languages_by_suffix_fall_back_on_the_default() -> None:
    files = {
        "mkdocs.yml": """
            plugins:
              - i18n:
                  languages:
                    - {locale: en, default: true}
                    - {locale: fr}
        """,
        "docs/a.md": "",
        "docs/a.fr.md": "",
        "docs/b.md": "",
    }
    assert sources(files, "/a/", "/fr/a/", "/b/", "/fr/b/", prefix="site") == {
        "/a/": "docs/a.md",
        "/fr/a/": "docs/a.fr.md",
        "/b/": "docs/b.md",
        "/fr/b/": "docs/b.md",
    }


def test_languages_by_folder_fall_back_on_the_default() -> None:
    files = {
        "mkdocs.yml": """
            plugins:
              - i18n:
                  docs_structure: folder
                  languages:
                    - {locale: en, default: true}
                    - {locale: de}
        """,
        "docs/en/a.md": "",
        "docs/de/a.md": "",
        "docs/en/b.md": "",
    }
    assert sources(files, "/a/", "/de/a/", "/de/b/", prefix="site") == {
        "/a/": "docs/en/a.md",
        "/de/a/": "docs/de/a.md",
        "/de/b/": "docs/en/b.md",
    }


def test_settings_may_be_inherited_or_zensicals() -> None:
    files = {"base.yml": "docs_dir: text", "x/mkdocs.yml": "INHERIT: ../base.yml", "x/text/a.md": ""}
    assert sources(files, "/a/", prefix="x/site") == {"/a/": "x/text/a.md"}
    files = {"zensical.toml": "[project]\ndocs_dir = 'text'", "text/a.md": ""}
    assert sources(files, "/a/", prefix="site") == {"/a/": "text/a.md"}
