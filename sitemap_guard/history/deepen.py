"""Fetches the history that a shallow clone lacks. With `indexnow`, the only thing here that uses the network."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_guard.history.process import command, first_line, git_at, output, run
from sitemap_guard.model import UserError

if TYPE_CHECKING:
    from git import Git

CURE = "check out with fetch-depth: 0 (GitHub), GIT_DEPTH: 0 (GitLab), or run git fetch --unshallow"
# Nothing but objects: no references, no FETCH_HEAD, no tags, no submodules, no housekeeping.
_FETCH = (
    "fetch", "--unshallow", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
    "--no-auto-maintenance", "--upload-pack=git-upload-pack",
)  # fmt: skip
# A repository's own settings can allow transports that are any program (`ext::`); these are the ones that fetch.
_PROTOCOLS = "https:http:ssh:git:file"
_LIMIT = 300.0  # seconds for all tries together


def deepen(root: Path) -> str:
    """Makes the history of the repository at `root` complete, with the credentials that the checkout left.

    Only `.git` changes: references, index and work tree stay as they are. Where the remote can do so it sends
    commits and folders without the files' contents. Returns one line about what was done, "" when nothing had to be.
    Programs that the repository's settings name as transport or as the remote's `uploadpack` are not run.
    Raises UserError with what to do instead when it cannot be done, or takes longer than five minutes.
    """
    if not os.path.isdir(root):
        raise UserError(f"no folder {root}: cannot fetch its history")
    git = git_at(root)
    from git.exc import GitCommandNotFound

    until = time.monotonic() + _LIMIT
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
        status, said = _fetch(git, until, *filter(None, [option]), "--", remote, *wants)
        if status == 0 and output(git, "rev-parse", "--is-shallow-repository").strip() != b"true":
            if "filtering not recognized" in said and not promised:
                # Git has noted that contents may be missing before it heard that the server sends them all.
                for key in ("promisor", "partialclonefilter"):
                    run(git, "config", "--unset-all", f"remote.{remote}.{key}")
            kind = "commits and folders, no file contents" if _promised(git, remote) else "complete"
            return f"fetched the missing history from {remote} ({kind}): {before:,} -> {_count(git):,} commits"
    why = first_line(said) or f"{remote} has no more of it itself"
    raise UserError(f"the missing history of {root} could not be fetched from {remote} ({why}): {CURE}")


def _fetch(git: Git, until: float, *args: str) -> tuple[int, str]:
    """Runs `git fetch` at most until that moment (of the monotonic clock): exit status, and what it said."""
    allowed = os.environ.get("GIT_ALLOW_PROTOCOL", _PROTOCOLS)
    words = {"LANGUAGE": "C", "LC_ALL": "C"}
    # A session of its own: its helpers end with it, and none of them can ask at the terminal.
    process = subprocess.Popen(
        command(git, *_FETCH, *args),
        cwd=git.working_dir,
        env={**os.environ, **git.environment(), **words, "GIT_ALLOW_PROTOCOL": allowed},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        said = process.communicate(timeout=max(until - time.monotonic(), 0.01))[1]
    except subprocess.TimeoutExpired:
        _end(process)
        raise UserError(
            f"the missing history of {git.working_dir} was not there after {_LIMIT:,.0f} seconds, and fetching it was "
            f"given up: {CURE}"
        ) from None
    except BaseException:
        _end(process)
        raise
    return process.returncode, said.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with all that it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()


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
