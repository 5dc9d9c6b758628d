"""Where the built site is, when the user named no folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sitemap_guard.model import UserError
from sitemap_guard.sitemaps import robots

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
_SKIPPED = {"node_modules", "vendor", "venv", "env", "__pycache__"}


def is_site(folder: Path) -> bool:
    """Whether the folder has a sitemap of a usual name, or a robots.txt that names one, at its top."""
    if any(os.path.isfile(folder / name) for name in NAMES):
        return True
    return os.path.isfile(folder / "robots.txt") and bool(robots.lines(folder / "robots.txt"))


def find_site(start: Path, home: Path | None = None) -> Path:
    """The built site's folder: `start` itself, or the one folder below it that generators build to.

    Where there is none, `home` is looked through as well: the folder of the settings, when it lies above.

    A folder that is a built site and no repository is taken as it is. In a repository's root, all usual folders are
    looked into, one level of sub-projects included.

    Raises:
        UserError: there is no such folder, or more than one.
    """
    if not os.path.isdir(start):
        raise UserError(f"{start}: no such folder")
    sites = _sites(start)
    above = start.absolute().parents
    if not sites and home is not None and home.absolute() in above:
        start, sites = home, _sites(home)
    if len(sites) == 1:
        return sites[0]
    if sites:
        names = ", ".join(_shown(site, start) for site in sites)
        raise UserError(f"more than one folder has a sitemap: {names}; name one: sitemap-guard check PATH")
    raise UserError(
        f"{start}: no sitemap found, neither here nor in {', '.join(_OUTPUTS)} (nor in such folders of the projects "
        "one level below); build the site first, or name its folder: sitemap-guard check PATH"
    )


def _sites(start: Path) -> list[Path]:
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


def _shown(site: Path, start: Path) -> str:
    return site.relative_to(start).as_posix()
