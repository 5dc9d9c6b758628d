"""Pelican: slugs from titles, settings for addresses, translations."""

from __future__ import annotations

import pytest
from trees import mapped, sources

CONF = "SITENAME = 'x'\nPATH = 'content'\nDEFAULT_LANG = 'en'\n"


def site(conf: str = "", **files: str) -> dict[str, str]:
    named = {f"content/{name.replace('__', '/').replace('_DOT_', '.')}": text for name, text in files.items()}
    return {"pelicanconf.py": CONF + conf, "README.rst": "Home\n====\n", **named}


def test_articles_and_pages_go_by_the_slugs_of_their_titles() -> None:
    files = site(
        a_DOT_md="Title: Déjà vu: “quoted” & more_stuff\nDate: 2024-05-01\n\nText",
        b_DOT_md="Title: Anything\nSlug: mine\n\nText",
        c_DOT_rst="A title in reST\n###############\n\n:date: 2024-05-18\n\nText\n",
        d_DOT_md="---\ntitle: In YAML\n---\n",
        e_DOT_html="<html><head><title>In HTML</title><meta name='slug' content='html-slug'></head></html>",
        f_DOT_md="Title: Saved\nSave_as: special/index.html\n",
        g_DOT_md="Title: A draft\nStatus: draft\n",
        h_DOT_md="Title: 中文\n",
        pages__about_DOT_md="Title: About us\n",
        pages__home_DOT_md="Title: Home\nsave_as: index.html\n",
    )
    assert sources(files, "/deja-vu-quoted-more_stuff.html", "/mine.html", "/a-title-in-rest.html", "/in-yaml.html", "/html-slug.html",
                   "/special/", "/a-draft.html", "/drafts/a-draft.html", "/zhong-wen.html", "/pages/about-us.html", "/", "/README.html") == {
        "/deja-vu-quoted-more_stuff.html": "content/a.md",
        "/mine.html": "content/b.md",
        "/a-title-in-rest.html": "content/c.rst",
        "/in-yaml.html": "content/d.md",
        "/html-slug.html": "content/e.html",
        "/special/": "content/f.md",
        "/a-draft.html": "(no-source)",
        "/drafts/a-draft.html": "content/g.md",
        "/zhong-wen.html": "(no-source)",
        "/pages/about-us.html": "content/pages/about.md",
        "/": "content/pages/home.md",
        "/README.html": "(no-source)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("conf", "file", "text", "path"),
    [
        ("ARTICLE_URL = '{date:%Y}/{date:%b}/{slug}/'", "a.md", "Title: X\nDate: 2024-05-06 10:00", "/2024/May/x/"),
        (
            "ARTICLE_SAVE_AS = '{category}/{slug}/index.html'",
            "a.md",
            "Title: X\nCategory: Big Things",
            "/big-things/x/",
        ),
        ("ARTICLE_URL = '{category}/{slug}/'", "trips/a.md", "Title: X", "/trips/x/"),
        ("ARTICLE_URL = '{category}/{slug}/'", "a.md", "Title: X", "/misc/x/"),
        ("SLUGIFY_SOURCE = 'basename'", "Some_File.md", "Title: X", "/some_file.html"),
        (
            "FILENAME_METADATA = r'(?P<date>\\d{4}-\\d{2}-\\d{2})_(?P<slug>.*)'",
            "2024-01-02_named.md",
            "Title: X",
            "/named.html",
        ),
        ("BASE = 'log/'\nARTICLE_URL = BASE + '{slug}.html'", "a.md", "Title: X", "/log/x.html"),
        (
            "DEFAULT_CATEGORY = 'all'\nARTICLE_URL = '{category}/{slug}.html'\nUSE_FOLDER_AS_CATEGORY = False",
            "trips/a.md",
            "Title: X",
            "/all/x.html",
        ),
    ],
)
def test_settings_of_addresses_are_filled_in(conf: str, file: str, text: str, path: str) -> None:
    assert sources({"pelicanconf.py": CONF + conf, f"content/{file}": text + "\n"}, path) == {path: f"content/{file}"}


def test_a_translation_has_its_language_in_the_address() -> None:
    files = site(a_DOT_md="Title: A\nSlug: same\n", a_fr_DOT_md="Title: B\nSlug: same\nLang: fr\n")
    assert sources(files, "/same.html", "/same-fr.html") == {
        "/same.html": "content/a.md",
        "/same-fr.html": "content/a_fr.md",
    }


def test_one_title_twice_is_told() -> None:
    files = site(a_DOT_md="Title: Same\n", b_DOT_md="Title: Same\n")
    assert sources(files, "/same.html") == {"/same.html": "(ambiguous)"}


def test_a_program_is_not_run() -> None:
    files = site("import os\nos.system('x')\nARTICLE_URL = make()\n", a_DOT_md="Title: X\n")
    assert sources(files, "/x.html") == {"/x.html": "content/a.md"}
    assert sources({"pelicanconf.py": "SITENAME = (" * 500, "content/a.md": "Title: X\n"}, "/x.html") == {
        "/x.html": "(no-source)"
    }


def test_lists_are_known_by_their_settings() -> None:
    files = site("TAG_URL = 'topic/{slug}/'\n", a_DOT_md="Title: X\n")
    found = mapped(files, "/topic/x/", "/category/a2.html", "/index3.html", "/archives.html", "/x.html")
    assert [one.kind for one in found.values()] == ["list", "list", "list", "list", "page"]
