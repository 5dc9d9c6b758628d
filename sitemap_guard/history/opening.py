"""Opens everything that dates are compared with: the repository, further roots, evidence for what they lack."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sitemap_guard.history.reader import HistoryReader, open_history
from sitemap_guard.history.roots import Further, open_roots
from sitemap_guard.model import UserError


def open_site_history(
    start: Path,
    site_folder: Path,
    rev: str = "HEAD",
    index_file: str = "",
    *,
    base: Path,
    roots: Sequence[Further] = (),
    evidence: str = "",
    cache: str | None = None,
    now: int | None = None,
    named: bool = False,
) -> HistoryReader:
    """The history that a site is judged by; arguments as for `open_history`.

    `base` is the folder that stands for the repository's where there is none. `evidence` is a file ("" for none).
    `named`: the user has named `start`, so that it must lead to a repository.

    Raises:
        UserError: a root or the evidence cannot be used, or `start` or `rev`, as named, leads nowhere. What state a
            repository is in is a fact, no error.
    """
    if named and not os.path.exists(start):
        raise UserError(f"{start}: there is no such folder; name a folder in the repository of the sources")
    if evidence:
        from sitemap_guard.history.evidence import EvidencedHistory, read_evidence

        told = read_evidence(base / evidence)
    history = open_history(start, site_folder, rev, index_file, cache=cache, now=now)
    problem, detail = history.repository.problem, history.repository.detail
    if (problem == "bad-rev" and rev != "HEAD") or (problem == "none" and named and not evidence):
        raise UserError(detail)
    if roots:
        history = open_roots(history, roots, base, site_folder, cache, now)
    return EvidencedHistory(history, told, _top(start, base), site_folder) if evidence else history


def _top(start: Path, base: Path) -> Path:
    """The work tree that git cannot read (or that is none): its folder is where `.git` is, if it is anywhere."""
    folder = start.resolve()
    return next((one for one in (folder, *folder.parents) if os.path.exists(one / ".git")), base.resolve())
