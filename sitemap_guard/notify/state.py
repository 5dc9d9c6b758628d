"""What the search engines have been told: a small JSON file with the date of each address."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from sitemap_guard.baseline import read_whole, write_whole
from sitemap_guard.model import UserError

VERSION = 1
KIND = "sitemap-guard state"


class _File(Struct, forbid_unknown_fields=True):
    version: int
    kind: str
    urls: dict[str, str | None]


def is_state(path: Path) -> bool:
    """Whether a file looks like a state file and not like a sitemap: it starts with `{`."""
    try:
        with open(path, "rb") as stream:
            return stream.read(64).lstrip().startswith(b"{")
    except OSError:
        return False


def read(path: Path) -> dict[str, str | None]:
    """The dates that were told, by address (None: told without a date).

    Raises:
        UserError: it cannot be read, or is no state file of this version.
    """
    try:
        file = msgspec.json.decode(read_whole(path), type=_File)
    except OSError as error:
        raise UserError(f"{path}: the state cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{path}: this is no state file ({error}); remove it, and the next run starts anew") from None
    if (file.version, file.kind) != (VERSION, KIND):
        raise UserError(f"{path}: a state file of version {file.version} is not known; remove it to start anew")
    return file.urls


def write(path: Path, urls: Mapping[str, str | None]) -> None:
    """Write the state as a whole or not at all.

    Raises:
        UserError: it cannot be written.
    """
    body = msgspec.json.encode({"version": VERSION, "kind": KIND, "urls": dict(sorted(urls.items()))})
    write_whole(path, msgspec.json.format(body, indent=1).decode() + "\n", "the state")
