"""Lists that are dated by the build or by nobody, and files that are copied as they are (reports)."""

from __future__ import annotations

from conftest import Repo
from dated import BASE, at
from sites import build, html

from sitemap_guard import guard
from sitemap_guard.config import Config
from sitemap_guard.model import Answer, Entry

NOW = at("2026-11-30T12:00:00+00:00")


def checked(repo: Repo, dates: dict[str, str], pages: dict[str, str]) -> dict[str, Entry]:
    site = build(repo.root / "public", pages, [(BASE + path, date) for path, date in dates.items()])
    result = guard.check(guard.Options(start=repo.root, site=str(site), now=NOW), Config())
    return {entry.claim.loc.removeprefix(BASE): entry for entry in result.site.entries}


def test_a_home_page_with_the_builds_date_gets_that_of_its_newest_post(repo: Repo) -> None:
    repo.write(".gitignore", "/public/\n")
    days = {"one": "2026-04-01", "two": "2026-05-01", "three": "2026-06-01"}
    for name, day in days.items():
        repo.commit(name, {f"posts/{name}.md": name, "index.html": "{% for post in site.posts %}"}, at=at(day))
    pages = {f"{name}/index.html": html(f"{name}/index.html", source=f"posts/{name}.md") for name in days}
    pages["index.html"] = html("index.html").replace("text", "".join(f"<a href='/{name}/'>x</a>" for name in days))
    posts = {f"{name}/": day for name, day in days.items()}
    home = checked(repo, {"": "2026-11-30", **posts}, pages)[""]
    assert home.mapping.kind == "list"
    assert (home.verdict.answer, home.verdict.rule) == (Answer.FALSE, "lastmod-too-new")
    assert home.verdict.expected == "2026-06-01"
    assert "three" in home.verdict.text
    assert checked(repo, {"": "2026-06-01", **posts}, pages)[""].verdict.answer is Answer.TRUE


def test_documents_that_never_change_keep_their_commits_date(repo: Repo) -> None:
    repo.write(".gitignore", "/public/\n")
    files = {"assets/cv.pdf": "%PDF one\n", "assets/terms.pdf": "%PDF two\n"}
    repo.commit("Papers", files, at=at("2024-01-10"))
    papers = {path.rpartition("/")[2]: text for path, text in files.items()}
    found = checked(repo, dict.fromkeys(papers, "2026-11-30T06:12:44+00:00"), papers)
    for name in papers:
        assert found[name].mapping.content == f"assets/{name}"
        assert (found[name].verdict.answer, found[name].verdict.expected) == (Answer.FALSE, "2024-01-10T12:00:00+00:00")
