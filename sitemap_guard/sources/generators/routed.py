"""Sites whose pages are files of routes: what Astro, Next.js and Gatsby share.

Three kinds of file publish there: pages at their own path, content files that routes show, and dynamic routes, each
of which is itself the source of what no content file makes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any

from sitemap_guard.sources.generators.base import Layout, Publication, normal
from sitemap_guard.sources.generators.routes import Route, best_first, is_dynamic, route_of
from sitemap_guard.sources.tree import Tree


class Routed(Layout):
    """One such site: `pages` are the files of its routes with the segments of their addresses.

    A generator says which files are `content`, and what an `entry` of it and a dynamic route publish (`made_by`).
    """

    moves = True
    slashed = True  # the address of a page ends in a slash
    rest_may_be_empty = False  # see `route_of`

    def __init__(
        self, tree: Tree, place: str, pages: Iterable[tuple[str, Sequence[str]]], paths: Iterable[str], *, sure: bool
    ) -> None:
        super().__init__(tree, place, sure=sure)
        self._paths = sorted(paths)
        self._static: dict[str, str] = {}
        self._routes: list[Route] = []
        for file, parts in pages:
            if is_dynamic(parts):
                self._routes.append(route_of(file, parts, rest_may_be_empty=self.rest_may_be_empty))
            else:
                self._static[file] = "/" + "/".join(parts) + ("/" if parts and self.slashed else "")

    @property
    def content(self) -> Collection[str]:
        """The files that routes show."""
        raise NotImplementedError

    def entry(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        """Where a content file is published; by its name alone when the front matter is {}."""
        raise NotImplementedError

    def made_by(self, route: Route, path: str, values: Sequence[str]) -> Publication | None:
        """What a dynamic route makes at an address that no other file has; None if its content is somewhere else."""
        del route, path, values
        return None

    def passes_on(self, route: Route) -> bool:
        """Whether an address that fits a route, and is not made by it, may be a less particular route's."""
        del route
        return False

    def files(self) -> Iterable[str]:
        return dict.fromkeys([*self._static, *self.content, *(route.file for route in self._routes)])

    def by_name(self, file: str) -> Sequence[Publication]:
        if file in self._static:
            return (Publication(self._static[file], file),)
        return self._named[file] if file in self.content else self._dynamic.get(file, ())

    def by_matter(self, file: str, matter: dict[str, Any]) -> Sequence[Publication]:
        return self.entry(file, matter) if file in self.content else self.by_name(file)

    @cached_property
    def _named(self) -> dict[str, Sequence[Publication]]:
        return {file: self.entry(file, {}) for file in self.content}

    @cached_property
    def _dynamic(self) -> dict[str, list[Publication]]:
        """The publications of routes that are sources themselves: lists, and pages that come of no content file."""
        taken = {normal(path) for path in self._static.values()}
        taken.update(normal(publication.path) for some in self._named.values() for publication in some)
        found: dict[str, list[Publication]] = {}
        routes = best_first(self._routes)
        for path in self._paths:
            if normal(path) in taken:
                continue
            for route in routes:
                values = route.values(path)
                if values is None:
                    continue
                publication = self.made_by(route, path, values)
                if publication is not None:
                    found.setdefault(route.file, []).append(publication)
                if publication is not None or not self.passes_on(route):
                    break
        return found


def segments(path: str) -> list[str]:
    """The segments of the address of a page's file, given without its suffix: an index has its folder's."""
    *folders, name = path.split("/")
    return folders if name == "index" else [*folders, name]
