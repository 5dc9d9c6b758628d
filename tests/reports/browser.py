"""A real Chromium for tests, where there is one. Nothing is installed when tests run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; skips the test, loudly, when there is none (SITEMAP_GUARD_CHROMIUM names one elsewhere)."""
    found = os.environ.get("SITEMAP_GUARD_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.skip(f"NOT TESTED in a browser: none of {', '.join(NAMES)} is there (SITEMAP_GUARD_CHROMIUM names one)")
    api = pytest.importorskip("playwright.sync_api", reason="NOT TESTED in a browser: playwright is not there")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()
