"""`sitemap-guard init`: a first configuration, with what was detected and what it brings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands.groups import FOLDER

if TYPE_CHECKING:
    from sitemap_guard.mapping import Mapped
    from sitemap_guard.sources.suggest import Proposal

# What to set in the generator itself so that its dates are true; docs/generators.md says more.
_HINTS = {
    "hugo": "enableGitInfo = true (and [frontmatter] lastmod = ['lastmod', ':git'] to let authors decide)",
    "jekyll": "the plugin jekyll-last-modified-at, which jekyll-sitemap uses",
    "mkdocs": "mkdocs-git-revision-date-localized with a sitemap.xml of its own: see docs/generators.md",
    "sphinx": "sphinx-last-updated-by-git beside sphinx-sitemap",
    "docusaurus": "sitemap: {lastmod: 'datetime'} in the classic preset",
    "vitepress": "lastUpdated: true and sitemap: {hostname: …}",
}
_MANIFESTS = {
    "hugo": '# [[manifest]]                      # exact, where the rules below the page do not do\n'
    '# command = ["hugo", "list", "all"]\n',
    "eleventy": '# [[manifest]]\n# command = ["npx", "@11ty/eleventy", "--to=json"]\n',
}  # fmt: skip


@click.command(short_help="Write a first configuration.")
@click.argument("site", required=False, default="", metavar="[SITE]", type=FOLDER)
@click.option("--base-url", default="", metavar="URL", help="The site's address, with its base path.")
@click.option("--debug", is_flag=True, help="Show the trace of an internal error.")
def init(**given: Any) -> int:
    """Detect how the site is built and write a commented sitemap-guard.toml; show how many pages have a source.

    An existing configuration is never overwritten.
    """
    from msgspec.structs import replace

    from sitemap_guard import config as settings
    from sitemap_guard import guard
    from sitemap_guard.mapping import map_pages
    from sitemap_guard.model import UserError
    from sitemap_guard.reports.safe import neutralise, visible

    start = Path.cwd()
    file = start / settings.FILE_NAME
    existing = settings.load(None, start)
    if existing.file is not None or os.path.lexists(file):
        there = existing.shown or file.name
        raise UserError(f"{there}: there is a configuration already; edit it, or move it away first")
    options = guard.Options(start=start, site=given["site"], base_url=given["base_url"])
    before = map_pages(options, settings.Config())
    if not before.entries:
        from sitemap_guard.commands.reporting import nothing

        return nothing("written, since nothing was found", before.sitemaps, before.folder)
    if not given["site"] and not before.folder.is_relative_to(start) and before.repository.root:
        # The site was found from the root of the repository, and so will be the settings.
        home = Path(before.repository.root)
        options, file = replace(options, home=home), home / settings.FILE_NAME
    text = _configuration(before, given["base_url"], file.parent)
    after = map_pages(options, settings.parse(text, file))
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise UserError(f"{file}: it cannot be written: {error.strerror or error}") from None
    for name, place, _ in before.found:
        click.echo(neutralise(visible(f"found {name} in {place or 'the root'}")))
    for line in (f"before: {_coverage(before)}", f"after:  {_coverage(after)}", f"wrote {os.path.relpath(file)}"):
        click.echo(neutralise(visible(line)))
    click.echo("next: sitemap-guard check; sitemap-guard map shows the source of each page")
    return 0


def _coverage(mapped: Mapped) -> str:
    total = len(mapped.entries)
    sourced = sum(1 for entry in mapped.entries if entry.mapping.content)
    lists = sum(1 for entry in mapped.entries if not entry.mapping.content and entry.mapping.kind == "list")
    return f"{sourced:,} of {total:,} pages have a source, {lists:,} more are lists without a file"


def _configuration(mapped: Mapped, base_url: str, start: Path) -> str:
    site = Path(os.path.relpath(mapped.folder, start)).as_posix()
    names = list(dict.fromkeys(name for name, _, _ in mapped.found))
    lines = [
        "# sitemap-guard: see docs/configuration.md. Every line can be left out. What is commented out",
        "# is the default; tables that are ([[source]], [[manifest]]) are examples.",
        "",
        f"site = {_quoted(site)}",
        f"base-url = {_quoted(base_url or mapped.base_url)}"
        if base_url or mapped.base_url
        else '# base-url = "https://example.org/"    # the site\'s address was not found',
        '# fail-on = "error"',
        "",
        "[dates]",
        '# date = "any"         # or authored, committed, landed',
        '# zone = "UTC"         # the time zone of days in the sitemap',
        "",
    ]
    for name in names:
        if name in _HINTS:
            lines.append(f"# {name}: true dates come from {_HINTS[name]}")
        if name in _MANIFESTS:
            lines += _MANIFESTS[name].splitlines()
    proposals = _proposals(mapped)
    if proposals:
        lines += ["", "# Proposed from the names of files: look them over."]
    for proposal in proposals:
        lines += ["[[source]]", f"url = {_quoted(proposal.url)}", f"path = {_quoted(proposal.path)}", ""]
    if not proposals:
        lines += ["", "# [[source]]", '# url = "/blog/{slug}/"', '# path = "content/blog/{slug}.md"', ""]
    lines += ["[rules]", '# lastmod-missing = "warning"', ""]
    return "\n".join(lines)


def _proposals(mapped: Mapped) -> list[Proposal]:
    from sitemap_guard import urls
    from sitemap_guard.sources.suggest import propose

    base = urls.parse(mapped.base_url) if mapped.base_url else None
    left = [entry for entry in mapped.entries if not entry.mapping.content and entry.mapping.kind != "list"]
    addresses = [urls.parse(entry.url) for entry in left if entry.url]
    inside = [urls.within(address, base) for address in addresses if address is not None and base is not None]
    used = {entry.mapping.content for entry in mapped.entries}
    return propose([f"/{path}" for path in inside if path], mapped.repository.tracked, used)


def _quoted(text: str) -> str:
    """A TOML basic string."""
    import json

    return json.dumps(text, ensure_ascii=True)
