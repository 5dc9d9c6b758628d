"""Small built sites for tests of the whole job, and the program run on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from conftest import Repo

from sitemap_guard import cli
from sitemap_guard.model import Page
from sitemap_guard.pages.batch import Batch

MARCH = 1772355600  # 2026-03-01T09:00:00Z
MAY = 1777626000  # 2026-05-01T09:00:00Z
BASE = "https://docs.example.org/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def html(path: str, *, source: str = "", head: str = "", canonical: str | None = None) -> str:
    own = BASE + path.removesuffix("index.html")
    edit = f'<a class="edit" href="https://github.com/o/r/edit/main/{source}">Edit</a>' if source else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>'
        f'<link rel="canonical" href="{canonical or own}">{head}</head><body><main>text</main>{edit}</body></html>'
    )


def sitemap(*entries: tuple[str, str | None]) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<urlset xmlns="{NAMESPACE}">']
    for loc, lastmod in entries:
        lines += ["  <url>", f"    <loc>{loc}</loc>"]
        lines += [f"    <lastmod>{lastmod}</lastmod>"] if lastmod is not None else []
        lines += ["  </url>"]
    return "\n".join([*lines, "</urlset>", ""])


def build(folder: Path, pages: dict[str, str], entries: list[tuple[str, str | None]]) -> Path:
    """A built site: pages by path, and a sitemap.xml of the entries."""
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitemap.xml").write_text(sitemap(*entries), "utf-8")
    return folder


def edited(names: Iterable[str], folder: str = "content") -> dict[str, str]:
    """A page for each name, whose edit link leads to the file of that name in the folder."""
    return {f"{name}/index.html": html(f"{name}/index.html", source=f"{folder}/{name}.md") for name in names}


def honest(repo: Repo, *, zone: str = "+0000") -> Repo:
    """Two sources, two pages with edit links, an honest sitemap in an ignored public/."""
    repo.commit("First page", {"content/a.md": "a\n", ".gitignore": "/public/\n"}, at=MARCH, zone=zone)
    repo.commit("Second page", {"content/b.md": "b\n"}, at=MAY)
    build(repo.root / "public", edited("ab"), [(BASE + "a/", "2026-03-01T09:00:00Z"), (BASE + "b/", "2026-05-01")])
    return repo


def run_cli(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Run the program in this process: its exit code, and what it printed and said."""
    code = cli.main(list(args))
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def read_pages(
    folder: Path,
    paths: Sequence[str],
    *,
    edit_links: bool = True,
    progress: Callable[[int, int], None] | None = None,
    jobs: int | None = None,
) -> dict[str, Page]:
    """The facts of each page, read in one batch."""
    with Batch(folder, len(paths), edit_links=edit_links, jobs=jobs) as batch:
        for path in paths:
            batch.add(path)
        return batch.read(progress)
