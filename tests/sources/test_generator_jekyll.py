"""Jekyll: pages, posts, collections, permalinks."""

from __future__ import annotations

from trees import mapped, sources

CONFIG = {"_config.yml": "title: x\n", "_layouts/default.html": ""}


def test_pages_and_posts_go_by_the_default_permalink() -> None:
    files = CONFIG | {
        "index.html": "",
        "about.md": "",
        "docs/index.md": "",
        "_posts/2024-05-10-Hello.md": "",
        "_drafts/secret.md": "",
        "_includes/x.html": "",
        "README.md": "",
    }
    paths = ("/", "/about.html", "/docs/", "/2024/05/10/Hello.html", "/secret.html", "/x.html")
    assert sources(files, *paths, prefix="_site") == {
        "/": "index.html",
        "/about.html": "about.md",
        "/docs/": "docs/index.md",
        "/2024/05/10/Hello.html": "_posts/2024-05-10-Hello.md",
        "/secret.html": "(no-source)",
        "/x.html": "(no-source)",
    }


def test_the_readme_of_the_repository_is_never_the_home_page_unless_the_site_says_so() -> None:
    files = CONFIG | {"README.md": "", "a.md": ""}
    assert sources(files, "/", "/a.html", prefix="_site")["/"] == "(no-source)"
    files["_config.yml"] = "plugins: [jekyll-readme-index]"
    assert sources(files, "/", "/a.html", prefix="_site")["/"] == "README.md"


def test_posts_go_by_categories_and_by_a_date_that_may_cross_midnight() -> None:
    files = {
        "_config.yml": "permalink: /news/:categories/:year/:month/:day/:title/\ntimezone: America/Los_Angeles\n",
        "_posts/2013-05-06-one.md": "---\ndate: 2013-05-06 02:12:52 +0200\n---\n",
        "blog/_posts/2014-01-01-two.md": "---\ncategories: [Dev, ops]\n---\n",
        "_posts/2015-01-01-three.md": "---\nslug: drei\n---\n",
        "_posts/2015-01-02-four.md": "---\npermalink: /special/\n---\n",
    }
    found = sources(
        files,
        "/news/2013/05/05/one/", "/news/blog/dev/ops/2014/01/01/two/", "/news/2015/01/01/drei/", "/special/",
        prefix="_site",
    )  # fmt: skip
    assert list(found.values()) == list(files)[1:]


def test_collections_go_by_their_permalinks_and_the_defaults() -> None:
    files = {
        "_config.yml": """
            collections:
              docs:
                output: true
                permalink: /:collection/:path/
              data: {}
              staff: {output: true}
            defaults:
              - scope: {path: "", type: staff}
                values: {permalink: /people/:name}
            source: site
        """,
        "site/_docs/guide/start.md": "",
        "site/_docs/other.md": "---\npermalink: /elsewhere/\n---\n",
        "site/_data/x.md": "",
        "site/_staff/ann.md": "",
    }
    found = sources(files, "/docs/guide/start/", "/elsewhere/", "/data/x.html", "/people/ann", prefix="_site")
    assert found == {
        "/docs/guide/start/": "site/_docs/guide/start.md",
        "/elsewhere/": "site/_docs/other.md",
        "/data/x.html": "(no-source)",
        "/people/ann": "site/_staff/ann.md",
    }


def test_case_is_kept() -> None:
    files = CONFIG | {"CODE_OF_CONDUCT.md": "", "code-of-conduct.md": ""}
    assert sources(files, "/code-of-conduct.html", prefix="_site") == {"/code-of-conduct.html": "code-of-conduct.md"}


def test_pagers_are_lists_and_unpublished_pages_are_none() -> None:
    files = CONFIG | {"blog/index.html": "", "gone.md": "---\npublished: false\n---\n", "gone/index.md": ""}
    found = mapped(files, "/blog/", "/blog/page2/", "/gone/", prefix="_site")
    assert found["/blog/page2/"].kind == "list"
    assert found["/gone/"].content == "gone/index.md"


def test_a_hexo_site_is_none_of_jekylls() -> None:
    files = {"_config.yml": "source_dir: source\n", "source/_posts/2024-01-01-a.md": ""}
    assert sources(files, "/2024/01/01/a.html") == {"/2024/01/01/a.html": "(no-source)"}
