"""Finds and reads the file of the settings."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from sitemap_guard.config.lines import line_of
from sitemap_guard.config.tables import Config
from sitemap_guard.config.values import check
from sitemap_guard.config.words import explained
from sitemap_guard.files import read_file
from sitemap_guard.model import SettingError, UserError

FILE_NAME = "sitemap-guard.toml"
_PROJECT = "pyproject.toml"
_TABLE = ("tool", "sitemap-guard")
_MOST_BYTES = 4 << 20
# What people take the file for.
_MISNAMED = (".sitemap-guard.toml", "sitemap_guard.toml", "sitemapguard.toml")


class Settings(msgspec.Struct, frozen=True):
    """The settings and where they stand: `file` (None: nowhere), its `text`, and its name as it is `shown`."""

    config: Config = Config()
    file: Path | None = None
    text: str = ""
    shown: str = ""

    def home(self, start: Path) -> Path:
        """The folder that the settings' paths are relative to: the file's own, `start` when there is none."""
        return start if self.file is None else self.file.absolute().parent

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Inside, an error about a setting is told with the file and the line that it stands in."""
        try:
            yield
        except SettingError as error:
            if self.file is None:
                raise
            raise UserError(_placed(error, self.text, self.shown)) from None


def load(path: Path | None, folder: Path) -> Settings:
    """The settings in `path`, or else of the nearest configuration file in `folder` or above it.

    The search ends at the first folder that holds a `.git`.

    Raises:
        UserError: the file cannot be read, is not TOML, or holds a key or value that cannot be used; two files of one
            folder hold settings.
    """
    if path is not None:
        return _read(path, str(path), named=True)
    for candidate in (folder.absolute(), *folder.absolute().parents):
        found = _in(candidate, folder)
        if found is not None:
            return found
        if os.path.exists(candidate / ".git"):
            break
    return Settings()


def parse(text: str, path: Path) -> Config:
    """The settings in a configuration file's text; `path` is for messages, and pyproject.toml has its own table.

    Raises:
        UserError: as for `load`.
    """
    return _parsed(text, path, str(path))


def checked(config: Config) -> Config:
    """Settings that a program made, looked at as closely as those in a file.

    Raises:
        UserError: a value is of the wrong type or cannot be used.
    """
    try:
        table = msgspec.to_builtins(config)
        made = _converted(table)
    except TypeError as error:
        raise UserError(f"Config: {error}; write plain texts, numbers and tuples") from None
    check(made, table)
    return made


# ------------------------------------------------------------------------------------------------------ looking


def _in(candidate: Path, start: Path) -> Settings | None:
    """The settings that one folder holds."""
    own, project = candidate / FILE_NAME, candidate / _PROJECT
    shown = {file: os.path.relpath(file, start) for file in (own, project)}
    table = os.path.isfile(project) and _has_table(project, shown[project])
    if os.path.lexists(own):
        if table:
            raise UserError(
                f"{shown[own]}: {shown[project]} holds settings too, in [{'.'.join(_TABLE)}], which would not count; "
                "keep them in one of the two"
            )
        return _read(own, shown[own])
    for name in _MISNAMED:
        if os.path.isfile(candidate / name):
            there = os.path.relpath(candidate / name, start)
            raise UserError(f"{there}: settings are not read from here; call the file {FILE_NAME}")
    return _read(project, shown[project]) if table else None


def _has_table(project: Path, shown: str) -> bool:
    """Whether a pyproject.toml has our table; most have not, and are none of our business."""
    text = _text(project, shown)
    if not re.search(r"sitemap[-_]?guard", text, re.IGNORECASE):
        return False
    tools = _toml(text, shown).get("tool")
    names = list(tools) if isinstance(tools, dict) else []
    for name in names:
        if name != _TABLE[1] and re.fullmatch(r"sitemap[-_]?guard", name, re.IGNORECASE):
            line = line_of(text, ("tool", name))
            raise UserError(f"{shown}:{line}: settings are not read from [tool.{name}]; write [{'.'.join(_TABLE)}]")
    return _TABLE[1] in names


# ------------------------------------------------------------------------------------------------------ reading


def _read(path: Path, shown: str, *, named: bool = False) -> Settings:
    text = _text(path, shown, named=named)
    if named and path.name == _PROJECT and not _has_table(path, shown):
        raise UserError(f"{shown}: it has no table [{'.'.join(_TABLE)}]; add it, or name another file")
    return Settings(_parsed(text, path, shown), path, text, shown)


def _text(path: Path, shown: str, *, named: bool = False) -> str:
    try:
        content = read_file(path, _MOST_BYTES, named=named).decode("utf-8-sig")  # some editors write a byte order mark
        return content.replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, ValueError) as error:
        raise UserError(f"{shown}: the configuration cannot be read: {_reason(error)}") from None


def _parsed(text: str, path: Path, shown: str) -> Config:
    table: Any = _toml(text, shown)
    if path.name == _PROJECT:
        for name in _TABLE:
            table = table.get(name, {}) if isinstance(table, dict) else table
    try:
        config = _converted(table)
        check(config, table)
    except SettingError as error:
        raise UserError(_placed(error, text, shown)) from None
    return config


def _converted(table: Any) -> Config:
    try:
        return msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise SettingError(*explained(str(error), table)) from None


def _placed(error: SettingError, text: str, shown: str) -> str:
    """The error with its place. In pyproject.toml the key is that of the whole file."""
    prefix = _TABLE if os.path.basename(shown) == _PROJECT else ()
    whole = SettingError((*prefix, *error.key), error.text)
    return f"{shown}:{line_of(text, whole.key)}: {whole}"


def _toml(text: str, shown: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UserError(f"{shown}: not valid TOML: it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        said = str(error)
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", said)
    line = (place[1] or str(text.count("\n") + 1)) if place else "1"
    what = said[: place.start()] if place else said
    twice = re.match(r"Cannot declare \((.+?),?\) twice", what)
    if twice:
        name = ".".join(re.findall(r"'([^']*)'", twice[1]))
        raise UserError(f"{shown}:{line}: the table [{name}] is there twice; put its keys under one heading")
    if what.startswith("Cannot overwrite"):
        raise UserError(f"{shown}:{line}: this is set twice; keep one of the two")
    hint = "; write / between folders, or single quotes" if "\\" in what else ""
    raise UserError(f"{shown}:{line}: not valid TOML: {what}{hint}")


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
