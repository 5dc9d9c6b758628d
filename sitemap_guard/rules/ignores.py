"""Findings that the configuration accepts: each with a reason, and each that fits nothing reported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from sitemap_guard import urls
from sitemap_guard.config import Ignore
from sitemap_guard.model import Finding, Hit, Site


def unused(_site: Site) -> Iterator[Hit]:
    """An `[[ignore]]` of the configuration fits no finding any more: take it out.

    An ignore that is left behind would hide the next fault of its kind.

    Bad: `[[ignore]]` for a page that was mended
    Good: only ignores that something needs
    """
    yield from ()  # the runner knows which were used


def split(
    site: Site, findings: Sequence[Finding], ignores: Sequence[Ignore], families: frozenset[str]
) -> tuple[list[Finding], list[Ignore]]:
    """The findings that no ignore takes, and the ignores that took none."""
    if not ignores:
        return list(findings), []
    pages = {entry.claim.loc: site.place(entry.located.path) for entry in site.entries if entry.located.path}
    used: set[int] = set()
    kept = []
    for finding in findings:
        takes = [number for number, ignore in enumerate(ignores) if _takes(ignore, finding, pages, families)]
        used.update(takes)
        if not takes:
            kept.append(finding)
    return kept, [ignore for number, ignore in enumerate(ignores) if number not in used]


def _takes(ignore: Ignore, finding: Finding, pages: dict[str, str], families: frozenset[str]) -> bool:
    if ignore.rule and ignore.rule not in (finding.rule, finding.rule.partition("-")[0] if families else ""):
        return False
    if ignore.path:
        fits = glob(ignore.path)
        if not (fits.fullmatch(finding.path) or fits.fullmatch(pages.get(finding.loc, "\n"))):
            return False
    return not ignore.url or (bool(finding.loc) and fits_url(ignore.url, finding.loc))


def fits_url(pattern: str, loc: str) -> bool:
    """Whether an address fits a pattern: of whole addresses when it has a scheme, else of paths below the host."""
    pattern = urls.escaped(pattern)
    if "://" in pattern:
        return glob(pattern).fullmatch(urls.escaped(loc)) is not None
    address = urls.parse(loc)
    return glob(pattern).fullmatch(address.path + address.query if address else loc) is not None


@cache
def glob(pattern: str) -> re.Pattern[str]:
    """A glob as a regular expression: `*` and `?` stop at a slash, `**` does not."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern[:1000])
    means = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(means.get(part) or re.escape(part) for part in parts), re.DOTALL)


def text_of(ignore: Ignore) -> str:
    """The ignore in words."""
    named = (("rule", ignore.rule), ("path", ignore.path), ("url", ignore.url))
    return ", ".join(f'{name} = "{value}"' for name, value in named if value)
