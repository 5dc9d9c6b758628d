"""The line of a key in a TOML file."""

from __future__ import annotations

import pytest

from sitemap_guard.config.lines import line_of

TEXT = """site = 'x' # [dates]
dates.zone = "UTC"
  trivial = [
  "[rules]", # ]]]
  'zone = 3',
]
long = '''
[dates]
strict = true
'''
[ "dates" ]
'strict' = true
"ignore-revs" = "a"

[[source]]
url = "/a"
[[source]]   # the second
path = [{ url = 1 }]
url = "/b"
also = ["a",
 "b"]

[rules]
"loc-host" = "off"
page.x = 1
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("site",), 1),
        (("dates", "zone"), 2),
        (("trivial",), 3),
        (("rules",), 23),
        (("long",), 7),
        (("dates",), 2),
        (("dates", "strict"), 12),
        (("dates", "ignore-revs"), 13),
        (("source", 0), 15),
        (("source", 0, "url"), 16),
        (("source", 0, "path"), 15),
        (("source", 1), 17),
        (("source", 1, "path"), 18),
        (("source", 1, "url"), 19),
        (("source", 1, "also"), 20),
        (("rules", "loc-host"), 24),
        (("rules", "page", "x"), 25),
        (("nowhere", "at", "all"), 1),
        ((), 1),
    ],
)
def test_the_line_of_a_key(key: tuple[str | int, ...], line: int) -> None:
    assert line_of(TEXT, key) == line


def test_lists_in_one_line_have_the_line_of_the_list() -> None:
    assert line_of("a = 1\nsource = [{url = '/'}, {url = 3}]\n", ("source", 1, "url")) == 2
    assert line_of("[[tool.x.source]]\n[tool.x.source.y]\nz = 1\n[[tool.x.source]]\n[tool.x.source.y]\nz = 2", ("tool", "x", "source", 1, "y", "z")) == 6  # fmt: skip
