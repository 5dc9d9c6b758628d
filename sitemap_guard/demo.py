"""The demo: a small repository with history and a built site in it, with one lie of each common kind."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from sitemap_guard.config import Config
from sitemap_guard.model import Result, UserError
from sitemap_guard.reports.safe import clean

_HOST = "https://docs.example.org"
_REPOSITORY = "https://github.com/example/docs"
_DAY = 86400
# Each page: how many days ago it changed, the commit's subject, and what the sitemap says about it.
_PAGES = {
    "index": (200, "Welcome page", "honest"),
    "guide": (46, "Explain the cache", "clock"),
    "install": (310, "Installing on three systems", "clock"),
    "faq": (120, "Answer the usual questions", "clock"),
    "api": (12, "New parameters of fetch", "old"),
    "changelog": (30, "Release notes", "honest"),
    "license": (400, "Licence", "no-zone"),
    "old-guide": (90, "The guide has moved", "redirect"),
    "internal": (60, "Notes for ourselves", "noindex"),
    "about": (150, "Who we are", "canonical"),
    "contact": (75, "How to reach us", "host"),
}


class Made(Struct, frozen=True):
    """Where the demo's repository is."""

    folder: Path


@contextmanager
def site(keep: str = "") -> Iterator[Made]:
    """Make the demo's repository, in `keep` or in a temporary folder that is taken away afterwards.

    Raises:
        UserError: `keep` exists and is not empty, or cannot be made; git is not there.
    """
    if keep:
        folder = Path(keep)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            taken = any(folder.iterdir())
        except OSError as error:
            raise UserError(f"{keep}: the demo cannot be made there: {error.strerror or error}") from None
        if taken:
            raise UserError(f"{keep}: the folder is not empty; name a new one for the demo")
        _build(folder)
        yield Made(folder.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="sitemap-guard-demo-", ignore_cleanup_errors=True) as name:
        _build(Path(name))
        yield Made(Path(name))


def check(made: Made) -> Result:
    """Check the demo's site, as `sitemap-guard check` would in its folder."""
    from sitemap_guard import guard

    return guard.check(guard.Options(start=made.folder), Config())


def introduction(made: Made) -> str:
    """What the demo has made, in words."""
    return (
        f"A documentation site of {len(_PAGES)} pages, each with its history in git, was built into public/.\n"
        f"Its sitemap holds the common lies. In {clean(made.folder.name)}: sitemap-guard check\n"
    )


def closing(made: Made, code: int, *, kept: bool) -> str:
    """How the check ended, and where to go on."""
    where = (
        f"\nThe site is in {clean(str(made.folder))}; mend public/sitemap.xml there and check again."
        if kept
        else "\nThis site was made in a temporary folder and is gone; to try things out on it: "
        "sitemap-guard demo --keep DIR"
    )
    return (
        f"\nThe check ends with exit code {code}: a build would fail here. On your own site: sitemap-guard check{where}"
    )


def _build(folder: Path) -> None:
    now = int(time.time())
    _git(folder, "init", "--quiet", "--initial-branch=main")
    for name, (days, subject, _) in sorted(_PAGES.items(), key=lambda page: -page[1][0]):
        file = folder / "content" / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# {name.title()}\n\n{subject}.\n", "utf-8")
        _git(folder, "add", "--", f"content/{name}.md")
        _git(folder, "commit", "--quiet", "--message", subject, when=now - days * _DAY)
    public = folder / "public"
    (folder / ".git" / "info" / "exclude").write_text("/public/\n", "utf-8")
    for name, (_, _, lie) in _PAGES.items():
        page = public / ("index.html" if name == "index" else f"{name}/index.html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_html(name, lie), "utf-8")
    (public / "robots.txt").write_text(f"Sitemap: {_HOST}/sitemap.xml\n", "utf-8")
    (public / "sitemap.xml").write_text(_sitemap(now), "utf-8")


def _git(folder: Path, *args: str, when: int = 0) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    person = {"NAME": "A Writer", "EMAIL": "writer@example.org", "DATE": f"{when} +0200"}
    own = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    settings = ("-c", "commit.gpgSign=false", "-c", "core.hooksPath=", "-c", "core.autocrlf=false")
    try:
        done = subprocess.run(
            ["git", *settings, *args], cwd=folder, env={**kept, **own}, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise UserError(f"the demo needs git, which cannot be run: {error.strerror}; install git") from None
    if done.returncode:
        raise UserError(f"the demo's repository could not be made: {done.stderr.strip() or done.returncode}")


def _address(name: str) -> str:
    return f"{_HOST}/" if name == "index" else f"{_HOST}/{name}/"


def _html(name: str, lie: str) -> str:
    canonical = "https://www.example.org/about/" if lie == "canonical" else _address(name)
    extra = {
        "redirect": '<meta http-equiv="refresh" content="0; url=/guide/">',
        "noindex": '<meta name="robots" content="noindex, nofollow">',
    }.get(lie, "")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{name.title()}</title>\n'
        f'<link rel="canonical" href="{canonical}">\n{extra}\n</head>\n<body>\n<main><h1>{name.title()}</h1></main>\n'
        f'<footer><a class="edit" href="{_REPOSITORY}/edit/main/content/{name}.md">Edit</a></footer>\n'
        "</body>\n</html>\n"
    )


def _sitemap(now: int) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">']
    for name, (days, _, lie) in _PAGES.items():
        changed = now - days * _DAY
        moment = {"clock": now - 60, "old": changed - 500 * _DAY}.get(lie, changed)
        date = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        loc = _address(name)
        if lie == "no-zone":
            date = date.removesuffix("Z")
        if lie == "host":
            loc = loc.replace("docs.example.org", "www.docs.example.org")
        lines += ["  <url>", f"    <loc>{loc}</loc>", f"    <lastmod>{date}</lastmod>", "  </url>"]
    lines += ["  <url>", f"    <loc>{_HOST}/draft/</loc>", "  </url>", "</urlset>", ""]
    return "\n".join(lines)
