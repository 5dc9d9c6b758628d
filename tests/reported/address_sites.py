"""Small built sites for faults that users reported, and what a check says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sitemap_guard import cli

BASE = "https://docs.example.org/"
SPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def page(url: str | None = None, *, head: str = "", lang: str = "en") -> str:
    own = f'<link rel="canonical" href="{url}">' if url else ""
    return f'<!doctype html><html lang="{lang}"><head><title>t</title>{own}{head}</head><body><p>text</p></body></html>'


def entry(loc: str, lastmod: str = "", alternates: dict[str, str] | None = None) -> str:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>' for code, href in (alternates or {}).items()
    )
    return f"<url><loc>{loc}</loc>" + (f"<lastmod>{lastmod}</lastmod>" if lastmod else "") + f"{links}</url>"


def urlset(*entries: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {SPACES}>\n' + "\n".join(entries) + "\n</urlset>\n"


def index(*children: str) -> str:
    return f"<?xml version='1.0'?>\n<sitemapindex {SPACES}>\n" + "\n".join(children) + "\n</sitemapindex>\n"


class Site:
    """A built site in `public/` of an empty project folder."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys

    def write(self, files: dict[str, str | bytes]) -> Site:
        for name, text in files.items():
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self

    def check(self, *args: str) -> dict[str, Any]:
        """The JSON report."""
        code = cli.main(["check", "public", "--format", "json", *args])
        out, err = self._capsys.readouterr()
        assert code in (0, 1, 2), err
        return dict(json.loads(out)) | {"code": code}

    def found(self, *args: str) -> list[tuple[str, str]]:
        """Rule and level of each finding but those on dates and history."""
        kept = [
            finding
            for finding in self.check(*args)["findings"]
            if not finding["rule"].startswith(("lastmod", "history"))
        ]
        return [(finding["rule"], finding["level"]) for finding in kept]

    def rules(self, *args: str) -> set[str]:
        return {rule for rule, _ in self.found(*args)}

    def messages(self, rule: str, *args: str) -> list[str]:
        return [finding["message"] for finding in self.check(*args)["findings"] if finding["rule"] == rule]
