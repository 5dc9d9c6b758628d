"""Which hosts a site may be on: by the configuration, its address, and the files that hosts want."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from sitemap_guard.model import SettingError
from sitemap_guard.model.hosting import Hosting
from sitemap_guard.pages.hosting.profiles import NAMES

_SIZE_LIMIT = 2 * 1024 * 1024
# The hosts' own addresses: a site there is on that host.
_DOMAINS = {
    ".github.io": "github-pages", ".netlify.app": "netlify", ".pages.dev": "cloudflare-pages",
    ".vercel.app": "vercel", ".now.sh": "vercel", ".gitlab.io": "gitlab-pages", ".azurestaticapps.net": "azure",
}  # fmt: skip
_S3 = re.compile(r"\.s3-website[.-][a-z0-9-]+\.amazonaws\.com$")
# Files that only one host wants: in the built site, and in the repository.
_IN_SITE = {
    "netlify.toml": "netlify", "_routes.json": "cloudflare-pages", "_worker.js": "cloudflare-pages",
    "vercel.json": "vercel", "staticwebapp.config.json": "azure", ".htaccess": "apache",
}  # fmt: skip
_IN_REPOSITORY = {
    "netlify.toml": "netlify", "vercel.json": "vercel", "wrangler.toml": "cloudflare-pages",
    "wrangler.jsonc": "cloudflare-pages", "wrangler.json": "cloudflare-pages", "staticwebapp.config.json": "azure",
}  # fmt: skip
_GITLAB_JOB = re.compile(r"^pages:\s*(?:#.*)?$|^\s+pages:\s*(?:true|\{|#|$)", re.MULTILINE)
_GITHUB_STEP = re.compile(r"uses:\s*[\"']?(?:actions/deploy-pages|peaceiris/actions-gh-pages|JamesIves/github-pages)")
_PAGES_PROJECT = re.compile(r"pages_build_output_dir|\[assets\]|\"assets\"|\[site\]")


class Found(Struct, frozen=True):
    """The hosting, the text and place of each file of rules by its name, and whether the hosts are certain."""

    hosting: Hosting
    files: dict[str, tuple[str, str]]
    sure: bool = True


def detect(folder: Path, base_url: str, configured: str, start: Path) -> Found:
    """Where the site of `folder` is hosted, and the hosts' files there and in its repository.

    `configured` is the profile that the user named ("" for none), `start` the folder that paths are shown from when
    the site is in no repository.

    Raises:
        UserError: there is no such profile.
    """
    if configured and configured not in NAMES:
        raise SettingError(("hosting", "profile"), f"there is no host {configured!r}; there are: {', '.join(NAMES)}")
    above = _above(folder)
    root = above[-1] if above and os.path.exists(above[-1] / ".git") else start
    files = dict(_files(folder, above, root))
    if configured:
        return Found(Hosting((configured,), "the configuration"), files)
    host = base_url.partition("://")[2].partition("/")[0].partition(":")[0]
    for domain, profile in _DOMAINS.items():
        if host.endswith(domain):
            return Found(Hosting((profile,), f"the address {host}"), files)
    if _S3.search(host):
        return Found(Hosting(("s3",), f"the address {host}"), files)
    signs = dict(_signs(folder, above, host, files))
    if signs:
        # A .htaccess is copied along by themes and lies on hosts that never read it.
        sure = tuple(signs) != ("apache",)
        return Found(Hosting(tuple(signs), ", ".join(dict.fromkeys(signs.values()))), files, sure)
    shared = [name for name in ("_redirects", "_headers") if name in files]
    if shared:
        return Found(Hosting(("netlify", "cloudflare-pages"), " and ".join(shared)), files)
    if os.path.isfile(folder / ".nojekyll"):
        return Found(Hosting(("github-pages",), ".nojekyll"), files, sure=False)
    return Found(Hosting(), files)


def _above(folder: Path) -> Sequence[Path]:
    """The folders from the site's own up to the repository's root; none when there is no repository."""
    found = []
    real = folder.resolve()
    for candidate in (real, *real.parents):
        found.append(candidate)
        if os.path.exists(candidate / ".git"):
            return found
    return [real]


def _files(folder: Path, above: Sequence[Path], root: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """The files that may hold rules: name, text and shown path. The nearest of a name counts."""
    seen = set()
    places = [(folder, ("_redirects", "_headers", ".htaccess", *_IN_SITE))]
    places += [(place, tuple(_IN_REPOSITORY)) for place in above]
    for place, names in places:
        for name in names:
            text = read(place / name, place) if name not in seen else None
            if text is not None:
                seen.add(name)
                yield name, (text, _shown(place / name, root))


def read(file: Path, inside: Path) -> str | None:
    """The text of a file; None when it is not a regular one inside the folder, cannot be read or is too large."""
    real = os.path.realpath(file)
    try:
        if not real.startswith(os.path.join(os.path.realpath(inside), "")) or not os.path.isfile(real):
            return None
        if os.path.getsize(real) > _SIZE_LIMIT:
            return None
        with open(real, "rb") as stream:
            return stream.read(_SIZE_LIMIT).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


def _shown(file: Path, root: Path) -> str:
    return Path(os.path.relpath(file.resolve(), root.resolve())).as_posix()


def _signs(
    folder: Path, above: Sequence[Path], host: str, files: dict[str, tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """The hosts that something speaks for, and what."""
    for name, profile in (_IN_SITE | _IN_REPOSITORY).items():
        if name not in files and not (name in _IN_SITE and os.path.isfile(folder / name)):
            continue
        # A worker that serves no files has a wrangler file as well.
        if name.startswith("wrangler") and not _PAGES_PROJECT.search(files[name][0]):
            continue
        yield profile, name
    cname = read(folder / "CNAME", folder)
    if cname is not None and host and host in cname.lower().split():
        yield "github-pages", "CNAME"
    root = above[-1]
    job = read(root / ".gitlab-ci.yml", root)
    if job is not None and _GITLAB_JOB.search(job):
        yield "gitlab-pages", ".gitlab-ci.yml"
    try:
        flows = sorted(entry.name for entry in os.scandir(root / ".github" / "workflows"))[:50]
    except OSError:
        flows = []
    for flow in flows:
        text = read(root / ".github" / "workflows" / flow, root) if flow.endswith((".yml", ".yaml")) else None
        if text is not None and _GITHUB_STEP.search(text):
            yield "github-pages", f".github/workflows/{flow}"


def other_html_handling(files: dict[str, tuple[str, str]]) -> bool:
    """Whether a wrangler file sets `html_handling` to something else than the usual way."""
    for name, (text, _) in files.items():
        if name.startswith("wrangler"):
            found = re.search(r"html_handling[\"']?\s*[=:]\s*[\"']([\w-]+)", text)
            if found and found[1] != "auto-trailing-slash":
                return True
    return False
