"""Why a path that should be a source is not tracked; and the files that are there without being tracked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable

from sitemap_guard.history.locate import Place
from sitemap_guard.history.process import raw, run, text
from sitemap_guard.model import Repository

_MOST = 20_000  # files that are looked at


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
    ignored = _ignored(place, sorted(present)) if place is not None else {}
    found: dict[str, tuple[str, str]] = {}
    for path in wanted:
        other = folded.get(path.casefold(), [])
        inside = next((folder for folder in repository.submodules if path.startswith(f"{folder}/")), "")
        nested = "" if inside else _nested(root, path)
        if other:
            found[path] = "case", f"git tracks {' and '.join(sorted(other)[:2])}, not {path}"
        elif inside:
            found[path] = "submodule", f"{path} lies in the submodule {inside}, which has a history of its own"
        elif nested:
            found[path] = "submodule", f"{path} lies in another repository, {nested}, which has a history of its own"
        elif path in repository.staged:
            found[path] = "staged", f"{path} is staged, but in no commit yet"
        elif path in ignored:
            found[path] = "ignored", f"git ignores {path}{ignored[path]}"
        elif path in present:
            found[path] = "untracked", f"{path} is there, but git does not track it: git add it"
        else:
            found[path] = "missing", f"there is no file {path}"
    return found


def _nested(root: str, path: str) -> str:
    """The folder of another repository that the path lies in; "" for none."""
    parts = path.split("/")[:-1]
    folders = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
    return next((folder for folder in folders if root and os.path.lexists(os.path.join(root, folder, ".git"))), "")


def beside(place: Place, repository: Repository) -> frozenset[str]:
    """The files in the work tree that this repository does not track: those of submodules and ignored ones too, but
    for those in ignored folders."""
    if place.bare or not repository.root:
        return frozenset()
    found: set[str] = set()
    asked = [
        ["--others", "--exclude-standard"],
        ["--others", "--ignored", "--directory", "--no-empty-directory", "--exclude-standard"],
        *([["--recurse-submodules"]] if repository.submodules else []),
    ]
    for wanted in asked:
        status, answer, _ = run(place.git, "ls-files", "-z", *wanted)
        if not status:
            found.update(text(path) for path in answer.split(b"\0")[:_MOST] if path and not path.endswith(b"/"))
    return frozenset(found) - repository.tracked - repository.staged


def _ignored(place: Place, paths: list[str]) -> dict[str, str]:
    """Those of the existing paths that an exclude pattern hides, with the place of the pattern in words."""
    if not paths:
        return {}
    with tempfile.TemporaryFile() as feed:
        feed.write(b"".join(b"./%s\0" % raw(path) for path in paths))
        feed.seek(0)
        status, answer, _ = run(place.git, "check-ignore", "-v", "-z", "--stdin", feed=feed)
    if status > 1 and len(paths) > 1:
        # One that git refuses (it lies behind a symbolic link, say) must not hide the others.
        half = len(paths) // 2
        return _ignored(place, paths[:half]) | _ignored(place, paths[half:])
    if status:
        return {}
    told = answer.split(b"\0")[:-1]
    return {
        text(path).removeprefix("./"): f" by {text(file)}:{text(line)}"
        for file, line, _, path in zip(told[::4], told[1::4], told[2::4], told[3::4], strict=False)
    }
