"""Edit links: which link on a page leads to its source, and which only looks like it."""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sites import read_pages
from trees import BASE, map_sources

from sitemap_guard.model import EditLink, Located, Mapping, Page
from sitemap_guard.pages.locate import Locator
from sitemap_guard.urls import parse

GH = "https://github.com/o/r/"


def edit(tail: str, prefix: str = GH + "edit/", mark: str = "a edit") -> EditLink:
    return EditLink(prefix, tail, mark)


def view(tail: str, mark: str = "a") -> EditLink:
    return EditLink(GH + "blob/", tail, mark)


def found(pages: dict[str, list[EditLink]], *tracked: str) -> dict[str, Mapping]:
    """Mappings by path; the pages are given as path -> links."""
    entries = []
    for path, links in pages.items():
        file = f"{path}index.html".lstrip("/") if path.endswith("/") else path.lstrip("/")
        entries.append((BASE + path.lstrip("/"), Located("html", file), Page(file, edit_links=tuple(links))))
    mappings = map_sources(entries, prefix="public", tracked=tracked)
    return dict(zip(pages, mappings, strict=True))


def sources(pages: dict[str, list[EditLink]], *tracked: str) -> dict[str, str]:
    return {path: mapping.content for path, mapping in found(pages, *tracked).items()}


def many(count: int = 20, *, word: str = "edit", mark: str = "a edit") -> tuple[dict[str, list[EditLink]], list[str]]:
    pages = {
        f"/p{chr(97 + n)}/": [EditLink(f"{GH}{word}/", f"main/docs/p{chr(97 + n)}.md", mark)] for n in range(count)
    }
    return pages, [f"docs/p{chr(97 + n)}.md" for n in range(count)]


# ------------------------------------------------------------------------------------------------ small sites


def test_the_one_edit_link_of_one_page_leads_to_its_source() -> None:
    assert found({"/": [edit("main/docs/start.md")]}, "docs/start.md")["/"] == Mapping("docs/start.md", how="edit-link")


def test_the_one_link_of_one_page_that_shows_a_text_leads_to_its_source() -> None:
    assert sources({"/a/": [view("main/docs/a.md")]}, "docs/a.md") == {"/a/": "docs/a.md"}
    assert sources({"/a/": [view("main/src/tool.py")]}, "src/tool.py") == {"/a/": ""}
    assert sources({"/": [view("main/LICENSE")]}, "LICENSE") == {"/": ""}


def test_two_edit_links_are_ambiguous() -> None:
    mapping = found({"/": [edit("main/a.md"), edit("main/b.md")]}, "a.md", "b.md")["/"]
    assert (mapping.content, mapping.reason) == ("", "ambiguous")
    assert "a.md, b.md" in mapping.tried


def test_an_untracked_target_is_none() -> None:
    mapping = found({"/": [edit("main/gone.md")]}, "a.md")["/"]
    assert mapping.reason == "no-source"
    assert "lead to no tracked file" in mapping.tried
    assert sources({"/": [edit("main/A.md")]}, "a.md") == {"/": ""}


def test_the_same_page_listed_twice_is_one_page() -> None:
    page = Page("a/index.html", edit_links=(edit("main/a.md"),))
    entries = [(BASE + url, Located("html", "a/index.html"), page) for url in ("a/", "a/index.html")]
    mappings = map_sources(entries, prefix=None, tracked=["a.md"])
    assert [mapping.content for mapping in mappings] == ["a.md", "a.md"]


# ------------------------------------------------------------------------------------------------------ refs


@pytest.mark.parametrize("ref", ["main", "feature/new/look", "branch/main", "0123abc"])
def test_a_ref_may_hold_slashes(ref: str) -> None:
    pages = {f"/{name}/": [edit(f"{ref}/docs/{name}.md")] for name in "abc"}
    assert sources(pages, "docs/a.md", "docs/b.md", "docs/c.md") == {f"/{name}/": f"docs/{name}.md" for name in "abc"}


def test_the_ref_that_resolves_most_is_taken() -> None:
    pages = {f"/{name}/": [edit(f"main/docs/{name}.md")] for name in "abc"}
    # a.md is tracked twice; only "main" explains all three links
    assert sources(pages, "a.md", "docs/a.md", "docs/b.md", "docs/c.md")["/a/"] == "docs/a.md"


def test_of_two_refs_the_short_one_is_taken() -> None:
    assert sources({"/": [edit("main/docs/start.md")]}, "start.md", "docs/start.md") == {"/": "docs/start.md"}


def test_two_versions_of_the_site_are_not_told_apart() -> None:
    pages = {f"/{ref}/{name}/": [edit(f"{ref}/docs/{name}.md")] for name in "abc" for ref in ("v1", "v2")}
    assert set(sources(pages, "docs/a.md", "docs/b.md", "docs/c.md").values()) == {""}


# ------------------------------------------------------------------------------------------- links in the text


def test_links_in_the_text_do_not_matter() -> None:
    pages, tracked = many()
    pages["/pa/"].append(view("main/docs/pb.md"))
    pages["/pb/"] += [view("main/setup.py"), view("main/docs/pa.md")]
    pages["/none/"] = [view("main/docs/pb.md")]
    pages["/help/"] = [edit("main/docs/pa.md", mark="a")]
    answer = sources(pages, *tracked, "setup.py")
    assert answer["/pa/"] == "docs/pa.md"
    assert answer["/pb/"] == "docs/pb.md"
    assert answer["/none/"] == answer["/help/"] == ""


def test_one_edit_link_in_the_text_of_a_big_site_is_none() -> None:
    pages: dict[str, list[EditLink]] = {f"/p{n}/": [] for n in range(50)}
    pages["/contribute/"] = [edit("main/docs/start.md", mark="a")]
    assert sources(pages, "docs/start.md")["/contribute/"] == ""


def test_links_that_show_a_file_count_where_the_theme_writes_them() -> None:
    pages, tracked = many(word="tree", mark="a theme-edit-this-page")
    pages["/list/"] = []
    answer = sources(pages, *tracked)
    assert answer.pop("/list/") == ""
    assert list(answer.values()) == tracked


def test_view_links_to_code_are_none() -> None:
    pages = {f"/p{n}/": [view(f"main/src/m{n}.py")] for n in range(20)}
    assert set(sources(pages, *(f"src/m{n}.py" for n in range(20))).values()) == {""}


def test_view_links_on_few_pages_are_none() -> None:
    pages: dict[str, list[EditLink]] = {f"/x{n}/": [] for n in range(30)}
    pages |= {f"/{name}/": [view(f"main/docs/{name}.md")] for name in "abc"}
    assert set(sources(pages, "docs/a.md", "docs/b.md", "docs/c.md").values()) == {""}


def test_a_footer_link_on_every_page_is_none() -> None:
    pages = {path: [edit("main/README.md"), view("main/LICENSE")] for path in ("/", *(f"/p{n}/" for n in range(10)))}
    answer = found(pages, "README.md", "LICENSE")
    assert {mapping.content for mapping in answer.values()} == {""}


def test_links_into_another_repository_are_none() -> None:
    pages, tracked = many()
    other = "https://github.com/other/r/edit/"
    pages |= {f"/q{n}/": [edit(f"main/gen/q{n}.md", other)] for n in range(6)}
    pages["/readme/"] = [edit("main/docs/readme.md", other)]
    answer = sources(pages, *tracked, *(f"gen/q{n}.md" for n in range(6)), "docs/readme.md")
    assert answer["/pa/"] == "docs/pa.md"
    assert {answer[path] for path in answer if path.startswith("/q") or path == "/readme/"} == {""}


def test_links_that_mostly_lead_nowhere_are_of_another_repository() -> None:
    pages = {f"/q{n}/": [edit(f"main/gen/q{n}.md")] for n in range(6)} | {"/readme/": [edit("main/readme.md")]}
    assert sources(pages, "readme.md")["/readme/"] == ""


def test_a_second_layout_fills_in_for_pages_without_the_first() -> None:
    pages, tracked = many()
    blog = {
        f"/blog/{name}/": [edit(f"main/blog/2024-01-0{n}-{name}.md", mark="a post")] for n, name in enumerate("uvw", 1)
    }
    answer = sources(pages | blog, *tracked, *(f"blog/2024-01-0{n}-{name}.md" for n, name in enumerate("uvw", 1)))
    assert answer["/blog/u/"] == "blog/2024-01-01-u.md"
    two = dict(list(blog.items())[:2])
    assert sources(pages | two, *tracked, "blog/2024-01-01-u.md", "blog/2024-01-02-v.md")["/blog/u/"] == ""


# -------------------------------------------------------------------------------------------- shared targets


@pytest.mark.parametrize("languages", [("", "/fr"), ("", "/fr", "/de", "/zh-cn")])
def test_translations_that_link_to_the_original_are_ambiguous(languages: tuple[str, ...]) -> None:
    pages = {f"{lang}/{name}/": [edit(f"main/docs/{name}.md")] for name in "abc" for lang in languages}
    answer = found(pages, "docs/a.md", "docs/b.md", "docs/c.md")
    assert answer["/a/"].content == "docs/a.md"
    assert (answer["/fr/a/"].content, answer["/fr/a/"].reason) == ("", "ambiguous")
    assert "other pages have the same edit link" in answer["/fr/a/"].tried


def test_of_languages_in_folders_the_one_in_the_path_is_taken() -> None:
    pages = {f"/{lang}/{name}/": [edit(f"main/docs/en/{name}.md")] for name in "abc" for lang in ("en", "fr")}
    answer = sources(pages, "docs/en/a.md", "docs/en/b.md", "docs/en/c.md")
    assert answer == {
        f"/{lang}/{name}/": f"docs/en/{name}.md" if lang == "en" else "" for name in "abc" for lang in ("en", "fr")
    }


def test_a_list_page_that_shows_one_post_does_not_take_its_link() -> None:
    pages, tracked = many()
    pages["/list/"] = pages["/pa/"]
    answer = sources(pages, *tracked)
    assert answer["/pa/"] == "docs/pa.md"
    assert answer["/list/"] == ""


# ------------------------------------------------------------------------------------------------ real sites

REAL = {
    # site: build, folder, address, right answers
    "hugodocs": ("git", "public", "https://gohugo.io/", 724),
    "letsencrypt": ("asis", "public", "https://letsencrypt.org/", 0),
    "jekyll": ("asis", "_site", "https://jekyllrb.com/", 101),
    "click": ("html", "docs/_build/html", "https://click.palletsprojects.com/en/stable/", 0),
    "vuejs-docs": ("lastupdated", ".vitepress/dist", "https://vuejs.org/", 94),
    "js-lingui": ("git", "website/build", "https://lingui.dev/", 55),
}


@pytest.mark.parametrize("site", REAL)
def test_no_link_of_a_real_site_leads_to_a_wrong_source(
    site: str, real_site: Callable[[str, str], Path], request: pytest.FixtureRequest
) -> None:
    build, inside, base, right = REAL[site]
    folder = real_site(site, build)
    root = folder.parents[inside.count("/")]
    data = Path(os.environ.get("SITEMAP_GUARD_REAL", request.config.rootpath.parent / "shared" / "real"))
    with (data / site / "truth.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
    locator = Locator(folder, base)
    located = [locator.locate(parse(row["url"])) for row in rows]
    pages = read_pages(folder, [one.path for one in located if one.state == "html"], jobs=1)
    mappings = map_sources(
        [(row["url"], one, pages.get(one.path)) for row, one in zip(rows, located, strict=True)],
        base_url=base,
        prefix=inside,
        tracked=frozenset(names.decode().split("\0")) - {""},
    )
    answered = [
        (mapping.content, row["source"]) for mapping, row in zip(mappings, rows, strict=True) if mapping.content
    ]
    assert [pair for pair in answered if pair[0] != pair[1]] == []
    assert len(answered) == right
