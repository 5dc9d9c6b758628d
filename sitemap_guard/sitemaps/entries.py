"""`urlset` and `sitemapindex`: the two documents of the sitemaps.org protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard.model import Alternate, Child, Claim
from sitemap_guard.sitemaps.content import NAMESPACE, Content, counted
from sitemap_guard.sitemaps.elements import SPACE, Elements, shown, split, suggestion
from sitemap_guard.sitemaps.extensions import MAX_IMAGES, MAX_NEWS, NAMESPACES, REMOVED, faults, meant

if TYPE_CHECKING:
    from pyexpat import XMLParserType

ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
_FIELDS = {"urlset": ("loc", "lastmod", "changefreq", "priority"), "sitemapindex": ("loc", "lastmod")}
_TEXTS = ("loc", "lastmod", "priority", "changefreq")
_MAX_PARTS = 5000
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
        self.dated: list[tuple[int, int]] = []  # for each claim: the bytes at which its lastmod's tags begin
        self._tags = (0, 0)
        self._news = False
        self._published: str | None = None
        self._published_line = 0
        self._kind = ""  # the extension that is being read
        self._name = ""
        self._parts_of: list[tuple[str, list[tuple[str, str]], tuple[int, int]]] = []
        self._news_seen = 0
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
                if local == "lastmod":
                    self._tags = (self.parser.CurrentByteIndex, 0)
            else:
                self.places[local] = (0, 0)
        elif depth == 2:
            if local == self.entry:
                self.open_entry()
                self.inside = True
                self._tags = (0, 0)
                self._news = False
                self._published, self._published_line = None, 0
                if self.right and not name.startswith(NAMESPACE):
                    text = f'{shown(local)} is not in the namespace of <{self.root}>, "{NAMESPACE}"'
                    self.odd("namespace", "namespace", text)
            else:
                self._unknown(name, (self.entry,))
        elif self._kind and depth > 3:
            self._part(name, depth)
        elif self.reading:
            text = f"{shown(self.reading)} holds an element, {shown(split(name)[1])}: it must hold text alone"
            self.odd("element", f"in {self.reading}", text)

    def end(self, _name: str) -> None:
        """An element ends."""
        depth, self.depth = self.depth, self.depth - 1
        if self._kind and depth > 3:
            self._part_ends()
        elif depth == 3:
            self._kind = ""
            if self.reading == "lastmod":
                self._tags = (self._tags[0], self.parser.CurrentByteIndex)
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
            alternates = tuple(self.alternates)
            priority, changefreq = self.values.get("priority"), self.values.get("changefreq")
            claim = Claim(
                loc, lastmod, self.path, line, column, dated, alternates, False, (), self._news, priority, changefreq
            )
            if self._published is not None:
                claim = replace(claim, published=self._published, published_line=self._published_line)
            self.claims.append(claim)
            self._check_extensions(loc)
            self.dated.append(self._tags)
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
        elif namespace in NAMESPACES and self.root == "urlset":
            self._news = self._news or NAMESPACES[namespace] == "news"
            self._kind = NAMESPACES[namespace]
            self._parts_of.append((self._kind, [], self.place()))
        elif right := meant(namespace):
            self.odd("namespace", f"extension {namespace}", f'the namespace of {shown(local)} must be "{right}"')
        else:
            self._news = self._news or "sitemap-news" in namespace
            self._unknown(name, _FIELDS[self.root])

    def _part(self, name: str, depth: int) -> None:
        """An element inside an extension's begins; only text that no element interrupts is taken."""
        namespace, local = split(name)
        if depth > 6 or NAMESPACES.get(namespace) != self._kind or len(self._parts_of[-1][1]) > _MAX_PARTS:
            return
        self._name = local
        self._parts = []
        self.parser.CharacterDataHandler = self._parts.append
        if depth == 4 and local in REMOVED.get(self._kind, ()):
            name = f"<{self._kind}:{local}>"
            self.odd("removed", f"removed {name}", f"{name}: Google took it out and reads it no more")
        elif depth == 4 and local == "publication_date" and self._kind == "news" and not self._published_line:
            self._published_line = self.place()[0]

    def _part_ends(self) -> None:
        if self._name:
            text = "".join(self._parts).strip(SPACE)
            self._parts_of[-1][1].append((self._name, text))
            if self._published is None and self._name == "publication_date" and self._kind == "news":
                self._published = text
            self._name = ""
            self.parser.CharacterDataHandler = None

    def _check_extensions(self, loc: str) -> None:
        """The faults of the entry's images, videos and news, each kind of fault once a file."""
        if not self._parts_of:
            return
        for kind, parts, at in self._parts_of:
            for text in faults(kind, parts, loc):
                self.odd("extension", f"{kind} {text}", f"<{kind}:{kind}> {text}", at)
        images = sum(1 for kind, _, _ in self._parts_of if kind == "image")
        before = self._news_seen
        self._news_seen += sum(1 for kind, _, _ in self._parts_of if kind == "news")
        if images > MAX_IMAGES:
            text = f"{images:,} images in one entry: the limit is {MAX_IMAGES:,}"
            self.odd("extension", "images", text, self._parts_of[0][2])
        if before <= MAX_NEWS < self._news_seen:
            self.odd(
                "extension", "news", f"more than {MAX_NEWS:,} <news:news>: the limit of one file", self._parts_of[0][2]
            )
        self._parts_of = []

    def _unknown(self, name: str, known: tuple[str, ...]) -> None:
        namespace, local = split(name)
        if namespace in self.own:
            where = shown(self.entry if self.depth == 3 else self.root)
            text = f"{shown(local)} is no element of {where}{suggestion(local, known, _SPECIAL)}"
            self.odd("element", f"{self.depth} {local}", text)
