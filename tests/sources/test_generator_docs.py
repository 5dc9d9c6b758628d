"""The manifests that the documentation shows are those that the real builds run."""

from __future__ import annotations

import re

import pytest
from conftest import PROJECT

PAGE = PROJECT / "docs" / "generators.md"
SHOWN = {
    "Eleventy": ("js", "eleventy/site/eleventy.config.js"),
    "Astro and Starlight": ("js", "astro/site/src/pages/sources.json.js"),
    "Next.js": ("js", "next/site/scripts/sources.mjs"),
    "Gatsby": ("js", "gatsby/site/gatsby-node.js"),
    "Pelican": ("python", "pelican/site/plugins/sources.py"),
    "Nikola": ("python", "nikola/site/tools/sources.py"),
}
# Lines in which a page shows one collection where the test's site has three.
_OTHER = re.compile(r"JSON\.stringify\(\[|allMarkdownRemark|\(node\) =>|^\);$|rows = data")


def code(text: str) -> list[str]:
    lines = (re.sub(r"\s*(?://|#)\s.*$", "", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


@pytest.mark.parametrize("generator", SHOWN)
def test_the_snippet_is_the_one_that_is_tested(generator: str) -> None:
    language, file = SHOWN[generator]
    section = PAGE.read_text("utf-8").split(f"\n### {generator}\n")[1].split("\n### ")[0]
    blocks = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    tested = code((PROJECT / "tests" / "real_builds" / file).read_text("utf-8"))
    assert blocks
    missing = [line for block in blocks for line in code(block) if line not in tested and not _OTHER.search(line)]
    assert not missing
