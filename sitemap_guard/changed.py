"""Which addresses changed since an earlier moment: by verified dates, never by what a sitemap merely says.

Pure: what was before comes in as a table of dates, or as what git says happened since a revision.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import dates
from sitemap_guard.model import Answer, Entry, Witness

# What a date says without the change of the source in the work tree being committed.
_UNCOMMITTED = ("staged", "edited")


class Moved(Struct, frozen=True):
    """An address whose date moved, or that is new. `lastmod` is its date now, `before` its earlier one (None: none)."""

    url: str
    lastmod: str | None = None
    before: str | None = None


class Changes(Struct, frozen=True):
    """What changed since an earlier moment; `since` names it for people.

    `changed` are addresses whose verified date is newer than before, `new` those that were not there, `removed` those
    that are no longer listed (None: an earlier list is needed to tell). `untold` are addresses that may have
    changed: their date differs, or their source does, but the date they bear cannot be verified or is false.
    """

    since: str
    changed: tuple[Moved, ...]
    new: tuple[Moved, ...]
    removed: tuple[str, ...] | None
    untold: tuple[str, ...]

    @property
    def urls(self) -> tuple[str, ...]:
        """All addresses that a search engine should look at again, each once."""
        moved = (one.url for one in (*self.changed, *self.new))
        return tuple(dict.fromkeys([*moved, *(self.removed or ())]))


def listed(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries with an address, each address once; pages that were not built are no pages."""
    seen = set()
    for entry in entries:
        if entry.url and entry.url not in seen and entry.located.state not in ("missing", "outside", "elsewhere"):
            seen.add(entry.url)
            yield entry


def since_dates(entries: Iterable[Entry], before: Mapping[str, str | None], since: str) -> Changes:
    """What changed since the addresses and dates of an earlier list (None or "": listed without a date).

    A date that moved backwards was put right: its page did not change. The same holds for a date that was added.
    """
    changed, new, untold = [], [], []
    now = {entry.url for entry in entries if entry.url}
    for entry in listed(entries):
        text = entry.claim.lastmod
        if entry.url not in before:
            new.append(Moved(entry.url, text))
            continue
        old = before[entry.url]
        if not _newer(text, old, feed=entry.claim.feed):
            continue
        if entry.verdict.answer is Answer.TRUE:
            if not _of_another(entry) or _changed_itself(entry.verdict.witness, old):
                changed.append(Moved(entry.url, text, old))
        else:
            untold.append(entry.url)
    removed = tuple(url for url in before if url not in now)
    return Changes(since, tuple(changed), tuple(new), removed, tuple(untold))


def _newer(text: str | None, old: str | None, *, feed: bool) -> bool:
    """Whether a date is surely newer than another, in whichever zone each is read."""
    if not text or not old or text == old:
        return False
    parse = dates.parse_feed if feed else dates.parse
    now, then = parse(text), parse(old) or dates.parse_feed(old)
    if now is None or then is None:
        return now is None
    if now.precision == then.precision and (now.offset is None) == (then.offset is None):
        return now.first > then.first
    return dates.reach(now)[0] > dates.reach(then)[1]


class History(Struct, frozen=True):
    """What git says happened since a revision: `paths` with their status (`A` added, else changed), the `commits`
    made, and `field_before`, which tells what a source said in a field at the revision ("" for nothing)."""

    paths: Mapping[str, str]
    commits: frozenset[str]
    field_before: Callable[[str, str], str]


def since_history(entries: Iterable[Entry], history: History, since: str) -> Changes:
    """What changed since a revision: whose date stands on a change made since.

    A page without a date counts when its source changed, since nothing is claimed of it that could be false.
    """
    changed, new, untold = [], [], []
    for entry in listed(entries):
        mapping, verdict = entry.mapping, entry.verdict
        sources = [path for path in (mapping.content, *mapping.also) if path]
        moved = any(touched(path, history.paths) for path in sources)
        if mapping.content and history.paths.get(mapping.content) == "A":
            new.append(Moved(entry.url, entry.claim.lastmod))
        elif verdict.answer is Answer.TRUE and verdict.witness is not None:
            if _since(verdict.witness, history) and (moved or not _of_another(entry)):
                changed.append(Moved(entry.url, entry.claim.lastmod))
            elif moved and not any(path in history.paths for path in sources):
                untold.append(entry.url)  # a submodule moved on, and its commits are not looked into
        elif verdict.answer is Answer.ABSENT and moved:
            changed.append(Moved(entry.url))
        elif moved:
            untold.append(entry.url)
    return Changes(since, tuple(changed), tuple(new), None, tuple(untold))


def _of_another(entry: Entry) -> bool:
    """Whether a page with a source of its own bears the date of one below it to which it does not link."""
    witness = entry.verdict.witness
    return bool(entry.mapping.content) and witness is not None and witness.kind == "child" and not witness.listed


def _changed_itself(witness: Witness | None, old: str | None) -> bool:
    """Whether a list's own file changed after an earlier date, which was not the date of that change."""
    then = dates.parse_feed(old or "")
    if witness is None or witness.own is None or then is None:
        return True
    commit = witness.own.commit
    times = (commit.authored, commit.committed, commit.landed)
    told = any(dates.meets(then, time.seconds, time.seconds, (0, time.offset)) for time in times)
    return not told and max(time.seconds for time in times) > dates.reach(then)[1]


def touched(path: str, changed: Container[str]) -> bool:
    """Whether a source is among the changed paths, or in a submodule that is."""
    if path in changed:
        return True
    ends = [place for place, letter in enumerate(path) if letter == "/"]
    return any(path[:end] in changed for end in ends)


def _since(witness: Witness, history: History) -> bool:
    """Whether what a date stands on came about since the revision."""
    if witness.kind in _UNCOMMITTED:
        return True
    if witness.field is not None:
        if witness.path not in history.paths:
            return False
        return history.field_before(witness.path, witness.field.name) != witness.field.value
    return witness.change is not None and witness.change.commit.id in history.commits


def without_told(changes: Changes, told: Mapping[str, str | None]) -> Changes:
    """The changes without those that a table of what was told has with the same date: a run that was broken off told
    them. What is gone cannot be known from such a table; it stays."""

    def left(moved: Iterable[Moved]) -> tuple[Moved, ...]:
        return tuple(one for one in moved if one.url not in told or told[one.url] != one.lastmod)

    return replace(changes, changed=left(changes.changed), new=left(changes.new))


def remembered(
    before: Mapping[str, str | None], entries: Iterable[Entry], pending: frozenset[str]
) -> dict[str, str | None]:
    """What is to be known of each address next time: its verified date, once it has been told.

    `pending` are the addresses that are still to be told; for them, and where a date cannot be verified, what was
    known stays.
    """
    entries = list(entries)
    after: dict[str, str | None] = {}
    for entry in listed(entries):
        if entry.url in pending:
            if entry.url in before:
                after[entry.url] = before[entry.url]
        elif entry.verdict.answer is Answer.TRUE:
            after[entry.url] = entry.claim.lastmod
        else:
            after[entry.url] = before.get(entry.url)
    now = {entry.url for entry in entries}
    after.update((url, text) for url, text in before.items() if url not in now and url in pending)
    return after
