"""Git commands, run through GitPython: one that answers at once, and ones that stream.

Every command gets settings of its own for what a user's configuration could change in its output. Paths are
bytes in git; here they become text with `surrogateescape`, so that any name survives the way back.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from queue import Empty, Queue
from subprocess import PIPE
from typing import IO, TYPE_CHECKING, Any

from sitemap_guard.model import UserError

if TYPE_CHECKING:
    from git import Git

# Settings that have no option on the command line, or whose option not every command knows.
SETTINGS = (
    "core.fsmonitor=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    "diff.orderFile=/dev/null",
)
# Options of the diff machinery: names exactly as they are in the trees, no helper programs.
DIFF = (
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=none",
)
CHUNK = 1 << 18
AHEAD = 1 << 26


def text(path: bytes) -> str:
    """A path as text; any bytes survive."""
    return path.decode("utf-8", "surrogateescape")


def raw(path: str) -> bytes:
    """The bytes of a path made by `text`."""
    return path.encode("utf-8", "surrogateescape")


def git_at(folder: str | os.PathLike[str]) -> Git:
    """GitPython's command runner in an existing folder, kept off the network.

    Old versions of git do not know GIT_NO_LAZY_FETCH; with no protocol allowed they cannot fetch either.
    Raises UserError when git is there and fails whatever it is asked.
    """
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # without git, importing must not raise
    try:
        from git import Git
    except ImportError as error:  # GitPython has asked git for its version
        said = str(error).partition("stderr: ")[2].strip("' \n") or str(error)
        raise UserError(f"git does not run ({first_line(said)}): see to it that `git version` works") from None

    git = Git(os.fspath(folder))
    git.update_environment(GIT_ALLOW_PROTOCOL="none", GIT_NO_LAZY_FETCH="1")
    return git


def command(git: Git, *args: str) -> list[str]:
    """The whole command line. `check-ignore` knows no literal pathspecs, nor any other magic in those that it gets."""
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    literal = [] if args[0] == "check-ignore" else ["--literal-pathspecs"]
    return [git.GIT_PYTHON_GIT_EXECUTABLE or "git", *settings, *literal, *args]


def run(
    git: Git, *args: str, env: Mapping[str, str] | None = None, feed: IO[bytes] | None = None
) -> tuple[int, bytes, str]:
    """Runs a git command to its end: exit status, output, and what it said on standard error.

    Raises GitPython's GitCommandNotFound when there is no git program.
    """
    given: dict[str, Any] = {} if feed is None else {"istream": feed}
    done: Any = git.execute(
        command(git, *args),
        with_extended_output=True,
        with_exceptions=False,
        stdout_as_string=False,
        strip_newline_in_stdout=False,
        env=dict(env or {}),
        **given,
    )
    status, output, said = done
    return status, output, said


def output(git: Git, *args: str, env: Mapping[str, str] | None = None) -> bytes:
    """The output of a git command that has to succeed. Raises UserError with git's own words."""
    status, answer, said = run(git, *args, env=env)
    if status:
        raise UserError(f"git {args[0]} failed in {git.working_dir}: {first_line(said) or f'exit status {status}'}")
    return answer


def first_line(said: str) -> str:
    """What matters of git's standard error: the first fatal or error line, else the first line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    grave = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (grave or lines or [""])[0]


class _Ahead:
    """Reads what a process prints in a thread of its own, a limited way ahead of whoever wants it."""

    def __init__(self, process: Any) -> None:
        self._stream: IO[bytes] = process.stdout
        self._chunks: Queue[bytes] = Queue(AHEAD // CHUNK)
        self._stopped = self._ended = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        chunk = b"-"
        while chunk and not self._stopped:
            chunk = self._stream.read(CHUNK)
            self._chunks.put(chunk)

    def read(self, size: int) -> bytes:
        """As of a file: so many bytes (or a chunk more), less only at the end."""
        found: list[bytes] = []
        while size > 0 and not self._ended:
            found.append(self._chunks.get())
            size -= len(found[-1])
            self._ended = not found[-1]
        return b"".join(found)

    def close(self) -> None:
        """Ends the thread; the process must have ended."""
        self._stopped = True
        while self._thread.is_alive():
            with contextlib.suppress(Empty):
                self._chunks.get_nowait()
            self._thread.join(0.001)


class Running:
    """A git command that is still running. Its standard error is drained, else a chatty git would block.

    `ahead`: what it prints is read at once, up to AHEAD bytes, so that it goes on while nobody asks.
    """

    def __init__(
        self, git: Git, *args: str, feed: bool = False, ahead: bool = False, env: Mapping[str, str] | None = None
    ) -> None:
        self._name = args[0]
        self._where = git.working_dir
        # GitPython ends the process when this object goes away.
        stdin: Any = PIPE if feed else None
        self._held: Any = git.execute(command(git, *args), as_process=True, istream=stdin, env=dict(env or {}))
        self._process: Any = self._held.proc
        self._said: deque[bytes] = deque(maxlen=20)
        self._drain = threading.Thread(target=self._listen, daemon=True)
        self._drain.start()
        self._ahead = _Ahead(self._process) if ahead else None
        self._told = bytearray()  # read, but not asked for yet

    def _listen(self) -> None:
        for line in self._process.stderr:
            self._said.append(line[:500])

    def pieces(self, mark: bytes) -> Iterator[bytes]:
        """The output cut at each `mark`. Raises UserError when git fails, after the last whole piece."""
        rest = b""
        out = self._ahead or self._process.stdout
        # Reading as much as is left over keeps one giant piece from being copied again and again.
        while chunk := out.read(max(CHUNK, len(rest))):
            found = (rest + chunk).split(mark)
            rest = found.pop()
            yield from found
        if self._process.wait():
            raise self.failure()
        yield rest

    def ask(self, question: bytes, end: bytes) -> bytes:
        """Writes a question and `end` on lines of their own, and reads the answer up to the echo of `end`."""
        self.put(question, end)
        return self.answer(end)

    def put(self, question: bytes, end: bytes) -> None:
        """Writes a question, to read the answer later. Not more than a pipe's least room, 4 KB, may be unanswered."""
        try:
            self._process.stdin.write(question + b"\n" + end + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self.failure() from None

    def answer(self, end: bytes) -> bytes:
        """The answer to the oldest question, up to the echo of its `end` (which no answer has in it)."""
        end += b"\n"
        told, self._told = self._told, bytearray()
        place = told.find(end)
        while place < 0:
            chunk = self._process.stdout.read1(CHUNK)
            if not chunk:
                raise self.failure()
            read = len(told)
            told += chunk
            place = told.find(end, max(read - len(end), 0))
        self._told = told[place + len(end) :]
        return bytes(told[:place])

    def failure(self) -> UserError:
        """The error that tells how this command ended."""
        self._process.wait()
        self._drain.join(1)
        said = first_line(b"".join(self._said).decode("utf-8", "replace"))
        return UserError(
            f"git {self._name} broke off in {self._where} ({said or f'exit status {self._process.returncode}'}): "
            "the history could not be read to its end; run git fsck there"
        )

    def close(self) -> None:
        """Ends the command, finished or not."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._drain.join(1)
        if self._ahead is not None:
            self._ahead.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # an unread answer of a killed process
                    continue
