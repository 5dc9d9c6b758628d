"""Commit graphs for tests: made in memory, written with one `git fast-import`, and judged by brute force."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

# Content and mode of each file. A folder exists where a file lies below it.
Tree = dict[bytes, tuple[bytes, bytes]]

NAMES = [
    b"a", b"a/b", b"a/b/c", b"a.b", b"dir/page one.md", b"dir/\xc3\xa9.md", b"latin-\xe9", b"new\nline", b"\nfirst",
    b"-dash", b'"quoted"', b"*", b"?[a-z]", b":(top)x", b":!no", b"tab\there", b"back\\slash", b"index.md",
]  # fmt: skip
MODES = [b"100644", b"100755", b"120000"]


def git(root: Path, *args: str | bytes, feed: bytes | None = None) -> bytes:
    return subprocess.run(["git", "-C", root, *args], check=True, input=feed, capture_output=True).stdout


@dataclass
class Node:
    """A commit: parents by number, whole tree, author and committer seconds."""

    parents: list[int]
    tree: Tree
    authored: int
    committed: int
    zone: str = "+0000"
    id: str = ""


@dataclass
class Graph:
    nodes: list[Node] = field(default_factory=list)

    def write(self, root: Path) -> None:
        """Makes the repository; HEAD is the last node."""
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", "main")
        out = [b"feature done\n"]
        for number, node in enumerate(self.nodes, 1):
            out.append(b"commit refs/heads/n%d\nmark :%d\n" % (number, number))
            for who, when in (("author", node.authored), ("committer", node.committed)):
                out.append(f"{who} W <w@example.org> {when} {node.zone}\n".encode())
            out.append(b"data 2\nc\n\n")
            out.extend(
                b"%s :%d\n" % (b"merge" if position else b"from", parent + 1)
                for position, parent in enumerate(node.parents)
            )
            out.append(b"deleteall\n")
            for path, (mode, content) in node.tree.items():
                name = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
                out.append(b'M %s inline "%s"\ndata %d\n%s\n' % (mode, name, len(content), content))
        out.append(b"reset refs/heads/main\nfrom :%d\n\ndone\n" % len(self.nodes))
        marks = root / ".git" / "marks"
        git(root, "fast-import", "--quiet", "--force", f"--export-marks={marks}", feed=b"".join(out))
        for line in marks.read_text().splitlines():
            mark, name = line.split()
            self.nodes[int(mark[1:]) - 1].id = name

    @cached_property
    def ancestors(self) -> list[set[int]]:
        """Of each node, with itself."""
        found: list[set[int]] = []
        for number, node in enumerate(self.nodes):
            found.append({number}.union(*(found[parent] for parent in node.parents)))
        return found

    def order(self, root: Path) -> list[int]:
        """The nodes that HEAD contains, as `git rev-list --date-order` sorts them."""
        number = {node.id: at for at, node in enumerate(self.nodes)}
        return [number[name] for name in git(root, "rev-list", "--date-order", "main").decode().split()]

    def landed(self, node: int) -> int:
        """The committer seconds of the oldest commit of the first-parent line that contains a node."""
        at, found = len(self.nodes) - 1, -1
        while node in self.ancestors[at]:
            found = self.nodes[at].committed
            if not self.nodes[at].parents:
                break
            at = self.nodes[at].parents[0]
        return found

    def differs(self, node: int, path: bytes, parent: int | None, *, loose: bool) -> bool:
        there: Tree = {} if parent is None else self.nodes[parent].tree
        return _part(self.nodes[node].tree, path, loose) != _part(there, path, loose)


def _part(tree: Tree, path: bytes, loose: bool) -> Tree:
    below = path + b"/"
    return {name: entry for name, entry in tree.items() if name == path or (loose and name.startswith(below))}


def put(tree: Tree, path: bytes, entry: tuple[bytes, bytes]) -> None:
    """Adds a file; what stands in its way goes."""
    for name in list(tree):
        if name.startswith(path + b"/") or path.startswith(name + b"/"):
            del tree[name]
    tree[path] = entry


def random_graph(rng: random.Random, size: int, names: list[bytes]) -> Graph:
    """A history of `size` commits with merges of every kind, several roots, few contents and odd clocks."""
    graph = Graph()
    clock = 1_600_000_000
    for number in range(size):
        parents = _parents(rng, number)
        clock += rng.choice([0, 0, 60, 3600, 86400, -7200])
        tree: Tree = _merged(rng, graph, parents)
        for _ in range(rng.choice([0, 1, 1, 2, 4]) if len(parents) < 2 else rng.choice([0, 0, 0, 1])):
            name = rng.choice(names)
            if rng.random() < 0.2 and name in tree:
                del tree[name]
            elif rng.random() < 0.15 and tree:
                put(tree, name, tree.pop(rng.choice(sorted(tree))))  # a move, perhaps onto another file
            else:
                put(tree, name, (rng.choice(MODES), b"%d" % rng.randrange(3)))
        authored = clock - rng.choice([0, 0, 0, 3600, 200_000, -5000])
        graph.nodes.append(Node(parents, tree, authored, clock, rng.choice(["+0000", "+0200", "-0730", "+1345"])))
    return graph


def _parents(rng: random.Random, number: int) -> list[int]:
    if number == 0 or rng.random() < 0.04:
        return []
    kinds = [1] * 6 + [2] * 4 + [3]
    many = min(number, rng.choice(kinds))
    recent = range(max(0, number - 6), number)
    found = [number - 1] if rng.random() < 0.7 else []
    while len(found) < many:
        parent = rng.choice(recent) if rng.random() < 0.9 else rng.randrange(number)
        if parent not in found:
            found.append(parent)
        elif len(recent) <= len(found):
            break
    rng.shuffle(found)
    return found


def _merged(rng: random.Random, graph: Graph, parents: list[int]) -> Tree:
    """A tree for these parents: one of them (ours, theirs), a mix (clean), or partly neither (evil)."""
    if not parents:
        return {}
    trees = [graph.nodes[parent].tree for parent in parents]
    if len(trees) == 1 or rng.random() < 0.4:
        return dict(rng.choice(trees))
    mixed: Tree = {}
    for name in sorted({name for tree in trees for name in tree}):
        entry = rng.choice(trees).get(name)
        if entry is not None:
            put(mixed, name, entry)
    return mixed


def stretched(rng: random.Random, size: int, names: list[bytes]) -> Graph:
    """Random histories one after the other, each standing on the tip of the one before: what branches that are
    merged soon look like."""
    graph = Graph()
    while len(graph.nodes) < size:
        part = random_graph(rng, rng.choice([1, 2, 3, 6]), names)
        start = len(graph.nodes)
        lean = rng.choice([0, 0, 0, -90_000, 40])
        for node in part.nodes:
            parents = [parent + start for parent in node.parents] or ([start - 1] if start else [])
            tree = node.tree if rng.random() < 0.7 or not start else dict(graph.nodes[start - 1].tree)
            late = 200_000 * start + lean
            graph.nodes.append(Node(parents, tree, node.authored + late, node.committed + late, node.zone))
    return graph


def children() -> set[str]:
    """The running git processes that are children of this one."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition(") ")
        except OSError:
            continue
        if rest.split()[1] == str(os.getpid()) and name.endswith("(git"):
            found.add(folder.name)
    return found
