"""Pathspecs: few, covering, and none when they would not save anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitemap_guard.history.cover import MOST, cover

CODE = [f"src/{number}.c" for number in range(500)]
PATHS = st.lists(st.text("ab/", min_size=1, max_size=9).map(lambda text: text.strip("/") or "c"), min_size=1)


def test_a_site_in_a_monorepo_pays_for_its_folder() -> None:
    pages = [f"web/site/docs/{number}.md" for number in range(100)]
    assert cover(pages, [*CODE, *pages]) == ["web/site/docs"]
    assert cover([*pages, "README.md"], [*CODE, *pages, "README.md"]) == ["README.md", "web/site/docs"]
    assert cover(pages[:2], [*CODE, *pages]) == pages[:2]


def test_no_pathspec_when_it_would_cover_most_files() -> None:
    pages = [f"docs/{number}.md" for number in range(100)]
    assert cover(pages, [*pages, "README.md"]) == []
    assert cover([f"{number}.md" for number in range(100)], CODE * 2) == []


@given(PATHS)
def test_every_path_is_covered_by_few(paths: list[str]) -> None:
    found = cover(paths, [*CODE, *CODE])
    assert len(found) <= MOST
    assert all(not found or any(path == spec or path.startswith(spec + "/") for spec in found) for path in paths)
