"""The values that flow through the program. This room imports nothing of ours.

Readers (sitemaps, pages, sources, history) make these values, `judge` and the rules judge them, reports print them.
All of them are frozen, and hold no cycles: of those that come by the hundred thousand the garbage collector is told so
(`gc=False`), which spares a tenth of the check's time. Times are whole seconds since 1970-01-01T00:00:00Z; offsets are
minutes east of UTC; lines and columns count from 1, and 0 means "not known". Paths use forward slashes.
"""

from sitemap_guard.model.base import Instant, Level, Moment, SettingError, UserError
from sitemap_guard.model.claims import Alternate, Child, Claim, Problem, Sitemap, SitemapLine
from sitemap_guard.model.findings import Finding, Hit, Result, Skipped, Summary
from sitemap_guard.model.history import Change, Commit, PathHistory, Repository, Root
from sitemap_guard.model.hosting import Answered, Built, Doubt, Header, Hosting, Rule, Target
from sitemap_guard.model.pages import Canonical, Disallow, EditLink, Located, Page, Spot, Stated
from sitemap_guard.model.published import Published
from sitemap_guard.model.site import Entry, Site
from sitemap_guard.model.verdicts import Answer, BadField, Field, Held, Mapping, Stale, Unread, Verdict, Witness

__all__ = [
    "Alternate",
    "Answer",
    "Answered",
    "BadField",
    "Built",
    "Canonical",
    "Change",
    "Child",
    "Claim",
    "Commit",
    "Disallow",
    "Doubt",
    "EditLink",
    "Entry",
    "Field",
    "Finding",
    "Header",
    "Held",
    "Hit",
    "Hosting",
    "Instant",
    "Level",
    "Located",
    "Mapping",
    "Moment",
    "Page",
    "PathHistory",
    "Problem",
    "Published",
    "Repository",
    "Result",
    "Root",
    "Rule",
    "SettingError",
    "Site",
    "Sitemap",
    "SitemapLine",
    "Skipped",
    "Spot",
    "Stale",
    "Stated",
    "Summary",
    "Target",
    "Unread",
    "UserError",
    "Verdict",
    "Witness",
]
