"""The configuration's JSON Schema, made from the settings' own types and docstrings."""

from __future__ import annotations

import inspect
import re
from typing import Any

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema of `sitemap-guard.toml`: it refuses what the program does, as far as a schema can say it."""
    import msgspec

    from sitemap_guard import __version__, config
    from sitemap_guard.rules import BY_ID, FAMILIES

    made = msgspec.json.schema(config.Config)
    definitions = made["$defs"]
    for name, definition in definitions.items():
        text = definition["description"] = _plain(getattr(config, name).__doc__ or "")
        definition.pop("title", None)
        for key, described in definition["properties"].items():
            said = _about(key, text)
            if said and "$ref" not in described:
                described["description"] = said
    names = {"enum": [*FAMILIES, *BY_ID]}
    levels = definitions["Config"]["properties"]["rules"]
    levels["propertyNames"] = names
    levels["description"] = "Levels by rule or by family."
    definitions["Ignore"]["properties"]["rule"].update(names)
    definitions["Ignore"]["anyOf"] = [{"required": [key]} for key in ("rule", "path", "url")]
    definitions["ManifestFile"]["oneOf"] = [{"required": [key]} for key in ("file", "command")]
    return {
        "$schema": DIALECT,
        "title": "sitemap-guard",
        "$comment": f"sitemap-guard {__version__}",
        **made,
    }


def _plain(doc: str) -> str:
    """A docstring as running text; keys as they are written in the file."""
    text = " ".join(inspect.cleandoc(doc).split())
    return re.sub(r"`([a-z]+(?:_[a-z]+)+)`", lambda match: f"`{match.group(1).replace('_', '-')}`", text)


def _about(key: str, text: str) -> str:
    """The sentences of a text that speak of a key."""
    sentences = re.split(r"(?<=[.:;]) (?=`|[A-Z])", text)
    return " ".join(sentence for sentence in sentences if f"`{key}`" in sentence)
