"""Settings about the host, addresses, pages and accepted findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_guard import config
from sitemap_guard.model import UserError

FILE = Path("sitemap-guard.toml")


def test_all_of_them() -> None:
    text = """
[hosting]
profile = "s3"
[addresses]
hosts = ["www.a.example"]
staging = ["*.dev.a.example"]
[pages]
unlisted = ["demos/**"]
directory = "map.html"
[[ignore]]
rule = "page-noindex"
url = "/drafts/**"
reason = "for reviewers"
"""
    found = config.parse(text, FILE)
    assert found.hosting.profile == "s3"
    assert (found.addresses.hosts, found.addresses.staging) == (("www.a.example",), ("*.dev.a.example",))
    assert (found.pages.unlisted, found.pages.directory) == (("demos/**",), "map.html")
    assert found.ignore == (config.Ignore("for reviewers", "page-noindex", "", "/drafts/**"),)
    assert config.Config().ignore == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[hosting]\nprofil = "s3"\n', "did you mean 'profile'"),
        ('[addresses]\nhost = ["a"]\n', "did you mean 'hosts'"),
        ('[pages]\nunlist = ["a"]\n', "did you mean 'unlisted'"),
        ('[[ignore]]\nrule = "page-noindex"\n', "reason"),
        ('[[ignore]]\nreason = "why"\n', "needs a rule, a path or a url"),
        ('[[ignore]]\nrule = "page"\nreason = " "\n', "reason: this text is empty"),
        ('[[ignore]]\nrules = "page"\nreason = "a"\n', "did you mean 'rule'"),
    ],
)
def test_what_makes_no_sense_is_an_error(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        config.parse(text, FILE)
