"""Reading the files to mend, and writing them: whole or not at all, inside the site, and proved first."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from sitemap_guard.fix.plan import Planned
from sitemap_guard.fix.proof import prove
from sitemap_guard.model import Result, Site, UserError
from sitemap_guard.sitemaps import packed


class Changed(Struct, frozen=True):
    """A file to write: its path below the site's folder, its bytes as they are and as they will be."""

    path: str
    old: bytes
    new: bytes


class Opened(Struct, frozen=True):
    """The bytes of the site's sitemaps: `raw` as they lie on the disk, `plain` unpacked; `left` says which files
    are never written, and why."""

    raw: Mapping[str, bytes]
    plain: Mapping[str, bytes]
    left: tuple[tuple[str, str], ...]


def open_files(result: Result) -> Opened:
    """Read the sitemaps that fix may write: real files inside the site's folder, no symbolic links.

    Raises:
        UserError: the site's folder lies behind a link that leads out of the repository.
    """
    _stays(result.site)
    raw: dict[str, bytes] = {}
    plain: dict[str, bytes] = {}
    left: list[tuple[str, str]] = []
    twins = result.site.twins
    for sitemap in result.site.sitemaps:
        if sitemap.path in twins:
            continue  # it makes no claims of its own: it is made anew from the plain file
        if sitemap.kind not in ("urlset", "index", "text"):
            if sitemap.kind != "none":
                left.append((sitemap.path, "fix does not write feeds"))
            continue
        reason = _unfit(result.site, sitemap.path)
        if reason:
            left.append((sitemap.path, reason))
            continue
        raw[sitemap.path] = Path(result.site.folder, sitemap.path).read_bytes()
        loaded = packed.load(Path(result.site.folder, sitemap.path))
        if loaded.data is not None:
            plain[sitemap.path] = bytes(loaded.data)
    return Opened(raw, plain, tuple(left))


def _stays(site: Site) -> None:
    """Whoever names a link means the folder that it leads to, but a repository's link must not lead us out of it.

    Without a repository, a link may lead to what lies beside it.
    """
    root = os.path.realpath(site.repository.root) if site.repository.root else ""
    folder = Path(os.path.abspath(site.folder))
    for step in (*reversed(folder.parents), folder):
        if not step.is_symlink():
            continue
        around = Path(os.path.realpath(step.parent))
        target = Path(os.path.realpath(step))
        if (not root or around.is_relative_to(root)) and not target.is_relative_to(root or around):
            out = "the repository" if root else "its folder"
            shown = os.path.relpath(site.folder)
            raise UserError(
                f"{shown}: a link leads out of {out}, to {os.path.realpath(folder)}; "
                "name that folder itself if it is to be written"
            )


def _unfit(site: Site, path: str) -> str:
    """Why a file must not be written; "" when it may be."""
    root = os.path.realpath(site.folder)
    full = os.path.join(root, *path.split("/"))
    if os.path.realpath(full) != full:
        return "it is a symbolic link, or lies behind one"
    try:
        mode = os.lstat(full).st_mode
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return "" if stat.S_ISREG(mode) else "it is no regular file"


def changes(result: Result, opened: Opened, planned: Sequence[Planned]) -> list[Changed]:
    """The files to write, packed ones packed again, and the packed twins of plain ones made anew.

    Raises:
        UserError: a second parser does not read what was planned.
    """
    made: list[Changed] = []
    after = {one.path: one.after for one in planned}
    for one in planned:
        kind = next(sitemap.kind for sitemap in result.site.sitemaps if sitemap.path == one.path)
        if kind != "text":
            prove(one, result.site.place(one.path))
        raw = opened.raw[one.path]
        made.append(Changed(one.path, raw, _pack(one.after) if raw.startswith(packed.MAGIC) else one.after))
    for path, data in opened.plain.items():
        twin = path + ".gz"
        if path.endswith(".gz") or opened.raw[path].startswith(packed.MAGIC) or _unfit(result.site, twin):
            continue
        old = Path(result.site.folder, twin).read_bytes()
        unpacked = packed.load(Path(result.site.folder, twin)).data
        new = after.get(path, data)
        if unpacked is None or bytes(unpacked) != new:
            made.append(Changed(twin, old, _pack(new)))
    return [*made, *_unpacked_twins(result, opened, after)]


def _unpacked_twins(result: Result, opened: Opened, after: Mapping[str, bytes]) -> list[Changed]:
    """Plain files that say the same as a packed sitemap beside them, and are no sitemaps of the site themselves."""
    made = []
    for path, new in after.items():
        plain = path[:-3]
        if not path.lower().endswith(".gz") or _unfit(result.site, plain):
            continue
        old = Path(result.site.folder, plain).read_bytes()
        if old == opened.plain[path]:
            made.append(Changed(plain, old, new))
    return made


def _pack(data: bytes) -> bytes:
    """The same bytes for the same content, on every machine and day: no name, no time (RFC 1952 2.3.1)."""
    target = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as stream:
        stream.write(data)
    return target.getvalue()


def write_all(site: Site, changed: Iterable[Changed]) -> None:
    """Write the files: each beside its place first, then all put into place, each in one step.

    Raises:
        UserError: a file has changed since it was read, or cannot be written. What was not in place then never is.
    """
    ready: list[tuple[str, Path, Changed]] = []
    try:
        for one in changed:
            target = Path(os.path.realpath(site.folder), *one.path.split("/"))
            _unchanged(site, target, one)
            ready.append((_beside(site, target, one), target, one))
        for name, target, one in ready:
            _unchanged(site, target, one)
            os.replace(name, target)
    except OSError as error:
        raise UserError(f"{site.place(one.path)}: it cannot be written: {error.strerror or error}") from None
    finally:
        for name, _, _ in ready:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _beside(site: Site, target: Path, one: Changed) -> str:
    handle, name = tempfile.mkstemp(prefix=".sitemap-guard-", suffix=".tmp", dir=target.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(one.new)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, stat.S_IMODE(os.stat(target).st_mode))
    except OSError as error:
        os.unlink(name)
        raise UserError(f"{site.place(one.path)}: it cannot be written: {error.strerror or error}") from None
    return name


def _unchanged(site: Site, target: Path, one: Changed) -> None:
    if _unfit(site, one.path) or target.read_bytes() != one.old:
        raise UserError(f"{site.place(one.path)}: it changed while fix was at work; nothing was written, run fix again")
