"""Merges, rebases, squashes, renames and zones: what git makes of a date (reports)."""

from __future__ import annotations

from conftest import Repo
from dated import at, check

from sitemap_guard.model import Answer


def env(day: str) -> dict[str, str]:
    return {"GIT_AUTHOR_DATE": f"{at(day)} +0000", "GIT_COMMITTER_DATE": f"{at(day)} +0000"}


def test_local_time_with_a_z_is_named(repo: Repo) -> None:
    repo.commit("late", {"a.md": "a\n"}, at=at("2026-03-01T23:30:00+13:00"), zone="+1300")
    told = check(repo, {"a": "2026-03-01T23:30:00Z"})
    assert told.verdict("a").cause == "local-as-utc"
    (finding,) = told.about_dates()
    assert "local time labelled as another zone" in finding.headline
    assert finding.expected == "2026-03-01T10:30:00Z"


def evil_merge(repo: Repo) -> None:
    repo.commit("base", {"a.md": "one\n"}, at=at("2026-01-10"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", {"a.md": "two\n"}, at=at("2026-02-01"))
    repo.git("checkout", "-q", "main")
    repo.commit("ours", {"a.md": "three\n"}, at=at("2026-02-10"))
    repo.git("merge", "-q", "--no-commit", "side", check=False)
    repo.write("a.md", "a third text\n")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "merge by hand", env=env("2026-04-01"))


def test_what_a_merge_itself_changed_counts(repo: Repo) -> None:
    evil_merge(repo)
    assert check(repo, {"a": "2026-04-01"}).about_dates() == []
    told = check(repo, {"a": "2026-02-10"}, generator="Hugo 0.168.0")
    (finding,) = told.about_dates()
    assert (finding.rule, finding.level.word, finding.expected) == ("lastmod-too-old", "warning", "2026-04-01")
    assert "merge by hand" in finding.message
    assert check(repo, {"a": "2026-01-10"}).about_dates("error")[0].rule == "lastmod-too-old"


def test_what_a_merge_joins_keeps_the_days_of_both_sides(repo: Repo) -> None:
    lines = [f"line {number}\n" for number in range(20)]
    repo.commit("base", {"a.md": "".join(lines)}, at=at("2026-01-10"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", {"a.md": "".join(["theirs\n", *lines[1:]])}, at=at("2026-02-01"))
    repo.git("checkout", "-q", "main")
    repo.commit("ours", {"a.md": "".join([*lines[:-1], "ours\n"])}, at=at("2026-02-10"))
    repo.git("merge", "-q", "--no-edit", "side", env=env("2026-04-01"))
    for day in ("2026-02-01", "2026-02-10", "2026-04-01"):
        assert check(repo, {"a": day}).about_dates() == []
    assert check(repo, {"a": "2026-01-10"}).about_dates("error")[0].rule == "lastmod-too-old"
    assert check(repo, {"a": "2026-02-10"}, strict=True).answer("a") is Answer.FALSE


def test_a_back_merge_brings_nothing_new(repo: Repo) -> None:
    repo.commit("base", {"a.md": "one\n", "b.md": "b\n"}, at=at("2026-01-10"))
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("work", {"b.md": "bb\n"}, at=at("2026-02-10"))
    repo.git("checkout", "-q", "main")
    repo.commit("edit", {"a.md": "two\n"}, at=at("2026-03-01"))
    repo.git("checkout", "-q", "feature")
    repo.git("merge", "-q", "--no-edit", "main", env=env("2026-06-01"))
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--ff-only", "feature")
    assert check(repo, {"a": "2026-03-01"}).about_dates() == []
    (finding,) = check(repo, {"a": "2026-06-01"}).about_dates()
    assert (finding.rule, finding.level.word, finding.expected) == ("lastmod-overstated", "warning", "2026-03-01")
    assert "merge" in finding.message
    assert "brought the file nothing new" in finding.message
    assert finding.headline.startswith("1 of 1 date stands only on merges")


def test_author_and_committer_are_both_right_and_both_told(repo: Repo) -> None:
    repo.commit("amended", {"a.md": "a\n"}, at=at("2026-01-01"), committed=at("2026-02-01"))
    repo.commit("picked", {"b.md": "b\n"}, at=at("2010-05-05"), committed=at("2026-05-05"))
    for a, b in (("2026-01-01", "2010-05-05"), ("2026-02-01", "2026-05-05")):
        assert check(repo, {"a": a, "b": b}).about_dates("error") == []
    strict = check(repo, {"a": "2026-01-01"}, date="committed")
    assert strict.rule("a") == "lastmod-too-old"
    (finding,) = check(repo, {"a": "2026-02-02"}).about_dates("error")
    assert "2026-01-01 12:00 UTC, committed 2026-02-01 12:00 UTC" in finding.message


def test_a_squash_re_dates_what_a_tracked_sitemap_says(repo: Repo) -> None:
    built = check(repo_with(repo, "2026-01-20"), {"a": "2026-01-05"})
    assert built.rule("a") == "lastmod-too-old"  # a built sitemap is written after the merge
    repo.write(".gitignore", "")
    repo.commit("the sitemap too", at=at("2026-01-20"))
    late = check(repo, {"a": "2026-01-05"})
    (finding,) = late.about_dates("error")
    assert "squash merges change dates" in finding.message
    assert check(repo, {"a": "2026-01-19"}).about_dates() == []  # a day by default
    assert check(repo, {"a": "2026-01-05"}, tolerance="20d").about_dates() == []


def repo_with(repo: Repo, day: str) -> Repo:
    repo.commit("squashed", {"a.md": "a\n", ".gitignore": "/public/\n"}, at=at(day))
    return repo


def moved(repo: Repo, body: str = "the same\n") -> None:
    repo.commit("written", {"old.md": "---\ntitle: A\n---\nthe same\n"}, at=at("2026-01-10"))
    repo.git("rm", "-q", "old.md")
    repo.commit("moved", {"new.md": f"---\ntitle: A\naliases: [old]\n---\n{body}"}, at=at("2026-03-10"))


def test_the_day_of_a_rename_and_the_day_before_it_are_both_right(repo: Repo) -> None:
    repo.commit("written", {"old.md": "the text\n"}, at=at("2026-01-10"))
    repo.git("mv", "old.md", "new.md")
    repo.commit("renamed", at=at("2026-03-10"))
    for day in ("2026-01-10", "2026-03-10"):
        assert check(repo, {"new": day}).about_dates() == []
    assert check(repo, {"new": "2026-01-10"}, strict=True).rule("new") == "lastmod-too-old"
    assert check(repo, {"new": "2026-02-10"}).answer("new") is Answer.FALSE


def test_a_rename_with_an_edited_line_of_front_matter_is_one_too(repo: Repo) -> None:
    moved(repo)
    assert check(repo, {"new": "2026-01-10"}).about_dates() == []
    assert check(repo, {"new": "2026-01-10"}, counting_keys=("aliases",)).rule("new") == "lastmod-too-old"


def test_a_rename_with_a_new_text_is_a_change(repo: Repo) -> None:
    moved(repo, "another text\n")
    assert check(repo, {"new": "2026-01-10"}).rule("new") == "lastmod-too-old"
