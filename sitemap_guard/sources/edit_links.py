"""Edit links: the "edit this page" link that a theme puts on its pages, found without knowing the theme.

A candidate is a link whose path is tracked in this repository. One page's links prove little: text links to code,
footers link to the licence. What shows is the habit: links are put in groups of one look (the address up to the
ref, and the class), and a group speaks for the site only if it behaves as the theme's link does:

- most of its links lead to tracked files, with one and the same ref (a ref may hold slashes: the split that
  resolves most is taken);
- at most one target a page (a page with two is ambiguous; a group in which that is common is no edit link);
- its pages have targets of their own: a footer leads all of them to one. Where several pages share a target, only
  the page whose address agrees with the file's name keeps it, since translations and lists link to the file that
  another page is made from;
- a link that says `edit` is believed if the names of the files agree with the addresses on half of the group's
  pages, or else if the group is on every page, or has three targets and is on one page in ten. So the one edit
  link of a site of one page is believed, and the one in the text of a big site is not;
- links that merely show a file (`blob`, `tree`, `raw`, `src`) are common in text: the group must be on one page in
  four, and the names must agree on half of its pages, however small the site is.

Where the sources are in several repositories, each group belongs to the one whose remote it names, else to the one
in which it resolves best; a group that fits two of them alike is left out, and each repository has its own winner.

The group with the most targets wins. Another one fills in pages only if it leads into the same repository, has
three targets or more, one each, that agree with the addresses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from sitemap_guard.model import Root
from sitemap_guard.sources.agree import agrees, keeper
from sitemap_guard.sources.subject import Outcome, Subject

_EDIT = re.compile(r"/(?:edit|_edit)/$", re.IGNORECASE)
_REF_PARTS = 5  # a ref of more segments is not looked for
_COVER = 10  # a group of edit links that do not agree must be on one page in so many
_VIEW_COVER = 4  # the same for view links, which must agree as well
_SEVERAL_LIMIT = 5  # one page in so many of a group may have two targets
_OTHER_LIMIT = 5  # one link for so many of the best ref may have another ref
_TARGETS = 3


class Group(Struct, frozen=True):
    """The links of one look. `targets`: page (by its file) to the tracked files that it links to.

    `root` is the prefix of the repository that they lead into ("" for the main one).
    """

    prefix: str
    targets: dict[str, frozenset[str]]
    resolved: float  # the share of the group's links that lead to tracked files
    root: str = ""

    @property
    def distinct(self) -> int:
        """The number of different files."""
        return len({target for targets in self.targets.values() for target in targets})

    @property
    def several(self) -> int:
        """The number of pages with more than one target."""
        return sum(len(targets) > 1 for targets in self.targets.values())

    @property
    def says_edit(self) -> bool:
        """Whether the word in the links is one for editing."""
        return _EDIT.search(self.prefix) is not None

    @property
    def repository(self) -> str:
        """Host, owner and name."""
        return "/".join(self.prefix.split("//", 1)[-1].lower().split("/")[:3])


class View(Struct, frozen=True):
    """A repository as links see it: its files by their own paths, and the addresses (`host/owner/name`) it has."""

    prefix: str
    tracked: frozenset[str]
    remotes: frozenset[str] = frozenset()

    def named(self, prefix: str) -> bool:
        """Whether links of this prefix name the repository."""
        address = prefix.split("//", 1)[-1].lower()
        return any(address.startswith(f"{remote}/") for remote in self.remotes)


def _views(tracked: frozenset[str], roots: Sequence[Root]) -> list[View]:
    """The one repository, or each of several: the longest prefix has the file."""
    if not roots:
        return [View("", tracked)]
    own: dict[str, set[str]] = {root.prefix: set() for root in roots}
    prefixes = sorted(own, key=len, reverse=True)
    for path in tracked:
        prefix = next((one for one in prefixes if not one or path.startswith(f"{one}/")), None)
        if prefix is not None:
            own[prefix].add(path[len(prefix) + 1 :] if prefix else path)
    return [View(root.prefix, frozenset(own[root.prefix]), root.remotes) for root in roots]


def answers(subjects: Sequence[Subject], tracked: frozenset[str], roots: Sequence[Root] = ()) -> list[Outcome]:
    """For each subject the file that the site's edit link on its page leads to.

    `roots` are the repositories when there are several; then `tracked` has the files of each below its prefix.
    """
    pages = {subject.located.path: subject for subject in subjects if subject.page and subject.path}
    paths: dict[str, str] = {file: subject.path for file, subject in pages.items()}
    views = _views(tracked, roots)
    found = _groups(pages, views)
    chosen = [group for view in views for group in _chosen([g for g in found if g.root == view.prefix], paths)]
    owners = _owners(chosen, paths)
    return [_answer(subject, chosen, owners, found) for subject in subjects]


def _groups(pages: dict[str, Subject], views: Sequence[View]) -> list[Group]:
    looks: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for file, subject in pages.items():
        for link in subject.page.edit_links if subject.page else ():
            looks[link.prefix, link.mark][file].add(link.tail)
    groups = []
    for (prefix, _), tails in looks.items():
        root, resolved = _resolve_in(prefix, {tail for some in tails.values() for tail in some}, views)
        targets = {file: frozenset(resolved[tail] for tail in some if tail in resolved) for file, some in tails.items()}
        targets = {file: some for file, some in targets.items() if some}
        if targets:
            total = sum(len(some) for some in tails.values())
            hits = sum(tail in resolved for some in tails.values() for tail in some)
            groups.append(Group(prefix, targets, hits / total, root))
    return groups


def _resolve_in(prefix: str, tails: set[str], views: Sequence[View]) -> tuple[str, dict[str, str]]:
    """The prefix of the repository that the links lead into, and tail to tracked file there."""
    named = [view for view in views if view.named(prefix)]
    found = [(view.prefix, _resolve(tails, view.tracked)) for view in named or views]
    found.sort(key=lambda one: len(one[1]), reverse=True)
    if len(found) > 1 and len(found[0][1]) == len(found[1][1]):
        return "", {}
    root, resolved = found[0]
    return root, {tail: f"{root}/{path}" for tail, path in resolved.items()} if root else resolved


def _resolve(tails: set[str], tracked: frozenset[str]) -> dict[str, str]:
    """Tail to tracked file, by the one ref that resolves most of the tails (the shortest of those).

    Nothing if another ref resolves many of the rest: which of the two versions this repository holds is not known.
    """
    by_ref: dict[str, dict[str, str]] = defaultdict(dict)
    for tail in sorted(tails):
        parts = tail.split("/")
        for cut in range(1, min(len(parts), _REF_PARTS + 1)):
            path = "/".join(parts[cut:])
            if path in tracked:
                by_ref["/".join(parts[:cut])][tail] = path
    if not by_ref:
        return {}
    best = max(by_ref, key=lambda ref: (len(by_ref[ref]), -ref.count("/"), ref))
    others = {tail for ref in by_ref for tail in by_ref[ref]} - by_ref[best].keys()
    return by_ref[best] if len(others) * _OTHER_LIMIT <= len(by_ref[best]) else {}


def _chosen(groups: Iterable[Group], paths: dict[str, str]) -> list[Group]:
    """The groups that speak for the site, best first."""
    good = [group for group in groups if _well_behaved(group, paths)]
    good.sort(key=lambda group: (-group.distinct, not group.says_edit, group.prefix))
    return [group for place, group in enumerate(good) if place == 0 or _may_fill(group, good[0], paths)]


def _well_behaved(group: Group, paths: dict[str, str]) -> bool:
    size = len(group.targets)
    if group.resolved < 0.5 or group.several * _SEVERAL_LIMIT > size or not _spread(group, paths):
        return False
    agrees_well = _agreeing(group, paths) * 2 >= size
    if not group.says_edit:
        return agrees_well and size * _VIEW_COVER >= len(paths)
    return agrees_well or size == len(paths) or (group.distinct >= _TARGETS and size * _COVER >= len(paths))


def _spread(group: Group, paths: dict[str, str]) -> bool:
    """Whether pages have targets of their own, or share them as translations do: each target has one main page."""
    if group.distinct * 2 >= len(group.targets):
        return True
    kept = sum(bool(page) for page in _owners([group], paths).values())
    return group.distinct >= _TARGETS and kept * 5 >= group.distinct * 4


def _may_fill(group: Group, best: Group, paths: dict[str, str]) -> bool:
    size = len(group.targets)
    return (
        group.repository == best.repository
        and group.several == 0
        and group.distinct >= max(_TARGETS, size)
        and _agreeing(group, paths) * 2 >= size
    )


def _agreeing(group: Group, paths: dict[str, str]) -> int:
    return sum(any(agrees(paths[file], target) for target in targets) for file, targets in group.targets.items())


def _owners(groups: Sequence[Group], paths: dict[str, str]) -> dict[str, str]:
    """File of the repository to the one page that keeps it ("" when none can be told from the others)."""
    claims: dict[str, dict[str, None]] = defaultdict(dict)
    for group in groups:
        for file, targets in group.targets.items():
            for target in targets:
                claims[target][file] = None
    return {target: keeper(list(files), paths, target) for target, files in claims.items()}


def _answer(subject: Subject, chosen: Sequence[Group], owners: dict[str, str], found: Sequence[Group]) -> Outcome:
    file = subject.located.path
    if not subject.page or not subject.path:
        return Outcome()
    for group in chosen:
        targets = group.targets.get(file)
        if not targets:
            continue
        if len(targets) > 1:
            return Outcome(reason="ambiguous", note=f"its edit links lead to {_listed(targets)}")
        target = next(iter(targets))
        if owners[target] == file:
            return Outcome(target)
        return Outcome(reason="ambiguous", note=f"other pages have the same edit link, to {target}")
    if not subject.page.edit_links:
        return Outcome(note="the page has no edit link")
    targets = frozenset().union(*(group.targets.get(file, ()) for group in found if group.says_edit))
    if len(targets) > 1:
        return Outcome(reason="ambiguous", note=f"its edit links lead to {_listed(targets)}")
    if any(file in group.targets for group in found):
        return Outcome(note="its links to files of the repository do not look like the edit link of a theme")
    return Outcome(note="its links to repositories lead to no tracked file")


def _listed(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return ", ".join(ordered[:3]) + (f" and {len(ordered) - 3} more" if len(ordered) > 3 else "")
