"""All that is read about a built site's pages: the entries with their files and facts, the host, what nobody lists."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import urls
from sitemap_guard.model import Answered, Built, Claim, Disallow, Entry, Hosting, Located, Page, Target
from sitemap_guard.pages import stated
from sitemap_guard.pages.batch import Batch
from sitemap_guard.pages.hosting.detect import detect
from sitemap_guard.pages.hosting.host import Host
from sitemap_guard.pages.html import with_canonical_at
from sitemap_guard.pages.locate import Locator
from sitemap_guard.pages.outlinks import read_links
from sitemap_guard.pages.robots import read_robots
from sitemap_guard.urls import Address

Progress = Callable[[str, int, int], None]
_PAGES = (".html", ".htm", ".xhtml")
# Files of the built site that generators copy as they are, and that faults are mended in.
COPIED = ("robots.txt", "_redirects", "_headers", ".htaccess")
_MAX_BUILT = 200_000
_SAMPLE = 200
_MOST_PLACED = 1000  # pages that are read once more, for the line of their canonical tag


class Wanted(Struct, frozen=True):
    """What to read: `profile` as configured, whether unlisted pages and links are asked for, and the directory page.

    `preview`: what pages and headers say about indexing is passed over.
    """

    profile: str = ""
    start: Path = Path()
    built: bool = False
    links: bool = False
    directory: str = ""
    preview: bool = False
    jobs: int | None = None


class Surveyed(Struct, frozen=True):
    """What was read."""

    entries: list[Entry]
    hosting: Hosting
    built: tuple[Built, ...] = ()
    targets: dict[str, Target] = {}
    misplaced: str = ""
    links: dict[str, frozenset[str]] | None = None
    barred: Disallow | None = None


class Surveying:
    """A built site that will be read, where it has many pages by processes that are there from the beginning.

    Use as a context manager. Raises UserError when the configured profile is none.
    """

    def __init__(self, claims: Sequence[Claim], folder: Path, base_url: str, wanted: Wanted, tell: Progress) -> None:
        self._folder, self._wanted, self._tell = folder, wanted, tell
        self._locator = Locator(folder, base_url)
        self._base = base = urls.parse(base_url) if base_url else None
        detected = detect(folder, base_url, wanted.profile, wanted.start)
        self._host = Host(detected, base, self._locator.is_file, self._locator.is_folder)
        self._claims, self._base_url = claims, base_url
        self._batch = Batch(folder, len(claims), jobs=wanted.jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._batch.close()

    def finish(self) -> Surveyed:
        """The entries of the claims, with the file, the page and the host's answer behind each; and the rest."""
        folder, wanted, tell = self._folder, self._wanted, self._tell
        base, locator, host = self._base, self._locator, self._host
        robots = _Robots(folder, base)
        found = [(claim, *self._located(claim)) for claim in self._claims]
        listed = {located.path for _, _, located in found if located.state == "html"}
        unlisted = _unlisted(locator, listed) if wanted.built else []
        for path in unlisted:
            self._batch.add(path)
        pages = self._batch.read(lambda done, total: tell("pages", done, total))
        if wanted.preview:
            pages = {path: replace(page, robots=frozenset()) for path, page in pages.items()}
        entries = []
        placed: dict[str, Page] = {}
        for claim, address, located in found:
            page = pages.get(located.path)
            if address is None:
                entries.append(Entry(claim, "", located, page))
                continue
            if page is not None and _says_otherwise(page, address.href) and len(placed) < _MOST_PLACED:
                page = placed[located.path] = placed.get(located.path) or with_canonical_at(page, folder / located.path)
            headers = () if wanted.preview else host.headers(address, located)
            barred = robots.disallowed(address)
            answered = host.answer(address, located)
            entries.append(Entry(claim, address.href, located, page, barred, answered=answered, headers=headers))
        hosting = replace(host.hosting, doubts=host.doubts)  # only those about listed addresses
        built = tuple(_built(unlisted, pages, host, robots, base, wanted.preview)) if base is not None else ()
        links = _links(folder, entries, built, wanted, tell) if wanted.links or wanted.directory else None
        targets = _targets(entries, built, locator, host, base)
        misplaced = _misplaced(entries, locator, base) if base is not None else ""
        return Surveyed(entries, hosting, built, targets, misplaced, links, robots.everything())

    def _located(self, claim: Claim) -> tuple[Address | None, Located]:
        """The claim's address and file; the reading of a page begins."""
        # A relative loc is a fault of its own; the page behind it is judged all the same where it can be known.
        base_url = self._base_url
        address = urls.parse(claim.loc) or (urls.parse(claim.loc, base_url) if claim.loc and base_url else None)
        located = self._locator.locate(address)
        if located.state == "html":
            self._batch.add(located.path)
        return address, located


def survey(claims: Sequence[Claim], folder: Path, base_url: str, wanted: Wanted, tell: Progress) -> Surveyed:
    """The site, read at once. Raises UserError as `Surveying` does."""
    with Surveying(claims, folder, base_url, wanted, tell) as surveying:
        return surveying.finish()


def _says_otherwise(page: Page, url: str) -> bool:
    """Whether something may have to be said of the page's canonical tags."""
    return bool(page.canonicals) and not any(link.in_head and link.href == url for link in page.canonicals)


class _Robots:
    """robots.txt, where it counts: at the host's root (RFC 9309 2.3)."""

    def __init__(self, folder: Path, base: Address | None) -> None:
        self._robots = read_robots(folder) if base is None or base.path == "/" else None
        self._origin = base.origin if base is not None else ""

    def disallowed(self, address: Address) -> Disallow | None:
        if self._robots is None or address.origin != self._origin:
            return None
        return self._robots.disallowed(address.href)

    def everything(self) -> Disallow | None:
        """The rule that keeps crawlers from the whole site, if there is one."""
        rule = self._robots.disallowed(f"{self._origin or 'https://site.invalid'}/") if self._robots else None
        return rule if rule is not None and rule.rule.partition(":")[2].strip() in ("/", "/*", "*") else None


def _unlisted(locator: Locator, listed: set[str]) -> list[str]:
    """The built HTML files that no entry leads to, sorted."""
    found: list[str] = []
    for files in locator.files():
        found += [path for path in files if path not in listed and path.lower().endswith(_PAGES)]
        if len(found) > _MAX_BUILT:
            break
    return sorted(found)


def _built(
    paths: Iterable[str], pages: dict[str, Page], host: Host, robots: _Robots, base: Address, preview: bool
) -> Iterator[Built]:
    for path in paths:
        address = urls.parse(base.href + _quoted(_served(path)))
        page = pages.get(path)
        if address is None or page is None:
            continue
        located = Located("html", path)
        answered: Answered | None = host.answer(address, located)
        headers = () if preview else host.headers(address, located)
        yield Built(address.href, page, robots.disallowed(address) is not None, answered, headers)


def _served(path: str) -> str:
    """The address, below the site's, that a built page is usually served at."""
    return path[: -len("index.html")] if path == "index.html" or path.endswith("/index.html") else path


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/!$&'()*+,;=:@~")


def _targets(
    entries: Sequence[Entry], built: Sequence[Built], locator: Locator, host: Host, base: Address | None
) -> dict[str, Target]:
    """The addresses of this site that canonical tags and alternates name, other than the page's own."""
    if base is None:
        return {}
    pages = {entry.located.path: (entry.page, entry.headers) for entry in entries if entry.page is not None}
    pages |= {one.page.path: (one.page, one.headers) for one in built}
    hrefs: dict[str, Address | None] = {}
    found: dict[str, Target] = {}
    for href in _named(entries):
        if href in hrefs:
            continue
        address = hrefs[href] = urls.parse(href)
        if address is None or address.origin != base.origin or address.href in found:
            continue
        located = locator.locate(address)
        if located.state not in ("elsewhere", "outside"):
            page, headers = pages.get(located.path, (None, ()))
            found[address.href] = Target(located, page, host.answer(address, located), headers)
    return found


def _named(entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries:
        page = entry.page
        if page is not None:
            own = page.canonicals[0].href if len(page.canonicals) == 1 else ""
            if page.canonicals and own != entry.url:
                yield from stated.canonicals(page, entry.url) - {entry.url}
            for alternate in page.alternates:
                yield alternate.href
        if entry.headers:
            yield from stated.header_canonicals(entry.headers, entry.url)
            for alternate in stated.header_alternates(entry.headers):
                yield alternate.href
        for alternate in entry.claim.alternates:
            yield alternate.href


def _misplaced(entries: Sequence[Entry], locator: Locator, base: Address) -> str:
    """What would make locs without a file lead to one: a folder dropped from, or put before, their paths.

    Said only when it is true of nearly all of them.
    """
    lost = [entry.url for entry in entries if entry.located.state == "missing" and not entry.located.near]
    lost += [entry.url for entry in entries if entry.located.state == "elsewhere" and _below(entry.url, base.origin)]
    if len(lost) < 2:
        return ""
    sample = lost if len(lost) <= _SAMPLE else [lost[index * len(lost) // _SAMPLE] for index in range(_SAMPLE)]
    ways: Counter[tuple[str, str]] = Counter()
    for url in sample:
        parts = urls.decoded(url[len(base.origin) + 1 :].partition("?")[0]).split("/")
        for cut in range(1, min(len(parts), 5)):
            if _leads(locator, "/".join(parts[cut:])):
                ways["drop", "/".join(parts[:cut]) + "/"] += 1
        for name in locator.folders():
            inside = urls.within(Address(url, base.origin, url[len(base.origin) :].partition("?")[0]), base)
            if inside is not None and _leads(locator, f"{name}/{inside}"):
                ways["add", f"{name}/"] += 1
    way, count = max(ways.items(), key=lambda item: (item[1], -len(item[0][1])), default=(("", ""), 0))
    if count * 10 < len(sample) * 9:
        return ""
    shown = way[1] if way[0] == "add" else way[1].removeprefix(base.path.lstrip("/")) or way[1]
    return f"with {shown} {'put before their paths' if way[0] == 'add' else 'dropped from their paths'}"


def _below(url: str, origin: str) -> bool:
    return url.startswith(origin + "/")


def _leads(locator: Locator, path: str) -> bool:
    return any(locator.is_file(name) for name in urls.file_names(path))


def _links(
    folder: Path, entries: Sequence[Entry], built: Sequence[Built], wanted: Wanted, tell: Progress
) -> dict[str, frozenset[str]]:
    pages = {entry.located.path: entry.url for entry in entries if entry.page is not None and entry.url}
    pages |= {one.page.path: one.url for one in built}
    if wanted.directory and not wanted.links:
        pages = {path: url for path, url in pages.items() if path == wanted.directory}
    return read_links(folder, pages.items(), lambda done, total: tell("links", done, total))


def origins(folder: Path, root: str, tracked: frozenset[str], prefix: str | None) -> dict[str, str]:
    """For built files that are copies of one tracked file: that file, relative to the repository's `root`."""
    found: dict[str, str] = {}
    for name in COPIED:
        file = folder / name
        own = f"{prefix}/{name}" if prefix else name
        if not root or own in tracked or not os.path.isfile(file) or os.path.islink(file):
            continue
        same = [path for path in tracked if path.rpartition("/")[2] == name]
        equal = [path for path in same[:50] if _equal(file, Path(root, path))]
        if len(equal) == 1:
            found[name] = equal[0]
    return found


def _equal(one: Path, other: Path) -> bool:
    import filecmp

    try:
        return os.path.isfile(other) and filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False
