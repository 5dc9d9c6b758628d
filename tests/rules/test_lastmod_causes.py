"""What the rules about dates say of a cause, a cluster, and fields: from facts alone."""

from __future__ import annotations

import pytest
from facts import BASE, entry, findings, page, site, words

from sitemap_guard.judgement import cures
from sitemap_guard.model import (
    Answer,
    BadField,
    Change,
    Claim,
    Commit,
    Entry,
    Instant,
    Located,
    Repository,
    Unread,
    Verdict,
    Witness,
)

THEN = Instant(1_700_000_000)
COMMIT = Commit("3f2a91c".ljust(40, "0"), THEN, THEN, THEN, "Reformat")


def stood(number: int, *, why: str = "", born: bool = False, commit: Commit = COMMIT) -> Entry:
    change = Change(f"p{number}.md", commit, why=why, born=born)
    verdict = Verdict(Answer.TRUE, witness=Witness("change", change.path, change))
    return entry(f"https://a.example/{number}", state="file", lastmod="2023-11-14", verdict=verdict)


def test_a_cluster_names_its_commit_and_what_it_did() -> None:
    (told,) = findings("lastmod-cluster", site(*(stood(n, why="white-space") for n in range(10))))
    assert told.message == (
        '3f2a91c "Reformat" (2023-11-14 22:13 UTC) dates 10 of 10 pages; it changed 10 of them in white space alone'
    )
    assert (told.level.word, told.path) == ("warning", "public/sitemap.xml")
    assert "list 3f2a91c in .git-blame-ignore-revs" in told.cure


def test_fewer_than_ten_or_half_of_the_pages_are_no_cluster() -> None:
    other = Commit("b" * 40, THEN, THEN, THEN)
    assert not findings("lastmod-cluster", site(*(stood(n) for n in range(9))))
    mixed = [stood(n) for n in range(10)] + [stood(n, commit=other) for n in range(10, 20)]
    assert not findings("lastmod-cluster", site(*mixed))
    assert findings("lastmod-cluster", site(*mixed[:19]))


def test_without_a_history_one_value_is_a_cluster_too() -> None:
    unknown = Verdict(Answer.CANNOT_TELL, reason="no-history")
    entries = [entry(f"https://a.example/{n}", state="file", lastmod="2023-11-14", verdict=unknown) for n in range(12)]
    (told,) = findings("lastmod-cluster", site(*entries))
    assert told.message == "12 of 12 pages have one date, 2023-11-14"


def test_false_dates_have_a_finding_of_their_own_and_make_no_cluster() -> None:
    false = Verdict(Answer.FALSE, "lastmod-too-new", cause="build-clock")
    entries = [entry(f"https://a.example/{n}", state="file", lastmod="2023-11-14", verdict=false) for n in range(12)]
    assert not findings("lastmod-cluster", site(*entries))


def test_fields_are_told_at_their_place_in_the_source() -> None:
    bad = BadField("content/a.md", "lastmod", "soon", 3)
    (told,) = findings("lastmod-field-unreadable", site(bad_fields=(bad,)))
    assert (told.path, told.line) == ("content/a.md", 3)
    unread = Unread("updated", "list", "Hugo's own list", 12, "content/b.md", 4)
    (told,) = findings("lastmod-field-unread", site(unread=(unread,)))
    assert (told.path, told.line) == ("content/b.md", 4)
    assert told.message.startswith("12 sources carry a date in 'updated', which Hugo's own list does not name")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Hugo 0.168.0", "hugo"),
        ("Jekyll v4.3.1", "jekyll"),
        ("mkdocs-1.6.1, mkdocs-material-9.8.2", "mkdocs"),
        ("Starlight v0.41", "astro"),
        ("WordPress 6.1", ""),
    ],
)
def test_the_generator_is_known_by_its_own_word(said: str, name: str) -> None:
    built = [entry(f"https://a.example/{n}/", built=page(f"{n}/index.html", generator=said)) for n in range(2)]
    assert cures.generator_of([*built, Entry(Claim("x", None, "s", 1), "", Located("missing"))]) == name


def test_cures_fit_generator_and_host() -> None:
    assert "enableGitInfo" in cures.cure("build-clock", "hugo", ())
    assert "from git" in cures.cure("build-clock", "", ())
    assert cures.full_clone({"vercel.json"}) == "Vercel: VERCEL_DEEP_CLONE=true"
    assert "GIT_DEPTH" in cures.full_clone(())
    for cause in (
        "checkout",
        "constant",
        "frozen",
        "head",
        "local-as-utc",
        "publication",
        "merge-left-out",
        "template",
    ):
        assert cures.cure(cause, "jekyll", ())


def test_a_check_that_judged_no_date_is_no_success() -> None:
    unknown = entry(lastmod="2026-01-01", verdict=Verdict(Answer.CANNOT_TELL, reason="no-source"))
    told = entry(BASE + "y/", built=page("y/index.html"), lastmod="2026-01-01", verdict=Verdict(Answer.TRUE))
    assert words("lastmod-unchecked", unknown) == ["none of 1 date could be judged: no source is known for the page"]
    assert not words("lastmod-unchecked", unknown, told)
    assert not words("lastmod-unchecked", entry())
    assert not words("lastmod-unchecked", unknown, repository=Repository(problem="none", detail="no repository"))
    shallow = entry(lastmod="2026-01-01", verdict=Verdict(Answer.CANNOT_TELL, reason="shallow"))
    assert not words("lastmod-unchecked", shallow)
