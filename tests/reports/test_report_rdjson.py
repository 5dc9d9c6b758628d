"""rdjson as reviewdog reads it: byte ranges, paths from the working folder, messages that it posts as Markdown.

The facts about the reader are those of reviewdog's proto/rdf/reviewdog.proto and of its pathutil, filter and
service/github packages. The formats were tried with the program itself; see docs/reports.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace
from sample import BUILT, rich_result, singles
from sites import BASE, build, html

from sitemap_guard import cli
from sitemap_guard.model import Entry, Finding, Level, Located, Mapping, Result
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.sitemaps import xml

TRUE = "2026-10-15"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def made(result: Result, style: Style | None = None) -> list[dict[str, Any]]:
    report = json.loads(FORMATS["rdjson"](result, style or Style()))
    assert_as_reviewdog_reads_it(report)
    found: list[dict[str, Any]] = report["diagnostics"]
    return found


def assert_as_reviewdog_reads_it(report: dict[str, Any]) -> None:
    """Names and types of the messages in reviewdog.proto; what it calls required is there and not blank."""
    assert set(report) == {"source", "severity", "diagnostics"}
    assert report["source"] == {"name": "sitemap-guard"}
    assert report["severity"] in ("ERROR", "WARNING", "INFO")
    for one in report["diagnostics"]:
        assert {"message", "location", "severity", "code", "original_output"} <= set(one)
        assert set(one) <= {*("message", "location", "severity", "code", "original_output"), *OPTIONAL}
        assert one["severity"] in ("ERROR", "WARNING", "INFO")
        assert one["message"].strip()
        assert set(one["code"]) == {"value"}
        assert one["code"]["value"].strip()
        assert one["original_output"].strip()
        assert "\n" not in one["original_output"]
        assert_location(one["location"])
        for related in one.get("related_locations", ()):
            assert set(related) == {"message", "location"}
            assert_location(related["location"])
        for suggestion in one.get("suggestions", ()):
            assert set(suggestion) == {"range", "text"}
            assert isinstance(suggestion["text"], str)
            # Other than that of the diagnostic, reviewdog could not post it.
            assert suggestion["range"] == one["location"]["range"]


OPTIONAL = ("suggestions", "related_locations")


def assert_location(location: dict[str, Any]) -> None:
    assert set(location) <= {"path", "range"}
    assert location["path"]
    span = location.get("range")
    if span is None:
        return
    assert set(span) <= {"start", "end"}
    places = [span["start"], span.get("end", span["start"])]
    for place in places:
        assert set(place) <= {"line", "column"}
        assert all(isinstance(number, int) and 1 <= number < 2**31 for number in place.values())
    first, last = ((place["line"], place.get("column", 0)) for place in places)
    assert first <= last


def of_file(data: bytes, result: Result | None = None) -> Result:
    """A result that finds each lastmod of a sitemap false."""
    result = result or rich_result()
    entries = tuple(
        Entry(claim, claim.loc, Located("missing"), mapping=Mapping("content/e.md"))
        for claim in xml.read(data, "sitemap.xml").claims
    )
    repository = replace(result.site.repository, tracked=frozenset({"content/e.md"}))
    findings = tuple(
        replace(
            singles()[0],
            loc=entry.claim.loc,
            line=entry.claim.line,
            path="public/sitemap.xml",
            claimed=entry.claim.lastmod,
            expected=TRUE,
        )
        for entry in entries
    )
    return replace(result, site=replace(result.site, entries=entries, repository=repository), findings=findings)


def taken(data: bytes, diagnostics: list[dict[str, Any]]) -> bytes:
    """The file after its suggestions were taken, as the proto file counts: bytes from 1, the end left out."""
    starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == 0x0A)]
    edits = []
    for one in diagnostics:
        for suggestion in one["suggestions"]:
            start, end = (suggestion["range"][key] for key in ("start", "end"))
            edits.append(
                (
                    starts[start["line"] - 1] + start["column"] - 1,
                    starts[end["line"] - 1] + end["column"] - 1,
                    suggestion["text"].encode(),
                )
            )
    for first, after, text in sorted(edits, reverse=True):
        data = data[:first] + text + data[after:]
    return data


URLS = [
    "<url><loc>https://e.org/1</loc><lastmod>{}</lastmod></url>",
    "<url><!-- ünïcode 😀 --><loc>https://e.org/2</loc><lastmod>\t{} </lastmod></url>",
    "<url><loc>https://e.org/é</loc>{nl}<lastmod a='>'>{nl}  {}{nl}</lastmod></url>",
    "<url><lastmod>{}</lastmod><loc>https://e.org/4</loc></url><url><loc>https://e.org/5</loc><lastmod>{}</lastmod></url>",
]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
@pytest.mark.parametrize("nl", ["\n", "\r\n", ""], ids=["lf", "crlf", "one-line"])
def test_suggestions_replace_the_dates_and_nothing_else(nl: str, mark: bytes) -> None:
    def written(date: str) -> bytes:
        urls = nl.join(url.replace("{nl}", nl).replace("{}", date) for url in URLS)
        return mark + f'<?xml version="1.0"?>{nl}<urlset {SPACE}>{nl}{urls}{nl}</urlset>{nl}'.encode()

    data = written(BUILT)
    diagnostics = made(of_file(data))
    assert len(diagnostics) == 5
    assert taken(data, diagnostics) == written(TRUE)
    for one in diagnostics:
        assert one["location"] == {"path": "public/sitemap.xml", "range": one["suggestions"][0]["range"]}
        assert one["related_locations"][0]["location"] == {"path": "content/e.md", "range": {"start": {"line": 1}}}


def test_a_line_too_long_to_be_posted_gets_no_suggestion() -> None:
    def urls(first: int, count: int) -> str:
        return "".join(
            f"<url><loc>https://e.org/{number}</loc><lastmod>{BUILT}</lastmod></url>"
            for number in range(first, first + count)
        )

    data = f"<urlset {SPACE}>{urls(0, 500)}\n{urls(500, 20)}</urlset>".encode()
    diagnostics = made(of_file(data))
    assert ["suggestions" in one for one in diagnostics] == [False] * 500 + [True] * 20
    assert all(one["location"]["range"]["start"]["column"] for one in diagnostics)


def test_nothing_is_suggested_where_nothing_is_known() -> None:
    for one in made(rich_result()):  # the sample's claims carry no range
        assert "suggestions" not in one
        assert "column" not in json.dumps(one["location"])
    assert made(replace(rich_result(), findings=())) == []


def test_many_findings_are_cut_and_read() -> None:
    result = rich_result()
    one = next(finding for finding in result.findings if finding.group == "build-clock")
    more = tuple(replace(one, loc=f"https://docs.example.org/{index}") for index in range(60_000))
    diagnostics = made(replace(result, findings=(*more, *singles())))
    assert len(diagnostics) == 5000
    assert sum("55,008 more findings of this kind" in found["message"] for found in diagnostics) == 1


# ---------------------------------------------------------------------------------------------------------- paths


@pytest.mark.parametrize(
    ("folder", "own", "source"),
    [
        ("/srv/docs", "public/sitemap.xml", "content/e.md"),
        ("/srv/docs/public", "sitemap.xml", "../content/e.md"),
        ("/srv/docs/content", "../public/sitemap.xml", "e.md"),
        ("/srv/docs-other", "public/sitemap.xml", "content/e.md"),
        ("", "public/sitemap.xml", "content/e.md"),
    ],
)
def test_paths_start_at_the_working_folder(folder: str, own: str, source: str) -> None:
    data = f"<urlset {SPACE}>{URLS[0].replace('{}', BUILT)}</urlset>".encode()
    [one] = made(of_file(data), Style(folder=folder))
    assert one["location"]["path"] == own
    assert one["related_locations"][0]["location"]["path"] == source
    column = one["location"]["range"]["start"]["column"]
    assert one["original_output"].startswith(f"{own}:1:{column}: error: https://e.org/1: ")


def test_a_check_in_a_folder_of_the_repository_names_its_files_from_there(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.commit("one", {"docs/content/a.md": "x", ".gitignore": "public/\n"}, at=1767225600)
    pages = {"a/index.html": html("a/index.html", source="docs/content/a.md")}
    build(repo.root / "docs" / "public", pages, [(f"{BASE}a/", "2026-11-30")])
    monkeypatch.chdir(repo.root / "docs")
    file = tmp_path / "report.json"
    assert cli.main(["check", "public", "--format", "rdjson", "--output", f"rdjson={file}", "--no-cache"]) == 1
    for text in (capsys.readouterr().out, file.read_text()):
        [one] = [one for one in json.loads(text)["diagnostics"] if one["code"]["value"] == "lastmod-too-new"]
        assert one["location"]["path"] == "public/sitemap.xml"
        assert one["related_locations"][0]["location"]["path"] == "content/a.md"


# -------------------------------------------------------------------------------------------------------- messages


INERT = {"text", "softbreak", "em_open", "em_close", "strong_open", "strong_close", "code_inline"}


def read(message: str) -> list[Token]:
    """What Markdown makes of a message where reviewdog posts it (service/commentutil); it opens no block."""
    tokens = MarkdownIt("commonmark", {"html": True}).parse(f"**[sitemap-guard]** <r> <sub>by</sub><br>{message}")
    assert {token.type for token in tokens} == {"paragraph_open", "inline", "paragraph_close"}
    children = [child for token in tokens for child in token.children or ()]
    return children[[child.content for child in children].index("<br>") + 1 :]


def about(message: str) -> dict[str, Any]:
    finding = Finding("sitemap-extension", Level.ERROR, message, path="public/sitemap.xml", line=3)
    [one] = made(replace(rich_result(), findings=(finding,)))
    return one


@pytest.mark.parametrize(
    "text",
    [
        "<image:image> has no <image:loc>",
        "a raw & in the text: it must be written &amp;",
        "a.md last changed 2026-01-11 (7c55f96 \"Write <b>& 'co'</b>\")",
        r"\<img src=x onerror=alert(1)> and \\<b> and \\\&lt;",
        "![x](https://evil.example/i.png) [x](https://evil.example)",
        "Disallow: /*.pdf$ and /*?x and **",
        "~~~~ and C:\\[x]\\",
        r"&#64; C:\new\_posts\*.md",
    ],
)
def test_a_message_is_text_in_markdown_and_plain_in_a_terminal(text: str) -> None:
    one = about(text)
    shown = read(one["message"])
    assert {child.type for child in shown} <= INERT
    assert "".join(child.content for child in shown) == f"{text} [sitemap-extension]"
    assert one["original_output"] == f"public/sitemap.xml:3: error: {text} [sitemap-extension]"


@pytest.mark.parametrize(
    "text", ["```suggestion", "# h", "1. x", "12) x", "- x", "+ x", "> x", "===", "_ _ _", " ## \\", "    x"]
)
def test_a_cure_opens_no_block(text: str) -> None:
    finding = replace(singles()[0], cure=text)
    [one] = made(replace(rich_result(), findings=(finding,)))
    assert {child.type for child in read(one["message"])} <= INERT
