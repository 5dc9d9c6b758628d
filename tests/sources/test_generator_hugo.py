"""Hugo: where content files are published."""

from __future__ import annotations

import pytest
from trees import mapped, site, sources

CONFIG = {"hugo.toml": 'baseURL = "https://e.org/"\n'}


def test_pages_sections_and_bundles_go_by_their_paths() -> None:
    files = CONFIG | {
        "content/_index.md": "",
        "content/posts/_index.md": "",
        "content/posts/My First Post.md": "",
        "content/posts/Bundle/index.md": "",
        "content/posts/Bundle/notes.md": "",
        "content/posts/What's New?.md": "",
        "content/about.html": "",
    }
    found = mapped(
        files, "/", "/posts/", "/posts/my-first-post/", "/posts/bundle/", "/posts/bundle/notes/", "/posts/whats-new/",
        "/about/",
    )  # fmt: skip
    assert {path: one.content for path, one in found.items()} == {
        "/": "content/_index.md",
        "/posts/": "content/posts/_index.md",
        "/posts/my-first-post/": "content/posts/My First Post.md",
        "/posts/bundle/": "content/posts/Bundle/index.md",
        "/posts/bundle/notes/": "",  # a resource of the bundle has no page
        "/posts/whats-new/": "content/posts/What's New?.md",
        "/about/": "content/about.html",
    }
    assert {path for path, one in found.items() if one.kind == "list"} == {"/", "/posts/"}
    assert found["/about/"].how == "generator"
    assert found["/about/"].by == "hugo"


def test_slug_url_and_permalinks_move_a_page() -> None:
    files = {
        "hugo.yaml": "baseURL: https://e.org/\npermalinks:\n  news: /:year/:month/:slugorcontentbasename/\n",
        "content/news/a.md": "---\ndate: 2024-03-05T23:00:00+02:00\n---\n",
        "content/news/b.md": "---\ndate: 2024-03-06\nslug: other\n---\n",
        "content/docs/c.md": "---\nslug: see\n---\n",
        "content/docs/d.md": "+++\nurl = '/deep/down.html'\n+++\n",
    }
    assert sources(files, "/2024/03/a/", "/2024/03/other/", "/docs/see/", "/deep/down.html", "/docs/c/") == {
        "/2024/03/a/": "content/news/a.md",
        "/2024/03/other/": "content/news/b.md",
        "/docs/see/": "content/docs/c.md",
        "/deep/down.html": "content/docs/d.md",
        "/docs/c/": "(no-source)",
    }


def test_a_file_may_take_the_place_of_another() -> None:
    files = CONFIG | {
        "content/new.md": "---\nurl: /old/\n---\n",
        "content/old.md": "---\nurl: /older/\n---\n",
    }
    assert sources(files, "/old/") == {"/old/": "content/new.md"}


def test_two_files_at_one_address_are_told() -> None:
    files = CONFIG | {"content/a.md": "", "content/a/index.md": "", "content/b.md": ""}
    one = mapped(files, "/a/", "/b/")["/a/"]
    assert (one.content, one.reason) == ("", "ambiguous")
    assert "two files fit: content/a.md, content/a/index.md; name one with [[source]]" in one.tried
    files["content/a.md"] = "---\ndraft: true\n---\n"
    assert sources(files, "/a/", "/b/")["/a/"] == "content/a/index.md"


def test_a_suffix_tells_the_language() -> None:
    files = {
        "config/_default/hugo.toml": "baseURL = 'https://e.org/'\ndefaultContentLanguage = 'en'",
        "config/_default/languages.toml": "[en]\nweight = 1\n[de]\nweight = 2\n",
        "content/a.md": "",
        "content/a.de.md": "",
        "content/v1.2.md": "",
    }
    assert sources(files, "/a/", "/de/a/", "/v1.2/") == {
        "/a/": "content/a.md",
        "/de/a/": "content/a.de.md",
        "/v1.2/": "content/v1.2.md",
    }


def test_a_folder_tells_the_language_of_the_default_one_too() -> None:
    files = {
        "hugo.toml": """
            baseURL = "https://e.org/"
            defaultContentLanguageInSubdir = true
            [languages.en]
            contentDir = "content/english"
            [languages.pt-br]
            contentDir = "content/portuguese"
        """,
        "content/english/a.md": "",
        "content/portuguese/a.md": "",
    }
    assert sources(files, "/en/a/", "/pt-br/a/") == {
        "/en/a/": "content/english/a.md",
        "/pt-br/a/": "content/portuguese/a.md",
    }


def test_mounted_folders_are_content() -> None:
    files = {
        "hugo.toml": """
            baseURL = "https://e.org/"
            [[module.mounts]]
            source = "docs"
            target = "content/manual"
        """,
        "docs/x.md": "",
        "content/y.md": "",
    }
    assert sources(files, "/manual/x/", "/y/") == {"/manual/x/": "docs/x.md", "/y/": "content/y.md"}


def test_the_site_that_was_built_is_taken_and_not_the_root() -> None:
    files = {"web/site/hugo.toml": "baseURL = 'https://e.org/'", "web/site/content/a.md": "", "content/a.md": ""}
    assert sources(files, "/a/", prefix="web/site/public") == {"/a/": "web/site/content/a.md"}


def test_without_its_configuration_the_languages_show_in_the_addresses() -> None:
    files = {f"content/{code}/p{n}.md": "" for code in ("en", "fr") for n in range(3)} | {"content/en/_index.md": ""}
    paths = [f"/p{n}/" for n in range(3)] + [f"/fr/p{n}/" for n in range(3)]
    found = sources(files, *paths, meta="Hugo 0.150.0")
    assert found == {path: f"content/{'fr' if path.startswith('/fr') else 'en'}/{path[-3:-1]}.md" for path in paths}


def test_a_permalink_is_learnt_only_when_the_addresses_show_it() -> None:
    dated = {
        f"content/post/2024-01-0{n}-name{n}.md": f"---\ndate: 2024-01-0{n}\nslug: name{n}\n---\n" for n in (1, 2, 3)
    }
    files = {"content/_index.md": "", "content/a.md": "", "content/b.md": "", "content/c.md": "", **dated}
    paths = ["/", "/a/", "/b/", "/c/", *(f"/2024/01/0{n}/name{n}.html" for n in (1, 2, 3))]
    assert sources(files, *paths, meta="hugo")["/2024/01/02/name2.html"] == "content/post/2024-01-02-name2.md"
    # The day is another one: not that post.
    wrong = [path.replace("/2024/01/", "/2024/02/") for path in paths]
    assert sources(files, *wrong, meta="hugo")["/2024/02/02/name2.html"] == "(no-source)"


@pytest.mark.parametrize(
    "path", ["/tags/", "/tags/go/", "/categories/x/", "/page/2/", "/posts/page/3/", "/2024/", "/2024/05/"]
)
def test_lists_without_a_file_are_known_as_lists(path: str) -> None:
    files = CONFIG | {"content/a.md": ""}
    assert mapped(files, "/a/", path)[path].kind == "list"


def test_case_is_kept_when_the_configuration_says_so() -> None:
    files = {"hugo.toml": "baseURL = 'x'\ndisablePathToLower = true", "content/About.md": "", "content/about.md": ""}
    assert sources(files, "/About/", "/about/") == {"/About/": "content/About.md", "/about/": "content/about.md"}


def test_front_matter_is_read_only_where_names_do_not_do() -> None:
    files = CONFIG | {f"content/p{n}.md": "" for n in range(50)} | {"content/q.md": "---\nslug: r\n---\n"}
    found = site(files, *(f"/p{n}/" for n in range(50)), "/r/")
    assert found.mappings[-1].content == "content/q.md"
    assert set(found.tree._matters) == {"content/q.md"}
