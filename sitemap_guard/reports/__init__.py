"""Reports: one format a file, each one pure function from a result to text."""

from __future__ import annotations

from collections.abc import Callable

from sitemap_guard.model import Result
from sitemap_guard.reports import github, gitlab, html, json_v1, junit, markdown, rdjson, sarif, text
from sitemap_guard.reports.style import Style

# To add a format: a module with `render(result, style) -> str`, and a line here.
FORMATS: dict[str, Callable[[Result, Style], str]] = {
    "text": text.render,
    "github": github.render,
    "json": json_v1.render,
    "markdown": markdown.render,
    "sarif": sarif.render,
    "junit": junit.render,
    "gitlab": gitlab.render,
    "rdjson": rdjson.render,
    "html": html.render,
}

__all__ = ["FORMATS", "Style"]
