"""Reading the files to mend, and writing them: whole or not at all, inside the site, and proved first."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from sitemap_guard.fix.plan import Planned
from sitemap_guard.fix.proof import prove
from sitemap_guard.model import Result, Site, Sitemap, UserError
from sitemap_guard.sitemaps import packed, text, xml

# The kinds of sitemap that fix writes.
KINDS = ("urlset", "index", "text")


# A file that is being written; one that is older than this many seconds was left behind.
_PREFIX, _SUFFIX, _ABANDONED = ".sitemap-guard-", ".tmp", 3600


class Changed(Struct, frozen=True):
    """A file to write: its path below the site's folder, its bytes as they are and as they will be."""

    path: str
    old: bytes
    new: bytes


class Opened(Struct, frozen=True):
    """The bytes of the site's sitemaps: `raw` as they lie on the disk, `plain` unpacked; `left` says which files
    are never written, and why. `twins` are the packed files beside plain ones that say the same, by the path of the
    plain one: as they lie on the disk, and unpacked (None: nobody can unpack them)."""

    raw: Mapping[str, bytes]
    plain: Mapping[str, bytes]
    left: tuple[tuple[str, str], ...]
    twins: Mapping[str, tuple[bytes, bytes | None]] = {}


def open_files(result: Result) -> Opened:
    """Read the sitemaps that fix may write: real files inside the site's folder, no links.

    Raises:
        UserError: the site's folder lies behind a link that leads out of the repository.
    """
    _stays(result.site)
    raw: dict[str, bytes] = {}
    plain: dict[str, bytes] = {}
    twins: dict[str, tuple[bytes, bytes | None]] = {}
    left: list[tuple[str, str]] = []
    read = {sitemap.path for sitemap in result.site.sitemaps if sitemap.kind != "none"}
    twins_here = {path for path in result.site.twins if path[:-3] in read}
    own = {sitemap.path for sitemap in result.site.sitemaps} - twins_here
    for sitemap in result.site.sitemaps:
        path = sitemap.path
        if path in twins_here:
            continue  # it makes no claims of its own: it is made anew from the plain file
        reason = _unwritten(result.site, sitemap)
        if reason:
            left.append((path, reason))
            continue
        file = Path(result.site.folder, path)
        raw[path] = file.read_bytes()
        data = packed.load(file).data
        if data is None:
            continue
        plain[path] = bytes(data)
        lies = not path.lower().endswith(".gz") and not raw[path].startswith(packed.MAGIC)
        if lies and f"{path}.gz" not in own and os.path.lexists(f"{file}.gz"):
            twin = _twin(result.site, f"{path}.gz", sitemap.kind, plain[path])
            if isinstance(twin, str):
                left.append((f"{path}.gz", twin))
            else:
                twins[path] = twin
    return Opened(raw, plain, tuple(left), twins)


def _unwritten(site: Site, sitemap: Sitemap) -> str:
    if sitemap.kind in ("rss", "atom"):
        return "fix does not write feeds"
    return unfit(site.folder, sitemap.path) if sitemap.kind in KINDS else "it could not be read"


def _twin(site: Site, path: str, kind: str, plain: bytes) -> tuple[bytes, bytes | None] | str:
    """The packed file's bytes as they lie on the disk and unpacked, or why it is no twin of the plain one."""
    reason = unfit(site.folder, path)
    if reason:
        return reason
    file = Path(site.folder, path)
    raw = file.read_bytes()
    data = packed.load(file).data if raw.startswith(packed.MAGIC) else bytearray(raw)
    if data is None:
        return raw, None
    # After a run that was cut off, the two differ in their dates alone.
    unpacked = bytes(data)
    if unpacked != plain and _told(unpacked, kind) != _told(plain, kind):
        return f"it does not list what {os.path.basename(path)[:-3]} beside it lists"
    return raw, unpacked


def _told(data: bytes, kind: str) -> tuple[str, tuple[str, ...]]:
    """The kind of a sitemap, and what it lists."""
    content = text.read(data, "") if kind == "text" else xml.read(data, "")
    return content.kind, (*(claim.loc for claim in content.claims), *(child.loc for child in content.children))


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


def unfit(folder: str, path: str) -> str:
    """Why a file below a folder must not be written; "" when it may be."""
    root = os.path.realpath(folder)
    full = os.path.join(root, *path.split("/"))
    if os.path.realpath(full) != full:
        return "it is a symbolic link, or lies behind one"
    try:
        found = os.lstat(full)
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if not stat.S_ISREG(found.st_mode):
        return "it is no regular file"
    if found.st_nlink > 1:  # a new file in its place would part it from its other names
        return "it has another name (a hard link); make it a copy of its own first"
    writable = found.st_mode & 0o222 and os.access(full, os.W_OK)
    return "" if writable else "it is read-only"


def changes(result: Result, opened: Opened, planned: Sequence[Planned]) -> list[Changed]:
    """The files to write, packed ones packed again, and the packed twins of plain ones made anew.

    Raises:
        UserError: a second parser does not read what was planned.
    """
    made: list[Changed] = []
    kinds = {sitemap.path: sitemap.kind for sitemap in result.site.sitemaps}
    after = {one.path: one.after for one in planned}
    # An index first: should the run end before its parts are written, they still tell the next run what is false.
    for one in sorted(planned, key=lambda one: kinds[one.path] != "index"):
        if kinds[one.path] != "text":
            prove(one, result.site.place(one.path))
        raw = opened.raw[one.path]
        made.append(Changed(one.path, raw, _pack(one.after) if raw.startswith(packed.MAGIC) else one.after))
    for path, (old, unpacked) in opened.twins.items():
        new = after.get(path, opened.plain[path])
        if unpacked != new or not old.startswith(packed.MAGIC):
            made.append(Changed(f"{path}.gz", old, _pack(new)))
    return [*made, *_unpacked_twins(result, opened, after)]


def _unpacked_twins(result: Result, opened: Opened, after: Mapping[str, bytes]) -> list[Changed]:
    """Plain files that say the same as a packed sitemap beside them, and are no sitemaps of the site themselves."""
    made = []
    for path, new in after.items():
        plain = path[:-3]
        if not path.lower().endswith(".gz") or unfit(result.site.folder, plain):
            continue
        old = Path(result.site.folder, plain).read_bytes()
        if old == opened.plain[path]:
            made.append(Changed(plain, old, new))
    return made


def _pack(data: bytes) -> bytes:
    """The same bytes for the same content, whenever it is packed: no name, no time (RFC 1952 2.3.1)."""
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
    done = 0
    try:
        for one in changed:
            target = Path(os.path.realpath(site.folder), *one.path.split("/"))
            _unchanged(site, target, one, done)
            ready.append((_beside(target, one.new), target, one))
        for name, target, one in ready:
            _unchanged(site, target, one, done)
            os.replace(name, target)
            done += 1
    except OSError as error:
        raise UserError(
            f"{site.place(one.path)}: it cannot be written: {error.strerror or error}; {_so_far(done)}"
        ) from None
    finally:
        for name, _, _ in ready[done:]:
            _discard(name)


def _beside(target: Path, data: bytes) -> str:
    """Write the bytes into a file of the same mode, owner and attributes as the target's, in its folder."""
    for left in target.parent.glob(f"{_PREFIX}*{_SUFFIX}"):  # of a run that was killed
        with contextlib.suppress(OSError):
            if left.stat().st_mtime < time.time() - _ABANDONED:
                left.unlink()
    handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=target.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        found = os.stat(target)
        with contextlib.suppress(OSError):
            os.chown(name, found.st_uid, found.st_gid)
        shutil.copystat(target, name)
        os.utime(name)
    except BaseException:
        _discard(name)
        raise
    return name


def _discard(name: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(name)


def _unchanged(site: Site, target: Path, one: Changed, done: int) -> None:
    reason = unfit(site.folder, one.path)
    if not reason and target.read_bytes() != one.old:
        reason = "it changed while fix was at work"
    if reason:
        raise UserError(f"{site.place(one.path)}: {reason}; {_so_far(done)}, run fix again")


def _so_far(done: int) -> str:
    return f"{done:,} files were written before it" if done else "nothing was written"
