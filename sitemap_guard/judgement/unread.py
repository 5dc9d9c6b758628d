"""Date fields that the sources carry and the generator passes over.

A generator reads the fields on its list, by their literal names. A field of any other name is never read, and
nobody is told: the page is dated by something else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from sitemap_guard import dates
from sitemap_guard.judgement import cures
from sitemap_guard.judgement.windows import moment_of
from sitemap_guard.model import Answer, Entry, Field, Unread

_HUGO_FILES = {
    f"{name}.{ending}" for name in ("hugo", "config", "frontmatter") for ending in ("toml", "yaml", "yml", "json")
}


def find_unread(
    entries: Sequence[Entry],
    fields: Mapping[str, Sequence[Field]],
    zone: str,
    tracked: Collection[str],
    read: Callable[[str], bytes | None],
) -> tuple[Unread, ...]:
    """The names of fields that at most one in ten of the claims on their sources follow, and that matter.

    They matter when the generator's list lacks them, or when claims on their sources are false. `fields` are those
    of the sources that were read; `read` gives a tracked file's content.
    """
    generator = cures.generator_of(entries)
    known, where = _list_of(generator, tracked, read)
    carried: dict[str, list[tuple[Entry, Field, bool]]] = {}
    for entry in entries:
        moment = moment_of(entry.claim)
        for field in fields.get(entry.mapping.content, ()) if moment is not None else ():
            if field.name.lower() not in cures.PUBLICATION and moment is not None:
                site = dates.zone_offset(zone, field.moment.first)
                follows = dates.agrees(moment, field.moment, (0, site))
                carried.setdefault(field.name, []).append((entry, field, follows))
    found = []
    for name, cases in sorted(carried.items()):
        if sum(follows for _, _, follows in cases) * 10 > len(cases):
            continue
        listed = not known or name.lower() in known
        false = [case for case in cases if case[0].verdict.answer is Answer.FALSE and not case[2]]
        if listed and not false:
            continue
        entry, field, _ = (false or cases)[0]
        why, detail = ("ignored", "") if listed else ("list", where)
        found.append(Unread(name, why, detail, len(cases), entry.mapping.content, field.line))
    return tuple(found)


def _list_of(generator: str, tracked: Iterable[str], read: Callable[[str], bytes | None]) -> tuple[frozenset[str], str]:
    """The fields that the generator reads (none: not known), and what says so."""
    default = frozenset(cures.FIELDS.get(generator, ()))
    if generator == "hugo":
        for path in sorted(tracked):
            if path.rpartition("/")[2] in _HUGO_FILES:
                named = _configured(path, read(path) or b"")
                if named:
                    names = frozenset(name for name in named if not name.startswith(":"))
                    return names | (default if ":default" in named else frozenset()), f"[frontmatter] lastmod in {path}"
    return default, f"{generator.capitalize()}'s own list" if default else ""


def _configured(path: str, content: bytes) -> list[str]:
    """Hugo's `frontmatter.lastmod` in one of its configuration files, lower case."""
    import json
    import tomllib

    from sitemap_guard.sources.matter import as_list, as_table, yaml_of

    text = content.decode("utf-8-sig", "replace")
    try:
        table = (
            tomllib.loads(text)
            if path.endswith(".toml")
            else json.loads(text)
            if path.endswith(".json")
            else yaml_of(text)
        )
    except (ValueError, RecursionError):
        return []
    folded = {str(key).lower(): value for key, value in as_table(table).items()}
    if not path.rpartition("/")[2].startswith("frontmatter."):
        folded = {str(key).lower(): value for key, value in as_table(folded.get("frontmatter")).items()}
    return [str(name).lower() for name in as_list(folded.get("lastmod"))]
