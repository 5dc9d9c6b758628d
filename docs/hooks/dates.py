"""A hook for MkDocs: each page is dated by the last commit of its source, and not by the day of the build."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Set the date that the sitemap shows: none where git knows none."""
    source = Path(page.file.abs_src_path)
    asked = subprocess.run(
        ["git", "-C", str(source.parent), "log", "-1", "--format=%cs", "--", source.name],
        check=False,
        capture_output=True,
        text=True,
    )
    page.update_date = asked.stdout.strip()
    return markdown
