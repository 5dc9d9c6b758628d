"""The whole step with the installation left out (tests/e2e has that)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from action_runner import Step, commands, make_site, outputs
from engine import Act, engine


@pytest.fixture
def step(tmp_path: Path) -> Step:
    return Step(tmp_path)


def test_a_lying_site(step: Step) -> None:
    make_site("lying", step.folder)
    done = step.run(site="public")
    assert done.returncode == 1, done.stdout + done.stderr
    [annotation] = commands(done.stdout)
    assert re.match(r"::error file=public/[\w.]+,line=\d+,.*title=lastmod-too-new", annotation)
    assert "news.html" in annotation
    said = step.outputs()
    assert said["verdict"] == "false"
    assert (said["errors"], said["false-dates"], said["cannot-tell"]) == ("1", "1", "0")
    assert json.loads(Path(said["report"]).read_text())["summary"]["dates"]["false"] == 1
    assert "lastmod-too-new" in step.summary.read_text()


def test_an_honest_site_and_no_summary(step: Step) -> None:
    make_site("honest", step.folder)
    done = step.run(site="public", summary="false")
    assert done.returncode == 0, done.stdout + done.stderr
    assert step.outputs()["verdict"] == "true"
    assert not step.summary.exists()


def test_a_working_directory(step: Step) -> None:
    make_site("honest", step.folder / "sub")
    assert step.run(site="public", working_directory="sub").returncode == 0
    done = step.run(working_directory="nowhere")
    assert done.returncode == 2
    assert ["no such folder" in line for line in commands(done.stdout)] == [True]
    assert step.outputs()["verdict"] == "unknown"


def test_a_site_that_is_not_there(step: Step) -> None:
    make_site("honest", step.folder)
    done = step.run(site="; touch pwned; $(touch pwned)")
    assert done.returncode == 2
    assert len(commands(done.stdout)) == 1
    assert step.outputs() | {"report": ""} == outputs.NO_REPORT
    assert not list(step.folder.rglob("pwned*"))


def test_text_of_the_site_is_never_a_command(step: Step) -> None:
    make_site("lying", step.folder)
    sitemap = step.folder / "public" / "sitemap.xml"
    hostile = "https://docs.garden.example/x&#10;::add-mask::a&#13;::error::b ##[error]c %0A::error::d"
    entry = f"<url><loc>{hostile}</loc><lastmod>2024&#10;::add-mask::e ##[group]f</lastmod></url></urlset>"
    sitemap.write_text(sitemap.read_text().replace("</urlset>", entry))
    (step.folder / "public" / "::add-mask::g.xml").write_text("<")
    done = step.run(site="public")
    assert done.returncode == 1, done.stdout + done.stderr
    assert commands(done.stdout)
    for command in commands(done.stdout):
        assert re.match(r"::(error|warning|notice) [^:]*::", command), command


def test_the_log_is_read_as_a_runner_reads_it() -> None:
    assert commands("::error::a\nx\r::warning::b\nc ##[error]d\n::stop-commands::t\n::error::e\n::t::\n") == [
        "::error::a",
        "::warning::b",
        "c ##[error]d",
    ]


def first_commit(folder: Path) -> str:
    command = ["git", "-C", str(folder), "rev-list", "--max-parents=0", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_the_key_goes_to_the_engine_and_nowhere_else(step: Step) -> None:
    key = "0123456789abcdef"
    make_site("honest", step.folder)
    (step.folder / "public" / f"{key}.txt").write_text(key)
    spy = "import json, os, sys; open('seen.json', 'a').write(json.dumps([dict(os.environ), sys.argv])); print('url,path')"
    with engine() as server:
        (step.folder / "sitemap-guard.toml").write_text(
            f'[[manifest]]\ncommand = [{json.dumps(sys.executable)}, "-c", {json.dumps(spy)}]\n'
            f'[indexnow]\nendpoint = "{server.url}"\n'
        )
        done = step.run(site="public", indexnow_key=key, indexnow_since=first_commit(step.folder))
        assert done.returncode == 0, done.stdout + done.stderr
        assert [got["key"] for _, _, got in server.got] == [key]
        # Runs that send nothing: a first push, and a check that fails.
        first = step.run(site="public", indexnow_key=key, indexnow_since="0" * 40)
        assert (first.returncode, "nothing is sent: there was no commit before" in first.stdout) == (0, True)
        assert step.run(site="nowhere", indexnow_key=key, indexnow_since="HEAD").returncode == 2
        assert len(server.got) == 1
    lines = done.stdout.splitlines()
    assert [line for line in lines if key in line] == [f"::add-mask::{key}"]
    assert lines[0] == f"::add-mask::{key}"
    assert key not in done.stderr
    seen = (step.folder / "seen.json").read_text()
    assert "PATH" in seen
    assert key not in seen


def test_a_key_that_is_none_is_not_shown(step: Step) -> None:
    make_site("honest", step.folder)
    done = step.run(site="public", indexnow_key="no key\n::warning::x")
    assert done.returncode == 2
    assert "no key" not in done.stdout.replace("is no key", "")
    assert len(commands(done.stdout)) == 1


def test_a_refusal_of_the_engine_fails_the_step(step: Step) -> None:
    key = "0123456789abcdef"
    make_site("honest", step.folder)
    with engine(Act(403, body=f"bad {key}")) as server:
        (step.folder / "sitemap-guard.toml").write_text(f'[indexnow]\nendpoint = "{server.url}"\n')
        done = step.run(site="public", indexnow_key=key, indexnow_since="HEAD")
        assert done.returncode == 2
        assert "does not serve the key" in commands(done.stdout)[-1]
        (step.folder / "public" / f"{key}.txt").write_text(key)
        done = step.run(site="public", indexnow_key=key, indexnow_since=first_commit(step.folder))
    assert done.returncode == 2
    assert "the engine found no valid key (403)" in commands(done.stdout)[-1]
    assert step.outputs()["verdict"] == "true"
    assert done.stdout.count(key) == 1
