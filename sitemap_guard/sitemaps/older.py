"""What tracked sitemaps said at an older revision."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sitemap_guard.model import Claim, Sitemap
from sitemap_guard.sitemaps.files import Files


def claims_before(
    sitemaps: Sequence[Sitemap],
    place: Callable[[str], str],
    blobs: Mapping[str, str],
    content: Callable[[str], bytes | None],
) -> dict[str, tuple[Claim, ...]]:
    """The older claims of the sitemaps that changed since, by their paths in the site.

    `place` tells a sitemap's path in the repository, `blobs` names the older content of each path there that changed,
    `content` gives it (None: there was none).
    """
    found: dict[str, tuple[Claim, ...]] = {}
    with tempfile.TemporaryDirectory(prefix="sitemap-guard-") as folder:
        files = Files(Path(folder))
        for number, sitemap in enumerate(sitemaps):
            if place(sitemap.path) not in blobs:
                continue
            old = content(blobs[place(sitemap.path)])
            name = f"{number}-{sitemap.path.rpartition('/')[2]}"
            Path(folder, name).write_bytes(old or b"")
            found[sitemap.path] = files.sitemap(name).claims if old else ()
    return found
