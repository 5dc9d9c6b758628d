"""Pages and sitemap against each other: what is built and not listed, listed and not linked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap_guard import urls
from sitemap_guard.model import Built, Entry, Hit, Level, Page, Site
from sitemap_guard.rules import hreflang
from sitemap_guard.rules.base import entries, noindex_of, plural, refreshes, standing
from sitemap_guard.rules.canonical import addresses

# Pages that are no page of their own: error pages, further pages of a list, what search engines want to find.
_NOT_LISTED = re.compile(
    r"(?:^|/)(?:40[0-9]|50[0-9]|offline|_?error)(?:/index)?\.html?$"
    r"|(?:^|/)(?:page|pages|pg|p|seite|pagina|página|strona|pagina-|стр)[-_/]?\d+(?:/index\.html?|\.html?|/?$)"
    r"|(?:^|/)(?:19|20)\d\d(?:/\d\d?){0,2}(?:/index)?\.html?$"
    r"|(?:^|/)google[0-9a-f]{8,}\.html$|(?:^|/)(?:BingSiteAuth|yandex_[0-9a-f]+|pinterest-[0-9a-z]+)\.html$"
    r"|(?:^|/)[._]",
    re.IGNORECASE,
)


def unlisted(site: Site) -> Iterator[Hit]:
    """A built page that search engines may index should be listed.

    Reported are pages that name themselves as canonical (or, on a site whose pages name none, all pages) and that
    neither redirect nor ask not to be indexed. Error pages, further pages of a list and lists by date are
    excepted.

    Bad: `about/index.html` in the build, and no entry for it
    Good: an entry, a noindex, or a glob in `unlisted` under [pages] of the configuration
    """
    if not site.built or not any(entry.page for entry in site.entries):
        return
    pages = [entry.page for entry in site.entries if entry.page is not None and not entry.page.problem]
    usual = sum(1 for page in pages if page.canonicals) * 2 > len(pages)
    listed = {_bare(url) for entry in site.entries for url in _led_to(entry)} | {
        _bare(url) for url in hreflang.unlisted(site)
    }
    excepted = {entry.located.near for entry in site.entries} | _dropped_files(site)
    for one in site.built:
        if _counts(one, usual, site.now) and _bare(one.url) not in listed and one.page.path not in excepted:
            # `about/index.html` is the page `about`, not a folder.
            folder = one.page.path.removesuffix("/index.html").rpartition("/")[0].partition("/")[0]
            yield Hit(
                f"no sitemap lists {one.url}",
                path=site.place(one.page.path),
                group=f"page-unlisted:{folder}",
                headline=f"built pages in {folder or 'the top folder'} that no sitemap lists",
                cure="list them, give them noindex, or except them with unlisted under [pages]",
            )


def _dropped_files(site: Site) -> frozenset[str]:
    """The built pages that were published and are not listed any more: `page-dropped` speaks of them."""
    dropped = site.against.dropped.values() if site.against is not None else ()
    return frozenset(located.path for located in dropped if located.state == "html")


def dropped(site: Site) -> Iterator[Hit]:
    """A page that was published should stay listed for as long as it is there.

    Speaks only with `--against`. A page that still is in the build, and that search engines may index, is a warning;
    one that is gone is only told of: its address should answer with a redirect, or with 404 or 410.

    Bad: a draft flag left on, and the page falls out of the sitemap while the old build is still linked
    Good: pages that leave the sitemap leave the build too, or say noindex
    """
    if site.against is None:
        return
    pages = [entry.page for entry in site.entries if entry.page is not None and not entry.page.problem]
    usual = sum(1 for page in pages if page.canonicals) * 2 > len(pages)
    built = {one.page.path: one for one in site.built}
    count = plural(len(site.against.dropped), "page")
    for url, located in site.against.dropped.items():
        if located.state == "html":
            one = built.get(located.path)
            if one is not None and _counts(one, usual, site.now):
                yield Hit(
                    f"{site.against.path} lists {url}, and this build has the page but lists it no more",
                    path=site.place(located.path),
                    group="page-dropped:built",
                    headline=f"{count} of {site.against.path} are not listed any more; these are still built",
                )
        elif located.state == "missing":
            yield Hit(
                f"{site.against.path} lists {url}, and this build has no such page",
                path=site.place(site.sitemaps[0].path) if site.sitemaps else site.shown,
                group="page-dropped:gone",
                headline=f"{count} of {site.against.path} are not listed any more; these are gone from the build",
                cure="let the host redirect their addresses, or answer them with 404 or 410",
                level=Level.INFO,
            )


def _led_to(entry: Entry) -> Iterator[str]:
    """The addresses that an entry stands for: its own, and those that other findings propose instead."""
    yield entry.url
    if entry.answered is not None and entry.answered.location:
        yield entry.answered.location
    if entry.page is not None:
        yield refreshes(entry.page, entry.url)
        if len(entry.page.canonicals) != 1 or entry.page.canonicals[0].href != entry.url:
            yield from addresses(entry.page, entry.url)


def _counts(one: Built, usual: bool, now: int) -> bool:
    """Whether an unlisted page is one that should be listed. `usual`: the site's pages name a canonical address."""
    page, answered = one.page, one.answered
    if page.problem or one.disallowed or _NOT_LISTED.search(page.path):
        return False
    if refreshes(page, one.url) or noindex_of(page, one.headers, now) is not None:
        return False
    if answered is not None and answered.rule is not None and answered.status != 200:
        return False
    found = addresses(page, one.url)
    if not found:
        return not usual
    return len(found) == 1 and _same(next(iter(found)), one.url, page)


def _same(canonical: str, url: str, page: Page) -> bool:
    """Whether a canonical address is the page's own, in whichever of its forms."""
    ours, theirs = urls.parse(url), urls.parse(canonical)
    if ours is None or theirs is None or theirs.origin != ours.origin or theirs.query:
        return False
    return _bare(ours.path) == _bare(theirs.path) and bool(page.path)


def _bare(path: str) -> str:
    return re.sub(r"(?:/index)?(?:\.html?)?/?$", "", path)


def orphan(site: Site) -> Iterator[Hit]:
    """A listed page should be linked from another page of the site.

    Search engines doubt pages that only a sitemap knows. Off by default: it reads every page as a whole.

    Bad: a listed page that no page links to
    Good: a link from a list, a menu or another page
    """
    if site.links is None:
        return
    linked: set[str] = set()
    for _, entry in entries(site, "html"):
        linked |= site.links.get(entry.located.path, frozenset()) - {entry.url}
    for one in site.built:
        linked |= site.links.get(one.page.path, frozenset()) - {one.url}
    bare = {_bare(url) for url in linked}
    home = _bare(site.base_url)
    for index, entry in standing(site):
        if _bare(entry.url) not in bare and _bare(entry.url) != home:
            yield Hit("no page of the site links to this address", index, group="page-orphan")


def directory(site: Site) -> Iterator[Hit]:
    """A page that lists all pages for people should have every listed page.

    Off until `directory` under [pages] of the configuration names the page.

    Bad: a page in sitemap.xml that is missing in the site map for people
    Good: both made from one list
    """
    if not site.directory or site.links is None:
        return
    linked = site.links.get(site.directory)
    if linked is None:
        yield Hit(f"the page {site.directory} that is to list all pages was not built")
        return
    bare = {_bare(url) for url in linked}
    lacking = [
        (index, entry)
        for index, entry in standing(site)
        if entry.located.path != site.directory and _bare(entry.url) not in bare
    ]
    for index, _ in lacking:
        yield Hit(
            f"{site.place(site.directory)} has no link to this page",
            index,
            group="page-directory",
            headline=f"{site.place(site.directory)} lacks {plural(len(lacking), 'listed page')}",
        )
