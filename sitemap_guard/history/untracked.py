"""Why a path that should be a source is not tracked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable

from sitemap_guard.history.locate import Place
from sitemap_guard.history.process import raw, run, text
from sitemap_guard.model import Repository


def reasons(place: Place | None, repository: Repository, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    """A code and a clause for people, by path.

    `case` (git tracks it in other letters), `submodule` (it lies in another repository), `staged` (in no commit
    yet), `ignored`, `untracked` (it is there), `missing` (it is not).
    """
    wanted = [path for path in dict.fromkeys(paths) if path not in repository.tracked]
    if not wanted:
        return {}
    folded: dict[str, list[str]] = {}
    for path in repository.tracked:
        folded.setdefault(path.casefold(), []).append(path)
    root = repository.root if place is None or not place.bare else ""
    present = {path for path in wanted if root and os.path.lexists(os.path.join(root, path))}
    ignored = _ignored(place, sorted(present)) if place is not None else set()
    found: dict[str, tuple[str, str]] = {}
    for path in wanted:
        other = folded.get(path.casefold(), [])
        inside = next((folder for folder in repository.submodules if path.startswith(f"{folder}/")), "")
        if other:
            found[path] = "case", f"git tracks {' and '.join(sorted(other)[:2])}, not {path}"
        elif inside:
            found[path] = "submodule", f"{path} lies in the submodule {inside}, which has a history of its own"
        elif path in repository.staged:
            found[path] = "staged", f"{path} is staged, but in no commit yet"
        elif path in ignored:
            found[path] = "ignored", f"git ignores {path}"
        elif path in present:
            found[path] = "untracked", f"{path} is there, but git does not track it"
        else:
            found[path] = "missing", f"there is no file {path}"
    return found


def _ignored(place: Place, paths: list[str]) -> set[str]:
    """Those of the existing paths that an exclude pattern hides."""
    if not paths:
        return set()
    with tempfile.TemporaryFile() as feed:
        feed.write(b"".join(b"./%s\0" % raw(path) for path in paths))
        feed.seek(0)
        status, answer, _ = run(place.git, "check-ignore", "-z", "--stdin", feed=feed)
    if status > 1 and len(paths) > 1:
        # One that git refuses (it lies behind a symbolic link, say) must not hide the others.
        half = len(paths) // 2
        return _ignored(place, paths[:half]) | _ignored(place, paths[half:])
    return {text(path).removeprefix("./") for path in answer.split(b"\0") if path} if not status else set()
