"""Where a wrong date comes from: the build's clock, the checkout, a constant, an event, a template (reports)."""

from __future__ import annotations

import os
import shutil

from conftest import Repo
from dated import BASE, Policy, at, check

from sitemap_guard.model import Answer

CLOCK = "2026-11-30T06:12:44+00:00"


def three_days(repo: Repo, ending: str = "md") -> None:
    repo.write(".gitignore", "/public/\n")
    for number, name in enumerate("abc", 1):
        repo.commit(name, {f"{name}.{ending}": f"{name}\n"}, at=at(f"2026-0{number}-10"))


def test_the_moment_of_generation_on_every_page_is_one_fault(repo: Repo) -> None:
    three_days(repo)
    told = check(repo, dict.fromkeys("abc", CLOCK), generator="Jekyll v4.3.1")
    found = told.about_dates("error")
    assert [finding.rule for finding in found] == ["lastmod-too-new"] * 3
    assert len({finding.group for finding in found}) == 1
    assert found[0].headline.startswith("3 of 3 dates are the build's clock")
    assert "jekyll-last-modified-at" in found[0].cure
    assert [finding.expected for finding in sorted(found, key=lambda f: f.loc)] == [
        f"2026-0{month}-10T12:00:00+00:00" for month in (1, 2, 3)
    ]


def test_the_day_of_the_newest_commit_is_not_called_newer_than_every_commit(repo: Repo) -> None:
    three_days(repo)
    repo.commit("d", {"d.md": "d\n"}, at=at("2026-04-10"))
    told = check(repo, dict.fromkeys("abcd", "2026-04-10"))
    assert told.answer("d") is Answer.TRUE
    headline = told.about_dates("error")[0].headline
    assert headline.startswith("3 of 4 dates are the day of the build or of the newest commit (2026-04-10)")
    told = check(repo, dict.fromkeys("abcd", "2026-04-11"))
    assert told.about_dates("error")[0].headline.endswith("the build's clock (2026-04-11), newer than every commit")


def test_a_page_without_a_commit_is_not_dated_for_its_author(repo: Repo) -> None:
    three_days(repo)
    repo.write("new.md", "not committed\n")
    told = check(repo, dict.fromkeys(["a", "b", "c", "new"], CLOCK))
    assert told.verdict("a").cause == "build-clock"
    assert told.answer("new") is Answer.CANNOT_TELL
    about = next(
        finding for finding in told.result.findings if finding.loc == f"{BASE}new" and "lastmod" in finding.rule
    )
    assert about.level.word == "warning"
    assert (about.claimed, about.expected) == (CLOCK, None)  # leave it out: never today


def test_an_empty_date_is_a_fault_of_form_and_today_on_an_untracked_file_a_doubt(repo: Repo) -> None:
    three_days(repo)
    repo.write("made.md", "made by the workflow\n")
    told = check(repo, {"a": "", "made": "2026-11-30"})
    assert told.rule("a") == "lastmod-format"
    (doubt,) = told.found("lastmod-unverified")
    assert doubt.level.word == "warning"
    assert "cannot be verified" in doubt.message


def test_one_frozen_value_is_told_apart_from_the_builds_clock(repo: Repo) -> None:
    names = [f"p{number}" for number in range(12)]
    repo.commit("all", {f"{name}.md": "one\n" for name in names}, at=at("2026-01-01"))
    for day, name in enumerate(names[:9], 1):
        repo.commit(name, {f"{name}.md": "two\n"}, at=at(f"2026-03-{day:02}"))
    told = check(repo, dict.fromkeys(names, "2026-01-01"), generator="Astro v5.1.0")
    stale = [finding for finding in told.found("lastmod-too-old") if finding.headline]
    assert len(stale) == 9
    assert stale[0].headline.startswith("9 of 12 dates are one frozen value, 2026-01-01")
    assert "serialize()" in stale[0].cure
    assert told.answer("p11") is Answer.TRUE


def test_front_matter_may_win_or_not_as_the_site_decides(repo: Repo) -> None:
    repo.commit("page", {"a.md": "---\nlastUpdated: 2024-01-01\n---\nteh page\n"}, at=at("2024-01-01"))
    repo.commit("typo", {"a.md": "---\nlastUpdated: 2024-01-01\n---\nthe page\n"}, at=at("2024-05-01"))
    assert check(repo, {"a": "2024-05-01"}).about_dates() == []
    rule = (Policy(paths=("*.md",), field="authoritative"),)
    told = check(repo, {"a": "2024-05-01"}, policy=rule)
    (finding,) = told.about_dates("error")
    assert (finding.rule, finding.expected) == ("lastmod-too-new", "2024-01-01")
    assert check(repo, {"a": "2024-01-01"}, policy=rule).about_dates() == []
    neither = check(repo, {"a": "2024-03-01"}).about_dates("error")[0].message
    assert "2024-05-01" in neither
    assert "lastUpdated says 2024-01-01" in neither


def test_static_files_with_the_time_of_the_checkout(repo: Repo) -> None:
    three_days(repo, "html")
    then = at("2026-11-30T03:00:07+00:00")
    for name in "abc":
        os.utime(repo.root / f"{name}.html", (then, then))
    sources = {name: f"{name}.html" for name in "abc"}
    told = check(repo, dict.fromkeys("abc", "2026-11-30T03:00:07+00:00"), sources=sources)
    assert {told.verdict(name).cause for name in "abc"} == {"checkout"}
    assert told.about_dates("error")[0].headline.startswith(
        "3 of 3 dates are the times at which the files were checked out"
    )


def test_days_are_times_of_the_checkout_only_where_the_generator_is_known_for_it(repo: Repo) -> None:
    three_days(repo)
    for name in "abc":
        os.utime(repo.root / f"{name}.md", (at("2026-11-30"), at("2026-11-30")))
    days = dict.fromkeys("abc", "2026-11-30")
    assert check(repo, days).verdict("a").cause == "build-clock"
    told = check(repo, days, generator="Hexo 8.1.2")
    assert told.verdict("a").cause == "checkout"
    assert "updated" in told.about_dates("error")[0].cure


def test_zero_is_a_placeholder_even_without_git(repo: Repo) -> None:
    shutil.rmtree(repo.root / ".git")
    zeros = {"a": "1970-01-01T00:00:00+00:00", "b": "0001-01-01", "c": "-001-11-30"}
    told = check(repo, zeros, sources=dict.fromkeys("abc", ""))
    assert [told.rule(name) for name in "ab"] == ["lastmod-placeholder"] * 2
    assert told.rule("c") == "lastmod-format"
    assert all("had none" in finding.message for finding in told.found("lastmod-placeholder"))


def test_a_build_folder_without_its_repository_says_so(repo: Repo) -> None:
    three_days(repo)
    shutil.rmtree(repo.root / ".git")
    told = check(repo, {"a": "2026-01-10"})
    assert told.answer("a") is Answer.CANNOT_TELL
    (finding,) = told.found("history-missing")
    assert "no git repository" in finding.message


def test_an_events_day_lies_in_the_future(repo: Repo) -> None:
    repo.commit("event", {"a.md": "---\ndate: 2027-02-28\n---\ncome\n"}, at=at("2026-11-01"))
    told = check(repo, {"a": "2027-02-28"})
    assert told.rule("a") == "lastmod-future"


def test_a_template_counts_only_where_it_is_named(repo: Repo) -> None:
    repo.commit("pages", {f"{n}.md": n for n in "abc"} | {"layouts/base.html": "one\n"}, at=at("2025-06-01"))
    repo.commit("template", {"layouts/base.html": "two\n"}, at=at("2026-08-20"))
    repo.commit("else", {"README": "r\n"}, at=at("2026-09-20"))
    told = check(repo, dict.fromkeys("abc", "2026-08-20"))
    found = told.about_dates()
    assert [(finding.rule, finding.level.word) for finding in found] == [("lastmod-too-new", "warning")] * 3
    assert "only layouts/base.html, which many pages share, changed then" in found[0].message
    assert "also = [...]" in found[0].cure
    assert check(repo, dict.fromkeys("abc", "2026-08-20"), also=("layouts/base.html",)).about_dates() == []
    other = check(repo, dict.fromkeys("abc", "2026-08-21")).about_dates()
    assert {finding.level.word for finding in other} == {"error"}


def test_a_translation_may_be_dated_by_its_original(repo: Repo) -> None:
    repo.commit("translate", {"de/x.md": "---\nlastmod: 2021-06-10\n---\nHallo\n"}, at=at("2021-06-12"))
    repo.commit("mend", {"de/x.md": "---\nlastmod: 2021-06-10\n---\nHallo Welt\n"}, at=at("2021-10-02"))
    sources = {"x": "de/x.md"}
    plain = check(repo, {"x": "2021-06-10"}, sources=sources)
    (finding,) = plain.about_dates()
    assert (finding.rule, finding.level.word, finding.path, finding.line) == (
        "lastmod-field-stale",
        "warning",
        "de/x.md",
        2,
    )
    assert "[[policy]]" in finding.cure
    rule = (Policy(paths=("de/**",), field="authoritative"),)
    assert check(repo, {"x": "2021-06-10"}, sources=sources, policy=rule).about_dates() == []


def test_fields_can_be_of_no_account(repo: Repo) -> None:
    repo.commit("one", {"a.md": "---\nlastmod: 2021-06-10\n---\na\n"}, at=at("2021-06-12"))
    repo.commit("two", {"a.md": "---\nlastmod: 2021-06-10\n---\nb\n"}, at=at("2021-10-02"))
    told = check(repo, {"a": "2021-06-10"}, policy=(Policy(paths=("*.md",), field="ignore"),))
    assert told.rule("a") == "lastmod-too-old"


def test_no_date_at_all_is_honest_unless_dates_are_required(repo: Repo) -> None:
    three_days(repo)
    assert check(repo, {"a": None, "b": None, "c": "2026-03-10"}).about_dates("error", "warning", "info") == []
