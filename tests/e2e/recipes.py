"""The recipes of docs/recipes.md as they stand there, and small sites to run them on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from conftest import PROJECT, Repo

PAGE = PROJECT / "docs" / "recipes.md"
BASE = "https://docs.garden.example/"
# Each page's own day, and then days on which no page changed: a shallow clone sees those alone.
MARCH, APRIL, MAY, JUNE = 1709283600, 1712826000, 1716282000, 1717232400
DAY = 86400


def block(heading: str, language: str) -> str:
    """The one code block of a language below a heading of the page."""
    section = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    [text] = [part for part in section if part.startswith(f"{heading}\n")]
    [code] = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return str(code)


def grow(repo: Repo, folder: str, front: str = "") -> None:
    """Three pages, each with a commit of its own, and commits of something else."""
    home = "_index.md" if front else "index.md"
    for name, title, at in ((home, "Home", MARCH), ("about.md", "About", APRIL), ("news.md", "News", MAY)):
        repo.commit(title, {f"{folder}/{name}": f"{front.format(title)}# {title}\n\nAll about it.\n"}, at=at)
    for number in range(12):
        repo.commit(f"Note {number}", {"notes.txt": f"{number}\n"}, at=JUNE + number * DAY)


def mkdocs_site(folder: Path, *, true: bool = True) -> Repo:
    """A site of MkDocs: dated by git with the hook of this project's own documentation, by the clock without it."""
    repo = Repo(folder)
    repo.write(".gitignore", "/site/\n__pycache__/\n")
    repo.write("requirements.txt", "mkdocs>=1.6\n")
    settings = f"site_name: Garden\nsite_url: {BASE}\nexclude_docs: hooks/\n"
    if true:
        settings += "hooks: [docs/hooks/dates.py]\n"
        (folder / "docs/hooks").mkdir(parents=True)
        shutil.copy(PROJECT / "docs/hooks/dates.py", folder / "docs/hooks/dates.py")
    repo.write("mkdocs.yml", settings)
    grow(repo, "docs")
    return repo


def hugo_site(folder: Path) -> Repo:
    """A site of Hugo, dated by git. Its history can be cloned as hosts do: in part, or without the files' contents."""
    repo = Repo(folder)
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.write(".gitignore", "/public/\n/out/\n/resources/\n.hugo_build.lock\n")
    repo.write(
        "hugo.toml",
        f'baseURL = "{BASE}"\ntitle = "Garden"\nenableGitInfo = true\ndisableKinds = ["taxonomy", "term", "rss"]\n',
    )
    repo.write(
        "layouts/all.html",
        '<!doctype html>\n<html lang="en"><head><title>{{ .Title }}</title>'
        '<link rel="canonical" href="{{ .Permalink }}"></head>\n<body>{{ .Content }}</body></html>\n',
    )
    repo.write("package.json", '{"private": true, "scripts": {"build": "hugo --gc -d out"}}\n')
    repo.write("check-sitemap.sh", block("One script for hosts with a build command", "sh"))
    grow(repo, "content", "---\ntitle: {}\n---\n")
    return repo
