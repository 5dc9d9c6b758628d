"""Manifests: found without asking, and named in the configuration."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from trees import tree_of

from sitemap_guard.config import ManifestFile
from sitemap_guard.model import Located, Mapping, UserError
from sitemap_guard.sources.manifests.tables import rows_of
from sitemap_guard.sources.mapper import map_site

BASE = "https://e.org/docs/"


def found(
    root: Path, files: list[str], *urls: str, prefix: str = "public", manifests: list[ManifestFile] | None = None
) -> dict[str, Mapping]:
    folder = root / prefix
    folder.mkdir(parents=True, exist_ok=True)
    mapped = map_site(
        [(BASE + url, Located("missing"), None) for url in urls],
        base_url=BASE,
        prefix=prefix,
        tree=tree_of(dict.fromkeys(files, "")),
        manifests=manifests or [],
        folder=folder,
        root=root,
    )
    return dict(zip(urls, mapped.mappings, strict=True))


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


# ------------------------------------------------------------------------------------------- left by generators


@pytest.mark.parametrize(
    "index",
    [
        'Search.setIndex({"alltitles":{"x,docnames:[":1},"docnames":["index","a/b"],"filenames":["index.rst","a/b.md"]})',
        'Search.setIndex({docnames:["index","a/b"],envversion:{x:1},filenames:["index.rst","a/b.md"],objects:{}})',
    ],
)
@pytest.mark.parametrize("urls", [("", "a/b.html"), ("", "a/b/")])
def test_the_search_index_of_sphinx_names_every_source(tmp_path: Path, index: str, urls: tuple[str, str]) -> None:
    write(tmp_path / "public" / "searchindex.js", index)
    answers = found(tmp_path, ["manual/index.rst", "manual/a/b.md", "manual/conf.py"], *urls, "genindex.html")
    assert [(one.content, one.by) for one in answers.values()] == [
        ("manual/index.rst", "searchindex.js"), ("manual/a/b.md", "searchindex.js"), ("", ""),
    ]  # fmt: skip


def test_a_search_index_speaks_for_its_own_folder(tmp_path: Path) -> None:
    index = 'Search.setIndex({"docnames":["index","a"],"filenames":["index.rst","a.rst"]})'
    write(tmp_path / "public/en/latest/searchindex.js", index)
    answers = found(tmp_path, ["index.rst", "a.rst"], "en/latest/a.html", "a.html")
    assert [one.content for one in answers.values()] == ["a.rst", ""]


@pytest.mark.parametrize(
    "text", ["", "Search.setIndex(", "Search.setIndex([1])", 'Search.setIndex({"docnames":["a"]})']
)
def test_a_broken_index_is_none(tmp_path: Path, text: str) -> None:
    write(tmp_path / "public" / "searchindex.js", text)
    assert found(tmp_path, ["a.rst"], "a.html")["a.html"].content == ""


def test_what_docusaurus_leaves_names_every_source(tmp_path: Path) -> None:
    folder = tmp_path / "web" / ".docusaurus" / "docusaurus-plugin-content-docs" / "default"
    write(folder / "a.json", json.dumps({"permalink": "/docs/a", "source": "@site/docs/01-a.md"}))
    write(
        folder / "p" / "index.json",
        json.dumps({"version": {"docs": [{"permalink": "/docs/b", "source": "@site/x/b.md"}]}}),
    )
    write(folder / "gone.json", json.dumps({"permalink": "/docs/c", "source": "@site/docs/c.md"}))
    write(folder / "broken.json", "{")
    answers = found(tmp_path, ["web/docs/01-a.md", "web/x/b.md", "docs/01-a.md"], "a", "b/", "c", prefix="web/build")
    assert [one.content for one in answers.values()] == ["web/docs/01-a.md", "web/x/b.md", ""]
    assert answers["a"].by == ".docusaurus"


def test_the_database_of_hexo_names_every_source(tmp_path: Path) -> None:
    models = {
        "Page": [{"source": "about/index.md", "path": "about/index.html"}],
        "Post": [{"source": "_posts/hi.md", "slug": "hi", "date": "2024-05-10T12:00:00.000Z"}],
    }
    write(tmp_path / "db.json", json.dumps({"meta": {}, "models": models}))
    answers = found(tmp_path, ["source/about/index.md", "source/_posts/hi.md"], "about/", "2024/05/10/hi/")
    assert [(one.content, one.by) for one in answers.values()] == [
        ("source/about/index.md", "db.json"), ("source/_posts/hi.md", "db.json"),
    ]  # fmt: skip


# --------------------------------------------------------------------------------------- named in the configuration

HUGO = """\x1b[95mRunning Hugo 0.168.0\x1b[0m
path,slug,title,date,expiryDate,publishDate,draft,permalink,kind,section
content/a.md,,"A, title",2024-01-01T00:00:00Z,,,false,https://e.org/docs/a/,page,
content/never.md,,N,,,,false,,page,
content/gone.md,,N,,,,false,https://e.org/docs/gone/,page,
"""
ELEVENTY = """[11ty] Copied 3 files
[{"url":"/docs/a/","inputPath":"./content/a.md","outputPath":"x","content":"<p>{}</p>"},
 {"url":false,"inputPath":"./content/b.md"},
 {"url":"/docs/t/1/","inputPath":"./content/t.njk"},{"url":"/docs/t/2/","inputPath":"./content/t.njk"},
 {"url":"/docs/v/","inputPath":"./virtual.njk"}]
[11ty] Wrote 0 files
"""


@pytest.mark.parametrize("form", ["", "hugo-list-csv"])
def test_the_list_of_hugo_is_read_behind_its_noise(tmp_path: Path, form: str) -> None:
    write(tmp_path / "list.csv", HUGO)
    manifest = ManifestFile(file="list.csv", format=form)  # type: ignore[arg-type]
    answers = found(tmp_path, ["content/a.md", "content/never.md"], "a/", "gone/", manifests=[manifest])
    assert [one.content for one in answers.values()] == ["content/a.md", ""]
    assert (answers["a/"].how, answers["a/"].by) == ("manifest", "list.csv")


def test_a_command_may_print_the_json_of_eleventy(tmp_path: Path) -> None:
    write(tmp_path / "print.py", f"print({ELEVENTY!r})")
    manifest = ManifestFile(command=(sys.executable, "print.py"))
    answers = found(tmp_path, ["content/a.md", "content/t.njk"], "a/", "t/1/", "t/2/", "v/", manifests=[manifest])
    assert [one.content for one in answers.values()] == ["content/a.md", "content/t.njk", "content/t.njk", ""]


@pytest.mark.parametrize(
    "text",
    [
        "url\tpath\n/docs/a/\ta.md\n",
        "path;url\na.md;https://preview.test/docs/a/\n",
        '[{"url": "/docs/a/", "path": "a.md"}]',
        '{"/docs/a/": "a.md"}',
        '{"pages": [{"url": "/docs/a/", "source": "./a.md"}]}',
    ],
)
def test_plain_tables_may_have_paths_from_another_folder(tmp_path: Path, text: str) -> None:
    write(tmp_path / "pages", text)
    answers = found(tmp_path, ["web/src/a.md", "x.md"], "a/", manifests=[ManifestFile(file="pages", root="web/src")])
    assert answers["a/"].content == "web/src/a.md"


def test_paths_may_be_absolute_or_from_the_folder_above_the_built_one(tmp_path: Path) -> None:
    write(tmp_path / "pages", f"url,path\n/docs/a/,a.md\n/docs/b/,{tmp_path}/web/b.md\n")
    answers = found(
        tmp_path, ["web/a.md", "web/b.md"], "a/", "b/", prefix="web/out", manifests=[ManifestFile(file="pages")]
    )
    assert [one.content for one in answers.values()] == ["web/a.md", "web/b.md"]


def test_a_path_that_climbs_out_is_none(tmp_path: Path) -> None:
    write(tmp_path / "pages", "url,path\n/docs/a/,../../a.md\n")
    with pytest.raises(UserError, match="not tracked"):
        found(tmp_path, ["a.md"], "a/", manifests=[ManifestFile(file="pages")])


def test_a_manifest_may_name_further_files(tmp_path: Path) -> None:
    write(tmp_path / "pages", '[{"url": "/docs/a/", "path": "a.md", "also": ["b.py", "gone.py"]}]')
    assert found(tmp_path, ["a.md", "b.py"], "a/", manifests=[ManifestFile(file="pages")])["a/"].also == ("b.py",)


def test_one_address_with_two_files_is_told(tmp_path: Path) -> None:
    write(tmp_path / "pages", "url,path\n/docs/a/,a.md\n/docs/a/,b.md\n")
    assert found(tmp_path, ["a.md", "b.md"], "a/", manifests=[ManifestFile(file="pages")])["a/"].reason == "ambiguous"


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        (ManifestFile(file="none.csv"), "no such file"),
        (ManifestFile(), "either file or command"),
        (ManifestFile(command=("no-such-program-here",)), "there is no program no-such-program-here"),
        (ManifestFile(command=(sys.executable, "-c", "import sys; sys.exit('it broke')")), "ended with 1: it broke"),
        (ManifestFile(command=(sys.executable, "-c", "print('hello')")), "no JSON with an address"),
    ],
)
def test_what_cannot_be_used_is_an_error(tmp_path: Path, manifest: ManifestFile, says: str) -> None:
    with pytest.raises(UserError, match=says):
        found(tmp_path, ["a.md"], "a/", manifests=[manifest])


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    manifest = ManifestFile(command=(sys.executable, "-c", "import sys; print(sys.argv)", "$(touch x)", "; touch y"))
    with pytest.raises(UserError):
        found(tmp_path, ["a.md"], "a/", manifests=[manifest])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["public"]


def test_rows_without_an_address_or_a_path_are_passed_over() -> None:
    assert [row.path for row in rows_of("url,path\n,a.md\n/b/,\n/c/,c.md\nshort\n", "csv")] == ["c.md"]


def test_the_folder_of_the_paths_is_the_one_that_has_most_of_them(tmp_path: Path) -> None:
    write(tmp_path / "pages", "url,path\n/docs/,README.md\n/docs/a/,x/a.md\n/docs/b/,x/b.md\n")
    files = ["README.md", "web/src/README.md", "web/src/x/a.md", "web/src/x/b.md"]
    answers = found(tmp_path, files, "", "a/", manifests=[ManifestFile(file="pages")])
    assert [one.content for one in answers.values()] == ["web/src/README.md", "web/src/x/a.md"]


def test_two_folders_that_do_as_well_are_no_answer(tmp_path: Path) -> None:
    write(tmp_path / "pages", "url,path\n/docs/a/,x/a.md\n")
    files = ["en/x/a.md", "fr/x/a.md"]
    with pytest.raises(UserError, match="with root"):
        found(tmp_path, files, "a/", manifests=[ManifestFile(file="pages")])
    with_root = [ManifestFile(file="pages", root="fr")]
    assert found(tmp_path, files, "a/", manifests=with_root)["a/"].content == "fr/x/a.md"
