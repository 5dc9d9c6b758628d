"""Built pages: does the address answer with a page that search engines may list?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.model import Answered, Entry, Hit, Level, Site
from sitemap_guard.rules.base import OnPage, entries, noindex_of, on_page, plural, refreshes
from sitemap_guard.rules.canonical import in_head


def missing(site: Site) -> Iterator[Hit]:
    """A listed address must have a built page behind it.

    Otherwise crawlers get a 404. Drafts and future posts that a template lists all the same, and a doubled or
    missing base path, are the usual causes. Hosts differ: `/about` finds `about.html` on GitHub Pages, and nothing on
    nginx (see [hosting] in docs/configuration.md).

    Bad: `<loc>https://example.org/draft/</loc>` with no `draft/index.html` in the build
    Good: only what was built is listed
    """
    absent = [(index, entry) for index, entry in entries(site, "missing") if _unanswered(entry)]
    whole = len(absent) == len(site.entries) and len(absent) > 1
    guess = site.misplaced
    headline, cure = "", ""
    if whole or guess:
        headline = f"{'none' if whole else f'{len(absent):,}'} of {len(site.entries):,} locs "
        headline += f"{'leads' if whole else 'lead not'} to a built file under {site.base_url}"
        headline += f"; nearly all would {guess}" if guess else ""
        cure = "check the base path in the generator, or give the site's address with --base-url"
    for index, entry in absent:
        answered = entry.answered
        rule = answered.rule if answered is not None else None
        if rule is not None and answered is not None:
            text = f"{rule.path}:{rule.line} answers {answered.status} for this address"
            yield Hit(text, index, path=rule.path, line=rule.line, group="page-missing:rule")
            continue
        text = f"no built file for this address (tried {', '.join(entry.located.tried[:3]) or 'none'})"
        held = entry.mapping.held
        if held is not None:
            place = f"{held.path}:{held.line}" if held.line else held.path
            yield Hit(
                f"{text}; {place} would be its source: {held.why}",
                index,
                path=held.path,
                line=held.line,
                group="page-missing:held",
                headline="listed pages were not built, since their sources are held back",
                cure="leave them out of the sitemap, or publish them",
            )
            continue
        yield Hit(text, index, group="page-missing", headline=headline, cure=cure)
    for index, _ in entries(site, "outside"):
        yield Hit("the address leads out of the site's folder; nothing there is read", index, group="page-outside")
    for index, entry in entries(site, "html", "file"):
        answered = entry.answered
        if answered is not None and answered.status >= 400:
            by = f" ({answered.rule.path}:{answered.rule.line})" if answered.rule else ""
            yield Hit(
                f"{answered.host} answers {answered.status} for this address{by}: the file is {entry.located.path}",
                index,
                group=f"page-missing:{answered.host}",
                headline=f"{answered.host} serves the files behind these locs only under other addresses",
                cure="list the addresses that the host serves, or name the right host with profile under [hosting]",
                level=None if answered.sure else Level.WARNING,
            )


def _unanswered(entry: Entry) -> bool:
    """Whether nothing is known to answer: neither a file of that name in another case, nor a rule of the host."""
    answered = entry.answered
    if answered is not None and (answered.redirects or answered.status == 200 or answered.undecided is not None):
        return False
    return not entry.located.near


def redirect(site: Site) -> Iterator[Hit]:
    """A listed address must not redirect: list its target.

    Search engines index the target of a redirect, never the redirecting address. Redirect pages use a script
    or a meta refresh; a refresh after more than 5 seconds does not count, since it is a temporary redirect to search
    engines (status boards, slide shows). Hosts redirect by the rules in `_redirects`, `vercel.json` and the like, and
    by their own way with slashes: `/about` leads to `/about/` where the file is `about/index.html`. That the canonical
    tag names the same address does not help: it then points to a redirect as well.

    Bad: `<loc>https://example.org/old/</loc>`, whose page is `<meta http-equiv=refresh content="0; url=/new/">`
    Good: `<loc>https://example.org/new/</loc>`

    Keep redirect pages out of the sitemap (`sitemap: false`, `exclude` …); set the slash in the generator
    (`trailingSlash`, `uglyURLs`, `permalink` …). Name the host with `profile` under [hosting] where it is not found.
    """
    listed = {entry.url for entry in site.entries}
    for index, entry in entries(site):
        target = refreshes(entry.page, entry.url)
        if target:
            place = on_page(site, entry, entry.page.refresh_at if entry.page else None)
            yield Hit(
                f"{place.words} redirects to {target}; list that address instead",
                index,
                group="page-redirect",
                headline="listed pages redirect",
                cure="leave redirect pages out of the sitemap",
            )
        elif entry.answered is not None and entry.answered.redirects:
            yield _by_host(site, index, entry, entry.answered, listed)
        elif not site.hosting.profiles and _slashless(entry) and in_head(entry) <= {entry.url}:
            yield Hit(
                f"most hosts redirect this address to {entry.url}/, since the file is {entry.located.path}",
                index,
                group="page-redirect:unknown-host",
                headline="locs without a final slash lead to index.html of a folder: many hosts redirect them",
                cure="name the host with profile under [hosting], to have this checked",
                level=Level.INFO,
            )


def _slashless(entry: Entry) -> bool:
    located = entry.located
    return located.state == "html" and not located.as_written and located.path.endswith("/index.html") and bool(
        entry.url
    ) and not entry.url.partition("?")[0].endswith("/")  # fmt: skip


def _by_host(site: Site, index: int, entry: Entry, answered: Answered, listed: set[str]) -> Hit:
    rule = answered.rule
    also = answered.location in listed
    canonical = in_head(entry)
    agrees = canonical == {entry.url}
    end = "; that address is listed already" if also else ""
    if canonical == {answered.location}:
        end += "; the page names it as canonical, too"
    level = None if answered.sure else Level.WARNING
    if rule is not None:
        return Hit(
            f"{rule.path}:{rule.line} redirects this address to {answered.location}{end}",
            index,
            path=rule.path,
            line=rule.line,
            group=f"page-redirect:{rule.path}:{agrees}",
            headline=f"{rule.path} redirects listed addresses" + (", which their pages name as canonical" * agrees),
            cure="list the targets, or take the rules out",
            level=level,
        )
    headline = f"{answered.host} redirects listed addresses to another form"
    if agrees:
        headline = f"sitemap and canonical tags agree on addresses that {answered.host} redirects"
    return Hit(
        f"{answered.host} redirects this address to {answered.location}, since the file is {entry.located.path}{end}",
        index,
        element="loc",
        claimed=entry.claim.loc,
        expected=None if also else answered.location,
        group=f"page-redirect:{answered.host}:{agrees}",
        headline=headline,
        cure="list the form that is served, and name it in the canonical tags"
        + (f" (found by {site.hosting.by}; another host: profile under [hosting])" if site.hosting.by else ""),
        level=level,
    )


def shadowed(site: Site) -> Iterator[Hit]:
    """A redirect for a listed address never takes effect, because a page was built there.

    Netlify and GitLab Pages serve the file and leave the rule alone; Cloudflare Pages follows the rule and never
    shows the page. One of the two is left over.

    Bad: `/old /new 301` in `_redirects`, and `old/index.html` in the build
    Good: one of them, or `301!` (Netlify) if the rule is to win
    """
    for index, entry in entries(site):
        rule = entry.answered.shadowed if entry.answered is not None else None
        if rule is not None:
            yield Hit(
                f"{rule.path}:{rule.line} redirects this address, but the built page {entry.located.path} goes first",
                index,
                path=rule.path,
                line=rule.line,
                group="page-shadowed",
            )


def noindex(site: Site) -> Iterator[Hit]:
    """A listed page must not say noindex.

    The sitemap asks search engines to list it, the page asks them not to. `none` means noindex too; the tag counts
    in the head and in the body, for `robots` and for `googlebot`; so does the header `X-Robots-Tag` that `_headers`
    and the like set. `unavailable_after` with a time that has passed asks the same.

    Bad: `<meta name="robots" content="noindex, follow">` on a listed page
    Good: leave the page out of the sitemap, or take the tag off

    Source: Google, "Robots meta tag".
    """
    found = [
        (index, entry, asked)
        for index, entry in entries(site, "html", "file")
        if (entry.headers or (entry.page is not None and entry.page.robots))
        and (asked := noindex_of(entry.page, entry.headers, site.now)) is not None
        and not refreshes(entry.page, entry.url)
        and not (entry.answered is not None and entry.answered.redirects and entry.answered.sure)
    ]
    whole = len(found) == len(site.entries) and len(found) > 1
    headline = "listed pages ask not to be indexed"
    if whole:
        headline = f"all {len(found):,} listed pages ask not to be indexed: is this a preview build (--env preview)?"
    for index, entry, asked in found:
        place = on_page(site, entry, entry.page.robots_at if entry.page else None)
        if asked.rule is not None:
            place = OnPage(f"{asked.rule.path}:{asked.rule.line}", asked.rule.path, asked.rule.line)
        yield Hit(
            f"{place.words} {'sets' if asked.rule else 'says'} {asked.words}",
            index,
            path=place.path,
            line=place.line,
            column=place.column,
            group=f"page-noindex:{asked.rule.path}" if asked.rule else "page-noindex",
            headline=headline,
            cure="leave them out of the sitemap, or take noindex off",
        )


def disallowed(site: Site) -> Iterator[Hit]:
    """A listed page must not be disallowed by robots.txt.

    Crawlers that may not fetch it cannot list it. The longest matching rule wins, and Allow wins a tie (RFC 9309).
    Only the robots.txt at the host's root counts: that of a project page has no effect.

    Bad: `Disallow: /plans/` and `<loc>https://example.org/plans/a/</loc>`
    Good: take one of them away
    """
    barred = [(index, entry) for index, entry in entries(site) if entry.disallowed is not None]
    path = site.place(site.robots_path or "robots.txt")
    if len(barred) == len(site.entries) and (len(barred) > 1 or site.barred is not None):
        # A build for previews may leave its sitemap empty as well.
        rule = site.barred or barred[0][1].disallowed
        if rule is not None:
            what = f"all {plural(len(barred), 'listed page')}" if len(barred) > 1 else "the whole site"
            yield Hit(f"{rule.rule} bars {what}: is this a preview build (--env preview)?", path=path, line=rule.line)
        return
    for index, entry in barred:
        rule = entry.disallowed
        if rule is None:
            continue
        yield Hit(
            f"{path}:{rule.line} says {rule.rule}",
            index,
            path=path,
            line=rule.line,
            group=f"page-disallowed:{rule.line}",
            headline=f"{path}:{rule.line} ({rule.rule}) bars listed pages",
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
