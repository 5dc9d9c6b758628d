"""Files that a source takes in, read from its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees import site, tree_of

from sitemap_guard.model import Located
from sitemap_guard.sources.copies import answers
from sitemap_guard.sources.further import Further
from sitemap_guard.sources.generators.base import Hints
from sitemap_guard.sources.generators.registry import GENERATORS
from sitemap_guard.sources.includes import closure
from sitemap_guard.sources.subject import Subject


def taken(files: dict[str, str], file: str, prefix: str = "public") -> set[str]:
    tree = tree_of(files)
    layouts = [layout for find in GENERATORS for layout in find(tree, Hints(prefix=prefix))]
    assert layouts
    return set(closure(tree, file, layouts[0].includes))


def test_shortcodes_of_hugo_take_files_in() -> None:
    text = (
        '{{< code file="data.csv" >}} {{% include "/_common/note.md" %}} {{< figure src=pic.png >}} {{< youtube a.b >}}'
    )
    files = {
        "hugo.toml": "",
        "content/a/index.md": text,
        "content/a/data.csv": "",
        "content/a/pic.png": "",
        "content/_common/note.md": '{{< readfile "static/x.txt" >}}',
        "static/x.txt": "",
    }
    assert taken(files, "content/a/index.md") == {
        "content/a/data.csv", "content/a/pic.png", "content/_common/note.md", "static/x.txt",
    }  # fmt: skip


def test_includes_of_jekyll_take_files_in() -> None:
    files = {
        "_config.yml": "title: x",
        "docs/a.md": "{% include note.html kind=x %}{% include_relative part.md %}{% include {{ page.x }} %}",
        "_includes/note.html": "{%- include deep/er.html -%}",
        "_includes/deep/er.html": "{% include note.html %}",
        "docs/part.md": "",
        "part.md": "",
    }
    assert taken(files, "docs/a.md") == {"_includes/note.html", "_includes/deep/er.html", "docs/part.md"}


def test_snippets_of_mkdocs_take_files_in() -> None:
    text = '--8<-- "snip/a.md:3:5"\n\n    --8<--\n    b.md\n    ; c.md\n    --8<--\n{% include-markdown "../d.md" %}\n'
    files = {"mkdocs.yml": "x: 1", "docs/x/p.md": text, "docs/snip/a.md": "", "b.md": "", "c.md": "", "docs/d.md": ""}
    assert taken(files, "docs/x/p.md") == {"docs/snip/a.md", "b.md", "docs/d.md"}


def test_directives_of_sphinx_take_files_and_modules_in() -> None:
    text = """
.. include:: ../CHANGES.md
.. literalinclude:: /code/x.py
   :language: python
```{include} part.txt
```
.. automodule:: pkg.mod
.. csv-table::
   :file: t.csv
"""
    files = {
        "docs/conf.py": "extensions = []",
        "docs/index.rst": "",
        "docs/a.rst": text,
        "CHANGES.md": "",
        "docs/code/x.py": "",
        "docs/part.txt": "",
        "docs/t.csv": "",
        "src/pkg/__init__.py": "",
        "src/pkg/mod.py": "",
    }
    assert taken(files, "docs/a.rst") == {
        "CHANGES.md",
        "docs/code/x.py",
        "docs/part.txt",
        "docs/t.csv",
        "src/pkg/mod.py",
    }


def test_imports_in_mdx_take_files_in() -> None:
    text = "import A from './A';\nimport {b} from '@site/src/b';\nimport c from 'react';\nimport D from '!!raw-loader!./d.txt';\n"
    files = {"docusaurus.config.js": "x", "docs/a.mdx": text, "docs/A.tsx": "", "src/b/index.js": "", "docs/d.txt": ""}
    assert taken(files, "docs/a.mdx") == {"docs/A.tsx", "src/b/index.js", "docs/d.txt"}


def test_includes_of_vitepress_take_files_in() -> None:
    files = {
        ".vitepress/config.js": "",
        "a/p.md": "<!-- @include: ./part.md{3,} -->\n<<< @/code/x.js#region\n",
        "a/part.md": "",
        "code/x.js": "",
    }
    assert taken(files, "a/p.md") == {"a/part.md", "code/x.js"}


@pytest.mark.parametrize("name", ["../../../etc/passwd", "../../hugo.toml", "https://x.org/a.md", "gone.md"])
def test_what_is_not_tracked_is_not_taken_in(name: str) -> None:
    files = {"hugo.toml": "", "content/a.md": f'{{{{< include "{name}" >}}}}'}
    assert taken(files, "content/a.md") == set()


def test_lists_in_front_matter_name_further_files() -> None:
    files = {
        "hugo.toml": "",
        "content/a.md": "---\ndepends: [data/x.yml, ./near.md, 'data/many/*.json', gone.md]\nother: b.md\n---\n",
        "content/near.md": "",
        "data/x.yml": "",
        "data/many/1.json": "",
        "data/many/2.json": "",
    }
    found = site(files, "/a/")
    assert set(Further(found.tree, found.generators, ["depends"]).of("content/a.md")) == {
        "data/x.yml", "content/near.md", "data/many/1.json", "data/many/2.json",
    }  # fmt: skip
    assert Further(found.tree, found.generators, []).of("content/a.md") == ()


def test_copies_are_found_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "cv.pdf").write_bytes(b"hello\n")
    (tmp_path / "new.pdf").write_bytes(b"other\n")
    (tmp_path / "empty.pdf").write_bytes(b"")
    hello, empty = "ce013625030ba8dba906f756967f9e9ca394464a", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    subjects = [Subject("", f"/{name}", Located("file", name), None) for name in ("cv.pdf", "new.pdf", "empty.pdf")]
    one = answers(subjects, tmp_path, {"assets/cv.pdf": hello, "e": empty, "f": empty})
    assert [outcome.content for outcome in one] == ["assets/cv.pdf", "", ""]
    two = answers(subjects[:1], tmp_path, {"assets/cv.pdf": hello, "old/resume.pdf": hello})
    assert two[0].content == "assets/cv.pdf"
    three = answers(subjects[:1], tmp_path, {"a/cv.pdf": hello, "b/cv.pdf": hello})
    assert three[0].reason == "ambiguous"
