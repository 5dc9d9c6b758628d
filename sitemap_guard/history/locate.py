"""Finds the repository and says what state it is in."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_guard.history.process import DIFF, Running, first_line, git_at, output, run, text
from sitemap_guard.history.walk import LOG, head_commit
from sitemap_guard.model import Repository, UserError

if TYPE_CHECKING:
    from git import Git

# What is asked of the configuration: programs that comparing would run, and remotes that may keep objects to
# themselves (git-config, `remote.<name>.promisor`).
_FILTERS = r"^filter\..*\.(clean|process|required)$"
_PROMISED = r"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$"
# `--diff-merges=first-parent` and `rev-parse --end-of-options` came with these versions.
OLDEST = (2, 31)


class Place:
    """An open repository: GitPython's runner in its top folder, and where its parts are."""

    def __init__(self, git: Git, root: str, bare: bool) -> None:
        self.git, self.root, self.bare = git, root, bare
        self.git_dir, self.common_dir, self.shallow_file, self.grafts_file = self._folders(
            ("--git-dir",), ("--git-common-dir",), ("--git-path", "shallow"), ("--git-path", "info/grafts")
        )

    def _folders(self, *questions: tuple[str, ...]) -> list[str]:
        answers = output(self.git, "rev-parse", *(word for question in questions for word in question)).split(b"\n")
        if len(answers) != len(questions) + 1:  # some folder has a line feed in its name
            answers = [output(self.git, "rev-parse", *question).removesuffix(b"\n") for question in questions]
        return [os.path.join(self.root, os.fsdecode(answer)) for answer in answers[: len(questions)]]

    @cached_property
    def edges(self) -> frozenset[str]:
        """The commits at which history is cut off: shallow boundaries, and grafts without parents.

        A clone as deep as its history lists the first commit too, behind which there is nothing.
        """
        found: set[str] = set()
        for file in (self.shallow_file, self.grafts_file):
            try:
                lines = Path(file).read_text("ascii", "replace").splitlines()
            except OSError:
                continue
            found.update(line.strip() for line in lines if len(line.split()) == 1)
        return frozenset(commit for commit in found if self._has_parents(commit))

    def _has_parents(self, commit: str) -> bool:
        """Whether the commit names parents, whatever git has been told to leave out. True when it cannot be read."""
        try:
            content = bytes(self.git.get_object_data(commit)[3])
        except (ValueError, OSError):
            self.git.clear_cache()  # git may have ended over it
            return True
        return b"\nparent " in content.partition(b"\n\n")[0]

    def grafted(self) -> bool:
        """Whether some commits are given other parents (`.git/info/grafts`, which git has deprecated)."""
        return os.path.exists(self.grafts_file)

    def index_env(self, index_file: str) -> dict[str, str]:
        """The environment for the caller's index, if it is one of this repository's; git gives it relative."""
        if not index_file:
            return {}
        for base in dict.fromkeys((os.getcwd(), self.root)):
            file = os.path.realpath(os.path.join(base, index_file))
            for folder in (self.git_dir, self.common_dir):
                if os.path.isfile(file) and _below(file, folder):
                    return {"GIT_INDEX_FILE": file}
        return {}


def locate(start: Path) -> Place | Repository:
    """Searches upward from `start` (a file or folder, which need not exist yet).

    Returns the place, or the facts with `problem` set.
    """
    folder = start.absolute()
    while not os.path.isdir(folder) and folder != folder.parent:
        folder = folder.parent
    if not os.access(folder, os.X_OK):
        # GitPython would run in the current folder instead, and find another repository.
        return Repository(problem="broken", detail=f"no permission to enter {folder}: check its owner and mode")
    try:
        git = git_at(folder)
        from git.exc import CommandError

        version = output(git, "version").decode("ascii", "replace").strip()
    except UserError as error:
        return Repository(problem="no-git", detail=str(error))
    except OSError as error:
        return Repository(problem="no-git", detail=f"git cannot be run ({error.strerror}): check its file on PATH")
    except CommandError:
        return Repository(problem="no-git", detail="no git program on PATH: install git to have dates checked")
    if not _new_enough(version):
        wanted = ".".join(map(str, OLDEST))
        return Repository(problem="no-git", detail=f"{version} is too old: git {wanted} or newer is needed")
    status, answer, said = run(git, "rev-parse", "--is-bare-repository", "--is-inside-work-tree")
    if status:
        return _refused(folder, said)
    bare, inside = (word == b"true" for word in answer.split())
    if not inside and not bare:
        detail = f"{folder} is inside a git folder, not a work tree: name the folder with the sources"
        return Repository(problem="none", detail=detail)
    top = output(git, "rev-parse", *(["--absolute-git-dir"] if bare else ["--show-toplevel"]))
    root = os.fsdecode(top.removesuffix(b"\n"))
    return Place(git_at(root), root, bare)


def _new_enough(version: str) -> bool:
    numbers = re.search(r"(\d+)\.(\d+)", version)
    return numbers is None or (int(numbers[1]), int(numbers[2])) >= OLDEST


def _refused(folder: Path, said: str) -> Repository:
    """Why git would not work here."""
    why = first_line(said)
    if "dubious ownership" in said or "unsafe repository" in said:
        named = re.search(r"(?:repository at|unsafe repository) \(?'([^'\n]*)'", said)
        path = named[1] if named else str(folder)
        cure = f"git config --global --add safe.directory {shlex.quote(path)}"
        return Repository(
            problem="dubious-ownership", detail=f"git refuses {path}, which belongs to another user: {cure}"
        )
    real = folder.resolve()  # a `..` in the name would lead through folders that are not above
    here = next((one / ".git" for one in (real, *real.parents) if os.path.lexists(one / ".git")), None)
    if "not a git repository" in said and here is not None:
        detail = f"git takes {here} for no repository: check that it is whole, and that you may read it"
        return Repository(problem="broken", detail=detail)
    if "not a git repository" in said:
        detail = f"no git repository at {folder} or above: run where the sources are, or name their folder"
        return Repository(problem="none", detail=detail)
    return Repository(problem="broken", detail=f"git cannot read the repository at {folder}: {why}")


def resolve(place: Place, rev: str) -> tuple[bytes, Repository | None]:
    """The commit that `rev` names; it can never pass for an option. Else the facts with `problem` set."""
    question = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    if rev and "\0" not in rev:
        status, answer, said = run(place.git, *question, f"{rev}^{{commit}}")
        if not status:
            return answer.strip().splitlines()[-1], None
        if said.strip():
            # With --quiet an unknown name is no news; what git says here is that an object is not readable.
            detail = f"git cannot read {rev!r} in {place.root}: {first_line(said)}"
            return b"", Repository(problem="broken", detail=detail, root=place.root)
    if rev == "HEAD" and not run(place.git, "symbolic-ref", "-q", "HEAD")[0]:
        branch = run(place.git, "symbolic-ref", "-q", "--short", "HEAD")[1].decode("utf-8", "replace").strip()
        detail = f"the branch {branch} of {place.root} has no commits yet: commit the sources first, or give --rev"
        return b"", Repository(problem="no-commits", detail=detail, root=place.root)
    detail = f"{rev!r} names no commit in {place.root}: check the name, or fetch it"
    return b"", Repository(problem="bad-rev", detail=detail, root=place.root)


def read_repository(
    place: Place, tip: bytes, site_folder: Path | None, index_file: str
) -> tuple[Repository, dict[str, str]]:
    """The facts at commit `tip`, and the object id of each tracked file. Raises UserError when git fails."""
    log = output(place.git, "log", "-1", "--no-patch", *(word for word in LOG if word != "--name-only"), tip.decode())
    # What is staged and edited belongs to HEAD: of another revision the files are read from the revision.
    own = not place.bare and run(place.git, "rev-parse", "--verify", "--quiet", "HEAD")[1].strip() == tip
    asked = run(place.git, "config", "-z", "--name-only", "--get-regexp", f"{_FILTERS}|{_PROMISED}")[1]
    settings = sorted({text(key) for key in asked.split(b"\0") if key})
    filters = [key for key in settings if key.startswith("filter.")]
    with contextlib.ExitStack() as stack:
        # Both look at every file, so both cores have something to do.
        env = {**place.index_env(index_file), **_without(filters)} if own else {}
        status = _status(place.git, env) if own else None
        if status is not None:
            stack.callback(status.close)
        blobs, links, submodules = _tracked(place.git, tip)
        staged, edited = _changed(status) if status is not None else (frozenset[str](), frozenset[str]())
        if edited:
            edited = _by_hand(place.git, env, edited)
    shallow = output(place.git, "rev-parse", "--is-shallow-repository").strip() == b"true"
    facts = Repository(
        root=place.root,
        prefix=None if place.bare or site_folder is None else prefix_of(place.root, site_folder),
        head=head_commit(log),
        shallow=shallow and bool(place.edges),
        partial=len(settings) > len(filters),
        tracked=frozenset(blobs),
        staged=staged,
        edited=edited,
        submodules=submodules,
        trial=_is_trial(output(place.git, "cat-file", "commit", tip.decode())),
        links=links,
    )
    return facts, blobs


def _is_trial(commit: bytes) -> bool:
    """Whether this is what GitHub makes to test a pull request: its message names its own parents.

    The message is that of `refs/pull/N/merge`, which actions/checkout checks out for `pull_request`.
    """
    head, _, message = commit.partition(b"\n\n")
    parents = [line[7:] for line in head.split(b"\n") if line.startswith(b"parent ")]
    return len(parents) == 2 and message.strip() == b"Merge %s into %s" % (parents[1], parents[0])


def remotes(place: Place) -> frozenset[str]:
    """The addresses of the remotes, as `host/owner/name` in lower case; what is no such address is left out."""
    status, answer, _ = run(place.git, "config", "--get-regexp", r"^remote\..*\.url$")
    found = set()
    for line in answer.decode("utf-8", "replace").splitlines() if not status else ():
        address = re.fullmatch(
            r"(?:[a-z+]+://)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[:/]+(.+?)(?:\.git)?/*", line.partition(" ")[2]
        )
        if address:
            found.add(f"{address[1]}/{address[2]}".lower())
    return frozenset(found)


def _tracked(git: Git, tip: bytes) -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """Path -> blob of every file at the commit, which of them are links, and the submodules, which are not files."""
    # Entries are `MODE TYPE ID<tab>PATH`; of the types only `blob` is a file, and ids are as long as the tip's.
    start, end = len("100644 blob "), len("100644 blob ") + len(tip)
    entries = text(output(git, "ls-tree", "-r", "-z", "--full-tree", tip.decode())).split("\0")
    blobs = {entry[end + 1 :]: entry[start:end] for entry in entries if entry[7:12] == "blob "}
    links = frozenset(entry[end + 1 :] for entry in entries if entry.startswith("120000 "))
    return blobs, links, frozenset(entry.partition("\t")[2] for entry in entries if entry[7:14] == "commit ")


def _status(git: Git, env: Mapping[str, str]) -> Running:
    """A running `git status`.

    It compares contents where only a file's time is new, and, asked to take no locks, does not write that down in the
    index, as `git diff` would.
    """
    options = ("-z", "--porcelain", "--untracked-files=no", "--no-renames", "--ignore-submodules=all")
    return Running(git, "status", *options, env={"GIT_OPTIONAL_LOCKS": "0", **env})


def _changed(status: Running) -> tuple[frozenset[str], frozenset[str]]:
    """The paths that differ between HEAD and the index, and between the index and the work tree."""
    staged, edited = set(), set()
    for entry in status.pieces(b"\0"):
        index, tree, path = entry[:1], entry[1:2], text(entry[3:])
        if index.strip():
            staged.add(path)
        if tree.strip():
            edited.add(path)
    return frozenset(staged), frozenset(edited)


def _without(keys: Sequence[str]) -> dict[str, str]:
    """Environment variables that switch off these settings of filters: comparing would run their programs.

    They come after those that the user has set in the same way (git-config, GIT_CONFIG_COUNT).
    """
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdecimal() else 0
    made = {}
    for index, key in enumerate(keys, first):
        made[f"GIT_CONFIG_KEY_{index}"] = key
        made[f"GIT_CONFIG_VALUE_{index}"] = "false" if key.endswith(".required") else ""
    return {**made, "GIT_CONFIG_COUNT": str(first + len(keys))} if keys else {}


def _by_hand(git: Git, env: Mapping[str, str], edited: frozenset[str]) -> frozenset[str]:
    """Of the edited paths, those that differ in more than the mode and the ends of lines.

    Checkouts, mounts and archives make such differences by themselves; nobody edited these files.
    """
    options = (*DIFF, "--numstat", "-z", "--ignore-cr-at-eol", "--ignore-submodules=all")
    status, answer, _ = run(git, "diff-files", *options, env=env)
    if status:
        return edited
    # `ADDED<tab>DELETED<tab>PATH`, with `-` for binary files; git leaves out what the options let it ignore.
    differing = (entry.split(b"\t", 2) for entry in answer.split(b"\0") if entry)
    return edited & {text(path) for added, deleted, path in differing if (added, deleted) != (b"0", b"0")}


def prefix_of(root: str, site_folder: Path) -> str | None:
    """The site's folder relative to the root; None when it is elsewhere."""
    there, top = os.path.realpath(site_folder), os.path.realpath(root)
    if there == top:
        return ""
    return os.path.relpath(there, top).replace(os.sep, "/") if _below(there, top) else None


def _below(path: str, folder: str) -> bool:
    return path.startswith(os.path.realpath(folder).rstrip(os.sep) + os.sep)
