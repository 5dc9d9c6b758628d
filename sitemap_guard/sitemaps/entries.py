"""`urlset` and `sitemapindex`: the two documents of the sitemaps.org protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_guard.model import Alternate, Child, Claim
from sitemap_guard.sitemaps.content import NAMESPACE, Content, counted
from sitemap_guard.sitemaps.elements import SPACE, Elements, shown, split, suggestion

if TYPE_CHECKING:
    from pyexpat import XMLParserType

ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
_FIELDS = {"urlset": ("loc", "lastmod", "changefreq", "priority"), "sitemapindex": ("loc", "lastmod")}
_TEXTS = ("loc", "lastmod")
_XHTML = "http://www.w3.org/1999/xhtml"
_SPECIAL = {
    "link": 'an alternate is written <xhtml:link>, with xmlns:xhtml="http://www.w3.org/1999/xhtml" on the root',
    "image": 'it needs its prefix and xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"',
    "video": 'it needs its prefix and xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"',
    "news": 'it needs its prefix and xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"',
    "url": "it belongs directly below <urlset>",
    "sitemap": "it belongs directly below <sitemapindex>",
}


class Entries(Elements):
    """Reads the entries of a `urlset` or a `sitemapindex`.

    Elements count as the protocol's own by their local name when they are in its namespace, in the root's (wrong)
    one or in none; elements of any other namespace are extensions and none of our business, but for alternates.
    """

    def __init__(self, parser: XMLParserType, path: str, root: str) -> None:
        super().__init__(parser, path)
        namespace, self.root = split(root)
        self.entry = ENTRY[self.root]
        self.own = {namespace, NAMESPACE, ""}
        self.names = {
            f"{space} {local}".lstrip(" "): local for space in self.own for local in (self.entry, *_FIELDS[self.root])
        }
        self.right = namespace == NAMESPACE
        self.inside = False
        self.alternates: list[Alternate] = []
        self.claims: list[Claim] = []
        self.children: list[Child] = []
        if not self.right:
            stated = f"the namespace {shown(namespace)[1:-1]}" if namespace else "no namespace"
            self.odd("namespace", "namespace", f'<{self.root}> has {stated}: it must have xmlns="{NAMESPACE}"')

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        depth = self.deeper()
        local = self.names.get(name)
        if depth == 3 and self.inside:
            if local is None or local == self.entry:
                self._other(name, attributes)
            elif local in self.places:
                self.odd("element", f"second {local}", f"a second {shown(local)} in one {shown(self.entry)}")
            elif local in _TEXTS:
                self.collect(local)
            else:
                self.places[local] = (0, 0)
        elif depth == 2:
            if local == self.entry:
                self.open_entry()
                self.inside = True
                if self.right and not name.startswith(NAMESPACE):
                    text = f'{shown(local)} is not in the namespace of <{self.root}>, "{NAMESPACE}"'
                    self.odd("namespace", "namespace", text)
            else:
                self._unknown(name, (self.entry,))
        elif self.reading:
            text = f"{shown(self.reading)} holds an element, {shown(split(name)[1])}: it must hold text alone"
            self.odd("element", f"in {self.reading}", text)

    def end(self, _name: str) -> None:
        """An element ends."""
        depth, self.depth = self.depth, self.depth - 1
        if depth == 3:
            if self.reading:
                self.collected()
        elif depth == 2 and self.inside:
            self.inside = False
            line, column = self.places.get("loc") or self.places[""]
            loc, lastmod = self.values.get("loc", ""), self.values.get("lastmod")
            if self.root == "sitemapindex":
                self.children.append(Child(loc, lastmod, line, column, ""))
                return
            dated = self.places["lastmod"][0] if lastmod is not None else 0
            self.claims.append(Claim(loc, lastmod, self.path, line, column, dated, tuple(self.alternates)))
            if self.alternates:
                self.alternates = []

    def content(self) -> Content:
        """The claims or children, and the problems."""
        kind = "index" if self.root == "sitemapindex" else "urlset"
        problems = (*self.problems(), *counted(self.entries))
        return Content(kind, tuple(self.claims), tuple(self.children), problems)

    def _other(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local = split(name)
        # Old templates name other addresses of the XHTML schema; engines go by the prefix and let it pass.
        if local == "link" and "xhtml" in namespace.lower():
            if "alternate" in attributes.get("rel", "").lower().split():
                hreflang, href = attributes.get("hreflang", ""), attributes.get("href", "")
                self.alternates.append(Alternate(hreflang.strip(SPACE), href.strip(SPACE)))
            if namespace != _XHTML:
                text = f'the namespace of <xhtml:link> must be "{_XHTML}"'
                self.odd("namespace", "xhtml", text)
        else:
            self._unknown(name, _FIELDS[self.root])

    def _unknown(self, name: str, known: tuple[str, ...]) -> None:
        namespace, local = split(name)
        if namespace in self.own:
            where = shown(self.entry if self.depth == 3 else self.root)
            text = f"{shown(local)} is no element of {where}{suggestion(local, known, _SPECIAL)}"
            self.odd("element", f"{self.depth} {local}", text)
