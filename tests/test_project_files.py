"""Files that must agree with the program: the locks, the hook, the action, the workflows."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from sitemap_guard import cli

PROJECT = Path(__file__).resolve().parent.parent
LOCKS = {name: (PROJECT / "requirements" / f"{name}.txt").read_text() for name in ("action", "dev")}


def normal(name: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", name)[0]).lower()  # type: ignore[index]


def pins(lock: str) -> dict[str, str]:
    return {normal(name): version for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE)}


def test_the_locks_hold_every_dependency() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    runtime = {normal(each) for each in project["dependencies"]}
    dev = {normal(each) for each in project["optional-dependencies"]["dev"]}
    hint = "run `make lock` after a change of dependencies"
    assert runtime <= pins(LOCKS["action"]).keys(), hint
    assert runtime | dev <= pins(LOCKS["dev"]).keys(), hint
    assert pins(LOCKS["action"]).items() <= pins(LOCKS["dev"]).items(), hint


@pytest.mark.parametrize("name", LOCKS)
def test_every_line_of_a_lock_is_hashed_and_names_no_server(name: str) -> None:
    assert "://" not in LOCKS[name]
    assert not re.search(r"^-", LOCKS[name], re.MULTILINE)
    for requirement in re.split(r"\n(?=\w)", LOCKS[name])[1:]:
        assert "--hash=sha256:" in requirement, requirement.splitlines()[0]


def options(command: str = "check") -> set[str]:
    """The options of a command of `sitemap-guard`."""
    check = cli.cli.get_command(click.Context(cli.cli), command)
    assert check is not None
    return {name for parameter in check.params for name in (*parameter.opts, *parameter.secondary_opts)}


def test_the_hook_runs_a_command_that_exists() -> None:
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    scripts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["scripts"]
    assert [hook["id"] for hook in hooks] == ["sitemap-guard", "sitemap-guard-fix"]
    for hook, expected in zip(hooks, ("check", "fix"), strict=True):
        program, command, *given = shlex.split(hook["entry"])
        assert program in scripts
        assert command == expected
        assert set(given) <= options(command)
        assert hook["always_run"] is True
        assert hook["pass_filenames"] is False


def test_the_action_uses_options_that_exist() -> None:
    source = (PROJECT / "action" / "inputs.py").read_text()
    check, indexnow = (set(re.findall(r'"(--[a-z-]+)[=":]', part)) for part in source.split("def notification"))
    assert {"--fail-on", "--deepen", "--output", "--format"} <= check
    assert check <= options()
    assert "--since" in indexnow
    assert indexnow <= options("indexnow")


def test_workflows_pin_what_they_use() -> None:
    for file in (PROJECT / ".github" / "workflows").glob("*.yml"):
        for used in re.findall(r"uses: (\S+)", file.read_text()):
            assert used == "./" or re.search(r"@[0-9a-f]{40}$", used), f"{file.name}: {used}"
