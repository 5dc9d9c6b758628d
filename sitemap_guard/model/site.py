"""All facts about one built site: what the rules read."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.claims import Claim, Sitemap, SitemapLine
from sitemap_guard.model.history import Repository
from sitemap_guard.model.pages import Disallow, Located, Page
from sitemap_guard.model.verdicts import Answer, Mapping, Verdict


class Entry(Struct, frozen=True):
    """A claim with everything that is known about it.

    `url` is the loc as browsers would write it ("" when it cannot be parsed), without fragment.
    """

    claim: Claim
    url: str
    located: Located
    page: Page | None = None
    disallowed: Disallow | None = None
    mapping: Mapping = Mapping()
    verdict: Verdict = Verdict(Answer.ABSENT)


class Site(Struct, frozen=True):
    """All facts about a built site; what the rules read.

    `folder` is the built site's absolute path, `shown` the same relative to the repository's root (or as the
    user named it) and used to show places. `base_url` is the site's address with its base path and a final
    slash, `base_by` how it was found. `robots` is robots.txt's `Sitemap:` lines, `robots_path` "" when the
    site has no robots.txt. `repository` says what history could be read. `now` is the time of the check.
    """

    folder: str
    shown: str
    base_url: str
    base_by: str
    sitemaps: tuple[Sitemap, ...]
    entries: tuple[Entry, ...]
    repository: Repository
    now: int
    robots: tuple[SitemapLine, ...] = ()
    robots_path: str = ""
    fit: str = ""

    def place(self, path: str) -> str:
        """The shown path of a file of the built site."""
        return f"{self.shown}/{path}" if self.shown not in ("", ".") else path
