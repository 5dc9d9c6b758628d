"""What to do about a cause of false dates, for the generator that built the site and the host that builds it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from sitemap_guard.model import Entry

# The first word of a generator's own meta element, in lower case; MkDocs and Sphinx write their versions into it.
KNOWN = (
    "hugo",
    "jekyll",
    "eleventy",
    "mkdocs",
    "sphinx",
    "vitepress",
    "docusaurus",
    "astro",
    "pelican",
    "hexo",
    "next.js",
)
# Which front-matter fields a generator takes for a date of change, without regard to case; others pass unread.
FIELDS = {
    "hugo": ("lastmod", "modified", "date", "publishdate", "pubdate", "published"),
    "jekyll": ("last_modified_at", "date"),
    "docusaurus": ("last_update.date", "last_update", "date"),
    "vitepress": ("lastupdated",),
    "hexo": ("updated", "date"),
    "pelican": ("modified", "date"),
}
# Fields of the day of publication, which are not meant to be dates of change.
PUBLICATION = frozenset({"date", "pubdate", "publishdate", "publishedat", "published", "created", "file name"})
_GIT_DATES = {
    "hugo": "set enableGitInfo = true, and build from a full clone",
    "jekyll": "add jekyll-last-modified-at, or write last_modified_at into the front matter",
    "eleventy": 'set date: "git Last Modified", and build from a full clone',
    "mkdocs": "MkDocs writes the day of the build for every page: override sitemap.xml with the dates of "
    "mkdocs-git-revision-date-localized, or leave lastmod out of it",
    "sphinx": "use sphinx-last-updated-by-git with sitemap_show_lastmod",
    "vitepress": "set lastUpdated: true, and build from a full clone",
    "docusaurus": "set lastmod: 'date' for the sitemap, and build from a full clone",
    "astro": "take lastmod out of the integration's options (it dates every page alike), or set it in serialize()",
    "pelican": "write a modified field into each page, or use filetime-from-git",
    "hexo": "write updated: into the front matter, or set updated_option: 'empty' (the default is the file's time)",
    "next.js": "give lastModified the page's own date instead of new Date(), or leave it out",
}
_ANY_GIT_DATE = "take the date from git or from front matter, or write no lastmod at all"
_FULL_CLONES = {
    ".github/workflows": "actions/checkout: fetch-depth: 0",
    ".gitlab-ci.yml": "GitLab: GIT_DEPTH: 0",
    "vercel.json": "Vercel: VERCEL_DEEP_CLONE=true",
    "netlify.toml": "Netlify: git fetch --unshallow before the build",
}
_ANY_FULL_CLONE = "actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0; Vercel: VERCEL_DEEP_CLONE=true"
_CURES = {
    "local-as-utc": "write the offset of the local time, or convert the time to UTC",
    "publication": "keep a second field for the day of the last change, or let the generator take it from git",
    "template": "if edits of what all pages share count, name the files under [[source]]: also = [...]; "
    "if not, date each page by its own source",
    "merge-left-out": "date each file by `git log -1`, which counts what a merge itself changed",
}
_TEMPLATES = {
    "layouts",
    "_layouts",
    "_includes",
    "templates",
    "_templates",
    "partials",
    "components",
    "theme",
    "themes",
}
_ZONES = {
    "mkdocs": "set the plugin's timezone option to UTC: the override writes +00:00 whatever it is",
    "pelican": "Pelican prints its local time with -00:00: set TIMEZONE = 'UTC', or write modified fields with zones",
}


def is_template(path: str) -> bool:
    """Whether a file is one that many pages share, by the folder it is in."""
    return not _TEMPLATES.isdisjoint(path.lower().split("/")[:-1])


def generator_of(entries: Iterable[Entry]) -> str:
    """The generator that most pages name (or their sources were found by), one of KNOWN; "" for none."""
    counts: Counter[str] = Counter()
    ways = Counter((entry.page.generator if entry.page else "", entry.mapping.by) for entry in entries)
    for (word, by), count in ways.items():
        said = word.lower().replace("eleventy v", "eleventy ")
        found = next((name for name in KNOWN if said.startswith(name)), "")
        if said.startswith("starlight"):
            found = "astro"
        counts[found or (by if by in KNOWN else "")] += count
    counts.pop("", None)
    return counts.most_common(1)[0][0] if counts else ""


def cure(cause: str, generator: str, tracked: Collection[str]) -> str:
    """What to do about a cause ("" when there is nothing more to say than the cause)."""
    if cause in ("build-clock", "checkout", "constant", "frozen"):
        return _GIT_DATES.get(generator, _ANY_GIT_DATE)
    if cause == "head":
        return f"build from a full clone, so that git can tell each file's own date ({full_clone(tracked)})"
    if cause == "local-as-utc":
        return _ZONES.get(generator, _CURES[cause])
    return _CURES.get(cause, "")


def full_clone(tracked: Collection[str]) -> str:
    """How to get a full clone, on the hosts whose files the repository has."""
    found = [
        how for mark, how in _FULL_CLONES.items() if mark in tracked or any(p.startswith(f"{mark}/") for p in tracked)
    ]
    return "; ".join(found) or _ANY_FULL_CLONE
