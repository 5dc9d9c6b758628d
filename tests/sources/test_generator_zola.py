"""Zola: sections, pages, languages, slugs, dates before names."""

from __future__ import annotations

import pytest
from trees import mapped, sources

CONFIG = 'base_url = "https://e.org"\ndefault_language = "en"\ntaxonomies = [{name = "topics"}]\n[languages.fr]\n'
FILES = {
    "config.toml": CONFIG,
    "content/_index.md": "",
    "content/_index.fr.md": "",
    "content/about.md": "",
    "content/about.fr.md": "",
    "content/Big Blog/_index.md": "",
    "content/Big Blog/2024-01-02-first.md": "",
    "content/Big Blog/2024-01-03T10:00:00Z_second.md": "",
    "content/Big Blog/2024-13-99-none.md": "",
    "content/Big Blog/bundle/index.md": "",
    "content/slugged.md": '+++\nslug = "Über uns"\n+++\n',
    "content/moved.md": '+++\npath = "else/where"\n+++\n',
    "content/draft.md": "+++\ndraft = true\n+++\n",
    "content/v1.0.md": "",
    "README.md": "",
}


def test_pages_and_sections_go_by_path_slug_and_language() -> None:
    paths = ["/", "/fr/", "/about/", "/fr/about/", "/big-blog/", "/big-blog/first/", "/big-blog/second/", "/big-blog/2024-13-99-none/",
             "/big-blog/bundle/", "/uber-uns/", "/else/where/", "/draft/", "/moved/", "/v1-0/", "/README/"]  # fmt: skip
    blog = "content/Big Blog/"
    assert list(sources(FILES, *paths).values()) == [
        "content/_index.md", "content/_index.fr.md", "content/about.md", "content/about.fr.md", f"{blog}_index.md",
        f"{blog}2024-01-02-first.md", f"{blog}2024-01-03T10:00:00Z_second.md", f"{blog}2024-13-99-none.md",
        f"{blog}bundle/index.md", "content/slugged.md", "content/moved.md", "(no-source)", "(no-source)",
        "content/v1.0.md", "(no-source)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "path"),
    [
        ('slugify = {paths = "on"}', "/a-b/"),
        ('slugify = {paths = "safe"}', "/A_B/"),
        ('slugify = {paths = "off"}', "/A B/"),
        ("slugify = {paths_keep_dates = true}", "/a-b/"),
    ],
)
def test_how_paths_are_slugged(setting: str, path: str) -> None:
    files = {"config.toml": f'base_url = "x"\n{setting}\n', "content/A B.md": ""}
    assert sources(files, path) == {path: "content/A B.md"}


def test_taxonomies_are_lists_and_ignored_files_no_pages() -> None:
    files = FILES | {"config.toml": 'ignored_content = ["*.no.md"]\n' + CONFIG, "content/x.no.md": ""}
    found = mapped(files, "/about/", "/topics/a/", "/fr/topics/", "/big-blog/page/2/", "/x-no/")
    assert [(one.kind, bool(one.content)) for one in found.values()] == [
        ("page", True), ("list", False), ("list", False), ("list", False), ("page", False),
    ]  # fmt: skip


def test_hugo_is_not_zola() -> None:
    found = mapped({"config.toml": 'baseURL = "https://e.org"', "content/Page.md": ""}, "/page/")
    assert found["/page/"].by == "hugo"
