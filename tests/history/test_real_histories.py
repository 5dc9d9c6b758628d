"""Every tracked path of six real repositories has the last change that git names."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from commit_graphs import git

from sitemap_guard.history.environment import isolated_git
from sitemap_guard.history.reader import open_history

# How many paths of each site are compared; 0 for all of them (minutes).
SAMPLE = int(os.environ.get("SITEMAP_GUARD_SAMPLE", "150"))
SITES = [
    ("hugodocs", "git"), ("letsencrypt", "git"), ("jekyll", "lastmod"), ("click", "html"),
    ("vuejs-docs", "lastupdated"), ("js-lingui", "git"),
]  # fmt: skip


@pytest.mark.parametrize(("site", "build"), SITES)
def test_last_changes_of_a_real_site(real_site: Callable[[str, str], Path], site: str, build: str) -> None:
    folder = real_site(site, build)
    with isolated_git(), open_history(folder, folder) as reader:
        assert reader.repository.problem == ""
        root = Path(reader.repository.root)
        paths = sorted(reader.repository.tracked)
        found = reader.walk(dict.fromkeys(paths, ()))
        line = git(root, "rev-list", "--first-parent", "HEAD").decode().split()
    sample = random.Random(7).sample(paths, min(SAMPLE or len(paths), len(paths)))

    def truth(path: str) -> tuple[str, str, str]:
        answer = git(root, "--literal-pathspecs", "log", "-1", "--format=%H %at %ct", "--", path)
        name, authored, committed = answer.decode().split()
        return name, authored, committed

    with ThreadPoolExecutor(4) as pool:
        answers = dict(zip(sample, pool.map(truth, sample), strict=True))
    ours = {}
    for path in sample:
        last = found[path].last
        assert last is not None
        ours[path] = (last.commit.id, str(last.commit.authored.seconds), str(last.commit.committed.seconds))
    print(f"{site}: {len(sample)} of {len(paths)} paths compared")
    assert ours == answers
    # Landed: on the first-parent line, and not before it was committed unless clocks were wrong.
    times = set(git(root, "log", "--first-parent", "--format=%ct").decode().split())
    on_line = set(line)
    for path in sample:
        last = found[path].last
        assert last is not None
        assert str(last.commit.landed.seconds) in times
        if last.commit.id in on_line:
            assert last.commit.landed == last.commit.committed
