"""Results for tests of the plan: claims as they are read, verdicts as they are given."""

from __future__ import annotations

from sitemap_guard.model import (
    Answer,
    Entry,
    Finding,
    Level,
    Located,
    Repository,
    Result,
    Site,
    Sitemap,
    Summary,
    Verdict,
)
from sitemap_guard.sitemaps import xml


def sitemap(path: str, data: bytes) -> Sitemap:
    """The file as the check reads it."""
    content = xml.read(data, path)
    assert content.kind != "none", content.problems
    return Sitemap(path, content.kind, "name", claims=content.claims, children=content.children)


def result(*sitemaps: Sitemap, wanted: dict[int, str | None], gone: frozenset[int] = frozenset()) -> Result:
    """A result that finds the lastmod of the wanted entries false, and says what would be true."""
    claims = [claim for one in sitemaps for claim in one.claims]
    verdicts = [
        Verdict(Answer.FALSE, "lastmod-too-new", expected=wanted[index]) if index in wanted else Verdict(Answer.TRUE)
        for index in range(len(claims))
    ]
    entries = tuple(
        Entry(claim, claim.loc, Located("missing"), verdict=verdict)
        for claim, verdict in zip(claims, verdicts, strict=True)
    )
    findings = [
        Finding("lastmod-too-new", Level.ERROR, "false", claims[index].loc, element="lastmod") for index in wanted
    ]
    findings += [Finding("page-missing", Level.ERROR, "gone", claims[index].loc) for index in gone]
    site = Site("/srv", "public", "https://example.org/", "", tuple(sitemaps), entries, Repository(), 0)
    return Result("1", site, tuple(findings), (), Summary(0, 0, 0, 0, 0, 0, "", 0, 0, 0))
