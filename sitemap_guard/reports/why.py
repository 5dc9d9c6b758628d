"""Everything that is known about one address, on one screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.model import Answer, Change, Claim, Entry, Finding, Result, Site, Witness
from sitemap_guard.pages import stated
from sitemap_guard.reports.safe import neutralise, visible
from sitemap_guard.rules.base import noindex_of, refreshes

_WAYS = {
    "rule": "a [[source]] rule", "edit-link": "the page's edit link", "identity": "it is its own source",
    "manifest": "the generator's manifest", "": "not found",
}  # fmt: skip
_MOST = 6


class Known(Struct, frozen=True):
    """What the command looked up for one address: its source's changes, newest first, and the findings on it."""

    entry: Entry
    changes: tuple[Change, ...] = ()
    subjects: dict[str, str] = {}
    findings: tuple[Finding, ...] = ()


def text(result: Result, known: Known) -> str:
    """The screen: a line for each thing that is known."""
    site, entry = result.site, known.entry
    lines = [entry.claim.loc or "(no address)"]
    for name, parts in (
        ("claim", _claim(site, entry.claim)),
        ("sitemap", _sitemap(site, entry.claim)),
        ("file", _file(site, entry)),
        ("host", _host(site, entry)),
        ("canonical", _canonical(entry)),
        ("robots", _robots(site, entry)),
        ("alternates", _alternates(entry)),
        ("source", _source(entry)),
        ("changes", _changes(known)),
        ("links", _links(site, entry)),
        ("verdict", _verdict(entry)),
        ("findings", _findings(known)),
    ):
        for number, part in enumerate(parts):
            lines.append(f"  {name if number == 0 else '':<12}{part}")
    return "".join(f"{neutralise(visible(line))}\n" for line in lines)


def _claim(site: Site, claim: Claim) -> Iterator[str]:
    date = "no lastmod" if claim.lastmod is None else f"lastmod {claim.lastmod or '(empty)'}"
    fields = (("changefreq", claim.changefreq), ("priority", claim.priority))
    more = "".join(f", {name} {value}" for name, value in fields if value is not None)
    yield f"{site.place(claim.sitemap)}:{claim.line}: {date}{more}"


def _sitemap(site: Site, claim: Claim) -> Iterator[str]:
    for sitemap in site.sitemaps:
        if sitemap.path == claim.sitemap:
            named = "robots.txt announces it" if sitemap.announced else "robots.txt does not announce it"
            yield f"{sitemap.kind}, found by {sitemap.found_by}; {named}"
        elif any(child.path == claim.sitemap for child in sitemap.children):
            yield f"in the index {site.place(sitemap.path)}"


def _file(site: Site, entry: Entry) -> Iterator[str]:
    located = entry.located
    if located.path:
        yield f"{site.place(located.path)}" + (
            "" if located.as_written else " (served under another form of the address)"
        )
    elif located.near and located.state == "missing":
        yield f"none; {site.place(located.near)} differs by letter case"
    else:
        tried = f" (tried {', '.join(located.tried)})" if located.tried else ""
        yield {"missing": "no such file was built", "elsewhere": "not on this site"}.get(
            located.state, located.state
        ) + tried


def _host(site: Site, entry: Entry) -> Iterator[str]:
    answered = entry.answered
    if not site.hosting.profiles:
        yield "not known; name it with profile under [hosting]"
    elif answered is None:
        yield f"{' or '.join(site.hosting.profiles)} (by {site.hosting.by})"
    else:
        status = str(answered.status) if answered.status else "the hosts differ"
        if answered.undecided is not None:
            status = f"not known, {answered.undecided.path}:{answered.undecided.line} depends on more than the address"
        target = f" to {answered.location}" if answered.location else ""
        rule = f", by {answered.rule.path}:{answered.rule.line}" if answered.rule else ""
        doubt = "" if answered.sure or answered.undecided else " (not sure: a setting may change it)"
        name = answered.host or " or ".join(site.hosting.profiles)
        yield f"{name} (by {site.hosting.by}): {status}{target}{rule}{doubt}"
        if answered.shadowed:
            yield f"{answered.shadowed.path}:{answered.shadowed.line} would redirect, but the file goes first"
    for header in entry.headers:
        yield f"{header.rule.path}:{header.rule.line} sets {header.name}: {header.value}"
    moved = refreshes(entry.page, entry.url)
    if moved:
        yield f"the page redirects to {moved}"


def _canonical(entry: Entry) -> Iterator[str]:
    if entry.page is None:
        yield "not known: the page was not read"
        return
    by_header = stated.header_canonicals(entry.headers, entry.url)
    found = [f"{address} ({header.rule.path})" for address, header in by_header.items()]
    for link in entry.page.canonicals:
        address = urls.parse(link.href, stated.base_of(entry.page, entry.url))
        named = "itself" if address is not None and address.href == entry.url else link.href or "(empty)"
        found.append(named + ("" if link.in_head else " (outside the head: ignored)"))
    yield ", ".join(found) or "none"


def _robots(site: Site, entry: Entry) -> Iterator[str]:
    asked = noindex_of(entry.page, entry.headers, site.now)
    rule = entry.disallowed
    index = f"{asked.words}" if asked else "may be indexed"
    yield index + (f"; {site.place(site.robots_path)}:{rule.line} bars it ({rule.rule})" if rule else "")


def _alternates(entry: Entry) -> Iterator[str]:
    for where, alternates in (
        ("sitemap", entry.claim.alternates),
        ("head", entry.page.alternates if entry.page is not None else ()),
        ("header", stated.header_alternates(entry.headers)),
    ):
        if alternates:
            shown = ", ".join(f"{one.hreflang} {one.href}" for one in alternates[:_MOST])
            yield f"{where}: {shown}{' …' if len(alternates) > _MOST else ''}"


def _source(entry: Entry) -> Iterator[str]:
    mapping = entry.mapping
    if mapping.content:
        yield f"{mapping.content} (found by {_WAYS.get(mapping.how, mapping.how)})"
        for path in mapping.also[:_MOST]:
            yield f"also {path}"
        if mapping.tried:
            yield f"but {mapping.tried}"
    else:
        yield f"none; {mapping.tried or mapping.reason or 'nothing was tried'}"


def _changes(known: Known) -> Iterator[str]:
    for change in known.changes[:_MOST]:
        commit = change.commit
        subject = known.subjects.get(commit.id, "") or commit.subject
        times = f"authored {commit.authored.human()}"
        if commit.committed.seconds != commit.authored.seconds:
            times += f", committed {commit.committed.human()}"
        if commit.landed.seconds not in (commit.authored.seconds, commit.committed.seconds):
            times += f", landed {commit.landed.human()}"
        notes = [note for note in ("" if change.kind == "change" else change.kind, change.why) if note]
        notes += ["on the edge of a shallow clone"] if change.edge else []
        named = f'{commit.id[:7]} "{subject}"' if subject else commit.id[:7]
        yield f"{named}: {times}" + (f" [{', '.join(notes)}]" if notes else "")


def _links(site: Site, entry: Entry) -> Iterator[str]:
    if site.links is None or not entry.url:
        return
    forms = {entry.url, entry.url.rstrip("/"), f"{entry.url}/", f"{entry.url.rstrip('/')}/index.html"}
    pages = sorted(path for path, there in site.links.items() if path != entry.located.path and there & forms)
    if not pages:
        yield "no page of the site links here"
    else:
        many = f"{len(pages):,} pages link" if len(pages) > 1 else "1 page links"
        yield f"{many} here: {', '.join(pages[:_MOST])}{' …' if len(pages) > _MOST else ''}"


def _verdict(entry: Entry) -> Iterator[str]:
    verdict = entry.verdict
    word = {
        Answer.TRUE: "the date is true",
        Answer.FALSE: "the date is false",
        Answer.CANNOT_TELL: "the date cannot be judged",
        Answer.ABSENT: "there is no date to judge",
    }[verdict.answer]
    told = [verdict.text] if verdict.text else []
    if verdict.witness is not None and (not told or verdict.answer is Answer.TRUE):
        told.insert(0, _of(verdict.witness))
    stale = verdict.witness if verdict.rule == "lastmod-field-stale" else None
    if stale is not None:
        word += " by the author's word"
    yield ": ".join([word, *([", ".join(told)] if told else [])])
    better = verdict.expected if verdict.expected != entry.claim.lastmod else None
    if stale is not None:
        since = f": the source changed in substance since, in {stale.change.commit.id[:7]}" if stale.change else ""
        yield f"the field has gone stale{since}" + (f"; proposed: {better}" if better else "")
    elif better is not None:
        yield f"{'proposed' if verdict.answer is Answer.TRUE else 'it would be true as'} {better}"


def _of(witness: Witness) -> str:
    if witness.field is not None:
        return f"{witness.path}:{witness.field.line} says {witness.field.name} {witness.field.value}"
    if witness.change is not None and witness.change.edge:
        return f"{witness.path} changed in {witness.change.commit.id[:7]}, the edge of this shallow clone, or before"
    if witness.change is not None:
        return f"{witness.path} changed in {witness.change.commit.id[:7]}"
    return f"{witness.path} ({witness.kind})"


def _findings(known: Known) -> Sequence[str]:
    return [f"{one.level.word} {one.rule}: {one.message}" for one in known.findings] or ["none"]
