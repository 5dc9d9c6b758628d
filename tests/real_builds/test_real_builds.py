"""Every page of small sites, built with the real generators, finds its source, and none a wrong one.

Run by `make test-real`: it installs each generator from its registry. What cannot be installed is NOT TESTED, and
says so in the summary of the run.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from builds import (
    BUILDS,
    Build,
    NotInstalledError,
    Score,
    addresses,
    configuration,
    expected,
    prepare,
    score,
    without_leavings,
)

pytestmark = pytest.mark.real


def assert_true(found: Score, build: Build, how: str) -> None:
    what = f"{build.name}, {how}"
    assert not found.wrong, f"{what}: mapped wrong: {found.wrong}"
    assert found.right >= 0.99 * found.files, f"{what}: not found: {found.missing}"
    if how == "without a configuration":
        assert found.lists >= 0.95 * found.all_lists, f"{what}: no lists: {found.unlisted}"


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)
def test_every_page_finds_its_source(build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        site = prepare(build, tmp_path)
    except NotInstalledError as error:
        pytest.skip(f"NOT TESTED: {build.name} cannot be installed here: {error}")
    truth = expected(build.name)
    # The table is what the generator itself says, and names every page.
    assert set(addresses(site / build.out)) == set(truth)
    told = {f"/{url.removeprefix(build.base).lstrip('/')}": path for url, path in build.manifest(site)}
    for address, path in told.items():
        if address in truth and (site / path).exists():
            assert truth[address][0] == path, address
    found = score(build, site)
    assert_true(found, build, "without a configuration")
    if build.own:
        by_manifest = score(build, site, configuration(build))
        assert_true(by_manifest, build, "with its manifest")
    if build.leaves:
        without_leavings(build, site)
        assert_true(score(build, site), build, f"without {build.leaves}")
    if build.name == "eleventy":
        # Its own JSON; a template in JavaScript makes it fail (Eleventy 3.1).
        (site / "src/script.11ty.js").unlink()
        settings = '[[manifest]]\ncommand = ["node_modules/.bin/eleventy", "--to=json"]\nformat = "eleventy-json"\n'
        assert_true(score(build, site, settings), build, "with --to=json")
    with capsys.disabled():
        print(
            f"\n{build.name}: {found.right} of {found.files} right, 0 wrong, {found.lists} of {found.all_lists} lists"
        )
