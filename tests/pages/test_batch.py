"""Reading many pages gives what reading them one by one gives, whatever becomes of the workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from sites import read_pages

from sitemap_guard.pages import batch
from sitemap_guard.pages.batch import Batch
from sitemap_guard.pages.html import read_page


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, list[str]]:
    names = [f"p{number}.html" for number in range(40, 0, -1)]
    for name in names:
        (tmp_path / name).write_text(
            f"<link rel=canonical href=/{name}><a href=https://github.com/o/r/edit/main/%FF{name}>"
        )
    return tmp_path, [*names, "none.html"]


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_same_pages_in_the_same_order(site: tuple[Path, list[str]], jobs: int | None) -> None:
    folder, names = site
    steps: list[tuple[int, int]] = []
    pages = read_pages(folder, [*names, names[0]], jobs=jobs, progress=lambda done, total: steps.append((done, total)))
    assert list(pages) == names
    assert pages == {name: read_page(folder / name, name) for name in names}
    assert steps[-1] == (41, 41)
    assert steps == sorted(set(steps))


def test_without_edit_links(site: tuple[Path, list[str]]) -> None:
    folder, names = site
    assert all(not page.edit_links for page in read_pages(folder, names, edit_links=False, jobs=2).values())


def test_nothing_to_read(tmp_path: Path) -> None:
    assert read_pages(tmp_path, []) == {}


def _die(*_: object) -> None:
    os._exit(1)


def test_a_worker_that_dies(site: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, names = site
    submitted = []
    submit = ProcessPoolExecutor.submit

    def second_dies(self: ProcessPoolExecutor, *args: object) -> object:
        submitted.append(args)
        return submit(self, *args) if len(submitted) != 3 else submit(self, _die)  # type: ignore[arg-type]

    monkeypatch.setattr(ProcessPoolExecutor, "submit", second_dies)
    pages = read_pages(folder, names, jobs=2)
    assert list(pages) == names
    assert len(submitted) == 3


def test_many_pages_use_processes(site: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, names = site
    used = []
    monkeypatch.setattr(batch, "_pool", used.append)
    monkeypatch.setattr(batch, "_cores", lambda: 2)
    read_pages(folder, names)
    assert not used
    monkeypatch.setattr(batch, "_MANY", 10)
    assert list(read_pages(folder, names)) == names
    assert used == [2]


def test_the_workers_begin_at_once_and_end_with_the_batch(site: tuple[Path, list[str]]) -> None:
    with Batch(site[0], 40, jobs=2):
        # Both where they are forked; where a thread forbids that, the second one begins with the second task.
        assert 1 <= len(multiprocessing.active_children()) <= 2
    assert not multiprocessing.active_children()


@pytest.mark.skipif(sys.platform == "win32", reason="NOT TESTED: Windows has no signals for process groups")
@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.parametrize("wait", [0.0, 0.05, 0.3])
def test_workers_leave_ctrl_c_to_the_command(tmp_path: Path, start: str, wait: float) -> None:
    for number in range(400):
        (tmp_path / f"{number}.html").write_text("<link rel=canonical href=/x>" + "<meta name=a content=b>" * 3000)
    program = f"""
import multiprocessing, sys
from sitemap_guard import cli
from sitemap_guard.pages import batch
batch._context = lambda: multiprocessing.get_context({start!r})
def read(**_):
    print("reading", flush=True)
    with batch.Batch({str(tmp_path)!r}, 400, jobs=4) as pages:
        for number in range(400):
            pages.add(f"{{number}}.html")
        pages.read()
cli.cli.main = read
if __name__ == "__main__":
    sys.exit(cli.main(["check"]))
"""
    script = tmp_path / "run.py"
    script.write_text(program)
    running = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert running.stdout is not None
    running.stdout.readline()
    time.sleep(wait)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "sitemap-guard: stopped\n")
