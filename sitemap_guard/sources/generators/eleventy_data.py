"""Eleventy's data: the permalink that a file gets from data files and front matter."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from sitemap_guard.sources.generators.settings import read_table
from sitemap_guard.sources.matter import as_table
from sitemap_guard.sources.scripts import flag, setting, without_comments
from sitemap_guard.sources.tree import Tree, folder_of, join

_SCRIPTS = (".11tydata.js", ".11tydata.cjs", ".11tydata.mjs", ".11tydata.ts")
_GLOBAL_SCRIPTS = (".js", ".cjs", ".mjs", ".ts")
_TABLES = (".11tydata.json", ".json", ".11tydata.yaml", ".11tydata.yml")
_ARROW = re.compile(r"permalink\s*:\s*(?:async\s*)?(?:\(([^()]*)\)|(\w+))\s*=>\s*(`[^`]*`)")
_METHOD = re.compile(r"permalink\s*(?:\(([^()]*)\)\s*\{|:\s*function\s*\(([^()]*)\)\s*\{)\s*return\s*(`[^`]*`)")


class Permalink(Struct, frozen=True):
    """A permalink. `text` is None for none (the default address) and "" for a page that is not written.

    `known` is false for one that a program makes; `origin` is then the file that holds it.
    """

    text: str | None = None
    known: bool = True
    origin: str = ""

    @property
    def said(self) -> bool:
        """Whether there is one."""
        return self.text is not None or not self.known


class Said(Struct, frozen=True):
    """What one place says of a permalink: `plain`, and `computed`, which counts where nothing plain is said."""

    plain: Permalink = Permalink()
    computed: Permalink = Permalink()

    def over(self, other: Said) -> Said:
        """What this place says, and the other one where this says nothing."""
        return Said(
            self.plain if self.plain.said else other.plain, self.computed if self.computed.said else other.computed
        )


class Data:
    """The permalinks in data files: of the file itself, of its folders up to the input folder, of all."""

    def __init__(self, tree: Tree, root: str, everywhere: str) -> None:
        self._tree = tree
        self._root = root
        # The folder of data for all files has a file for each name.
        plain = self._read(join(everywhere, "permalink"), is_value=True).plain
        self._all = Said(plain, self._read(join(everywhere, "eleventyComputed")).plain)
        self._folders: dict[str, Said] = {}

    def permalink(self, file: str, matter: dict[str, Any] | None = None) -> Permalink:
        """A file's permalink. Without `matter` (the front matter) as far as data files tell."""
        said = self._read(file.rpartition(".")[0].removesuffix(".11ty")).over(self._of_folder(folder_of(file)))
        if matter is not None:
            said = _in_table(matter, file).over(said)
        return said.plain if said.plain.said else said.computed

    def _of_folder(self, folder: str) -> Said:
        if folder not in self._folders:
            inside = folder != self._root and (not self._root or folder.startswith(f"{self._root}/"))
            above = self._of_folder(folder_of(folder)) if inside else self._all
            name = folder.rpartition("/")[2]
            self._folders[folder] = self._read(join(folder, name)).over(above) if name else above
        return self._folders[folder]

    def _read(self, stem: str, *, is_value: bool = False) -> Said:
        """What the data file of a name says; `is_value`: it is the permalink itself."""
        global_data = is_value or stem.endswith("eleventyComputed")
        for suffix in (*_SCRIPTS, *(_GLOBAL_SCRIPTS if global_data else ())):
            if (path := stem + suffix) in self._tree.tracked:
                if is_value:
                    return Said(Permalink(known=False, origin=path))
                return Said(_in_script(without_comments(self._tree.text(path) or ""), path))
        for suffix in _TABLES:
            if (path := stem + suffix) in self._tree.tracked:
                return _in_table(read_table(self._tree, path), path)
        return Said()


def _in_table(table: dict[str, Any], origin: str) -> Said:
    computed = as_table(table.get("eleventyComputed"))
    return Said(_of(table.get("permalink"), origin), _of(computed.get("permalink"), origin))


def _of(value: Any, origin: str) -> Permalink:
    if isinstance(value, dict):
        value = value.get("build", False)
    if value is None:
        return Permalink()
    if value is False or (isinstance(value, str) and value.strip().lower() in ("false", "no")):
        return Permalink("")
    return Permalink(value.strip() or None) if isinstance(value, str) else Permalink(known=False, origin=origin)


def _in_script(text: str, origin: str) -> Permalink:
    if not re.search(r"\bpermalink\b", text):
        return Permalink()
    given = setting(text, "permalink")
    if given is not None:
        return Permalink(given)
    if flag(text, "permalink") is False:
        return Permalink("")
    made = _ARROW.search(text) or _METHOD.search(text)
    if not made:
        return Permalink(known=False, origin=origin)
    # A function that fills in a text is read as a template of the same text.
    name = (made[1] or made[2] or "").strip()
    inner = re.sub(r"\$\{\s*([^{}]*?)\s*\}", r"{{ \1 }}", made[3][1:-1])
    return Permalink(re.sub(rf"\{{\{{ {re.escape(name)}\.", "{{ ", inner) if name.isidentifier() else inner)


def front_matter(tree: Tree, file: str, matter: dict[str, Any]) -> dict[str, Any]:
    """A file's front matter; that in JSON or as a script (`---json`, `---js`) as far as it can be read."""
    if matter:
        return matter
    if ".11ty." in file.rpartition("/")[2]:
        text = without_comments(tree.text(file) or "")
        permalink = _in_script(text, file)
        found: dict[str, Any] = {} if permalink.known else {"permalink": 0}
        if permalink.text is not None:
            found["permalink"] = permalink.text or "false"
        return {**found, **_paginated(text)}
    text = tree.text(file) or ""
    opening, _, rest = text.partition("\n")
    kind = opening.strip()[3:].strip().lower() if opening.startswith("---") else ""
    if not kind:
        return {}
    inner = re.split(r"(?m)^---\s*$", rest, maxsplit=1)[0]
    if kind == "json":
        try:
            return as_table(json.loads(inner))
        except (ValueError, RecursionError):
            return {}
    inner = without_comments(inner)
    permalink = _in_script(inner, file)
    fields: dict[str, Any] = {
        "permalink": (permalink.text or "false") if permalink.known and permalink.text is not None else None,
        "title": setting(inner, "title"),
        "date": setting(inner, "date"),
    }
    if not permalink.known:
        fields["permalink"] = 0
    return {key: value for key, value in fields.items() if value is not None} | _paginated(inner)


def _paginated(script: str) -> dict[str, Any]:
    """The pagination that a script sets, as far as it tells one page of many from lists."""
    found = re.search(r"\bpagination\s*[:=]\s*\{", script)
    size = re.compile(r"\bsize\s*:\s*(\d+)").search(script, found.start()) if found else None
    return {"pagination": {"size": size[1] if size else "0"}} if found else {}
