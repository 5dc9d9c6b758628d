"""The repository: could dates be compared with history at all?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_guard.model import Answer, Hit, Level, Site
from sitemap_guard.rules.base import place_of_all, plural


def shallow(site: Site) -> Iterator[Hit]:
    """A shallow clone hides the dates of files that changed before its edge.

    The checkout of a CI run has one commit by default, and git then answers that commit's date for every file. Such
    dates are not judged; files that changed inside the visible history are. A date newer than the edge is false all the
    same, but what would be true is not known: where only such dates depend on the edge, this is a warning.

    GitHub: `fetch-depth: 0` for actions/checkout. GitLab: `GIT_DEPTH: 0`. Vercel: `VERCEL_DEEP_CLONE=true`.
    """
    hidden = sum(1 for entry in site.entries if entry.verdict.reason == "shallow")
    unknown = sum(1 for entry in site.entries if entry.verdict.cut_off)
    told = [f"{plural(hidden, 'date')} could not be judged"] if hidden else []
    told += [f"what would be true instead of {plural(unknown, 'false date')} is not known"] if unknown else []
    if site.repository.shallow and told:
        yield Hit(
            f"{_clones(site)}: {', and '.join(told)}; fetch the whole history "
            "(actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0; Vercel: VERCEL_DEEP_CLONE=true; "
            "by hand: git fetch --unshallow)",
            path=place_of_all(site),
            # The false dates are errors of their own.
            level=None if hidden else Level.WARNING,
        )


def _clones(site: Site) -> str:
    """Which clone is shallow, and which is not, where there are several."""
    roots = [root for root in site.repository.roots if not root.problem]
    cut = [root.shown for root in roots if root.shallow]
    whole = [root.shown for root in roots if not root.shallow]
    if not cut:
        return "this clone is shallow"
    return f"{' and '.join(cut)} {_is_or_are(cut)} shallow" + (
        f", {' and '.join(whole)} {_is_or_are(whole)} not" if whole else ""
    )


def _is_or_are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def missing(site: Site) -> Iterator[Hit]:
    """Dates can be compared only where the history is.

    A build folder that was copied without its repository, a machine without git, or a repository that git refuses
    to read (owned by another user) leave every date unverified.
    """
    unknown = sum(1 for entry in site.entries if entry.verdict.answer is Answer.CANNOT_TELL)
    if site.repository.problem and unknown:
        yield Hit(f"{plural(unknown, 'date')} could not be judged: {site.repository.detail}", path=place_of_all(site))
        return
    for root in site.repository.roots:
        if root.problem:
            yield Hit(f"{root.shown}: its dates could not be judged: {root.detail}", path=place_of_all(site))


def other_case(site: Site) -> Iterator[Hit]:
    """A source's path must be spelt as git tracks it, in capital and small letters too.

    On a disk that does not tell them apart, a folder that was renamed only in its letters keeps its old name in git:
    the history of the new name is empty, and every page below it seems to have no date.

    Bad: `path = "docs/{slug}.md"` where git tracks `Docs/a.md`
    Good: `git mv Docs docs-new && git mv docs-new docs`, or the name that git knows
    """
    for index, entry in enumerate(site.entries):
        if entry.mapping.reason == "case":
            told = entry.mapping.tried.partition(";")[0]
            yield Hit(told, index, group="history-case", cure="rename it with git mv, or correct the configuration")
