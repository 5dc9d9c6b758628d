"""The cache of walks: a few snapshots in `.git/sitemap-guard/`, so that a next run reads only what came since.

They lie in the repository's own git folder because there they belong to the right repository by construction, go
away with the clone, are shared by its linked work trees, and can be neither committed nor published. Another folder
can be named, for build machines that keep one between runs. Files are written whole and then put in place; whatever
cannot be read or is not what was written is passed over, and all of it can be deleted at any time. Results are the
same with and without. History that replace refs or grafts rewrite is not cached, since a commit's id then no longer
stands for what lies behind it.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from sitemap_guard.history.process import raw, text
from sitemap_guard.history.reading import Progress, Reading
from sitemap_guard.history.resume import Resumed, resume
from sitemap_guard.history.snapshot import Snapshot, decode, digest, encode, made
from sitemap_guard.history.walk import Walk
from sitemap_guard.model import PathHistory

FOLDER = "sitemap-guard"
# Older first-parent commits than these are not looked for among the snapshots.
LINE = 3000
# A new snapshot is written when so many commits were read, or asked about, beyond the old one.
WORTH = 200
# Shorter histories are read as fast as a file.
LEAST = 5000
MOST_FILES = 6
_MOST_BYTES = 1 << 30


class Cache:
    """Snapshots in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._folder

    @property
    def used(self) -> bool:
        """Whether the history is long enough to have been cached."""
        return bool(self._files())

    def walk(self, reading: Reading, progress: Progress | None) -> dict[str, PathHistory]:
        """The histories of what is wanted, as a whole walk would give them. Raises UserError as `Reading.walk`."""
        if reading.rewritten():
            return _histories(reading.walk(progress), reading)
        for base in self._snapshots(reading):
            if _same(base, reading):
                return base.histories
            walk = reading.walk(record=True, base=base.tip.encode())
            found = resume(reading, walk, base)
            if found is not None:
                if len(walk.rows) + found.asked >= WORTH:
                    self._save(reading, found, base.rows, walk)
                return found.histories
        walk = reading.walk(progress, record=True)
        unnamed = frozenset(map(text, walk.unnamed))
        found = Resumed(_histories(walk, reading), unnamed, 0)
        self._save(reading, found, b"", walk)
        return found.histories

    def _snapshots(self, reading: Reading) -> Iterator[Snapshot]:
        """Those on the first-parent line, the newest first; those of the same paths before others."""
        files = self._files()
        if not files:
            return
        line = {commit: place for place, commit in enumerate(reading.line(LINE))}
        tips = {file: file.name.removeprefix("history-").partition("-")[0] for file in files}
        own = digest(reading.wanted)
        nearest = sorted(files, key=lambda file: (not file.name.endswith(own), line.get(tips[file], 0)))
        for file in nearest:
            # Cheap to ask, and most of what follows would be in vain.
            if tips[file] not in line or not reading.stands_on(tips[file]):
                continue
            with contextlib.suppress(OSError, MemoryError):
                if file.stat().st_size <= _MOST_BYTES:
                    found = decode(file.read_bytes(), reading.edges)
                    if found is not None and found.tip == tips[file]:
                        yield found

    def _files(self) -> list[Path]:
        try:
            return [file for file in self._folder.iterdir() if file.name.startswith("history-") and file.is_file()]
        except OSError:
            return []

    def _save(self, reading: Reading, found: Resumed, older: bytes, walk: Walk) -> None:
        if reading.now:
            return  # when the tip has landed is not known yet
        rows = b"\n".join([*([older] if older else []), *reversed(walk.rows)])
        if rows.count(b"\n") + 1 < LEAST:
            return
        claims = dict(reading.wanted)
        content = encode(made(reading.tip, reading.edges, found.histories, claims, reading.loose, found.unnamed, rows))
        if content is not None:
            name = f"history-{reading.tip.decode()}-{digest(reading.wanted)}"
            with contextlib.suppress(OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(self._folder / name, content)
                _thin(self._files())


def _same(base: Snapshot, reading: Reading) -> bool:
    return (base.tip, base.claims, base.loose) == (reading.tip.decode(), reading.wanted, reading.loose) and not (
        reading.now
    )


def _histories(walk: Walk, reading: Reading) -> dict[str, PathHistory]:
    return {path: walk.history(raw(path)) for path in reading.wanted}


def write_whole(file: Path, content: bytes) -> None:
    """All of it or nothing."""
    handle, name = tempfile.mkstemp(prefix=".new-", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _thin(files: Sequence[Path]) -> None:
    """Keeps a few, spread over time: a branch that began long ago needs an old one."""
    ages = sorted((file.stat().st_mtime, file) for file in files)
    while len(ages) > MOST_FILES:
        gaps = [(ages[place + 1][0] - ages[place - 1][0], place) for place in range(1, len(ages) - 1)]
        _, file = ages.pop(min(gaps)[1])
        file.unlink()
