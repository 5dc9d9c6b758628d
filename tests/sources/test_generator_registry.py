"""Every generator has all that CONTRIBUTING.md asks for."""

from __future__ import annotations

import re
import sys

import pytest
from conftest import PROJECT

from sitemap_guard.sources.generators.base import Layout
from sitemap_guard.sources.generators.registry import BUILDERS, GENERATORS

MODULES = [find.__module__.rpartition(".")[2] for find in GENERATORS]
DOCS = (PROJECT / "docs" / "generators.md").read_text("utf-8")
TABLE = DOCS.split("\n| generator | works untouched |")[1].split("\n\n")[0]


def name_of(module: str) -> str:
    """The generator's name, as its layout says it."""
    classes = vars(sys.modules[f"sitemap_guard.sources.generators.{module}"]).values()
    (layout,) = [one for one in classes if isinstance(one, type) and issubclass(one, Layout) and one.generator]
    return layout.generator


def is_named(generator: str, titles: list[str]) -> bool:
    return any(re.match(rf"{re.escape(generator)}\b", title, re.IGNORECASE) for title in titles)


def test_every_module_with_a_find_is_registered() -> None:
    folder = PROJECT / "sitemap_guard" / "sources" / "generators"
    written = {file.stem for file in folder.glob("*.py") if "\ndef find(" in file.read_text("utf-8")}
    assert set(MODULES) == written


@pytest.mark.parametrize("module", MODULES)
def test_a_generator_is_one_that_signs_its_pages(module: str) -> None:
    assert name_of(module) in BUILDERS


@pytest.mark.parametrize("module", MODULES)
def test_a_generator_has_a_row_and_a_section_in_the_docs(module: str) -> None:
    assert is_named(name_of(module), re.findall(r"^\| ([^|]+) \|", TABLE, re.MULTILINE))
    assert is_named(name_of(module), re.findall(r"^### (.+)$", DOCS, re.MULTILINE))


@pytest.mark.parametrize("module", MODULES)
def test_a_generator_has_tests_and_a_site_that_it_builds_itself(module: str) -> None:
    assert (PROJECT / "tests" / "sources" / f"test_generator_{module}.py").is_file()
    builds = (PROJECT / "tests" / "real_builds" / "builds.py").read_text("utf-8")
    name = {"nextjs": "next"}.get(module, module)
    assert f'Build("{name}",' in builds
    assert (PROJECT / "tests" / "real_builds" / name / "expected.tsv").is_file()
