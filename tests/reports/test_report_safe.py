from __future__ import annotations

import pytest

from sitemap_guard.reports.safe import clean, clip, neutralise, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]8;;http://x\x07", r"\x1b]8;;http://x\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("a\r\nb\tc\x00", r"a\r\nb\tc\x00"),
        ("\u202eabc\u2069\u2028", r"\u202eabc\u2069\u2028"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        (b"caf\xe9".decode("utf-8", "surrogateescape"), r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("naïve 日本 🙂", "naïve 日本 🙂"),
    ],
)
def test_unseen_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("::error::x", r"\::error::x"),
        ("  ::error::x", r"  \::error::x"),
        ("\u3000::error::x", "\u3000\\::error::x"),
        ("a\n::error::x", "a\n\\::error::x"),
        ("x ##[error]y", r"x ##\[error]y"),
        ("###[[x", r"###\[[x"),
        ("##vso[task.setvariable]", r"##vso\[task.setvariable]"),
        ("#\ufe0f#[error]", "#\ufe0f#\\[error]"),
        ("std::vector and a[0] # b", "std::vector and a[0] # b"),
    ],
)
def test_commands_to_a_build_service_are_broken_and_readable(text: str, harmless: str) -> None:
    assert neutralise(text) == harmless


def test_a_cut_tells_the_length() -> None:
    assert clip("x" * 100, 30) == "x" * 12 + "… (100 characters)"
    assert len(clean("\x00" * 1_000_000, 500)) == 500
