"""Imports run one way, and a rule reads neither disk nor git."""

from __future__ import annotations

import ast
from pathlib import Path

import sitemap_guard

ROOT = Path(sitemap_guard.__file__).parent
# From the ground up: a module may import its own room and rooms before it, never one after it.
ORDER = [
    "__init__", "model", "durations", "files", "urls", "config", "sitemaps", "pages", "history", "dates", "sources", "judgement",
    "rules", "changed", "reports", "schema", "baseline", "adoption", "whereabouts", "guard", "api", "fix", "notify", "earlier", "mapping", "demo", "progress", "commands", "cli", "__main__",
]  # fmt: skip
FORBIDDEN_TO_RULES = {"os", "pathlib", "subprocess", "git", "io", "time", "socket", "urllib", "lxml", "selectolax"}
# The judgement of dates, but for what brings it more facts.
PURE = ("facts", "windows", "witnesses", "judge", "fit", "causes", "cures", "unread", "listing")
HEAVY = {
    "git",
    "jinja2",
    "lxml",
    "selectolax",
    "rich",
    "yaml",
    "protego",
    "concurrent",
    "multiprocessing",
    "urllib.request",
}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def imports(file: Path, *, top_only: bool = False) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    found: set[str] = set()
    for node in tree.body if top_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            if node.module == "sitemap_guard":
                found |= {
                    f"sitemap_guard.{name.name}" if name.name != "__version__" else "sitemap_guard"
                    for name in node.names
                }
            else:
                found.add(node.module or "")
    return found


def test_imports_run_one_way() -> None:
    for file in ROOT.rglob("*.py"):
        parts = file.relative_to(ROOT).with_suffix("").parts
        if parts == ("__init__",):
            continue  # it names what the package offers, and loads it when it is asked for (test_api)
        here = ORDER.index(parts[0])
        for name in imports(file):
            if name.split(".")[0] == "sitemap_guard":
                assert ORDER.index(room(name)) <= here, f"{file} imports {name}"


def test_rules_and_reports_are_pure() -> None:
    for name in (
        "rules",
        "dates.py",
        *(f"judgement/{pure}.py" for pure in PURE),
    ):
        for file in [ROOT / name] if name.endswith(".py") else (ROOT / name).glob("*.py"):
            used = {found.split(".")[0] for found in imports(file)}
            assert not used & FORBIDDEN_TO_RULES, file


def test_the_command_line_starts_light() -> None:
    for file in (ROOT / "cli.py", ROOT / "__main__.py", ROOT / "__init__.py", *(ROOT / "commands").glob("*.py")):
        assert not {found.split(".")[0] for found in imports(file, top_only=True)} & HEAVY, file
        ours = {found for found in imports(file, top_only=True) if found.startswith("sitemap_guard.")}
        offered = file == ROOT / "__init__.py"  # for type checkers only
        assert offered or all(name.startswith(("sitemap_guard.commands", "sitemap_guard.cli")) for name in ours), file


def test_no_file_has_two_jobs() -> None:
    for file in ROOT.rglob("*.py"):
        assert len(file.read_text("utf-8").splitlines()) <= 400, file
