"""Small built sites for end-to-end tests."""

from __future__ import annotations

from pathlib import Path

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
