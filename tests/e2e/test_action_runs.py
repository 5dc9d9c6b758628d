"""The action, run by act: its step runs on this machine as on a self-hosted runner, without containers.

act plays actions/checkout itself, by a copy of the work folder, and takes the action from a folder when it is told
to: nothing is fetched but the packages that the action installs.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ACTION = "example/sitemap-guard@v1"
CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"

Act = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def act(run_act: Act, project_copy: Path, tmp_path: Path) -> Act:
    def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
        return run_act(folder, *args, actions={ACTION: project_copy}, told=tmp_path)

    return run


def workflow(folder: Path, steps: str, env: str = "{}") -> None:
    file = folder / ".github" / "workflows" / "site.yml"
    file.parent.mkdir(parents=True)
    file.write_text(
        "on: push\n"
        "jobs:\n"
        "  site:\n"
        "    runs-on: ubuntu-latest\n"
        f"    env: {env}\n"
        "    steps:\n"
        f"      - uses: {CHECKOUT}\n" + steps
    )


def use(name: str, *, fails: bool = False, **inputs: str) -> str:
    """A step that uses the action, and one that writes down how it ended."""
    lines = [f"      - uses: {ACTION}", f"        id: {name}", "        continue-on-error: true"]
    if inputs:
        lines.append("        with:")
        lines += [f"          {key.replace('_', '-')}: {json.dumps(value)}" for key, value in inputs.items()]
    lines += [
        "      - if: always()",
        "        shell: bash",
        "        env:",
        f"          SAID: ${{{{ toJSON(steps.{name}.outputs) }}}}",
        f"          OUTCOME: ${{{{ steps.{name}.outcome }}}}",
        "        run: |",
        f'          echo "$SAID" >"$TOLD/{name}.json"',
        f'          echo "$OUTCOME" >"$TOLD/{name}.outcome"',
    ]
    return "\n".join(lines) + "\n"


def told(folder: Path, name: str) -> tuple[str, dict[str, str]]:
    """How a step ended, and its outputs."""
    return (folder / f"{name}.outcome").read_text().strip(), json.loads((folder / f"{name}.json").read_text())


def verdict(outputs: dict[str, str]) -> str:
    """The verdict, the errors and the false dates of a step."""
    return " ".join(outputs[name] for name in ("verdict", "errors", "false-dates"))


def errors(log: str) -> list[str]:
    """The annotations that act took for errors."""
    return re.findall(r"❗ +(::error.*)", log)


TRAP = "from pathlib import Path\nPath(__import__('os').environ['TOLD'], 'trapped').write_text(__file__)\n"
NASTY = "\"; touch pwned1; $(touch pwned2) `touch pwned3` && touch pwned4 ' | touch pwned5"


def test_two_sites_in_a_hostile_workspace(
    act: Act, make_site: Callable[[str, Path], None], commit: Callable[..., None], tmp_path: Path
) -> None:
    work = tmp_path / "work"
    make_site("honest", work)
    # The workspace has modules with the names of ours and of the standard library's.
    for module in ("sitemap_guard/__init__.py", "json.py", "sitecustomize.py", "pip/__init__.py", "inputs.py"):
        (work / module).parent.mkdir(exist_ok=True)
        (work / module).write_text(TRAP)
    steps = (
        use("honest", site="public")
        + use("lying", site="public", working_directory="other", fail_on="error")
        + use("nasty", site=NASTY, base_url=NASTY, config=NASTY, rev=NASTY)
        + use("options", site="public", args="--base-url $(touch${IFS}pwned6) ; touch pwned7 '`touch pwned8`'")
        + "      - if: always()\n        shell: bash\n"
        + '        run: find . -name "pwned*" >"$TOLD/pwned"; ls -a "$RUNNER_TEMP/sitemap-guard" >"$TOLD/temp"\n'
    )
    workflow(work, steps, env="{PYTHONPATH: ., PYTHONSTARTUP: json.py}")
    commit(work)
    make_site("lying", work / "other")

    log = act(work).stdout

    outcome, outputs = told(tmp_path, "honest")
    assert (outcome, verdict(outputs)) == ("success", "true 0 0"), log
    outcome, outputs = told(tmp_path, "lying")
    assert (outcome, verdict(outputs)) == ("failure", "false 1 1"), log
    assert any("title=lastmod-too-new" in error and "news.html" in error for error in errors(log)), log

    for name in ("nasty", "options"):
        outcome, outputs = told(tmp_path, name)
        assert (outcome, verdict(outputs)) == ("failure", "unknown unknown unknown"), log
    assert (tmp_path / "pwned").read_text() == ""
    assert not (tmp_path / "trapped").exists(), (tmp_path / "trapped").read_text()

    # One installation for four uses.
    environments = [name for name in (tmp_path / "temp").read_text().split() if name.startswith(("env-", "new-"))]
    assert len(environments) == 1, environments
    assert log.count("::group::Set up sitemap-guard") == 1


def test_a_shallow_checkout_is_deepened(
    act: Act, make_site: Callable[[str, Path], None], commit: Callable[..., None], tmp_path: Path
) -> None:
    origin, work = tmp_path / "origin", tmp_path / "work"
    make_site("honest", origin)
    workflow(origin, use("never", site="public", deepen="never") + use("auto", site="public"))
    commit(origin)
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{origin}", str(work)], check=True)

    log = act(work).stdout

    outcome, outputs = told(tmp_path, "never")
    assert (outcome, outputs["verdict"], outputs["false-dates"]) == ("failure", "false", "0"), log
    assert any("title=history-shallow" in error for error in errors(log)), log
    outcome, outputs = told(tmp_path, "auto")
    assert (outcome, outputs["verdict"], outputs["cannot-tell"]) == ("success", "true", "0"), log


@pytest.mark.parametrize("job", ["honest", "lying"])
def test_the_workflow_that_tests_the_action(act: Act, project_copy: Path, job: str) -> None:
    done = act(
        project_copy, "--workflows", ".github/workflows/selftest.yml", "--job", job, "--matrix", "os:ubuntu-latest"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Job succeeded" in done.stdout
