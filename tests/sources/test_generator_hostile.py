"""Configurations and front matter of any kind lead to an answer, never to a trace."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import sources

VALUES = [
    "1",
    "true",
    "[]",
    "{}",
    "[[1], {a: b}]",
    "'::::'",
    "'{{ {% %} }}'",
    "':a:b:c:d:e:f:g:h'",
    "null",
    "'\\0/../../..'",
    "2024-99-99",
    "2024-13-01",
    "2024-00-00",
]
CONFIGS = {
    "_config.yml": "skip_render: {0}\npermalink: {0}\nnew_post_name: {0}\ncategory_map: {0}\nsource_dir: source\ntimezone: {0}\n",
    "_config.toml": 'permalink = "/:short_month/:y_day/{0}"\n',
    "config.toml": "base_url = 1\nslugify = [1]\nlanguages = 3\ntaxonomies = {{a = 1}}\nignored_content = [1, '{0}']\n",
    "pelicanconf.py": "SITENAME = 1\nARTICLE_PATHS = 3\nPAGE_PATHS = {0!r}\nARTICLE_URL = {0!r}\nDEFAULT_LANG = []\nFILENAME_METADATA = {{}}\n",
    "conf.py": "POSTS = [1, (1, 2), ('posts/*', {{1: 2}}), ('a[*/x', '')]\nPAGES = True\nTRANSLATIONS = {{'fr': 1}}\nTRANSLATIONS_PATTERN = '{{path}}}}{{{0}'\n",
    ".eleventy.js": "module.exports = {{ dir: {{ input: {0} }} }}",
    "astro.config.mjs": "starlight({{ locales: {{ {0}: {{ ",
    "next.config.js": "pageExtensions: [{0}, '[', '\\\\']",
    "gatsby-config.js": "{{ resolve: 'gatsby-source-filesystem', options: {{ path: {0}",
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("config", CONFIGS)
def test_odd_settings_raise_nothing(config: str, value: str) -> None:
    files = {config: CONFIGS[config].format(value)}
    for name in (
        "source/_posts/a.md",
        "content/a.md",
        "posts/a.md",
        "a.md",
        "src/pages/[a]-[b]-[c]-[d]-[e].astro",
        "app/[a]/[[...b]]/page.tsx",
        "src/content/x/a.md",
    ):
        files[name] = (
            f"---\npermalink: {value}\ndate: {value}\nslug: {value}\ncategories: {value}\npagination: {value}\ntitle: {value}\n---\n"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sources(files, "/", "/a/", "/x/a/b", "/a-b-c-d-e/", prefix="public")


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200), st.sampled_from(sorted(CONFIGS)))
def test_any_text_raises_nothing(text: str, config: str) -> None:
    files = {
        config: CONFIGS[config].partition("\n")[0].replace("{0}", "a") + "\n" + text,
        "content/a.md": text,
        "source/a.md": text,
        "source/_posts/b.md": text,
    }
    files |= {
        "src/pages/[x].astro": text,
        "src/content.config.ts": text,
        "app/[x]/page.tsx": text,
        "a.11tydata.js": "permalink" + text,
        "a.md": text,
    }
    sources(files, "/a/", "/b.html", prefix="public")


def test_patterns_that_could_take_for_ever_are_left_out() -> None:
    slots = "".join(f"{{{{ x{n} }}}}-" for n in range(40))
    long = "/" + "-" * 400 + "/"
    files = {".eleventy.js": "", "a.njk": f"---\npagination: {{data: x, size: 1}}\npermalink: '/p/{slots}/'\n---\n"}
    assert sources(files, long, prefix="_site") == {long: "(no-source)"}
    names = "-".join(f":n{n}" for n in range(40))
    hexo = {
        "_config.yml": f"skip_render: x\nnew_post_name: {names}.md\n",
        f"source/_posts/{'-' * 200}.md": "---\ndate: 2024-05-06\n---\n",
    }
    assert sources(hexo, long) == {long: "(no-source)"}
