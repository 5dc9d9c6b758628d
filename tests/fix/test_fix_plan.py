"""Only the planned spans differ, whatever a sitemap looks like."""

from __future__ import annotations

import subprocess

import pytest
from fix_facts import result, sitemap
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from random_sitemaps import NAMESPACE, Made, sitemaps

from sitemap_guard.fix.diff import unified
from sitemap_guard.fix.plan import Options, Planned, plan
from sitemap_guard.fix.proof import prove
from sitemap_guard.model import UserError
from sitemap_guard.sitemaps import xml

many = settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.too_slow])
NEW = "2020-05-06T07:08:09+02:00"


def planned(made: Made, wanted: dict[int, str | None], gone: frozenset[int] = frozenset()) -> list[Planned]:
    one = sitemap("sitemap.xml", made.data())
    return plan(result(one, wanted=wanted, gone=gone), {"sitemap.xml": made.data()}, Options(prune=True))


@many
@given(sitemaps(), st.data())
def test_only_the_planned_spans_differ(made: Made, data: st.DataObject) -> None:
    dated = [index for index, entry in enumerate(made.entries) if entry.value is not None]
    wanted = {index: data.draw(st.sampled_from([NEW, "2020", None])) for index in dated if data.draw(st.booleans())}
    found = planned(made, wanted)
    assert [one.after for one in found] == ([made.fixed(wanted)] if wanted else [])
    for one in found:
        prove(one, "sitemap.xml")
        claims = xml.read(one.after, "sitemap.xml").claims
        expected = [wanted.get(index, entry.value) for index, entry in enumerate(made.entries)]
        assert [claim.lastmod for claim in claims] == expected
        assert [claim.loc for claim in claims] == [entry.loc for entry in made.entries]


@many
@given(sitemaps(), st.data())
def test_dropped_entries_leave_the_others_alone(made: Made, data: st.DataObject) -> None:
    gone = frozenset(index for index in range(len(made.entries)) if data.draw(st.booleans()))
    if len(gone) == len(made.entries):
        with pytest.raises(UserError, match="would drop every entry"):
            planned(made, {}, gone)
        return
    for one in planned(made, {}, gone):
        prove(one, "sitemap.xml")
        left = [entry.loc for index, entry in enumerate(made.entries) if index not in gone]
        assert [claim.loc for claim in xml.read(one.after, "sitemap.xml").claims] == left
        # Nothing is left of a dropped entry, and nothing else is gone, but for white space around it.
        assert b"".join(one.after.split()) == b"".join(made.fixed({}, gone).split())


@settings(deadline=None, max_examples=25)
@given(sitemaps(), st.data())
def test_the_diff_can_be_applied(tmp_path_factory: pytest.TempPathFactory, made: Made, data: st.DataObject) -> None:
    dated = [index for index, entry in enumerate(made.entries) if entry.value is not None]
    wanted = {index: data.draw(st.sampled_from([NEW, None])) for index in dated if data.draw(st.booleans())}
    gone = frozenset(index for index in range(1, len(made.entries)) if data.draw(st.integers(0, 3)) == 0)
    for one in planned(made, wanted, gone):
        if b"\xef\xbb\xbf" in one.before:
            continue  # a byte order mark is shown as an escape
        folder = tmp_path_factory.mktemp("diff")
        (folder / "sitemap.xml").write_bytes(one.before)
        text = "".join(line + "\n" for line in unified(one, "sitemap.xml"))
        done = subprocess.run(
            ["git", "apply", "-p1", "--whitespace=nowarn", "-"],
            cwd=folder,
            input=text.encode(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, (done.stderr, text)
        assert (folder / "sitemap.xml").read_bytes() == one.after


def test_a_file_that_changed_meanwhile_is_refused() -> None:
    text = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://e.org/</loc><lastmod>2026</lastmod></url></urlset>'
    checked = result(sitemap("s.xml", text.encode()), wanted={0: "2025"})
    for other in (
        text.replace("2026", "2024"),
        text.replace("e.org", "f.org"),
        text.replace("<lastmod>2026</lastmod>", ""),
    ):
        with pytest.raises(UserError, match="it has changed since it was checked"):
            plan(checked, {"s.xml": other.encode()}, Options())
    for broken in ("<urlset>", "", f"<!DOCTYPE urlset>{text}", "<html/>"):
        with pytest.raises(UserError, match=r"public/s\.xml: not changed, since it cannot be read"):
            plan(checked, {"s.xml": broken.encode()}, Options())


def test_what_no_finding_calls_false_stays() -> None:
    data = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://e.org/</loc><lastmod>2026</lastmod></url></urlset>'.encode()
    checked = result(sitemap("s.xml", data), wanted={0: "2025"})
    assert plan(replace(checked, findings=()), {"s.xml": data}, Options()) == []


@pytest.mark.parametrize(
    ("element", "fixed"),
    [
        ("<lastmod/>", "<lastmod>2025</lastmod>"),
        ('<lastmod a="/>" />', "<lastmod>2025</lastmod>"),
        ("<lastmod></lastmod>", "<lastmod>2025</lastmod>"),
        ("<lastmod>\n</lastmod>", "<lastmod>2025\n</lastmod>"),
        ("<lastmod>x<b>y</b></lastmod>", "<lastmod>2025</lastmod>"),
        ("<lastmod>1</lastmod><lastmod>1</lastmod>", "<lastmod>2025</lastmod><lastmod>1</lastmod>"),
    ],
)
def test_odd_elements(element: str, fixed: str) -> None:
    text = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://e.org/</loc>{element}</url></urlset>'
    [one] = plan(result(sitemap("s.xml", text.encode()), wanted={0: "2025"}), {"s.xml": text.encode()}, Options())
    assert one.after == text.replace(element, fixed).encode()
    prove(one, "s.xml")


def test_a_second_parser_has_the_last_word() -> None:
    data = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://e.org/</loc><lastmod>2026</lastmod></url></urlset>'.encode()
    [one] = plan(result(sitemap("s.xml", data), wanted={0: "2025"}), {"s.xml": data}, Options())
    prove(one, "s.xml")
    for after in (
        data,
        one.after.replace(b"e.org", b"f.org"),
        one.after.replace(b"</url>", b"<priority>1</priority></url>"),
    ):
        with pytest.raises(UserError, match="not written, since a second parser reads the result otherwise"):
            prove(replace(one, after=after), "s.xml")
    with pytest.raises(UserError, match="a second parser cannot read it"):
        prove(replace(one, after=one.after + b"<"), "s.xml")


INDEX = '<sitemapindex xmlns="{0}"><sitemap><loc>https://example.org/a.xml</loc><lastmod>{1}</lastmod></sitemap></sitemapindex>'


@pytest.mark.parametrize(
    ("said", "old", "new", "expected"),
    [
        ("2026-11-30", "2026-11-30", "2025-05-01", "2025-05-01"),  # it followed the newest entry: it follows on
        ("2026-11-30", "2026-11-30T06:00:00Z", "2025-05-01T01:02:03Z", "2025-05-01"),
        ("2026-11-30T06:00:00+00:00", "2026-11-30T06:00:00+00:00", "2025-05-01", "2025-05-01T23:59:59+00:00"),
        ("2026-11-30", "2026-11-30", None, None),
        ("2026-12-24", "2026-11-30", "2025-05-01", "2026-12-24"),  # when the file itself changed no one can tell
        ("2024-01-01", "2023-01-01", "2025-05-01", "2025-05-01"),  # older than what it lists
    ],
)
def test_the_index_follows(said: str, old: str, new: str | None, expected: str | None) -> None:
    child = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://example.org/</loc><lastmod>{old}</lastmod></url></urlset>'.encode()
    index = INDEX.format(NAMESPACE, said).encode()
    read = sitemap("index.xml", index)
    read = replace(read, children=tuple(replace(one, state="read", path="a.xml") for one in read.children))
    checked = result(read, sitemap("a.xml", child), wanted={0: new})
    found = {one.path: one.after for one in plan(checked, {"index.xml": index, "a.xml": child}, Options())}
    element = f"<lastmod>{said}</lastmod>"
    fixed = index.decode().replace(element, f"<lastmod>{expected}</lastmod>" if expected else "")
    assert found.get("index.xml", index).decode() == fixed
