"""A sitemap that was published before, given as a file: alone, packed, or an index with its parts beside it."""

from __future__ import annotations

import os
from pathlib import Path

from sitemap_guard import urls
from sitemap_guard.model import Claim, Published, Sitemap, UserError
from sitemap_guard.sitemaps.discovery import discover
from sitemap_guard.sitemaps.files import Files, decoded


def read_published(path: Path, shown: str = "") -> Published:
    """The older sitemap at `path`; of a folder, the sitemaps that are found in it as in a built site.

    Parts of an index are looked up by the ends of their addresses in the index's own folder, never elsewhere.

    Raises:
        UserError: there is no such file, or it cannot be read as a sitemap.
    """
    name = shown or str(path)
    if os.path.isdir(path):
        sitemaps = list(discover(path).sitemaps)
        if not sitemaps:
            raise UserError(f"{name}: there is no sitemap in this folder; name the published sitemap's file")
        return _published(name, sitemaps, ())
    refuse_address(name)
    if not os.path.isfile(path):
        raise UserError(f"{name}: there is no such file; download the published sitemap first, or name a revision")
    files = Files(path.parent)
    top = files.sitemap(path.name) if files.look(path.name) == "file" else Sitemap(path.name, "none", "")
    if top.kind == "none":
        why = next((problem.detail for problem in reversed(top.problems)), "it is a link that leads elsewhere")
        raise UserError(f"{name}: it cannot be read as a sitemap: {why}")
    read, lacking = [top], []
    for child in top.children:
        part = _part(files, child.loc)
        if part and part != path.name:
            read.append(files.sitemap(part))
        else:
            lacking.append(child.loc)
    if top.kind == "index" and len(read) == 1:
        raise UserError(f"{name}: it is an index, and none of its {len(top.children)} parts is in the same folder")
    return _published(name, read, tuple(lacking))


def refuse_address(name: str) -> None:
    """Raise UserError for an address where a file is wanted: nothing is fetched."""
    if urls.is_absolute(name):
        raise UserError(f"{name}: this is an address, and nothing is fetched; download it first, and name the file")


def _part(files: Files, loc: str) -> str:
    """The file that an index's entry most likely means; packed or not, as it was downloaded."""
    address = urls.parse(loc, "https://site.invalid/")
    if address is None:
        return ""
    last = decoded(address.path).rpartition("/")[2]
    twin = last.removesuffix(".gz") if last.endswith(".gz") else f"{last}.gz"
    found = files.tail(address.path)
    return found or (twin if twin and files.look(twin) == "file" else "")


def _published(name: str, sitemaps: list[Sitemap], lacking: tuple[str, ...]) -> Published:
    claims: dict[str, Claim] = {}
    for sitemap in sitemaps:
        for claim in sitemap.claims:
            address = urls.parse(claim.loc)
            if address is not None:
                claims.setdefault(address.href, claim)
    return Published(name, claims, lacking=lacking)
