"""Where the built site is, when the user named no folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from sitemap_guard.model import UserError
from sitemap_guard.sitemaps import robots
from sitemap_guard.sitemaps.files import Files

# The usual names, indexes before the parts that generators number.
NAMES = (
    "sitemap.xml",
    "sitemap_index.xml",
    "sitemap-index.xml",
    "sitemaps.xml",
    "wp-sitemap.xml",
    "server-sitemap.xml",
    "sitemap/sitemap.xml",
    "sitemap.xml.gz",
    "sitemap_index.xml.gz",
    "sitemap-index.xml.gz",
    "sitemap-0.xml",
    "sitemap.txt",
    "sitemap.txt.gz",
    "urllist.txt",
    "urllist.txt.gz",
)
# Where generators build to by default.
_OUTPUTS = (
    "public",
    "_site",
    "site",
    "dist",
    "build",
    "out",
    "output",
    "html",
    "_build/html",
    "_build/dirhtml",
    "docs/_build/html",
    "docs/_build/dirhtml",
    "doc/_build/html",
    "doc/_build/dirhtml",
    "docs/build/html",
    "docs/build",
    "docs/dist",
    "docs/public",
    "docs/site",
    "docs/.vitepress/dist",
    ".vitepress/dist",
    ".output/public",
    "website/build",
    "docs",
)
_BELOW = ("public", "_site", "site", "dist", "build", "out", "_build/html", "_build/dirhtml", ".vitepress/dist")
_NAMED = 3  # of them in a message
_SKIPPED = {"node_modules", "vendor", "venv", "env", "__pycache__"}


def is_site(folder: Path) -> bool:
    """Whether the folder has a sitemap of a usual name, or a robots.txt that names one, at its top."""
    if any(os.path.isfile(folder / name) for name in NAMES):
        return True
    return os.path.isfile(folder / "robots.txt") and bool(robots.lines(folder / "robots.txt"))


def passed_over(folder: Path) -> list[tuple[str, str]]:
    """The usual names of sitemaps that stand in a built site and are not read, each with the reason."""
    files = Files(folder)
    return [(name, why) for name in (*NAMES, "robots.txt") if (why := files.fault(name))]


def find_site(start: Path, home: Path | None = None) -> Path:
    """The built site's folder: `start` itself, or the one folder below it that generators build to.

    Where there is none, the folders above are looked through as well, the nearest first: `home`, the folder of the
    settings, and the root of the repository.

    A folder that is a built site and no repository is taken as it is. In a repository's root, all usual folders are
    looked into, one level of sub-projects included.

    Raises:
        UserError: there is no such folder, or more than one.
    """
    if not os.path.isdir(start):
        raise UserError(f"{start}: no such folder")
    places = [start, *_above(start, home)]
    for place in places:
        sites = sites_in(place)
        if len(sites) == 1:
            return sites[0]
        if sites:
            raise UserError(f"more than one folder has a sitemap: {_listed(sites)}; name one: sitemap-guard check PATH")
    for folder in (start, *filter(os.path.isdir, _outputs(start))):
        for name, why in passed_over(folder):
            there = os.path.relpath(folder / name, start)
            raise UserError(f"{start}: no sitemap found; {there} is passed over, since {why}")
    also = "".join(f", nor in {os.path.relpath(place, start)}" for place in places[1:])
    raise UserError(
        f"{start}: no sitemap found, neither here nor in {', '.join(_OUTPUTS[:_NAMED])}, …{also}; "
        "build the site first, or name its folder: sitemap-guard check PATH"
    )


def site_in(folder: Path) -> Path:
    """The built site that a named folder is, or the one that it holds when it is a project's folder.

    A folder with a page at its top is a built site, even if it lacks a sitemap: one of its parts is not meant.

    Raises:
        UserError: it holds more than one.
    """
    if is_site(folder) or os.path.isfile(folder / "index.html"):
        return folder
    sites = sites_in(folder)
    if len(sites) > 1:
        raise UserError(f"{folder}: more than one folder in it has a sitemap: {_listed(sites)}; name one of them")
    return sites[0] if sites else folder


def _above(start: Path, home: Path | None) -> list[Path]:
    """The folders above that may hold the site: the settings' and the repository's root, the nearest first."""
    if os.path.exists(start / ".git"):
        return []
    found = []
    for folder in start.absolute().parents:
        root = os.path.exists(folder / ".git")
        if root or (home is not None and folder == home.absolute()):
            found.append(folder)
        if root:
            return found
    return found


def sites_in(start: Path) -> list[Path]:
    """The built sites in a folder and below it; alone the folder itself when it is one and no repository."""
    itself = is_site(start)
    if itself and not os.path.exists(start / ".git"):
        return [start]
    found = {os.path.realpath(start): start} if itself else {}
    for folder in _outputs(start):
        # Not Path.is_dir: below a folder that may not be read it raises.
        if os.path.isdir(folder) and is_site(folder):
            found.setdefault(os.path.realpath(folder), folder)
    return list(found.values())


def _outputs(start: Path) -> Iterator[Path]:
    yield from (start / name for name in _OUTPUTS)
    try:
        projects = sorted(entry.name for entry in os.scandir(start) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    for project in projects:
        if project not in _SKIPPED and not project.startswith("."):
            yield from (start / project / name for name in _BELOW)


def _listed(sites: Sequence[Path]) -> str:
    return ", ".join(Path(os.path.relpath(site)).as_posix() for site in sites)
