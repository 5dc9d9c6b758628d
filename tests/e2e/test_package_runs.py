"""The package as others get it: built, installed into an environment of its own, and run far from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("package")


@pytest.fixture(scope="module")
def built(project_copy: Path, tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    # The wheel is made from the source distribution, so that both are complete.
    subprocess.run([tool("uv"), "build", "-q", "--out-dir", str(folder), str(project_copy)], check=True)
    return folder


def test_the_archives_hold_what_they_need(built: Path) -> None:
    [wheel], [source] = built.glob("*.whl"), built.glob("*.tar.gz")
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("py.typed", "reports/page/report.html.jinja", "reports/page/report.css", "demo.py"):
        assert f"sitemap_guard/{name}" in names
    assert not [name for name in names if not name.startswith(("sitemap_guard/", "sitemap_guard-"))]
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "tests/conftest.py", "docs/api.md"):
        assert name in inside


def test_the_wheel_runs_in_a_fresh_environment(built: Path, tool: Callable[[str], str], tmp_path: Path) -> None:
    place = tmp_path / "venv"
    subprocess.run([tool("uv"), "venv", "-q", "--python", sys.executable, str(place)], check=True)
    python = place / "bin" / "python"
    [wheel] = built.glob("*.whl")
    subprocess.run([tool("uv"), "pip", "install", "-q", "--python", str(python), str(wheel)], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [str(place / "bin" / "sitemap-guard"), *args]
        return subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)

    assert run("--version").stdout.startswith("sitemap-guard ")
    demo = run("demo", "--keep", "demo")
    assert demo.returncode == 0, demo.stderr
    assert "lastmod-too-new" in demo.stdout
    checked = run("check", "demo/public", "--output", "html=report.html", "--output", "sarif=report.sarif")
    assert checked.returncode == 1, checked.stderr
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
    assert run("fix", "demo/public").returncode in (0, 1)
    assert run("schema").returncode == 0
    typed = subprocess.run(
        [str(python), "-c", "import sitemap_guard, pathlib; print(pathlib.Path(sitemap_guard.__file__).parent)"],
        cwd=tmp_path, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert place in Path(typed.stdout.strip()).parents
