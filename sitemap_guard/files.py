"""Reading files that may be anything: a link to a device never ends, and a named pipe may never begin."""

from __future__ import annotations

import errno
import os
import select
import stat

_PIECE = 1 << 20
_SILENCE = 60.0  # seconds that a pipe may say nothing


def read_file(path: str | os.PathLike[str], limit: int, *, named: bool = False) -> bytes:
    """The bytes of a regular file of at most `limit` bytes.

    With `named` (the user named it on the command line) it may be a pipe or a device as well: `<(…)` is one.

    Raises:
        OSError: it cannot be read, is no regular file, is too large, or is a pipe through which nothing comes.
        ValueError: the path can be no name of a file.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        regular = stat.S_ISREG(mode)
        if not regular and not named:
            raise OSError(errno.EINVAL, "it is no regular file")
        data = bytearray()
        while len(data) <= limit:
            if not regular:
                _wait(handle)
            more = os.read(handle, _PIECE)
            if not more:
                return bytes(data)
            data += more
    finally:
        os.close(handle)
    raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes")


def _wait(handle: int) -> None:
    """Until there is something to read, or the end."""
    if hasattr(select, "poll"):
        waiting = select.poll()
        waiting.register(handle, select.POLLIN)
        if not waiting.poll(_SILENCE * 1000):
            raise OSError(errno.ETIMEDOUT, f"nothing came through it for {_SILENCE:,.0f} seconds")
