"""The settings: `sitemap-guard.toml`, or the table `[tool.sitemap-guard]` of pyproject.toml.

A setting that does nothing is a check that is not made: an unknown key, an ill-formed value and one that can have no
effect are errors, never ignored. Every message names the file and the line, and says what to write instead.
"""

from sitemap_guard.config.reading import FILE_NAME, Settings, checked, load, parse
from sitemap_guard.config.tables import (
    FIELD_NAMES,
    Addresses,
    Config,
    Dates,
    HostingTable,
    Ignore,
    IndexNow,
    ManifestFile,
    PagesTable,
    Policy,
    RootTable,
    SourceRule,
    Table,
)

__all__ = [
    "FIELD_NAMES",
    "FILE_NAME",
    "Addresses",
    "Config",
    "Dates",
    "HostingTable",
    "Ignore",
    "IndexNow",
    "ManifestFile",
    "PagesTable",
    "Policy",
    "RootTable",
    "Settings",
    "SourceRule",
    "Table",
    "checked",
    "load",
    "parse",
]
