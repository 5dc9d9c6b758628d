"""The content that a route reads: folders, found by the literal paths in its program, and what their files go by.

A route's module, and the local modules that it imports, name the folder (`path.join(process.cwd(), "content/posts")`).
Nothing is run: only texts that are a tracked folder with content files count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sitemap_guard.sources.generators.base import Clues
from sitemap_guard.sources.generators.permalinks import dated, first_day, stem_of
from sitemap_guard.sources.includes import mdx_includes
from sitemap_guard.sources.matter import as_text
from sitemap_guard.sources.scripts import setting, strings, without_comments
from sitemap_guard.sources.tree import Tree, below, folder_of, join, with_suffix

CONTENT = (".md", ".mdx", ".markdown", ".mdoc")
# Content that comes from elsewhere, or in a way that is not understood.
_ELSEWHERE = re.compile(
    r"\bfetch\(|\baxios\b|graphql|prisma|sanity|contentful|supabase|\bfs\b|readFile|readdir|import\.meta\.glob|require\.context"
    r"|contentlayer|velite|\bglob\(|createClient|keystatic|nextra",
    re.IGNORECASE,
)
# Imports whose functions bring no content.
_PLAIN = re.compile(
    r"^(?:react|next|gatsby|astro|clsx|classnames)(?:[/:-](?!content|mdx)|$)|^node:(?:path|url)$|^path$|\.(?:json|ya?ml|csv|toml|css)$"
)
_IMPORTED = re.compile(r"""\bimport\s+(?:type\s+)?([^'"`;]{1,2000}?)\s+from\s*['"]([^'"\n]+)['"]""")
_JOIN = re.compile(
    r"(?:join|resolve)\(\s*(?:process\.cwd\(\)\s*,\s*|__dirname\s*,\s*)?((?:[\"'`][^\"'`\n$]*[\"'`]\s*,?\s*)+)"
)
_TYPE = re.compile(r"""name\s*:\s*["'](\w+)["']\s*,\s*filePathPattern\s*:\s*["'`]([^"'`\n]+)["'`]""")
_RINGS = 3
_MOST = 40  # modules


def modules(tree: Tree, file: str, aliases: dict[str, str]) -> list[tuple[str, str]]:
    """A module and the local ones that it imports, with their texts."""
    found: dict[str, str] = {file: without_comments(tree.text(file) or "")}
    ring = [file]
    for _ in range(_RINGS):
        nearest = [
            other
            for path in ring
            for other in mdx_includes(tree, path, found[path], aliases)
            if other not in found and other.endswith((".js", ".jsx", ".ts", ".tsx", ".mjs"))
        ]
        ring = list(dict.fromkeys(nearest))
        found.update((path, without_comments(tree.text(path) or "")) for path in ring)
        if not ring or len(found) > _MOST:
            break
    return list(found.items())


def data_files(tree: Tree, file: str, text: str, aliases: dict[str, str]) -> list[str]:
    """The data files that a module imports."""
    return [
        path for path in mdx_includes(tree, file, text, aliases) if path.endswith((".json", ".yml", ".yaml", ".csv"))
    ]


def folders(tree: Tree, place: str, texts: Sequence[str]) -> list[str]:
    """The folders with content files that the texts name, the deepest of those that lie in each other."""
    found: dict[str, None] = {}
    for text in texts:
        joined = ["/".join(strings(match[1])) for match in _JOIN.finditer(text)]
        for name in (*joined, *strings(text)):
            folder = join(place, name.strip())
            if name.strip("./ ") and ".." not in name and "\0" not in name and with_suffix(tree.under(folder), CONTENT):
                found[folder] = None
    return [one for one in found if not any(other != one and other.startswith(f"{one}/") for other in found)]


def contentlayer(tree: Tree, place: str, texts: Sequence[str]) -> list[str]:
    """The folders of the document types of Contentlayer that the texts use (`allPosts`), and what these lie in."""
    if not any("contentlayer" in text for text in texts):
        return []
    configs = (tree.text(join(place, f"contentlayer.config.{suffix}")) for suffix in ("ts", "js", "mjs"))
    config = without_comments(next((text for text in configs if text is not None), ""))
    root = join(place, setting(config, "contentDirPath") or "")
    found: dict[str, None] = {}
    for name, pattern in _TYPE.findall(config):
        if any(re.search(rf"\ball{re.escape(name[:-1])}\w*", text) for text in texts):
            found[join(root, re.split(r"[^/]*[*{]", pattern, maxsplit=1)[0])] = None
            found[root] = None
    return [folder for folder in found if folder]


def elsewhere(texts: Sequence[str]) -> bool:
    """Whether a program takes its content from where no rule here can tell."""
    return any(_ELSEWHERE.search(text) for text in texts)


def calls_out(tree: Tree, file: str, text: str, aliases: dict[str, str]) -> bool:
    """Whether a module calls functions of modules that are not in the repository, so that they may bring content."""
    for names, module in _IMPORTED.findall(text):
        if _PLAIN.search(module) or mdx_includes(tree, file, f"import x from '{module}'", aliases):
            continue
        for name in re.findall(r"[\w$]+(?=\s*(?:,|\}|$))", names):
            if re.search(rf"(?<![\w$.<]){re.escape(name)}(?:\.[\w$]+)*\s*\(", text):
                return True
    return False


def names_of(file: str, folder: str) -> list[str]:
    """The names that a content file may have in an address, from its folder: with and without a date or `index`."""
    stem = below(file, folder).rpartition(".")[0]
    *parents, name = stem.split("/")
    if name in ("index", "page", "README"):
        return ["/".join(parents), stem] if name == "index" else ["/".join(parents)]
    return list(dict.fromkeys(["/".join((*parents, one)) for one in (name, dated(name)[1]) if one]))


def clues_of(
    file: str, matter: dict[str, Any], group: str, days: Sequence[str], indexes: Sequence[str] = ("index",)
) -> Clues:
    """What a content file may be found by: its name with and without a date, its slug, and its day.

    A file of a name in `indexes` goes by its folder's. The front matter has the day under one of the keys `days`.
    """
    stem = stem_of(file)
    if stem in indexes:
        stem = folder_of(file).rpartition("/")[2]
    names = (stem, dated(stem)[1], as_text(matter.get("slug")).strip("/").rpartition("/")[2])
    return Clues.of(group, names, first_day(matter, days) or dated(stem)[0])
