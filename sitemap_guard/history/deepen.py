"""Fetches the history that a shallow clone lacks. With `indexnow`, the only thing here that uses the network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_guard.history.process import first_line, git_at, output, run
from sitemap_guard.model import UserError

if TYPE_CHECKING:
    from git import Git

CURE = "check out with fetch-depth: 0 (GitHub), GIT_DEPTH: 0 (GitLab), or run git fetch --unshallow"
# Nothing but objects: no references, no FETCH_HEAD, no tags, no submodules, no housekeeping.
_FETCH = (
    "fetch", "--unshallow", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
    "--no-auto-maintenance",
)  # fmt: skip


def deepen(root: Path) -> str:
    """Makes the history of the repository at `root` complete, with the credentials that the checkout left.

    Only `.git` changes: references, index and work tree stay as they are. Where the remote can do so it sends
    commits and folders without the files' contents. Returns one line about what was done, "" when nothing had to be.
    Raises UserError with what to do instead when it cannot be done.
    """
    if not os.path.isdir(root):
        raise UserError(f"no folder {root}: cannot fetch its history")
    git = git_at(root)
    from git.exc import GitCommandNotFound

    git._environment.pop("GIT_ALLOW_PROTOCOL", None)  # this command is here to use the network
    try:
        shallow = output(git, "rev-parse", "--is-shallow-repository").strip() == b"true"
    except GitCommandNotFound:
        raise UserError("no git program on PATH: install git to have missing history fetched") from None
    if not shallow:
        return ""
    remote = _remote(git)
    before = _count(git)
    promised = _promised(git, remote)
    edges = output(git, "rev-parse", "--git-path", "shallow").removesuffix(b"\n").decode("utf-8", "surrogateescape")
    names = (root / edges).read_text("ascii").split()
    # To ask for the commits at the edge fetches what lies behind them and nothing else. A server may refuse to
    # name commits that no branch starts with; then its branches are asked for, and with them come references.
    tries = [("--filter=blob:none", names), ("", names), ("--filter=blob:none", []), ("", [])]
    said = ""
    for option, wants in tries:
        status, _, said = run(git, *_FETCH, *filter(None, [option]), "--", remote, *wants)
        if status == 0 and output(git, "rev-parse", "--is-shallow-repository").strip() != b"true":
            if "filtering not recognized" in said and not promised:
                # Git has noted that contents may be missing before it heard that the server sends them all.
                for key in ("promisor", "partialclonefilter"):
                    run(git, "config", "--unset-all", f"remote.{remote}.{key}")
            kind = "commits and folders, no file contents" if _promised(git, remote) else "complete"
            return f"fetched the missing history from {remote} ({kind}): {before:,} -> {_count(git):,} commits"
    why = first_line(said) or f"{remote} has no more of it itself"
    raise UserError(f"the missing history of {root} could not be fetched from {remote} ({why}): {CURE}")


def _promised(git: Git, remote: str) -> bool:
    """Whether objects of the remote may be missing here."""
    return run(git, "config", f"remote.{remote}.promisor")[0] == 0


def _remote(git: Git) -> str:
    """The remote to ask: the branch's own, else origin, else the only one."""
    remotes = output(git, "remote").decode("utf-8", "surrogateescape").split()
    branch = run(git, "symbolic-ref", "--quiet", "--short", "HEAD")[1].decode("utf-8", "surrogateescape").strip()
    own = run(git, "config", f"branch.{branch}.remote")[1].decode("utf-8", "surrogateescape").strip()
    for name in (own, "origin"):
        if name in remotes:
            return name
    if len(remotes) == 1:
        return remotes[0]
    found = "no remote" if not remotes else f"{len(remotes)} remotes and no origin"
    raise UserError(f"the repository at {git.working_dir} is a shallow clone with {found}: {CURE}")


def _count(git: Git) -> int:
    return int(output(git, "rev-list", "--count", "HEAD").strip() or 0)
