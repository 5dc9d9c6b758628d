"""Pages that list others: home, sections, tags, archives. Their date may be that of the newest page they list.

What a list shows is known in up to four ways: the entries below its address, those of them in its own language, those
whose sources lie in the folder that its own file is the index of, and those that its HTML links to. A claim that fits
the newest of any of these is true. It is false only if every page below is known and none of them, nor the list's own
file, changed then. What counts is when those pages changed: their own claims may say less than that, and a list is held
to them only where it says no more than they do. Pure: the facts come in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from sitemap_guard import dates
from sitemap_guard.judgement.facts import Facts, Rules, histories_of, last_of, time_of
from sitemap_guard.judgement.windows import (
    OF_HISTORY,
    SKEW,
    beside,
    beyond,
    broken,
    field_zones,
    moment_of,
    supports,
    window,
)
from sitemap_guard.model import Answer, Change, Entry, Moment, PathHistory, Verdict, Witness
from sitemap_guard.sources.tree import folder_of, is_index

Linked = Callable[[Entry], frozenset[str]]

_DAY = 86400


class Lists:
    """The entries of a site by their address, to find those that a page lists.

    `deep`: the lists among the entries have been judged, and are known by the newest page that each of them lists.
    """

    def __init__(self, entries: Sequence[Entry], facts: Facts, linked: Linked, *, deep: bool = False) -> None:
        self._entries = entries
        self._deep = deep
        self._facts = facts
        self._linked = linked
        self._order = sorted((entry.url, index) for index, entry in enumerate(entries) if entry.url)
        self._urls = [url for url, _ in self._order]
        self._sources = sorted((entry.mapping.content, index) for index, entry in enumerate(entries))

    def below(self, index: int) -> list[int]:
        """The entries whose address is below that of one, itself left out."""
        start = self._entries[index].url.partition("?")[0]
        start = start.removesuffix("index.html").removesuffix(".html").rstrip("/") + "/"
        low = bisect_left(self._urls, start)
        high = bisect_left(self._urls, f"{start[:-1]}0", low)
        return [other for url, other in self._order[low:high] if url != self._entries[index].url]

    def beside(self, index: int) -> list[int]:
        """The entries whose sources lie in the folder that the file of one is the index of, itself left out."""
        content = self._entries[index].mapping.content
        folder = folder_of(content)
        if not folder or not is_index(content):
            return []
        low = bisect_left(self._sources, (f"{folder}/", -1))
        high = bisect_left(self._sources, (f"{folder}0", -1), low)
        return [other for _, other in self._sources[low:high] if other != index]

    def linked(self, index: int) -> list[int]:
        """The entries that the page of one links to, itself left out."""
        found = []
        for url in sorted(self._linked(self._entries[index])):
            at = bisect_left(self._urls, url)
            while at < len(self._urls) and self._urls[at] == url:
                if url != self._entries[index].url:
                    found.append(self._order[at][1])
                at += 1
        return found

    def judged(self, index: int, rules: Rules) -> Verdict:
        """The verdict on a list's claim that its own file, if it has one, does not support."""
        entry = self._entries[index]
        told = entry.verdict
        moment = moment_of(entry.claim)
        below = self.below(index)
        if moment is None or not (below or entry.mapping.kind == "list"):
            return told
        lang = _lang(entry)
        same = [other for other in below if _lang(self._entries[other]) == lang]
        beside, shown = self.beside(index), self.linked(index)
        linked = frozenset(shown)
        if rules.strict and entry.mapping.content:
            below, same, beside = ([one for one in some if one in linked] for some in (below, same, beside))
        for pages in (same, below if len(below) > len(same) else [], beside, shown):
            stood = self._standing(pages, moment, rules)
            if stood:
                # One that the page links to is the better reason.
                best = next((other for other in stood if other in linked), stood[0])
                return Verdict(Answer.TRUE, witness=self._witness(best, entry, linked, rules))
        if entry.mapping.kind != "list" or told.answer is Answer.TRUE or self._facts.repository.problem:
            return told
        return self._unsupported(entry, moment, sorted({*below, *beside} or linked), linked, rules)

    def _standing(self, indexes: Sequence[int], moment: Moment, rules: Rules) -> list[int]:
        """Those of the newest of some pages that a list's date fits, by what the sitemap truly says of them or by
        their changes; empty if it fits none."""
        said = [
            (self._latest(other, when, rules), when, other)
            for other in indexes
            if self._entries[other].verdict.answer is Answer.TRUE
            and (when := moment_of(self._entries[other].claim)) is not None
        ]
        if said:
            latest, when, newest = max(said, key=lambda item: item[0])
            near = [(one, other) for at, one, other in said if latest - at <= _DAY and dates.agrees(when, one, (0,))]
            near.sort(key=lambda item: item[1] != newest)
            stood = [other for one, other in near if self._fits(other, moment, one, rules)]
            if stood:
                return stood
        changes = [(change, other) for other in indexes if (change := self._change(other)) is not None]
        for kind in ("authored", "committed", "landed"):
            if changes:
                change, _ = max(changes, key=lambda item: time_of(item[0].commit, kind).seconds)
                if supports(change.commit, moment, rules):
                    return [other for one, other in changes if one.commit.id == change.commit.id]
        return []

    def _latest(self, index: int, said: Moment, rules: Rules) -> int:
        """The last second at which a page can have changed, by its true date and what that stands on."""
        witness = self._entries[index].verdict.witness
        if witness is not None and witness.field is not None:
            return min(said.last, witness.field.moment.last)
        if witness is not None and witness.change is not None:
            return min(said.last, window(witness.change.commit, rules)[1])
        return said.last

    def _fits(self, index: int, moment: Moment, said: Moment, rules: Rules) -> bool:
        """Whether a list's date fits a page's true one, or, where it says more than that, what that stands on."""
        if moment.last - moment.first >= said.last - said.first:
            return dates.agrees(moment, said, (0,))
        witness = self._entries[index].verdict.witness
        if witness is None:
            return False
        if witness.field is not None:
            zones = field_zones(witness.path, witness.field, self._facts, rules)
            return dates.agrees(moment, witness.field.moment, zones)
        if witness.change is not None and witness.change.kind in ("twin", "merge"):
            return bool(beside(PathHistory(None, others=(witness.change,)), moment))
        if witness.change is not None:
            return supports(witness.change.commit, moment, rules)
        first, last = dates.reach(moment)  # an edit that is in no commit yet
        return last >= rules.now - _DAY and first <= rules.now + SKEW

    def _change(self, index: int) -> Change | None:
        history = self._facts.histories.get(self._entries[index].mapping.content)
        if history and history.last and not history.last.edge:
            return history.last
        witness = self._entries[index].verdict.witness
        return witness.change if self._deep and witness is not None and witness.kind == "child" else None

    def _witness(self, index: int, entry: Entry, linked: frozenset[int], rules: Rules) -> Witness:
        child = self._entries[index]
        told = child.verdict.witness if child.verdict.answer is Answer.TRUE else None
        change, field = (told.change if told else None) or self._change(index), told.field if told else None
        # A field is read in a file, which is not the child's own where the child is a list itself.
        path = told.path if told and field else child.mapping.content or child.url
        lasts = [last_of(history) for history in histories_of(entry.mapping, self._facts)]
        own = max(lasts, key=lambda last: time_of(last.commit, rules.habit).seconds, default=None)
        return Witness("child", path, change, field, listed=index in linked, own=own)

    def _unsupported(
        self, entry: Entry, moment: Moment, indexes: Sequence[int], linked: frozenset[int], rules: Rules
    ) -> Verdict:
        """False, or not to be told: a list may leave out the newest page, and pages without a source say nothing."""
        told = entry.verdict
        changes = [(change, other) for other in indexes if (change := self._change(other)) is not None]
        own = self._facts.histories.get(entry.mapping.content)
        if not changes:
            known_none = told.answer is Answer.CANNOT_TELL
            return (
                _cannot("it is a list, and no page that it lists or that is below it has a known change")
                if known_none
                else told
            )
        newest, child = max(changes, key=lambda item: time_of(item[0].commit, rules.habit).seconds)
        known = [change.commit for change, _ in changes]
        known += [own.last.commit] if own and own.last else []
        newer, older = beyond(moment, known, rules)
        lost = [other for other in indexes if self._change(other) is None]
        unknown = lost if self._deep else [other for other in lost if not self._is_list(other)]
        if unknown:
            some = f"{len(unknown)} pages" if len(unknown) > 1 else "a page"
            lists = "it lists" if unknown[0] in linked else "it stands above"
            return _cannot(f"{lists} {some} without a known change, such as {self._name(unknown[0])}")
        if not newer and any(supports(commit, moment, rules) for commit in known):
            return _cannot("it is the date of a page below it, though not of the newest")
        if told.answer is Answer.FALSE and told.rule not in OF_HISTORY:
            return told
        time = time_of(newest.commit, rules.habit)
        which = "that it lists" if child in linked else "below it"
        rule = broken(newer=newer, older=older)
        last = own.last if own else None
        if told.answer is Answer.FALSE and last and time_of(last.commit, rules.habit).seconds > time.seconds:
            return replace(told, rule=rule)  # its own file is newer than all that it lists
        return Verdict(
            Answer.FALSE,
            rule,
            Witness("child", newest.path, newest),
            text=f"the newest page {which}, {self._name(child)}, last changed {time.human()}",
            expected=dates.write(time, moment, entry.claim.lastmod or ""),
        )

    def _is_list(self, index: int) -> bool:
        return self._entries[index].mapping.kind == "list" and not self._entries[index].mapping.content

    def _name(self, index: int) -> str:
        return self._entries[index].mapping.content or self._entries[index].url


def judge_lists(entries: Sequence[Entry], facts: Facts, rules: Rules, linked: Linked) -> list[Entry]:
    """The entries with the verdicts on those that may stand on the pages they list."""
    lists = Lists(entries, facts, linked)
    judged = list(entries)
    for index, entry in enumerate(entries):
        if _open(entry):
            judged[index] = replace(entry, verdict=lists.judged(index, rules))
    # A list of lists (the page of all tags) lists pages that have no date but by what they list themselves.
    left = [index for index, entry in enumerate(judged) if entry.verdict.reason == "list" and not entry.mapping.content]
    deeper = Lists(judged, facts, linked, deep=True) if left else lists
    for index in left:
        told = deeper.judged(index, rules)
        if told.answer is not Answer.CANNOT_TELL:
            judged[index] = replace(judged[index], verdict=told)
    return judged


def _open(entry: Entry) -> bool:
    verdict = entry.verdict
    if verdict.answer is Answer.CANNOT_TELL:
        return verdict.reason == "no-source" and entry.mapping.kind == "list"
    return verdict.rule in OF_HISTORY


def _lang(entry: Entry) -> str:
    return entry.page.lang.lower() if entry.page else ""


def _cannot(text: str) -> Verdict:
    return Verdict(Answer.CANNOT_TELL, reason="list", text=text)
