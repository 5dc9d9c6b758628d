"""The dates that pages state in their HTML, beside what the sitemap claims."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard import dates
from sitemap_guard.judgement.judge import moment_of
from sitemap_guard.model import Answer, Entry, Hit, Moment, Site
from sitemap_guard.rules.base import plural, standing


def disagreeing(site: Site) -> Iterator[Hit]:
    """The modification date that a page states should be the one that the sitemap claims.

    Search engines read both. Where they differ, one of them is wrong, and neither is believed. Compared are
    `article:modified_time`, `dateModified` in JSON-LD, and `itemprop=dateModified`; equal dates prove nothing, so they
    support no claim. A claim that is false by history is reported as that, and not once more here.

    Bad: `<lastmod>2026-05-10</lastmod>` and `<meta property="article:modified_time" content="2024-01-31">`
    Good: the same day in both

    Source: Google, "Influencing your byline dates in Google Search".
    """
    found: list[tuple[int, str, str]] = []
    for number, entry in standing(site):
        moment = moment_of(entry.claim)
        if moment is None or entry.page is None or entry.verdict.answer not in (Answer.TRUE, Answer.CANNOT_TELL):
            continue
        stated = [(one, said) for one in entry.page.modified if (said := dates.parse_loose(one.value)) is not None]
        if stated and not any(_agree(moment, said, entry) for _, said in stated):
            one = stated[0][0]
            found.append((number, one.how, one.value))
    for number, how, value in found:
        claim = site.entries[number].claim
        count = sum(1 for _, other, _ in found if other == how)
        yield Hit(
            f"the page says {value} ({how}), the sitemap says {claim.lastmod}",
            number,
            line=claim.lastmod_line,
            group=f"lastmod-page:{how}",
            headline=f"{plural(count, 'page states', 'pages state')} another modification date in {how}",
            cure="take both dates from the same source",
        )


def _agree(claim: Moment, said: Moment, entry: Entry) -> bool:
    """Whether the two can mean the same moment, in UTC or any zone that either of them or the change names."""
    if said.offset is None and said.precision in ("minute", "second"):
        first, last = dates.reach(said)  # a wall clock, in a zone that only the site knows
        return dates.meets(claim, first, last, (0,))
    change = entry.verdict.witness.change if entry.verdict.witness else None
    zones = {0, *(moment.offset for moment in (claim, said) if moment.offset is not None)}
    if change is not None:
        zones |= {time.offset for time in (change.commit.authored, change.commit.committed, change.commit.landed)}
    return dates.agrees(claim, said, zones) or dates.agrees(said, claim, zones)
