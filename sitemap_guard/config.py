"""The settings: `sitemap-guard.toml`, or the table `[tool.sitemap-guard]` of pyproject.toml.

An unknown key is an error with a suggestion, never ignored: a setting that does nothing is a check that is not
made. Every message names the file and the line.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from sitemap_guard.model import UserError

FILE_NAME = "sitemap-guard.toml"
FIELD_NAMES = (
    "lastmod",
    "last_modified_at",
    "last_modified",
    "last-modified",
    "lastModified",
    "lastUpdated",
    "last_updated",
    "last_update.date",
    "updated",
    "updated_at",
    "updatedDate",
    "modified",
    "date_modified",
    "dateModified",
    "date",
    "pubDate",
    "publishDate",
    "publishedAt",
)


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A table of the configuration; its keys are written with hyphens."""


class SourceRule(_Table, frozen=True):
    """`[[source]]`: which file a URL is made from.

    `url` is a path below the site's address (or a whole URL) in which `{name}` stands for one segment or a part of
    one, and `{name*}` for any number of whole segments. `path` (one or several, tried in order) is a file of the
    repository with the same names in it; it may hold the wild cards of git (`*`, `**`, `?`). `also` are further
    files whose changes change the page.
    """

    url: str
    path: str | tuple[str, ...]
    also: tuple[str, ...] = ()


class ManifestFile(_Table, frozen=True):
    """`[[manifest]]`: a list of pages and their files that the generator makes.

    `file` is one in the repository's folder; or `command` prints it (it is run in `root`, without a shell). `format`
    is found out if it is not given. `root` is the folder that its paths are relative to, from the repository's root.
    """

    file: str = ""
    command: tuple[str, ...] = ()
    format: Literal["", "csv", "json", "hugo-list-csv", "eleventy-json"] = ""
    root: str = ""


class Dates(_Table, frozen=True):
    """`[dates]`: how dates are judged.

    `date` narrows the window of a change to one of its times; `zone` is the site's time zone (IANA name);
    `tolerance` widens every window (`0`, `90m`, `12h`, `2d`; default one day for a sitemap that git tracks, none
    for a built one); `fields` are the front-matter keys that hold a date, best first.

    A change that is not substantive may be counted or left out: `ignore_revs` is a file that lists commits as
    `git blame --ignore-revs-file` reads them, `counting_keys` are the front-matter keys whose change counts,
    `trivial` are patterns of text that does not count, `min_change` is the number of words below which a change does
    not. With `strict` every change counts.
    """

    date: Literal["any", "authored", "committed", "landed"] = "any"
    zone: str = "UTC"
    tolerance: str = ""
    fields: tuple[str, ...] = FIELD_NAMES
    strict: bool = False
    ignore_revs: str = ".git-blame-ignore-revs"
    counting_keys: tuple[str, ...] = ("title", "description")
    trivial: tuple[str, ...] = ()
    min_change: Annotated[int, msgspec.Meta(ge=0)] = 0


class Policy(_Table, frozen=True):
    """`[[policy]]`: how the sources that fit `paths` (git's wild cards) are judged; the last one that fits counts.

    `field`: `authoritative` (where a source has a date field, the claim must say what it says, however old) or
    `ignore` (date fields support nothing).
    """

    paths: tuple[str, ...]
    field: Literal["authoritative", "ignore", "witness"] = "witness"


class HostingTable(_Table, frozen=True):
    """`[hosting]`: `profile` names the host (`github-pages`, `netlify` …) where files do not tell it."""

    profile: str = ""


class Addresses(_Table, frozen=True):
    """`[addresses]`: `hosts` are further hosts that the sitemap may list, `staging` hosts (`*` for any part) that must
    never be published, besides the usual ones."""

    hosts: tuple[str, ...] = ()
    staging: tuple[str, ...] = ()


class PagesTable(_Table, frozen=True):
    """`[pages]`: `unlisted` are globs of built files that need not be listed, `directory` is the built page that
    lists all pages for people (a site map in HTML)."""

    unlisted: tuple[str, ...] = ()
    directory: str = ""


class IndexNow(_Table, frozen=True):
    """`[indexnow]`: `endpoint` is the engine's address, `key_location` where the host serves the key's file if that is
    not at the top of the site, `state` the file that keeps what was sent."""

    endpoint: str = ""
    key_location: str = ""
    state: str = ""


class Ignore(_Table, frozen=True):
    """`[[ignore]]`: findings that are known and accepted, and why.

    `rule` is a rule or a family ("" for all), `path` a glob of the place or of the built page, `url` one of the
    address (a path below the host, or a whole address). All that are given must fit.
    """

    reason: str
    rule: str = ""
    path: str = ""
    url: str = ""


class RootTable(_Table, frozen=True):
    """`[[root]]`: a further repository that sources are in: a submodule, or a checkout beside this one.

    `path` is its folder, `prefix` the folder that its files go by here ("": its folder from the repository's root).
    """

    path: str
    prefix: str = ""


class Config(_Table, frozen=True):
    """The whole configuration. `rules` gives levels by rule or by family (`off`, `info`, `warning`, `error`).

    `baseline` is a file of known findings, `require_verified` the share of dates that must be verified (`90%`).

    `cache` is the folder in which walks through long histories are kept (default: in the repository's `.git`).

    `also_fields` are front-matter keys whose values (one or a list) are further files that the page is made from.
    """

    site: str = ""
    base_url: str = ""
    sitemaps: tuple[str, ...] = ()
    fail_on: Literal["error", "warning", "info", "never"] | None = None
    baseline: str = ""
    require_verified: str = ""
    cache: str = ""
    dates: Dates = Dates()
    root: tuple[RootTable, ...] = ()
    source: tuple[SourceRule, ...] = ()
    manifest: tuple[ManifestFile, ...] = ()
    also_fields: tuple[str, ...] = ()
    policy: tuple[Policy, ...] = ()
    hosting: HostingTable = HostingTable()
    addresses: Addresses = Addresses()
    pages: PagesTable = PagesTable()
    ignore: tuple[Ignore, ...] = ()
    indexnow: IndexNow = IndexNow()
    rules: dict[str, Literal["off", "info", "warning", "error"]] = msgspec.field(default_factory=dict)


def load(path: Path | None, folder: Path) -> tuple[Config, Path | None]:
    """The settings in `path`, or else of the nearest configuration file in `folder` or above it.

    The search ends at the first folder that holds a `.git`. Returns the settings and the file they came from
    (None: defaults).

    Raises:
        UserError: the file cannot be read, is not TOML, or has an unknown or ill-typed key.
    """
    if path is not None:
        return _read(path), path
    for candidate in (folder, *folder.parents):
        own = candidate / FILE_NAME
        if os.path.isfile(own):
            return _read(own), own
        project = candidate / "pyproject.toml"
        if os.path.isfile(project) and _has_table(project):
            return _read(project), project
        if os.path.exists(candidate / ".git"):
            break
    return Config(), None


def _has_table(project: Path) -> bool:
    try:
        return "[tool.sitemap-guard" in project.read_text("utf-8", "replace")
    except OSError as error:
        raise UserError(f"{project}: it cannot be read, so that its settings are not known: {_reason(error)}") from None


def _read(path: Path) -> Config:
    try:
        text = path.read_text("utf-8-sig")  # some editors write a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: the configuration cannot be read: {_reason(error)}") from None
    return parse(text, path)


def parse(text: str, path: Path) -> Config:
    """The settings in a configuration file's text; `path` is for messages, and pyproject.toml has its own table.

    Raises:
        UserError: as for `load`.
    """
    try:
        table: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"{path}: not valid TOML: {error}") from None
    prefix = ""
    if path.name == "pyproject.toml":
        prefix = "tool.sitemap-guard."
        table = table.get("tool", {}).get("sitemap-guard", {})
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise UserError(_explain(str(error), text, path, prefix, table)) from None
    _check_values(config, text, path)
    return config


def _check_values(config: Config, text: str, path: Path) -> None:
    from sitemap_guard.durations import seconds_of

    if config.dates.tolerance and seconds_of(config.dates.tolerance) is None:
        raise UserError(
            f"{path}:{_line_of('tolerance', text)}: tolerance {config.dates.tolerance!r} is no duration; "
            "write a number with s, m, h or d, such as 12h or 1d"
        )
    for ignore in config.ignore:
        if not ignore.reason.strip() or not (ignore.rule or ignore.path or ignore.url):
            raise UserError(
                f"{path}:{_line_of('ignore', text)}: an [[ignore]] needs a reason, and a rule, a path or a url"
            )
    for pattern in config.dates.trivial:
        try:
            re.compile(pattern)
        except re.error as error:
            raise UserError(
                f"{path}:{_line_of('trivial', text)}: {pattern!r} is no regular expression: {error}"
            ) from None
    try:
        from zoneinfo import ZoneInfo

        ZoneInfo(config.dates.zone)
    except (KeyError, ValueError, OSError):
        raise UserError(
            f"{path}:{_line_of('zone', text)}: zone {config.dates.zone!r} is no time zone; "
            "write an IANA name such as Europe/Oslo"
        ) from None


def _explain(error: str, text: str, path: Path, prefix: str, table: Any) -> str:
    """One line for people from msgspec's message ("… - at `$.dates`")."""
    what, _, where = error.partition(" - at ")
    dotted = where.strip("`").removeprefix("$").lstrip(".")
    unknown = re.search(r"unknown field `([^`]*)`", what)
    if unknown:
        key = unknown.group(1)
        known = _keys_at(dotted)
        near = difflib.get_close_matches(key, known, 1, 0.5)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known here: {', '.join(known)}"
        return f"{path}:{_line_of(key, text)}: unknown key {prefix}{_join(dotted, key)!r}{hint}"
    if dotted == "rules[...]":
        named = next((name for name, value in table["rules"].items() if value not in _choices("rules")), "")
        dotted = _join("rules", named)
    key = re.sub(r"\[[^\]]*\]", "", dotted).rpartition(".")[2]
    return f"{path}:{_line_of(key, text)}: {prefix}{dotted or 'the file'}: {_plainly(what, dotted)}"


_TYPES = {
    "str": "a text in quotes", "array": "a list", "object": "a table", "int": "a whole number", "float": "a number",
    "bool": "true or false", "date": "a date", "datetime": "a date", "time": "a time of day",
}  # fmt: skip


def _plainly(what: str, dotted: str) -> str:
    """A message of msgspec's in plain words, with what may be written instead."""
    found = re.fullmatch(r"Invalid enum value (.*)", what, re.DOTALL)
    if found:
        *rest, last = (choice for choice in _choices(dotted) if choice)
        kind = "no level" if dotted.startswith("rules") else "none of the values"
        return f"{found[1]} is {kind}; write {', '.join(rest)} or {last}"
    found = re.fullmatch(r"Expected `([^`]*)`(?:, got `(\w+)`| (>=) (\d+))", what)
    if found:
        wanted = " or ".join(_TYPES.get(name, name) for name in found[1].split(" | ") if name != "null")
        least = f" of {found[4]} or more" if found[3] else ""
        return f"this must be {wanted}{least}" + (f", not {_TYPES.get(found[2], found[2])}" if found[2] else "")
    found = re.fullmatch(r"Object missing required field `([^`]*)`", what)
    return f"the key {found[1]!r} is missing" if found else f"{what[:1].lower()}{what[1:]}"


def _choices(dotted: str) -> list[str]:
    """The values that the key at this place may have, where there is a list of them."""
    here: Any = Config
    for part in re.sub(r"\[[^\]]*\]", "", dotted).split("."):
        tables = [one for one in (here, *get_args(here)) if isinstance(one, type) and issubclass(one, _Table)]
        types = {field.encode_name: field.type for table in tables for field in msgspec.structs.fields(table)}
        here = types.get(part, here)
    found: list[str] = []
    waiting = [here]
    while waiting:
        one = waiting.pop()
        if get_origin(one) is Literal:
            found += get_args(one)
        else:
            waiting += get_args(one)
    return found


def _keys_at(dotted: str) -> list[str]:
    tables: dict[str, type[_Table]] = {"": Config, "dates": Dates, "source": SourceRule, "policy": Policy}
    tables |= {"hosting": HostingTable, "addresses": Addresses, "pages": PagesTable, "ignore": Ignore}
    tables["manifest"] = ManifestFile
    tables["indexnow"] = IndexNow
    tables["root"] = RootTable
    table = tables.get(re.sub(r"\[[^\]]*\]", "", dotted), Config)
    return [field.encode_name for field in msgspec.structs.fields(table)]


def _join(dotted: str, key: str) -> str:
    return f"{dotted}.{key}" if dotted else key


def _line_of(key: str, text: str) -> int:
    """The line on which a key is set (1 when it cannot be found: a key may be quoted or dotted)."""
    pattern = re.compile(rf"""^\s*(?:\[+\s*)?(?:[\w.-]+\.)?["']?{re.escape(key)}["']?\s*[=\].]""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number
    return 1


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
