"""The repository: could dates be compared with history at all?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.model import Answer, Hit, Site
from sitemap_guard.rules.base import plural


def shallow(site: Site) -> Iterator[Hit]:
    """A shallow clone hides the dates of files that changed before its edge.

    The checkout of a CI run has one commit by default, and git then answers that commit's date for every file. Such
    dates are not judged; files that changed inside the visible history are.

    GitHub: `fetch-depth: 0` for actions/checkout. GitLab: `GIT_DEPTH: 0`. Vercel: `VERCEL_DEEP_CLONE=true`.
    """
    hidden = sum(1 for entry in site.entries if entry.verdict.reason == "shallow")
    if site.repository.shallow and hidden:
        yield Hit(
            f"this clone is shallow: {plural(hidden, 'date')} could not be judged; fetch the whole history "
            "(actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0; Vercel: VERCEL_DEEP_CLONE=true; "
            "by hand: git fetch --unshallow)",
            path=_anywhere(site),
        )


def missing(site: Site) -> Iterator[Hit]:
    """Dates can be compared only where the history is.

    A build folder that was copied without its repository, a machine without git, or a repository that git refuses
    to read (owned by another user) leave every date unverified.
    """
    dated = sum(1 for entry in site.entries if entry.verdict.answer is Answer.CANNOT_TELL)
    if site.repository.problem and dated:
        yield Hit(f"{plural(dated, 'date')} could not be judged: {site.repository.detail}", path=_anywhere(site))


def _anywhere(site: Site) -> str:
    return site.place(site.sitemaps[0].path) if site.sitemaps else site.shown
