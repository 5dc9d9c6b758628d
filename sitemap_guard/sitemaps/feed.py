"""RSS 2.0 and Atom feeds as sitemaps (sitemaps.org protocol, "syndication feed").

The address is the text of `item/link` in RSS, the `href` of the first alternate `entry/link` in Atom; the date is
`pubDate` or `updated` (`modified` in Atom 0.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_guard.model import Claim
from sitemap_guard.sitemaps.content import Content, counted
from sitemap_guard.sitemaps.elements import SPACE, Elements, split

if TYPE_CHECKING:
    from pyexpat import XMLParserType

ATOM = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")


class Feed(Elements):
    """Reads the entries of a feed; `root` is its root element's name with the namespace."""

    def __init__(self, parser: XMLParserType, path: str, root: str) -> None:
        super().__init__(parser, path)
        self.namespace, local = split(root)
        self.kind = "atom" if local == "feed" else "rss"
        # RSS has its items one level deeper, inside <channel>.
        self.level, self.entry = (2, "entry") if self.kind == "atom" else (3, "item")
        self.date = ("updated", "modified") if self.kind == "atom" else ("pubDate",)
        self.inside = False
        self.claims: list[Claim] = []
        if self.kind == "atom" and self.namespace not in ATOM:
            self.odd("namespace", "namespace", f'<feed> must have xmlns="{ATOM[0]}"')

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        depth = self.deeper()
        if depth not in (self.level, self.level + 1):
            return
        namespace, local = split(name)
        if namespace != self.namespace:
            return
        if depth == self.level:
            self.inside = local == self.entry
            if self.inside:
                self.open_entry()
        elif self.inside and local not in self.places:
            if local in self.date or (local == "link" and self.kind == "rss"):
                self.collect(local)
            elif local == "link" and "alternate" in attributes.get("rel", "alternate").lower().split():
                self.places["link"] = self.place()
                self.values["link"] = attributes.get("href", "").strip(SPACE)

    def end(self, _name: str) -> None:
        """An element ends."""
        depth, self.depth = self.depth, self.depth - 1
        if depth == self.level + 1:
            if self.reading:
                self.collected()
        elif depth == self.level and self.inside:
            self.inside = False
            dated = next((key for key in self.date if key in self.values), "")
            line, column = self.places.get("link") or self.places[""]
            self.claims.append(
                Claim(
                    self.values.get("link", ""),
                    self.values.get(dated),
                    self.path,
                    line,
                    column,
                    self.places[dated][0] if dated else 0,
                    feed=True,
                )
            )

    def content(self) -> Content:
        """The claims, and the problems."""
        return Content(self.kind, tuple(self.claims), problems=(*self.problems(), *counted(self.entries)))
