"""The generators that are known, in one list that a reader sees whole. To add one: its module (see `base`), a line
here, and its name among those that sign pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sitemap_guard.sources.generators import (
    astro,
    docusaurus,
    eleventy,
    gatsby,
    hexo,
    hugo,
    jekyll,
    mkdocs,
    nextjs,
    nikola,
    pelican,
    sphinx,
    vitepress,
    zola,
)
from sitemap_guard.sources.generators.base import Hints, Layout
from sitemap_guard.sources.tree import Tree

Find = Callable[[Tree, Hints], Sequence[Layout]]

GENERATORS: tuple[Find, ...] = (
    hugo.find,
    jekyll.find,
    mkdocs.find,
    sphinx.find,
    docusaurus.find,
    vitepress.find,
    eleventy.find,
    astro.find,
    hexo.find,
    nextjs.find,
    gatsby.find,
    pelican.find,
    nikola.find,
    zola.find,
)

# Names under which generators sign their pages (`<meta name=generator>`, lower case).
BUILDERS = (
    "hugo", "jekyll", "mkdocs", "zensical", "sphinx", "docutils", "docusaurus", "vitepress", "vuepress", "eleventy",
    "astro", "starlight", "hexo", "next.js", "gatsby", "pelican", "nikola", "zola", "mdbook", "quarto", "antora",
)  # fmt: skip
