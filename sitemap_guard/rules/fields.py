"""Date fields in the sources: gone stale, unreadable, or never read."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.judgement import cures
from sitemap_guard.model import Hit, Site
from sitemap_guard.rules.base import count_dated, plural


def stale(site: Site) -> Iterator[Hit]:
    """A date field should move when its page changes.

    The sitemap's date stands on the author's word in the source, but after the commit that last changed that word,
    the source changed in substance. There is no tolerance in days: what counts is which commit came first. A day of
    publication (`date`) that is passed on as lastmod goes stale in the same way.

    Bad: `lastmod: 2024-01-10`, set three commits before the page was rewritten
    Good: the field set anew with the rewrite, or dates taken from git

    Pages that carry a date on purpose (a translation, that of its original) can be excepted by `[[policy]]` with
    `field = "authoritative"`.
    """
    dated = count_dated(site)
    found = [(i, entry) for i, entry in enumerate(site.entries) if entry.verdict.rule == "lastmod-field-stale"]
    published = sum(1 for _, entry in found if entry.verdict.cause == "publication")
    for index, entry in found:
        witness = entry.verdict.witness
        if witness is None or witness.field is None or witness.stale is None or witness.change is None:
            continue
        field, since, newest = witness.field, witness.stale, witness.change.commit
        publication = entry.verdict.cause == "publication"
        count = published if publication else len(found) - published
        ago = plural(since.since, "commit")
        ago = f"was set {ago} ago" if since.set_by else f"was set more than {ago} ago"
        yield Hit(
            f"{field.name}: {field.value} {ago}, {plural(since.changes, 'change')} since; "
            f"the last {newest.authored.human()} ({newest.id[:7]})",
            index,
            path=witness.path,
            line=field.line,
            group="lastmod:publication" if publication else "lastmod-field-stale",
            headline=_headline(count, plural(dated, "date"), publication=publication),
            cure=cures.cure("publication", "", ())
            if publication
            else 'set the field when the page changes, or take dates from git; [[policy]] with field = "authoritative" '
            "excepts pages that are dated so on purpose",
        )


def _headline(count: int, dates: str, *, publication: bool) -> str:
    if publication and count == 1:
        return f"1 of {dates} is the day of publication: the page changed later"
    if publication:
        return f"{count:,} of {dates} are days of publication: the pages changed later"
    return f"{count:,} of {dates} {'stands' if count == 1 else 'stand'} on a field that is older than the page"


def unreadable(site: Site) -> Iterator[Hit]:
    """A date field must hold a date.

    A generator that cannot read it falls silently back to zero, to another field, or to the time of the build.

    Bad: `lastmod: 2024-13-45`, `lastmod: soon`
    Good: `lastmod: 2024-12-31`
    """
    for bad in site.bad_fields:
        yield Hit(
            f"{bad.name}: {bad.value[:80]} is no date; write YYYY-MM-DD, or a time with its zone",
            path=bad.path,
            line=bad.line,
            group="lastmod-field-unreadable",
        )


def unread(site: Site) -> Iterator[Hit]:
    """A date field must have a name that the generator reads.

    Names are literal: Hugo reads `lastmod` and what `[frontmatter] lastmod` lists, Jekyll `last_modified_at`. A field
    of another name is passed over without a word, and the page is dated by something else. Told once for each name.

    Bad: `last_modified_at: 2024-05-01` in a Hugo site
    Good: `lastmod: 2024-05-01`, or `lastmod = ["last_modified_at", ":default"]` under [frontmatter] in hugo.toml

    Source: Hugo, "Configure front matter".
    """
    for field in site.unread:
        carry = f"{plural(field.count, 'source carries', 'sources carry')} a date in {field.name!r}"
        if field.why == "list":
            told = f"{carry}, which {field.detail} does not name: it is never read"
        else:
            told = f"{carry}, but the sitemap's dates do not follow it, and are false"
        yield Hit(told, path=field.path, line=field.line, group=f"lastmod-field-unread:{field.name}")
