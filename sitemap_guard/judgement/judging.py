"""Judges all entries of a site: one walk, front matter only for what history does not support, the site's habit.

The verdict on one claim is `judge`'s; this module brings it the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import dates, durations
from sitemap_guard.config import Dates, Policy
from sitemap_guard.judgement import cures, listing
from sitemap_guard.judgement.causes import find_causes, find_cluster, find_shared
from sitemap_guard.judgement.closer import Closer
from sitemap_guard.judgement.facts import Facts, Rules, sources
from sitemap_guard.judgement.fit import find_fit
from sitemap_guard.judgement.judge import judge
from sitemap_guard.judgement.staging import Staging, find_staging
from sitemap_guard.judgement.unread import find_unread
from sitemap_guard.judgement.windows import OF_HISTORY, UNSUPPORTED, beside, moment_of, only_landed
from sitemap_guard.model import Answer, BadField, Entry, Field, PathHistory, Unread, Verdict, Witness
from sitemap_guard.sources.clocks import find_clocks
from sitemap_guard.sources.tree import Tree

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader

Progress = Callable[[str, int, int], None]
_TRACKED_TOLERANCE = 86400
# So many pages without a date are read for fields that are no dates, and so many of a cluster for its explanation.
_MOST_UNDATED = 2000
# So many sources show whether there are date fields at all.
_SAMPLE = 100
_MOST_EXPLAINED = 500


class Beyond(Struct, frozen=True):
    """What is looked up only for claims that nothing supports: the `further` sources of a source (by path), and the
    addresses that the page of an entry links to (`linked`)."""

    further: Callable[[str], tuple[str, ...]] = lambda _path: ()
    linked: Callable[[Entry], frozenset[str]] = lambda _entry: frozenset()


class Judging:
    """What every claim of one site is judged with: its history, the rules and the settings."""

    def __init__(
        self,
        history: HistoryReader,
        rules: Rules,
        settings: Dates,
        tell: Progress,
        policies: Sequence[Policy] = (),
        beyond: Beyond | None = None,
    ) -> None:
        self._history = history
        self._settings = settings
        self._tell = tell
        self._beyond = beyond or Beyond()
        self.closer = Closer(history, settings, policies)
        self._rules = replace(rules, strict=settings.strict, ignored=self.closer.ignored)
        self.unread: tuple[Unread, ...] = ()
        self.bad_fields: tuple[BadField, ...] = ()

    def verdicts(self, entries: Sequence[Entry]) -> tuple[list[Entry], str]:
        """The entries with their verdicts and causes, and the site's habit in words ("" for none)."""
        repository = self._history.repository
        histories: dict[str, PathHistory] = {}
        given = entries
        staging = Staging()
        if not repository.problem:
            staging = self._staging(entries)
            entries = _under_old_names(entries, staging.renamed)
            histories = self._history.walk(
                _wanted(entries), progress=lambda done, total: self._tell("history", done, total)
            )
        policies = self.closer.policies()
        unchanged, deleted = staging.unchanged, staging.deleted
        facts = Facts(repository, histories, {}, policies=policies, unchanged=unchanged, deleted=deleted)
        judged = [self._judge(entry, facts, self._rules) for entry in entries]
        if not repository.problem:
            judged, facts = self._with_fields(judged, facts)
            judged, facts = self._with_chains(judged, facts)
            self.unread = self._unread(judged)
            judged, facts = self._with_further(judged, facts)
        fit = find_fit(judged, facts.histories, self._settings.zone)
        if fit.habit != self._rules.habit and self._settings.date == "any":
            habit = replace(self._rules, habit=fit.habit)
            judged = [self._again(entry, facts, habit) for entry in judged]
        judged = listing.judge_lists(judged, facts, replace(self._rules, habit=fit.habit), self._beyond.linked)
        causes = find_causes(judged, repository, self._written(judged), self._settings.zone)
        judged = self._by_templates(judged, causes)
        for index, cause in causes.items():
            judged[index] = replace(judged[index], verdict=replace(judged[index].verdict, cause=cause))
        if staging.renamed:
            judged = [replace(entry, mapping=one.mapping) for entry, one in zip(judged, given, strict=True)]
        return self._with_subjects(judged), fit.text

    def _staging(self, entries: Sequence[Entry]) -> Staging:
        if not self._rules.staged:
            return Staging()
        return find_staging(self._history, self.closer.substance, _sources(entries), strict=self._settings.strict)

    def _clocks(self, fields: Mapping[str, Sequence[Field]]) -> dict[str, str]:
        """The generators' time zones, looked up only where a field without a zone needs one."""
        if all(field.moment.offset is not None for some in fields.values() for field in some):
            return {}
        return find_clocks(Tree(self._history.repository.tracked, self._history.blob))

    def _with_fields(self, judged: list[Entry], facts: Facts) -> tuple[list[Entry], Facts]:
        """Judge the claims that nothing supports so far again, with the date fields of their sources."""
        # A page without a date may have a field that its generator could not read.
        undated = [entry for entry in judged if entry.verdict.answer is Answer.ABSENT][:_MOST_UNDATED]
        asked = [entry for entry in judged if not _settled(entry.verdict)]
        ruled = [path for path, field in facts.policies.items() if field == "authoritative" and path in facts.histories]
        doubtful = _sources([*asked, *undated])
        fields = self.closer.fields([*doubtful, *ruled])
        facts = replace(facts, fields=fields, clocks=self._clocks(fields))
        self.bad_fields = self.closer.bad_fields(doubtful)
        again = [not _settled(entry.verdict) or entry.mapping.content in ruled for entry in judged]
        return self._judged_again(judged, again, facts), facts

    def _with_chains(self, judged: list[Entry], facts: Facts) -> tuple[list[Entry], Facts]:
        """Judge again where older changes, the age of a field or a merge of the branch into another may alter it."""
        chained = [entry for entry in judged if _is_older(entry.verdict)]
        cluster = find_cluster(judged)
        if cluster is not None:
            chained += [judged[index] for index in cluster.indexes[:_MOST_EXPLAINED]]
        facts = replace(facts, histories=self.closer.chains(dict(facts.histories), _sources(chained)))
        standing = _on_fields(judged, facts)
        facts = replace(facts, stale=self.closer.stale(standing))
        landed = self._only_landed(judged, facts)
        facts = replace(facts, back_merges=self.closer.back_merges(set().union(*landed.values())))
        touched = {*standing, *(entry.mapping.content for entry in chained), *(landed if facts.back_merges else ())}
        again = [not touched.isdisjoint(_sources([entry])) for entry in judged]
        return self._judged_again(judged, again, facts), facts

    def _judged_again(self, judged: Sequence[Entry], again: Sequence[bool], facts: Facts) -> list[Entry]:
        return [
            self._judge(entry, facts, self._rules) if wanted else entry
            for entry, wanted in zip(judged, again, strict=True)
        ]

    def _only_landed(self, entries: Iterable[Entry], facts: Facts) -> dict[str, set[str]]:
        """The merges with which changes landed that claims stand on by that time alone, by path."""
        found: dict[str, set[str]] = {}
        for entry in entries:
            witness, moment = entry.verdict.witness, moment_of(entry.claim)
            change = witness.change if witness and witness.kind == "change" else None
            if change is not None and moment is not None and entry.verdict.answer is Answer.TRUE:
                others = beside(facts.histories.get(change.path, PathHistory(None)), moment)
                if others and only_landed(change, moment, self._rules):
                    found.setdefault(change.path, set()).update(other.commit.id for other in others)
        return found

    def _unread(self, entries: Sequence[Entry]) -> tuple[Unread, ...]:
        """Fields that are passed over; where all is well so far, a few sources show whether there are any."""
        paths = list(dict.fromkeys(entry.mapping.content for entry in entries if entry.mapping.content))
        tracked = self._history.repository.tracked
        self.closer.fields(paths[:: max(len(paths) // _SAMPLE, 1)])
        found: tuple[Unread, ...] = ()
        for more in ([], paths[:_MOST_UNDATED]):
            fields = self.closer.fields(more)
            found = find_unread(entries, fields, self._settings.zone, tracked, self._history.blob)
            if not found:
                break
        return found

    def _with_further(self, judged: list[Entry], facts: Facts) -> tuple[list[Entry], Facts]:
        """Judge the claims that nothing supports again, with what their sources take in."""
        head = facts.repository.head
        newest = max((time.seconds for time in (head.authored, head.committed, head.landed)), default=0) if head else 0
        extended: dict[int, Entry] = {}
        for index, entry in enumerate(judged):
            moment = moment_of(entry.claim)
            # No commit can support what is newer than all of them.
            if entry.verdict.rule not in OF_HISTORY or moment is None or dates.reach(moment)[0] > newest:
                continue
            also = [path for path in self._beyond.further(entry.mapping.content) if path not in entry.mapping.also]
            if also:
                extended[index] = replace(entry, mapping=replace(entry.mapping, also=(*entry.mapping.also, *also)))
        if not extended:
            return judged, facts
        wanted = {path: at for path, at in _wanted(extended.values()).items() if path not in facts.histories}
        facts = replace(facts, histories={**facts.histories, **self._history.walk(wanted)})
        for index, entry in extended.items():
            judged[index] = self._judge(entry, facts, self._rules)
        return judged, facts

    def _by_templates(self, judged: Sequence[Entry], causes: dict[int, str]) -> list[Entry]:
        """Where many claims name one moment at which only what all pages share was changed, that is their witness."""
        shared = find_shared(judged, causes)
        own = set(_sources(judged))
        found = list(judged)
        for span, indexes in shared.items():
            for change, names in self._history.commits_at([span]):
                template = next((name for name in sorted(names - own) if cures.is_template(name)), "")
                if template and names.isdisjoint(own):
                    witness = Witness("template", template, replace(change, path=template))
                    for index in indexes:
                        causes[index] = "template"
                        found[index] = replace(judged[index], verdict=replace(judged[index].verdict, witness=witness))
                    break
        return found

    def _written(self, entries: Iterable[Entry]) -> dict[str, int]:
        """When the sources of false claims were last written in the work tree."""
        false = (entry for entry in entries if entry.verdict.answer is Answer.FALSE)
        paths = dict.fromkeys(_sources(false) if not self._history.repository.problem else ())
        return {path: at for path in paths if (at := self._history.modified(path)) is not None}

    def _judge(self, entry: Entry, facts: Facts, rules: Rules) -> Entry:
        return replace(entry, verdict=judge(entry.claim, entry.mapping, facts, self._tolerant(entry, rules)))

    def _again(self, entry: Entry, facts: Facts, rules: Rules) -> Entry:
        """Judge once more only what more evidence, or another habit, can change."""
        return entry if _settled(entry.verdict) else self._judge(entry, facts, rules)

    def _tolerant(self, entry: Entry, rules: Rules) -> Rules:
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
        cluster = find_cluster(entries)
        wanted = {_named(entry.verdict) for entry in entries} | ({cluster.commit} if cluster else set())
        subjects = self._history.subjects(wanted - {""})
        return [_with_subject(entry, subjects) for entry in entries]


def _under_old_names(entries: Sequence[Entry], renamed: Mapping[str, str]) -> Sequence[Entry]:
    """The entries with the names that their sources have in the history."""
    if not renamed:
        return entries
    found = []
    for entry in entries:
        old = [renamed.get(path, path) for path in entry.mapping.also]
        content = renamed.get(entry.mapping.content, entry.mapping.content)
        found.append(replace(entry, mapping=replace(entry.mapping, content=content, also=tuple(old))))
    return found


def _settled(verdict: Verdict) -> bool:
    return verdict.answer is not Answer.FALSE and verdict.rule == ""


def _on_fields(entries: Iterable[Entry], facts: Facts) -> dict[str, Field]:
    """The date fields on which true claims stand and that may have gone stale, by path."""
    return {
        witness.path: witness.field
        for entry in entries
        if (witness := entry.verdict.witness) is not None
        and witness.kind == "field"
        and witness.field is not None
        and entry.verdict.answer is Answer.TRUE
        and facts.policies.get(witness.path) != "authoritative"
    }


def _is_older(verdict: Verdict) -> bool:
    """Whether older changes of the sources could support the claim, or what it stands on should not count."""
    if verdict.answer is Answer.FALSE:
        return verdict.rule in UNSUPPORTED and verdict.rule != "lastmod-too-new"
    return verdict.rule == "lastmod-overstated" and verdict.witness is not None and verdict.witness.kind == "ignored"


def _sources(entries: Iterable[Entry]) -> list[str]:
    return [path for entry in entries for path in sources(entry.mapping) if path]


def _named(verdict: Verdict) -> str:
    """The id of the commit that a broken rule's message will name."""
    change = verdict.witness.change if verdict.witness and verdict.rule else None
    return change.commit.id if change else ""


def _with_subject(entry: Entry, subjects: Mapping[str, str]) -> Entry:
    witness = entry.verdict.witness
    if witness is None or witness.change is None or witness.change.commit.id not in subjects:
        return entry
    commit = replace(witness.change.commit, subject=subjects[witness.change.commit.id])
    change = replace(witness.change, commit=commit)
    return replace(entry, verdict=replace(entry.verdict, witness=replace(witness, change=change)))


def _wanted(entries: Iterable[Entry]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Each source's path, with the seconds that claims on it can mean."""
    wanted: dict[str, set[tuple[int, int]]] = {}
    for entry in entries:
        if not entry.mapping.content:
            continue
        moment = moment_of(entry.claim)
        for path in sources(entry.mapping):
            ranges = wanted.setdefault(path, set())
            if moment is not None:
                ranges.add(dates.reach(moment))
    return {path: tuple(ranges) for path, ranges in wanted.items()}
