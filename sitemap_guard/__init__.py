"""sitemap-guard: tests whether a site's sitemap tells the truth.

`check` is the whole job; the names below are what it takes and returns. They are loaded when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitemap_guard.api import check
    from sitemap_guard.config import Config
    from sitemap_guard.model import Answer, Entry, Finding, Level, Result, Site, Summary, UserError, Verdict

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Config",
    "Entry",
    "Finding",
    "Level",
    "Result",
    "Site",
    "Summary",
    "UserError",
    "Verdict",
    "__version__",
    "check",
]


def __getattr__(name: str) -> Any:
    """The names of `__all__`, each from the module that has it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    home = {"check": "api", "Config": "config"}.get(name, "model")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    return value
