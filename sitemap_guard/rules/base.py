"""What a rule is, and what rules share.

A rule is a pure function from a site's facts to hits. Its docstring is its documentation: why it matters, a bad
and a good example, how to mend it. It reads neither disk nor git.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from email.utils import parsedate_to_datetime

from msgspec import Struct

from sitemap_guard import dates, urls
from sitemap_guard.model import Answered, Entry, Header, Hit, Level, Page, Site, Spot
from sitemap_guard.model import Rule as HostRule
from sitemap_guard.rules.ignores import glob

Check = Callable[[Site], Iterator[Hit]]
_NO = frozenset({"noindex", "none"})
_VALUED = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_AGENTS = ("", "robots", "googlebot", "*")


class Rule(Struct, frozen=True):
    """A registered rule. Its family is the first word of its id."""

    id: str
    level: Level
    check: Check

    @property
    def family(self) -> str:
        """The part of the id before the first hyphen."""
        return self.id.partition("-")[0]


class NoIndex(Struct, frozen=True):
    """That a page asks not to be indexed: in which words, and by which header's rule (None: by its own tag)."""

    words: str
    rule: HostRule | None = None


class OnPage(Struct, frozen=True):
    """A place in an entry's built page: in words, and as that of a finding where git tracks the page.

    `path` is "" for a page that was built: a finding then stands on the sitemap, where something can be mended.
    """

    words: str
    path: str = ""
    line: int = 0
    column: int = 0


def on_page(site: Site, entry: Entry, at: Spot | None) -> OnPage:
    """Where the tag at `at` stands (None: somewhere in the page)."""
    path = site.place(entry.located.path)
    words = f"{path}:{at.line}:{at.column}" if at is not None else path
    if path not in site.repository.tracked:
        return OnPage(words)
    return OnPage(words, path, at.line, at.column) if at is not None else OnPage(words, path)


def entries(site: Site, *states: str) -> Iterator[tuple[int, Entry]]:
    """The entries whose built file is in one of the states (all of them when none is named), with their index."""
    for index, entry in enumerate(site.entries):
        if not states or entry.located.state in states:
            yield index, entry


def standing(site: Site) -> Iterator[tuple[int, Entry]]:
    """The entries whose page was read and is a page in its own right: neither a redirect nor noindex nor a 404.

    One fault is one finding: what a redirect stub says about its canonical or robots is part of the redirect.
    """
    for index, entry in entries(site, "html"):
        if entry.page is not None and not entry.page.problem and stands(entry):
            yield index, entry


def stands(entry: Entry) -> bool:
    """Whether the address answers with a page of its own that may be indexed, as far as is known."""
    answered = entry.answered
    if answered is not None and (answered.status >= 400 or answered.redirects) and answered.sure:
        return False
    page = entry.page
    if page is not None and not (page.refresh or page.robots or entry.headers):
        return True  # as nearly every page
    return not refreshes(page, entry.url) and not is_noindex(entry)


def refreshes(page: Page | None, url: str) -> str:
    """The address that a page sends its visitors to; "" when it stays (a page may reload itself)."""
    if page is None or not page.refresh:
        return ""
    base = urls.parse(page.base, url) if page.base else None
    target = urls.parse(page.refresh, base.href if base else url)
    if target is None:
        return page.refresh
    return "" if target.href == url else target.href


def is_noindex(entry: Entry, now: int = 0) -> bool:
    """Whether the page asks search engines not to list it."""
    return noindex_of(entry.page, entry.headers, now) is not None


def noindex_of(page: Page | None, headers: Iterable[Header], now: int = 0) -> NoIndex | None:
    """How a page asks not to be indexed, if it does: by its meta tags or by an X-Robots-Tag header.

    `none` is `noindex, nofollow`. `unavailable_after` with a time before `now` counts too (0: it is not looked at).
    """
    if page is not None and page.robots:
        words = page.robots & _NO
        if words:
            return NoIndex("noindex" if "noindex" in words else "none")
        if now and (ended := _unavailable(page.robots, now)):
            return NoIndex(ended)
    for header in headers:
        if header.name == "x-robots-tag":
            words = robots_words(header.value)
            found = "noindex" if "noindex" in words else "none" if "none" in words else _unavailable(words, now)
            if found:
                return NoIndex(f"X-Robots-Tag: {found}", header.rule)
    return None


def robots_words(value: str) -> frozenset[str]:
    """The directives of an X-Robots-Tag header that speak to every crawler or to Googlebot, in lower case."""
    words = set()
    agent = ""
    for piece in value.lower().split(","):
        part = piece
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip() not in _VALUED:
            agent, part = name.strip(), rest
        if agent in _AGENTS:
            words.add(" ".join(part.split()))
    return frozenset(words)


def _unavailable(words: Iterable[str], now: int) -> str:
    """The directive `unavailable_after`, if its time has passed; "" if not, or if it cannot be read."""
    for word in words:
        name, colon, value = word.partition(":")
        if not now or not colon or name.strip() != "unavailable_after":
            continue
        value = value.strip()
        moment = dates.parse(value.upper())
        try:
            seconds = moment.last if moment else parsedate_to_datetime(value).timestamp()
        except (ValueError, TypeError, OverflowError):
            continue
        if seconds < now:
            return f"unavailable_after: {value}, which has passed"
    return ""


def goes_elsewhere(answered: Answered | None) -> bool:
    """Whether the host surely answers with a redirect."""
    return answered is not None and answered.redirects and answered.sure


def is_staging(site: Site, host: str) -> bool:
    """Whether a host is one for development or previews, by its name or by the configuration."""
    if host in site.hosts:
        return False
    return urls.is_development(host) or any(glob(pattern.lower()).fullmatch(host) for pattern in site.staging)


def plural(count: int, one: str, many: str = "") -> str:
    """`1 page`, `3 pages`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def count_dated(site: Site) -> int:
    """The number of entries that have a lastmod."""
    return sum(1 for entry in site.entries if entry.claim.lastmod is not None)


def place_of_all(site: Site) -> str:
    """Where a finding on all entries is shown: at the first sitemap."""
    return site.place(site.sitemaps[0].path) if site.sitemaps else site.shown
