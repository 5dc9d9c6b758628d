"""Built pages: does the address answer with a page that search engines may list?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.model import Hit, Site
from sitemap_guard.rules.base import entries, is_noindex


def missing(site: Site) -> Iterator[Hit]:
    """A listed address must have a built page behind it.

    Otherwise crawlers get a 404. Drafts and future posts that a template lists all the same, and a doubled or
    missing base path, are the usual causes.

    Bad: `<loc>https://example.org/draft/</loc>` with no `draft/index.html` in the build
    Good: only what was built is listed
    """
    missing_all = sum(1 for _ in entries(site, "missing"))
    whole = missing_all == len(site.entries) and missing_all > 1
    for index, entry in entries(site, "missing"):
        yield Hit(
            f"no built file for this address (tried {', '.join(entry.located.tried[:3]) or 'none'})",
            index,
            group="page-missing",
            headline=f"none of {missing_all:,} locs leads to a built file under {site.base_url}" if whole else "",
            cure="check the base path in the generator, or give the site's address with --base-url" if whole else "",
        )
    for index, _ in entries(site, "outside"):
        yield Hit("the address leads out of the site's folder; nothing there is read", index, group="page-outside")


def redirect(site: Site) -> Iterator[Hit]:
    """A listed address must not redirect: list its target.

    Search engines index the target of a redirect, never the redirecting address. Redirect pages use an immediate
    meta refresh or a script.

    Bad: `<loc>https://example.org/old/</loc>`, whose page is `<meta http-equiv=refresh content="0; url=/new/">`
    Good: `<loc>https://example.org/new/</loc>`

    Keep redirect pages out of the sitemap (`sitemap: false`, `exclude` …).
    """
    for index, entry in entries(site, "html"):
        if entry.page is not None and entry.page.refresh:
            yield Hit(
                f"{site.place(entry.page.path)} redirects to {entry.page.refresh}; list that address instead",
                index,
                group="page-redirect",
                headline="listed pages redirect",
                cure="leave redirect pages out of the sitemap",
            )


def noindex(site: Site) -> Iterator[Hit]:
    """A listed page must not say noindex.

    The sitemap asks search engines to list it, the page asks them not to. `none` means noindex too; the tag counts
    in the head and in the body, for `robots` and for `googlebot`.

    Bad: `<meta name="robots" content="noindex, follow">` on a listed page
    Good: leave the page out of the sitemap, or take the tag off

    Source: Google, "Robots meta tag".
    """
    for index, entry in entries(site, "html"):
        if entry.page is not None and not entry.page.refresh and is_noindex(entry):
            words = "noindex" if "noindex" in entry.page.robots else "none"
            yield Hit(
                f"{site.place(entry.page.path)} says {words}; leave it out of the sitemap, or take that off",
                index,
                group="page-noindex",
                headline="listed pages ask not to be indexed",
                cure="leave them out of the sitemap, or take noindex off",
            )


def disallowed(site: Site) -> Iterator[Hit]:
    """A listed page must not be disallowed by robots.txt.

    Crawlers that may not fetch it cannot list it. The longest matching rule wins, and Allow wins a tie (RFC 9309).
    Only the robots.txt at the host's root counts.

    Bad: `Disallow: /plans/` and `<loc>https://example.org/plans/a/</loc>`
    Good: take one of them away
    """
    barred = [(index, entry) for index, entry in entries(site) if entry.disallowed is not None]
    everything = len(barred) == len(site.entries) and len(barred) > 1
    for index, entry in barred:
        rule = entry.disallowed
        if rule is None:
            continue
        yield Hit(
            f"{site.robots_path or 'robots.txt'}:{rule.line} says {rule.rule}",
            index,
            group=f"page-disallowed:{rule.line}",
            headline="robots.txt disallows every listed page: is this a preview build?"
            if everything
            else f"robots.txt line {rule.line} ({rule.rule}) bars listed pages",
            cure="take the rule out of robots.txt, or the pages out of the sitemap",
        )


def not_html(site: Site) -> Iterator[Hit]:
    """A listed address leads to a file that is no HTML page.

    Documents and images may be listed; scripts, data files and feeds are seldom meant to be. Their canonical and
    robots tags cannot be checked.
    """
    for index, entry in entries(site, "file"):
        yield Hit(f"{site.place(entry.located.path)} is no HTML page", index, group="page-not-html")


def unreadable(site: Site) -> Iterator[Hit]:
    """A built page could not be read, so nothing about it was checked.

    Bad: a page without read permission, or one of 20 MB
    Good: pages that the check may read
    """
    for index, entry in entries(site, "html"):
        if entry.page is not None and entry.page.problem:
            yield Hit(f"{site.place(entry.page.path)} could not be read: {entry.page.problem}", index)
