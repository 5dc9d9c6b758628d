"""Six real sites as data: every page with a file finds it without any configuration, whichever ways are left."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from conftest import REAL

from benchmarks.mapping import BUILDS, counted, mappings
from benchmarks.real_sites import truth


@pytest.mark.parametrize("without", [(), ("edit-link", "manifest")], ids=["all", "names"])
@pytest.mark.parametrize(("site", "build"), BUILDS)
def test_sources_and_lists(
    real_site: Callable[[str, str], Path], site: str, build: str, without: Collection[str]
) -> None:
    found, _ = mappings(real_site(site, build), without)
    counts = counted(found, truth(REAL, site))
    assert (counts["right"], counts["wrong"], counts["missing"]) == (counts["files"], 0, 0)
    assert counts["recognised"] == counts["lists"]
