"""Files that must agree with the program: the locks, the hook, the action, the workflows."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

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
    for requirement in re.split(r"\n(?=\w)", LOCKS[name])[0 if name == "" else 1 :]:
        assert "--hash=sha256:" in requirement, requirement.splitlines()[0]


def options() -> set[str]:
    """The options of `sitemap-guard check`."""
    check = cli.cli.commands["check"]
    return {name for parameter in check.params for name in (*parameter.opts, *parameter.secondary_opts)}


def test_the_hook_runs_a_command_that_exists() -> None:
    [hook] = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    program, command, *given = shlex.split(hook["entry"])
    scripts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["scripts"]
    assert program in scripts
    assert command == "check"
    assert set(given) <= options()
    assert hook["always_run"] is True
    assert hook["pass_filenames"] is False


def test_the_action_uses_options_that_exist() -> None:
    source = (PROJECT / "action" / "inputs.py").read_text()
    used = set(re.findall(r'"(--[a-z-]+)[=":]', source)) | set(re.findall(r'f?"(--[a-z-]+)=', source))
    assert {"--fail-on", "--deepen", "--output", "--format"} <= used
    assert used <= options()


def test_workflows_pin_what_they_use() -> None:
    for file in (PROJECT / ".github" / "workflows").glob("*.yml"):
        for used in re.findall(r"uses: (\S+)", file.read_text()):
            assert used == "./" or re.search(r"@[0-9a-f]{40}$", used), f"{file.name}: {used}"
