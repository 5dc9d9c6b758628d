"""The documentation as a site, built by MkDocs and checked by the program itself; and the recipes in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from conftest import PROJECT, Repo
from sites import MARCH

import sitemap_guard
from sitemap_guard import cli

RECIPES = (PROJECT / "docs" / "recipes.md").read_text("utf-8")


def blocks(kind: str, text: str = RECIPES) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """The documentation in a repository of its own, each page with a commit on a day of its own."""
    repo = Repo(tmp_path_factory.mktemp("docs") / "repo")
    shutil.copytree(PROJECT / "docs", repo.root / "docs", ignore=shutil.ignore_patterns("__pycache__", "*.md"))
    shutil.copy(PROJECT / "mkdocs.yml", repo.root / "mkdocs.yml")
    repo.write(".gitignore", "build/\n__pycache__/\n")
    for number, page in enumerate(sorted((PROJECT / "docs").glob("*.md"))):
        repo.commit(f"Write {page.stem}", {f"docs/{page.name}": page.read_text("utf-8")}, at=MARCH + number * 86400)
    return repo


def built(repo: Repo, *options: str) -> sitemap_guard.Result:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", *options],
        cwd=repo.root,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return sitemap_guard.check("build/site", start=repo.root)


def test_the_site_is_true(documented: Repo) -> None:
    result = built(documented)
    assert [(finding.rule, finding.message) for finding in result.findings if finding.level > 1] == []
    pages = len(list((PROJECT / "docs").glob("*.md")))
    assert (result.summary.true, result.summary.urls) == (pages, pages)


def test_without_the_hook_it_would_not_be(documented: Repo) -> None:
    plain = (documented.root / "mkdocs.yml").read_text().replace("hooks:\n  - docs/hooks/dates.py\n", "")
    (documented.root / "plain.yml").write_text(plain)
    result = built(documented, "--config-file", "plain.yml")
    assert result.summary.true == 0
    assert result.summary.false == result.summary.urls


def test_every_page_is_in_the_navigation() -> None:
    nav = yaml.safe_load((PROJECT / "mkdocs.yml").read_text("utf-8"))["nav"]
    listed = {page for entry in nav for page in entry.values()}
    assert listed == {page.name for page in (PROJECT / "docs").glob("*.md")}, "add it to nav in mkdocs.yml"


def test_the_command_line_page_is_written_from_the_help() -> None:
    done = subprocess.run([sys.executable, str(PROJECT / "docs" / "make_commands.py"), "--check"], check=False)
    assert done.returncode == 0, "run make docs"


# ------------------------------------------------------------------------------------------------------ recipes


def test_the_workflow_passes_actionlint(tmp_path: Path) -> None:
    [workflow] = [block for block in blocks("yaml") if block.startswith("name:")]
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "site.yml").write_text(workflow)
    actionlint = Path(sys.executable).with_name("actionlint")
    done = subprocess.run(
        [actionlint, "-shellcheck=", "-pyflakes=", folder / "site.yml"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    inputs = yaml.safe_load((PROJECT / "action.yml").read_text("utf-8"))["inputs"]
    for job in yaml.safe_load(workflow)["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("OWNER/sitemap-guard"):
                assert set(step["with"]) <= set(inputs)


def test_jobs_of_the_pipeline_need_only_what_ran_before() -> None:
    """GitLab takes no pipeline in which a job needs one of a later stage; without a word a job is in `test`."""
    [pipeline] = [yaml.safe_load(block) for block in blocks("yaml") if not block.startswith("name:")]
    assert pipeline.pop("variables") == {"GIT_DEPTH": "0"}
    order = ["build", "test", "deploy"]
    stages = {name: order.index(job.get("stage", "test")) for name, job in pipeline.items()}
    for name, job in pipeline.items():
        for needed in job.get("needs", []):
            assert stages[needed] <= stages[name], f"{name} needs {needed}"


def test_every_command_of_a_recipe_is_understood() -> None:
    text = (
        RECIPES
        + (PROJECT / "docs" / "indexnow.md").read_text("utf-8")
        + (PROJECT / "docs" / "adopting.md").read_text("utf-8")
    )
    calls = re.findall(
        r"sitemap-guard ((?:check|changed|indexnow|schema)\b[^\n&|#\"`;]*)", "\n".join(blocks("[a-z]+", text))
    )
    assert len(calls) > 10
    for call in calls:
        name, *rest = call.split()
        command = cli._Commands(name="sitemap-guard").get_command(cli.click.Context(cli.cli), name)
        assert command is not None
        # Parsing alone: an option that does not exist, or lacks its value, is an error.
        command.make_context(name, [*rest, *(["x"] if rest and rest[-1] in ("--since", "--state") else [])])


# ------------------------------------------------------------------------------------------- schema and completion


def schema(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert cli.main(["schema"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_the_schema_takes_what_the_program_takes(capsys: pytest.CaptureFixture[str]) -> None:
    made = schema(capsys)
    jsonschema.Draft202012Validator.check_schema(made)
    validator = jsonschema.Draft202012Validator(made)
    [example] = blocks("toml", (PROJECT / "docs" / "configuration.md").read_text("utf-8"))[:1]
    validator.validate(tomllib.loads(example))
    for wrong in (
        "sit = 'x'",
        "[dates]\nzoen = 'x'",
        "fail-on = 'often'",
        "[rules]\nlastmod-to-new = 'off'",
        "site = 3",
    ):
        assert not validator.is_valid(tomllib.loads(wrong)), wrong


def test_every_setting_that_the_documentation_shows_is_in_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    validator = jsonschema.Draft202012Validator(schema(capsys))
    ours = set(validator.schema["$defs"]["Config"]["properties"])
    shown = 0
    for page in (PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))):
        for block in blocks("toml", page.read_text("utf-8")):
            table = tomllib.loads(block)
            if set(table) & ours - {"build"}:
                validator.validate(table)
                shown += 1
    assert shown >= 10


def test_the_schema_says_what_keys_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    definitions = schema(capsys)["$defs"]
    assert (
        "share of dates that must be verified" in definitions["Config"]["properties"]["require-verified"]["description"]
    )
    assert "time zone" in definitions["Dates"]["properties"]["zone"]["description"]
    assert all(definition["description"] for definition in definitions.values())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("ind", "plain,indexnow"),
        ("check --write-b", "plain,--write-baseline"),
        ("check --select lastmod-too-n", "plain,lastmod-too-new"),
        ("explain page-mis", "plain,page-missing"),
        ("check pub", "dir,pub"),
        ("fix pub", "dir,pub"),
        ("map pub", "dir,pub"),
        ("check --baseline kno", "file,kno"),
        ("check --config sit", "file,sit"),
        ("changed --since old", "file,old"),
    ],
)
def test_shells_complete(words: str, offered: str, complete: Callable[[str], list[str]]) -> None:
    assert complete(words) == [offered]


@pytest.fixture
def complete() -> Callable[[str], list[str]]:
    def ask(words: str) -> list[str]:
        line = f"sitemap-guard {words}"
        environment = {
            "_SITEMAP_GUARD_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(line.count(" ")),
            "PYTHONPATH": str(PROJECT),
        }
        done = subprocess.run(
            [Path(sys.executable).with_name("sitemap-guard")],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.split()

    return ask
