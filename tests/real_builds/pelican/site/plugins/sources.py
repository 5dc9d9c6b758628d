"""Writes the manifest: each page's address and file, as the documentation shows it."""

import csv
import os

from pelican import signals

rows = []


def note(path, context):
    page = context.get("article") or context.get("page")
    if page is not None and hasattr(page, "source_path"):
        rows.append((f"{page.settings['SITEURL']}/{page.url}", os.path.relpath(page.source_path)))


def write(pelican):
    with open("sources.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("url", "path"), *sorted(set(rows))])


def register():
    signals.content_written.connect(note)
    signals.finalized.connect(write)
