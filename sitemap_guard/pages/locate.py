"""The built file behind an address.

Every folder is listed once and names are looked up in the listing: that is quick, and it compares the exact letter
case even on a disk that does not care. Nothing outside the site's folder is looked at: names come from listings
only, `..` is refused, and a symbolic link counts only if it ends inside.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from sitemap_guard.model import Located
from sitemap_guard.urls import Address, file_names, parse, within

_PAGES = (".html", ".htm", ".xhtml")
_FILE = 0  # in a listing: a regular file; a str is a folder that is not listed yet; a dict one that is

_Listing = dict[str, "int | str | _Listing"]


class Locator:
    """Finds the files behind addresses below `base_url` in the folder that was built.

    Not for a folder that changes meanwhile: listings are kept.
    """

    def __init__(self, folder: Path, base_url: str) -> None:
        self._root = os.path.realpath(folder)
        self._base = parse(base_url)
        self._top: _Listing | None = None
        self._outside: set[str] = set()
        self._links: set[str] = set()
        self._folds: dict[int, dict[str, str]] = {}

    def locate(self, address: Address | None) -> Located:
        """The file that a host would serve for the address (`index.html` of a folder, the file, the file + `.html`).

        An address on another host, or not below the site's base path, is `elsewhere`.
        """
        if address is None:
            return Located("unparsable")
        path = within(address, self._base) if self._base else None
        if path is None:
            return Located("elsewhere", near=self._of_same_path(address))
        if ".." in path and ".." in path.split("/"):
            return Located("outside")
        names = file_names(path)
        for place, name in enumerate(names):
            if self.is_file(name):
                kind = "html" if name.lower().endswith(_PAGES) else "file"
                return Located(kind, name, as_written=self._as_written(address, path, place))
        if self._outside and any(self._leaves(name) for name in names):
            return Located("outside", tried=names)
        near = next((found for name in names if (found := self._near(name))), "")
        if near and unicodedata.normalize("NFC", near) in {unicodedata.normalize("NFC", name) for name in names}:
            # The same letters in another form: some systems turn one into the other when they copy files.
            return Located("html" if near.lower().endswith(_PAGES) else "file", near, names, near=near)
        return Located("missing", tried=names, near=near)

    def _of_same_path(self, address: Address) -> str:
        """The built file that an address on another host would have here; "" for none."""
        if self._base is None or address.origin == self._base.origin:
            return ""
        path = within(Address(address.href, self._base.origin, address.path), self._base)
        if path is None or ".." in path:
            return ""
        return next((name for name in file_names(path) if self.is_file(name)), "")

    @staticmethod
    def _as_written(address: Address, path: str, place: int) -> bool:
        if path.endswith("/"):
            return place == 0  # else /x/ is served only by x.html
        if not path:
            return address.path.endswith("/")
        return place < 2  # else /x is served only by x/index.html

    def is_file(self, name: str) -> bool:
        """Whether a path relative to the site's folder names a built file, in its exact letter case."""
        listing = self._listed()
        *folders, last = name.split("/")
        for folder in folders:
            inner = listing.get(folder)
            if isinstance(inner, str):
                inner = listing[folder] = self._list(inner)
            if not isinstance(inner, dict):
                return False
            listing = inner
        return listing.get(last) == _FILE

    def is_folder(self, name: str) -> bool:
        """Whether a path relative to the site's folder ("" for the folder itself) names a folder in it."""
        listing = self._listed()
        for folder in name.split("/") if name else ():
            inner = listing.get(folder)
            if isinstance(inner, str):
                inner = listing[folder] = self._list(inner)
            if not isinstance(inner, dict):
                return False
            listing = inner
        return True

    def folders(self) -> list[str]:
        """The folders at the top of the site, sorted."""
        return sorted(name for name, inner in self._listed().items() if inner != _FILE)[:50]

    def files(self) -> Iterator[list[str]]:
        """The files of the site, relative to its folder: those of one folder at a time, each before those below it.

        Hidden folders and symbolic links are passed over.
        """
        waiting: list[tuple[str, _Listing]] = [("", self._listed())]
        while waiting:
            folder, listing = waiting.pop()
            place = os.path.join(self._root, folder)
            links = {name for name in listing if os.path.join(place, name) in self._links} if self._links else ()
            yield [folder + name for name, inner in listing.items() if inner == _FILE and name not in links]
            # The last one is taken first.
            for name in sorted(listing, reverse=True):
                inner = listing[name]
                if inner == _FILE or name.startswith(".") or name in links:
                    continue
                if isinstance(inner, str):
                    inner = listing[name] = self._list(inner)
                if isinstance(inner, dict):
                    waiting.append((f"{folder}{name}/", inner))

    def _listed(self) -> _Listing:
        if self._top is None:
            self._top = self._list(self._root)
        return self._top

    def _near(self, name: str) -> str:
        """The file whose path differs only in letter case or Unicode form; "" for none, or for several."""
        listing, found = self._top, []
        for part in name.split("/"):
            if not isinstance(listing, dict):
                return ""
            folds = self._folds.get(id(listing))
            if folds is None:
                folds = self._folds[id(listing)] = {}
                for other in listing:
                    key = _folded(other)
                    folds[key] = "" if key in folds else other
            own = part if part in listing else folds.get(_folded(part), "")
            inner = listing.get(own) if own else None
            if isinstance(inner, str):
                inner = listing[own] = self._list(inner)
            if inner is None:
                return ""
            found.append(own)
            listing = inner if isinstance(inner, dict) else None
            last = inner
        return "/".join(found) if last == _FILE else ""

    def _list(self, folder: str) -> _Listing:
        listing: _Listing = {}
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        self._add_link(listing, entry)
                    elif entry.is_file(follow_symlinks=False):
                        listing[entry.name] = _FILE
                    elif entry.is_dir(follow_symlinks=False):
                        listing[entry.name] = entry.path
        except OSError:
            pass  # a folder that may not be read serves nothing
        return listing

    def _add_link(self, listing: _Listing, entry: os.DirEntry[str]) -> None:
        target = os.path.realpath(entry.path)
        if target != self._root and not target.startswith(os.path.join(self._root, "")):
            self._outside.add(entry.path)
            return
        self._links.add(entry.path)
        if os.path.isfile(target):
            listing[entry.name] = _FILE
        elif os.path.isdir(target):
            listing[entry.name] = target

    def _leaves(self, name: str) -> bool:
        """Whether a part of the path is a symbolic link out of the folder."""
        place = self._root
        for part in name.split("/"):
            place = os.path.join(place, part) if part else place
            if place in self._outside:
                return True
        return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
