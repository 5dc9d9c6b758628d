"""Astro's content collections: which files are in one, their ids, and how a route's parameters are made of them."""

from __future__ import annotations

import re
from collections.abc import Collection as Names
from collections.abc import Sequence

from msgspec import Struct

from sitemap_guard.sources.generators.slugs import github_slug
from sitemap_guard.sources.scripts import balanced, setting, strings, without_comments
from sitemap_guard.sources.tree import Tree, below, join

ID = "id"  # the parameter is the entry's id; other words are keys of its front matter
UNKNOWN = ""
_STARS = 5  # a pattern of more wild cards is not understood
_NAMES = ("content.config", "content/config")
_SUFFIXES = (".ts", ".mts", ".js", ".mjs")
_MARKDOWN = (".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc")


class Collection(Struct, frozen=True):
    """A collection: its files, and the id of each as the loader makes it."""

    name: str
    files: tuple[str, ...]
    ids: dict[str, str]
    known: frozenset[str]  # all ids

    def has(self, ids: Names[str]) -> bool:
        """Whether a file has one of the ids."""
        return not self.known.isdisjoint(ids)


def collections(tree: Tree, place: str, source: str, *, starlight: bool) -> dict[str, Collection]:
    """The collections of a site, by their names in the content configuration."""
    texts = (tree.text(join(source, name + suffix)) for name in _NAMES for suffix in _SUFFIXES)
    text = without_comments(next((text for text in texts if text is not None), ""))
    found: dict[str, Collection] = {}
    for name, definition in _definitions(text).items():
        files = _files(tree, place, source, name, definition)
        if files:
            base, paths = files
            found[name] = _collection(name, base, paths)
    if not text:
        # Before the content configuration was asked for every folder was a collection.
        for name in tree.folders_in(join(source, "content")):
            base = join(source, "content", name)
            found[name] = _collection(name, base, _below(tree, base, ["**/*"]))
    elif starlight and "docs" not in found:
        base = join(source, "content/docs")
        found["docs"] = _collection("docs", base, _below(tree, base, ["**/[^_]*"]))
    return found


def _definitions(text: str) -> dict[str, str]:
    """Name to the inside of `defineCollection(…)`, for what `collections` exports."""
    named: dict[str, str] = {}
    for match in re.finditer(r"(?:const|let|var)\s+([\w$]+)\s*(?::[^=\n]+)?=\s*defineCollection\s*(?=\()", text):
        named[match[1]] = balanced(text, match.end()) or ""
    exported = re.search(r"\bcollections\b\s*(?::[^=\n]+)?=\s*(?=\{)", text)
    inner = (balanced(text, exported.end()) or "") if exported else ""
    found: dict[str, str] = {}
    place = 1
    entry = re.compile(r"\s*,?\s*(?:[\"']([\w-]+)[\"']|([\w$]+))\s*(?:(:)\s*(?:defineCollection\s*(?=(\())|([\w$]+)))?")
    while part := entry.match(inner, place):
        name = part[1] or part[2]
        place = part.end()
        if part[4]:
            found[name] = balanced(inner, place) or ""
            place += len(found[name])
        else:
            found[name] = named.get(part[5] or name, "")
        if not part[0].strip():
            break
    return {name: definition for name, definition in found.items() if definition}


def _files(tree: Tree, place: str, source: str, name: str, text: str) -> tuple[str, list[str]] | None:
    """The base folder and the files of a collection; None for one that no folder of files is loaded into."""
    if "docsLoader(" in text:
        base = join(source, "content/docs")
        return base, _below(tree, base, ["**/[^_]*"])
    glob = re.search(r"\bglob\s*(?=\()", text)
    if glob:
        inner = balanced(text, glob.end()) or ""
        if "generateId" in inner:
            return None
        base_given = setting(inner, "base")
        listed = re.search(r"\bpattern\s*:\s*(?=\[)", inner)
        single = setting(inner, "pattern")
        patterns = list(strings(balanced(inner, listed.end()) or "")) if listed else [single] if single else []
        if (
            not patterns
            or any(pattern.count("*") > _STARS for pattern in patterns)
            or (base_given is None and re.search(r"\bbase\s*:", inner))
        ):
            return None
        base = join(place, base_given or "")
        return base, _below(tree, base, patterns)
    if re.search(r"\bloader\s*:", text):
        return None
    base = join(source, "content", name)
    return base, _below(tree, base, ["**/*"])


def _below(tree: Tree, base: str, patterns: Sequence[str]) -> list[str]:
    """The Markdown files below a folder that fit the patterns; one with `!` takes files away."""
    wanted = [_glob(pattern) for pattern in patterns if pattern[:1] != "!"]
    unwanted = [_glob(pattern[1:]) for pattern in patterns if pattern[:1] == "!"]
    found = []
    for file in tree.under(base):
        path = below(file, base).removeprefix("./")
        if not path.lower().endswith(_MARKDOWN) or any(part[:1] == "_" for part in path.split("/")[-1:]):
            continue
        if any(glob.fullmatch(path) for glob in wanted) and not any(glob.fullmatch(path) for glob in unwanted):
            found.append(file)
    return found


def _glob(pattern: str) -> re.Pattern[str]:
    """A pattern of micromatch's usual kind: `**`, `*`, `?`, `{a,b}`, `[…]`."""
    expression = ""
    for part in re.findall(r"\*\*/?|\*|\?|\{[^{}]*\}|\[[^\[\]]+\]|[^*?{\[]+|.", pattern.removeprefix("./")):
        match part[:1]:
            case "*":
                expression += {"**/": "(?:.*/)?", "**": ".*"}.get(part, "[^/]*")
            case "?":
                expression += "[^/]"
            case "{" if part[-1:] == "}" and len(part) > 1:
                expression += "(?:" + "|".join(_glob(one).pattern for one in part[1:-1].split(",")) + ")"
            case "[" if part[-1:] == "]" and len(part) > 2:
                negated = part[1] in "^!"
                expression += f"[{'^' if negated else ''}{re.escape(part[1 + negated : -1])}]"
            case _:
                expression += re.escape(part)
    return re.compile(expression, re.DOTALL)


def _collection(name: str, base: str, files: Sequence[str]) -> Collection:
    ids = {}
    for file in files:
        path = below(file, base)
        stem = path.rpartition(".")[0]
        ids[file] = re.sub(r"/index$", "", "/".join(github_slug(part) for part in stem.split("/")))
    return Collection(name, tuple(files), ids, frozenset(ids.values()))


def parameters(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """What a route's parameters are made of: `ID`, a key of the front matter, or `UNKNOWN`."""
    given = [match[1] for match in re.finditer(r"\bparams\s*:\s*\{([^{}]*)\}", text)]
    found = []
    for name in names:
        made = [
            m[1]
            for inner in given
            if (m := re.search(rf"\b{re.escape(name)}\s*:\s*([\w.?$]+)\s*(?:,|$)", inner.strip()))
        ]
        last = made[0].replace("?", "") if len(made) == 1 else ""
        if re.fullmatch(r"[\w$]+\.(?:id|slug)|id", last):
            found.append(ID)
        elif key := re.fullmatch(r"(?:[\w$]+\.)?data\.([\w$]+)", last):
            found.append(key[1])
        else:
            found.append(UNKNOWN)
    return tuple(found)
