from __future__ import annotations

import gzip
import tracemalloc
import zlib
from pathlib import Path

import pytest

from sitemap_guard.sitemaps import packed

TEXT = b"<urlset/>" * 1000


def zipped(data: bytes) -> bytes:
    """Gzip without a time, so that test ids made of it are the same in every process."""
    return gzip.compress(data, mtime=0)


def load(tmp_path: Path, name: str, data: bytes, cap: int = 1 << 28) -> packed.Packed:
    file = tmp_path / name
    file.write_bytes(data)
    return packed.load(file, cap)


@pytest.mark.parametrize(
    ("name", "data", "codes"),
    [
        ("sitemap.xml.gz", zipped(TEXT), []),
        ("SITEMAP.XML.GZ", zipped(TEXT), []),
        ("sitemap.xml", TEXT, []),
        ("sitemap.xml", zipped(TEXT), ["gzip-unnamed"]),
        ("sitemap.xml.gz", zipped(TEXT[:99]) + zipped(TEXT[99:]) + bytes(512), []),
    ],
)
def test_what_can_be_read(tmp_path: Path, name: str, data: bytes, codes: list[str]) -> None:
    got = load(tmp_path, name, data)
    assert got.data == TEXT
    assert [problem.code for problem in got.problems] == codes
    assert got.gzipped == (data != TEXT)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (zipped(TEXT)[:-12], "gzip-broken"),
        (zipped(TEXT)[:5], "gzip-broken"),
        (zipped(TEXT)[:-6] + b"\0" * 6, "gzip-broken"),
        (zipped(TEXT)[:20] + b"\xff" * 30, "gzip-broken"),
        (zipped(TEXT) + b"<html>", "gzip-broken"),
        (zipped(zipped(TEXT)), "gzip-double"),
        (TEXT, "gzip-not"),
        (b"", "gzip-not"),
    ],
)
def test_what_cannot(tmp_path: Path, data: bytes, code: str) -> None:
    got = load(tmp_path, "sitemap.xml.gz", data)
    assert got.data is None
    assert [problem.code for problem in got.problems] == [code]


def test_a_sitemap_may_have_52428800_bytes(tmp_path: Path) -> None:
    plain = load(tmp_path, "sitemap.xml", bytes(52_428_801))
    assert (len(plain.data or b""), plain.problems[0].code) == (52_428_801, "too-large")
    assert load(tmp_path, "sitemap.xml", bytes(52_428_800)).problems == ()
    beyond = load(tmp_path, "sitemap.xml", bytes(1001), cap=1000)
    assert (beyond.data, beyond.problems[0].code) == (None, "too-large")


def test_a_bomb_is_never_unpacked_whole(tmp_path: Path) -> None:
    bomb = tmp_path / "sitemap.xml.gz"
    deflater = zlib.compressobj(9, wbits=31)
    zeros = bytes(1 << 20)
    with bomb.open("wb") as stream:
        for _ in range(200):
            stream.write(deflater.compress(zeros))
        stream.write(deflater.flush())
    assert bomb.stat().st_size < 300_000
    tracemalloc.start()
    got = packed.load(bomb, cap=20 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (got.data, [problem.code for problem in got.problems]) == (None, ["gzip-bomb"])
    assert peak < 60 << 20


def test_a_file_of_countless_members_is_refused(tmp_path: Path) -> None:
    got = load(tmp_path, "sitemap.xml.gz", gzip.compress(b"") * 20_000)
    assert [problem.code for problem in got.problems] == ["gzip-bomb"]


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    got = packed.load(tmp_path / "missing.xml")
    assert (got.data, got.problems[0].code) == (None, "unreadable")
