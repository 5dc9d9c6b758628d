"""`changed` and `indexnow` from argv to exit code: real repositories, real builds, a real server on this machine."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from engine import Act, engine
from sites import BASE, MARCH, build, edited, html, run_cli, sitemap

from sitemap_guard.notify import submit

DAY = 86400
KEY = "0123456789abcdef"
STATE = ".sitemap-guard-indexnow.json"


class Site:
    """A repository with a generator of ten lines: each page is dated by its source's last commit."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo

    def commit(self, number: int, **texts: str) -> str:
        return self.repo.commit("Edit", {f"content/{n}.md": text for n, text in texts.items()}, at=MARCH + number * DAY)

    def build(self, **dates: str | None) -> None:
        folder = self.repo.root / "public"
        names = sorted(path.stem for path in (self.repo.root / "content").glob("*.md"))
        entries = []
        for name in names:
            dated = self.repo.git("log", "-1", "--format=%cI", "--", f"content/{name}.md").strip()
            entries.append((f"{BASE}{name}/", dates.get(name, dated)))
        build(folder, edited(names), entries)
        (folder / f"{KEY}.txt").write_text(KEY)


@pytest.fixture
def site(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Site:
    repo.write(".gitignore", "/public/\n")
    made = Site(repo)
    made.commit(0, a="a", b="b", c="c")
    made.build()
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", KEY)
    return made


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    os.environ.setdefault("SITEMAP_GUARD_INDEXNOW_KEY", KEY)
    code, out, err = run_cli(capsys, *args)
    assert KEY not in out + err
    return code, out, err


def changes(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    _, out, _ = run(capsys, "changed", "--format", "json", *args)
    return dict(json.loads(out))


def locs(rows: list[dict[str, str]]) -> list[str]:
    return [row["loc"].removeprefix(BASE) for row in rows]


# ------------------------------------------------------------------------------------------------------- changed


def test_since_a_revision(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    base = site.repo.git("rev-parse", "HEAD").strip()
    site.commit(1, b="changed", d="new")
    site.build()
    found = changes(capsys, "--since", base)
    assert (locs(found["changed"]), locs(found["new"]), found["removed"], found["untold"]) == (["b/"], ["d/"], None, [])
    code, out, _ = run(capsys, "changed", "--since", base)
    assert code == 0
    assert f"changed   {BASE}b/  2026-03-02T09:00:00+00:00\n" in out
    assert f"since {base} ({base[:7]}): 1 changed, 1 new, removed: not known from a revision\n" in out
    assert run(capsys, "changed", "--since", base, "--format", "urls")[1] == f"{BASE}b/\n{BASE}d/\n"
    assert run(capsys, "changed", "--since", "nowhere")[0] == 2


def test_since_a_published_sitemap(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    (site.repo.root / "old.xml").write_bytes((site.repo.root / "public/sitemap.xml").read_bytes())
    site.commit(1, b="changed", d="new")
    (site.repo.root / "content/c.md").unlink()
    site.repo.commit("Remove", at=MARCH + 2 * DAY)
    site.build()
    found = changes(capsys, "--since", "old.xml")
    assert (locs(found["changed"]), locs(found["new"]), found["removed"]) == (["b/"], ["d/"], [BASE + "c/"])
    assert found["changed"][0]["before"] == "2026-03-01T09:00:00+00:00"


def test_a_tracked_sitemap_tells_what_is_gone(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.repo.git("add", "-f", "public")
    site.repo.commit("Build", at=MARCH + 60)
    base = site.repo.git("rev-parse", "HEAD").strip()
    (site.repo.root / "content/c.md").unlink()
    site.repo.commit("Remove", at=MARCH + DAY)
    site.build()
    site.repo.commit("Build", at=MARCH + DAY + 60)
    assert changes(capsys, "--since", base)["removed"] == [BASE + "c/"]
    assert changes(capsys, "--since", "HEAD")["removed"] == []


def test_a_stamped_build_changes_nothing(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    base = site.repo.git("rev-parse", "HEAD").strip()
    (site.repo.root / "old.xml").write_bytes((site.repo.root / "public/sitemap.xml").read_bytes())
    site.commit(1, b="changed")
    site.build(a="2026-10-01T10:00:00Z", c="2026-10-01T10:00:00Z", b="2026-10-01T10:00:00Z")
    found = changes(capsys, "--since", "old.xml")
    assert (found["changed"], found["new"]) == ([], [])
    assert found["untold"] == [BASE + "a/", BASE + "b/", BASE + "c/"]
    assert changes(capsys, "--since", base)["untold"] == [BASE + "b/"]
    _, out, err = run(capsys, "changed", "--since", "old.xml", "--format", "urls")
    assert (out, "3 pages may have changed" in err) == ("", True)


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        ("2026-03-01", True),
        ("2026-03-04", False),  # the same day, in less precision
        ("2026-03-04T10:00:00+01:00", False),  # the same moment
        ("2026-03-09", False),  # put right: it was too new
        (None, False),  # a date was added
    ],
)
def test_only_a_newer_date_is_a_change(
    site: Site, capsys: pytest.CaptureFixture[str], before: str | None, changed: bool
) -> None:
    site.commit(3, a="changed")
    site.build()
    (site.repo.root / "old.xml").write_text(sitemap((BASE + "a/", before)))
    assert locs(changes(capsys, "--since", "old.xml")["changed"]) == (["a/"] if changed else [])


def test_a_field_that_stays_is_no_change(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.commit(1, a="---\nlastmod: 2026-03-02\n---\na", b="---\nlastmod: 2026-03-02\n---\nb")
    base = site.repo.git("rev-parse", "HEAD").strip()
    site.commit(2, a="---\nlastmod: 2026-03-02\n---\nmore", b="---\nlastmod: 2026-03-03\n---\nb")
    site.build(a="2026-03-02", b="2026-03-03T00:00:00Z")
    assert locs(changes(capsys, "--since", base)["changed"]) == ["b/"]


# ------------------------------------------------------------------------------------------------------ indexnow


def test_a_deploy_that_changes_one_page_submits_one_url(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with engine() as server:
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url)
        assert (code, server.got) == (0, [])
        assert f"first run: 3 pages noted in {STATE}, nothing sent" in err
        site.commit(1, b="changed")
        site.build()
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url)
        assert (code, server.urls) == (0, [[BASE + "b/"]])
        assert "1 address: accepted" in err
        assert run(capsys, "indexnow", "--endpoint", server.url)[0] == 0
        assert len(server.got) == 1
        _, _, got = server.got[0]
    assert got == {"host": "docs.example.org", "key": KEY, "urlList": [BASE + "b/"]}
    state = json.loads((site.repo.root / STATE).read_text())
    assert state["urls"][BASE + "b/"] == "2026-03-02T09:00:00+00:00"
    assert KEY not in (site.repo.root / STATE).read_text()


def test_new_and_removed_pages_are_sent(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with engine() as server:
        run(capsys, "indexnow", "--endpoint", server.url)
        site.commit(1, d="new")
        (site.repo.root / "content/a.md").unlink()
        site.repo.commit("Remove", at=MARCH + 2 * DAY)
        site.build()
        run(capsys, "indexnow", "--endpoint", server.url)
        assert server.urls == [[BASE + "d/", BASE + "a/"]]
        run(capsys, "indexnow", "--endpoint", server.url)
        assert len(server.got) == 1


def test_with_a_revision_no_state_is_needed(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    base = site.repo.git("rev-parse", "HEAD").strip()
    site.commit(1, b="changed")
    site.build()
    with engine() as server:
        assert run(capsys, "indexnow", "--since", base, "--endpoint", server.url)[0] == 0
        assert server.urls == [[BASE + "b/"]]
    assert not (site.repo.root / STATE).exists()


def test_where_no_commit_came_before_nothing_is_sent(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    """GitHub and GitLab give zeros for the commit before the first push of a branch; GitLab for scheduled runs too."""
    none = "0" * 40
    with engine() as server:
        code, out, err = run(capsys, "indexnow", "--endpoint", server.url, "--since", none)
        assert (code, out, server.got) == (0, "", [])
        assert "nothing is sent: there was no commit before" in err
        assert not Path(STATE).exists()
        # Where a state file is kept, that tells what was sent before.
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url, "--since", none, "--state", "sent.json")
        assert (code, "first run: 3 pages noted" in err) == (0, True)
        site.commit(1, b="changed")
        site.build()
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url, "--since", none, "--state", "sent.json")
        assert (code, [got["urlList"] for _, _, got in server.got]) == (0, [[f"{BASE}b/"]])


def test_a_commit_that_a_force_push_took_away(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with engine() as server:
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url, "--since", "1" * 40)
    assert (code, server.got) == (2, [])
    assert f"git fetch origin {'1' * 40}" in err
    for command in ("changed --since", "check --changed-since"):
        code, _, err = run(capsys, *command.split(), "0" * 40)
        assert (code, "no commit before" in err) == (2, True)


def test_what_was_not_accepted_is_sent_again(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with engine(Act(403), Act(200)) as server:
        run(capsys, "indexnow", "--endpoint", server.url)
        before = (site.repo.root / STATE).read_text()
        site.commit(1, b="changed")
        site.build()
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url)
        assert (code, "is the key's file deployed" in err) == (2, True)
        assert (site.repo.root / STATE).read_text() == before
        assert run(capsys, "indexnow", "--endpoint", server.url)[0] == 0
        assert server.urls == [[BASE + "b/"], [BASE + "b/"]]


def test_batches_that_were_accepted_stay_accepted(
    site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit.batches, "__defaults__", (2,))
    with engine(Act(200), Act(422), Act(200)) as server:
        assert run(capsys, "indexnow", "--all", "--state", "s.json", "--endpoint", server.url)[0] == 2
        assert set(json.loads((site.repo.root / "s.json").read_text())["urls"]) == {BASE + "a/", BASE + "b/"}
        assert run(capsys, "indexnow", "--state", "s.json", "--endpoint", server.url)[0] == 0
        assert server.urls == [[BASE + "a/", BASE + "b/"], [BASE + "c/"], [BASE + "c/"]]


def test_nothing_is_sent_while_dates_are_false(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with engine() as server:
        run(capsys, "indexnow", "--endpoint", server.url)
        site.commit(1, b="changed")
        site.build(c="2026-10-01")
        code, _, err = run(capsys, "indexnow", "--endpoint", server.url)
        assert (code, server.got) == (1, [])
        assert "1 false date, so nothing is sent" in err
        assert run(capsys, "indexnow", "--force", "--endpoint", server.url)[0] == 0
        assert server.urls == [[BASE + "b/"]]


def test_a_dry_run_sends_and_writes_nothing(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with engine() as server:
        code, out, err = run(capsys, "indexnow", "--all", "--dry-run", "--endpoint", server.url)
        assert (code, server.got) == (0, [])
        assert out == f"{BASE}a/\n{BASE}b/\n{BASE}c/\n"
        assert "3 addresses in 1 submission to" in err
        run(capsys, "indexnow", "--dry-run", "--endpoint", server.url)
    assert not (site.repo.root / STATE).exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "does not serve the key's file <key>.txt"),
        (b"", "it is empty"),
        (b"\xef\xbb\xbf" + KEY.encode(), "byte order mark"),
        (f"<html>{KEY}</html>".encode(), "it is HTML"),
        (KEY.encode() + b"x", "it holds something else"),
    ],
)
def test_the_built_site_must_serve_the_key(
    site: Site, capsys: pytest.CaptureFixture[str], content: bytes | None, says: str
) -> None:
    file = site.repo.root / "public" / f"{KEY}.txt"
    file.unlink() if content is None else file.write_bytes(content)
    with engine() as server:
        code, _, err = run(capsys, "indexnow", "--all", "--endpoint", server.url)
        assert (code, says in err, server.got) == (2, True, [])
    file.write_bytes(KEY.encode() + b"\r\n")
    with engine() as server:
        assert run(capsys, "indexnow", "--all", "--endpoint", server.url)[0] == 0


def test_a_key_file_that_is_a_link_out_of_the_site_is_not_read(
    site: Site, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = site.repo.root / "public" / f"{KEY}.txt"
    file.unlink()
    (tmp_path / "key").write_text(KEY)
    file.symlink_to(tmp_path / "key")
    assert run(capsys, "indexnow", "--all")[0] == 2


def test_a_key_below_a_folder_is_named_and_bounds_what_is_sent(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    (site.repo.root / "public/a/key.txt").write_text(KEY)
    location = BASE + "a/key.txt"
    with engine() as server:
        code, _, err = run(capsys, "indexnow", "--all", "--key-location", location, "--endpoint", server.url)
        assert code == 0
        assert server.got[0][2]["keyLocation"] == location
        assert server.urls == [[BASE + "a/"]]
        assert "2 addresses not below docs.example.org/a/" in err
        for wrong in ("https://other.example/key.txt", BASE + "a/none.txt", "x"):
            assert run(capsys, "indexnow", "--all", "--key-location", wrong, "--endpoint", server.url)[0] == 2
        assert len(server.got) == 1


def test_a_project_site_names_the_keys_file(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    project = BASE + "project/"
    for name in "abc":
        page = html(f"{name}/index.html", source=f"content/{name}.md", canonical=f"{project}{name}/")
        (site.repo.root / f"public/{name}/index.html").write_text(page)
    (site.repo.root / "public/sitemap.xml").write_text(sitemap(*((f"{project}{n}/", "2026-03-01") for n in "abc")))
    with engine() as server:
        assert run(capsys, "indexnow", "--all", "--endpoint", server.url)[0] == 0
        assert server.got[0][2]["keyLocation"] == f"{project}{KEY}.txt"
        assert server.got[0][2]["host"] == "docs.example.org"


@pytest.mark.parametrize(
    "key", ["", "short", "x" * 129, "with space", "schlüssel", "a/b/c/d/e/f", "12345678\n12345678"]
)
def test_what_is_no_key_is_not_shown(
    site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("SITEMAP_GUARD_INDEXNOW_KEY", key)
    code, out, err = run(capsys, "indexnow", "--all")
    assert code == 2
    assert not key.strip() or key not in out + err


def test_a_key_from_a_file(site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with engine() as server:
        code, _, _ = run(capsys, "indexnow", "--all", "--key-file", f"public/{KEY}.txt", "--endpoint", server.url)
        assert (code, server.got[0][2]["key"]) == (0, KEY)
    assert run(capsys, "indexnow", "--all", "--key-file", "none")[0] == 2


def test_no_child_sees_the_key(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    spy = "import json, os, sys; json.dump([dict(os.environ), sys.argv], open('seen.json', 'w')); print('url,path')"
    site.repo.write(
        "sitemap-guard.toml", f"[[manifest]]\ncommand = [{json.dumps(sys.executable)}, '-c', {json.dumps(spy)}]\n"
    )
    with engine() as server:
        run(capsys, "indexnow", "--all", "--endpoint", server.url)
    seen = (site.repo.root / "seen.json").read_text()
    assert "PATH" in seen
    assert KEY not in seen


@pytest.mark.parametrize("text", ["", "[]", '{"version": 9, "kind": "x", "urls": {}}', "{", "\x00"])
def test_a_state_file_that_is_none(site: Site, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (site.repo.root / STATE).write_text(text)
    code, _, err = run(capsys, "indexnow", "--endpoint", "http://127.0.0.1:9/")
    assert (code, err.count("\n")) == (2, 1)
    assert (site.repo.root / STATE).read_text() == text


def test_the_limit_of_one_submission() -> None:
    sizes = [len(batch) for batch in submit.batches([f"https://a.example/{n}" for n in range(25_000)])]
    assert sizes == [10_000, 10_000, 5_000]
