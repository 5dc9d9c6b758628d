"""The proof before anything is written: a second parser reads both versions and compares every value.

The spans were found with expat. libxml2 (by lxml) knows nothing of them: it must find each entry as it was, but for
the dates that were planned. Entities, DTDs and the network are off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_guard.fix.plan import Planned
from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.elements import SPACE
from sitemap_guard.sitemaps.entries import ENTRY

if TYPE_CHECKING:
    from lxml.etree import _Element

Value = tuple[str, str | None, tuple[bytes, ...]]


def prove(planned: Planned, name: str) -> None:
    """Compare what a second parser reads with the plan.

    Raises:
        UserError: it does not read it so. Nothing must be written then.
    """
    before, after = _values(planned.before, name), _values(planned.after, name)
    kept = [value for index, value in enumerate(before) if index not in planned.dropped]
    read = [(loc, lastmod) for loc, lastmod, _ in after]
    if read != list(planned.values) or [rest for *_, rest in kept] != [rest for *_, rest in after]:
        raise UserError(f"{name}: not written, since a second parser reads the result otherwise than planned")


def _values(data: bytes, name: str) -> list[Value]:
    from lxml import etree

    # The encoding is the one that the check holds files to, whatever a declaration says.
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
        huge_tree=True,
        encoding="utf-8",
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UserError(f"{name}: not written, since a second parser cannot read it: {error}") from None
    local = etree.QName(root).localname
    own = {etree.QName(root).namespace, "http://www.sitemaps.org/schemas/sitemap/0.9", None}
    return [
        _value(entry, own)
        for entry in root
        if etree.QName(entry).localname == ENTRY.get(local) and etree.QName(entry).namespace in own
    ]


def _value(entry: _Element, own: set[str | None]) -> Value:
    """An entry's loc, its lastmod, and everything else in it as it stands."""
    from lxml import etree

    texts: dict[str, str] = {}
    rest = []
    for child in entry:
        name = etree.QName(child)
        if name.namespace in own and name.localname in ("loc", "lastmod") and name.localname not in texts:
            # Only what stands directly in it: an element inside is told as a fault by the check.
            texts[name.localname] = str(child.xpath("string()")).strip(SPACE)
            if name.localname == "loc":
                rest.append(etree.tostring(child, with_tail=False))
        else:
            rest.append(etree.tostring(child, with_tail=False))
    return texts.get("loc", ""), texts.get("lastmod"), tuple(rest)
