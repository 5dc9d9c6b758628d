"""Reported faults of addresses and hosts: slashes, index.html, canonicals, missing pages, hosts, scope."""

from __future__ import annotations

from pathlib import Path

import pytest
from address_sites import BASE, Site, entry, page, urlset
from conftest import Repo


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.chdir(tmp_path)
    return Site(tmp_path, capsys)


def simple(site: Site, locs: list[str], canonicals: list[str], files: list[str] | None = None) -> Site:
    names = files or [f"{name}/index.html" for name in ("guide", "team")]
    return site.write(
        {f"public/{name}": page(own) for name, own in zip(names, canonicals, strict=True)}
        | {"public/sitemap.xml": urlset(*map(entry, locs))}
    )


# Sitemap and served address differ by the final slash.
def test_locs_without_the_slash_that_the_pages_name(site: Site) -> None:
    simple(site, [BASE + "guide", BASE + "team"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("canonical-mismatch", "error")] * 2
    report = site.check()
    assert {f["group"] for f in report["findings"] if f["rule"] == "canonical-mismatch"} == {"canonical-mismatch:slash"}
    assert "locs lack the final slash that their pages' canonical tags have" in cli_text(site)
    site.write({"public/CNAME": "docs.example.org\n"})
    assert site.found() == [("page-redirect", "error")] * 2
    assert "names it as canonical, too" in site.messages("page-redirect")[0]


# Sitemap and canonical tags agree, and the host redirects both.
def test_agreement_on_a_redirected_form(site: Site) -> None:
    simple(site, [BASE + "guide", BASE + "team"], [BASE + "guide", BASE + "team"])
    assert site.found() == [("page-redirect", "info")] * 2
    site.write({"sitemap-guard.toml": '[hosting]\nprofile = "cloudflare-pages"\n'})
    assert site.found() == [("page-redirect", "error")] * 2
    site.write({"sitemap-guard.toml": '[hosting]\nprofile = "github-pages"\n'})
    report = site.check()
    groups = {f["group"] for f in report["findings"] if f["rule"] == "page-redirect"}
    assert groups == {"page-redirect:github-pages:True"}
    site.write({"sitemap-guard.toml": '[hosting]\nprofile = "vercel"\n'})
    assert site.found() == []
    site.write({"sitemap-guard.toml": '[hosting]\nprofile = "netlify"\n'})
    assert site.found() == [("page-redirect", "warning")] * 2  # a setting that no file shows may switch it off


# Index.html in the sitemap, the folder in the canonical; and a file whose name only ends so.
def test_index_html_and_a_file_that_only_ends_so(site: Site) -> None:
    locs = [BASE + "guide/index.html", BASE + "aindex.html"]
    simple(site, locs, [BASE + "guide/", BASE + "aindex.html"], ["guide/index.html", "aindex.html"])
    report = site.check()
    (found,) = [f for f in report["findings"] if f["rule"] == "canonical-mismatch"]
    assert (found["loc"], found["expected"]) == (BASE + "guide/index.html", BASE + "guide/")
    simple(site, [BASE + "guide/index.html", BASE + "guide/"], [BASE + "guide/"], ["guide/index.html"])
    assert "listed already" in site.messages("canonical-mismatch")[0]


# Every version is listed, the pages name the stable one.
def test_old_versions_that_name_the_stable_one_are_one_group(site: Site) -> None:
    names = ["install", "usage", "faq", "api"]
    files: dict[str, str | bytes] = {}
    for name in names:
        files |= {f"public/{version}/{name}.html": page(f"{BASE}stable/{name}.html") for version in ("v1", "stable")}
    locs = [f"{BASE}{version}/{name}.html" for version in ("v1", "stable") for name in names]
    site.write(files | {"public/sitemap.xml": urlset(*map(entry, locs))})
    report = site.check()
    found = [f for f in report["findings"] if f["rule"] == "canonical-mismatch"]
    assert len(found) == 4
    assert {f["group"] for f in found} == {"canonical-mismatch:folder /v1/ /stable/"}
    assert all("listed already" in f["message"] for f in found)
    assert site.rules() == {"canonical-mismatch"}


# A prefix that was doubled or glued.
def test_a_prefix_error_is_found_and_named(site: Site) -> None:
    files: dict[str, str | bytes] = {f"public/p{n}.html": page() for n in range(6)}
    locs = [f"{BASE}en/latesten/p{n}.html" for n in range(6)]
    site.write(files | {"public/sitemap.xml": urlset(*map(entry, locs))})
    report = site.check("--base-url", BASE + "en/latest/")
    heads = {f["rule"] for f in report["findings"] if f["level"] == "error"}
    assert heads == {"loc-scope"}
    site.write({"public/sitemap.xml": urlset(*[entry(f"{BASE}docs/docs/p{n}.html") for n in range(6)])})
    site.write({f"public/docs/p{n}.html": page() for n in range(6)})
    assert "tried docs/docs/p0.html" in site.messages("page-missing", "--base-url", BASE)[0]
    text = cli_text(site, "--base-url", BASE)
    assert "none of 6 locs leads to a built file" in text
    assert "nearly all would with docs/ dropped from their paths" in text


# Sphinx with sitemap_url_scheme and an html_baseurl that has the language already, or no slash at its end.
@pytest.mark.parametrize("prefix", ["en/latesten/", "en/latest/en/"])
def test_a_prefix_that_the_pages_contradict(site: Site, prefix: str) -> None:
    names = ["index.html", "usage.html", "faq.html"]
    site.write({f"public/{name}": page(f"{BASE}en/latest/{name}") for name in names})
    site.write({"public/sitemap.xml": urlset(*[entry(f"{BASE}{prefix}{name}") for name in names])})
    assert site.found() == [("canonical-mismatch", "error")] * 3
    text = cli_text(site)
    assert f"pages below /{prefix} name those below /en/latest/ as canonical" in text
    assert "cure: list the addresses that the pages name" in text


def cli_text(site: Site, *args: str) -> str:
    from sitemap_guard import cli

    cli.main(["check", "public", *args])
    out, _ = site._capsys.readouterr()
    return " ".join(out.split())


def test_a_prefix_that_is_lacking_is_named(site: Site) -> None:
    files: dict[str, str | bytes] = {f"public/en/p{n}/index.html": page() for n in range(6)}
    site.write(files | {"public/sitemap.xml": urlset(*[entry(f"{BASE}p{n}/") for n in range(6)])})
    assert "nearly all would with en/ put before their paths" in cli_text(site)


# Drafts and future posts are listed, but were not built.
def test_a_listed_page_that_was_not_built(site: Site) -> None:
    simple(site, [BASE + "guide/", BASE + "team/", BASE + "2027/soon/"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("page-missing", "error")]
    assert "2027/soon/index.html" in site.messages("page-missing")[0]


@pytest.mark.parametrize(
    ("files", "loc", "place", "why"),
    [
        ({"hugo.toml": "", "content/team.md": "", "content/soon.md": "+++\ndraft = true\n+++\n"}, "soon/",
         ("content/soon.md", 2), "it says draft: true"),
        ({"hugo.toml": "", "content/team.md": "", "content/soon.md": "---\ntitle: a\ndate: 2199-01-01\n---\n"}, "soon/",
         ("content/soon.md", 3), "which lies in the future"),
        ({"_config.yml": "permalink: pretty\n", "team.md": "---\n---\n", "_posts/2099-01-02-soon.md": "---\n---\n"},
         "2099/01/02/soon/", ("_posts/2099-01-02-soon.md", None), "a day in the future"),
        ({"_config.yml": "permalink: pretty\n", "team.md": "---\n---\n", "_drafts/soon.md": "---\n---\n"},
         "2024/01/02/soon/", ("_drafts/soon.md", None), "it lies in _drafts"),
        ({"hugo.toml": "", "content/team.md": "", "content/soon.md": "---\ndate: 2020-01-01\n---\n"}, "soon/",
         ("public/sitemap.xml", 5), ""),
    ],
)  # fmt: skip
def test_a_page_whose_source_is_held_back(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str], loc: str, place: tuple[str, int | None], why: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(repo.root)
    repo.commit("sources", {**files, ".gitignore": "/public/\n"}, at=1_700_000_000)
    site = simple(
        Site(repo.root, capsys), [BASE + "guide/", BASE + "team/", BASE + loc], [BASE + "guide/", BASE + "team/"]
    )
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "page-missing"]
    assert (found["path"], found["line"]) == place
    assert found["message"].endswith(why)


# A development host in the published sitemap.
@pytest.mark.parametrize(
    "host", ["http://localhost:1313", "http://127.0.0.1:4000", "https://example.org", "http://docs.local"]
)
def test_a_development_host(site: Site, host: str) -> None:
    simple(site, [f"{host}/guide/", f"{host}/team/"], [f"{host}/guide/", f"{host}/team/"])
    assert site.found() == [("loc-staging", "error")] * 2
    # That the pages name the published host is the same fault; it tells what is right.
    simple(site, [f"{host}/guide/", f"{host}/team/"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("loc-staging", "error")] * 2
    assert {f["expected"] for f in site.check()["findings"] if f["rule"] == "loc-staging"} == {
        BASE + "guide/",
        BASE + "team/",
    }


def test_no_published_address_is_moved_to_a_development_host(site: Site) -> None:
    locs = ["http://localhost:8080/guide/", BASE + "team/"]
    simple(site, locs, [BASE + "guide/", BASE + "team/"])
    (found,) = [f for f in site.check()["findings"] if not f["rule"].startswith(("lastmod", "history"))]
    assert (found["rule"], found["claimed"], found["expected"]) == ("loc-staging", locs[0], BASE + "guide/")
    simple(site, [locs[0], "http://localhost:8080/more/", BASE + "team/"], [BASE + "guide/", BASE + "team/"])
    assert "loc-host" not in site.rules()


def test_the_list_of_staging_hosts_can_be_longer(site: Site) -> None:
    simple(
        site, ["https://next.docs.test-site.io/guide/"], ["https://next.docs.test-site.io/guide/"], ["guide/index.html"]
    )
    assert site.found() == []
    site.write({"sitemap-guard.toml": '[addresses]\nstaging = ["next.*.test-site.io"]\n'})
    assert site.found() == [("loc-staging", "error")]


# Previews get indexed; or a preview rightly has its own host and noindex.
def test_a_preview_build_and_the_same_in_production(site: Site) -> None:
    here = "https://dev.docs.example.net/"
    simple(site, [here + "guide/", here + "team/"], [BASE + "guide/", BASE + "team/"])
    site.write({"public/_headers": "/*\n  X-Robots-Tag: noindex\n"})
    assert site.found("--env", "preview") == []
    found = site.check()["findings"]
    assert {f["rule"] for f in found if f["level"] == "error"} == {"page-noindex"}
    noindex = [f for f in found if f["rule"] == "page-noindex"]
    assert {(f["path"], f["line"]) for f in noindex} == {("public/_headers", 2)}
    site.write({"public/sitemap.xml": urlset(entry(here + "guide/"), entry(here + "gone/"))})
    assert site.found("--env", "preview") == [("page-missing", "error")]


# Pages of a subdomain in the root's sitemap.
def test_another_host_and_scheme(site: Site) -> None:
    simple(
        site, [BASE + "guide/", BASE + "team/", "http://pending.docs.example.org/x"], [BASE + "guide/", BASE + "team/"]
    )
    assert site.found() == [("loc-host", "error")]
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "loc-host"]
    assert found["expected"] is None  # nothing of that path was built here
    site.write({"sitemap-guard.toml": '[addresses]\nhosts = ["pending.docs.example.org"]\n'})
    assert site.found() == []


def test_a_page_that_is_listed_under_another_scheme_is_one_fault(site: Site) -> None:
    simple(site, [BASE + "guide/", BASE.replace("https", "http") + "team/"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("loc-host", "error")]
    (found,) = [f for f in site.check()["findings"] if f["rule"] == "loc-host"]
    assert found["expected"] == BASE + "team/"


# Test.html beside test/ without an index.
def test_a_page_beside_a_folder_of_its_name(site: Site) -> None:
    simple(
        site, [BASE + "test", BASE + "test/more"], [BASE + "test", BASE + "test/more"], ["test.html", "test/more.html"]
    )
    assert site.found() == []
    site.write({"sitemap-guard.toml": '[hosting]\nprofile = "github-pages"\n'})
    assert site.found() == []
    site.write({"sitemap-guard.toml": '[hosting]\nprofile = "nginx"\n'})
    assert site.found() == [("page-missing", "error")] * 2


def test_a_rule_that_nobody_can_decide_is_told_once_and_accuses_nobody(site: Site) -> None:
    simple(site, [BASE + "guide/", BASE + "team/", BASE + "moved/"], [BASE + "guide/", BASE + "team/"])
    site.write({"public/_redirects": "/moved/ /guide/ 302 Country=no\n", "netlify.toml": ""})
    report = site.check()
    assert site.found() == []
    skipped = [one for one in report["summary"]["skipped"] if "host's answer" in one["what"]]
    assert skipped == [{"what": "the host's answer for 1 address", "why": "public/_redirects:1 depends on Country"}]
    site.write({"public/_redirects": "/moved/ /guide/ 302 Language=nb\n"})
    assert site.found() == [("page-missing", "error")]


# Addresses and files that differ by letter case.
def test_letter_case_counts(site: Site) -> None:
    simple(site, [BASE + "Guide/", BASE + "team/"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("loc-case", "error")]
    assert "public/guide/index.html" in site.messages("loc-case")[0]


# What a user may accept, and what is said when it is not needed any more.
def test_an_accepted_finding_and_one_that_is_gone(site: Site) -> None:
    simple(site, [BASE + "guide/", BASE + "team/", BASE + "gone/"], [BASE + "guide/", BASE + "team/"])
    site.write(
        {"sitemap-guard.toml": '[[ignore]]\nrule = "page-missing"\nurl = "/gone/"\nreason = "comes next week"\n'}
    )
    report = site.check()
    assert report["code"] == 0
    assert "accepted by [[ignore]]" in str(report)
    simple(site, [BASE + "guide/", BASE + "team/"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("ignore-unused", "warning")]
    site.write({"sitemap-guard.toml": '[[ignore]]\nrule = "page-mising"\nreason = "a"\n'})
    from sitemap_guard import cli

    assert cli.main(["check", "public"]) == 2
    assert "did you mean 'page-missing'" in site._capsys.readouterr().err


def test_select_ignore_and_strict(site: Site) -> None:
    simple(site, [BASE + "guide/#top", BASE + "team/", BASE + "gone/"], [BASE + "guide/", BASE + "team/"])
    assert site.found() == [("page-missing", "error"), ("loc-fragment", "warning")]
    assert site.found("--select", "loc") == [("loc-fragment", "warning")]
    assert site.found("--ignore", "page-missing") == [("loc-fragment", "warning")]
    assert sorted(site.found("--strict")) == [("loc-fragment", "error"), ("page-missing", "error")]
