"""Makes a large documentation site with its git history, for benchmarks.

    python benchmarks/corpus.py DEST [--files 50000] [--commits 60000] [--lies 20] [--no-site]

DEST becomes a repository: `content/section-NNN/page-NNNNN.md` in folders of about 500 files, a history of small
commits (1-5 files), a few bulk ones, short branches merged into main (5 % of the commits are merges), some of
which took main in before (back-merges), and conflicts that a merge solves with a text of its own. The history is
streamed through `git fast-import`; the same arguments give the same history to the last bit.

DEST/public (ignored by git) is the built site: one page of about 8 KB for each file, with a canonical link and a
GitHub edit link, robots.txt, and sitemaps of at most 50,000 entries (behind an index if there are more than one)
whose lastmod are the author dates of the last changes. Those are known without asking git, since every revision
of a file is a text of its own: the commit that wrote it is the file's last change.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import IO

BASE_URL = "https://docs.example.org/"
EDIT_URL = "https://github.com/example/docs/edit/main/"
PER_SITEMAP = 50_000
START = 1_262_304_000  # 2010-01-01
ZONES = (0, 0, 0, 60, 120, -300, -480, 330)
LIES = ("build-clock", "too-old", "too-new", "unmatched")
TEXT = (
    "the page shows how a server reads its settings before any request is answered and which of them may be "
    "changed while it runs so that no client has to wait for a restart of the whole group of machines"
)
WORDS = TEXT.split()


@dataclass
class Corpus:
    """What was made. `dates` maps a repository path to (author seconds, zone minutes) of its last change."""

    root: Path
    site: Path
    head: str = ""
    commits: int = 0
    merges: int = 0
    dates: dict[str, tuple[int, int]] = field(default_factory=dict)
    lies: dict[str, str] = field(default_factory=dict)


@dataclass
class _Branch:
    """A line of work: its tip's mark, and the files (number -> revision) that it wrote itself."""

    tip: int
    forked: int  # how many commits main had
    left: int
    own: dict[int, int] = field(default_factory=dict)
    taken: int = 0  # main's commits that a back-merge has brought in


class _History:
    """Writes the fast-import stream. A commit's mark is its number, counted from 1."""

    def __init__(self, out: IO[bytes], corpus: Corpus, files: int, commits: int, folder: int, seed: int) -> None:
        self.out, self.corpus, self.files, self.commits, self.folder = out, corpus, files, commits, folder
        self.random = random.Random(seed)
        self.mark = 0
        self.tip = 0
        self.clock = START
        self.step = max(60, (16 * 365 * 86400) // commits)
        self.revision = 0
        self.main: dict[int, int] = {}  # file -> its revision on main
        self.log: list[list[int]] = []  # main's first-parent line: the files each of its commits touched
        self.written: dict[int, tuple[int, int]] = {}  # revision -> author date of the commit that wrote it

    def path(self, number: int) -> str:
        return source_path(number, self.folder)

    def commit(self, parents: list[int], changes: dict[int, int | None], subject: str) -> dict[int, int]:
        """One commit. `changes`: file -> revision that exists already, or None for a new text."""
        rng = self.random
        self.mark += 1
        self.clock += rng.randint(1, 2 * self.step)
        zone = rng.choice(ZONES)
        # One commit in ten was rebased or amended: its author date lies days before.
        authored = self.clock - (rng.randint(3600, 20 * 86400) if rng.random() < 0.1 else 0)
        lines = [f"commit refs/heads/main\nmark :{self.mark}\n"]
        lines.append(f"author W <w@example.org> {authored} {_zone(zone)}\n")
        lines.append(f"committer W <w@example.org> {self.clock} {_zone(zone)}\n")
        lines.append(f"data {len(subject)}\n{subject}\n")
        for position, parent in enumerate(parents):
            lines.append(f"{'merge' if position else 'from'} :{parent}\n")
        done: dict[int, int] = {}
        for number, known in changes.items():
            if known is None:
                self.revision += 1
                self.written[self.revision] = (authored, zone)
            revision = done[number] = known or self.revision
            text = f"---\ntitle: Page {number}\n---\n\nRevision {revision} of page {number}.\n"
            lines.append(f"M 100644 inline {self.path(number)}\ndata {len(text)}\n{text}\n")
        self.out.write("".join(lines).encode())
        return done

    def on_main(self, parents: list[int], changes: dict[int, int | None], subject: str) -> None:
        done = self.commit(parents, changes, subject)
        self.main.update(done)
        self.log.append(list(done))
        self.tip = self.mark

    def touched(self, born: int) -> list[int]:
        rng = self.random
        if rng.random() < 0.5:  # half of all work goes on in a tenth of the pages, as it does in real sites
            return [rng.randrange(born) // 10 for _ in range(rng.randint(1, 5))]
        return [rng.randrange(born) for _ in range(rng.randint(1, 5))]

    def write(self) -> None:
        rng = self.random
        born = self.files * 4 // 5
        bulk = max(1, self.commits // 600)
        for first in range(0, born, -(-born // bulk)):
            chunk = range(first, min(born, first + -(-born // bulk)))
            self.on_main([self.tip] if self.tip else [], dict.fromkeys(chunk), "Import pages")
        branches: list[_Branch] = []
        while self.mark < self.commits:
            due = self.files * 4 // 5 + (self.files - self.files * 4 // 5) * self.mark // self.commits
            dice = rng.random()
            if born < due + 1 and born < self.files:
                self.on_main([self.tip], {born: None}, "Add a page")
                born += 1
            elif dice < 0.055 and len(branches) < 4:
                branches.append(_Branch(self.tip, len(self.log), rng.randint(1, 5), taken=len(self.log)))
            elif branches and dice < 0.30:
                self.work(rng.choice(branches), branches, born)
            elif dice > 0.9997:
                self.on_main([self.tip], dict.fromkeys(rng.sample(range(born), born // 30)), "Format many pages")
            else:
                self.on_main([self.tip], dict.fromkeys(self.touched(born)), "Edit pages")
        while born < self.files:
            self.on_main([self.tip], {born: None}, "Add a page")
            born += 1
        self.corpus.commits = self.mark
        for number, revision in self.main.items():
            self.corpus.dates[self.path(number)] = self.written[revision]

    def work(self, branch: _Branch, branches: list[_Branch], born: int) -> None:
        rng = self.random
        if branch.left > 0:
            if branch.own and rng.random() < 0.15 and branch.taken < len(self.log):
                news = {n for files in self.log[branch.taken :] for n in files} - branch.own.keys()
                self.commit([branch.tip, self.tip], {n: self.main[n] for n in sorted(news)}, "Merge main")
                branch.taken = len(self.log)
                self.corpus.merges += 1
            else:
                branch.own.update(self.commit([branch.tip], dict.fromkeys(self.touched(born)), "Work"))
                branch.left -= 1
            branch.tip = self.mark
            return
        branches.remove(branch)
        news = {n for files in self.log[branch.forked :] for n in files}
        # A page that both sides wrote is a conflict: the merge writes a third text.
        changes = {n: None if n in news else revision for n, revision in branch.own.items()}
        self.on_main([self.tip, branch.tip], changes, "Merge a branch")
        self.corpus.merges += 1


def source_path(number: int, folder: int) -> str:
    """The source of a page, from the repository's root."""
    return f"content/section-{number // folder:03}/page-{number:05}.md"


def _zone(minutes: int) -> str:
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"


def _iso(seconds: int, zone: int) -> str:
    moment = datetime.fromtimestamp(seconds, UTC).astimezone(timezone(timedelta(minutes=zone)))
    return moment.isoformat(timespec="seconds")


def _git(root: Path, *args: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    done = subprocess.run(["git", "-C", str(root), *args], check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()


def _page(path: str, url: str, number: int, folder: int, size: int) -> str:
    rng = random.Random(number)
    first = number - number % folder
    siblings = (first + rng.randrange(folder) for _ in range(20))
    links = "\n".join(f'<li><a href="/section-{n // folder:03}/page-{n:05}/">Page {n}</a></li>' for n in siblings)
    head = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Page {number}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Page {number} of a large site.">
<link rel="canonical" href="{url}">
<link rel="stylesheet" href="/css/site.css">
</head>
<body>
<header><a href="/">Documentation</a></header>
<nav><ul>
{links}
</ul></nav>
<main><h1>Page {number}</h1>
"""
    foot = f"""</main>
<footer><a class="edit-page" href="{EDIT_URL}{path}">Edit this page</a></footer>
</body>
</html>
"""
    paragraphs = []
    room = size - len(head) - len(foot)
    while room > 0:
        text = f"<p>{' '.join(rng.choices(WORDS, k=90))}.</p>\n"
        paragraphs.append(text)
        room -= len(text)
    return head + "".join(paragraphs) + foot


def _lie(kind: str, seconds: int, zone: int, built: int) -> str:
    match kind:
        case "build-clock":
            return _iso(built, 0)
        case "too-old":
            return _iso(START - 400 * 86400, zone)
        case "too-new":
            return _iso(built - 3600, zone)
    return _iso(seconds - 12345, zone)


def _sitemaps(corpus: Corpus, entries: Iterator[tuple[str, str]]) -> None:
    rows = [f"<url><loc>{url}</loc><lastmod>{lastmod}</lastmod></url>\n" for url, lastmod in entries]
    opening = '<?xml version="1.0" encoding="UTF-8"?>\n<{} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    parts = [rows[first : first + PER_SITEMAP] for first in range(0, len(rows), PER_SITEMAP)]
    names = ["sitemap.xml"] if len(parts) == 1 else [f"sitemap-{n}.xml" for n in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        (corpus.site / name).write_text(opening.format("urlset") + "".join(part) + "</urlset>\n")
    if len(parts) > 1:
        index = "".join(f"<sitemap><loc>{BASE_URL}{name}</loc></sitemap>\n" for name in names)
        (corpus.site / "sitemap.xml").write_text(opening.format("sitemapindex") + index + "</sitemapindex>\n")
    (corpus.site / "robots.txt").write_text(f"User-agent: *\nDisallow:\n\nSitemap: {BASE_URL}sitemap.xml\n")


def write_site(corpus: Corpus, folder: int, size: int = 8192, lies: int = 0, seed: int = 1) -> None:
    """Write DEST/public. `lies` false dates are planted, of four kinds in turn; `corpus.lies` says where."""
    built = int(_git(corpus.root, "log", "-1", "--format=%ct")) + 86400
    paths = sorted(corpus.dates)
    liars = random.Random(seed).sample(paths, min(lies, len(paths)))
    kinds = {path: LIES[position % len(LIES)] for position, path in enumerate(liars)}

    def entries() -> Iterator[tuple[str, str]]:
        for path in paths:
            number = int(path[-8:-3])
            address = path.removeprefix("content/").removesuffix(".md") + "/"
            place = corpus.site / address
            place.mkdir(parents=True)
            (place / "index.html").write_text(_page(path, BASE_URL + address, number, folder, size))
            seconds, zone = corpus.dates[path]
            if path in kinds:
                corpus.lies[BASE_URL + address] = kinds[path]
                yield BASE_URL + address, _lie(kinds[path], seconds, zone, built)
            else:
                yield BASE_URL + address, _iso(seconds, zone)

    corpus.site.mkdir(parents=True)
    _sitemaps(corpus, entries())


def make_corpus(
    dest: Path,
    files: int = 50_000,
    commits: int = 60_000,
    *,
    folder: int = 500,
    seed: int = 1,
    site: bool = True,
    checkout: bool = True,
    size: int = 8192,
    lies: int = 0,
) -> Corpus:
    """Make the repository in `dest` (must be new or empty), check it out, and write its site; see the module.

    `folder` files a folder, HTML pages of `size` bytes, `lies` planted false dates. A summary is written to
    DEST/corpus.json (ignored by git).
    """
    if dest.exists() and any(dest.iterdir()):
        raise SystemExit(f"{dest} is not empty")
    dest.mkdir(parents=True, exist_ok=True)
    corpus = Corpus(dest, dest / "public")
    _git(dest, "init", "-q", "-b", "main")
    _git(dest, "config", "gc.auto", "0")
    (dest / ".git" / "info").mkdir(exist_ok=True)
    (dest / ".git" / "info" / "exclude").write_text("/public/\n/corpus.json\n")
    importer = subprocess.Popen(["git", "-C", str(dest), "fast-import", "--quiet", "--force"], stdin=subprocess.PIPE)
    assert importer.stdin is not None
    with importer.stdin as out:
        _History(out, corpus, files, commits, folder, seed).write()
        out.write(f"reset refs/heads/main\nfrom :{corpus.commits}\n".encode())
    if importer.wait():
        raise SystemExit("git fast-import failed")
    corpus.head = _git(dest, "rev-parse", "main")
    if checkout:
        _git(dest, "reset", "-q", "--hard", "main")
    if site:
        write_site(corpus, folder, size, lies, seed)
    summary = {
        "files": len(corpus.dates),
        "commits": corpus.commits,
        "merges": corpus.merges,
        "head": corpus.head,
        "lies": corpus.lies,
    }
    (dest / "corpus.json").write_text(json.dumps(summary, indent=1) + "\n")
    return corpus


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--commits", type=int, default=60_000)
    parser.add_argument("--folder", type=int, default=500, help="files in a folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=8192, help="bytes of an HTML page")
    parser.add_argument("--lies", type=int, default=0, help="how many lastmod are false")
    parser.add_argument("--no-site", action="store_true", help="history only")
    parser.add_argument("--force", action="store_true", help="delete DEST first")
    args = parser.parse_args()
    if args.force and (args.dest / "corpus.json").exists():
        shutil.rmtree(args.dest)
    corpus = make_corpus(
        args.dest,
        args.files,
        args.commits,
        folder=args.folder,
        seed=args.seed,
        site=not args.no_site,
        checkout=not args.no_site,
        size=args.size,
        lies=args.lies,
    )
    print(f"{len(corpus.dates)} files, {corpus.commits} commits, {corpus.merges} merges, head {corpus.head}")


if __name__ == "__main__":
    main()
