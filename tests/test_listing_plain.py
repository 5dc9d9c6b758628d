"""Lists that have a file of their own, on a plain site: what they may stand on, how it is worded and announced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo
from sites import BASE, run_cli, sitemap

from sitemap_guard import guard
from sitemap_guard.config import Config, Dates
from sitemap_guard.model import Answer, Verdict
from sitemap_guard.reports import words

JANUARY, MARCH = 1735732800, 1774008000  # 2025-01-01T12:00:00Z, 2026-03-20T12:00:00Z
CHANGED = "2026-03-20T12:00:00Z"
PAGE = "<!doctype html><html lang='en'><title>t</title><body>{}</body></html>\n"
LINK = "<p><a href='other.html'>o</a></p>"


def plain(repo: Repo, *, home: str = "<p>Hello</p>", zone: str = "+0000", landed: int = MARCH) -> Repo:
    """A home page of January 2025, and another page that changed on 20 March 2026 at noon in UTC."""
    first = {"index.html": PAGE.format(home), "other.html": PAGE.format("one"), ".gitignore": "/sitemap.xml\n"}
    repo.commit("a", first, at=JANUARY)
    repo.commit("b", {"other.html": PAGE.format("another text")}, at=MARCH, zone=zone, committed=landed)
    return repo


def claim(repo: Repo, home: str, other: str) -> None:
    repo.write("sitemap.xml", sitemap((BASE, home), (BASE + "other.html", other)))


def judged(repo: Repo, home: str, other: str, *, strict: bool = False) -> Verdict:
    """The verdict on the home page."""
    claim(repo, home, other)
    options = guard.Options(start=repo.root, site=str(repo.root), now=MARCH + 90 * 86400)
    result = guard.check(options, Config(dates=Dates(strict=strict)))
    first, second = result.site.entries
    assert second.verdict.answer is Answer.TRUE
    return first.verdict


# The other page's date is true in each of these, but says less than the home page's.
@pytest.mark.parametrize(
    ("home", "other"),
    [
        ("2026-01-01", "2026"),
        ("2026-03-19", "2026"),
        ("2026-02", "2026"),
        ("2026-06-06T06:06:06Z", "2026"),
        ("2026-03-01", "2026-03"),
        ("2026-03-20T23:59:59Z", "2026-03-20"),
        ("2026-03-20T12:00:01Z", "2026-03-20T12:00Z"),
    ],
)
def test_a_list_is_compared_with_the_change_not_with_what_a_page_says_of_it(repo: Repo, home: str, other: str) -> None:
    assert judged(plain(repo), home, other).answer is Answer.FALSE


@pytest.mark.parametrize(
    ("home", "other"),
    [
        ("2026", "2026"),
        ("2026-03", "2026"),
        ("2026-03-20", "2026"),
        (CHANGED, "2026"),
        (CHANGED, "2026-03-20"),
        ("2026-03-20", CHANGED),
        ("2026", CHANGED),
        ("2026-03-20T14:00:00+02:00", "2026-03-20"),
    ],
)
def test_a_list_may_say_the_newest_change_in_a_precision_of_its_own(repo: Repo, home: str, other: str) -> None:
    assert judged(plain(repo), home, other).answer is Answer.TRUE


def test_a_list_may_say_any_moment_of_the_changes_window(repo: Repo) -> None:
    plain(repo, zone="+1300", landed=MARCH + 3 * 86400)
    for home in ("2026-03-21", "2026-03-22", "2026-03-23T12:00:00Z"):
        assert judged(repo, home, "2026").answer is Answer.TRUE, home
    assert judged(repo, "2026-03-25", "2026").answer is Answer.FALSE


def test_a_page_that_says_little_is_not_the_newest_for_that(repo: Repo) -> None:
    plain(repo)
    repo.commit("c", {"late.html": PAGE.format("late")}, at=MARCH + 30 * 86400)
    late = (BASE + "late.html", "2026-04-19")
    for home, answer in (("2026-03-20", Answer.FALSE), ("2026-04-19", Answer.TRUE)):
        repo.write("sitemap.xml", sitemap((BASE, home), (BASE + "other.html", "2026"), late))
        options = guard.Options(start=repo.root, site=str(repo.root), now=MARCH + 90 * 86400)
        assert guard.check(options, Config()).site.entries[0].verdict.answer is answer, home


@pytest.mark.parametrize(
    ("home", "answer"), [("2026-02-10", Answer.TRUE), ("2026-02-10T00:00:00Z", Answer.TRUE),
                         ("2026-02-11", Answer.FALSE), ("2026-02-11T08:00:00Z", Answer.FALSE)],
)  # fmt: skip
def test_of_a_page_that_is_dated_by_a_field_the_field_counts(repo: Repo, home: str, answer: Answer) -> None:
    files = {"content/_index.md": "h", "content/a.md": "---\nlastmod: 2026-02-10\n---\na", "hugo.toml": "baseURL='x'"}
    repo.commit("a", files | {".gitignore": "/public/\n"}, at=JANUARY)
    site = repo.root / "public"
    for path in ("index.html", "a/index.html"):
        repo.write(f"public/{path}", PAGE.format("x"))
    repo.write("public/sitemap.xml", sitemap((BASE, home), (BASE + "a/", "2026-02")))
    options = guard.Options(start=repo.root, site=str(site), now=MARCH + 90 * 86400)
    first, second = guard.check(options, Config()).site.entries
    assert second.verdict.answer is Answer.TRUE
    assert first.verdict.answer is answer


def test_what_a_page_shows_is_told_from_what_lies_below_it(repo: Repo, tmp_path: Path) -> None:
    told = judged(plain(repo), CHANGED, CHANGED)
    assert told.witness is not None
    assert words.witness(told.witness).startswith("other.html (below it) changed 2026-03-20 12:00 UTC")
    told = judged(plain(Repo(tmp_path / "linked"), home=LINK), CHANGED, CHANGED)
    assert told.witness is not None
    assert words.witness(told.witness).startswith("other.html (which it lists) changed 2026-03-20 12:00 UTC")


def test_of_pages_of_one_moment_one_that_the_list_links_to_is_named(repo: Repo) -> None:
    plain(repo, home=LINK)
    repo.commit("c", {"other.html": PAGE.format("again"), "a.html": PAGE.format("a")}, at=MARCH)
    a = (BASE + "a.html", CHANGED)
    repo.write("sitemap.xml", sitemap((BASE, CHANGED), a, (BASE + "other.html", CHANGED)))
    options = guard.Options(start=repo.root, site=str(repo.root), now=MARCH + 90 * 86400)
    witness = guard.check(options, Config()).site.entries[0].verdict.witness
    assert witness is not None
    assert (witness.path, witness.listed) == ("other.html", True)


def test_strictly_a_list_with_a_file_of_its_own_must_link_to_what_dates_it(repo: Repo, tmp_path: Path) -> None:
    told = judged(plain(repo), CHANGED, CHANGED, strict=True)
    assert (told.answer, told.expected) == (Answer.FALSE, "2025-01-01T12:00:00Z")
    linked = plain(Repo(tmp_path / "linked"), home=LINK)
    assert judged(linked, CHANGED, CHANGED, strict=True).answer is Answer.TRUE


# ------------------------------------------------------------------------------------------------- announcements


def announced(capsys: pytest.CaptureFixture[str], since: str) -> list[str]:
    code, out, _ = run_cli(capsys, "changed", "--since", since, "--format", "json")
    assert code == 0
    table = json.loads(out)
    assert not table["untold"]
    return [row["loc"].removeprefix(BASE) for row in [*table["changed"], *table["new"]]]


@pytest.mark.parametrize(("home", "urls"), [("<p>Hello</p>", ["other.html"]), (LINK, ["", "other.html"])])
def test_a_page_below_is_no_news_of_a_page_that_does_not_link_to_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: str, urls: list[str]
) -> None:
    monkeypatch.chdir(plain(repo, home=home).root)
    repo.write("old.xml", sitemap((BASE, "2025-01-01T12:00:00Z"), (BASE + "other.html", "2025-01-01T12:00:00Z")))
    claim(repo, CHANGED, CHANGED)
    assert announced(capsys, "HEAD~1") == urls
    assert announced(capsys, "old.xml") == urls


def test_a_change_of_its_own_is_news_whatever_its_date_stands_on(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(plain(repo).root)
    repo.commit("c", {"index.html": PAGE.format("new words")}, at=MARCH + 86400)
    repo.commit("d", {"other.html": PAGE.format("more words")}, at=MARCH + 2 * 86400)
    both = "2026-03-22T12:00:00Z"
    claim(repo, both, both)
    assert announced(capsys, "HEAD~2") == ["", "other.html"]
    # What the published sitemap said of the home page: an older date, and that of the change itself.
    for old, urls in ((CHANGED, ["", "other.html"]), ("2026-03-21", ["other.html"])):
        repo.write("old.xml", sitemap((BASE, old), (BASE + "other.html", CHANGED)))
        assert announced(capsys, "old.xml") == urls
