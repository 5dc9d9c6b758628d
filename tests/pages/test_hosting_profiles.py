"""How hosts answer for the forms of an address, and which host it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_guard import urls
from sitemap_guard.model import Answered, Hosting, Located, UserError
from sitemap_guard.pages.hosting.detect import Found, detect
from sitemap_guard.pages.hosting.host import Host
from sitemap_guard.pages.hosting.profiles import PROFILES, serve

BASE = "https://a.example/"
FILES = {"index.html", "file.html", "folder/index.html", "both.html", "both/index.html", "data.json", "plain"}
FORMS = [
    "file", "file/", "file.html", "folder", "folder/", "folder/index.html", "both", "both/", "both.html", "both/index.html",
]  # fmt: skip


def host(*profiles: str, files: dict[str, str] | None = None, base: str = BASE, sure: bool = True) -> Host:
    texts = {name: (text, name) for name, text in (files or {}).items()}
    return Host(Found(Hosting(profiles, "a test"), texts, sure), urls.parse(base), FILES.__contains__)


def answer(asked: Host, path: str, base: str = BASE) -> Answered:
    address = urls.parse(base + path)
    assert address is not None
    found = asked.answer(address, Located("html"))
    assert found is not None
    return found


# What the Trailing Slash Guide measured on GitHub Pages and Cloudflare Pages, once more and by hand.
@pytest.mark.parametrize(
    ("profile", "row"),
    [
        ("github-pages", "200 404 200 folder/ 200 200 200 200 200 200"),
        ("cloudflare-pages", "200 file file folder/ 200 folder/ 200 200 both both/"),
        ("vercel", "404 404 200 200 200 200 200 200 200 200"),
        ("vercel-clean-slash", "file/ 200 file/ folder/ 200 folder/ both/ 200 both/ both/"),
        ("nginx", "404 404 200 folder/ 200 200 both/ 200 200 200"),
    ],
)
def test_each_form_gets_its_documented_answer(profile: str, row: str) -> None:
    found = []
    for form in FORMS:
        status, target, _ = serve(profile, form, FILES.__contains__)
        found.append(target or str(status))
    assert found == row.split()


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_what_is_named_in_full_or_is_nowhere_is_the_same_on_all_hosts(profile: str) -> None:
    for path in ("data.json", "plain", ""):
        assert serve(profile, path, FILES.__contains__)[0] == 200, path
    for path in ("none", "none/", "none.html", "none/index.html", "folder//", "folder.html", "file/index.html"):
        assert serve(profile, path, FILES.__contains__)[0] == 404, path


def test_the_location_is_absolute_and_keeps_base_path_query_and_escapes() -> None:
    base = "https://o.github.io/project/"
    files = {"é/index.html"}
    asked = Host(Found(Hosting(("github-pages",)), {}), urls.parse(base), files.__contains__)
    address = urls.parse(base + "%C3%A9?a=1")
    assert address is not None
    found = asked.answer(address, Located("html"))
    assert found is not None
    assert (found.status, found.location) == (301, base + "%C3%A9/?a=1")


def test_what_a_hidden_setting_can_change_is_not_sure() -> None:
    assert not answer(host("netlify"), "folder").sure
    assert answer(host("netlify"), "folder").location == BASE + "folder/"
    toml = "[build.processing.html]\npretty_urls = false\n"
    assert answer(host("netlify", files={"netlify.toml": toml}), "folder").status == 200
    assert answer(host("github-pages"), "folder").sure
    assert not answer(host("github-pages", sure=False), "folder").sure


def test_several_hosts_answer_only_where_they_agree() -> None:
    both = host("netlify", "cloudflare-pages")
    assert answer(both, "folder").location == BASE + "folder/"
    assert not answer(both, "folder").sure
    assert answer(both, "file.html").status == 0
    assert answer(both, "none").status == 404
    assert "netlify and cloudflare-pages" in answer(both, "folder").host


def test_addresses_elsewhere_have_no_answer() -> None:
    other = urls.parse("https://b.example/x")
    assert other is not None
    assert host("plain").answer(other, Located("elsewhere")) is None
    assert host().answer(other, Located("html")) is None


# ------------------------------------------------------------------------------------------------------ detection


@pytest.mark.parametrize(
    ("base", "files", "profiles"),
    [
        ("https://o.github.io/p/", {}, ("github-pages",)),
        ("https://x.netlify.app/", {}, ("netlify",)),
        ("http://b.s3-website-us-east-1.amazonaws.com/", {}, ("s3",)),
        (BASE, {}, ()),
        (BASE, {"public/CNAME": "a.example\n"}, ("github-pages",)),
        (BASE, {"public/CNAME": "other.example\n"}, ()),
        (BASE, {"public/.nojekyll": ""}, ("github-pages",)),
        (BASE, {"public/_redirects": ""}, ("netlify", "cloudflare-pages")),
        (BASE, {"public/_redirects": "", "netlify.toml": ""}, ("netlify",)),
        (BASE, {"public/_routes.json": "{}"}, ("cloudflare-pages",)),
        (BASE, {"wrangler.toml": 'pages_build_output_dir = "public"'}, ("cloudflare-pages",)),
        (BASE, {"wrangler.toml": 'main = "worker.js"'}, ()),
        (BASE, {"vercel.json": "{}"}, ("vercel",)),
        (BASE, {"public/staticwebapp.config.json": "{}"}, ("azure",)),
        (BASE, {"public/.htaccess": ""}, ("apache",)),
        (BASE, {".gitlab-ci.yml": "pages:\n  script: make\n"}, ("gitlab-pages",)),
        (BASE, {".gitlab-ci.yml": "test:\n  script: make pages\n"}, ()),
        (BASE, {".github/workflows/d.yml": "      - uses: actions/deploy-pages@v4\n"}, ("github-pages",)),
        (BASE, {".github/workflows/d.yml": "      - uses: actions/checkout@v4\n"}, ()),
    ],
)
def test_detection(tmp_path: Path, base: str, files: dict[str, str], profiles: tuple[str, ...]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "public").mkdir()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = detect(tmp_path / "public", base, "", tmp_path)
    assert found.hosting.profiles == profiles
    assert bool(found.hosting.by) == bool(profiles)


def test_the_configuration_wins_and_a_wrong_name_is_told(tmp_path: Path) -> None:
    (tmp_path / "netlify.toml").write_text("")
    assert detect(tmp_path, BASE, "plain", tmp_path).hosting.profiles == ("plain",)
    with pytest.raises(UserError, match="no host 'neocities'"):
        detect(tmp_path, BASE, "neocities", tmp_path)


def test_files_are_shown_from_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "web" / "public").mkdir(parents=True)
    (tmp_path / "web" / "public" / "_redirects").write_text("/a /b\n")
    (tmp_path / "web" / "netlify.toml").write_text("")
    found = detect(tmp_path / "web" / "public", BASE, "", tmp_path)
    assert found.files["_redirects"][1] == "web/public/_redirects"
    assert found.files["netlify.toml"][1] == "web/netlify.toml"


def test_a_link_out_of_the_site_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("/a /b\n")
    site = tmp_path / "site"
    site.mkdir()
    (site / "_redirects").symlink_to(tmp_path / "secret")
    assert detect(site, BASE, "", tmp_path).files == {}


def test_what_may_not_be_the_host_is_not_sure(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / ".htaccess").write_text("")
    assert detect(tmp_path / "public", BASE, "", tmp_path).sure is False
    assert detect(tmp_path / "public", BASE, "apache", tmp_path).sure is True
    assert answer(host("cloudflare-pages", files={"_worker.js": "x"}), "folder").sure is False


_NAMES = st.lists(st.sampled_from(["a", "b", "index", "a.b"]), min_size=1, max_size=3).map("/".join)
_FILES = st.frozensets(
    st.one_of(_NAMES.map(lambda n: f"{n}.html"), _NAMES.map(lambda n: f"{n}/index.html"), _NAMES), max_size=6
)


@settings(max_examples=300, deadline=None)
@given(_FILES, _NAMES, st.sampled_from(["", "/", ".html", "/index.html"]), st.sampled_from(sorted(PROFILES)))
def test_a_redirect_leads_to_a_page_that_is_served(files: frozenset[str], name: str, end: str, profile: str) -> None:
    path = name + end
    status, target, file = serve(profile, path, files.__contains__)
    if 300 <= status < 400:
        there = "" if target == "/" else target
        assert there != path
        status, target, file = serve(profile, there, files.__contains__)
        assert (status, target) == (200, "")
    assert status in (200, 404)
    assert (status == 200) == (file in files)
