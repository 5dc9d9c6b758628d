"""The manifests that generators leave behind, found without asking. To add one: its module, and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sitemap_guard.sources.generators.base import Publication
from sitemap_guard.sources.manifests import docusaurus, hexo, sphinx
from sitemap_guard.sources.manifests.base import Where

MANIFESTS: tuple[tuple[str, Callable[[Where], Sequence[Publication]]], ...] = (
    ("searchindex.js", sphinx.read),
    (".docusaurus", docusaurus.read),
    ("db.json", hexo.read),
)
