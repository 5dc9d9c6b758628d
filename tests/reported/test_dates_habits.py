"""The habit that a site follows, clones that are too shallow, and edits that are not committed yet (reports)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Repo
from dated import NOW, at, check
from msgspec.structs import replace

from sitemap_guard.judgement import causes
from sitemap_guard.model import Answer

NAMES = [f"p{number}" for number in range(12)]


def history(repo: Repo) -> None:
    for day, name in enumerate(NAMES, 1):
        repo.commit(
            name, {f"{name}.md": name}, at=at(f"2026-01-{day:02}"), committed=at(f"2026-02-{day:02}"), zone="+0200"
        )


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("2026-01-{:02}", "12 of 12 follow: author date of each file's last change, to the day, in UTC"),
        ("2026-02-{:02}", "12 of 12 follow: committer date of each file's last change, to the day, in UTC"),
        (
            "2026-02-{:02}T12:00:00Z",
            "12 of 12 follow: committer date of each file's last change, to the second, in UTC",
        ),
        (
            "2026-01-{:02}T14:00+02:00",
            "12 of 12 follow: author date of each file's last change, to the minute, in the zone of each commit",
        ),
        (
            "2026-01-{:02}T07:00:00-05:00",
            "12 of 12 follow: author date of each file's last change, to the second, in the site's zone (America/New_York)",
        ),
    ],
)
def test_the_habit_is_told_with_date_precision_and_zone(repo: Repo, form: str, words: str) -> None:
    history(repo)
    dates = {name: form.format(day) for day, name in enumerate(NAMES, 1)}
    told = check(repo, dates, zone="America/New_York")
    assert told.fit == words
    assert told.about_dates() == []


def test_proposals_follow_the_habit(repo: Repo) -> None:
    history(repo)
    dates: dict[str, str | None] = {name: f"2026-02-{day:02}" for day, name in enumerate(NAMES, 1)}
    told = check(repo, dates | {"p3": "2026-11-11"})
    assert told.verdict("p3").expected == "2026-02-04"
    assert told.fit.startswith("11 of 12 follow: committer date")


def test_dates_from_a_shallow_build_are_named_in_a_full_clone(repo: Repo) -> None:
    history(repo)
    repo.write(".github/workflows/site.yml", "on: push\n")
    repo.commit("workflow", at=at("2026-03-01"))
    told = check(repo, dict.fromkeys(NAMES, "2026-03-01T12:00:00Z"))
    found = told.about_dates("error")
    assert len(found) == 12
    assert len({finding.group for finding in found}) == 1
    assert "the site was built from a shallow clone" in found[0].headline
    assert found[0].cure.endswith("(actions/checkout: fetch-depth: 0)")  # that host's cure alone


def clone(repo: Repo, where: Path, depth: int) -> Repo:
    there = Repo(where)
    there.git("fetch", "-q", f"--depth={depth}", f"file://{repo.root}", "main")
    there.git("reset", "-q", "--hard", "FETCH_HEAD")
    return there


def test_one_commit_judges_nothing_and_says_so(repo: Repo, tmp_path: Path) -> None:
    history(repo)
    told = check(clone(repo, tmp_path / "one", 1), dict.fromkeys(NAMES, "2026-01-12"))
    assert {told.answer(name) for name in NAMES} == {Answer.CANNOT_TELL}
    (finding,) = told.about_dates("error")
    assert finding.rule == "history-shallow"
    assert "GIT_DEPTH: 0" in finding.message


def test_pages_inside_the_visible_history_are_judged_each_for_itself(repo: Repo, tmp_path: Path) -> None:
    history(repo)
    there = clone(repo, tmp_path / "two", 2)
    told = check(there, {"p11": "2026-01-12", "p10": "2026-01-11", "p0": "2026-01-01", "p1": "2026-03-01"})
    assert told.answer("p11") is Answer.TRUE
    assert told.answer("p10") is told.answer("p0") is Answer.CANNOT_TELL
    assert told.rule("p1") == "lastmod-too-new"  # later than the edge, whatever is behind it


def test_a_chain_does_not_reach_over_the_edge(repo: Repo, tmp_path: Path) -> None:
    repo.commit("one", {"a.md": "one\n"}, at=at("2026-01-01"))
    repo.commit("two", {"a.md": "two\n"}, at=at("2026-02-01"))
    repo.commit("space", {"a.md": "two \n"}, at=at("2026-03-01"))
    told = check(clone(repo, tmp_path / "two", 2), {"a": "2026-02-01"})
    assert (told.answer("a"), told.verdict("a").reason) == (Answer.CANNOT_TELL, "shallow")


def test_a_new_source_that_is_staged_counts_as_made_now(repo: Repo) -> None:
    history(repo)
    repo.write("new.md", "a new page\n")
    repo.git("add", "new.md")
    assert check(repo, {"new": "2026-11-30"}, staged=True).answer("new") is Answer.TRUE
    old = check(repo, {"new": "2026-10-01"}, staged=True)
    assert old.rule("new") == "lastmod-too-old"
    assert "staged" in old.about_dates("error")[0].message
    assert check(repo, {"new": "2026-11-30"}).answer("new") is Answer.TRUE


def test_a_staged_edit_makes_the_old_date_false_in_a_hook(repo: Repo) -> None:
    history(repo)
    repo.write("p0.md", "edited\n")
    repo.git("add", "p0.md")
    assert check(repo, {"p0": "2026-01-01"}, staged=True).rule("p0") == "lastmod-too-old"
    assert check(repo, {"p0": "2026-11-30"}, staged=True).answer("p0") is Answer.TRUE
    assert check(repo, {"p0": "2026-01-01"}).answer("p0") is Answer.TRUE
    repo.git(
        "commit", "-q", "-m", "landed", env={"GIT_AUTHOR_DATE": f"{NOW} +0000", "GIT_COMMITTER_DATE": f"{NOW} +0000"}
    )
    assert check(repo, {"p0": "2026-11-30"}).answer("p0") is Answer.TRUE  # what the hook let pass, CI lets pass


def test_a_list_of_news_is_new_all_at_once(repo: Repo) -> None:
    repo.commit("one", {f"{name}.md": "text\n" for name in NAMES}, at=at("2026-01-01"))
    repo.commit("all", {f"{name}.md": "text, more\n" for name in NAMES}, at=at("2026-03-01"))
    dates = dict.fromkeys(NAMES, "2026-03-01")
    assert len(check(repo, dates).found("lastmod-cluster")) == 1
    entries = check(repo, dates).result.site.entries
    news = [replace(entry, claim=replace(entry.claim, news=True)) for entry in entries]
    assert causes.find_cluster(entries) is not None
    assert causes.find_cluster(news) is None


def test_the_times_of_a_checkout_need_files_that_are_there(repo: Repo) -> None:
    history(repo)
    for name in NAMES:
        os.utime(repo.root / f"{name}.md", (NOW - 500, NOW - 500))
    told = check(repo, dict.fromkeys(NAMES, "2026-11-30T11:51:40Z"), generator="Eleventy v3.1.8")
    assert {told.verdict(name).cause for name in NAMES} == {"checkout"}
    assert "git Last Modified" in told.about_dates("error")[0].cure
