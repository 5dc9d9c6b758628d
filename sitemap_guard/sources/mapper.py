"""From URLs to their sources: a few ways, tried in a fixed order.

`[[source]]` rules, manifests, edit links, the generators' own rules, the built file itself, a copy of a tracked file.
The first way that leads to a tracked file gives the answer. Where a way finds several files for one page, that is
remembered: it is told unless a later way knows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Mapping as Table
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard.config import ManifestFile, SourceRule
from sitemap_guard.model import Located, Mapping, Page
from sitemap_guard.sources import copies, edit_links, identity
from sitemap_guard.sources import rules as source_rules
from sitemap_guard.sources.forward import Forward, forward
from sitemap_guard.sources.generators.base import Hints, looks_like_list, normal
from sitemap_guard.sources.generators.registry import BUILDERS
from sitemap_guard.sources.manifests.base import Manifest, Where, manifest_of
from sitemap_guard.sources.manifests.configured import read_configured
from sitemap_guard.sources.manifests.registry import MANIFESTS
from sitemap_guard.sources.subject import Outcome, Subject
from sitemap_guard.sources.tree import Tree, folder_of, is_index
from sitemap_guard.urls import Address, parse, within
from sitemap_guard.urls import normal as normal_url

WAYS = ("rule", "manifest", "edit-link", "generator", "identity", "copy")
# A page that cannot be told from two others says more than one that nothing is known of.
_REASONS = ("ambiguous", "untracked")
# How much of a site a generator must explain to be the one that built it.
_SHARE = 0.25


Ways = dict[str, list[Outcome]]  # what each way answers to each subject


class Mapped(Struct, frozen=True):
    """The mapping of each entry, in their order, the generators that were found, and what is to be said of rules
    that have no effect."""

    mappings: tuple[Mapping, ...]
    generators: Forward
    tree: Tree
    notes: tuple[str, ...] = ()


def map_site(
    entries: Sequence[tuple[str, Located, Page | None]],
    *,
    base_url: str,
    prefix: str | None,
    tree: Tree,
    rules: Sequence[SourceRule] = (),
    manifests: Sequence[ManifestFile] = (),
    folder: Path | None = None,
    root: Path | None = None,
    without: Collection[str] = (),
) -> Mapped:
    """The source of each entry (URL, built file, facts of its HTML).

    `prefix` is the built site's folder from the repository's root ("" for the root, None when it is outside), `tree`
    the files that git tracks, `folder` the built site and `root` the work tree on disk (for manifests and copies).
    `without` are ways that are not to be tried. An entry that no way answers says what was tried.

    Raises:
        UserError: a rule's pattern is not well formed, or a manifest of the configuration cannot be used.
    """
    subjects = _subjects(entries, base_url)
    where = Where(
        folder or Path(), root, prefix, base_url, frozenset(subject.path for subject in subjects if subject.path), tree
    )
    ways: Ways = {}
    by_rule = source_rules.answers(subjects, rules, base_url, tree.tracked)
    if "rule" not in without:
        ways["rule"] = by_rule.outcomes
    if "manifest" not in without:
        ways["manifest"] = _from_manifests(subjects, _manifests(manifests, where, found_too=folder is not None))
    if "edit-link" not in without:
        ways["edit-link"] = edit_links.answers(subjects, tree.tracked, tree.roots)
    hints = Hints(
        frozenset(page.generator.lower() for _, _, page in entries if page and page.generator),
        prefix,
        _path_of(base_url),
        where.paths,
    )
    generators = _forward(subjects, ways, tree, hints)
    if "generator" not in without:
        ways["generator"] = [generators.answer(subject.path) if subject.path else Outcome() for subject in subjects]
    builder = _builder(generators, hints)
    if "identity" not in without:
        ways["identity"] = identity.answers(subjects, prefix, tree.tracked, builder)
    if "copy" not in without:
        # A tracked file that was built has its own content; that makes it no source.
        ids = _unbuilt(tree, subjects, prefix) if builder and prefix is not None else tree.ids
        ways["copy"] = _from_copies(subjects, ways, folder, ids)
    first = [_first([(how, outcomes[index]) for how, outcomes in ways.items()]) for index in range(len(subjects))]
    first = _with_rivals(subjects, first, prefix, tree)
    return Mapped(tuple(_with_kinds(subjects, first, generators)), generators, tree, by_rule.notes)


def _forward(subjects: Sequence[Subject], ways: Ways, tree: Tree, hints: Hints) -> Forward:
    """What the generators publish, with no more reading than the pages need that no way before has settled."""
    known: set[str] = set()
    needed: set[str] = set()
    for index, subject in enumerate(subjects):
        told = (way[index] for way in ways.values())
        content = next((outcome.content for outcome in told if outcome.content or outcome.final), "")
        if content:
            known.add(content)
        else:
            needed.add(subject.path)
    return forward(subjects, tree, hints, known, needed)


def _from_copies(subjects: Sequence[Subject], ways: Ways, folder: Path | None, ids: Table[str, str]) -> list[Outcome]:
    """The copies of tracked files, among the subjects that no way has answered: others need not be read."""
    left = [index for index in range(len(subjects)) if not any(way[index].content for way in ways.values())]
    found = [Outcome()] * len(subjects)
    for index, outcome in zip(left, copies.answers([subjects[index] for index in left], folder, ids), strict=True):
        found[index] = outcome
    return found


def _builder(generators: Forward, hints: Hints) -> str:
    """The generator that built the site, by its pages' own word or by its sources; "" for none that is known."""
    by_word = next((name for name in BUILDERS if hints.built_by(name)), "")
    if by_word:
        return by_word
    for placed in generators.placed:
        many = placed.hits > 1 and placed.hits >= _SHARE * len(hints.paths)
        # A site in its generator's own folder is served as it lies there.
        if many and placed.layout.sure and placed.layout.place != hints.prefix:
            return placed.layout.generator
    return ""


def _unbuilt(tree: Tree, subjects: Sequence[Subject], prefix: str) -> dict[str, str]:
    """The contents of the tracked files without those of the built site; at the root, without the built pages."""
    if prefix:
        return {path: name for path, name in tree.ids.items() if not path.startswith(f"{prefix}/")}
    built = {subject.located.path for subject in subjects if subject.located.state == "html"}
    return {path: name for path, name in tree.ids.items() if path not in built}


def _with_rivals(
    subjects: Sequence[Subject], mappings: Sequence[Mapping], prefix: str | None, tree: Tree
) -> list[Mapping]:
    """The mappings; those that take a built file for its own source know of a text that may be it instead."""
    own = {s.path for s, one in zip(subjects, mappings, strict=True) if one.how == "identity" and s.path}
    found = identity.rivals(own, prefix, tree.tracked) if own else {}
    return [
        replace(one, rival=found[s.path]) if one.how == "identity" and s.path in found else one
        for s, one in zip(subjects, mappings, strict=True)
    ]


def _first(outcomes: Sequence[tuple[str, Outcome]]) -> Mapping:
    for how, outcome in outcomes:
        if outcome.content:
            # What the owner of the site wrote down is told of even where another way knows.
            rule = next((one for way, one in outcomes if way == "rule" and one.reason), Outcome())
            kind = outcome.kind or "page"
            return Mapping(outcome.content, outcome.also, how, rule.reason, rule.reason and rule.note, outcome.by, kind)
        if outcome.final:
            return Mapping(reason=outcome.reason, tried=outcome.note)
    given = {outcome.reason for _, outcome in outcomes}
    reason = next((reason for reason in _REASONS if reason in given), "no-source")
    tried = "; ".join(outcome.note for _, outcome in outcomes if outcome.note)
    return Mapping(reason=reason, tried=tried, missing=tuple(path for _, one in outcomes for path in one.missing))


# ---------------------------------------------------------------------------------------------------- manifests


def _manifests(given: Sequence[ManifestFile], where: Where, *, found_too: bool) -> list[Manifest]:
    found = read_configured(given, where)
    for name, read in MANIFESTS if found_too else ():
        manifest = manifest_of(name, read(where))
        if manifest.table:
            found.append(manifest)
    return found


def _from_manifests(subjects: Sequence[Subject], manifests: Sequence[Manifest]) -> list[Outcome]:
    return [_from_manifest(subject, manifests) for subject in subjects]


def _from_manifest(subject: Subject, manifests: Sequence[Manifest]) -> Outcome:
    if not manifests or not subject.path:
        return Outcome()
    answers = [manifest.answer(subject.path) for manifest in manifests]
    return next((one for one in answers if one.content), next((one for one in answers if one.reason), answers[0]))


# -------------------------------------------------------------------------------------------------------- lists


def _with_kinds(subjects: Sequence[Subject], mappings: Iterable[Mapping], generators: Forward) -> Iterable[Mapping]:
    """Each mapping with the kind of its page: what the generator says, else the address and what lies below it."""
    mappings = list(mappings)
    contents = {subject.path: mapping.content for subject, mapping in zip(subjects, mappings, strict=True)}
    paths = sorted(contents.keys() - {""})
    for subject, mapping in zip(subjects, mappings, strict=True):
        kind = mapping.kind
        if subject.path and kind == "page" and _lists(subject.path, mapping, generators, paths, contents):
            kind = "list"
        yield mapping if kind == mapping.kind else _as_list(mapping)


def _lists(path: str, mapping: Mapping, generators: Forward, paths: Sequence[str], contents: dict[str, str]) -> bool:
    if mapping.content and mapping.how != "generator":
        said = generators.answer(path)
        if said.content == mapping.content and said.kind == "list":
            return True
    below = _below(path, paths)
    if mapping.content:
        return normal(path) != "" and len(below) > 1 and _has_guests(mapping.content, below, contents)
    return looks_like_list(path) or generators.lists(path) or len(below) > 0


def _has_guests(content: str, below: Sequence[str], contents: dict[str, str]) -> bool:
    """Whether a page's own file is the index of its folder, or what lies below it comes mostly from elsewhere."""
    if is_index(content):
        return True
    folder = f"{folder_of(content)}/"
    guests = sum(bool(contents[path]) and not contents[path].startswith(folder) for path in below)
    return guests * 2 > len(below)


def _below(path: str, paths: Sequence[str]) -> Sequence[str]:
    """The addresses below one."""
    start = f"{normal(path)}/"
    low = bisect_left(paths, start)
    return [other for other in paths[low : bisect_left(paths, f"{start[:-1]}0", low)] if other != path]


def _as_list(mapping: Mapping) -> Mapping:
    return replace(mapping, kind="list")


# ----------------------------------------------------------------------------------------------------- subjects


def _subjects(entries: Sequence[tuple[str, Located, Page | None]], base_url: str) -> list[Subject]:
    base = parse(base_url)
    root = Address(f"{base.origin}/", base.origin, "/") if base else None
    subjects = []
    for url, located, page in entries:
        address = normal_url(url) if url else None
        full = path = ""
        if address and base and root:
            origin = root if address.origin == base.origin else Address("", address.origin, "/")
            full = f"{address.origin}/{within(address, origin) or ''}{address.query}"
            below = within(address, base)
            path = "" if below is None else f"/{below}"
        subjects.append(Subject(full, path, located, page))
    return subjects


def _path_of(base_url: str) -> str:
    base = parse(base_url) if base_url else None
    return base.path if base else "/"
