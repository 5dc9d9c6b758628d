"""What the repository knows: commits, and what they changed."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.base import Instant


class Commit(Struct, frozen=True, gc=False):
    """A commit's name and times. `landed`: see `Change`. `subject` is filled in only where it is shown."""

    id: str
    authored: Instant
    committed: Instant
    landed: Instant
    subject: str = ""


class Change(Struct, frozen=True, gc=False):
    """A commit that touched a path.

    `kind`: `change` (no parent has the same content: what `git log -1 -- PATH` answers), `twin` (a commit on a
    side branch that the history of the path does not go through), `merge` (a merge that differs from one parent
    and equals another). `edge`: the commit sits on the edge of a shallow clone, so an older commit may be the
    true one. `kind` is `evidence` where an evidence file says so. `landed` of the commit is the committer time of
    the oldest commit on the first-parent line that contains it. `why` tells why the change is not substantive ("": it
    is, or nobody asked): `ignored` (listed in the file of revisions to ignore), `move` (the same content under another
    name), `mode`, `white-space`, `front-matter` (only keys that do not count), `trivial` (as configured), `small` (as
    configured), `merge` (a merge that only joins what its sides had changed: the chain goes on along both), or
    `unknown` (the contents are not in this clone). `born`: a chain found that the path did not exist before, under any
    name.
    """

    path: str
    commit: Commit
    kind: str = "change"
    edge: bool = False
    why: str = ""
    born: bool = False


class PathHistory(Struct, frozen=True, gc=False):
    """What history says about one path.

    `last` is its last change (None: the path has none at this revision). `others` are twins and merges at a
    moment or day that some claim names, newest first. `one_pass` is the first commit that one log without merges
    names for the path (how Hugo dates), when it is not the last change. `chain`, where it was asked for, are the
    path's changes from the last one to the first substantive one, newest first, under former names too. `unknown`
    is one clause on why the path's history cannot be told ("" where it can).
    """

    last: Change | None
    others: tuple[Change, ...] = ()
    one_pass: Commit | None = None
    chain: tuple[Change, ...] = ()
    unknown: str = ""


class Root(Struct, frozen=True):
    """One of several repositories that the sources are in.

    `prefix` is the folder that its files go by ("" for the main one, whose files go by their own names), `folder` its
    work tree, `shown` what messages call it. `problem` and `detail` are as in `Repository`. `remotes` are the
    addresses of its remotes as `host/owner/name`, in lower case.
    """

    prefix: str
    folder: str
    shown: str
    problem: str = ""
    detail: str = ""
    shallow: bool = False
    remotes: frozenset[str] = frozenset()


class Repository(Struct, frozen=True):
    """The repository, as far as judging needs it.

    `problem` is "" or a code: `none` (no repository), `no-git` (no git program), `dubious-ownership`,
    `no-commits`, `bad-rev`, `broken`; `detail` is then one line with what to do. `root` is the work tree's
    absolute path, `prefix` the built site's folder relative to it ("" for the root itself, None: outside).
    `submodules` are the paths at which other repositories are linked in. `trial`: HEAD is the trial merge of a pull
    request, so that what it brings has not landed yet. `evidence` names what stands in for missing history.
    `roots` are the repositories when there are several; then the rest speaks of all of them together. `links` are the
    tracked symbolic links.
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
    submodules: frozenset[str] = frozenset()
    trial: bool = False
    evidence: str = ""
    roots: tuple[Root, ...] = ()
    links: frozenset[str] = frozenset()
