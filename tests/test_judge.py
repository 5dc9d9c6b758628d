"""The verdict on one date, for every kind of mess that users meet."""

from __future__ import annotations

from datetime import datetime

import pytest

from sitemap_guard import dates
from sitemap_guard.judgement import judge
from sitemap_guard.model import Answer, Change, Claim, Commit, Field, Instant, Mapping, PathHistory, Repository, Verdict

NOW = int(datetime.fromisoformat("2026-11-30T12:00:00Z").timestamp())
GIT = Repository(root="/repo", prefix="public")


def at(text: str) -> Instant:
    moment = datetime.fromisoformat(text)
    offset = moment.utcoffset()
    return Instant(int(moment.timestamp()), int(offset.total_seconds() // 60) if offset else 0)


def commit(authored: str, committed: str = "", landed: str = "", name: str = "3f2a91c") -> Commit:
    return Commit(name.ljust(40, "0"), at(authored), at(committed or authored), at(landed or committed or authored))


def change(
    authored: str, committed: str = "", landed: str = "", path: str = "a.md", kind: str = "change", edge: bool = False
) -> Change:
    return Change(path, commit(authored, committed, landed), kind, edge)


def verdict(
    lastmod: str | None,
    *last: Change,
    others: tuple[Change, ...] = (),
    fields: dict[str, tuple[Field, ...]] | None = None,
    repository: Repository = GIT,
    source: Mapping | None = None,
    feed: bool = False,
    **rules: object,
) -> Verdict:
    histories = {c.path: PathHistory(c, others if c.path == "a.md" else ()) for c in last}
    also = tuple(c.path for c in last if c.path != "a.md")
    return judge.judge(
        Claim("https://a.example/", lastmod, "sitemap.xml", 3, feed=feed),
        source if source is not None else Mapping("a.md", also, "rule"),
        judge.Facts(repository, histories, fields or {}),
        judge.Rules(now=NOW, **rules),  # type: ignore[arg-type]
    )


def field(value: str, name: str = "lastmod") -> dict[str, tuple[Field, ...]]:
    moment = dates.parse_loose(value)
    assert moment is not None
    return {"a.md": (Field(name, value, 2, moment),)}


MARCH = change("2026-03-01T10:00:00+01:00")


@pytest.mark.parametrize(
    "lastmod",
    ["2026", "2026-03", "2026-03-01", "2026-03-01T10:00+01:00", "2026-03-01T09:00:00Z", "2026-03-01T04:00:00-05:00"],
)
def test_the_same_moment_is_true_in_every_precision_and_zone(lastmod: str) -> None:
    told = verdict(lastmod, MARCH)
    assert told.answer is Answer.TRUE
    assert told.witness is not None
    assert told.witness.change == MARCH


@pytest.mark.parametrize(
    ("lastmod", "rule", "expected"),
    [
        ("2026-11-30T06:12:44Z", "lastmod-too-new", "2026-03-01T09:00:00Z"),
        ("2026-03-02", "lastmod-too-new", "2026-03-01"),
        ("2026-03-01T09:00:01Z", "lastmod-too-new", "2026-03-01T09:00:00Z"),
        ("2026-02-28", "lastmod-too-old", "2026-03-01"),
        ("2025", "lastmod-too-old", "2026"),
        ("2026-03-01T10:00:00Z", "lastmod-too-new", "2026-03-01T09:00:00Z"),
    ],
)
def test_other_moments_are_false_with_direction_and_proposal(lastmod: str, rule: str, expected: str) -> None:
    told = verdict(lastmod, MARCH)
    assert (told.answer, told.rule, told.expected) == (Answer.FALSE, rule, expected)


def test_a_window_reaches_from_authored_to_landed() -> None:
    rebased = change("2026-01-05T10:00:00+00:00", "2026-01-20T10:00:00+00:00", "2026-02-01T10:00:00+00:00")
    for day in ("2026-01-05", "2026-01-12", "2026-01-20", "2026-02-01"):
        assert verdict(day, rebased).answer is Answer.TRUE
    assert verdict("2026-01-04", rebased).rule == "lastmod-too-old"
    assert verdict("2026-02-02", rebased).rule == "lastmod-too-new"


@pytest.mark.parametrize(
    ("chosen", "day"), [("authored", "2026-01-05"), ("committed", "2026-01-20"), ("landed", "2026-02-01")]
)
def test_the_window_can_be_narrowed_to_one_time(chosen: str, day: str) -> None:
    rebased = change("2026-01-05T10:00:00+00:00", "2026-01-20T10:00:00+00:00", "2026-02-01T10:00:00+00:00")
    for other in ("2026-01-05", "2026-01-20", "2026-02-01"):
        assert (verdict(other, rebased, date=chosen, habit=chosen).answer is Answer.TRUE) == (other == day)
    assert verdict("2026-06-01", rebased, date=chosen, habit=chosen).expected == day


def test_an_authors_clock_may_be_the_later_one() -> None:
    ahead = change("2026-03-05T10:00:00+00:00", "2026-03-01T10:00:00+00:00")
    assert verdict("2026-03-05T10:00:00Z", ahead).answer is Answer.TRUE
    assert verdict("2026-03-01T10:00:00Z", ahead).answer is Answer.TRUE


def test_a_day_may_be_that_of_utc_of_the_commit_or_of_the_site() -> None:
    late = change("2026-03-01T23:30:00-05:00")
    assert verdict("2026-03-01", late).answer is Answer.TRUE  # the author's
    assert verdict("2026-03-02", late).answer is Answer.TRUE  # UTC's
    noon = change("2026-03-01T12:00:00+00:00")
    assert verdict("2026-03-02", noon).answer is Answer.FALSE
    assert verdict("2026-03-02", noon, zone="Pacific/Auckland").answer is Answer.TRUE


@pytest.mark.parametrize("lastmod", ["2999-01-01", "2026-12-02", "2026-11-30T13:00:00Z"])
def test_the_future_is_false_without_any_history(lastmod: str) -> None:
    told = verdict(lastmod, source=Mapping(reason="no-source"))
    assert (told.answer, told.rule) == (Answer.FALSE, "lastmod-future")
    assert verdict(lastmod, MARCH, fields=field(lastmod)).rule == "lastmod-future"


def test_today_somewhere_in_the_world_is_not_the_future() -> None:
    assert verdict("2026-12-01", source=Mapping(reason="no-source")).rule == ""
    assert verdict("2026-11-30T12:05:00Z", source=Mapping(reason="no-source")).rule == ""


@pytest.mark.parametrize(
    "lastmod",
    [
        "1970-01-01",
        "1970-01-01T00:00:00+00:00",
        "1969-12-31T16:00:00-08:00",
        "0001-01-01",
        "0001-01-01T00:00:00Z",
        "2018-10-14T07:27:35.000Z",
    ],
)
def test_stand_ins_are_named_even_without_history(lastmod: str) -> None:
    assert verdict(lastmod, source=Mapping(reason="no-source")).rule == "lastmod-placeholder"
    assert verdict(lastmod, MARCH).rule == "lastmod-placeholder"


def test_a_stand_in_that_a_commit_bears_is_true() -> None:
    assert verdict("2018-10-14T07:27:35Z", change("2018-10-14T07:27:35+00:00")).answer is Answer.TRUE


@pytest.mark.parametrize("lastmod", ["2024-01-08T00:00:00", "", "null"])
def test_ill_formed_dates_are_false_without_history(lastmod: str) -> None:
    told = verdict(lastmod, source=Mapping(reason="no-source"))
    assert (told.answer, told.rule) == (Answer.FALSE, "lastmod-format")


def test_an_empty_date_is_mended_from_history_or_dropped() -> None:
    assert verdict("", MARCH).expected == "2026-03-01"
    assert verdict("", source=Mapping(reason="no-source")).expected is None


def test_no_lastmod_is_honest() -> None:
    assert verdict(None, MARCH).answer is Answer.ABSENT


@pytest.mark.parametrize("reason", ["no-source", "ambiguous", "untracked"])
def test_without_a_source_it_cannot_be_told(reason: str) -> None:
    told = verdict("2026-03-01", source=Mapping(reason=reason, tried="looked everywhere"))
    assert (told.answer, told.reason, told.text) == (Answer.CANNOT_TELL, reason, "looked everywhere")


def test_without_a_repository_it_cannot_be_told() -> None:
    told = verdict("2026-03-01", MARCH, repository=Repository(problem="none", detail="no repository"))
    assert (told.answer, told.reason) == (Answer.CANNOT_TELL, "no-history")


def test_a_source_without_a_commit_cannot_be_told() -> None:
    told = verdict("2026-11-30", source=Mapping("a.md", (), "rule"))
    assert (told.answer, told.reason) == (Answer.CANNOT_TELL, "untracked")


def test_any_of_several_sources_supports_a_date() -> None:
    data = change("2026-06-01T10:00:00+00:00", path="data.yml")
    assert verdict("2026-06-01", MARCH, data).answer is Answer.TRUE
    assert verdict("2026-03-01", MARCH, data).answer is Answer.TRUE
    assert verdict("2026-04-01", MARCH, data).rule == "lastmod-unmatched"
    assert verdict("2026-07-01", MARCH, data).rule == "lastmod-too-new"
    assert verdict("2026-07-01", MARCH, data).expected == "2026-06-01"


@pytest.mark.parametrize("kind", ["twin", "merge"])
def test_twins_and_merges_support_but_overstate(kind: str) -> None:
    other = change("2026-06-01T10:00:00+00:00", kind=kind)
    told = verdict("2026-06-01T10:00:00Z", MARCH, others=(other,))
    assert (told.answer, told.rule, told.expected) == (Answer.TRUE, "lastmod-overstated", "2026-03-01T09:00:00Z")
    assert verdict("2026-06-02", MARCH, others=(other,)).rule == "lastmod-too-new"


def test_a_field_is_the_authors_word() -> None:
    told = verdict("2021-06-01", MARCH, fields=field("2021-06-01"))
    assert told.answer is Answer.TRUE
    assert told.witness is not None
    assert told.witness.kind == "field"
    assert verdict("2021-06-02", MARCH, fields=field("2021-06-01")).answer is Answer.FALSE


def test_a_field_without_a_zone_is_read_in_the_sites() -> None:
    given = field("2021-06-01 12:00:00")
    assert verdict("2021-06-01T12:00:00Z", MARCH, fields=given).answer is Answer.TRUE
    assert verdict("2021-06-01T10:00:00Z", MARCH, fields=given, zone="Europe/Oslo").answer is Answer.TRUE
    assert verdict("2021-06-01T10:00:00Z", MARCH, fields=given).answer is Answer.FALSE
    assert (
        verdict("2021-06-01T00:00:00+02:00", MARCH, fields=field("2021-06-01"), zone="Europe/Oslo").answer
        is Answer.TRUE
    )
    assert verdict("2021-05-31", MARCH, fields=field("2021-06-01"), zone="Europe/Oslo").answer is Answer.TRUE


def test_a_field_without_a_zone_may_be_in_the_one_that_the_claim_names() -> None:
    day, clock = field("2021-06-01"), field("2021-06-01 12:00:00")
    assert verdict("2021-06-01T18:30:22-08:00", MARCH, fields=day).answer is Answer.TRUE
    assert verdict("2021-06-02T18:30:22-08:00", MARCH, fields=day).answer is Answer.FALSE
    assert verdict("2021-06-01T12:00:00-08:00", MARCH, fields=clock).answer is Answer.TRUE
    assert verdict("2021-06-01T12:00:01-08:00", MARCH, fields=clock).answer is Answer.FALSE
    assert verdict("2021-06-01T12:00:00-08:00", MARCH, fields=field("2021-06-01T12:00:00Z")).answer is Answer.FALSE


EDGE = change("2026-03-01T10:00:00+00:00", edge=True)


@pytest.mark.parametrize("lastmod", ["2026-03-01", "2026-03-01T10:00:00Z", "2025-01-01"])
def test_at_the_edge_of_a_shallow_clone_it_cannot_be_told(lastmod: str) -> None:
    told = verdict(lastmod, EDGE)
    assert (told.answer, told.reason) == (Answer.CANNOT_TELL, "shallow")


def test_newer_than_the_edge_is_false_all_the_same() -> None:
    told = verdict("2026-03-02", EDGE)
    assert (told.answer, told.rule, told.expected) == (Answer.FALSE, "lastmod-too-new", None)


def test_a_second_source_inside_the_visible_history_still_supports() -> None:
    assert verdict("2026-06-01", EDGE, change("2026-06-01T10:00:00+00:00", path="data.yml")).answer is Answer.TRUE


STAGED = Repository(root="/repo", prefix="public", staged=frozenset({"a.md"}))


def test_a_staged_source_counts_as_changed_now_in_a_hook() -> None:
    assert verdict("2026-11-30", MARCH, repository=STAGED, staged=True).answer is Answer.TRUE
    old = verdict("2026-03-01", MARCH, repository=STAGED, staged=True)
    assert (old.rule, old.expected) == ("lastmod-too-old", "2026-11-30")
    assert "staged" in old.text


def test_outside_a_hook_an_edit_supports_now_and_the_last_change() -> None:
    for repository in (STAGED, Repository(root="/repo", prefix="public", edited=frozenset({"a.md"}))):
        assert verdict("2026-11-30", MARCH, repository=repository).answer is Answer.TRUE
        assert verdict("2026-03-01", MARCH, repository=repository).answer is Answer.TRUE
        assert verdict("2026-06-01", MARCH, repository=repository).answer is Answer.FALSE


def test_tolerance_widens_the_window_both_ways() -> None:
    for lastmod in ("2026-02-28", "2026-03-02"):
        assert verdict(lastmod, MARCH).answer is Answer.FALSE
        assert verdict(lastmod, MARCH, tolerance=86400).answer is Answer.TRUE
    assert verdict("2026-03-04", MARCH, tolerance=86400).answer is Answer.FALSE


def test_feed_dates_are_judged_like_lastmods() -> None:
    assert verdict("Sun, 01 Mar 2026 09:00:00 GMT", MARCH, feed=True).answer is Answer.TRUE
    assert verdict("Mon, 02 Mar 2026 09:00:00 GMT", MARCH, feed=True).rule == "lastmod-too-new"
    assert verdict("Sun, 01 Mar 2026 09:00:00 GMT", MARCH).rule == "lastmod-format"
