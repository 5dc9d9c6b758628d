"""Counts the verdicts on six real sites, as data, and writes the table in docs/how-dates-are-judged.md.

Usage: python benchmarks/real_sites.py FOLDER [--write]

FOLDER holds the sites (open.py, and a folder for each with its history, builds and truth.tsv). Sources are found
without a configuration. For the pages that include other files (whose text the data leave out), the truth table
stands in for the `[[source]]` rules that the site's owner would write, with those files as `also`.
"""

from __future__ import annotations

import csv
import importlib.util
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitemap_guard import guard
from sitemap_guard.config import Config, Dates, SourceRule
from sitemap_guard.model import Result

# Each build, the site's time zone, and what is known about its dates.
BUILDS = [
    ("vuejs-docs", "lastupdated", "UTC", "honest: author dates"),
    ("js-lingui", "git", "UTC", "honest: committer dates"),
    ("letsencrypt", "git", "America/Los_Angeles", "honest: author dates"),
    ("jekyll", "lastmod", "America/Los_Angeles", "honest: committer dates"),
    ("hugodocs", "git", "Europe/Oslo", "one pass without merges: copies of changes overstate"),
    ("click", "html", "UTC", "merges counted as changes: overstated"),
    ("letsencrypt", "asis", "America/Los_Angeles", "front-matter dates, many long outdated"),
    ("jekyll", "asis", "America/Los_Angeles", "the build's clock on 92 pages, front matter on the others"),
]
START, END = "<!-- real sites: written by benchmarks/real_sites.py -->", "<!-- end of real sites -->"


def opener(folder: Path) -> Any:
    """The module that recreates a site."""
    spec = importlib.util.spec_from_file_location("real_open", folder / "open.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{folder}: no open.py there")
    module = importlib.util.module_from_spec(spec)
    sys.modules["real_open"] = module
    spec.loader.exec_module(module)
    return module


def truth(folder: Path, site: str) -> dict[str, dict[str, str]]:
    """The truth table of a site, by URL."""
    with (folder / site / "truth.tsv").open(encoding="utf-8", newline="") as file:
        return {row["url"]: row for row in csv.DictReader(file, delimiter="\t")}


def rules_for(result: Result, known: dict[str, dict[str, str]]) -> tuple[SourceRule, ...]:
    """A rule for each page whose source was not found by itself, or that is made from further files."""
    found = []
    for entry in result.site.entries:
        row = known.get(entry.claim.loc)
        if row is not None and row["source"] and (row["deps"] or not entry.mapping.content):
            also = tuple(part for part in row["deps"].replace(";", ",").split(",") if part.strip())
            path = urlsplit(entry.claim.loc).path.removeprefix(urlsplit(result.site.base_url).path.rstrip("/"))
            found.append(SourceRule(path, row["source"], tuple(part.strip() for part in also)))
    return tuple(found)


def check(build: Path, rules: tuple[SourceRule, ...], zone: str) -> tuple[Result, float]:
    """One check of a built site, and the seconds it took."""
    begun = time.perf_counter()
    config = Config(source=rules, dates=Dates(zone=zone))
    result = guard.check(guard.Options(start=build, site=str(build)), config)
    return result, time.perf_counter() - begun


def _causes(result: Result) -> str:
    """What the dates that are not honest have in common."""
    causes = Counter(entry.verdict.cause for entry in result.site.entries if entry.verdict.cause)
    return ", ".join(f"{cause} ({count:,})" for cause, count in causes.most_common()) or "-"


def table(folder: Path) -> str:
    """The table in Markdown."""
    module = opener(folder)
    lines = [
        "| site, build | entries | true | false | cannot tell | absent | errors | overstated | stale | habit | cause |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for site, build, zone, _ in BUILDS:
            built = module.open_site(site, build, Path(scratch) / f"{site}-{build}")
            alone, _ = check(built, (), zone)
            result, seconds = check(built, rules_for(alone, truth(folder, site)), zone)
            s = result.summary
            about = sum(
                1 for f in result.findings if f.level.word == "error" and f.rule.startswith(("lastmod", "history"))
            )
            overstated = sum(1 for f in result.findings if f.rule == "lastmod-overstated")
            stale = sum(1 for f in result.findings if f.rule == "lastmod-field-stale")
            lines.append(
                f"| {site} `{build}` | {s.urls:,} | {s.true:,} | {s.false:,} | {s.cannot_tell:,} | {s.absent:,} "
                f"| {about:,} | {overstated:,} | {stale:,} | {s.fit or '-'} | {_causes(result)} |"
            )
            print(lines[-1], f"{seconds:.2f} s", flush=True)
    return "\n".join(lines)


def write(page: str, start: str, end: str, text: str) -> None:
    """Put a text between two marks of a page of the documentation, in place of what stands there."""
    file = Path(__file__).resolve().parent.parent / "docs" / page
    before, _, rest = file.read_text("utf-8").partition(start)
    file.write_text(f"{before}{start}\n{text}\n{end}{rest.partition(end)[2]}", "utf-8")


def main() -> None:
    """Print the table, and write it into the documentation if asked to."""
    text = table(Path(sys.argv[1]).resolve())
    if "--write" in sys.argv:
        write("how-dates-are-judged.md", START, END, text)


if __name__ == "__main__":
    main()
