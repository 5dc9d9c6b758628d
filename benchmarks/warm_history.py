"""Measures what the cache of walks saves: cold, warm, and after a history has grown by 1 and by 100 commits.

python benchmarks/warm_history.py CORPUS [FOLDER]   (a corpus of benchmarks/corpus.py; it is not changed)

The clone that grows borrows the corpus' objects. Each figure is the best of three, each answer is compared with the
one of a walk without cache, and the last column is the share of that walk's time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.reader import open_history
from sitemap_guard.model import PathHistory

Claims = dict[str, tuple[tuple[int, int], ...]]


def read(root: Path, claims: Claims, cache: str | None) -> tuple[float, float, dict[str, PathHistory]]:
    """Seconds to open the repository and to walk, and the histories."""
    with isolated_git():
        begun = time.perf_counter()
        with open_history(root, root, "main", cache=cache) as reader:
            opened = time.perf_counter()
            found = reader.walk(claims or dict.fromkeys(sorted(reader.repository.tracked), ()))
            return opened - begun, time.perf_counter() - opened, found


def grow(root: Path, paths: list[str], number: int) -> None:
    """Adds commits to main, each with two changed files; every tenth is the merge of a branch of two."""
    clock = int(_git(root, "log", "-1", "--format=%ct", "main"))
    lines = ["feature done\n"]
    tip = "refs/heads/main^0"

    def commit(parents: list[str], *changed: str) -> str:
        nonlocal clock
        clock += 60
        mark = f":{clock}"
        lines.append(f"commit refs/heads/main\nmark {mark}\nauthor W <w@example.org> {clock} +0000\n")
        lines.append(f"committer W <w@example.org> {clock} +0000\ndata 5\ngrow\n")
        lines.extend(f"{'merge' if place else 'from'} {parent}\n" for place, parent in enumerate(parents))
        lines.extend(f"M 100644 inline {path}\ndata {len(mark)}\n{mark}\n" for path in changed)
        return mark

    for step in range(number):
        one, two = paths[step * 37 % len(paths)], paths[step * 101 % len(paths)]
        if step % 10 == 9:
            side = commit([commit([tip], one)], two)
            tip = commit([tip, side], one, two)
        else:
            tip = commit([tip], one, two)
    lines.append("done\n")
    subprocess.run(["git", "-C", str(root), "fast-import", "--quiet"], input="".join(lines).encode(), check=True)


def measure(name: str, root: Path, claims: Claims, cache: str) -> Claims:
    """Prints one row, and returns honest claims for the next."""
    opened, plain, truth = read(root, claims, None)
    best = plain
    for _ in range(3):
        start, walked, found = read(root, claims, cache)
        assert found == truth, "the cache changed an answer"
        best, opened = min(best, walked), min(opened, start)
    print(
        f"{name:<14} open {opened:6.3f} s   plain walk {plain:7.3f} s   warm walk {best:6.3f} s   {best / plain:6.1%}"
    )
    return {
        path: ((history.last.commit.authored.seconds,) * 2,) if history.last else () for path, history in truth.items()
    }


def _git(root: Path, *args: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(["git", "-C", str(root), *args], check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path, nargs="?")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        root, cache = Path(folder) / "clone", str(Path(folder) / "cache")
        subprocess.run(["git", "clone", "-q", "--bare", "--shared", str(args.corpus), str(root)], check=True)
        _, _, first = read(root, {}, None)
        claims: Claims = {
            path: ((history.last.commit.authored.seconds,) * 2,) for path, history in first.items() if history.last
        }
        begun = time.perf_counter()
        read(root, claims, cache)
        print(f"cold, with writing the cache: {time.perf_counter() - begun:.3f} s")
        measure("same commit", root, claims, cache)
        for number in (1, 100):
            grow(root, sorted(claims), number)
            measure(f"{number} more", root, claims, cache)
            _, _, now = read(root, claims, cache)
            claims = {path: ((h.last.commit.authored.seconds,) * 2,) for path, h in now.items() if h.last}
            measure(f"{number}, new dates", root, claims, cache)


if __name__ == "__main__":
    main()
