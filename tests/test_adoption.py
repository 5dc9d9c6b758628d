"""Adopting the guard on a site that has findings: baseline, changed pages only, a required share, the published map."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from sites import BASE, MARCH, NAMESPACE, build, edited, html, run_cli, sitemap

DAY = 86400
NAMES = "abcdefghijkl"


def day(number: int) -> str:
    return f"2026-03-{1 + number:02}"


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Twelve pages, each with a commit on a day of its own, honestly dated."""
    for number, name in enumerate(NAMES):
        repo.commit(
            f"Page {name}", {f"content/{name}.md": f"{name}\n", ".gitignore": "/public/\n"}, at=MARCH + number * DAY
        )
    build(repo.root / "public", edited(NAMES), [(BASE + f"{n}/", day(i)) for i, n in enumerate(NAMES)])
    monkeypatch.chdir(repo.root)
    return repo


def rewrite(repo: Repo, *entries: tuple[str, str | None], name: str = "public/sitemap.xml") -> None:
    (repo.root / name).write_text(sitemap(*entries))


def clock(repo: Repo, text: str, count: int = 3) -> None:
    """The first pages are stamped with one date, as by a build's clock."""
    rewrite(repo, *((BASE + f"{n}/", text if i < count else day(i)) for i, n in enumerate(NAMES)))


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_cli(capsys, "check", *args)


def found(capsys: pytest.CaptureFixture[str], *args: str) -> list[tuple[str, str]]:
    _, out, _ = run(capsys, "--format", "json", *args)
    return [(finding["rule"], finding["level"]) for finding in json.loads(out)["findings"]]


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("--select loc", 0, "3 dates are false (not reported: their rules are off or left out)"),
        ("--ignore lastmod", 0, "3 dates are false (not reported: their rules are off or left out)"),
        ("--changed-since HEAD", 0, "no page to check: no source of a listed page changed; 12 of 12 entries left out"),
        ("", 1, "3 dates are false; 3 errors"),
    ],
)
def test_the_last_line_says_why_nothing_fails_although_dates_are_false(
    site: Repo, capsys: pytest.CaptureFixture[str], given: str, code: int, said: str
) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    got, out, _ = run(capsys, "--no-cache", *given.split())
    assert (got, out.splitlines()[-1]) == (code, said)


def test_the_habit_of_the_whole_site_is_not_told_of_a_part(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "--format", "json")[1])["summary"]["fit"]
    assert json.loads(run(capsys, "--format", "json", "--changed-since", "HEAD")[1])["summary"]["fit"] is None


def test_findings_that_the_settings_accept_are_no_check_that_was_not_made(
    site: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    site.write("sitemap-guard.toml", "[[ignore]]\nrule = 'lastmod'\nurl = '/a/'\nreason = 'as agreed'\n")
    _, out, _ = run(capsys, "--no-cache")
    assert out.endswith("\n3 dates are false (1 not reported); 2 errors; 1 finding accepted\n")


# -------------------------------------------------------------------------------------------------- the baseline


def test_only_new_findings_fail_and_fixed_ones_are_told(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    assert run(capsys)[0] == 1
    code, _, err = run(capsys, "--write-baseline", "--baseline", "known.json")
    assert code == 0
    assert "3 findings are known now (known.json)" in err
    # The next build has another clock and other lines: the same faults.
    rewrite(
        site, *((BASE + f"{n}/", "2026-10-02T11:00:00Z" if n in "abc" else day(NAMES.index(n))) for n in NAMES[::-1])
    )
    code, out, _ = run(capsys, "--baseline", "known.json")
    assert code == 0
    assert "not reported: 3 findings, because the baseline known.json knows them" in out
    assert out.endswith("\n3 dates are false (not reported); 3 findings known\n")
    clock(site, "2026-10-03T11:00:00Z", 4)
    assert found(capsys, "--baseline", "known.json") == [("lastmod-too-new", "error")]
    assert run(capsys, "--baseline", "known.json")[0] == 1
    clock(site, "2026-10-03T11:00:00Z", 2)
    code, out, _ = run(capsys, "--baseline", "known.json")
    assert code == 0
    assert "lastmod-too-new is fixed" in out
    assert "write the baseline anew with --write-baseline" in out


def test_the_baseline_is_a_sorted_file_that_can_be_reviewed(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    run(capsys, "--write-baseline")
    text = (site.root / "sitemap-guard-baseline.json").read_text()
    assert json.loads(text)["version"] == 1
    rows = [line for line in text.splitlines() if '"rule"' in line]
    assert rows == sorted(rows)
    assert [json.loads(row.strip().rstrip(","))["loc"] for row in rows] == [BASE + f"{n}/" for n in "abc"]
    assert "2026-10" not in text
    run(capsys, "--write-baseline")
    assert (site.root / "sitemap-guard-baseline.json").read_text() == text
    assert not list(site.root.glob(".*.new"))


def test_another_fault_of_a_known_page_is_new(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    run(capsys, "--write-baseline", "--baseline", "known.json")
    clock(site, "2026-10-01T10:00:00")
    assert {rule for rule, _ in found(capsys, "--baseline", "known.json")} == {"lastmod-format", "baseline-fixed"}


def test_a_run_that_cannot_tell_mends_nothing(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    run(capsys, "--write-baseline", "--baseline", "known.json")
    (site.root / ".git").rename(site.root / "elsewhere")
    rules = {rule for rule, _ in found(capsys, "--baseline", "known.json")}
    assert "baseline-fixed" not in rules
    assert "history-missing" in rules


def test_what_was_not_checked_is_never_known(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (site.root / ".git").rename(site.root / "elsewhere")
    code, _, err = run(capsys, "--write-baseline", "--baseline", "known.json")
    assert code == 1
    assert "cannot be accepted and stay" in err
    assert "history-missing" in {rule for rule, _ in found(capsys, "--baseline", "known.json")}


def test_the_configuration_names_the_baseline(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.write("sitemap-guard.toml", 'baseline = "known.json"\n')
    clock(site, "2026-10-01T10:00:00Z")
    code, _, err = run(capsys)
    assert (code, "there is no such baseline" in err) == (2, True)
    assert run(capsys, "--write-baseline")[0] == 0
    assert (site.root / "known.json").is_file()
    assert run(capsys)[0] == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no baseline"),
        ("[]", "no baseline"),
        ('{"version": 2, "findings": []}', "version 2"),
        ('{"version": 1, "tool": "x", "findings": [{"rule": 3}]}', "no baseline"),
        ("\xff", "no baseline"),
    ],
)
def test_a_file_that_is_no_baseline(site: Repo, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    (site.root / "known.json").write_bytes(text.encode("latin-1"))
    code, _, err = run(capsys, "--baseline", "known.json")
    assert (code, says in err, err.count("\n")) == (2, True, 1)


def test_a_baseline_is_of_the_whole_site(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--write-baseline", "--select", "loc")[0] == 2


# ---------------------------------------------------------------------------------------------- only what changed


def test_only_pages_whose_sources_changed_are_judged(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    base = site.git("rev-parse", "HEAD").strip()
    site.commit("Rewrite", {"content/d.md": "new\n"}, at=MARCH + 40 * DAY)
    code, out, _ = run(capsys, "--changed-since", base)
    assert code == 1
    assert "0 true + 1 false + 0 cannot tell + 0 absent = 1 URL" in out
    assert "11 of 12 entries, because their sources have not changed since" in out
    assert found(capsys, "--changed-since", base) == [("lastmod-too-old", "error")]


def test_no_page_changed_is_a_success(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    clock(site, "2026-10-01T10:00:00Z")
    base = site.git("rev-parse", "HEAD").strip()
    site.commit("Other", {"README.md": "new\n"}, at=MARCH + 40 * DAY)
    code, out, _ = run(capsys, "--changed-since", base)
    assert code == 0
    assert "no page to check: no source of a listed page changed" in out


def test_what_others_changed_meanwhile_is_not_ours(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.git("checkout", "-q", "-b", "topic")
    site.commit("Ours", {"content/a.md": "ours\n"}, at=MARCH + 41 * DAY)
    site.git("checkout", "-q", "main")
    site.commit("Theirs", {"content/b.md": "theirs\n"}, at=MARCH + 40 * DAY)
    site.git("checkout", "-q", "topic")
    _, out, _ = run(capsys, "--changed-since", "main", "--format", "json")
    assert [entry["loc"] for entry in json.loads(out)["entries"]] == [BASE + "a/"]


@pytest.mark.parametrize("rev", ["nowhere", "--output=x", "HEAD:content"])
def test_a_revision_that_is_none(site: Repo, capsys: pytest.CaptureFixture[str], rev: str) -> None:
    code, _, err = run(capsys, f"--changed-since={rev}")
    assert (code, "names no commit" in err) == (2, True)


# ------------------------------------------------------------------------------------------- a share of the dates


@pytest.mark.parametrize(("share", "code"), [("75%", 0), ("75", 0), ("80%", 1), ("0", 0)])
def test_a_share_of_the_dates_must_be_verified(
    site: Repo, capsys: pytest.CaptureFixture[str], share: str, code: int
) -> None:
    for name in "abc":
        (site.root / "public" / name / "index.html").write_text(html(f"{name}/index.html"))
    assert run(capsys, "--require-verified", share)[0] == code
    site.write("sitemap-guard.toml", f'require-verified = "{share}"\n')
    assert run(capsys)[0] == code
    assert ("lastmod-coverage" in dict(found(capsys))) == bool(code)


def test_no_date_at_all_is_no_share(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(site, *((BASE + f"{n}/", None) for n in NAMES))
    assert run(capsys)[0] == 0
    code, out, _ = run(capsys, "--require-verified", "10%")
    assert (code, "no entry has a date" in out) == (1, True)
    assert run(capsys, "--require-verified", "many")[0] == 2
    assert run(capsys, "--require-verified", "101%")[0] == 2


# --------------------------------------------------------------------------------------- the published sitemap


def published(site: Repo, *entries: tuple[str, str | None]) -> None:
    rewrite(site, *entries, name="old.xml")


def test_the_same_sitemap_has_nothing_to_tell(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (site.root / "old.xml").write_bytes((site.root / "public" / "sitemap.xml").read_bytes())
    assert found(capsys, "--against", "old.xml") == []


def test_vanished_dates_are_one_group_that_tells_the_coverage(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    published(site, *((BASE + f"{n}/", day(i)) for i, n in enumerate(NAMES)))
    rewrite(site, *((BASE + f"{n}/", None) for n in NAMES))
    assert run(capsys)[0] == 0
    code, out, _ = run(capsys, "--against", "old.xml")
    assert code == 1
    assert "coverage fell: old.xml dates 12 of 12 entries, this build 0 of 12" in out
    rules = found(capsys, "--against", "old.xml")
    assert rules == [("lastmod-coverage", "error")] + [("lastmod-vanished", "warning")] * 12


def test_one_vanished_date_is_a_warning(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    published(site, *((BASE + f"{n}/", day(i)) for i, n in enumerate(NAMES)))
    rewrite(site, *((BASE + f"{n}/", day(i) if i else None) for i, n in enumerate(NAMES)))
    assert found(capsys, "--against", "old.xml") == [("lastmod-vanished", "warning")]


def test_a_date_that_moves_while_its_source_stays(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    site.commit("Late", {"content/a.md": "late\n"}, at=MARCH + 20 * DAY, committed=MARCH + 24 * DAY)
    honest = [(BASE + f"{n}/", day(i)) for i, n in enumerate(NAMES)][1:]
    published(site, (BASE + "a/", day(20)), *honest)
    rewrite(site, (BASE + "a/", day(24)), *honest)
    assert found(capsys) == []
    assert found(capsys, "--against", "old.xml") == [("lastmod-moved", "warning")]
    _, out, _ = run(capsys, "--against", "old.xml")
    assert "the date moved from 2026-03-21 to 2026-03-25, but content/a.md has not changed since" in out
    # A wrong date that is put right, and a page that did change, are not told.
    published(site, (BASE + "a/", "2026-10-01"), *honest)
    assert found(capsys, "--against", "old.xml") == []
    published(site, (BASE + "a/", day(0)), *honest)
    assert found(capsys, "--against", "old.xml") == []


def test_dates_that_collapse_are_told_without_any_history(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    published(site, *((BASE + f"{n}/", day(i)) for i, n in enumerate(NAMES)))
    rewrite(site, *((BASE + f"{n}/", "2026-06-01") for n in NAMES))
    # With the history the dates are false, and that is said instead.
    assert "lastmod-collapsed" not in dict(found(capsys, "--against", "old.xml"))
    (site.root / ".git").rename(site.root / "elsewhere")
    assert ("lastmod-collapsed", "error") in found(capsys, "--against", "old.xml")
    _, out, _ = run(capsys, "--against", "old.xml")
    assert "12 pages had 12 different days when published, and 1 day now" in out


def test_dropped_pages(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [(BASE + f"{n}/", day(i)) for i, n in enumerate(NAMES)]
    published(site, *entries, (BASE + "gone/", "2026-03-01"))
    rewrite(site, *entries[1:])
    assert found(capsys, "--against", "old.xml") == [("page-dropped", "warning"), ("page-dropped", "info")]
    assert found(capsys) == [("page-unlisted", "warning")]
    # A page that asks not to be indexed leaves the sitemap rightly.
    (site.root / "public/a/index.html").write_text(html("a/index.html", head='<meta name="robots" content="noindex">'))
    assert found(capsys, "--against", "old.xml") == [("page-dropped", "info")]
    rewrite(site, *entries[4:])
    assert ("sitemap-shrunk", "error") in found(capsys, "--against", "old.xml")


def test_another_form_of_an_address_is_no_drop(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    published(site, *((BASE + f"{n}/index.html", day(i)) for i, n in enumerate(NAMES)))
    assert found(capsys, "--against", "old.xml") == []


def test_an_index_is_read_with_its_parts_packed_or_not(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    old = site.root / "published"
    old.mkdir()
    parts = "".join(
        f"<sitemap><loc>{BASE}maps/{name}</loc></sitemap>" for name in ("one.xml", "two.xml.gz", "three.xml")
    )
    (old / "sitemap.xml").write_text(f'<sitemapindex xmlns="{NAMESPACE}">{parts}</sitemapindex>')
    (old / "one.xml").write_text(sitemap((BASE + "a/", day(0)), (BASE + "gone/", None)))
    (old / "two.xml.gz").write_bytes(gzip.compress(sitemap((BASE + "b/", day(1)), (BASE + "lost/", None)).encode()))
    code, out, _ = run(capsys, "--against", "published/sitemap.xml")
    assert code == 0
    assert found(capsys, "--against", "published/sitemap.xml") == [("page-dropped", "info")] * 2
    assert "1 part of published/sitemap.xml, because no such file is beside it" in out


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "there is no such file"),
        ("<html><body>Not found</body></html>", "cannot be read as a sitemap"),
        (
            f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{BASE}x.xml</loc></sitemap></sitemapindex>',
            "none of its 1",
        ),
    ],
)
def test_a_published_sitemap_that_cannot_be_read(
    site: Repo, capsys: pytest.CaptureFixture[str], content: str | None, says: str
) -> None:
    if content is not None:
        (site.root / "old.xml").write_text(content)
    code, _, err = run(capsys, "--against", "old.xml")
    assert (code, says in err) == (2, True)


def test_files_above_the_published_sitemap_are_never_read(
    site: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "secret.xml").write_text(sitemap((BASE + "secret/", None)))
    old: Any = site.root / "old"
    old.mkdir()
    for loc in (f"{BASE}../secret.xml", f"{BASE}%2e%2e/%2e%2e/secret.xml", f"file://{tmp_path}/secret.xml"):
        (old / "sitemap.xml").write_text(
            f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{loc}</loc></sitemap></sitemapindex>'
        )
        assert run(capsys, "--against", "old/sitemap.xml")[0] == 2
