"""All facts about one built site: what the rules read."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.claims import Claim, Sitemap, SitemapLine
from sitemap_guard.model.history import Change, Repository
from sitemap_guard.model.hosting import Answered, Built, Header, Hosting, Target
from sitemap_guard.model.pages import Disallow, Located, Page
from sitemap_guard.model.published import Published
from sitemap_guard.model.verdicts import Answer, BadField, Mapping, Unread, Verdict


class Entry(Struct, frozen=True, gc=False):
    """A claim with everything that is known about it.

    `url` is the loc as browsers would write it ("" when it cannot be parsed), without fragment. `answered` is what
    the host answers for it (None: not known), `headers` the response headers that bear on search.
    """

    claim: Claim
    url: str
    located: Located
    page: Page | None = None
    disallowed: Disallow | None = None
    mapping: Mapping = Mapping()
    verdict: Verdict = Verdict(Answer.ABSENT)
    answered: Answered | None = None
    headers: tuple[Header, ...] = ()


class Site(Struct, frozen=True):
    """All facts about a built site; what the rules read.

    `folder` is the built site's absolute path, `shown` the same relative to the repository's root (or as the
    user named it) and used to show places. `base_url` is the site's address with its base path and a final
    slash, `base_by` how it was found. `robots` is robots.txt's `Sitemap:` lines, `robots_path` "" when the
    site has no robots.txt. `repository` says what history could be read. `now` is the time of the check.
    `hosting` says where the site is hosted, `built` are the pages that no sitemap lists (only when a rule asks).
    `targets` are the addresses of this site that canonical tags and alternates name. `misplaced` says in words what
    would make nearly all unbuilt locs lead to built files (`with en/ dropped from their paths`; "" for nothing).
    `links` are, for each built page, the addresses that it links to (only when a rule asks); `directory` is the page
    that lists all pages for people. `origins` leads from a built file that was copied as it is to the tracked file.
    `hosts` are further hosts that may be listed, `staging` those that may not; `preview` tells that this is no
    production build.
    `bad_fields` are date fields that no generator can read, `unread` those that the claims pass over.
    `against` is the sitemap that was published before, `required` the percentage of dates that must be verified.
    `barred` is the rule of robots.txt that keeps crawlers from the whole site.
    `sitemap_changes` are the last changes of sitemap files that git tracks, by their paths in the site, where an index
    entry's date is in question.
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
    bad_fields: tuple[BadField, ...] = ()
    unread: tuple[Unread, ...] = ()
    hosting: Hosting = Hosting()
    built: tuple[Built, ...] = ()
    targets: dict[str, Target] = {}
    misplaced: str = ""
    links: dict[str, frozenset[str]] | None = None
    directory: str = ""
    origins: dict[str, str] = {}
    hosts: tuple[str, ...] = ()
    staging: tuple[str, ...] = ()
    preview: bool = False
    against: Published | None = None
    required: float | None = None
    sitemap_changes: dict[str, Change] = {}
    barred: Disallow | None = None

    @property
    def twins(self) -> frozenset[str]:
        """The packed sitemaps that lie beside plain ones, and are no sitemaps of their own.

        One of another kind is none: an index may list a packed sitemap that bears its own name.
        """
        kinds = {sitemap.path: sitemap.kind for sitemap in self.sitemaps}
        pairs = {path: path[:-3] for path in kinds if path.lower().endswith(".gz") and path[:-3] in kinds}
        return frozenset(
            path
            for path, plain in pairs.items()
            if kinds[path] == kinds[plain] or "none" in (kinds[path], kinds[plain])
        )

    def place(self, path: str) -> str:
        """The shown path of a file of the built site: where it is mended, if it is a copy of a tracked file."""
        if path in self.origins:
            return self.origins[path]
        return f"{self.shown}/{path}" if self.shown not in ("", ".") else path
