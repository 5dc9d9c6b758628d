"""Making a sitemap true: the smallest change of bytes, planned first, proved by a second parser, written whole.

`plan` turns a result and the files' bytes into edits; `files` writes them. Nothing but the planned spans differs.
"""

from __future__ import annotations

from sitemap_guard.fix.fields import plan_fields
from sitemap_guard.fix.files import Changed, open_files, write_all
from sitemap_guard.fix.plan import Options, Planned, plan

__all__ = ["Changed", "Options", "Planned", "open_files", "plan", "plan_fields", "write_all"]
