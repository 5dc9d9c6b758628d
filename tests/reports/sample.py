"""One rich result, made of model values, that tests of reports (and others) can share.

A site of 37 dated URLs: a build clock in 25 of them, one page that was edited after its date, a staged page, a
stale field, a missing page, an alternate without return, and what could not be told or checked.
"""

from __future__ import annotations

from msgspec.structs import replace

from sitemap_guard.model import (
    Answer,
    Change,
    Claim,
    Commit,
    Entry,
    Field,
    Finding,
    Instant,
    Level,
    Located,
    Mapping,
    Moment,
    Repository,
    Result,
    Site,
    Sitemap,
    Skipped,
    Stale,
    Summary,
    Verdict,
    Witness,
)

BASE = "https://docs.example.org/"
SITEMAP = "sitemap.xml"
NOW = 1796019164  # 2026-11-30T06:12:44Z
BUILT = "2026-11-30T06:12:44Z"
DAY = 86400


def commit(index: int, subject: str) -> Commit:
    """A commit of the sample, a day older for each index."""
    authored = Instant(1792067116 - index * DAY, 120)
    return Commit(
        f"{0x3F2A91C0 + index:08x}" * 5, authored, Instant(authored.seconds + 60, 120), Instant(NOW - DAY), subject
    )


def witness(index: int, path: str, subject: str = "Explain the cache") -> Witness:
    """The last change of a path."""
    return Witness("change", path, Change(path, commit(index, subject)))


def entry(index: int, name: str, verdict: Verdict, lastmod: str | None) -> Entry:
    """An entry of the sample with its page and source."""
    loc = f"{BASE}{name}"
    known = verdict.reason != "no-source"
    return Entry(
        Claim(loc, lastmod, SITEMAP, 4 + 4 * index, 5, 5 + 4 * index if lastmod else 0),
        loc,
        Located("html", f"{name}index.html"),
        mapping=Mapping(f"content/{name.strip('/') or 'index'}.md", (), "edit-link") if known else Mapping(),
        verdict=verdict,
    )


def build_clock(index: int) -> tuple[Entry, Finding]:
    """An entry that says when the site was built, and the finding about it."""
    name, path = f"guide/chapter-{index + 1}/", f"content/guide/chapter-{index + 1}.md"
    seen = witness(index, path)
    assert seen.change is not None
    expected = seen.change.commit.authored.iso()
    text = (
        f"{path} last changed {seen.change.commit.authored.human()}"
        f' ({seen.change.commit.id[:7]} "Explain the cache"); the sitemap says the moment of the build'
    )
    judged = Verdict(Answer.FALSE, "lastmod-too-new", seen, "", text, expected, "build-clock")
    made = entry(index, name, judged, BUILT)
    return made, Finding(
        rule="lastmod-too-new",
        level=Level.ERROR,
        message=text,
        loc=made.claim.loc,
        path=f"public/{SITEMAP}",
        line=made.claim.lastmod_line,
        column=5,
        element="lastmod",
        claimed=BUILT,
        expected=expected,
        group="build-clock",
        headline="25 of 37 dates are the moment of the build: the generator writes the clock, not the last change",
        cure="take the date from git: in `hugo.toml` set `enableGitInfo = true` and "
        '`frontmatter.lastmod = [":git", "lastmod"]`, and check out with `fetch-depth: 0`',
    )


def apart() -> Result:
    """The sample, where two claims are true by something else than the last change: a merge and a stale field.

    The merge of entry 0 came 75 days after the last change, the field of entry 1 was set 80 days before it.
    """
    result = rich_result()
    last, name = commit(0, "Explain the cache"), "content/guide/chapter-1.md"
    landed = Commit("9" * 40, *(3 * (Instant(last.authored.seconds + 75 * DAY, 0),)), "Merge branch 'main' into cache")
    merge = Verdict(
        Answer.TRUE, "lastmod-overstated", Witness("merge", name, Change(name, landed)), expected=last.authored.iso()
    )
    day = last.authored.seconds // DAY * DAY - 80 * DAY
    field = Field("lastmod", Instant(day).iso()[:10], 3, Moment(day, day + DAY - 1, None, "day"))
    stale = Stale(None, 2, 1, Change(name, last))
    old = Verdict(
        Answer.TRUE,
        "lastmod-field-stale",
        Witness("field", name, stale.newest, field, stale),
        expected=last.authored.iso()[:10],
    )
    told = ((landed.authored.iso(), merge), (field.value, old))
    changed = [
        replace(entry, claim=replace(entry.claim, lastmod=lastmod), verdict=verdict)
        for entry, (lastmod, verdict) in zip(result.site.entries, told, strict=False)
    ]
    return replace(result, site=replace(result.site, entries=(*changed, *result.site.entries[2:])))


def singles() -> tuple[Finding, ...]:
    """Findings of their own, most severe first."""
    place = f"public/{SITEMAP}"
    return (
        Finding(
            "lastmod-too-new",
            Level.ERROR,
            'content/guide.md last changed 2026-10-15 14:25 +02:00 (3f2a91c "Explain the cache"); '
            "the sitemap says 45 days later",
            f"{BASE}guide/",
            place,
            105,
            5,
            "lastmod",
            BUILT,
            "2026-10-15T14:25:16+02:00",
        ),
        Finding(
            "lastmod-unmatched",
            Level.ERROR,
            "content/drafts/new.md is staged but nothing dates it yet: no change, no field lastmod, no page that it lists",
            f"{BASE}drafts/new/",
            place,
            109,
            5,
            "lastmod",
            "2026-01-01",
            None,
        ),
        Finding(
            "page-missing",
            Level.ERROR,
            "no file of the built site is served here: tried old/index.html, old.html",
            f"{BASE}old/?a=1&b=2",
            place,
            116,
            5,
        ),
        Finding(
            "hreflang-return",
            Level.WARNING,
            "the German page does not name this page as its alternate",
            f"{BASE}guide/",
            "content/guide.de.md",
            cure="translate the page's alternates from one list, so that each language names all",
        ),
        Finding(
            "lastmod-field-stale",
            Level.WARNING,
            'content/faq.md changed 2026-10-14 14:25 +02:00 (3f2a91d "Answer two questions") after its field '
            "lastmod was last set",
            f"{BASE}faq/",
            "content/faq.md",
            4,
            1,
        ),
        Finding("sitemap-robots", Level.WARNING, "robots.txt does not announce the sitemap", path=place),
        Finding(
            "lastmod-unverified",
            Level.INFO,
            "2 dates cannot be told: no source is known for their pages",
            path=place,
        ),
    )


def rich_result() -> Result:
    """A result with something of everything."""
    clock = [build_clock(index) for index in range(25)]
    field = Field("lastmod", "2026-09-01", 4, Moment(1788220800, 1788307199, "day", None))
    seen = witness(1, "content/faq.md", "Answer two questions")
    others = [
        entry(25, "guide/", Verdict(Answer.FALSE, "lastmod-too-new", witness(0, "content/guide.md")), BUILT),
        entry(26, "drafts/new/", Verdict(Answer.FALSE, "lastmod-unmatched"), "2026-01-01"),
        entry(27, "faq/", Verdict(Answer.TRUE, "", Witness("field", "content/faq.md", None, field)), "2026-09-01"),
        *(
            entry(28 + index, f"news/{index}/", Verdict(Answer.TRUE, "", seen), "2026-10-14T14:25:16+02:00")
            for index in range(7)
        ),
        entry(35, "old/", Verdict(Answer.CANNOT_TELL, "", None, "no-source"), "2025-03-01"),
        entry(36, "tags/", Verdict(Answer.CANNOT_TELL, "", None, "shallow-edge"), "2025-03-01"),
        *(entry(37 + index, f"about/{index}/", Verdict(Answer.ABSENT), None) for index in range(3)),
    ]
    entries = (*(made for made, _ in clock), *others)
    site = Site(
        folder="/srv/docs/public",
        shown="public",
        base_url=BASE,
        base_by="CNAME",
        sitemaps=(Sitemap(SITEMAP, "urlset", "name", claims=tuple(made.claim for made in entries)),),
        entries=entries,
        repository=Repository(root="/srv/docs", prefix="public", head=commit(0, "Explain the cache")),
        now=NOW,
        fit="the author date of the last change (7 of the 8 dates that are true)",
    )
    first, *rest = singles()
    findings = (first, *(finding for _, finding in clock), *rest)
    return Result(
        version="0.1.0",
        site=site,
        findings=findings,
        skipped=(Skipped("redirects by the host", "no _redirects, netlify.toml or vercel.json was found in public"),),
        summary=summary(site, findings),
        notes=("fetched the missing history from origin (complete): 1 -> 60 commits",),
    )


def summary(site: Site, findings: tuple[Finding, ...]) -> Summary:
    """The counts of a site and its findings."""
    answers = [entry.verdict.answer for entry in site.entries]
    levels = [finding.level for finding in findings]
    return Summary(
        len(answers),
        len(site.sitemaps),
        answers.count(Answer.TRUE),
        answers.count(Answer.FALSE),
        answers.count(Answer.CANNOT_TELL),
        answers.count(Answer.ABSENT),
        site.fit,
        levels.count(Level.ERROR),
        levels.count(Level.WARNING),
        levels.count(Level.INFO),
    )
