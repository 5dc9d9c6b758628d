"""Reports on histories that are not whole: several repositories, partial clones, letter case, evidence, cost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from dated import at
from sites import BASE, build, html

from sitemap_guard import cli


class Site:
    """A folder with a built site, checked through the command line."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self._capsys = root, capsys

    def build(self, pages: dict[str, tuple[str, str | None]]) -> None:
        """Pages by name, each with the address of its edit link (or "") and its date."""
        files = {}
        for name, (link, _) in pages.items():
            edit = f'<a class="edit" href="{link}">Edit this page</a>' if link else ""
            files[f"{name}/index.html"] = html(f"{name}/index.html").replace("</body>", f"{edit}</body>")
        build(self.root / "public", files, [(f"{BASE}{name}/", date) for name, (_, date) in pages.items()])

    def check(self, *args: str) -> dict[str, Any]:
        code = cli.main(["check", "public", "--base-url", BASE, "--format", "json", *args])
        out, err = self._capsys.readouterr()
        assert code in (0, 1), err
        return dict(json.loads(out))

    def verdicts(self, *args: str) -> dict[str, str]:
        return {
            one["loc"].removeprefix(BASE).strip("/"): one["verdict"] + (f" {one['reason']}" if one["reason"] else "")
            for one in self.check(*args)["entries"]
        }


@pytest.fixture
def site(repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.chdir(repo.root)
    return Site(repo.root, capsys)


def found(report: dict[str, Any], rule: str) -> list[str]:
    return [finding["message"] for finding in report["findings"] if finding["rule"] == rule]


def two_repositories(root: Path, make_repo: Any, *depth: str) -> None:
    for name in ("content", "translated"):
        source = make_repo(root / f"from-{name}")
        source.commit("one", {"files/a.md": f"{name}\n", "files/b.md": "1\n"}, at=at("2026-01-10"))
        source.commit("two", {"files/b.md": f"{name} 2\n"}, at=at("2026-02-10"))
        options = depth if name == "translated" else ()
        source.git("clone", "-q", *options, f"file://{source.root}", str(root / name))
        source.git("-C", str(root / name), "remote", "set-url", "origin", f"git@github.com:o/{name}.git")


CONFIG = '[[root]]\npath = "content"\n[[root]]\npath = "translated"\n'


# Content/ is whole, translated/ is shallow, each is a repository of its own.
def test_each_root_is_judged_by_its_own_history(
    tmp_path: Path, make_repo: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    two_repositories(tmp_path, make_repo, "--depth=1")
    site = Site(tmp_path, capsys)
    edit = "https://github.com/o/{}/edit/main/files/{}.md"
    # Both repositories have files of the same names: a link leads into the one that it names.
    site.build(
        {
            "en/a": (edit.format("content", "a"), "2026-01-10"),
            "en/b": (edit.format("content", "b"), "2026-01-10"),
            "fr/a": (edit.format("translated", "a"), "2026-01-10"),
            "fr/b": (edit.format("translated", "b"), "2026-11-30"),
        }
    )
    (tmp_path / "sitemap-guard.toml").write_text(CONFIG)
    report = site.check()
    assert {one["loc"]: one["sources"] for one in report["entries"]} == {
        f"{BASE}en/a/": ["content/files/a.md"],
        f"{BASE}en/b/": ["content/files/b.md"],
        f"{BASE}fr/a/": ["translated/files/a.md"],
        f"{BASE}fr/b/": ["translated/files/b.md"],
    }
    # Newer than the edge is false all the same; what lies behind it cannot be told.
    assert site.verdicts() == {"en/a": "true", "en/b": "false", "fr/a": "cannot_tell shallow", "fr/b": "false"}
    (told,) = found(report, "history-shallow")
    assert told.startswith("translated/ is shallow, content/ is not: 1 date could not be judged")
    subprocess.run(
        ["git", "-C", "translated", "fetch", "-q", "--unshallow", str(tmp_path / "from-translated")], check=True
    )
    assert site.verdicts() == {"en/a": "true", "en/b": "false", "fr/a": "true", "fr/b": "false"}


# With a submodule instead: links into it resolve there, and only where it is named.
def test_links_into_a_submodule(site: Site, repo: Repo, make_repo: Any, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    other.commit("theirs", {"docs/x.md": "1\n"}, at=at("2026-02-10"))
    repo.commit("ours", {"docs/a.md": "1\n"}, at=at("2026-01-10"))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "vendor/sub")
    repo.commit("add it", at=at("2026-03-10"))
    site.build(
        {
            "a": ("https://github.com/o/main/edit/main/docs/a.md", "2026-01-10"),
            "x": ("https://github.com/o/sub/edit/main/docs/x.md", "2026-02-10"),
        }
    )
    assert site.verdicts() == {"a": "true", "x": "cannot_tell no-source"}
    rule = '[[source]]\nurl = "/x/"\npath = "vendor/sub/docs/x.md"\n'
    (repo.root / "sitemap-guard.toml").write_text(rule)
    report = site.check()
    assert site.verdicts()["x"] == "cannot_tell submodule"
    assert "vendor/sub/docs/x.md lies in the submodule vendor/sub" in "".join(found(report, "lastmod-unverified"))
    (repo.root / "sitemap-guard.toml").write_text('[[root]]\npath = "vendor/sub"\n')
    assert site.verdicts() == {"a": "true", "x": "true"}
    site.build({"x": ("https://github.com/o/sub/edit/main/docs/x.md", "2026-03-10")})
    assert site.verdicts() == {"x": "false"}  # the day of the commit that took it in


# Git knows the folder by other letters.
def test_letters_that_git_does_not_know(site: Site, repo: Repo) -> None:
    repo.commit("one", {"Docs/a.md": "1\n"}, at=at("2026-01-10"))
    repo.write("sitemap-guard.toml", '[[source]]\nurl = "/{slug}/"\npath = "docs/{slug}.md"\n')
    site.build({"a": ("", "2026-01-10")})
    report = site.check()
    assert site.verdicts() == {"a": "cannot_tell case"}
    assert found(report, "history-case") == ["git tracks Docs/a.md, not docs/a.md"]
    assert [f["level"] for f in report["findings"] if f["rule"] == "history-case"] == ["warning"]


# Pages whose sources git does not track cost nothing, and each says why.
def test_untracked_and_ignored_sources_say_which_they_are(site: Site, repo: Repo) -> None:
    repo.commit("one", {"docs/a.md": "1\n", ".gitignore": "/docs/gen/\n"}, at=at("2026-01-10"))
    repo.write("docs/gen/b.md", "1\n")
    repo.write("docs/c.md", "1\n")
    rule = '[[source]]\nurl = "/{slug}/"\npath = ["docs/{slug}.md", "docs/gen/{slug}.md"]\n'
    repo.write("sitemap-guard.toml", rule)
    site.build(dict.fromkeys("abcd", ("", "2026-01-10")))
    assert site.verdicts() == {
        "a": "true",
        "b": "cannot_tell ignored",
        "c": "cannot_tell untracked",
        "d": "cannot_tell missing",
    }
    told = found(site.check(), "lastmod-unverified")
    assert any("git ignores docs/gen/b.md by .gitignore:1; " in message for message in told)
    assert any("docs/c.md is there, but git does not track it: git add it; " in message for message in told)
    assert any("there is no file docs/d.md; " in message for message in told)


# A generator's source that is not tracked needs no rule to be named.
def test_a_source_that_only_lacks_git_add_is_named(site: Site, repo: Repo) -> None:
    first = {"hugo.toml": "baseURL = 'x'\n", "content/a.md": "1\n", ".gitignore": "/public/\n*.local.md\n"}
    repo.commit("one", first, at=at("2026-01-10"))
    repo.write("content/new.md", "1\n")
    repo.write("content/own.local.md", "1\n")
    own = Repo(repo.root / "content" / "theirs")
    own.commit("one", {"x.md": "1\n"}, at=at("2026-01-10"))
    site.build(dict.fromkeys(("a", "new", "own.local", "theirs/x", "gone"), ("", "2026-01-10")))
    assert site.verdicts() == {
        "a": "true",
        "new": "cannot_tell untracked",
        "own.local": "cannot_tell ignored",
        "theirs/x": "cannot_tell no-source",
        "gone": "cannot_tell no-source",
    }
    rule = '[[source]]\nurl = "/theirs/{slug}/"\npath = "content/theirs/{slug}.md"\n'
    repo.write("sitemap-guard.toml", rule)
    assert site.verdicts()["theirs/x"] == "cannot_tell submodule"
    told = "".join(found(site.check(), "lastmod-unverified"))
    assert "content/theirs/x.md lies in another repository, content/theirs, which has a history of its own" in told


def test_a_source_in_a_submodule_is_named(site: Site, repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit("one", {"x.md": "1\n"}, at=at("2026-01-10"))
    repo.commit("one", {"hugo.toml": "baseURL = 'x'\n", "content/a.md": "1\n"}, at=at("2026-01-10"))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "content/sub")
    repo.commit("two", at=at("2026-01-11"))
    site.build(dict.fromkeys(("a", "sub/x"), ("", "2026-01-10")))
    assert site.verdicts() == {"a": "true", "sub/x": "cannot_tell submodule"}


def test_without_a_repository_that_is_the_reason(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    site = Site(tmp_path, capsys)
    site.build({"a": ("", "2026-01-10")})
    assert site.verdicts() == {"a": "cannot_tell no-history"}
    assert "no git repository at" in found(site.check(), "history-missing")[0]


# Nothing is fetched from a partial clone, and what cannot be known is said.
@pytest.mark.parametrize(("kind", "told"), [("blob:none", "true"), ("tree:0", "cannot_tell no-history")])
def test_partial_clones(repo: Repo, tmp_path: Path, capsys: Any, monkeypatch: Any, kind: str, told: str) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("one", {"docs/a.md": "1\n"}, at=at("2026-01-10"))
    repo.commit("two", {"docs/b.md": "1\n"}, at=at("2026-02-10"))
    repo.git("clone", "-q", f"--filter={kind}", f"file://{repo.root}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    site = Site(tmp_path / "clone", capsys)
    site.build({"a": ("https://github.com/o/r/edit/main/docs/a.md", "2026-01-10")})
    before = sorted((tmp_path / "clone/.git").rglob("*"))
    assert site.verdicts() == {"a": told}
    assert sorted((tmp_path / "clone/.git").rglob("*")) == before
    missing = found(site.check(), "history-missing")
    assert bool(missing) == (kind == "tree:0")
    assert all("--filter=blob:none" in message for message in missing)


# The host gives few commits; the dates come from a full clone instead.
def test_evidence_from_a_full_clone(site: Site, repo: Repo, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    repo.commit("one", {"docs/a.md": "1\n", "docs/b.md": "1\n"}, at=at("2026-01-10"))
    repo.commit("two", {"docs/b.md": "2\n"}, at=at("2026-02-10"))
    repo.commit("three", {"docs/c.md": "3\n"}, at=at("2026-03-10"))
    pages = {name: (f"https://github.com/o/r/edit/main/docs/{name}.md", "2026-01-10") for name in "abc"}
    site.build(pages)
    whole = site.verdicts()
    assert whole == {"a": "true", "b": "false", "c": "false"}
    assert cli.main(["dates", "--format", "csv", "docs"]) == 0
    (tmp_path / "evidence.csv").write_text(capsys.readouterr().out)
    repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    shutil.copytree(repo.root, tmp_path / "exported", ignore=shutil.ignore_patterns(".git"))
    for folder in ("shallow", "exported"):
        monkeypatch.chdir(tmp_path / folder)
        build_here = Site(tmp_path / folder, capsys)
        build_here.build(pages)
        assert set(build_here.verdicts().values()) <= {
            "cannot_tell shallow",
            "cannot_tell no-source",
            "cannot_tell no-history",
        }
        report = build_here.check("--evidence", str(tmp_path / "evidence.csv"))
        assert build_here.verdicts("--evidence", str(tmp_path / "evidence.csv")) == whole
        assert report["entries"][0]["witness"]["kind"] == "evidence"
        assert report["entries"][1]["expected"] == "2026-02-10"
        (tmp_path / folder / "docs/a.md").write_text("another text\n")
    # Exported files are what they are; a clone is judged at its commit.
    assert build_here.verdicts("--evidence", str(tmp_path / "evidence.csv"))["a"] == "cannot_tell evidence"


# A hook's variables lead nowhere else, in a linked work tree either.
def test_a_hook_in_a_linked_work_tree(repo: Repo, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    repo.commit("one", {"docs/a.md": "1\n"}, at=at("2026-01-10"))
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    site = Site(tmp_path / "tree", capsys)
    site.build({"a": ("https://github.com/o/r/edit/main/docs/a.md", "2026-01-10")})
    monkeypatch.chdir(tmp_path / "tree")
    monkeypatch.setenv("GIT_DIR", str(repo.root / ".git/worktrees/tree"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.root / ".git/worktrees/tree/index"))
    assert site.verdicts() == {"a": "true"}
    assert os.environ["GIT_DIR"]


# A page that a pull request changes may claim any moment from its commit to now: it has not landed yet.
def test_pages_of_a_pull_request_may_claim_now(site: Site, repo: Repo) -> None:
    repo.commit("one", {"docs/a.md": "1\n", "docs/b.md": "1\n"}, at=at("2026-01-10"))
    base = repo.commit("two", {"docs/c.md": "1\n"}, at=at("2026-02-10"))
    repo.git("checkout", "-q", "-b", "change", "HEAD~1")
    head = repo.commit("in the pull request", {"docs/a.md": "2\n"}, at=at("2026-03-10"))
    repo.git("checkout", "-q", "--detach", base)
    when = {name: f"{at('2026-03-12')} +0000" for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE")}
    repo.git("merge", "-q", "--no-ff", "-m", f"Merge {head} into {base}", head, env=when)
    link = "https://github.com/o/r/edit/main/docs/{}.md"
    today = time.strftime("%Y-%m-%d", time.gmtime())
    site.build({name: (link.format(name), today) for name in "ab"})
    assert site.verdicts() == {"a": "true", "b": "false"}
    site.build({name: (link.format(name), "2026-03-10") for name in "ab"})
    assert site.verdicts() == {"a": "true", "b": "false"}
    site.build({name: (link.format(name), "2026-01-10") for name in "ab"})
    assert site.verdicts() == {"a": "false", "b": "true"}


# A bare repository and a revision: sources are read from it, the site lies elsewhere.
def test_a_bare_repository(repo: Repo, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    repo.commit("one", {"docs/a.md": "---\nlastmod: 2025-05-05\n---\n"}, at=at("2026-01-10"))
    repo.commit("two", {"docs/a.md": "2\n"}, at=at("2026-02-10"))
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    site = Site(tmp_path / "site", capsys)
    link = "https://github.com/o/r/edit/main/docs/a.md"
    for rev, date, verdict in [
        ("main", "2026-02-10", "true"),
        ("main~1", "2026-02-10", "false"),
        ("main~1", "2025-05-05", "true"),
    ]:
        site.build({"a": (link, date)})
        assert site.verdicts("--repo", str(tmp_path / "bare.git"), "--rev", rev) == {"a": verdict}


def test_no_cache_leaves_no_trace_and_a_cache_is_kept_where_the_settings_say(
    site: Site, repo: Repo, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("sitemap_guard.history.cache.LEAST", 0)
    repo.commit("one", {"docs/a.md": "1\n", ".gitignore": "/public/\n"}, at=at("2026-01-10"))
    site.build({"a": ("https://github.com/o/r/edit/main/docs/a.md", "2026-01-10")})
    plain = site.check("--no-cache")
    assert not (repo.root / ".git/sitemap-guard").exists()
    for _ in range(2):
        assert site.check() == plain
        assert list((repo.root / ".git/sitemap-guard").iterdir())
    assert repo.git("status", "--porcelain") == ""
    repo.write("sitemap-guard.toml", f'cache = "{tmp_path}/kept"\n')
    assert site.check()["entries"] == plain["entries"]
    assert list((tmp_path / "kept").iterdir())
