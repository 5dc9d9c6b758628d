"""Honest sitemaps for real histories, and lies planted in them: what is found, and what is called a lie that is none.

Usage: python benchmarks/planted_lies.py REPOSITORY … [--ending .md] [--seed 1]

For each repository (a clone with its full history, bare or not) every file with one of the endings is a page. Honest
sitemaps date it by each time of its last change (authored, committed, landed), to the day and to the second; no error
may come of them. Then a tenth of the entries are given lies of six kinds, and what is found is counted.

The truth is asked of git itself, file by file, not of the program: `git log` for the dates of a file, and the text of
its versions for whether a change was of substance (`git diff -w`, or front matter alone). A planted date that happens
to be one of the file's true ones is no lie and is planted again; a lie that differs from the last change by nothing of
substance is counted apart.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple

from sitemap_guard import guard
from sitemap_guard.config import Config, SourceRule
from sitemap_guard.model import Answer, Result

BASE = "https://bench.example.org/"
LIES = ("now", "a day later", "a day earlier", "another page's", "an older change's", "another zone's digits")


class Change(NamedTuple):
    """A commit that `git log -- FILE` names: seconds and zone of author and committer, and when it landed."""

    id: str
    authored: tuple[int, int]
    committed: tuple[int, int]
    landed: tuple[int, int]


class Planted(NamedTuple):
    """One entry: what it claims, and the kind of lie ("" for an honest one)."""

    path: str
    text: str
    lie: str = ""


def git(folder: Path, *args: str) -> str:
    """The output of a git command."""
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", "-C", str(folder), *args], capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "surrogateescape")


def _stamp(raw: str) -> tuple[int, int]:
    seconds, zone = raw.split()
    minutes = int(zone[1:3]) * 60 + int(zone[3:5])
    return int(seconds), -minutes if zone[0] == "-" else minutes


def landings(folder: Path) -> dict[str, tuple[int, int]]:
    """When each commit reached the branch: git's own words, one merge of the first-parent line after the other."""
    found: dict[str, tuple[int, int]] = {}
    line = git(folder, "log", "--first-parent", "--reverse", "--format=%H %cd", "--date=raw").splitlines()
    parents = {
        words[0]: words[1:] for row in git(folder, "log", "--format=%H %P").splitlines() if (words := row.split())
    }
    for row in line:
        commit, raw = row.split(" ", 1)
        reached = [commit]
        while reached:
            one = reached.pop()
            if one not in found:
                found[one] = _stamp(raw)
                reached += parents.get(one, [])
    return found


def changes_of(folder: Path, path: str, landed: dict[str, tuple[int, int]]) -> list[Change]:
    """What `git log -- FILE` answers, newest first."""
    rows = git(folder, "log", "--format=%H%x00%ad%x00%cd", "--date=raw", "--", path).splitlines()
    return [Change(i, _stamp(a), _stamp(c), landed[i]) for row in rows for i, a, c in [row.split("\0")]]


def written(stamp: tuple[int, int], precision: str) -> str:
    """A time as a sitemap writes it, in its own zone."""
    moment = datetime.fromtimestamp(stamp[0], timezone(timedelta(minutes=stamp[1])))
    return f"{moment:%Y-%m-%d}" if precision == "day" else moment.isoformat(timespec="seconds")


def _is_true(change: Change, text: str) -> bool:
    """Whether a text is a defensible date of a change: between its times, a day in UTC's or the commit's zone."""
    times = (change.authored, change.committed, change.landed)
    first, last = min(times)[0], max(times)[0]
    if len(text) == 10:
        zones = {0, *(zone for _, zone in times)}
        days = [datetime.fromtimestamp(s, timezone(timedelta(minutes=z))).date() for s in (first, last) for z in zones]
        return min(days).isoformat() <= text <= max(days).isoformat()
    return first <= int(datetime.fromisoformat(text).timestamp()) <= last


def lie_about(
    kind: str, changes: list[Change], others: list[list[Change]], time_of: str, precision: str, chance: random.Random
) -> str | None:
    """A lie of that kind; None when there is none to tell about this file."""
    last = changes[0]
    stamp = getattr(last, time_of)
    match kind:
        case "now":
            return written((int(time.time()) - 60, 0), precision)
        case "a day later":
            top = max(last.authored, last.committed, last.landed)
            return written((top[0] + 90000, top[1]), precision)
        case "a day earlier":
            low = min(last.authored, last.committed, last.landed)
            return written((low[0] - 90000, low[1]), precision)
        case "another page's":
            return written(getattr(chance.choice(others)[0], time_of), precision)
        case "an older change's" if len(changes) > 1:
            return written(getattr(chance.choice(changes[1:]), time_of), precision)
        case "another zone's digits" if precision == "second" and stamp[1]:
            return written(stamp, precision)[:19] + "+00:00"
    return None


def followed(folder: Path, path: str, landed: dict[str, tuple[int, int]]) -> list[tuple[Change, str]]:
    """The changes of a file under the names it had: git follows it through moves. A copy is a new page."""
    options = ("--follow", "-M50%", "-l0", "--name-status", "--format=%x01%H%x00%ad%x00%cd%x00", "--date=raw")
    found = []
    for record in git(folder, "log", *options, "--", path).split("\1")[1:]:
        commit, authored, committed, status = record.split("\0")
        name = status.strip().rpartition("\t")[2] or path
        found.append((Change(commit, _stamp(authored), _stamp(committed), landed[commit]), name))
        if status.strip().startswith("C"):
            break
    return found


def honest_past(folder: Path, path: str, landed: dict[str, tuple[int, int]], text: str) -> bool:
    """Whether a date is that of an older change, and everything since is white space, front matter or a move."""
    newer = git(folder, "show", f"HEAD:{path}")
    versions = followed(folder, path, landed)
    last = git(folder, "log", "-1", "--format=%H", "--", path).strip()
    parents = git(folder, "log", "-1", "--format=%P", last).split()
    if len(parents) > 1 and not git(folder, "diff-tree", "--cc", "-p", "--no-commit-id", last, "--", path).strip():
        # The merge joins what its sides changed: each side's last change is one of the page.
        sides = [git(folder, "log", "-1", "--format=%H", parent, "--", path).strip() for parent in parents]
        return any(_is_true(change, text) for change in changes_of(folder, path, landed) if change.id in sides)
    for change, name in versions[1:]:
        if name == path and change.id not in git(folder, "log", "--format=%H", "--", name):
            continue  # a copy on a side branch, which git leaves out of the history of the file
        try:
            version = git(folder, "show", f"{change.id}:{name}")
        except subprocess.CalledProcessError:  # it was deleted, and made again later
            return False
        # Step by step: what went there and back again was a change all the same.
        if "".join(newer.split()) != "".join(version.split()) and not _bodies_agree(newer, version):
            return False
        if _is_true(change, text):
            return True
        newer = version
    return False


def _bodies_agree(new: str, old: str) -> bool:
    """Whether two versions differ at most in front matter other than title and description."""
    bodies, counted = [], []
    for text in (new, old):
        mark = next((mark for mark in ("---", "+++") if text.startswith(mark)), "")
        front, _, body = text[3:].partition(f"\n{mark}") if mark else ("", "", text)
        bodies.append("".join(body.split()))
        keys = [re.sub(r"[\s\"']", "", row) for row in front.splitlines() if re.match("(title|description)\\b", row)]
        counted.append(sorted(keys))
    return bodies[0] == bodies[1] and counted[0] == counted[1]


def judge(folder: Path, entries: list[Planted], scratch: Path) -> Result:
    """Check a sitemap of these entries; the pages need not be there."""
    site = scratch / "public"
    site.mkdir(exist_ok=True)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">']
    rules = []
    for number, entry in enumerate(entries):
        lines.append(f"<url><loc>{BASE}{number}</loc><lastmod>{entry.text}</lastmod></url>")
        rules.append(SourceRule(f"/{number}", entry.path))
    (site / "sitemap.xml").write_text("\n".join([*lines, "</urlset>", ""]), "utf-8")
    options = guard.Options(start=scratch, site=str(site), base_url=BASE, repo=str(folder), jobs=1)
    return guard.check(options, Config(source=tuple(rules)))


class Counts:
    """What was found in one repository."""

    def __init__(self) -> None:
        self.false_alarms: Counter[str] = Counter()
        self.planted: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.apart: Counter[str] = Counter()
        self.seconds = 0.0

    def honest(self, result: Result) -> None:
        """Count what is not called true although all of it is."""
        for entry in result.site.entries:
            if entry.verdict.answer is not Answer.TRUE:
                self.false_alarms["honest"] += 1
                why = entry.verdict.rule or entry.verdict.reason
                print("  FALSE ALARM", entry.mapping.content, entry.claim.lastmod, why)

    def lie(self, was: Planted, called: bool, *, apart: bool) -> None:
        """Count one planted date; `apart`: nothing of substance came since, so that it is no lie."""
        if apart:
            self.apart[was.lie] += 1
            self.false_alarms["no substance since"] += called
        else:
            self.planted[was.lie] += 1
            self.found[was.lie] += called
        if called == apart:
            print("  FALSE ALARM, nothing of substance since" if apart else "  MISSED", *was)

    def rows(self, name: str, pages: int) -> str:
        """The figures."""
        lies, found, alarms = self.planted.total(), self.found.total(), self.false_alarms.total()
        precision, recall = (found / (found + alarms), found / lies) if found else (0.0, 0.0)
        kinds = (f"{kind}: {self.found[kind]} of {self.planted[kind]} (+{self.apart[kind]} apart)" for kind in LIES)
        return (
            f"| {name} | {pages:,} | {pages * 6:,} | {self.false_alarms['honest']} | {lies:,} | {found:,} "
            f"| {self.apart.total()} | {precision:.4f} | {recall:.4f} | {self.seconds / 6:.2f} s |\n"
            f"  {', '.join(kinds)}"
        )


def measured(folder: Path, endings: tuple[str, ...], chance: random.Random, most: int) -> str:
    """The rows about one repository."""
    names = git(folder, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
    paths = sorted(path for path in names if path.endswith(endings) and not set(path) & set("{}*?\\\n"))
    paths = sorted(chance.sample(paths, most)) if len(paths) > most else paths
    landed = landings(folder)
    history = {path: changes_of(folder, path, landed) for path in paths}
    counts = Counts()
    with tempfile.TemporaryDirectory() as scratch:
        for time_of in ("authored", "committed", "landed"):
            for precision in ("day", "second"):
                honest = [Planted(path, written(getattr(history[path][0], time_of), precision)) for path in paths]
                begun = time.perf_counter()
                counts.honest(judge(folder, honest, Path(scratch)))
                counts.seconds += time.perf_counter() - begun
                mixed = with_lies(honest, history, time_of, precision, chance)
                result = judge(folder, mixed, Path(scratch))
                for entry, was in zip(result.site.entries, mixed, strict=True):
                    called = entry.verdict.answer is Answer.FALSE
                    if was.lie:
                        called = called or entry.verdict.rule == "lastmod-overstated"
                        counts.lie(was, called, apart=honest_past(folder, was.path, landed, was.text))
                    elif called:
                        counts.false_alarms["among lies"] += 1
                        print("  FALSE ALARM", *was, entry.verdict.rule)
    return counts.rows(folder.parent.name if folder.name == "repo" else folder.name, len(paths))


def with_lies(
    honest: list[Planted], history: dict[str, list[Change]], time_of: str, precision: str, chance: random.Random
) -> list[Planted]:
    """The entries, a tenth of which lie."""
    mixed = list(honest)
    for number in chance.sample(range(len(honest)), max(len(honest) // 10, 6)):
        path = honest[number].path
        others = [history[chance.choice(honest).path] for _ in range(4)]
        kind = chance.choice(LIES)
        text = lie_about(kind, history[path], others, time_of, precision, chance)
        if text is not None and not _is_true(history[path][0], text):
            mixed[number] = Planted(path, text, kind)
    return mixed


def main() -> None:
    """Print a table with a row for each repository, and the kinds of lies below it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--ending", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1000, help="pages of a repository at most (a sample)")
    given = parser.parse_args()
    endings = tuple(given.ending) or (".md", ".mdx", ".rst", ".html")
    print("| repository | pages | honest claims | called false | lies | found | apart | precision | recall | a check |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for repository in given.repositories:
        print(measured(repository.resolve(), endings, random.Random(given.seed), given.most), flush=True)


if __name__ == "__main__":
    main()
