"""Settings: what is read, where they are found, and how a typo is told."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_guard import config
from sitemap_guard.config import SourceRule
from sitemap_guard.durations import seconds_of
from sitemap_guard.model import UserError
from sitemap_guard.rules import runner

FULL = """
site = "out"
base-url = "https://a.example/"
sitemaps = ["map.xml"]
fail-on = "warning"

[dates]
date = "committed"
zone = "Europe/Oslo"
tolerance = "12h"
fields = ["changed"]

[[source]]
url = "/blog/{slug}/"
path = ["content/blog/{slug}.md", "content/blog/{slug}/index.md"]
also = ["data/authors.yml"]

[rules]
lastmod-missing = "warning"
canonical = "off"
"""


def test_a_full_configuration_is_read() -> None:
    read = config.parse(FULL, Path("sitemap-guard.toml"))
    assert (read.site, read.base_url, read.sitemaps, read.fail_on) == (
        "out",
        "https://a.example/",
        ("map.xml",),
        "warning",
    )
    assert (read.dates.date, read.dates.zone, read.dates.tolerance) == ("committed", "Europe/Oslo", "12h")
    assert read.source == (
        SourceRule("/blog/{slug}/", ("content/blog/{slug}.md", "content/blog/{slug}/index.md"), ("data/authors.yml",)),
    )
    assert read.rules == {"lastmod-missing": "warning", "canonical": "off"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\nbase_url = 'x'", 2, "did you mean 'base-url'?"),
        ("[dates]\nzon = 'x'", 2, "did you mean 'zone'?"),
        ("[[source]]\nurl = '/a'\npaht = 'x'\npath = 'y'", 3, "did you mean 'path'?"),
        ("# a comment\nsite = 3", 2, "this must be a text in quotes, not a whole number"),
        ("[dates]\n\nzone = 'Europe/Olso'", 3, "is no time zone"),
        ("[dates]\nzone = '../../etc/passwd'", 2, "is no time zone"),
        ("[dates]\ntolerance = 'a day'", 2, "is no duration"),
        ("fail-on = 'eror'", 1, "'eror' is none of the values; write error, warning, info or never"),
    ],
)
def test_a_typo_is_told_with_its_line_and_a_cure(text: str, line: int, words: str) -> None:
    with pytest.raises(UserError) as told:
        config.parse(text, Path("guard.toml"))
    assert str(told.value).startswith(f"guard.toml:{line}: ")
    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_an_unknown_rule_is_told_with_a_suggestion() -> None:
    with pytest.raises(UserError, match="did you mean 'lastmod-too-new'"):
        runner.levels({"lastmod-to-new": "off"})
    assert runner.levels({"lastmod": "warning"})["lastmod-too-old"].word == "warning"


def test_the_nearest_file_wins_and_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / "sitemap-guard.toml").write_text("site = 'outer'")
    inner = tmp_path / "repo" / "docs"
    inner.mkdir(parents=True)
    assert config.load(None, inner).config.site == "outer"
    (tmp_path / "repo" / ".git").mkdir()
    assert config.load(None, inner) == config.Settings()
    (tmp_path / "repo" / "pyproject.toml").write_text("[tool.sitemap-guard]\nsite = 'table'\n")
    assert config.load(None, inner).config.site == "table"
    (inner / "sitemap-guard.toml").write_text("site = 'inner'")
    assert config.load(None, inner).config.site == "inner"


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        config.load(tmp_path / "none.toml", tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"site = '\xe9'")
    with pytest.raises(UserError, match="not UTF-8"):
        config.load(tmp_path / "latin.toml", tmp_path)


_words = st.sampled_from(
    ["site", "base-url", "[dates]", "[[source]]", "zone", "=", "'x'", "[", "]", "{", "}", "\n", "1", "true", "[rules]",
     "loc-host", "path", "url", "url = '/{a}'", ".", ",", '"', "'''", "\x00", "é", "[dates.zone]", "[source]"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=200), st.lists(_words, max_size=30).map(" ".join)))
def test_no_text_does_worse_than_a_user_error(text: str) -> None:
    for name in ("sitemap-guard.toml", "pyproject.toml"):
        with contextlib.suppress(UserError):
            config.parse(text, Path(name))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0), ("90m", 5400), ("12h", 43200), ("2d", 172800), ("45s", 45), ("1w", None), ("-1d", None), ("999d", None)],
)
def test_durations(text: str, seconds: int | None) -> None:
    assert seconds_of(text) == seconds


def test_how_changes_count_is_a_matter_of_settings() -> None:
    text = """
[dates]
strict = true
ignore-revs = "etc/revs"
counting-keys = []
trivial = ['v\\d+']
min-change = 3

[[policy]]
paths = ["content/de/**"]
field = "authoritative"
"""
    read = config.parse(text, Path("sitemap-guard.toml"))
    assert read.dates.strict
    assert (read.dates.ignore_revs, read.dates.counting_keys, read.dates.min_change) == ("etc/revs", (), 3)
    assert (read.policy[0].paths, read.policy[0].field) == (("content/de/**",), "authoritative")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[dates]\ntrivial = ['(']\n", "2: dates.trivial: '(' is no regular expression"),
        ("[dates]\nmin-change = -1\n", "min-change"),
        ("[[policy]]\npaths = ['a']\nfield = 'always'\n", "field"),
        ("[[policy]]\npath = ['a']\n", "did you mean 'paths'"),
    ],
)
def test_settings_about_changes_that_make_no_sense_are_errors(text: str, words: str) -> None:
    with pytest.raises(UserError) as error:
        config.parse(text, Path("sitemap-guard.toml"))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[rules]\nloc-host = 'warn'", "2: rules.loc-host: 'warn' is no level; write off, info, warning or error"),
        ("rules.loc-host = 3", "1: rules.loc-host: this must be a text in quotes, not a whole number"),
        ("fail-on = 'x'", "1: fail-on: 'x' is none of the values; write error, warning, info or never"),
        ("[dates]\ndate = 'x'", "2: dates.date: 'x' is none of the values; write any, authored, committed or landed"),
        (
            "[[policy]]\npaths = ['a']\nfield = 'x'",
            "3: policy[0].field: 'x' is none of the values; write authoritative, ignore or witness",
        ),
        (
            "[[manifest]]\nformat = 'x'",
            "2: manifest[0].format: 'x' is none of the values; write csv, json, hugo-list-csv or eleventy-json",
        ),
        ("sitemaps = 'a'", "1: sitemaps: this must be a list, not a text in quotes"),
        ("[dates]\nstrict = 'yes'", "2: dates.strict: this must be true or false, not a text in quotes"),
        ("[dates]\nmin-change = -1", "2: dates.min-change: this must be a whole number of 0 or more"),
        ("[[source]]\nurl = 'a'\npath = 3", "3: source[0].path: this must be a text in quotes or a list, not a whole number"),
        ("[[source]]\npath = 'a'", "1: source[0]: the key 'url' is missing"),
        ("dates = 3", "1: dates: this must be a table, not a whole number"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_in_plain_words(text: str, said: str) -> None:
    with pytest.raises(UserError) as told:
        config.parse(text, Path("c.toml"))
    assert str(told.value) == f"c.toml:{said}"
