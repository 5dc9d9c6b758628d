"""Identity: the built file itself is tracked (sites written by hand, or whose output is committed)."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_guard.sources.subject import Outcome, Subject


def answers(subjects: Sequence[Subject], prefix: str | None, tracked: frozenset[str]) -> list[Outcome]:
    """For each subject the built file, if git tracks it.

    `prefix` is the site's folder from the repository's root ("" for the root, None when it is outside).
    """
    return [_answer(subject, prefix, tracked) for subject in subjects]


def _answer(subject: Subject, prefix: str | None, tracked: frozenset[str]) -> Outcome:
    if subject.located.state not in ("html", "file"):
        return Outcome(note="no built file was found")
    if prefix is None:
        return Outcome(note="the built site lies outside the repository")
    folder = prefix.strip("/")
    file = f"{folder}/{subject.located.path}" if folder and folder != "." else subject.located.path
    return Outcome(file) if file in tracked else Outcome(note=f"{file} is not tracked")
