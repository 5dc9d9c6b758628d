"""What a page and its headers state, as addresses in normal form. Reads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sitemap_guard import urls
from sitemap_guard.model import Alternate, Header, Page

# One link of a Link header: <target> and its parameters (RFC 8288 3).
_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s;,\"]*))?)*)")
_PARAMETER = re.compile(r";\s*([\w*!#$&+.^`|~-]+)\s*(?:=\s*(?:\"([^\"]*)\"|([^\s;,\"]*)))?")


def base_of(page: Page, url: str) -> str:
    """What relative addresses of a page are relative to."""
    base = urls.parse(page.base, url) if page.base else None
    return base.href if base else url


def canonicals(page: Page, url: str) -> set[str]:
    """The addresses that the canonical tags in the head name, without fragment."""
    found = set()
    for link in page.canonicals:
        if not link.in_head:
            continue
        if link.href == url:
            found.add(url)
        elif link.href and (address := urls.parse(link.href, base_of(page, url))):
            found.add(address.href)
    return found


def header_canonicals(headers: Iterable[Header], url: str) -> dict[str, Header]:
    """The addresses that `Link: <…>; rel="canonical"` headers name, with the header."""
    found = {}
    for header in headers:
        for target, parameters in _links(header):
            if "canonical" in parameters.get("rel", "").lower().split() and (address := urls.parse(target, url)):
                found[address.href] = header
    return found


def header_alternates(headers: Iterable[Header]) -> tuple[Alternate, ...]:
    """The alternates that Link headers name."""
    return tuple(
        Alternate(parameters["hreflang"], target)
        for header in headers
        for target, parameters in _links(header)
        if "hreflang" in parameters and "alternate" in parameters.get("rel", "").lower().split()
    )


def _links(header: Header) -> list[tuple[str, dict[str, str]]]:
    if header.name != "link" or len(header.value) > 20_000:
        return []
    return [
        (target.strip(), {name.lower(): quoted or plain for name, quoted, plain in _PARAMETER.findall(parameters)})
        for target, parameters in _LINK.findall(header.value)
    ]
