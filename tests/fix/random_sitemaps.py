"""Random sitemaps whose every byte is known: pieces, of which some are the text of a lastmod."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import Struct

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
VALUES = ["2026-01-02", "2025-12-31T23:59:59Z", "2024-02-29T00:00:00+05:30", "2026", ""]
NOISE = st.sampled_from(["", "", "<!-- <lastmod>1</lastmod> -->", "<?pi <loc> ?>", "<!-- é\n -->"])


class Entry(Struct, frozen=True):
    """One entry as pieces: what stands before the lastmod's gap, the gap, the element around its text, the rest."""

    loc: str
    before: str
    gap: str
    opening: str
    text: str  # as written
    value: str | None  # what it means; None: there is no lastmod
    closing: str
    after: str


class Made(Struct, frozen=True):
    """A sitemap: its head, its entries, its tail."""

    head: bytes
    entries: tuple[Entry, ...]
    tail: bytes

    def data(self) -> bytes:
        """The file."""
        return self.head + b"".join(whole(entry).encode() for entry in self.entries) + self.tail

    def fixed(self, wanted: dict[int, str | None], dropped: frozenset[int] = frozenset()) -> bytes:
        """The file with other lastmod texts (None: without the element) and without the dropped entries."""
        made = [
            fixed(entry, wanted.get(index, entry.text))
            for index, entry in enumerate(self.entries)
            if index not in dropped
        ]
        return self.head + b"".join(text.encode() for text in made) + self.tail


def whole(entry: Entry) -> str:
    if entry.value is None:
        return entry.before + entry.after
    return entry.before + entry.gap + entry.opening + entry.text + entry.closing + entry.after


def fixed(entry: Entry, text: str | None) -> str:
    if entry.value is None or text == entry.text:
        return whole(entry)
    if text is None:
        # Its line goes with it, when it has one of its own.
        own = "\n" in entry.gap and entry.after.startswith(("\n", "\r\n"))
        return entry.before + ("" if own else entry.gap) + entry.after
    return entry.before + entry.gap + entry.opening + text + entry.closing + entry.after


@st.composite
def sitemaps(draw: st.DrawFn) -> Made:
    """A well-formed `urlset` with every liberty that the format takes."""
    prefix = draw(st.sampled_from(["", "", "sm:"]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", ""]))
    indent = draw(st.sampled_from(["  ", "\t", ""]))
    declared = draw(st.sampled_from(["", '<?xml version="1.0" encoding="UTF-8"?>', "<?xml version='1.0'?>"]))
    bom = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    bound = f":{prefix[:-1]}" if prefix else ""
    image = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    head = f'{declared}{end if declared else ""}{draw(NOISE)}<{prefix}urlset xmlns{bound}="{NAMESPACE}" {image}>{end}'
    entries = [draw(_entry(prefix, end, indent, number)) for number in range(draw(st.integers(1, 6)))]
    return Made(bom + head.encode(), tuple(entries), f"{draw(NOISE)}</{prefix}urlset>{end}".encode())


@st.composite
def _entry(draw: st.DrawFn, prefix: str, end: str, indent: str, number: int) -> Entry:
    gap = end + indent * 2 if end else ""
    loc = f"https://example.org/{draw(st.sampled_from(['é/', 'a&b/', 'x?y=1&z=2', '日本/', '']))}{number}"
    wrapped = draw(st.booleans())
    shown = f"<![CDATA[{loc}]]>" if wrapped else loc.replace("&", "&amp;")
    space = draw(st.sampled_from(["", " ", "\n"]))
    others = [
        "<image:image><image:loc>https://e.org/i.png</image:loc></image:image>",
        f"<{prefix}priority>0.5</{prefix}priority>",
        f"<{prefix}changefreq/>",
    ]
    before = f"{indent}<{prefix}url>{gap}{draw(NOISE)}<{prefix}loc>{space}{shown}{space}</{prefix}loc>"
    after = "".join(gap + other for other in draw(st.lists(st.sampled_from(others), max_size=2, unique=True)))
    after += f"{end + indent if end else ''}</{prefix}url>{end}"
    value = draw(st.none() | st.sampled_from(VALUES))
    attribute = draw(st.sampled_from(["", "", ' a=">"', "\n"]))
    opening, closing = (
        f"<{prefix}lastmod{attribute}>{space}",
        f"{space}</{prefix}lastmod{draw(st.sampled_from(['', ' ']))}>",
    )
    text = value or ""
    style = draw(st.sampled_from(["plain", "plain", "cdata", "reference", "comment"]))
    if value and style == "cdata":
        opening, closing = opening + "<![CDATA[", "]]>" + closing
    elif value and style == "reference":
        text = text.replace("-", "&#45;").replace("2", "&#x32;")
    elif value and style == "comment":
        text = text[:2] + "<!-- no -->" + text[2:]
    elif value == "":
        opening, closing = f"<{prefix}lastmod{attribute}>", f"</{prefix}lastmod>"
    return Entry(loc, before, gap, opening, text, value, closing, after)
