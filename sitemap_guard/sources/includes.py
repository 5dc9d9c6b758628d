"""Files that a source takes in, read from its text: shortcodes, includes, snippets, directives, imports.

Only what names a file plainly counts, and only files that are tracked. What is taken in may take in more: `closure`
follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from sitemap_guard.sources.tree import Tree, folder_of, join

_DEPTH = 5
_LIMIT = 50

_HUGO = re.compile(r"\{\{[<%]\s*/?\s*[\w./-]+([^{}]*?)/?\s*[>%]\}\}")
_ARGUMENT = re.compile(r"""(?:[\w-]+=)?(?:"([^"\n]+)"|`([^`\n]+)`|([^\s"=`]+\.[A-Za-z0-9]+))""")
_JEKYLL = re.compile(r"\{%-?\s*(include|include_relative|include_cached)\s+([^\s%{}]+)")
_SNIPPET = re.compile(r"""^[ \t>]*(?:-{1,}8<-{1,})[ \t]+(?:"([^"\n]+)"|'([^'\n]+)')""", re.MULTILINE)
_SNIPPETS = re.compile(r"^[ \t]*-{1,}8<-{1,}[ \t]*\n(.*?)^[ \t]*-{1,}8<-{1,}[ \t]*$", re.MULTILINE | re.DOTALL)
_MKDOCS = re.compile(r"""\{%\s*include(?:-markdown)?\s+["']([^"']+)["']""")
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+|[`:~]{3,}\{)"
    r"(?:include|literalinclude|csv-table|raw|mdinclude|eval-rst|graphviz|uml)(?:::|\})[ \t]*([^\s`}]*)",
    re.MULTILINE,
)
_AUTODOC = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+|[`:~]{3,}\{)(auto[a-z]+|(?:py:)?(?:current)?module)(?:::|\})[ \t]*([\w.]+)", re.MULTILINE
)
_OPTION = re.compile(r"^[ \t]*:file:[ \t]*(\S+)", re.MULTILINE)
_IMPORT = re.compile(r"""^[ \t]*(?:import|export)\b[^;'"`]*?(?:from\s*)?['"]([^'"\n]+)['"]""", re.MULTILINE)
_VITE = re.compile(r"(?:<!--\s*@include:\s*([^\s#{>]+)|^<<<\s*([^\s#{]+))", re.MULTILINE)
_SOURCES = (".md", ".mdx", ".tsx", ".jsx", ".ts", ".js", ".vue", ".svelte", ".astro", ".json", ".yml", ".yaml")


def closure(tree: Tree, file: str, of: Callable[[str, str], Iterable[str]]) -> tuple[str, ...]:
    """All files that a source takes in, and those that these take in; the source itself is none of them."""
    found: dict[str, None] = {}
    ring = [file]
    for _ in range(_DEPTH):
        nearest = []
        for path in ring:
            text = tree.text(path) or ""
            nearest += [other for other in of(path, text) if other != file and other not in found]
            found.update(dict.fromkeys(nearest))
        if not nearest or len(found) > _LIMIT:
            break
        ring = list(dict.fromkeys(nearest))
    return tuple(found)[:_LIMIT]


def hugo_includes(tree: Tree, file: str, text: str, roots: Sequence[str], place: str) -> list[str]:
    """Files that the arguments of shortcodes name: beside the page, below the content, in assets, static or data."""
    found = []
    bases = [folder_of(file), *roots, *(join(place, name) for name in ("", "assets", "static", "data"))]
    for call in _HUGO.finditer(text):
        for argument in _ARGUMENT.finditer(call[1]):
            name = next((part for part in argument.groups() if part), "")
            found += _first(tree, name, bases)
    return found


def jekyll_includes(tree: Tree, file: str, text: str, root: str) -> list[str]:
    """`{% include x %}` from `_includes`, `{% include_relative x %}` from the file's folder."""
    found = []
    for kind, name in _JEKYLL.findall(text):
        base = folder_of(file) if kind == "include_relative" else join(root, "_includes")
        found += _first(tree, name, [base])
    return found


def mkdocs_includes(tree: Tree, file: str, text: str, bases: Sequence[str]) -> list[str]:
    """Snippets (`--8<-- "x"`), and the include and include-markdown plugins."""
    names = [one or other for one, other in _SNIPPET.findall(text)]
    names += [line.strip() for inner in _SNIPPETS.findall(text) for line in inner.splitlines()]
    names = [re.sub(r"(?::\d+(?:[:,]-?\d+)*|:[\w-]+)$", "", name) for name in names if name and name[0] != ";"]
    found = []
    for name in names:
        found += _first(tree, name, bases)
    for name in _MKDOCS.findall(text):
        found += _first(tree, name, [folder_of(file), *bases])
    return found


def sphinx_includes(tree: Tree, file: str, text: str, root: str) -> list[str]:
    """Directives that take a file (reST and MyST): include, literalinclude, csv-table, raw, graphviz."""
    found = []
    for name in (*_DIRECTIVE.findall(text), *_OPTION.findall(text)):
        if name:
            found += _first(tree, name.removeprefix("/"), [root] if name.startswith("/") else [folder_of(file)])
    return [*found, *autodoc_includes(tree, text)]


def autodoc_includes(tree: Tree, text: str) -> list[str]:
    """The modules that autodoc directives describe: the file of a module, or all files of a package."""
    current = ""
    found: dict[str, None] = {}
    for kind, name in _AUTODOC.findall(text):
        if kind in ("currentmodule", "module", "py:currentmodule", "py:module"):
            current = name
        else:
            for full in (name, f"{current}.{name}" if current else ""):
                found.update(dict.fromkeys(_module(tree, full.split(".")) if full else ()))
    return list(found)


def _module(tree: Tree, parts: Sequence[str]) -> Sequence[str]:
    """The tracked files of the longest module that a dotted name starts with; at the root, in `src` or in `lib`."""
    for count in range(len(parts), 0, -1):
        for root in ("", "src", "lib"):
            path = join(root, *parts[:count])
            if f"{path}.py" in tree.tracked:
                return [f"{path}.py"]
            if f"{path}/__init__.py" in tree.tracked:
                return [file for file in tree.under(path) if file.endswith(".py")][:_LIMIT]
    return ()


def mdx_includes(tree: Tree, file: str, text: str, aliases: dict[str, str]) -> list[str]:
    """Local files that are imported. `aliases`: the start of a name (`@site/`) to a folder."""
    found = []
    for given in _IMPORT.findall(text):
        name = re.sub(r"^!+[\w-]+!|\?.*$", "", given)
        alias = next((start for start in aliases if name.startswith(start)), "")
        if not alias and not name.startswith("."):
            continue
        base = aliases.get(alias, folder_of(file))
        name = name[len(alias) :]
        names = [name, *(name + suffix for suffix in _SOURCES), *(f"{name}/index{suffix}" for suffix in _SOURCES)]
        found += next((hit for one in names if (hit := _first(tree, one, [base]))), [])
    return found


def vitepress_includes(tree: Tree, file: str, text: str, root: str) -> list[str]:
    """`<!--@include: x-->` and `<<< x`; `@` is the content root."""
    found = []
    for one, other in _VITE.findall(text):
        name = (one or other).strip()
        base = root if name.startswith(("@", "/")) else folder_of(file)
        found += _first(tree, name.lstrip("@/"), [base])
    return found


def _first(tree: Tree, name: str, bases: Iterable[str]) -> list[str]:
    """The first tracked file of that name from one of the folders, in a list; [] for none."""
    if not name or "://" in name or "\0" in name:
        return []
    for base in bases:
        # A name that climbs out of the repository is none.
        if name.split("/").count("..") > (base.count("/") + 1 if base else 0):
            continue
        path = join(base, name)
        if path in tree.tracked:
            return [path]
    return []
