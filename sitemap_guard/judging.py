"""Judges all entries of a site: one walk, front matter only for what history does not support, the site's habit.

The verdict on one claim is `judge`'s; this module brings it the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard import dates, durations, judge
from sitemap_guard.config import Dates
from sitemap_guard.fit import find_causes, find_fit
from sitemap_guard.model import Answer, Entry, Field, PathHistory, Verdict

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader

Progress = Callable[[str, int, int], None]
_TRACKED_TOLERANCE = 86400


class Judging:
    """What every claim of one site is judged with: its history, the rules and the settings."""

    def __init__(self, history: HistoryReader, rules: judge.Rules, settings: Dates, tell: Progress) -> None:
        self._history = history
        self._rules = rules
        self._settings = settings
        self._tell = tell

    def verdicts(self, entries: Sequence[Entry]) -> tuple[list[Entry], str]:
        """The entries with their verdicts and causes, and the site's habit in words ("" for none)."""
        repository = self._history.repository
        histories: dict[str, PathHistory] = {}
        if not repository.problem:
            histories = self._history.walk(
                _wanted(entries), progress=lambda done, total: self._tell("history", done, total)
            )
        facts = judge.Facts(repository, histories, {})
        judged = [self._judge(entry, facts, self._rules) for entry in entries]
        unsupported = [entry for entry in judged if entry.mapping.content and not _settled(entry.verdict)]
        if unsupported and not repository.problem:
            facts = judge.Facts(repository, histories, self._fields(unsupported))
            judged = [self._again(entry, facts, self._rules) for entry in judged]
        fit = find_fit(judged, histories, self._settings.zone)
        if fit.habit != self._rules.habit and self._settings.date == "any":
            habit = replace(self._rules, habit=fit.habit)
            judged = [self._again(entry, facts, habit) for entry in judged]
        for index, cause in find_causes(judged, repository).items():
            judged[index] = replace(judged[index], verdict=replace(judged[index].verdict, cause=cause))
        return self._with_subjects(judged), fit.text

    def _fields(self, entries: Iterable[Entry]) -> dict[str, tuple[Field, ...]]:
        from sitemap_guard.sources.front_matter import read_fields

        paths = {path for entry in entries for path in (entry.mapping.content, *entry.mapping.also)}
        return read_fields(sorted(paths), self._settings.fields, self._history.blob)

    def _judge(self, entry: Entry, facts: judge.Facts, rules: judge.Rules) -> Entry:
        return replace(entry, verdict=judge.judge(entry.claim, entry.mapping, facts, self._tolerant(entry, rules)))

    def _again(self, entry: Entry, facts: judge.Facts, rules: judge.Rules) -> Entry:
        """Judge once more only what more evidence, or another habit, can change."""
        return entry if _settled(entry.verdict) else self._judge(entry, facts, rules)

    def _tolerant(self, entry: Entry, rules: judge.Rules) -> judge.Rules:
        """A sitemap that git tracks is written before its commit lands: it gets a day unless told otherwise."""
        tolerance = durations.seconds_of(self._settings.tolerance) if self._settings.tolerance else None
        if tolerance is None:
            prefix = self._history.repository.prefix
            path = f"{prefix}/{entry.claim.sitemap}" if prefix else entry.claim.sitemap
            tracked = prefix is not None and path in self._history.repository.tracked
            tolerance = _TRACKED_TOLERANCE if tracked else 0
        return replace(rules, tolerance=tolerance) if tolerance else rules

    def _with_subjects(self, entries: Sequence[Entry]) -> list[Entry]:
        """The commits that messages will name get their subjects."""
        subjects = self._history.subjects({_named(entry.verdict) for entry in entries} - {""})
        return [_with_subject(entry, subjects.get(_named(entry.verdict), "")) for entry in entries]


def _settled(verdict: Verdict) -> bool:
    return verdict.answer is not Answer.FALSE and verdict.rule == ""


def _named(verdict: Verdict) -> str:
    """The id of the commit that a broken rule's message will name."""
    change = verdict.witness.change if verdict.witness and verdict.rule else None
    return change.commit.id if change else ""


def _with_subject(entry: Entry, subject: str) -> Entry:
    witness = entry.verdict.witness
    if not subject or witness is None or witness.change is None:
        return entry
    change = replace(witness.change, commit=replace(witness.change.commit, subject=subject))
    return replace(entry, verdict=replace(entry.verdict, witness=replace(witness, change=change)))


def _wanted(entries: Iterable[Entry]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Each source's path, with the seconds that claims on it can mean."""
    wanted: dict[str, set[tuple[int, int]]] = {}
    for entry in entries:
        if not entry.mapping.content:
            continue
        moment = judge.moment_of(entry.claim)
        for path in (entry.mapping.content, *entry.mapping.also):
            ranges = wanted.setdefault(path, set())
            if moment is not None:
                ranges.add(dates.reach(moment))
    return {path: tuple(ranges) for path, ranges in wanted.items()}
