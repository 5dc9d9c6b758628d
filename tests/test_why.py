"""`sitemap-guard why`: one address, everything that is known."""

from __future__ import annotations

import pytest
from conftest import Repo
from sites import BASE, MARCH, build, edited, run_cli


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo.commit("First page", {"content/a.md": "a\n", ".gitignore": "/public/\n"}, at=MARCH, zone="+0100")
    repo.commit("Second page", {"content/b.md": "b\n"}, at=MARCH + 86400)
    pages = edited("abc")
    pages["b/index.html"] = pages["b/index.html"].replace("<main>", '<main><a href="../a/">A</a>')
    build(repo.root / "public", pages, [(BASE + "a/", "2026-03-01T09:00:00Z"), (BASE + "b/", "2026-05-01")])
    (repo.root / "public" / "_headers").write_text("/b/*\n  X-Robots-Tag: noindex\n")
    (repo.root / "public" / "robots.txt").write_text(f"Sitemap: {BASE}sitemap.xml\n")
    monkeypatch.chdir(repo.root)
    return repo


def asked(capsys: pytest.CaptureFixture[str], url: str) -> tuple[int, str, str]:
    return run_cli(capsys, "why", url)


@pytest.mark.parametrize(
    "url", [BASE + "a/", "/a/", "a", BASE + "a", "public/a/index.html", "a/index.html", "./public/a/index.html",
     "HTTPS://Docs.Example.org/a/", "content/a.md", "./content/a.md"],
)  # fmt: skip
def test_an_address_can_be_named_in_many_ways(site: Repo, capsys: pytest.CaptureFixture[str], url: str) -> None:
    code, out, _ = asked(capsys, url)
    assert code == 0
    assert out.startswith(BASE + "a/\n")


def test_all_that_is_known_is_shown(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = asked(capsys, "/a/")
    for line in (
        "claim       public/sitemap.xml:4: lastmod 2026-03-01T09:00:00Z",
        "sitemap     urlset, found by robots.txt; robots.txt announces it",
        "file        public/a/index.html",
        "host        netlify and cloudflare-pages (by _headers): 200",
        "canonical   itself",
        "robots      may be indexed",
        "source      content/a.md (found by the page's edit link)",
        '"First page": authored 2026-03-01 10:00 +01:00',
        "links       1 page links here: b/index.html",
        "verdict     the date is true: content/a.md changed in ",
        "findings    none",
    ):
        assert line in out, line


def test_what_is_wrong_is_shown_and_told_by_the_exit_code(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = asked(capsys, "/b/")
    assert code == 1
    assert "public/_headers:2 sets x-robots-tag: noindex" in out
    assert "the date is false" in out
    assert "error page-noindex" in out


def test_an_address_that_no_sitemap_lists(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = asked(capsys, "/c/")
    assert (code, out) == (2, "")
    code, _, err = asked(capsys, BASE + "aa/")
    assert code == 2
    assert f"did you mean {BASE}a/?" in err
    code, _, err = asked(capsys, "public/c/index.html")
    assert "it was built (public/c/index.html), but no sitemap lists it" in err


def test_hostile_text_is_harmless(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    build(site.root / "public", {}, [(BASE + "x\x7f", None), (BASE + "::error::x/", None)])
    code, out, err = asked(capsys, "/::error::x/")
    assert code == 1
    assert not any(line.lstrip().startswith("::") for line in (out + err).splitlines())


def test_a_field_that_went_stale_is_true_and_says_what_is_proposed(
    site: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    site.commit("Third page", {"content/a.md": "---\nlastmod: 2026-03-03\n---\na\n"}, at=MARCH + 2 * 86400)
    newest = site.commit("More", {"content/a.md": "---\nlastmod: 2026-03-03\n---\nmore\n"}, at=MARCH + 9 * 86400)
    build(site.root / "public", {}, [(BASE + "a/", "2026-03-03")])
    _, out, _ = asked(capsys, "/a/")
    assert "verdict     the date is true by the author's word: content/a.md:2 says lastmod 2026-03-03\n" in out
    since = f"the source changed in substance since, in {newest[:7]}; proposed: 2026-03-10\n"
    assert f"              the field has gone stale: {since}" in out
    assert "it would be true as" not in out


def test_a_change_whose_subject_is_not_known_has_no_empty_quotes(
    site: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    site.write("dates.csv", run_cli(capsys, "dates", "--format", "csv")[1])
    (site.root / ".git").rename(site.root.parent / f"{site.root.name}.git-away")
    _, out, _ = run_cli(capsys, "why", "/a/", "--evidence", "dates.csv")
    [line] = [line for line in out.splitlines() if line.startswith("  changes")]
    assert '""' not in line
    assert ": authored 2026-03-01 10:00 +01:00" in line


def test_a_file_can_be_named_from_anywhere(
    site: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.root / "content")
    for given in ("a.md", "../content/a.md", str(site.root / "content/a.md"), str(site.root / "public/a/index.html")):
        code, out, _ = run_cli(capsys, "why", given, "../public")
        assert code == 0, given
        assert out.startswith(BASE + "a/\n")


@pytest.mark.parametrize("url", ["/a/", "a/", "/project/a/", "https://docs.example.org/project/a/", "/a"])
def test_a_path_may_leave_the_base_path_out(repo: Repo, capsys: pytest.CaptureFixture[str], url: str) -> None:
    repo.commit("One", {"a.md": "a"}, at=MARCH)
    build(repo.root / "public", edited("a"), [(BASE + "project/a/", None)])
    _, out, err = run_cli(
        capsys, "why", url, str(repo.root / "public"), "--base-url", BASE + "project/", "--repo", str(repo.root)
    )
    assert out.startswith(BASE + "project/a/\n"), err


@pytest.mark.parametrize("url", ["/aa/", "aa", BASE + "aa/"])
def test_the_nearest_address_is_named(site: Repo, capsys: pytest.CaptureFixture[str], url: str) -> None:
    code, _, err = asked(capsys, url)
    assert code == 2
    assert err == f"sitemap-guard: {url}: no sitemap lists it; did you mean {BASE}a/?\n"


def test_a_source_of_many_pages_asks_for_one(site: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    build(site.root / "public", {}, [(f"{BASE}p{number}/", None) for number in range(9)])
    site.write("sitemap-guard.toml", "[[source]]\nurl = '/{s}/'\npath = 'content/a.md'\n")
    code, _, err = asked(capsys, "content/a.md")
    assert code == 2
    assert err.startswith("sitemap-guard: content/a.md: 9 pages are made from it (")
