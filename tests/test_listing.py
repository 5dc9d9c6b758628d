"""Pages that list others, judged on real repositories; and dates that stand on what a source takes in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, build

from sitemap_guard import guard
from sitemap_guard.config import Config
from sitemap_guard.judgement.facts import Facts, Rules
from sitemap_guard.judgement.listing import judge_lists
from sitemap_guard.model import Answer, Entry, Repository

MARCH, MAY, JUNE = "2026-03-01T09:00:00Z", "2026-05-01T09:00:00Z", "2026-06-01T09:00:00Z"
SECONDS = {MARCH: 1772355600, MAY: 1777626000, JUNE: 1780304400}
PAGE = "<!doctype html><html lang='{lang}'><title>t</title><body>{body}</body></html>"


@pytest.fixture
def blog(repo: Repo) -> Repo:
    """A Hugo blog: two posts (March, June), another language (May), a section with a file of its own (March)."""
    first = {"hugo.toml": "baseURL = 'x'\n[languages.en]\n[languages.de]\n", ".gitignore": "/public/\n"}
    repo.commit("1", first | {"content/blog/a.md": "a", "content/docs/_index.md": "d"}, at=SECONDS[MARCH])
    repo.commit("2", {"content/blog/a.de.md": "a"}, at=SECONDS[MAY])
    repo.commit("3", {"content/blog/b.md": "b", "content/docs/x.md": "x"}, at=SECONDS[JUNE])
    return repo


def judged(
    repo: Repo, entries: list[tuple[str, str | None]], *, links: dict[str, str] | None = None
) -> dict[str, Entry]:
    pages = {}
    for path, _ in entries:
        body = (links or {}).get(path, "")
        pages[f"{path}index.html"] = PAGE.format(lang="de" if path.startswith("de/") else "en", body=body)
    site = build(repo.root / "public", pages, [(BASE + path, date) for path, date in entries])
    result = guard.check(guard.Options(start=repo.root, site=str(site), now=SECONDS[JUNE] + 90 * 86400), Config())
    return {path: entry for (path, _), entry in zip(entries, result.site.entries, strict=True)}


POSTS: list[tuple[str, str | None]] = [("blog/a/", MARCH), ("blog/b/", JUNE), ("de/blog/a/", MAY), ("docs/x/", JUNE)]


def test_the_date_proposed_for_a_list_is_its_own_where_that_is_newer(repo: Repo) -> None:
    first = {"hugo.toml": "baseURL = 'x'\n", ".gitignore": "/public/\n", "content/docs/x.md": "x"}
    repo.commit("1", first, at=SECONDS[MARCH])
    repo.commit("2", {"content/docs/_index.md": "d"}, at=SECONDS[MAY])
    told = judged(repo, [("docs/x/", MARCH), ("docs/", "2026-08-01T09:00:00Z")])["docs/"].verdict
    assert (told.answer, told.rule, told.expected) == (Answer.FALSE, "lastmod-too-new", MAY)
    assert told.witness is not None
    assert told.witness.path == "content/docs/_index.md"
    repo.commit("3", {"content/docs/x.md": "y"}, at=SECONDS[JUNE])
    told = judged(repo, [("docs/x/", JUNE), ("docs/", "2026-08-01T09:00:00Z")])["docs/"].verdict
    assert (told.answer, told.expected) == (Answer.FALSE, JUNE)


@pytest.mark.parametrize(
    ("path", "date", "answer", "rule"),
    [
        ("blog/", JUNE, "true", ""),  # the newest post
        ("blog/", "2026-06-01", "true", ""),
        ("blog/", "2026-08-01", "false", "lastmod-too-new"),  # the build's clock
        ("blog/", "2026-02-01", "false", "lastmod-too-old"),
        ("blog/", "2026-04-01", "false", "lastmod-unmatched"),
        ("blog/", MARCH, "cannot_tell", ""),  # a post, though not the newest: the list may leave that out
        ("de/", MAY, "true", ""),  # the newest page in its language
        ("", JUNE, "true", ""),
        ("docs/", MARCH, "true", ""),  # its own file
        ("docs/", JUNE, "true", ""),  # the newest page below it
        ("docs/", "2026-08-01", "false", "lastmod-too-new"),
    ],
)
def test_a_list_stands_on_its_newest_page(blog: Repo, path: str, date: str, answer: str, rule: str) -> None:
    entry = judged(blog, [*POSTS, (path, date)])[path]
    assert entry.mapping.kind == "list"
    assert (entry.verdict.answer.value, entry.verdict.rule) == (answer, rule)


def test_the_newest_page_is_named_and_proposed(blog: Repo) -> None:
    verdict = judged(blog, [*POSTS, ("blog/", "2026-08-01")])["blog/"].verdict
    assert verdict.expected == "2026-06-01"
    assert verdict.text == "the newest page below it, content/blog/b.md, last changed 2026-06-01 09:00 UTC"
    assert verdict.witness is not None
    assert verdict.witness.kind == "child"


def test_a_tag_page_stands_on_what_its_main_part_links_to(blog: Repo) -> None:
    main = "<nav><a href='/blog/b/'>b</a></nav><main><a href='/blog/a/?utm=1#x'>a</a> <a href='/blog/a/'>a</a></main>"
    entries = [*POSTS, ("tags/x/", MARCH)]
    assert judged(blog, entries, links={"tags/x/": main})["tags/x/"].verdict.answer is Answer.TRUE
    without = "<header><a href='/blog/b/'>b</a></header><p><a href='../../blog/a/'>a</a></p><footer><a href='/blog/b/'></a></footer>"
    assert judged(blog, entries, links={"tags/x/": without})["tags/x/"].verdict.answer is Answer.TRUE
    assert (
        judged(blog, [*POSTS, ("tags/x/", JUNE)], links={"tags/x/": without})["tags/x/"].verdict.answer is Answer.FALSE
    )


def test_a_field_is_named_with_its_file_through_lists_of_lists(blog: Repo) -> None:
    blog.commit("4", {"content/blog/c.md": "---\ntags: [x]\nlastmod: 2026-02-02\n---\nc"}, at=SECONDS[JUNE] + 9)
    entries = [*POSTS, ("blog/c/", "2026-02-02"), ("tags/x/", "2026-02-02"), ("tags/", "2026-02-02")]
    told = judged(blog, entries, links={"tags/x/": "<main><a href='/blog/c/'>c</a></main>"})
    for path in ("blog/c/", "tags/x/", "tags/"):
        witness = told[path].verdict.witness
        assert witness is not None
        assert (witness.path, witness.field and witness.field.line) == ("content/blog/c.md", 3), path


class _Backwards(frozenset[str]):
    """A set as another run of the program may go through it."""

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(super().__iter__(), reverse=True))


def test_of_pages_of_one_date_the_same_is_named_in_every_run(blog: Repo) -> None:
    entries = judged(blog, [("blog/b/", JUNE), ("docs/x/", JUNE), ("tags/x/", JUNE)])
    linked = _Backwards({BASE + "blog/b/", BASE + "docs/x/"})
    found = judge_lists([*entries.values()], Facts(Repository(), {}, {}), Rules(SECONDS[JUNE]), lambda _: linked)
    assert found[2].verdict.witness is not None
    assert found[2].verdict.witness.path == "content/blog/b.md"


def test_pages_without_a_known_change_leave_it_open(blog: Repo) -> None:
    entry = judged(blog, [*POSTS, ("blog/unknown/", "2026-08-01"), ("blog/", "2026-08-01")])["blog/"]
    assert (entry.verdict.answer, entry.verdict.reason) == (Answer.CANNOT_TELL, "list")


def test_an_empty_list_cannot_be_told(blog: Repo) -> None:
    entry = judged(blog, [*POSTS, ("tags/empty/", "2026-08-01")])["tags/empty/"]
    assert (entry.verdict.answer, entry.verdict.reason) == (Answer.CANNOT_TELL, "list")


# The page of all tags lists tags, and these list posts.
@pytest.mark.parametrize(
    ("date", "answer", "rule"),
    [(JUNE, "true", ""), ("2026-08-01", "false", "lastmod-too-new"), ("2026-02-01", "false", "lastmod-too-old"),
     (MARCH, "cannot_tell", "")],
)  # fmt: skip
def test_a_list_of_lists_stands_on_the_newest_of_what_these_list(blog: Repo, date: str, answer: str, rule: str) -> None:
    links = {"tags/x/": "<a href='/blog/a/'>a</a>", "tags/y/": "<a href='/blog/b/'>b</a>"}
    entries = [*POSTS, ("tags/", date), ("tags/x/", MARCH), ("tags/y/", JUNE)]
    verdict = judged(blog, entries, links=links)["tags/"].verdict
    assert (verdict.answer.value, verdict.rule) == (answer, rule)
    if rule:
        assert verdict.expected == "2026-06-01"


def test_a_list_of_a_list_that_is_not_known_cannot_be_told(blog: Repo) -> None:
    links = {"tags/x/": "<a href='/blog/a/'>a</a>"}
    entries = [*POSTS, ("tags/", "2026-08-01"), ("tags/x/", MARCH), ("tags/empty/", "2026-08-01")]
    found = judged(blog, entries, links=links)
    assert (found["tags/"].verdict.answer, found["tags/"].verdict.reason) == (Answer.CANNOT_TELL, "list")


def test_a_date_may_stand_on_a_file_that_the_source_takes_in(repo: Repo) -> None:
    files = {"hugo.toml": "baseURL = 'x'", "content/a.md": '{{< code file="x.csv" >}}', "content/b.md": "b"}
    repo.commit("1", files | {".gitignore": "/public/\n"}, at=SECONDS[MARCH])
    repo.commit("2", {"content/x.csv": "1"}, at=SECONDS[MAY])
    found = judged(repo, [("a/", MAY), ("b/", MAY)])
    assert (found["a/"].verdict.answer, found["a/"].mapping.also) == (Answer.TRUE, ("content/x.csv",))
    assert found["b/"].verdict.answer is Answer.FALSE


def test_a_copied_file_is_dated_by_its_original(repo: Repo, tmp_path: Path) -> None:
    repo.commit("1", {"static/cv.pdf": "%PDF the one\n", ".gitignore": "/public/\n"}, at=SECONDS[MARCH])
    site = build(repo.root / "public", {"cv.pdf": "%PDF the one\n"}, [(BASE + "cv.pdf", "2026-08-01")])
    result = guard.check(guard.Options(start=repo.root, site=str(site), now=SECONDS[JUNE] + 90 * 86400), Config())
    entry = result.site.entries[0]
    assert (entry.mapping.content, entry.mapping.how) == ("static/cv.pdf", "copy")
    assert (entry.verdict.rule, entry.verdict.expected) == ("lastmod-too-new", "2026-03-01")
