"""What must hold for any findings and any dates: nothing is told twice, nothing is forgotten."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parent / "rules"))
from facts import BASE, entry, site

from sitemap_guard import baseline, changed
from sitemap_guard.model import Answer, Entry, Finding, Level, Mapping, Result, Summary, Verdict, Witness
from sitemap_guard.rules import BY_ID, runner

LIGHT = settings(max_examples=150, deadline=None)
texts = st.text(st.characters(codec=None, exclude_categories=[]), max_size=12)
findings = st.lists(
    st.builds(
        Finding,
        rule=st.sampled_from(sorted(BY_ID)),
        level=st.sampled_from([Level.INFO, Level.WARNING, Level.ERROR]),
        message=texts,
        loc=st.sampled_from(["", BASE + "x/", BASE + "y/", "\udcff"]),
        path=texts,
        line=st.integers(0, 9),
        element=st.sampled_from(["", "loc", "lastmod"]),
        claimed=st.none() | texts,
    ),
    max_size=12,
)
days = st.none() | st.sampled_from(["2026-03-01", "2026-03-02", "2026-03-02T10:00:00Z", "2026", "nonsense", ""])
before = st.dictionaries(st.sampled_from([BASE + f"{n}/" for n in "abcd"]), days)


def result(found: list[Finding]) -> Result:
    return Result("0", site(), tuple(found), (), Summary(0, 0, 0, 0, 0, 0, "", 0, 0, 0))


@st.composite
def entries(draw: Any) -> list[Entry]:
    made = []
    for name in draw(st.lists(st.sampled_from("abcd"), max_size=6)):
        verdict = Verdict(draw(st.sampled_from([Answer.TRUE, Answer.FALSE, Answer.CANNOT_TELL])))
        made.append(entry(BASE + f"{name}/", lastmod=draw(days), verdict=verdict))
    return made


@given(findings, st.randoms())
@LIGHT
def test_a_baseline_knows_what_it_was_written_from(found: list[Finding], random: Any) -> None:
    levels = runner.levels(dict.fromkeys(BY_ID, "error"))
    known = baseline.counted(found)
    shuffled = list(found)
    random.shuffle(shuffled)
    compared = baseline.compare(result(shuffled), known, levels)
    assert all(not baseline.can_be_known(finding) for finding in compared.new)
    assert compared.fixed == ()
    assert compared.known + len(compared.new) == len(found)


@given(findings)
@LIGHT
def test_a_baseline_is_read_as_it_was_written(tmp_path_factory: Any, found: list[Finding]) -> None:
    file = tmp_path_factory.getbasetemp() / "known.json"
    known = baseline.counted(found)
    baseline.write(file, known, "x")
    assert baseline.read(file) == known


@given(entries(), before)
@LIGHT
def test_what_was_told_is_not_told_again(made: list[Entry], known: dict[str, str | None]) -> None:
    after = changed.remembered(known, made, frozenset())
    again = changed.since_dates(made, after, "")
    assert (again.changed, again.new, again.removed) == ((), (), ())


@given(entries(), before)
@LIGHT
def test_what_was_not_told_is_told_again(made: list[Entry], known: dict[str, str | None]) -> None:
    first = changed.since_dates(made, known, "")
    after = changed.remembered(known, made, frozenset(first.urls))
    assert changed.since_dates(made, after, "").urls == first.urls


@given(entries(), before)
@LIGHT
def test_only_true_dates_count_as_changes(made: list[Entry], known: dict[str, str | None]) -> None:
    true = {one.url for one in made if one.verdict.answer is Answer.TRUE}
    assert {one.url for one in changed.since_dates(made, known, "").changed} <= true


def test_a_source_in_a_submodule_that_moved_is_not_passed_over() -> None:
    mapped = entry(BASE + "x/", lastmod="2026-03-01", mapping=Mapping("themes/docs/x.md"))
    mapped = replace(mapped, verdict=Verdict(Answer.TRUE, witness=Witness("change", "themes/docs/x.md")))
    moved = changed.History({"themes/docs": "M"}, frozenset(), lambda _path, _name: "")
    assert changed.since_history([mapped], moved, "").untold == (BASE + "x/",)
    assert not changed.touched("themes/docs/x.md", {"themes/docs/x.md.bak", "themes/doc", "x.md"})
