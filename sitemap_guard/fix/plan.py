"""What to change in the sitemaps of a site, as edits of bytes. Pure: bytes and a result in, edits out.

Only what a finding calls false is changed. A value is replaced where evidence names a better one, and its element
is taken out where none does. Nothing is ever dated "today" but a page that is being changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from sitemap_guard import dates
from sitemap_guard.fix.habit import Habit
from sitemap_guard.fix.prune import prunable
from sitemap_guard.fix.spans import Element, Placed, Span, read
from sitemap_guard.model import Answer, Child, Entry, Instant, Moment, Result, Sitemap, UserError


class Options(Struct, frozen=True):
    """What may be done beside mending false dates: drop entries that cannot be right, date those that have none."""

    prune: bool = False
    add_missing: bool = False


class Edit(Struct, frozen=True):
    """Bytes to replace (none for an insertion), what by, and what for: `rewritten`, `removed`, `dropped`, `added`."""

    span: Span
    new: bytes
    kind: str


class Planned(Struct, frozen=True):
    """The change of one file: its bytes before and after, the edits, and the values that it must have afterwards.

    `path` is relative to the built site's folder. `values` holds loc and lastmod of every entry that stays.
    """

    path: str
    before: bytes
    after: bytes
    edits: tuple[Edit, ...]
    values: tuple[tuple[str, str | None], ...]
    dropped: frozenset[int] = frozenset()

    def counts(self) -> Counter[str]:
        """How many edits there are of each kind."""
        return Counter(edit.kind for edit in self.edits)


def plan(result: Result, contents: Mapping[str, bytes], options: Options) -> list[Planned]:
    """The changes of the files in `contents` (unpacked bytes by path), those that stay the same left out.

    Raises:
        UserError: a file is not the one that was checked, or all of its entries would be dropped.
    """
    planner = _Planner(result, options)
    planned: dict[str, Planned] = {}
    for sitemap in result.site.sitemaps:
        if sitemap.path in contents and sitemap.kind in ("urlset", "text"):
            make = planner.urlset if sitemap.kind == "urlset" else planner.text
            planned[sitemap.path] = make(sitemap, contents[sitemap.path])
    newest = {path: _newest(one.values) for path, one in planned.items()}
    for sitemap in result.site.sitemaps:
        if sitemap.path in contents and sitemap.kind == "index":
            planned[sitemap.path] = planner.index(sitemap, contents[sitemap.path], newest)
    return [one for one in planned.values() if one.edits]


def cut_off(entry: Entry) -> bool:
    """Whether a date stays because what lies behind the edge of a shallow clone would tell what to write."""
    return entry.verdict.cut_off


class _Planner:
    def __init__(self, result: Result, options: Options) -> None:
        self._options = options
        self._site = result.site
        self._entries = {_key(entry.claim.sitemap, entry): entry for entry in result.site.entries}
        self._found = {(finding.loc, finding.rule) for finding in result.findings if finding.loc}
        self._of_children = {
            (finding.path, finding.line, finding.column): finding
            for finding in result.findings
            if finding.element == "lastmod" and not finding.loc
        }
        self._gone = prunable(result).gone if options.prune else frozenset()
        self._habit = Habit(result.site)

    # ---------------------------------------------------------------------------------------------- sitemaps

    def urlset(self, sitemap: Sitemap, data: bytes) -> Planned:
        placed = read(data, self._site.place(sitemap.path))
        claims = [(claim.loc, claim.lastmod) for claim in sitemap.claims]
        self._same(sitemap, placed, claims)
        edits: list[Edit] = []
        values: list[tuple[str, str | None]] = []
        dropped: set[int] = set()
        for index, (claim, place) in enumerate(zip(sitemap.claims, placed, strict=True)):
            if claim.loc in self._gone:
                edits.append(Edit(line_of(data, place.span), b"", "dropped"))
                dropped.add(index)
                continue
            entry = self._entries.get((sitemap.path, claim.line, claim.column, claim.loc))
            edit, value = self._lastmod(data, place, entry, claim.lastmod)
            values.append((claim.loc, value))
            if edit is not None:
                edits.append(edit)
        if dropped and not values:
            raise self._emptied(sitemap)
        return _planned(sitemap.path, data, edits, values, dropped)

    def _lastmod(
        self, data: bytes, place: Placed, entry: Entry | None, now: str | None
    ) -> tuple[Edit | None, str | None]:
        if entry is None:
            return None, now
        if place.lastmod is not None:
            verdict = entry.verdict
            if verdict.answer is not Answer.FALSE or (entry.claim.loc, verdict.rule) not in self._found:
                return None, now
            if cut_off(entry):
                return None, now
            return _rewritten(data, place.lastmod, verdict.expected), verdict.expected
        if not self._options.add_missing or place.loc is None:
            return None, now
        value = self._habit.date(entry)
        return (None, None) if value is None else (_added(data, place.loc, value), value)

    def index(self, sitemap: Sitemap, data: bytes, newest: Mapping[str, tuple[Moment, str] | None]) -> Planned:
        """The date of a child moves with the newest date in it: where it was that date, or was older."""
        placed = read(data, self._site.place(sitemap.path))
        self._same(sitemap, placed, [(child.loc, child.lastmod) for child in sitemap.children])
        edits: list[Edit] = []
        values: list[tuple[str, str | None]] = []
        for child, place in zip(sitemap.children, placed, strict=True):
            value = self._child(sitemap, child, newest)
            values.append((child.loc, value))
            if place.lastmod is not None and value != child.lastmod:
                edits.append(_rewritten(data, place.lastmod, value))
        return _planned(sitemap.path, data, edits, values, set())

    def _child(self, sitemap: Sitemap, child: Child, newest: Mapping[str, tuple[Moment, str] | None]) -> str | None:
        inside = newest.get(child.path)
        finding = self._of_children.get((self._site.place(sitemap.path), child.line, child.column))
        if finding is not None and finding.rule != "sitemap-index-lastmod":
            return inside[1] if inside is not None else finding.expected
        said = dates.parse(child.lastmod) if child.lastmod else None
        if said is None or child.path not in newest:
            return child.lastmod
        before = self._newest_before(child.path)
        if inside is None:
            return None if before is not None and _meet(said, before[0]) else child.lastmod
        # What no finding calls false moves only together with the dates inside.
        moves = finding is not None or before != inside
        older = moves and dates.reach(said)[1] < dates.reach(inside[0])[0]
        followed = before is not None and _meet(said, before[0]) and before[0] != inside[0]
        if not older and not (followed and not _meet(said, inside[0])):
            return child.lastmod
        return inside[1] if inside[0].precision == said.precision else _spelt(inside[0], said, child.lastmod or "")

    def _newest_before(self, path: str) -> tuple[Moment, str] | None:
        sitemap = next(one for one in self._site.sitemaps if one.path == path)
        return _newest([(claim.loc, claim.lastmod) for claim in sitemap.claims])

    def _same(self, sitemap: Sitemap, placed: Sequence[Placed], claims: Sequence[tuple[str, str | None]]) -> None:
        there = [(one.loc.text if one.loc else "", one.lastmod.text if one.lastmod else None) for one in placed]
        if there != list(claims):
            raise UserError(f"{self._site.place(sitemap.path)}: it has changed since it was checked; run fix again")

    # -------------------------------------------------------------------------------------------------- text

    def text(self, sitemap: Sitemap, data: bytes) -> Planned:
        """A text sitemap holds no dates; only lines are dropped."""
        lines = [
            (span, data[slice(*span)].decode("utf-8", "replace").lstrip("\ufeff").strip()) for span in _lines(data)
        ]
        if not {claim.loc for claim in sitemap.claims} <= {loc for _, loc in lines}:
            raise UserError(f"{self._site.place(sitemap.path)}: it has changed since it was checked; run fix again")
        edits = [Edit(span, b"", "dropped") for span, loc in lines if loc in self._gone]
        if edits and all(loc in self._gone for _, loc in lines if loc):
            raise self._emptied(sitemap)
        return _planned(sitemap.path, data, edits, [], set())

    def _emptied(self, sitemap: Sitemap) -> UserError:
        return UserError(f"{self._site.place(sitemap.path)}: --prune would drop every entry; is this the right site?")


def _key(path: str, entry: Entry) -> tuple[str, int, int, str]:
    return path, entry.claim.line, entry.claim.column, entry.claim.loc


def _planned(
    path: str, data: bytes, edits: list[Edit], values: list[tuple[str, str | None]], dropped: set[int]
) -> Planned:
    return Planned(path, data, applied(data, edits), tuple(edits), tuple(values), frozenset(dropped))


def applied(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes with the edits made; they are in order and do not overlap."""
    parts, at = [], 0
    for edit in edits:
        start, end = edit.span
        if start < at or end < start:
            raise ValueError("edits overlap")
        parts += [data[at:start], edit.new]
        at = end
    return b"".join([*parts, data[at:]])


# ------------------------------------------------------------------------------------------------------- edits


def _rewritten(data: bytes, element: Element, value: str | None) -> Edit:
    if value is None:
        return Edit(line_of(data, element.span), b"", "removed")
    text = _escaped(value)
    if element.inside is None:
        return Edit(element.span, b"<%b>%b</%b>" % (element.name, text, element.name), "rewritten")
    start, end = element.inside
    if data.startswith(b"<![CDATA[", start) and data.find(b"]]>", start, end) == end - 3:
        start, end = start + 9, end - 3  # the section stays, its text is another
    return Edit((start, end), text, "rewritten")


def _added(data: bytes, loc: Element, value: str) -> Edit:
    """A lastmod after the loc, on a line of its own where the loc has one, with the loc's prefix and indent."""
    start, end = loc.span
    before = data.rfind(b"\n", 0, start)
    gap = data[before:start] if before >= 0 and not data[before:start].strip() else b""
    if gap and data[before - 1 : before] == b"\r":
        gap = b"\r" + gap
    prefix = loc.name.removesuffix(b"loc")
    name = prefix + b"lastmod"
    return Edit((end, end), b"%b<%b>%b</%b>" % (gap, name, _escaped(value), name), "added")


def _escaped(value: str) -> bytes:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()


def line_of(data: bytes, span: Span) -> Span:
    """The span with the white space that was there for its sake: its whole lines when nothing else is on them."""
    start, end = span
    first = start
    while first > 0 and data[first - 1 : first] in (b" ", b"\t"):
        first -= 1
    last = end
    while data[last : last + 1] in (b" ", b"\t", b"\r"):
        last += 1
    if (first == 0 or data[first - 1 : first] == b"\n") and data[last : last + 1] == b"\n":
        return first, last + 1
    return span


def _lines(data: bytes) -> Iterator[Span]:
    for match in re.finditer(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", data):
        yield match.span()


# ------------------------------------------------------------------------------------------------------- dates


def _newest(values: Sequence[tuple[str, str | None]]) -> tuple[Moment, str] | None:
    """The newest date of a sitemap's entries, with its text."""
    best: tuple[Moment, str] | None = None
    for _, text in values:
        moment = dates.parse(text) if text else None
        if moment is not None and text and (best is None or dates.reach(moment)[0] > dates.reach(best[0])[0]):
            best = (moment, text)
    return best


def _meet(one: Moment, two: Moment) -> bool:
    first, last = dates.spans(one, (0,))[0]
    start, end = dates.spans(two, (0,))[0]
    return first <= end and start <= last


def _spelt(moment: Moment, like: Moment, text: str) -> str:
    """A moment in the precision and zone of another text; a day becomes its last second, so as not to be older."""
    return dates.write(Instant(moment.last, moment.offset or 0), like, text)
