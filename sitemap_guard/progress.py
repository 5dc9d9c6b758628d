"""A progress line on a terminal, for runs that take over a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_WAIT = 1.0
_WORDS = {"sitemaps": "reading sitemaps", "pages": "reading pages", "history": "walking history", "rules": "judging"}


class ProgressLine:
    """Shows how far each stage is, on standard error, once a second has passed; nothing when `wanted` is false."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._begun = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._stage = ""

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take news of a stage; `total` 0 means that its length is not known."""
        if not self._wanted or time.monotonic() - self._begun < _WAIT:
            return
        if self._bar is None:
            self._bar = _bar()
            self._bar.start()
        if stage != self._stage or self._task is None:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(_WORDS.get(stage, stage), total=total or None)
            self._stage = stage
        self._bar.update(self._task, completed=done, total=total or None)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    )
