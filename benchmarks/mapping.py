"""Counts how many pages of six real sites find their source, by each way, and writes the table in docs/generators.md.

Usage: python -m benchmarks.mapping FOLDER [--write]

FOLDER holds the sites (open.py, and a folder for each with its history, build and truth.tsv). There is no
configuration: neither ours nor, for the data leave them out, the generators' own (Sphinx's conf.py and Jekyll's
_config.yml are there by name, with nothing in them). `right`, `wrong` and `missing` count the pages that have a file.
Lists are the pages that the truth calls so, and those without a file that list others. Left out of them are pages of
the Jekyll site whose text merely shows how a list is written, and what a programme makes: the search page, the index
of terms, the page for what is not found, pages of a dynamic route.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

from benchmarks.real_sites import opener, truth, write
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.reader import open_history
from sitemap_guard.model import Mapping
from sitemap_guard.pages.survey import Wanted, survey
from sitemap_guard.sitemaps.discovery import discover
from sitemap_guard.sources.mapper import WAYS, map_site
from sitemap_guard.sources.tree import Tree

BUILDS = [
    ("hugodocs", "git"),
    ("letsencrypt", "git"),
    ("jekyll", "lastmod"),
    ("click", "html"),
    ("vuejs-docs", "lastupdated"),
    ("js-lingui", "git"),
]
ALONE = ("manifest", "edit-link", "generator")
START, END = "<!-- mapping: written by benchmarks/mapping.py -->", "<!-- end of mapping -->"
_MADE = re.compile(r"/(?:search|genindex|404|py-modindex)(?:\.html)?/?$|/partners/[^/]+\.html$")


def mappings(build: Path, without: Collection[str]) -> tuple[dict[str, Mapping], float]:
    """The mapping of each loc of a built site, and the seconds that it took."""
    found = discover(build)
    claims = [claim for sitemap in found.sitemaps for claim in sitemap.claims]
    entries = survey(claims, build, found.base_url, Wanted(start=build), lambda *_: None).entries
    with isolated_git() as index, open_history(build, build, "HEAD", index) as history:
        begun = time.perf_counter()
        facts = history.repository
        mapped = map_site(
            [(entry.url, entry.located, entry.page) for entry in entries],
            base_url=found.base_url,
            prefix=facts.prefix,
            tree=Tree(facts.tracked, history.blob, history.ids),
            folder=build,
            root=Path(facts.root),
            without=without,
        )
    seconds = time.perf_counter() - begun
    return {entry.claim.loc: one for entry, one in zip(entries, mapped.mappings, strict=True)}, seconds


def counted(found: dict[str, Mapping], known: dict[str, dict[str, str]]) -> dict[str, int]:
    """Right, wrong and missing among the pages with a file; lists and those recognised."""
    counts = dict.fromkeys(("files", "right", "wrong", "missing", "lists", "recognised"), 0)
    for loc, mapping in found.items():
        row = known[loc]
        source, deps = row["source"], row["deps"].replace(",", ";").split(";")
        counts["files"] += bool(source)
        if mapping.content and mapping.content != source and mapping.content not in deps * (not source):
            counts["wrong"] += 1
        elif source:
            counts["right" if mapping.content else "missing"] += 1
        if is_list(loc, row, found):
            counts["lists"] += 1
            counts["recognised"] += mapping.kind == "list"
    return counts


def is_list(loc: str, row: dict[str, str], found: Collection[str]) -> bool:
    """Whether the truth has a page for a list."""
    if _MADE.search(loc):
        return False
    if row["known"].startswith("jekyll"):
        # The table marks every text with a loop in it, code samples too; a real list has pages below it.
        return row["kind"] == "list" and any(other != loc and other.startswith(loc) for other in found)
    return row["kind"] in ("list", "virtual")


def table(folder: Path) -> str:
    """The table in Markdown."""
    module = opener(folder)
    lines = [
        "| site | pages with a file | right | wrong | missing | lists | recognised | "
        + " | ".join(f"{way} alone" for way in ALONE)
        + " | without edit links and manifests |",
        "|---|---|---|---|---|---|---|" + "---|" * (len(ALONE) + 1),
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for site, build in BUILDS:
            built = module.open_site(site, build, Path(scratch) / site)
            known = truth(folder, site)
            found, seconds = mappings(built, ())
            all_ways = counted(found, known)
            cells = [f"{all_ways[name]:,}" for name in ("files", "right", "wrong", "missing", "lists", "recognised")]
            for way in ALONE:
                alone = counted(mappings(built, [other for other in WAYS if other != way])[0], known)
                cells.append(f"{alone['right']:,} right, {alone['wrong']} wrong" if alone["right"] else "-")
            fewer = counted(mappings(built, ("edit-link", "manifest"))[0], known)
            cells.append(f"{fewer['right']:,} right, {fewer['wrong']} wrong")
            lines.append(f"| {site} | {' | '.join(cells)} |")
            print(lines[-1], f"{seconds:.2f} s", flush=True)
    return "\n".join(lines)


def main() -> None:
    """Print the table, and write it into the documentation if asked to."""
    text = table(Path(sys.argv[1]).resolve())
    if "--write" in sys.argv:
        write("generators.md", START, END, text)


if __name__ == "__main__":
    main()
