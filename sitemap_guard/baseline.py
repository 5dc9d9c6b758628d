"""The findings that a site had when it adopted the guard, so that only new ones fail.

A finding is known by its rule, its address (or its place, when it has none) and the kind of its value, never by line
or date: a page that is stamped with the build's clock has another date at every build, and is the same fault. Pure
but for `read` and `write`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from sitemap_guard.files import read_file
from sitemap_guard.model import Answer, Finding, Level, Result, UserError
from sitemap_guard.reports.safe import encodable

DEFAULT = "sitemap-guard-baseline.json"
VERSION = 1
# What says that something could not be checked, or is about a comparison of its own, can never be known and accepted.
NEVER = frozenset({"history", "against", "ignore", "baseline"})
_ALWAYS_NEW = frozenset(
    {
        "sitemap-unreadable",
        "sitemap-shrunk",
        "lastmod-coverage",
        "lastmod-collapsed",
        "lastmod-vanished",
        "lastmod-moved",
    }
)
_DATES = "lastmod"
_MOST_BYTES = 64 << 20
_NUMBER = re.compile(r"\d[\d,.]*")


class Key(Struct, frozen=True, order=True):
    """What a finding is known by. `loc` is "" for a finding that is no page's; then `path` is its place (below the
    built site's folder, which may have another name at each build).

    `value` is the kind of the claimed value: its shape for an ill-formed date, nothing for any other date, the value
    itself for addresses, and the message without its numbers for alternates and where nothing is claimed and no
    address is known. For a date of an index it is the sitemap that the date speaks of.
    """

    rule: str
    loc: str = ""
    path: str = ""
    value: str = ""


class _Known(Struct, forbid_unknown_fields=True, omit_defaults=True):
    rule: str
    loc: str = ""
    path: str = ""
    value: str = ""
    count: int = 1


class _File(Struct, forbid_unknown_fields=True):
    version: int
    tool: str
    findings: list[_Known]


class Compared(Struct, frozen=True):
    """`new` are the findings that the baseline does not know, `known` how many it does, `fixed` what it knows and no
    check finds any more."""

    new: tuple[Finding, ...]
    known: int
    fixed: tuple[Key, ...]


def key(finding: Finding, shown: str = "") -> Key:
    """What a finding is known by. `shown` is how places in the built site begin (`Site.shown`)."""
    inside = f"{shown}/" if shown not in ("", ".") else ""
    path = "" if finding.loc else finding.path.removeprefix(inside)
    # A file's name need not be text; the key is, so that it can be written and read back.
    return Key(finding.rule, encodable(finding.loc), encodable(path), encodable(_value(finding, inside)))


def _value(finding: Finding, inside: str) -> str:
    told = _NUMBER.sub("#", finding.message.replace(inside, "") if inside else finding.message)
    shape = _shape(finding.claimed or "") if finding.rule == "lastmod-format" else ""
    family = finding.rule.partition("-")[0]
    if not finding.loc:
        child = finding.message.partition(": ")[0]
        return f"{child} {shape}".rstrip() if finding.element == "lastmod" else told
    if family == "hreflang" and finding.claimed is None:
        return told
    return shape if finding.element == "lastmod" or family == _DATES else finding.claimed or ""


def _shape(text: str) -> str:
    """The text with every digit as 9: what is wrong with the way a date is written, whatever the date."""
    return re.sub(r"\d", "9", text)[:100]


def can_be_known(finding: Finding) -> bool:
    """Whether a baseline may hold it: never what says that something was not checked."""
    return finding.rule.partition("-")[0] not in NEVER and finding.rule not in _ALWAYS_NEW


def counted(findings: Iterable[Finding], shown: str = "") -> Counter[Key]:
    """The findings that a baseline may hold, by key."""
    return Counter(key(finding, shown) for finding in findings if can_be_known(finding))


def compare(result: Result, known: Counter[Key], levels: dict[str, Level]) -> Compared:
    """The findings against a baseline. `levels` are the rules' levels in this run.

    A known finding counts as fixed only when this run could have found it: its rule ran, its page's date was
    judged (a build without history finds no false date, and mends none), and the sitemap that may list it was read.
    """
    left = Counter(known)
    new = []
    for finding in result.findings:
        name = key(finding, result.site.shown)
        if can_be_known(finding) and left[name] > 0:
            left[name] -= 1
        else:
            new.append(finding)
    listed = {entry.claim.loc for entry in result.site.entries}
    unread = any(sitemap.kind == "none" for sitemap in result.site.sitemaps) or not listed
    untold = {entry.claim.loc for entry in result.site.entries if entry.verdict.answer is Answer.CANNOT_TELL}
    fixed = [
        name
        for name, count in left.items()
        if count > 0
        and levels.get(name.rule, Level.OFF) is not Level.OFF
        and not (name.rule.partition("-")[0] == _DATES and (name.loc in untold or result.site.repository.problem))
        and not (unread and name.loc not in listed)
    ]
    return Compared(tuple(new), len(result.findings) - len(new), tuple(sorted(fixed)))


def fixed_findings(fixed: Sequence[Key], path: str, level: Level) -> tuple[Finding, ...]:
    """What is to be said about the fixed ones: one finding each, in one group."""
    count = len(fixed)
    headline = f"{count:,} finding{'s' if count != 1 else ''} of the baseline {'are' if count != 1 else 'is'} fixed"
    return tuple(
        Finding(
            "baseline-fixed",
            level,
            f"{name.rule} is fixed" + (f" at {name.path}" if name.path else ""),
            loc=name.loc,
            path=path,
            group="baseline-fixed",
            headline=headline,
            cure="write the baseline anew with --write-baseline, so that none comes back unseen",
        )
        for name in fixed
    )


def read(path: Path) -> Counter[Key]:
    """The keys in a baseline file, each with how often it was found.

    Raises:
        UserError: it cannot be read, is no baseline, or was written by a newer version.
    """
    try:
        content = read_whole(path)
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such baseline; write it with --write-baseline, and commit it") from None
    except OSError as error:
        raise UserError(f"{path}: the baseline cannot be read: {error.strerror or error}") from None
    try:
        version = msgspec.json.decode(content, type=dict[str, object]).get("version")
        if version != VERSION:
            raise UserError(
                f"{path}: this baseline is of version {version}, and only {VERSION} is known; write it anew"
            )
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{path}: this is no baseline ({error}); write it anew with --write-baseline") from None
    found: Counter[Key] = Counter()
    for one in file.findings:
        found[Key(one.rule, one.loc, one.path, one.value)] += max(one.count, 0)
    return found


def write(path: Path, found: Counter[Key], tool: str) -> None:
    """Write a baseline: sorted, a finding a line, so that changes of it can be reviewed and merged.

    Raises:
        UserError: it cannot be written, or what is there is no baseline.
    """
    if not path.name or os.path.isdir(path):
        raise UserError(f"{path}: this is a folder; name a file for the baseline")
    if os.path.isfile(path) and os.path.getsize(path):
        try:
            read(path)
        except UserError:
            raise UserError(
                f"{path}: there is a file already that is no baseline of ours; name another, or move it away first"
            ) from None
    rows = []
    for name in sorted(found):
        row = _Known(name.rule, name.loc, name.path, name.value, found[name])
        rows.append(f"    {msgspec.json.encode(row).decode()}")
    body = ",\n".join(rows)
    head = f'{{\n  "version": {VERSION},\n  "tool": {msgspec.json.encode(tool).decode()},\n  "findings": ['
    write_whole(path, head + (f"\n{body}\n  ]\n}}\n" if rows else "]\n}\n"), "the baseline")


def read_whole(path: Path) -> bytes:
    """The bytes of a file or pipe.

    Raises:
        OSError: it cannot be read, or does not begin or end in time (a pipe, a device).
    """
    return read_file(path, _MOST_BYTES, named=True)


def write_whole(path: Path, text: str, what: str) -> None:
    """Write a file so that no reader ever sees half of it. A link stays one: what it leads to is written.

    Raises:
        UserError: it cannot be written, or is no regular file; the old file is then still there.
    """
    target = Path(os.path.realpath(path))
    aside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        if target.exists() and not target.is_file():
            raise OSError(errno.EINVAL, "it is no regular file")  # a device must not be replaced
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(aside, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, aside)
        os.replace(aside, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise UserError(f"{path}: {what} cannot be written: {error.strerror or error}") from None
