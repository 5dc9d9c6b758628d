"""Copies: a built file with the very content of a tracked one (PDFs, images, pages that are copied as they are)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from sitemap_guard.sources.subject import Outcome, Subject
from sitemap_guard.sources.tree import shared_end

SIZE_LIMIT = 512 * 1024 * 1024  # bytes


def answers(subjects: Sequence[Subject], folder: Path | None, ids: Mapping[str, str]) -> list[Outcome]:
    """For each subject the tracked file that has the same content, by git's own name for contents.

    Of several equal files the one counts whose path ends as the address does, if it is the only one.
    """
    if not subjects:
        return []
    by_id: dict[str, list[str]] = defaultdict(list)
    for path, name in ids.items():
        by_id[name].append(path)
    sha256 = any(len(name) == 64 for name in by_id)
    return [_answer(subject, folder, by_id, sha256=sha256) for subject in subjects]


def _answer(subject: Subject, folder: Path | None, by_id: Mapping[str, Sequence[str]], *, sha256: bool) -> Outcome:
    if folder is None or not by_id or subject.located.state not in ("html", "file"):
        return Outcome()
    name = _name(folder / subject.located.path, sha256=sha256)
    found = by_id.get(name, ())
    if not found:
        return Outcome(note="no tracked file has its content")
    if len(found) > 1:
        found = _best(found, subject.located.path)
    if len(found) > 1:
        shown = ", ".join(sorted(found)[:3])
        return Outcome(reason="ambiguous", note=f"{len(found)} tracked files have its content: {shown}")
    return Outcome(found[0])


def _best(paths: Sequence[str], built: str) -> Sequence[str]:
    """The paths that share most last parts with the built file."""
    shared = {path: shared_end(built.split("/"), path.split("/")) for path in paths}
    most = max(shared.values())
    return [path for path, count in shared.items() if count == most]


def _name(file: Path, *, sha256: bool) -> str:
    """git's name for a file's content; "" if it cannot be read."""
    try:
        size = file.stat().st_size
        if not size or size > SIZE_LIMIT:
            return ""
        digest = hashlib.sha256() if sha256 else hashlib.sha1(usedforsecurity=False)
        digest.update(b"blob %d\0" % size)
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()
