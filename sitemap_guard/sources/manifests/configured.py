"""The manifests that the configuration names: a file, or a command that prints one. No shell is ever used."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sitemap_guard.config import ManifestFile
from sitemap_guard.model import SettingError, UserError
from sitemap_guard.sources.manifests.base import Manifest, Where, manifest_of, read_text
from sitemap_guard.sources.manifests.tables import rows_of

_TIMEOUT = 120  # seconds


def read_configured(given: Sequence[ManifestFile], where: Where) -> list[Manifest]:
    """Each `[[manifest]]` of the configuration.

    Raises:
        SettingError: the file cannot be read, the command fails, or there are no pages in what it prints.
    """
    found = []
    for number, manifest in enumerate(given):
        try:
            found.append(_read(manifest, where))
        except UserError as error:
            raise SettingError(("manifest", number), str(error)) from None
    return found


def _read(given: ManifestFile, where: Where) -> Manifest:
    name = given.file or " ".join(given.command)
    if bool(given.file) == bool(given.command):
        raise UserError("give either file or command")
    root = where.root or where.folder
    text = _run(given.command, root / given.root) if given.command else _text(root, given.file)
    try:
        rows = rows_of(text, given.format)
    except ValueError as error:
        raise UserError(f"{name}: {error}") from None
    publications = where.placed(rows, [given.root.strip("/")] if given.root else [])
    if rows and not publications:
        raise UserError(
            f"{name}: its paths, such as {rows[0].path}, are not tracked; "
            "name the folder that they are relative to with root"
        )
    return manifest_of(name, publications)


def _text(root: Path, file: str) -> str:
    text = read_text(root / file)
    if text is None and os.path.lexists(root / file):
        raise UserError(f"{file}: it cannot be read as a list of pages: no file, too large, or not for us to read")
    if text is None:
        raise UserError(f"{file}: there is no such file at {root}; make it before the check")
    return text


def _run(command: Sequence[str], folder: Path) -> str:
    called = " ".join(command)
    if not os.path.isdir(folder):
        raise UserError(f"{called}: root names no folder: {folder}")
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        raise UserError(
            f"{called}: the command did not end within {_TIMEOUT} seconds; let it write a file before "
            "the check, and name that with file"
        ) from None
    except FileNotFoundError:
        raise UserError(f"{called}: there is no program {command[0]} here; install it first") from None
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise UserError(f"{called}: the command cannot be run: {why}") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it printed no error"]
        raise UserError(f"{called}: ended with {done.returncode}: {last[0]}")
    return done.stdout.decode("utf-8-sig", "replace")
