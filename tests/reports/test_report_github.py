from __future__ import annotations

import re

import msgspec
import pytest
from sample import BASE, rich_result, summary

from sitemap_guard.model import Finding, Level, Result
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.reports.github import relative


def annotations(result: Result) -> list[tuple[str, dict[str, str], str]]:
    """(command, properties, message) as GitHub's runner reads them."""
    found = []
    for line in FORMATS["github"](result, Style()).splitlines():
        if line.startswith("::"):
            match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
            assert match, line
            pairs = (pair.split("=", 1) for pair in match[2].split(",") if pair)
            found.append((match[1], {key: unescape(value) for key, value in pairs}, unescape(match[3])))
    return found


def unescape(text: str) -> str:
    table = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
    return re.sub("%25|%0D|%0A|%3A|%2C", lambda match: table[match.group()], text)


def with_findings(*findings: Finding) -> Result:
    result = rich_result()
    return msgspec.structs.replace(result, findings=findings, summary=summary(result.site, findings))


def test_a_group_is_one_annotation_with_five_examples_and_the_cure() -> None:
    command, properties, message = annotations(rich_result())[0]
    assert command == "error"
    assert properties == {
        "file": "public/sitemap.xml",
        "line": "5",
        "col": "5",
        "title": "lastmod-too-new (25 findings)",
    }
    assert message.count("\n- public/sitemap.xml:") == 5
    assert "\ncure: take the date from git" in message
    assert message.endswith("and 20 more in the job summary")


def test_no_more_than_ten_of_a_level_and_the_tenth_counts_the_rest() -> None:
    # GitHub drops the eleventh of a level without a word.
    findings = [
        Finding(f"rule-{index}", level, "m", path="s.xml", line=1)
        for level in (Level.ERROR, Level.WARNING, Level.INFO)
        for index in range(40)
    ]
    found = annotations(with_findings(*findings))
    for level in ("error", "warning", "notice"):
        of_level = [one for one in found if one[0] == level]
        assert len(of_level) == 10
        assert of_level[-1][2] == "31 more of this level in the job summary"
    assert [one[0] for one in found] == ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10


def test_200_faults_of_one_rule_are_one_annotation() -> None:
    findings = [
        Finding("page-missing", Level.ERROR, f"no {index}.html", f"{BASE}{index}", "s.xml", index + 1, group="g")
        for index in range(200)
    ]
    [(command, properties, message)] = annotations(with_findings(*findings))
    assert command == "error"
    assert properties["title"] == "page-missing (200 findings)"
    assert message.startswith(f"200 findings:\n- s.xml:1 {BASE}0 no 0.html\n- s.xml:2 {BASE}1 no 1.html\n")


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("./docs/a.md", "docs/a.md"),
        (".//docs/a.md", "docs/a.md"),
        ("/srv/docs/docs/a.md", "docs/a.md"),
        ("/elsewhere/a.md", ""),
        ("../a.md", ""),
        ("docs/../../a.md", ""),
        ("C:/docs/a.md", ""),
        ("docs/a..b.md", "docs/a..b.md"),
    ],
)
def test_paths_are_from_the_root_or_left_out(path: str, file: str) -> None:
    assert relative(path, "/srv/docs") == file
    _, properties, message = annotations(with_findings(Finding("r", Level.ERROR, "m", path=path, line=3, column=1)))[0]
    if file:
        assert (properties["file"], properties["line"], properties["col"]) == (file, "3", "1")
    else:
        assert properties == {"title": "r"}
        assert message == f"{path}:3: m"


def test_commas_colons_and_percents_in_a_path_survive() -> None:
    path = "docs/a, b: 100%25,line=9.md"
    assert annotations(with_findings(Finding("r", Level.ERROR, "50%0A", path=path)))[0] == (
        "error",
        {"file": path, "title": "r"},
        "50%0A",
    )


def test_long_messages_and_titles_are_cut() -> None:
    long = "x" * 100_000
    one = Finding("r" * 300, Level.ERROR, long, long, long, 1, cure=long, headline=long)
    for findings in ([one], [msgspec.structs.replace(one, group="g")] * 3):
        _, properties, message = annotations(with_findings(*findings))[0]
        assert len(message) <= 4000
        assert len(properties["title"]) <= 255


def test_the_last_line_is_the_verdict() -> None:
    last = FORMATS["github"](rich_result(), Style()).splitlines()[-1]
    assert last.startswith("sitemap-guard: 40 URLs in 1 sitemap: 27 dates are false;")
