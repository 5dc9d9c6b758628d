"""The built site's files as far as sitemaps need them: looked up without ever leaving the folder, each read once."""

from __future__ import annotations

import difflib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote_to_bytes

from sitemap_guard.model import Sitemap
from sitemap_guard.sitemaps import packed, text, xml
from sitemap_guard.sitemaps.content import Bytes, Content, opening

_ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz")
_MANY = 200  # so many names are compared, and so many times


class Files:
    """A built site's folder. `root` is its absolute path without symbolic links."""

    def __init__(self, folder: Path, progress: Callable[[str], None] | None = None) -> None:
        self.root = os.path.realpath(folder)
        self._progress = progress
        self._read: dict[str, Sitemap] = {}
        self._sought = 0

    def look(self, path: str) -> str:
        """What stands at a path below the folder: `file`, `missing`, or `outside` if it would leave the folder."""
        parts = path.split("/")
        if ".." in parts or "\0" in path or (os.sep != "/" and (os.sep in path or ":" in path)):
            return "outside"
        if "" in parts or "." in parts:  # `a//b` and `/a` name no file: a host sees another path there
            return "missing"
        full = os.path.join(self.root, *parts)
        if not os.path.isfile(full):
            return "missing"
        real = os.path.realpath(full)
        return "file" if real.startswith(self.root.rstrip(os.sep) + os.sep) else "outside"

    def fault(self, path: str) -> str:
        """Why something that stands at a path is not read; "" when it is, or when nothing stands there."""
        full = os.path.join(self.root, *path.split("/"))
        if not os.path.lexists(full) or self.look(path) == "file":
            return ""
        try:
            mode = os.stat(full).st_mode
        except OSError as error:
            if error.errno == errno.ELOOP:
                return "it is a link that leads in a circle"
            return "it is a link that leads to nothing" if os.path.islink(full) else f"{error.strerror}"
        if stat.S_ISREG(mode):
            return f"it is, or lies behind, a link that leads out of the built site, to {os.path.realpath(full)}"
        return "it is a folder" if stat.S_ISDIR(mode) else "it is a named pipe, a socket or a device"

    def tail(self, url_path: str) -> str:
        """The file that the end of an address's path names, the longest end first; "" when none does."""
        parts = decoded(url_path).strip("/").split("/")
        for start in range(min(len(parts), 12)):
            path = "/".join(parts[start:])
            if self.look(path) == "file":
                return path
        return ""

    def near(self, path: str, index: str = "") -> str:
        """The file that a path without one was probably meant to be: packed or unpacked, one of its name in another
        folder, or the one beside it whose name is most alike; "" for none. `index` is the one that lists it."""
        folder, _, name = path.rpartition("/")
        self._sought += 1
        if self._sought > _MANY:  # an index can list a million files that are not there
            return ""
        own = index.rpartition("/")[2] if index.rpartition("/")[0] == folder else ""
        elsewhere = [place for place in ("", *self._folders()) if place != folder]
        places = [f"{place}/{name}" if place else name for place in elsewhere]
        twin = path[:-3] if path.endswith(".gz") else f"{path}.gz"
        if self.look(twin) == "file":
            return twin
        same = [place for place in places if self.look(place) == "file"]
        if same:
            return same[0] if len(same) == 1 else ""
        beside = [other for other in self._names(folder) if other.lower().endswith(_ENDINGS) and other != own]
        alike = difflib.get_close_matches(name[:_MANY], beside[:_MANY], 1, 0.7)
        return (f"{folder}/{alike[0]}" if folder else alike[0]) if alike else ""

    def _folders(self) -> list[str]:
        """The folders at the top of the site."""
        return [name for name in self._names("") if os.path.isdir(os.path.join(self.root, name))][:_MANY]

    def _names(self, folder: str) -> list[str]:
        full = os.path.realpath(os.path.join(self.root, folder))
        if full != self.root and not full.startswith(self.root.rstrip(os.sep) + os.sep):
            return []
        try:
            return sorted(os.listdir(full))
        except OSError:
            return []

    def sitemap(self, path: str) -> Sitemap:
        """The sitemap at the path, read the first time it is asked for. How it was found is still to be said."""
        if path not in self._read:
            if self._progress:
                self._progress(path)
            self._read[path] = _sitemap(Path(self.root, path), path)
        return self._read[path]


def decoded(url_path: str) -> str:
    """An address's path as file names: percent-decoded, bytes that are not UTF-8 kept as surrogates."""
    return unquote_to_bytes(url_path).decode("utf-8", "surrogateescape")


def _sitemap(file: Path, path: str) -> Sitemap:
    got = packed.load(file)
    if got.data is None:
        return Sitemap(path, "none", "", gzipped=got.gzipped, problems=got.problems)
    content = _content(got.data, path)
    return Sitemap(
        path,
        content.kind,
        "",
        gzipped=got.gzipped,
        size=len(got.data),
        claims=content.claims,
        children=content.children,
        problems=(*got.problems, *content.problems),
    )


def _content(data: Bytes, path: str) -> Content:
    """By content first: XML under any name is read as XML; a text sitemap is told by its name or its first line."""
    kind = opening(data)
    named = path.lower().removesuffix(".gz")
    if kind != "markup" and (named.endswith(".txt") or (kind == "text" and _addresses(data, named))):
        return text.read(data, path)
    return xml.read(data, path)


def _addresses(data: Bytes, named: str) -> bool:
    return not named.endswith((".xml", ".rss", ".atom")) and bytes(data[:64]).lstrip().startswith(b"http")
