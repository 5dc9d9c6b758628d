"""Extensions of sitemaps: images, videos and news inside an entry."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sitemap_guard import dates
from sitemap_guard.judgement.judge import SKEW
from sitemap_guard.model import Claim, Hit, Level, Site
from sitemap_guard.rules.base import plural
from sitemap_guard.rules.sitemap import problems

_RECENT = 2 * 86400  # seconds; Google, "Create a news sitemap"


def extension(site: Site) -> Iterator[Hit]:
    """Images, videos and news in an entry must have their required parts and keep their limits.

    A video needs a thumbnail, a title, a description and an address of its own; news need a publication with name and
    language, a date and a title, and there may be 1,000 in one file; an entry may have 1,000 images. The date of
    publication is a W3C datetime that has passed.

    Two things are only noted: elements that Google has taken out of the formats (`image:caption`, `video:price` and the
    like), and articles of more than two days ago, whose news elements, or whole entries, should go.

    Bad: `<image:image></image:image>`
    Good: `<image:image><image:loc>https://example.org/a.png</image:loc></image:image>`

    Source: Google, "Image sitemaps", "Video sitemaps", "Create a news sitemap".
    """
    yield from problems(site, frozenset({"extension"}), "sitemap-extension")
    for hit in problems(site, frozenset({"removed"}), "sitemap-extension"):
        yield replace(
            hit,
            group="sitemap-extension:removed",
            headline="elements that Google has taken out of the image and video formats",
            cure="leave them out: they only make the file larger",
            level=Level.INFO,
        )
    yield from _published(site)
    yield from _old(site)


def _published(site: Site) -> Iterator[Hit]:
    """The dates of publication that are none, or have not come yet."""
    for index, entry in enumerate(site.entries):
        text = entry.claim.published
        if not text:
            continue
        moment = dates.parse(text)
        why, fixed = dates.fault(text) if moment is None else ("", None)
        if moment is not None and dates.reach(moment)[0] > site.now + SKEW:
            why = "it lies in the future"
        if why:
            yield Hit(
                f"the date of publication is {text}: {why}",
                index,
                line=entry.claim.published_line,
                # The element must stay, so nothing is proposed where no value is sure.
                element="news:publication_date" if fixed else "",
                claimed=text if fixed else None,
                expected=fixed,
                group=f"sitemap-extension:published:{why}",
            )


def _old(site: Site) -> Iterator[Hit]:
    """The articles that are too old to be news, once a sitemap."""
    old: dict[str, list[Claim]] = {}
    for entry in site.entries:
        moment = dates.parse(entry.claim.published) if entry.claim.published else None
        if moment is not None and dates.reach(moment)[1] < site.now - _RECENT:
            old.setdefault(entry.claim.sitemap, []).append(entry.claim)
    for sitemap, claims in old.items():
        yield Hit(
            f"{plural(len(claims), 'article')} of more than two days ago: for news, only newer ones are taken",
            path=site.place(sitemap),
            line=claims[0].published_line,
            group="sitemap-extension:old",
            cure="leave out their news:news elements, or their entries",
            level=Level.INFO,
        )
