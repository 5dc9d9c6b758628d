"""Every setting's bad values: each is one line with its place and a cure, and the JSON Schema refuses it too."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sitemap_guard import cli, config
from sitemap_guard.config.places import fault_of_host, fault_of_host_pattern
from sitemap_guard.model import UserError
from sitemap_guard.pages.hosting.profiles import NAMES
from sitemap_guard.rules.runner import check_names
from sitemap_guard.schema import schema

# Setting, line, and what is said of it. With `~` in front the schema cannot say it.
SOURCE = "[[source]]\nurl = '/{s}/'\n"
BAD = [
    ("site = ''", 1, "site: this text is empty; write what is meant, or leave it out"),
    ("site = '  '", 1, "site: this text is empty"),
    ("site = 3", 1, "site: this must be a text in quotes, not a whole number"),
    ('~site = "docs\\build"', 1, "site: 'docs\\x08uild' has a control character; a backslash begins one"),
    ('~cache = "a\\u0000b"', 1, "cache: 'a\\x00b' has a control character"),
    ("base-url = 'example.org'", 1, "base-url: 'example.org': not an absolute address; write it like https://"),
    ("base-url = 'https://a.example/?x=1'", 1, "base-url: 'https://a.example/?x=1': it must have no query"),
    ("~base-url = 'https://a b/'", 1, "base-url: 'https://a b/': not an absolute address"),
    ("sitemaps = []", 1, "sitemaps: this list is empty; write what belongs in it, or leave the line out"),
    ("sitemaps = ['']", 1, "sitemaps: this text is empty"),
    ("~sitemaps = ['https://a.example/sitemap.xml']", 1, "sitemaps: 'https://a.example/sitemap.xml' is an address"),
    ("fail-on = 'errors'", 1, "fail-on: 'errors' is none of the values; write error, warning, info or never"),
    ("fail-on = ''", 1, "fail-on: '' is none of the values"),
    ("baseline = ''", 1, "baseline: this text is empty"),
    ("cache = ''", 1, "cache: this text is empty"),
    ("require-verified = '101%'", 1, "require-verified: '101%' is no share of the dates; write one from 0% to 100%"),
    ("require-verified = '-5%'", 1, "require-verified: '-5%' is no share"),
    ("require-verified = 'nan'", 1, "require-verified: 'nan' is no share"),
    ("require-verified = '0.9'", 1, "require-verified: '0.9' is no share of the dates; write one"),
    ("require-verified = 90", 1, "require-verified: this must be a text in quotes, not a whole number"),
    ("also-fields = []", 1, "also-fields: this list is empty"),
    ("also-fields = [' x ']", 1, "also-fields: ' x ' has blanks around it; leave them out"),
    ("[dates]\ndate = 'commited'", 2, "dates.date: 'commited' is none of the values; write any, authored"),
    ("[dates]\nzone = ''", 2, "dates.zone: this text is empty"),
    ("~[dates]\nzone = 'Europe/Olso'", 2, "dates.zone: 'Europe/Olso' is no time zone; did you mean 'Europe/Oslo'?"),
    ("~[dates]\nzone = 'UTC+2'", 2, "dates.zone: 'UTC+2' is no time zone; "),
    ("~[dates]\nzone = 'Europe'", 2, "dates.zone: 'Europe' is no time zone; "),
    ("[dates]\ntolerance = '-1d'", 2, "dates.tolerance: '-1d' is no duration of up to a year; write a number with s, m"),
    ("~[dates]\ntolerance = '999d'", 2, "dates.tolerance: '999d' is no duration of up to a year"),
    ("[dates]\ntolerance = ''", 2, "dates.tolerance: this text is empty"),
    ("[dates]\ntolerance = 1", 2, "dates.tolerance: this must be a text in quotes, not a whole number"),
    ("[dates]\nfields = []", 2, "dates.fields: this list is empty; write what belongs in it, or leave the line out; date"),
    ("[dates]\nfields = ['lastmod', ' date']", 2, "dates.fields: ' date' has blanks around it"),
    ("[dates]\nfields = [\n  'a',\n  '',\n]", 2, "dates.fields: this text is empty"),
    ("[dates]\nstrict = 'yes'", 2, "dates.strict: this must be true or false, not a text in quotes"),
    ("[dates]\ncounting-keys = ['']", 2, "dates.counting-keys: this text is empty"),
    ("[dates]\ntrivial = []", 2, "dates.trivial: this list is empty"),
    ("~[dates]\ntrivial = ['(']", 2, "dates.trivial: '(' is no regular expression: "),
    ("~[dates]\ntrivial = ['.*']", 2, "dates.trivial: '.*' fits any text, so that no change would count; say less"),
    ("[dates]\nmin-change = -1", 2, "dates.min-change: this must be a whole number of 0 or more"),
    ("[[policy]]\npaths = ['a']", 1, "policy[0]: the key 'field' is missing; write authoritative or ignore or witness"),
    ("[[policy]]\nfield = 'ignore'", 1, "policy[0]: the key 'paths' is missing"),
    ("[[policy]]\npaths = []\nfield = 'ignore'", 2, "policy[0].paths: this list is empty"),
    ("~[[policy]]\npaths = ['a']\nfield = 'witness'", 3, "policy[0].field: 'witness' undoes an earlier [[policy]], and"),
    ("[[policy]]\npaths = ['/a/**']\nfield = 'ignore'", 2, "policy[0].paths: '/a/**' is not relative to the repository's"),
    ("[[policy]]\npaths = ['a/']\nfield = 'ignore'", 2, "policy[0].paths: 'a/' is a folder, and files are meant; write 'a/**'"),
    ("[[policy]]\npaths = ['a//b']\nfield = 'ignore'", 2, "policy[0].paths: 'a//b' has an empty part between slashes"),
    ("~[[policy]]\npaths = ['./a']\nfield = 'ignore'", 2, "policy[0].paths: './a' has an empty part between slashes or the"),
    ("~[[policy]]\npaths = ['{a,b}/*']\nfield = 'ignore'", 2, "policy[0].paths: '{a,b}/*': {a,b} is no choice between names"),
    ("[[policy]]\npaths = ['!a']\nfield = 'ignore'", 2, "policy[0].paths: '!a': a pattern with ! excludes nothing"),
    (SOURCE + "path = ''", 3, "source[0].path: this text is empty"),
    (SOURCE + "path = []", 3, "source[0].path: this list is empty"),
    (SOURCE + "path = '../{s}.md'", 3, "source[0].path: '../{s}.md' leads out of the repository's root; write it from there"),
    (SOURCE + "path = 'a/../../{s}.md'", 3, "source[0].path: 'a/../../{s}.md' leads out"),
    (SOURCE + "path = '/content/{s}.md'", 3, "source[0].path: '/content/{s}.md' is not relative to the repository's root; write 'content/{s}.md'"),
    (SOURCE + "path = 'C:\\content\\{s}.md'", 3, "source[0].path: 'C:\\\\content\\\\{s}.md' is not relative"),
    ("~" + SOURCE + "path = 'content\\{s}.md'", 3, "source[0].path: 'content\\\\{s}.md' has a backslash; write / between folders"),
    (SOURCE + "path = ['{s}.md', '~/x.md']", 3, "source[0].path: '~/x.md' is not relative"),
    (SOURCE + "path = '{s}.md'\nalso = ['data/']", 4, "source[0].also: 'data/' is a folder, and files are meant"),
    (SOURCE + "path = '{s}.md'\nalso = []", 4, "source[0].also: this list is empty"),
    ("[[source]]\nurl = ''\npath = 'a.md'", 2, "source[0].url: this text is empty"),
    ("[[source]]\nurl = '/a#b'\npath = 'a.md'", 2, "source[0].url: '/a#b': no page has a fragment"),
    ("[[source]]\nurl = '/a'", 1, "source[0]: the key 'path' is missing"),
    ("[source]\nurl = '/a'", 1, "source: this must be a list, not a table; write [[source]], with two brackets"),
    ("[[dates]]\nstrict = true", 1, "dates: this must be a table, not a list; write [dates], with one bracket"),
    (f"{SOURCE}path = 'a.md'\n{SOURCE}path = 'a.md'", 4, "source[1]: this [[source]] is there already; change it"),
    ("[[manifest]]\nroot = 'a'", 1, "manifest[0]: a [[manifest]] has either file or command; give one of the two"),
    ("[[manifest]]\nfile = 'a'\ncommand = ['b']", 1, "manifest[0]: a [[manifest]] has either file or command"),
    ("[[manifest]]\ncommand = []", 2, "manifest[0].command: this list is empty"),
    ("[[manifest]]\nfile = 'a'\nformat = ''", 3, "manifest[0].format: this text is empty"),
    ("[[manifest]]\nfile = 'a'\nformat = 'tsv'", 3, "manifest[0].format: 'tsv' is none of the values"),
    ("[[manifest]]\nfile = 'a'\nroot = '../x'", 3, "manifest[0].root: '../x' leads out of the repository's root"),
    ("[[manifest]]\nfile = 'a'\nroot = '/x'", 3, "manifest[0].root: '/x' is not relative to the repository's root"),
    ("[[root]]\nprefix = 'a'", 1, "root[0]: the key 'path' is missing"),
    ("[[root]]\npath = ''", 2, "root[0].path: this text is empty"),
    ("[[root]]\npath = 'a'\nprefix = '../b'", 3, "root[0].prefix: '../b' leads out of the repository's root"),
    ("[[root]]\npath = 'a'\n[[root]]\npath = 'a'", 3, "root[1]: this [[root]] is there already"),
    ("[hosting]\nprofile = 'github'", 2, "hosting.profile: 'github' is none of the values; write github-pages, netlify"),
    ("[hosting]\nprofile = ''", 2, "hosting.profile: this text is empty"),
    ("[addresses]\nhosts = []", 2, "addresses.hosts: this list is empty"),
    ("[addresses]\nhosts = ['https://x.org']", 2, "addresses.hosts: 'https://x.org' is more than a host; write 'x.org'"),
    ("[addresses]\nhosts = ['x.org/docs']", 2, "addresses.hosts: 'x.org/docs' is more than a host; write 'x.org'"),
    ("[addresses]\nhosts = ['x.org:8080']", 2, "addresses.hosts: 'x.org:8080' has a port, and hosts are compared without"),
    ("[addresses]\nhosts = ['x.org:443']", 2, "addresses.hosts: 'x.org:443' has a port"),
    ("[addresses]\nhosts = ['*.x.org']", 2, "addresses.hosts: '*.x.org': hosts are whole names; name each of them"),
    ("~[addresses]\nhosts = ['x..\\org']", 2, "addresses.hosts: 'x..\\\\org' is more than a host"),
    ("~[addresses]\nhosts = ['x%org']", 2, "addresses.hosts: 'x%org' is no host; write a name such as www.example.org"),
    ("[addresses]\nstaging = ['https://*.dev.x.org/']", 2, "addresses.staging: 'https://*.dev.x.org/' is more than a host; write '*.dev.x.org'"),
    ("[addresses]\nstaging = ['dev.x.org:80']", 2, "addresses.staging: 'dev.x.org:80' is more than a host; write 'dev.x.org'"),
    ("[addresses]\nstaging = ['*.bücher.example']", 2, "addresses.staging: '*.bücher.example': hosts are compared in the form"),
    ("[pages]\nunlisted = ['/demos/**']", 2, "pages.unlisted: '/demos/**' is not relative to the built site's folder; write 'demos/**'"),
    ("[pages]\nunlisted = ['demos/']", 2, "pages.unlisted: 'demos/' is a folder, and files are meant; write 'demos/**'"),
    ("[pages]\nunlisted = ['../demos/*']", 2, "pages.unlisted: '../demos/*' leads out of the built site's folder"),
    ("[pages]\nunlisted = []", 2, "pages.unlisted: this list is empty"),
    ("[pages]\ndirectory = 'map/'", 2, "pages.directory: 'map/' is a folder, and files are meant; write 'map/index.html'"),
    ("[pages]\ndirectory = '*.html'", 2, "pages.directory: '*.html' is one file, and no pattern; write its name"),
    ("[pages]\ndirectory = '/map.html'", 2, "pages.directory: '/map.html' is not relative to the built site's folder"),
    ("[[ignore]]\nrule = 'page'", 1, "ignore[0]: the key 'reason' is missing"),
    ("[[ignore]]\nrule = 'page'\nreason = ' '", 3, "ignore[0].reason: this text is empty"),
    ("[[ignore]]\nreason = 'why'", 1, "ignore[0]: an [[ignore]] needs a rule, a path or a url; name what is accepted"),
    ("[[ignore]]\nreason = 'why'\nrule = 'page-noidnex'", 3, "ignore[0].rule: there is no rule or family 'page-noidnex'; did you"),
    ("[[ignore]]\nreason = 'why'\npath = '/x'", 3, "ignore[0].path: '/x' is not relative to the repository's root"),
    ("[[ignore]]\nreason = 'why'\nurl = 'drafts/**'", 3, "ignore[0].url: 'drafts/**' fits no address, since a path begins with"),
    ("~[[ignore]]\nreason = 'why'\nurl = '/{a,b}/'", 3, "ignore[0].url: '/{a,b}/': {a,b} is no choice"),
    ("[indexnow]\nendpoint = 'www.bing.com'", 2, "indexnow.endpoint: 'www.bing.com' is no web address; write one such as"),
    ("~[indexnow]\nendpoint = 'http://www.bing.com/'", 2, "indexnow.endpoint: 'http://www.bing.com/' would send the key"),
    ("[indexnow]\nkey-location = '/k.txt'", 2, "indexnow.key-location: '/k.txt' is no web address; write the whole"),
    ("[indexnow]\nstate = ''", 2, "indexnow.state: this text is empty"),
    ("[rules]\nlastmod-to-new = 'off'", 2, "rules.lastmod-to-new: there is no rule or family 'lastmod-to-new'; did you mean"),
    ("[rules]\nlastmod = 'none'", 2, "rules.lastmod: 'none' is no level; write off, info, warning or error"),
    ("sit = 'x'", 1, "sit: unknown key; did you mean 'site'?"),
]  # fmt: skip


def looked_at(text: str, path: Path) -> None:
    """As `check` looks at the settings: the file, then the rules that it names."""
    path.write_text(text, "utf-8")
    settings = config.load(path, path.parent)
    with settings.placing():
        check_names(settings.config)


@pytest.mark.parametrize(("given", "line", "words"), BAD, ids=lambda value: str(value).replace("\n", " ")[:60])
def test_a_value_without_effect_is_told_with_its_place(given: str, line: int, words: str, tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    text = given.removeprefix("~")
    with pytest.raises(UserError) as told:
        looked_at(text, file)
    said = str(told.value)
    assert said.startswith(f"{file}:{line}: {words}")
    assert "\n" not in said
    refused = list(jsonschema.Draft202012Validator(schema()).iter_errors(tomllib.loads(text)))
    assert bool(refused) is not given.startswith("~")


def test_the_same_value_is_told_alike_in_pyproject(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    with pytest.raises(UserError) as told:
        looked_at("[tool.x]\n\n[tool.sitemap-guard.addresses]\n# ours\nhosts = ['https://x.org']\n", file)
    assert str(told.value).startswith(f"{file}:5: tool.sitemap-guard.addresses.hosts: 'https://x.org' is more than")


GOOD = """
site = "../out put"
base-url = " https://a.example "
sitemaps = ["./map.xml", "deep/map.xml"]
require-verified = "90%"
also-fields = ["depends_on"]
cache = "../cache"
[dates]
zone = "America/Argentina/Buenos_Aires"
tolerance = "0"
fields = ["last mod"]
ignore-revs = ""
counting-keys = []
trivial = ['\\s+$', '(c) .*']
[[source]]
url = "blog/{s}"
path = ["./content/{s}.md", "[[x]]/{s}.md", "a/**/b?*.md"]
[[source]]
url = "https://a.example/{s*}/?p={n}"
path = 'a\\*b.md'
also = ["..data/*", "x~", "!x"]
[[policy]]
paths = ["**"]
field = "ignore"
[[policy]]
paths = ["content/[slug].md", "{one}"]
field = "witness"
[[manifest]]
file = "../pages.csv"
root = "site/"
[[root]]
path = ".."
prefix = "themes/x/"
[addresses]
hosts = ["WWW.A.example", "bücher.example", "localhost", "[::1]", "10.0.0.1", "a_b.example"]
staging = ["*.dev.a.example", "stage-??.a.example"]
[pages]
unlisted = ["demos/**", "*.html"]
directory = "sitemap/index.html"
[[ignore]]
reason = "it\\tis"
path = "../out/**"
[[ignore]]
reason = "why"
url = "**/x?y"
[indexnow]
endpoint = "http://127.0.0.1:8080"
"""


def test_values_that_have_an_effect_are_taken_by_both(tmp_path: Path) -> None:
    text = GOOD.replace('"!x"', '"x!"')
    looked_at(text, tmp_path / "c.toml")
    jsonschema.validate(tomllib.loads(text), schema())


def test_settings_made_in_python_are_looked_at_as_closely() -> None:
    bad: list[tuple[Any, str]] = [
        (
            config.Config(addresses=config.Addresses(hosts=("https://x.org",))),
            "addresses.hosts: 'https://x.org' is more",
        ),
        (config.Config(dates=config.Dates(fields=())), "dates.fields: this list is empty"),
        (config.Config(site=Path("x")), "Config: "),  # type: ignore[arg-type]
        (config.Config(fail_on="x"), "fail-on: 'x' is none of the values"),  # type: ignore[arg-type]
        (config.Config(source=(config.SourceRule("/", "../x"),)), "source[0].path: '../x' leads out"),
        (config.Config(sitemaps="x"), "sitemaps: this must be a list"),  # type: ignore[arg-type]
    ]
    for made, words in bad:
        with pytest.raises(UserError) as told:
            config.checked(made)
        assert str(told.value).startswith(words)
    assert config.checked(config.Config()) == config.Config()


def test_the_hosts_that_can_be_named_are_those_that_there_are() -> None:
    with pytest.raises(UserError) as told:
        config.parse("[hosting]\nprofile = 'x'", Path("c.toml"))
    assert re.findall(r"[a-z0-9-]+", str(told.value).partition("write ")[2].replace(" or ", " ")) == list(NAMES)


@pytest.mark.parametrize("text", ["a:b", "::1", "", "a b", "x.org?", "user@x.org", "http://", "//x", "a\\b"])
def test_no_odd_host_passes_as_one(text: str) -> None:
    assert fault_of_host(text)
    wild = "?" in text
    assert bool(fault_of_host_pattern(text)) is (bool(text) and not wild)


def test_every_command_tells_it_and_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sitemap-guard.toml").write_text("\n[addresses]\nhosts = ['https://x.org']\n")
    monkeypatch.chdir(tmp_path)
    for command in ("check", "map", "fix", "report", "init", "dates", "why /", "changed --since x"):
        assert cli.main(command.split()) == 2
        assert capsys.readouterr().err.startswith("sitemap-guard: sitemap-guard.toml:3: addresses.hosts: ")
