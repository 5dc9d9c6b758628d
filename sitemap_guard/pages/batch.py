"""Reading many pages, on all cores when there are many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_guard.model import Page

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

# Below this many pages, starting processes costs more than it saves.
_MANY = 2000
_CHUNK = 250

Progress = Callable[[int, int], None]


def read_pages(
    folder: Path,
    paths: Sequence[str],
    *,
    edit_links: bool = True,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> dict[str, Page]:
    """The facts of each page, in the order of `paths` (relative to `folder`).

    `jobs` is the number of processes (default: one a core when there are many pages, else none but this one).
    `progress` is called in this process with (done, total). If a worker dies, the rest is read here.
    """
    paths = list(dict.fromkeys(paths))
    if jobs is None:
        jobs = _cores() if len(paths) > _MANY else 1
    pages: dict[str, Page] = {}
    if jobs > 1 and len(paths) > 1:
        _read_in_processes(folder, paths, edit_links, progress, jobs, pages)
    rest = paths[len(pages) :]
    for chunk in _chunks(rest, _CHUNK):
        pages.update(_read_chunk(str(folder), chunk, edit_links))
        if progress:
            progress(len(pages), len(paths))
    return pages


def _read_in_processes(
    folder: Path, paths: list[str], edit_links: bool, progress: Progress | None, jobs: int, pages: dict[str, Page]
) -> None:
    """Fill `pages` from the front as far as the workers get."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = min(_CHUNK, -(-len(paths) // jobs))
    try:
        pool = ProcessPoolExecutor(jobs, mp_context=_context())
    except (OSError, NotImplementedError, ImportError):  # a system without semaphores
        return
    try:
        futures = [pool.submit(_read_chunk, str(folder), chunk, edit_links) for chunk in _chunks(paths, size)]
        for future in futures:
            pages.update(future.result())
            if progress:
                progress(len(pages), len(paths))
    except (BrokenProcessPool, OSError):
        return
    finally:
        pool.shutdown(cancel_futures=True)


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
