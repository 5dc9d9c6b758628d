"""The parts of the action, each by itself."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from action_runner import ACTION, PROJECT, commands, inputs, install, log, outputs

ActionError, Inputs, Reports = inputs.ActionError, inputs.Inputs, inputs.Reports
arguments, read_inputs = inputs.arguments, inputs.read_inputs

METADATA: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text())
STEP: dict[str, Any] = METADATA["runs"]["steps"][0]


# ---------------------------------------------------------------------------------------------------- action.yml


def test_every_input_reaches_the_step_by_its_environment_and_is_read() -> None:
    names = {name: "GUARD_INPUT_" + name.upper().replace("-", "_") for name in METADATA["inputs"]}
    assert STEP["env"] == {variable: f"${{{{ inputs.{name} }}}}" for name, variable in names.items()}
    values = {variable: f"the-{name}" for name, variable in names.items()} | {"GUARD_INPUT_SUMMARY": "false"}
    read = read_inputs(values)
    assert set(vars(read)) == {name.replace("-", "_") for name in names}
    assert read == Inputs(
        **{name.replace("-", "_"): f"the-{name}" for name in names if name not in {"summary", "args"}},
        summary=False,
        args=("the-args",),
    )


def test_no_input_is_written_into_the_script() -> None:
    assert "${{" not in STEP["run"]


def test_every_output_is_written() -> None:
    assert set(METADATA["outputs"]) == set(outputs.NO_REPORT)
    for name, output in METADATA["outputs"].items():
        assert output["value"] == f"${{{{ steps.{STEP['id']}.outputs.{name} }}}}"


def test_the_defaults_are_those_of_an_empty_environment() -> None:
    given = {f"GUARD_INPUT_{n.upper().replace('-', '_')}": i["default"] for n, i in METADATA["inputs"].items()}
    assert read_inputs(given) == Inputs(deepen="auto")
    assert read_inputs({}) == Inputs()


# -------------------------------------------------------------------------------------------------------- inputs


def test_values_cannot_become_options(tmp_path: Path) -> None:
    argv = arguments(Inputs(site="--fail-on=never", config="--all", base_url="$(id)"), Reports(tmp_path))
    assert argv[0] == "check"
    assert argv[-2:] == ["--", "--fail-on=never"]
    assert "--config=--all" in argv
    assert "--base-url=$(id)" in argv


def test_the_reports_win_over_further_options(tmp_path: Path) -> None:
    argv = arguments(read_inputs({"GUARD_INPUT_ARGS": "--format text --all 'a b'"}), Reports(tmp_path))
    assert argv[1:5] == ["--format", "text", "--all", "a b"]
    assert argv.index("--format=github") > argv.index("text")


def test_no_summary_is_asked_for_when_none_is_wanted(tmp_path: Path) -> None:
    assert any(a.startswith("--output=markdown=") for a in arguments(Inputs(), Reports(tmp_path)))
    assert not any(a.startswith("--output=markdown=") for a in arguments(Inputs(summary=False), Reports(tmp_path)))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ARGS", "--all 'open", "close its quotes"),
        ("ARGS", "-- public", "in input 'site'"),
        ("SUMMARY", "perhaps", "true or false"),
    ],
)
def test_inputs_that_cannot_be_read(name: str, value: str, says: str) -> None:
    with pytest.raises(ActionError, match=says):
        read_inputs({f"GUARD_INPUT_{name}": value})


# ------------------------------------------------------------------------------------------------------- outputs


def report(tmp_path: Path, *, error: int = 0, true: int = 0, false: int = 0, cannot_tell: int = 0) -> Path:
    file = tmp_path / "report.json"
    dates = {"true": true, "false": false, "cannot_tell": cannot_tell, "absent": 0}
    findings = {"error": error, "warning": 3, "info": 0}
    file.write_text(json.dumps({"version": 1, "summary": {"dates": dates, "findings": findings}}))
    return file


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({"true": 5}, "true"),
        ({"true": 5, "cannot_tell": 1}, "true"),
        ({}, "true"),
        ({"cannot_tell": 192}, "unknown"),
        ({"true": 5, "error": 1}, "false"),
        ({"true": 5, "false": 1}, "false"),
        ({"cannot_tell": 192, "error": 1}, "false"),
    ],
)
def test_verdict(tmp_path: Path, counts: dict[str, int], verdict: str) -> None:
    read = outputs.read_report(report(tmp_path, **counts))
    assert read["verdict"] == verdict
    assert read["warnings"] == "3"
    assert read["cannot-tell"] == str(counts.get("cannot_tell", 0))


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"summary": {"dates": 4}}', '{"summary": {"dates": {}}}'])
def test_a_report_that_cannot_be_read_is_unknown(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "r.json").write_text(text)
    assert outputs.read_report(tmp_path / "r.json") == outputs.NO_REPORT


def test_a_value_cannot_add_an_output(tmp_path: Path) -> None:
    file = tmp_path / "out"
    outputs.write_outputs({"report": "a\nverdict=true\nEOF\nb", "verdict": "false"}, str(file))
    lines = file.read_text().split("\n")
    read: dict[str, str] = {}
    while lines != [""]:
        name, _, delimiter = lines.pop(0).partition("<<")
        end = lines.index(delimiter)
        read[name], lines = "\n".join(lines[:end]), lines[end + 1 :]
    assert read == {"report": "a\nverdict=true\nEOF\nb", "verdict": "false"}


def test_the_summary_is_cut_below_the_limit_and_says_so(tmp_path: Path) -> None:
    markdown, target = tmp_path / "m.md", tmp_path / "summary"
    markdown.write_text("# Report\n<details>\n\n```diff\n" + "- ünsafe line\n" * 100_000, encoding="utf-8")
    target.write_text("what another program wrote\n")
    outputs.write_summary(markdown, str(target))
    written = target.read_text(encoding="utf-8")
    assert outputs.SUMMARY_BYTES - 300 < target.stat().st_size <= outputs.SUMMARY_BYTES
    assert written.startswith("what another program wrote\n# Report\n")
    assert written.count("```") == 2
    assert "</details>" in written
    assert "Cut here" in written[-200:]


def test_a_short_summary_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "m.md").write_text("# Report\n", encoding="utf-8")
    outputs.write_summary(tmp_path / "m.md", str(tmp_path / "summary"))
    assert (tmp_path / "summary").read_text() == "# Report\n\n"


# ------------------------------------------------------------------------------------------------------- the log


def test_only_annotations_are_passed_on() -> None:
    text = (
        "::error file=a.md,line=3::bad%0Athing\n::warning::w\n::notice title=t::n\n"
        "::set-output name=verdict::true\n::add-mask::x\n ::error::indented\nprose ##[error]x\n"
        "::error::one\r::add-mask::x\n::errors::no\n::add-matcher::m.json\n"
    )
    assert log.annotation_lines(text) == [
        "::error file=a.md,line=3::bad%0Athing",
        "::warning::w",
        "::notice title=t::n",
    ]


def test_what_is_said_while_commands_are_stopped_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    with log.stopped_commands():
        print("::add-mask::x\r::add-mask::y\n##[error]z\nan open line", end="")
    log.annotate_error("50% of\n::error::a\r\x1b[31m")
    assert commands(capsys.readouterr().out) == ["::error title=sitemap-guard::50%25 of%0A::error::a%0D [31m"]


# ------------------------------------------------------------------------------------------------------- install


def test_the_environment_keeps_mirrors_and_drops_what_leads_astray() -> None:
    kept = {"PIP_INDEX_URL": "https://mirror.example/simple", "PIP_CERT": "c.pem", "PATH": "/bin", "HOME": "/h"}
    dropped = {"PYTHONPATH": ".", "PYTHONHOME": "x", "PythonStartup": "x", "PIP_TARGET": "x", "PIP_USER": "1"}
    clean = install.clean_environment(kept | dropped)
    assert kept.items() <= clean.items()
    assert not dropped.keys() & clean.keys()


def test_an_installation_is_named_by_all_that_it_is_made_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "package").mkdir()
    module, lock = tmp_path / "package" / "a.py", tmp_path / "lock.txt"
    module.write_text("1")
    lock.write_text("x==1")
    monkeypatch.setattr(install, "__file__", str(lock))
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "PACKAGE", module.parent)
    monkeypatch.setattr(install, "LOCK", lock)
    names = [install._fingerprint()]
    assert install._fingerprint() == names[0]
    module.write_text("2")
    names.append(install._fingerprint())
    lock.write_text("x==2")
    names.append(install._fingerprint())
    (module.parent / "b.py").write_text("")
    names.append(install._fingerprint())
    monkeypatch.setattr(sys, "version", "3.99")
    names.append(install._fingerprint())
    assert len(set(names)) == 5


def test_an_interrupted_installation_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []

    def interrupted(environment: Path, env: object) -> None:
        built.append(environment)
        install._python_in(environment).parent.mkdir(parents=True)
        install._python_in(environment).touch()
        if len(built) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(install, "_build", interrupted)
    with pytest.raises(KeyboardInterrupt):
        install.installed(tmp_path, {})
    python = install.installed(tmp_path, {})
    assert len(built) == 2
    assert python.is_file()
    assert install.installed(tmp_path, {}) == python
    assert len(built) == 2


def test_relay_keeps_the_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("action_main", ACTION / "__main__.py")
    assert spec
    assert spec.loader
    main = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(main)
    said = main.relay(io.BytesIO(b"".join(b"line %d\n" % n for n in range(9)) + b"\xff\n\n"))
    assert said.split("\n") == ["line 5", "line 6", "line 7", "line 8", "\ufffd"]
    assert "line 0" in capsys.readouterr().out
