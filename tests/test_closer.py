"""The closer look: which merges bring a branch back, which commits are listed, what could not be looked at."""

from __future__ import annotations

import pytest
from conftest import Repo

from sitemap_guard.config import Dates, Policy
from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.reader import open_history
from sitemap_guard.judgement.closer import Closer
from sitemap_guard.model import UserError

START = 1_700_000_000


@pytest.mark.parametrize(
    ("subject", "back"),
    [
        ("Merge branch 'main' into feature", True),
        ("Merge branch 'master' into fix/main-menu", True),
        ("Merge remote-tracking branch 'origin/main' into feature", True),
        ("Merge remote-tracking branch 'upstream/master' into patch-1", True),
        ("Merge branch 'main' of github.com:o/r", True),
        ("Merge branch 'main' of https://github.com/o/r into feature", True),
        ("Merge branch 'feature'", False),
        ("Merge branch 'feature' into main", False),
        ("Merge branch 'main' into master", False),
        ("Merge branch 'maintenance' into feature", False),
        ("Merge pull request #7 from o/main", False),
        ("Add main to the menu", False),
    ],
)
def test_a_merge_of_the_branch_into_another_is_known_by_its_subject(repo: Repo, subject: str, back: bool) -> None:
    commit = repo.commit(subject, {"a.md": "a\n"}, at=START)
    with isolated_git(), open_history(repo.root, repo.root) as history:
        assert Closer(history, Dates(), ()).back_merges([commit]) == (frozenset({commit}) if back else frozenset())


def test_listed_commits_are_read_as_git_blame_reads_them(repo: Repo) -> None:
    one = repo.commit("one", {"a.md": "a\n"}, at=START)
    listing = f"# formatter\n{one.upper()}  # why\n\n{one[:10]}\nnot a commit\n"
    repo.commit("list", {".git-blame-ignore-revs": listing}, at=START + 1)
    with isolated_git(), open_history(repo.root, repo.root) as history:
        closer = Closer(history, Dates(), ())
        assert closer.ignored == {one}
        (note,) = closer.notes()
    assert note.what == "2 lines of .git-blame-ignore-revs"
    assert "full commit ids" in note.why


def test_a_list_that_is_named_must_be_there(repo: Repo) -> None:
    repo.commit("one", {"a.md": "a\n"}, at=START)
    with isolated_git(), open_history(repo.root, repo.root) as history:
        assert Closer(history, Dates(), ()).ignored == frozenset()
        assert Closer(history, Dates(ignore_revs=""), ()).ignored == frozenset()
        with pytest.raises(UserError, match="no file 'etc/revs'"):
            Closer(history, Dates(ignore_revs="etc/revs"), ())
        repo.write("etc/revs", "# not committed yet, but there\n")
        assert Closer(history, Dates(ignore_revs="etc/revs"), ()).ignored == frozenset()


def test_policies_cover_files_by_gits_wild_cards(repo: Repo) -> None:
    repo.commit("one", {"content/de/a.md": "a\n", "content/de/x/b.md": "b\n", "content/en/a.md": "a\n"}, at=START)
    policies = (
        Policy(paths=("content/**/a.md", "content/de/x/*"), field="ignore"),
        Policy(paths=("content/en/**",), field="authoritative"),
    )
    with isolated_git(), open_history(repo.root, repo.root) as history:
        found = Closer(history, Dates(), policies).policies()
    assert found == {
        "content/de/a.md": "ignore",
        "content/de/x/b.md": "ignore",
        "content/en/a.md": "authoritative",
    }
