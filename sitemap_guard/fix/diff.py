"""The unified diff of a planned change, made from its edits: no search for what differs, however long the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap_guard.fix.plan import Planned
from sitemap_guard.reports.safe import neutralise, visible

CONTEXT = 3


def unified(planned: Planned, name: str) -> Iterator[str]:
    """The lines of the diff, without line ends, as `patch -p1` and `git apply` read them.

    Characters that would act on a terminal or in a build's log are shown as escapes: then the diff cannot be applied.
    """
    return map(_safe, _exact(planned, name))


def can_be_applied(planned: Planned, name: str) -> bool:
    """Whether the diff is one of the file's own bytes: it is not packed, and no line holds an escape."""
    return not name.lower().endswith(".gz") and all(_safe(line) == line for line in _exact(planned, name))


def _exact(planned: Planned, name: str) -> Iterator[str]:
    old, new = planned.before, planned.after
    blocks = list(_blocks(planned))
    yield f"--- {_name(f'a/{name}')}"
    yield f"+++ {_name(f'b/{name}')}"
    old_lines, new_lines = _Lines(old), _Lines(new)
    at, shift = 0, 0
    while at < len(blocks):
        last = at
        while last + 1 < len(blocks) and blocks[last + 1][0] - blocks[last][1] <= 2 * CONTEXT:
            last += 1
        first, end = max(0, blocks[at][0] - CONTEXT), min(old_lines.count, blocks[last][1] + CONTEXT)
        grown = sum(block[3] - block[2] - (block[1] - block[0]) for block in blocks[at : last + 1])
        yield _heading(first, end - first, first + shift, end - first + grown)
        place = first
        for start, stop, new_start, new_stop in blocks[at : last + 1]:
            yield from old_lines.shown(" ", place, start)
            yield from old_lines.shown("-", start, stop)
            yield from new_lines.shown("+", new_start, new_stop)
            place = stop
        yield from old_lines.shown(" ", place, end)
        shift += grown
        at = last + 1


def _heading(old: int, old_count: int, new: int, new_count: int) -> str:
    # An empty side names the line before it (POSIX diff, unified format).
    return f"@@ -{old + (old_count > 0)},{old_count} +{new + (new_count > 0)},{new_count} @@"


class _Lines:
    """The lines of a file, by the bytes at which they begin."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.starts = [0]
        at = data.find(b"\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = data.find(b"\n", at + 1)
        self.open = self.starts[-1] < len(data)  # the last line has no end
        if not self.open:
            self.starts.pop()
        self.count = len(self.starts)

    def shown(self, sign: str, first: int, end: int) -> Iterator[str]:
        for number in range(first, end):
            stop = self.starts[number + 1] if number + 1 < self.count else len(self.data)
            text = self.data[self.starts[number] : stop].decode("utf-8", "surrogateescape")
            yield sign + text.removesuffix("\n")
            if self.open and number + 1 == self.count:
                yield "\\ No newline at end of file"


def _name(name: str) -> str:
    """A file's name as `git diff` writes it: quoted as C does where it must be, and ended by a tab after blanks."""
    if re.search(r'[\x00-\x1f"\\\x7f]', name):
        return '"' + re.sub(r'[\x00-\x1f"\\\x7f]', lambda match: f"\\{ord(match.group()):03o}", name) + '"'
    return f"{name}\t" if " " in name else name


def _safe(line: str) -> str:
    end = "\r" if line.endswith("\r") else ""
    # At the beginning of a line a byte order mark does no harm, and patches need it.
    start = f"{line[0]}\ufeff" if line[1:2] == "\ufeff" else ""
    body = line.removesuffix("\r").removeprefix(start)
    return start + neutralise("\t".join(visible(part) for part in body.split("\t"))) + end


def _blocks(planned: Planned) -> Iterator[tuple[int, int, int, int]]:
    """The lines that differ: first and end in the old file, first and end in the new one; touching ones as one."""
    old, new = planned.before, planned.after
    counted_old, counted_new = _Counter(old), _Counter(new)
    shift = 0
    held: tuple[int, int, int, int] | None = None
    for edit in planned.edits:
        start, end = edit.span
        new_start, new_end = start + shift, start + shift + len(edit.new)
        shift += len(edit.new) - (end - start)
        whole = old[start - 1 : start] in (b"", b"\n") and (old[end - 1 : end] == b"\n" and not edit.new)
        first, stop = counted_old.line(start), counted_old.line(end) if whole else counted_old.line(end) + 1
        new_first = counted_new.line(new_start)
        new_stop = new_first if whole else counted_new.line(new_end) + 1
        if held is not None and first <= held[1]:
            held = (held[0], max(held[1], stop), held[2], max(held[3], new_stop))
            continue
        if held is not None:
            yield held
        held = (first, stop, new_first, new_stop)
    if held is not None:
        yield held


class _Counter:
    """The number of the line that a byte is on, from 0; asked in ascending order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._line = 0

    def line(self, offset: int) -> int:
        self._line += self._data.count(b"\n", self._at, offset)
        self._at = offset
        return self._line
