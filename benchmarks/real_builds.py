"""Builds the made-up sites of tests/real_builds and writes the table of what was mapped into docs/generators.md.

Usage: python -m benchmarks.real_builds [NAME ...] [--write]

Every generator is installed from its registry, as `make test-real` does; that takes a quarter of an hour. What cannot
be installed has a row that says NOT TESTED. With names only these sites are built, and only their rows are written.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "real_builds"))

from builds import BUILDS, Build, NotInstalledError, Score, configuration, prepare, score, without_leavings  # noqa: E402

START, END = "<!-- builds: written by benchmarks/real_builds.py -->", "<!-- end of builds -->"
HEAD = (
    "| site | pages with a file | right | wrong | missing | lists recognised | rules alone | with its manifest |\n"
    "|---|---|---|---|---|---|---|---|"
)


def cells(found: Score) -> str:
    """Right and wrong of one way, for people."""
    return f"{found.right} right, {len(found.wrong)} wrong"


def row(build: Build) -> str:
    """The table's row for one site."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            site = prepare(build, Path(scratch))
        except NotInstalledError as error:
            print(f"{build.name}: NOT TESTED: {error}", file=sys.stderr)
            return f"| {build.name} | NOT TESTED: it cannot be installed from a registry |" + " |" * 6
        build.manifest(site)  # some are written when they are asked for
        found = score(build, site)
        by_manifest = cells(score(build, site, configuration(build))) if build.own else "-"
        if build.leaves:
            by_manifest = f"{cells(found)} (`{build.leaves}`)" if not build.own else by_manifest
            without_leavings(build, site)
        alone = cells(score(build, site)) if build.leaves else cells(found)
        for problem in (*found.wrong, *found.missing, *found.unlisted):
            print(f"{build.name}: {problem}", file=sys.stderr)
        return (
            f"| {build.name} | {found.files} | {found.right} | {len(found.wrong)} | {len(found.missing)} "
            f"| {found.lists} of {found.all_lists} | {alone} | {by_manifest} |"
        )


def main() -> None:
    """Print the table, and write it into the documentation if asked to."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    rows = {}
    for build in BUILDS:
        if not names or build.name in names:
            rows[build.name] = row(build)
            print(rows[build.name], flush=True)
    if "--write" in sys.argv:
        write(rows)


def write(rows: dict[str, str]) -> None:
    """Put the rows into the documentation's table, in place of those of the same sites."""
    page = ROOT / "docs" / "generators.md"
    before, _, rest = page.read_text("utf-8").partition(START)
    inner, _, after = rest.partition(END)
    old = {line.split("|")[1].strip(): line for line in inner.splitlines()[3:] if line.startswith("|")}
    lines = [(old | rows)[build.name] for build in BUILDS if build.name in old | rows]
    page.write_text("\n".join([before + START, HEAD, *lines, END]) + after, "utf-8")


if __name__ == "__main__":
    main()
