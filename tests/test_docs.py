"""The documentation says what the program does."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from conftest import PROJECT

from sitemap_guard import api, cli, config

DOCS = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").glob("*.md"))]


def test_the_rules_page_is_written_from_the_rules() -> None:
    done = subprocess.run([sys.executable, str(PROJECT / "docs" / "make_rules.py"), "--check"], check=False)
    assert done.returncode == 0, "run make docs"


def test_the_configuration_example_is_valid_and_names_every_key() -> None:
    text = (PROJECT / "docs" / "configuration.md").read_text("utf-8")
    block = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
    config.parse(block, Path("docs.toml"))
    for table in (
        config.Config,
        config.Dates,
        config.SourceRule,
        config.ManifestFile,
        config.HostingTable,
        config.Addresses,
        config.PagesTable,
        config.IndexNow,
        config.Ignore,
    ):
        for key in table.__struct_encode_fields__:
            assert re.search(rf"^\[*{re.escape(key)}\b", block, re.MULTILINE), key


def test_every_argument_of_check_is_described() -> None:
    rows = re.findall(r"^\| (`.+?) \|", (PROJECT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)
    described = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert described == [name for name in described if name in inspect.signature(api.check).parameters]
    assert set(inspect.signature(api.check).parameters) == set(described)


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_links_lead_to_files(file: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
        assert (file.parent / target).exists(), target


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_options_and_commands_that_are_named_exist(file: Path) -> None:
    text = file.read_text("utf-8")
    context = click.Context(cli.cli)
    for name, rest in re.findall(r"(?:^|`|: )sitemap-guard ([a-z]+)((?: --[a-z-]+)*)", text, re.MULTILINE):
        command = cli.cli.get_command(context, name)
        assert isinstance(command, click.Command), name
        known = {option for parameter in command.params for option in parameter.opts + parameter.secondary_opts}
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in known, option
