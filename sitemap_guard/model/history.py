"""What the repository knows: commits, and what they changed."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.base import Instant


class Commit(Struct, frozen=True):
    """A commit's name and times. `landed`: see `Change`. `subject` is filled in only where it is shown."""

    id: str
    authored: Instant
    committed: Instant
    landed: Instant
    subject: str = ""


class Change(Struct, frozen=True):
    """A commit that touched a path.

    `kind`: `change` (no parent has the same content: what `git log -1 -- PATH` answers), `twin` (a commit on a
    side branch that the history of the path does not go through), `merge` (a merge that differs from one parent
    and equals another). `edge`: the commit sits on the edge of a shallow clone, so an older commit may be the
    true one. `landed` of the commit is the committer time of the oldest commit on the first-parent line that
    contains it.
    """

    path: str
    commit: Commit
    kind: str = "change"
    edge: bool = False


class PathHistory(Struct, frozen=True):
    """What history says about one path.

    `last` is its last change (None: the path has none at this revision). `others` are twins and merges at a
    moment or day that some claim names, newest first. `one_pass` is the first commit that one log without merges
    names for the path (how Hugo dates), when it is not the last change.
    """

    last: Change | None
    others: tuple[Change, ...] = ()
    one_pass: Commit | None = None


class Repository(Struct, frozen=True):
    """The repository, as far as judging needs it.

    `problem` is "" or a code: `none` (no repository), `no-git` (no git program), `dubious-ownership`,
    `no-commits`, `bad-rev`, `broken`; `detail` is then one line with what to do. `root` is the work tree's
    absolute path, `prefix` the built site's folder relative to it ("" for the root itself, None: outside).
    """

    problem: str = ""
    detail: str = ""
    root: str = ""
    prefix: str | None = None
    head: Commit | None = None
    shallow: bool = False
    partial: bool = False
    tracked: frozenset[str] = frozenset()
    staged: frozenset[str] = frozenset()
    edited: frozenset[str] = frozenset()
