"""Sitemaps that say the same twice: `sitemap.xml.gz` or `sitemap.txt` beside `sitemap.xml`.

A twin makes no claims of its own, else every page would be listed twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sitemap_guard.model import Problem, Sitemap
from sitemap_guard.sitemaps.files import Files


def settled(files: Files, sitemaps: Sequence[Sitemap]) -> tuple[Sitemap, ...]:
    """The sitemaps, in the same order, without the claims that a twin repeats.

    A packed file whose entries differ from those of the plain file beside it is `gzip-stale`; one of another kind is
    a sitemap of its own.
    """
    there = {sitemap.path: sitemap for sitemap in sitemaps}
    result = dict(there)
    for path, sitemap in there.items():
        if sitemap.kind == "none":
            continue
        if path.lower().endswith(".gz") and files.look(path[:-3]) == "file":
            _packed(files, result, sitemap, path[:-3])
        xml = _plain(path)
        if sitemap.kind == "text" and xml in there and there[xml].kind != "none":
            _text(result, result[path], xml)
    return tuple(result.values())


def _plain(path: str) -> str:
    """The XML sitemap that a text sitemap may repeat: of the same name, or sitemap.xml beside `urllist.txt`."""
    folder, slash, name = path.removesuffix(".gz").removesuffix(".txt").rpartition("/")
    return f"{folder}{slash}{'sitemap' if name == 'urllist' else name}.xml"


def _packed(files: Files, result: dict[str, Sitemap], twin: Sitemap, plain: str) -> None:
    other = files.sitemap(plain)
    if other.kind != twin.kind:  # an index may list a packed sitemap that bears its own name
        return
    problems = twin.problems
    if difference := _difference(twin, other):
        name = plain.rpartition("/")[2]
        problems = (*problems, Problem("gzip-stale", f"it differs from {name} beside it: {difference}"))
    if plain not in result:  # only the packed file is a sitemap of the site; the plain one merely lies there
        result[twin.path] = replace(twin, problems=problems)
        return
    announced = twin.announced or result[plain].announced
    result[plain] = replace(result[plain], announced=announced)
    result[twin.path] = replace(twin, problems=problems, announced=announced, claims=(), children=())


def _text(result: dict[str, Sitemap], twin: Sitemap, xml: str) -> None:
    others = {claim.loc for sitemap in result.values() if sitemap.path != twin.path for claim in sitemap.claims}
    announced = twin.announced or result[xml].announced
    result[xml] = replace(result[xml], announced=announced)
    own = tuple(claim for claim in twin.claims if claim.loc not in others)
    result[twin.path] = replace(twin, announced=announced, claims=own)


def _difference(one: Sitemap, other: Sitemap) -> str:
    """How the entries of two sitemaps differ, in words; "" when they do not."""
    entries, others = _entries(one), _entries(other)
    if sorted(entries, key=repr) == sorted(others, key=repr):
        return ""
    if len(entries) != len(others):
        return f"{len(entries):,} {'entry' if len(entries) == 1 else 'entries'}, not {len(others):,}"
    return f"{len(set(entries) - set(others)) or 1:,} of {len(entries):,} entries are not the same"


def _entries(sitemap: Sitemap) -> list[tuple[str, str | None]]:
    children = [(child.loc, child.lastmod) for child in sitemap.children]
    return children + [(claim.loc, claim.lastmod) for claim in sitemap.claims]
