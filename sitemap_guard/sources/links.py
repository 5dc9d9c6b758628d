"""Sources that are symbolic links in git: what they lead to is what the page shows."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from msgspec.structs import replace

from sitemap_guard.model import Mapping

# As many as Linux follows in one path.
_MOST = 40


class Links:
    """The tracked links. `read` gives the content of a tracked file: of a link, where it leads."""

    def __init__(self, links: frozenset[str], tracked: frozenset[str], read: Callable[[str], bytes | None]) -> None:
        self._links, self._tracked, self._read = links, tracked, read

    def chain(self, path: str) -> tuple[str, ...]:
        """The path, the links that it leads over, and the tracked file at the end.

        The path alone when it is no link, or leads out of the repository, to a folder, to nothing or in a circle.
        """
        found = [path]
        while found[-1] in self._links:
            target = (self._read(found[-1]) or b"").decode("utf-8", "surrogateescape")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(found[-1]), target))
            if not target or there not in self._tracked or there in found or len(found) > _MOST:
                return (path,)
            found.append(there)
        return tuple(found)

    def read(self, path: str) -> bytes | None:
        """The content of a tracked file, or of the one that a link leads to."""
        return self._read(self.chain(path)[-1])

    def followed(self, mapping: Mapping) -> Mapping:
        """The mapping to the file that shows, with the links to it beside it: pointing elsewhere is a change too."""
        content, *links = reversed(self.chain(mapping.content))
        also = list(mapping.also)
        for other in mapping.also:
            also += self.chain(other)[1:]
        beside = dict.fromkeys((*reversed(links), *also))
        beside.pop(content, None)
        if (content, tuple(beside)) == (mapping.content, mapping.also):
            return mapping
        return replace(mapping, content=content, also=tuple(beside))
