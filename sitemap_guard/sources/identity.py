"""Identity: the built file itself is tracked (sites written by hand, or whose output is committed)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sitemap_guard.sources.generators.base import normal
from sitemap_guard.sources.subject import Outcome, Subject
from sitemap_guard.sources.tree import shared_end

# Texts from which a program could have made a page.
_TEXTS = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".textile", ".djot", ".typ", ".ipynb")
_INDEX = ("index", "_index")


def answers(
    subjects: Sequence[Subject], prefix: str | None, tracked: frozenset[str], built_by: str = ""
) -> list[Outcome]:
    """For each subject the built file, if git tracks it.

    `prefix` is the site's folder from the repository's root ("" for the root, None when it is outside). What a
    generator (`built_by`) made is no source, although it may be tracked: it changes with every build.
    """
    return [_answer(subject, prefix, tracked, built_by) for subject in subjects]


def rivals(paths: Iterable[str], prefix: str | None, tracked: frozenset[str]) -> dict[str, str]:
    """For each address the one text outside the built site whose path ends as the address does, if there is one."""
    texts: Mapping[str, list[tuple[list[str], str]]] = defaultdict(list)
    folder = f"{prefix}/" if prefix else ""
    for file in sorted(tracked):
        stem, dot, suffix = file.rpartition(".")
        if dot + suffix.lower() in _TEXTS and not (folder and file.startswith(folder)):
            parts = stem.lower().split("/")
            texts[parts[-1]].append((parts, file))
            if parts[-1] in _INDEX and len(parts) > 1:
                texts[parts[-2]].append((parts[:-1], file))
    found = {}
    for path in paths:
        address = normal(path).lower().strip("/").split("/") if normal(path) else ["index"]
        fitting = [(shared_end(address, parts), file) for parts, file in texts.get(address[-1], ())]
        most = max((count for count, _ in fitting), default=0)
        best = [file for count, file in fitting if count == most]
        if len(best) == 1:
            found[path] = best[0]
    return found


def _answer(subject: Subject, prefix: str | None, tracked: frozenset[str], built_by: str) -> Outcome:
    if subject.located.state not in ("html", "file"):
        return Outcome(note="no built file was found")
    if prefix is None:
        return Outcome(note="the built site lies outside the repository")
    folder = prefix.strip("/")
    file = f"{folder}/{subject.located.path}" if folder and folder != "." else subject.located.path
    if built_by and file in tracked and subject.located.state == "html":
        return Outcome(note=f"{file} is what {built_by} built")
    return Outcome(file) if file in tracked else Outcome(note=f"{file} is not tracked")
