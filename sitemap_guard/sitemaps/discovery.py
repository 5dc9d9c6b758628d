"""Which sitemaps the site has, where each was announced, and at what address the site is served."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import urls
from sitemap_guard.model import Child, SettingError, Sitemap, SitemapLine, UserError
from sitemap_guard.sitemaps import base, robots, twins
from sitemap_guard.sitemaps.files import Files
from sitemap_guard.sitemaps.folders import NAMES, find_site, site_in, sites_in
from sitemap_guard.urls import Address

__all__ = ["Discovered", "discover", "find_site", "site_in", "sites_in"]

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Discovered(Struct, frozen=True):
    """What a site claims.

    `sitemaps` are in reading order, an index before its children. `base_url` ends with a slash ("" when nothing
    tells it), `base_by` says for people how it was found.
    """

    sitemaps: tuple[Sitemap, ...]
    robots: tuple[SitemapLine, ...]
    robots_path: str
    base_url: str
    base_by: str


def discover(
    folder: Path,
    *,
    sitemaps: Sequence[str] = (),
    base_url: str = "",
    base_by: str = "--base-url",
    progress: Callable[[str], None] | None = None,
) -> Discovered:
    """The sitemaps of a built site: those that robots.txt names and those of usual names, with their children.

    `sitemaps` names them instead (paths relative to the folder, or absolute inside it). `base_by` says for people
    where `base_url` was given. `progress` is told the path of each file before it is read. Feeds are read only when
    something names them.

    Raises:
        UserError: no such folder, a named sitemap is not in it, or `base_url` is no absolute address.
    """
    if not os.path.isdir(folder):
        raise UserError(f"{folder}: no such folder")
    files = Files(folder, progress)
    named = [_named(files, folder, name) for name in sitemaps]
    chosen = base.given(base_url) if base_url else ""
    robots_path = "robots.txt" if files.look("robots.txt") == "file" else ""
    lines = robots.lines(Path(files.root, robots_path)) if robots_path else []
    values = [value for _, value in lines]
    usual = [name for name in NAMES if files.look(name) == "file"]
    tops = named or _once([*(_file(files, value) for value in values), *usual])
    indexes = {path: files.sitemap(path) for path in tops}
    found = (chosen, base_by) if chosen else _find(files, values, indexes.values())
    read = _children(files, indexes, found[0])
    if not chosen:
        # With the children read, the pages speak instead of the index.
        better = _find(files, values, read.values())
        if better[0] != found[0]:
            read = _children(files, indexes, better[0])
        found = better
    announced = tuple(_line(files, number, value, found[0]) for number, value in lines)
    by_robots = {line.path for line in announced} | {_file(files, value) for value in values}
    extra = [line.path for line in announced if line.path and line.path not in read and not named]
    read |= _children(files, {path: files.sitemap(path) for path in extra}, found[0])
    placed = _placed(read, by_robots)
    return Discovered(twins.settled(files, placed), announced, robots_path, *found)


def _named(files: Files, folder: Path, name: str) -> str:
    """The path of a sitemap that the user named."""
    path = os.path.normpath(name)
    if os.path.isabs(path):
        inside = Path(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if not inside.is_relative_to(files.root):
            raise SettingError(("sitemaps",), f"{name}: it is not inside the built site {folder}; correct it")
        path = os.path.relpath(inside, files.root)
    path = path.replace(os.sep, "/")
    state = files.look(path)
    if state == "outside":
        raise SettingError(("sitemaps",), f"{name}: it is not inside the built site {folder}; correct it")
    fault = files.fault(path) if state == "missing" else ""
    if fault:
        raise SettingError(("sitemaps",), f"{name}: it cannot be read, since {fault}; correct it")
    if state == "missing":
        raise SettingError(("sitemaps",), f"{name}: no such file in the built site {folder}; paths are relative to it")
    return path


def _file(files: Files, value: str) -> str:
    """The file that a `Sitemap:` line most likely means, while the base path is not known; "" for none."""
    address = urls.parse(value, "https://site.invalid/")
    return files.tail(address.path) if address else ""


def _find(files: Files, announced: Sequence[str], read: Iterable[Sitemap]) -> tuple[str, str]:
    read = list(read)
    paths = {sitemap.path for sitemap in read}
    own = [one for one in read if not (one.path.lower().endswith(".gz") and one.path[:-3] in paths)]
    pages = [claim.loc for sitemap in own for claim in sitemap.claims if claim.loc]
    return base.find(files, announced, pages, [child.loc for sitemap in read for child in sitemap.children])


def _line(files: Files, number: int, value: str, base_url: str) -> SitemapLine:
    state, path, near = _target(files, value, base_url, base_url)
    return SitemapLine(value, number, "read" if state == "file" else state, path, near)


def _children(files: Files, tops: dict[str, Sitemap], base_url: str) -> dict[str, Sitemap]:
    """The sitemaps and, one level deep, the children of the indexes among them; each index before its children."""
    settled: dict[str, Sitemap] = {}
    for path, sitemap in tops.items():
        if sitemap.kind == "index":
            children = tuple(_child(files, path, child, base_url) for child in sitemap.children)
            settled[path] = replace(sitemap, children=children)
        else:
            settled[path] = sitemap
    below = {child.path for index in settled.values() for child in index.children if _followed(child)}
    read: dict[str, Sitemap] = {}
    for path, sitemap in settled.items():
        # A part that also has a usual name waits for its index.
        if sitemap.kind == "index" or path not in below:
            read[path] = sitemap
            for child in filter(_followed, sitemap.children):
                if child.path not in tops or settled[child.path].kind != "index":
                    read.setdefault(child.path, files.sitemap(child.path))
    return read


def _followed(child: Child) -> bool:
    return bool(child.path) and child.state in ("read", "relative")


def _child(files: Files, index: str, child: Child, base_url: str) -> Child:
    state, path, near = _target(files, child.loc, base_url, f"{base_url}{index}", index)
    if path == index:
        state = "itself"
    elif path and files.sitemap(path).kind == "index":
        state = "nested"
    return replace(child, state="read" if state == "file" else state, path=path, near=near)


def _target(files: Files, value: str, base_url: str, relative_to: str, index: str = "") -> tuple[str, str, str]:
    """The state of an address of a sitemap (`file` stands for one that is there), the file that it leads to, and for
    one that is missing the file that was probably meant."""
    if not value:
        return "empty", "", ""
    site = urls.parse(base_url) if base_url else None
    absolute = urls.is_absolute(value)
    address = urls.parse(value) if absolute else urls.parse(value, relative_to or "https://site.invalid/")
    if not absolute and _SCHEME.match(value):
        return "elsewhere", "", ""
    if address is None:
        return "relative", "", ""
    if not absolute:
        path = _below(files, address, site)
        return "relative", path if files.look(path) == "file" else "", ""
    if site is None or address.origin != site.origin:
        return "elsewhere", "", ""
    path = urls.within(address, site) or ""
    if not path:
        return ("outside" if urls.within(address, site) is None else "missing"), "", ""
    state = files.look(path)
    return state, path if state == "file" else "", files.near(path, index) if state == "missing" else ""


def _below(files: Files, address: Address, site: Address | None) -> str:
    """Where a relative address leads: below the base URL, or else to the file that its end names."""
    path = urls.within(address, site) if site else None
    return path if path and files.look(path) == "file" else files.tail(address.path)


def _placed(read: dict[str, Sitemap], by_robots: set[str]) -> list[Sitemap]:
    """The sitemaps with how each was found, and whether robots.txt announces it, itself or through its index."""
    through: dict[str, bool] = {}
    for path, index in read.items():
        for child in filter(_followed, index.children):
            through[child.path] = through.get(child.path, False) or path in by_robots
    placed = []
    for path, sitemap in read.items():
        by = "robots.txt" if path in by_robots else "index" if path in through else "name"
        announced = path in by_robots or through.get(path, False)
        placed.append(replace(sitemap, found_by=by, announced=announced))
    return placed


def _once(paths: Iterable[str]) -> list[str]:
    return [path for path in dict.fromkeys(paths) if path]
