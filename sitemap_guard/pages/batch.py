"""Reading many pages, on all cores when there are many."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    """Pages that are being read. Where there are many, worker processes begin at once, whatever the caller does then.

    `paths` are relative to `folder`. `jobs` is the number of processes (default: one a core when there are many pages,
    else none but this one). Close it, or use it as a context manager.
    """

    def __init__(self, folder: Path, paths: Sequence[str], *, edit_links: bool = True, jobs: int | None = None) -> None:
        self._folder, self._edit_links = str(folder), edit_links
        self._paths = list(dict.fromkeys(paths))
        self._pool: Executor | None = None
        self._begun: list[Future[list[tuple[str, Page]]]] = []
        if jobs is None:
            jobs = _cores() if len(self._paths) > _MANY else 1
        if jobs > 1 and len(self._paths) > 1:
            self._begin(jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, jobs: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        size = min(_CHUNK, -(-len(self._paths) // jobs))
        # A system may have no semaphores; what the workers do not read is read here.
        with contextlib.suppress(OSError, NotImplementedError, ImportError, BrokenProcessPool):
            self._pool = ProcessPoolExecutor(jobs, mp_context=_context())
            for chunk in _chunks(self._paths, size):
                self._begun.append(self._pool.submit(_read_chunk, self._folder, chunk, self._edit_links))

    def read(self, progress: Progress | None = None) -> dict[str, Page]:
        """The facts of each page, in the order of the paths. If a worker dies, the rest is read here.

        `progress` is called with (done, total).
        """
        pages: dict[str, Page] = {}
        for chunk in self._chunks(pages):
            pages.update(chunk)
            if progress:
                progress(len(pages), len(self._paths))
        self.close()
        return pages

    def _chunks(self, done: Mapping[str, Page]) -> Iterator[list[tuple[str, Page]]]:
        from concurrent.futures.process import BrokenProcessPool

        with contextlib.suppress(BrokenProcessPool, OSError):
            for future in self._begun:
                yield future.result()
        for chunk in _chunks(self._paths[len(done) :], _CHUNK):
            yield _read_chunk(self._folder, chunk, self._edit_links)

    def close(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def read_pages(
    folder: Path,
    paths: Sequence[str],
    *,
    edit_links: bool = True,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> dict[str, Page]:
    """The facts of each page, read at once: see `Batch`."""
    with Batch(folder, paths, edit_links=edit_links, jobs=jobs) as batch:
        return batch.read(progress)


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


def _chunks(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
