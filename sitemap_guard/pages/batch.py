"""Reading many pages, on all cores when there are many."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sitemap_guard.model import Page

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.context import BaseContext

# Below this many pages, starting processes costs more than it saves.
_MANY = 2000
_CHUNK = 250

Progress = Callable[[int, int], None]


class Batch:
    """Pages that are being read, in the order in which they are added, while the caller does something else.

    Where about so many as are `expected` are worth it, worker processes do that; they begin at once. `jobs` is their
    number (default: one a core when there are many pages, else none but this one). Paths are relative to `folder`.
    Close it, or use it as a context manager.
    """

    def __init__(self, folder: Path, expected: int, *, edit_links: bool = True, jobs: int | None = None) -> None:
        self._folder, self._edit_links = str(folder), edit_links
        if jobs is None:
            jobs = _cores() if expected > _MANY else 1
        self._size = min(_CHUNK, -(-expected // jobs)) if jobs > 1 < expected else _CHUNK
        self._known: set[str] = set()
        self._waiting: list[str] = []
        self._chunks: list[list[str]] = []
        self._begun: list[Future[list[tuple[str, Page]]]] = []
        self._pool = _pool(jobs) if jobs > 1 < expected else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, path: str) -> None:
        """One more page, once."""
        if path not in self._known:
            self._known.add(path)
            self._waiting.append(path)
            if len(self._waiting) >= self._size:
                self._send()

    def _send(self) -> None:
        chunk, self._waiting = self._waiting, []
        self._chunks.append(chunk)
        if self._pool is not None:
            with contextlib.suppress(OSError, BrokenExecutor), _starting():
                self._begun.append(self._pool.submit(_read_chunk, self._folder, chunk, self._edit_links))

    def read(self, progress: Progress | None = None) -> dict[str, Page]:
        """The facts of each page. If a worker dies, the rest is read here. `progress` is called with (done, total)."""
        if self._waiting:
            self._send()
        pages: dict[str, Page] = {}
        for chunk, begun in zip_longest(self._chunks, self._begun):
            pages.update(self._result(chunk, begun))
            if progress:
                progress(len(pages), len(self._known))
        self.close()
        return pages

    def _result(self, chunk: Sequence[str], begun: Future[list[tuple[str, Page]]] | None) -> list[tuple[str, Page]]:
        if begun is not None:
            with contextlib.suppress(OSError, BrokenExecutor):
                return begun.result()
        return _read_chunk(self._folder, chunk, self._edit_links)

    def close(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _pool(jobs: int) -> Executor | None:
    """Running workers; None where the system has no semaphores for them."""
    from concurrent.futures import ProcessPoolExecutor

    try:
        # Not inside: this may start Python's resource tracker, which lets Ctrl-C through again.
        pool = ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_leave_interrupts)
        with _starting():
            pool.submit(_ready)
    except (OSError, NotImplementedError, ImportError):
        return None
    return pool


@contextlib.contextmanager
def _starting() -> Iterator[None]:
    """While workers start, Ctrl-C waits: they inherit that, and so never see one before they have begun."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_interrupts() -> None:
    """Ctrl-C reaches all processes of a terminal; the command alone answers it, and ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _ready() -> None:
    """The first task, so that all workers are there."""


def _read_chunk(folder: str, paths: Sequence[str], edit_links: bool) -> list[tuple[str, Page]]:
    from sitemap_guard.pages.html import read_page

    return [(path, read_page(os.path.join(folder, path), path, edit_links=edit_links)) for path in paths]


def _context() -> BaseContext:
    """How to start workers: by fork where that is safe (at once, no imports), else anew."""
    import multiprocessing
    import threading

    fork = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    return multiprocessing.get_context("fork" if fork else "spawn")


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
