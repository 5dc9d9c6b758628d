"""What differs in substance, and the heads of sources apart from their texts."""

from __future__ import annotations

import pytest

from sitemap_guard.sources.headers import header_of, line_of
from sitemap_guard.sources.substance import Substance

PLAIN = Substance(("title", "description"))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("a b\nc", "a\tb c\r\n", "white-space"),
        ("a b", "a c", ""),
        ("---\ntitle: T\nx: 1\n---\ntext", "---\nx: 2\ntitle: 'T'\n---\n\ntext\n", "front-matter"),
        ("---\ntitle: T\n---\ntext", "---\ntitle: U\n---\ntext", ""),
        ("---\nTitle: T\n---\ntext", "---\ntitle: U\n---\ntext", ""),
        ("---\ndescription: D\n---\ntext", "---\nx: D\n---\ntext", ""),
        ("---\nx: 1\n---\ntext", "---\nx: 1\n---\ntexts", ""),
        ("text", "---\nx: 1\n---\ntext", "front-matter"),
        ("---\nx: [\n---\ntext", "---\nx: {\n---\ntext", ""),  # front matter that cannot be read hides what changed
        ("+++\nx = 1\n+++\ntext", "+++\nx = 2\n+++\ntext", "front-matter"),
        ('{"x": 1}\ntext', '{"x": 2}\ntext', "front-matter"),
        ('{"title": 1}\ntext', '{"title": 2}\ntext', ""),
        ("---\nnot front matter", "---\nbut a line", ""),
        ("\0a b", "\0ab", ""),  # no text: every byte counts
    ],
)
def test_what_differs_in_substance(old: str, new: str, why: str) -> None:
    assert PLAIN.why("a.md", old.encode(), "a.md", new.encode()) == why


def test_words_and_patterns_count_as_the_site_says() -> None:
    small = Substance((), (), 3)
    assert small.why("a", b"the quick fox", "a", b"the quick dog") == "small"
    assert small.why("a", b"one two three four", "a", b"five six seven eight") == ""
    assert small.why("a", b"one two", "a", b"two one") == ""  # another order is no small change of words
    trivial = Substance((), (r"v\d+\.\d+",))
    assert trivial.why("a", b"docs for v1.2", "a", b"docs for v1.10") == "trivial"
    assert trivial.why("a", b"docs for v1.2", "a", b"docs of v1.10") == ""


def test_any_bytes_have_a_head_and_a_body() -> None:
    for content in (
        b"",
        b"---",
        b"---\n",
        b"\xff\xfe---\n",
        b"{",
        b"+++\n+++",
        b"---\n- a\n---\nb",
        b"\xef\xbb\xbf---\na: 1\n---\nb",
    ):
        header = header_of("a.md", content)
        assert isinstance(header.table, dict)
    assert header.table == {"a": "1"}
    assert header.body.strip() == "b"


def test_fields_of_text_formats_end_where_the_text_begins() -> None:
    rst = header_of("a.rst", b"Title\n=====\n\n:date: 2024-05-01\n:tags: a,\n   b\n\nText\n\n:date: 1999-01-01\n")
    assert rst.value("date") == "2024-05-01"
    assert "Text" in rst.body
    assert ":date: 1999-01-01" in rst.body
    org = header_of("a.org", b"#+TITLE: T\n#+DATE: <2024-05-01 Wed 9:30>\n* Text\n#+DATE: <1999-01-01>\n")
    assert org.value("date") == "2024-05-01 09:30"
    assert "1999" in org.body
    markdown = header_of("a.md", b"Note: this is a text, and no head\nthat goes on\n")
    assert "that goes on" in markdown.body


def test_the_line_of_a_nested_field_is_found_below_its_table() -> None:
    text = "---\ndate: 2020-01-01\nlast_update:\n  author: x\n  date: 2024-05-01\n---\n"
    assert line_of("last_update.date", text) == 5
    assert line_of("date", text) == 2
    assert line_of("missing", text) == 1
