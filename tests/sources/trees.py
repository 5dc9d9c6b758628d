"""Made-up repositories and sites for tests of the ways from a URL to its source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sitemap_guard.config import SourceRule
from sitemap_guard.model import Located, Mapping, Page
from sitemap_guard.sources.mapper import Mapped, map_site
from sitemap_guard.sources.tree import Tree

BASE = "https://e.org/"


def tree_of(files: dict[str, str]) -> Tree:
    return Tree(frozenset(files), lambda path: files[path].encode() if path in files else None)


def site(files: dict[str, str], *paths: str, prefix: str | None = "public", meta: str = "", base: str = BASE) -> Mapped:
    """The mapping of a site with pages at the paths (below the base), none of which has an edit link."""
    entries = [(base + path.lstrip("/"), Located("html", "p.html"), Page("p.html", generator=meta)) for path in paths]
    return map_site(entries, base_url=base, prefix=prefix, tree=tree_of(files))


def map_sources(
    entries: Sequence[tuple[str, Located, Page | None]],
    *,
    base_url: str = BASE,
    prefix: str | None,
    tracked: Iterable[str],
    rules: Sequence[SourceRule] = (),
) -> list[Mapping]:
    """The source of each entry by rules, edit links and identity alone."""
    only = ("manifest", "generator", "copy")
    tree = Tree(frozenset(tracked))
    return list(map_site(entries, base_url=base_url, prefix=prefix, tree=tree, rules=rules, without=only).mappings)


def mapped(files: dict[str, str], *paths: str, **options: str) -> dict[str, Mapping]:
    return dict(zip(paths, site(files, *paths, **options).mappings, strict=True))


def sources(files: dict[str, str], *paths: str, **options: str) -> dict[str, str]:
    """The source of each path; the reason in brackets where there is none."""
    return {path: one.content or f"({one.reason})" for path, one in mapped(files, *paths, **options).items()}
