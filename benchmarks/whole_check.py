"""Times the whole check on the scale corpus against its floor, all in one run.

Usage: python benchmarks/whole_check.py CORPUS [--runs 3]

CORPUS is a folder made by benchmarks/corpus.py (made now, with 50,000 pages and 60,000 commits, if it is not there).
The floor is the work that nothing can save, done in one process: reading every page once, building the tree of every
head, and the bare `git log --raw` pass. The alternative that a user would pick for the dates, one `git log -1` a page,
is timed on a sample and scaled. Figures are medians; compare the ratios, since machines differ and are noisy.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from corpus import make_corpus

SAMPLE = 200
RAW = [
    "git",
    "-c",
    "core.fsmonitor=false",
    "log",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--format=%H %P %at %ct",
]


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def read_heads(site: Path) -> None:
    """Read every page once and build the tree of its head."""
    from selectolax.lexbor import LexborHTMLParser

    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                data = Path(folder, name).read_bytes()
                LexborHTMLParser(data[: data.find(b"</head>") + 7])


def bare_log(root: Path) -> None:
    """The history pass that every reading of all dates needs, thrown away."""
    with subprocess.Popen(RAW, cwd=root, stdout=subprocess.PIPE) as git:
        assert git.stdout is not None
        while git.stdout.read(1 << 20):
            pass


def walk(root: Path) -> None:
    """The history walk alone, all pages wanted."""
    from sitemap_guard.history.reader import open_history

    with open_history(root, root / "public") as history:
        history.walk({path: () for path in history.repository.tracked if path.startswith("content/")})


def one_log_a_page(root: Path) -> float:
    """Seconds for one `git log -1` a page, scaled up from a sample."""
    pages = sorted(str(path.relative_to(root)) for path in (root / "content").rglob("*.md"))
    chosen = random.Random(1).sample(pages, SAMPLE)

    def ask() -> None:
        for path in chosen:
            subprocess.run(["git", "log", "-1", "--format=%H", "--", path], cwd=root, check=True, capture_output=True)

    return timed(ask) * len(pages) / SAMPLE


def whole(root: Path) -> tuple[float, int]:
    """Seconds and peak memory (KiB, largest process) of `sitemap-guard check`."""
    import resource

    command = [sys.executable, "-m", "sitemap_guard", "check", "--no-cache"]

    def run() -> None:
        if subprocess.run(command, cwd=root, check=False, stdout=subprocess.DEVNULL).returncode > 1:
            raise SystemExit("the check itself failed: nothing was measured")

    seconds = timed(run)
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def main() -> None:
    """Run everything in turn, `--runs` times, and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()
    root = given.corpus.resolve()
    if not root.exists():
        make_corpus(root)
    figures: dict[str, list[float]] = {}
    memory = 0
    for _ in range(given.runs):
        figures.setdefault("bare log pass", []).append(timed(lambda: bare_log(root)))
        figures.setdefault("read pages, parse heads", []).append(timed(lambda: read_heads(root / "public")))
        figures.setdefault("the walk", []).append(timed(lambda: walk(root)))
        seconds, peak = whole(root)
        figures.setdefault("the whole check", []).append(seconds)
        memory = max(memory, peak)
    middle = {name: statistics.median(values) for name, values in figures.items()}
    middle["one git log -1 a page (scaled)"] = one_log_a_page(root)
    floor = middle["bare log pass"] + middle["read pages, parse heads"]
    print("| what | seconds | ratio |\n|---|---|---|")
    for name, seconds in middle.items():
        against = "bare log pass" if name in ("the walk", "one git log -1 a page (scaled)") else ""
        ratio = seconds / middle[against] if against else seconds / floor
        print(f"| {name} | {seconds:.1f} | {ratio:.2f} × {against or 'the floor'} |")
    print(f"\nfloor {floor:.1f} s; peak memory of the check's largest process {memory // 1024} MiB")


if __name__ == "__main__":
    main()
