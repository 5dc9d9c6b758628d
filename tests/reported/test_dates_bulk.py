"""Commits that touch many pages and change little (reports)."""

from __future__ import annotations

import pytest
from conftest import Repo
from dated import at, check

from sitemap_guard.model import Answer

NAMES = [f"p{number}" for number in range(12)]


def written(repo: Repo, front: str = "") -> None:
    for day, name in enumerate(NAMES, 1):
        repo.commit(name, {f"{name}.md": f"{front}# {name}\n\nSome text of {name}.\n"}, at=at(f"2026-01-{day:02}"))


def dates_of(day: str) -> dict[str, str | None]:
    return dict.fromkeys(NAMES, day)


FIRST = {name: f"2026-01-{day:02}" for day, name in enumerate(NAMES, 1)}


def test_a_listed_commit_need_not_count(repo: Repo) -> None:
    written(repo)
    formatted = repo.commit(
        "format", {f"{name}.md": f"# {name}\n\nSome text, of {name}.\n" for name in NAMES}, at=at("2026-05-01")
    )
    assert check(repo, FIRST).rule("p0") == "lastmod-too-old"
    repo.commit("list it", {".git-blame-ignore-revs": f"# the formatter\n{formatted}\n"}, at=at("2026-05-02"))
    assert check(repo, FIRST).about_dates() == []
    told = check(repo, dates_of("2026-05-01"))
    found = told.found("lastmod-overstated")
    assert len(found) == 12
    assert {finding.level.word for finding in found} == {"warning"}
    assert "only ignored commits changed the file since 2026-01-01" in found[0].message
    assert found[0].expected == "2026-01-01"
    assert not told.found("lastmod-cluster")  # one fault is one finding
    assert check(repo, FIRST, strict=True).rule("p0") == "lastmod-too-old"
    assert check(repo, dates_of("2026-05-01"), strict=True).found("lastmod-overstated") == []


def test_the_list_may_have_another_name(repo: Repo) -> None:
    written(repo)
    formatted = repo.commit("format", {f"{n}.md": f"# {n}\n\nOther text.\n" for n in NAMES}, at=at("2026-05-01"))
    repo.commit("list it", {"etc/revs": f"{formatted}  # the formatter\n"}, at=at("2026-05-02"))
    assert check(repo, FIRST, ignore_revs="etc/revs").about_dates() == []


def test_front_matter_that_does_not_count_is_named_in_the_cluster(repo: Repo) -> None:
    written(repo, "---\ntitle: T\n---\n")
    repo.commit(
        "Add SEO fields",
        {f"{n}.md": f"---\ntitle: T\nog: x\nrobots: y\n---\n# {n}\n\nSome text of {n}.\n" for n in NAMES},
        at=at("2026-05-01"),
    )
    assert check(repo, FIRST).about_dates() == []
    told = check(repo, dates_of("2026-05-01") | {"p0": "2026-01-01"})
    assert told.about_dates("error") == []
    (finding,) = told.found("lastmod-cluster")
    assert finding.level.word == "warning"
    assert '"Add SEO fields"' in finding.message
    assert "dates 11 of 12 pages; it changed 11 of them in front matter alone" in finding.message
    assert ".git-blame-ignore-revs" in finding.cure


def test_half_of_the_pages_on_one_commit_is_no_cluster(repo: Repo) -> None:
    written(repo)
    repo.commit("half", {f"{name}.md": "rewritten\n" for name in NAMES[:6]}, at=at("2026-05-01"))
    told = check(repo, FIRST | dict.fromkeys(NAMES[:6], "2026-05-01"))
    assert told.about_dates() == []


def test_a_commit_that_created_the_pages_is_only_told(repo: Repo) -> None:
    repo.commit("Import", {f"{name}.md": f"{name}\n" for name in NAMES}, at=at("2026-05-01"))
    told = check(repo, dates_of("2026-05-01"))
    assert told.about_dates() == []
    (finding,) = told.found("lastmod-cluster")
    assert finding.level.word == "info"
    assert "created" in finding.message


@pytest.mark.parametrize("counted", ["title", "description"])
def test_title_and_description_count(repo: Repo, counted: str) -> None:
    repo.commit("one", {"a.md": f"---\n{counted}: One\n---\ntext\n"}, at=at("2026-01-01"))
    repo.commit("two", {"a.md": f"---\n{counted}: Two\n---\ntext\n"}, at=at("2026-05-01"))
    assert check(repo, {"a": "2026-01-01"}).rule("a") == "lastmod-too-old"
    assert check(repo, {"a": "2026-01-01"}, counting_keys=()).about_dates() == []


@pytest.mark.parametrize(
    "after", ["one two\nthree\n\n\n", "one two three", "one\r\ntwo three\r\n", "\ufeffone two\nthree\n"]
)
def test_white_space_wrapping_and_line_endings_need_not_count(repo: Repo, after: str) -> None:
    repo.git("config", "core.autocrlf", "false")
    repo.commit("one", {"a.md": "one two\nthree\n"}, at=at("2026-01-01"))
    repo.commit("two", {"a.md": after}, at=at("2026-05-01"))
    for day in ("2026-01-01", "2026-05-01"):
        assert check(repo, {"a": day}).about_dates() == []


def test_a_change_of_mode_need_not_count(repo: Repo) -> None:
    repo.commit("one", {"a.md": "one\n"}, at=at("2026-01-01"))
    (repo.root / "a.md").chmod(0o755)
    repo.commit("mode", at=at("2026-05-01"))
    told = check(repo, {"a": "2026-01-01"})
    assert told.about_dates() == []
    assert told.verdict("a").witness is not None


def test_a_typo_may_be_left_out_where_the_site_says_so(repo: Repo) -> None:
    repo.commit("one", {"a.md": "teh text of a page\n"}, at=at("2026-01-01"))
    repo.commit("typo", {"a.md": "the text of a page\n"}, at=at("2026-05-01"))
    assert check(repo, {"a": "2026-05-01"}).about_dates() == []
    assert check(repo, {"a": "2026-01-01"}).rule("a") == "lastmod-too-old"  # nothing is guessed from the size
    assert check(repo, {"a": "2026-01-01"}, min_change=3).about_dates() == []
    assert check(repo, {"a": "2026-05-01"}, min_change=3).about_dates() == []


def test_a_copyright_year_may_be_left_out_where_the_site_says_so(repo: Repo) -> None:
    repo.commit("one", {"a.html": "<p>text</p><footer>© 2025 us</footer>\n"}, at=at("2025-01-01"))
    repo.commit("year", {"a.html": "<p>text</p><footer>© 2026 us</footer>\n"}, at=at("2026-01-01"))
    sources = {"a": "a.html"}
    assert check(repo, {"a": "2025-01-01"}, sources=sources).rule("a") == "lastmod-too-old"
    assert check(repo, {"a": "2025-01-01"}, sources=sources, trivial=(r"©\s*\d{4}",)).about_dates() == []


def test_the_chain_ends_at_the_first_change_of_substance(repo: Repo) -> None:
    repo.commit("one", {"a.md": "one\n"}, at=at("2026-01-01"))
    repo.commit("two", {"a.md": "two\n"}, at=at("2026-02-01"))
    repo.commit("space", {"a.md": "two \n"}, at=at("2026-03-01"))
    repo.commit("front", {"a.md": "---\nkey: x\n---\ntwo \n"}, at=at("2026-04-01"))
    for day in ("2026-02-01", "2026-03-01", "2026-04-01"):
        assert check(repo, {"a": day}).answer("a") is Answer.TRUE
    told = check(repo, {"a": "2026-01-01"})
    assert told.rule("a") == "lastmod-too-old"
    assert "in front matter alone" in told.about_dates("error")[0].message


def test_what_went_there_and_back_again_was_a_change(repo: Repo) -> None:
    for day, text in (("2026-01-01", "one\n"), ("2026-02-01", "two\n"), ("2026-03-01", "one\n")):
        repo.commit(text, {"a.md": text}, at=at(day))
    assert check(repo, {"a": "2026-01-01"}).rule("a") == "lastmod-too-old"
    assert check(repo, {"a": "2026-03-01"}).about_dates() == []


def test_without_contents_moves_are_known_and_the_rest_cannot_be_told(repo: Repo, make_repo: object, tmp_path) -> None:  # type: ignore[no-untyped-def]
    repo.commit("one", {"a.md": "one\n", "b.md": "a page that moves\n"}, at=at("2026-01-01"))
    repo.commit("space", {"a.md": "one \n"}, at=at("2026-03-01"))
    repo.git("mv", "b.md", "c.md")
    repo.commit("move", at=at("2026-04-01"))
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = Repo(tmp_path / "elsewhere")
    clone.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.root}", str(tmp_path / "bare"))
    clone.git("fetch", "-q", "--filter=blob:none", f"file://{repo.root}", "main:there")
    clone.git("config", "remote.origin.url", f"file://{tmp_path}/gone")
    clone.git("config", "remote.origin.promisor", "true")
    clone.git("config", "remote.origin.partialclonefilter", "blob:none")
    clone.git("symbolic-ref", "HEAD", "refs/heads/there")
    told = check(clone, {"a": "2026-01-01", "c": "2026-01-01", "d": "2025-01-01"}, sources={"d": "a.md"})
    assert told.answer("c") is Answer.TRUE
    assert (told.answer("a"), told.verdict("a").reason) == (Answer.CANNOT_TELL, "partial")
    assert told.rule("d") == "lastmod-too-old"  # no change was made then, whatever the contents
    assert any("partial clone" in note.why for note in told.result.skipped)
