"""The tables of the configuration and the types of their keys.

The patterns here are for the JSON Schema alone (editors): the program looks closer, and says more (`values`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

FIELD_NAMES = (
    "lastmod",
    "last_modified_at",
    "last_modified",
    "last-modified",
    "lastModified",
    "lastUpdated",
    "last_updated",
    "last_update.date",
    "updated",
    "updated_at",
    "updatedDate",
    "modified",
    "date_modified",
    "dateModified",
    "date",
    "pubDate",
    "publishDate",
    "publishedAt",
)


def _schema(**more: Any) -> msgspec.Meta:
    return msgspec.Meta(extra_json_schema=more)


# From the repository's root (or the built site's): not from the disk's root, not out of it, no folder.
_INSIDE = r"^(?![/~!\\]|[A-Za-z]:|(?:.*/)?\.\.(?:/|$)|.*//|.*/$)"
_Text = Annotated[str, _schema(pattern=r"\S")]
_Name = Annotated[str, _schema(pattern=r"^\S(?:.*\S)?$")]
_Place = Annotated[str, _schema(pattern=_INSIDE + r".*\S")]
_Folder = Annotated[str, _schema(pattern=r"^(?![/~!\\]|[A-Za-z]:|(?:.*/)?\.\.(?:/|$)|.*//).*\S")]
_File = Annotated[str, _schema(pattern=_INSIDE + r"[^*?]*[^*?\s][^*?]*$")]
_Host = Annotated[str, _schema(pattern=r"^(?:[^\s/:@?#*]+|\[[0-9A-Fa-f:.]+\])$")]
_HostPattern = Annotated[str, _schema(pattern=r"^(?:[A-Za-z0-9._*?-]+|\[[0-9A-Fa-f:.]+\])$")]
_Address = Annotated[str, _schema(pattern=r"^\s*[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s]+[^?#]*$")]
# From 0 to 100. A number below 1 without its sign may be meant as a part of 1.
SHARE = r"^\s*(?:(?:100(?:\.0*)?|[1-9]\d?(?:\.\d*)?|0(?:\.0*)?)\s*%?|0\.\d*\s*%)\s*$"
_AtLeastOne = _schema(minItems=1)
_Texts = Annotated[tuple[_Text, ...], _AtLeastOne]
_Names = Annotated[tuple[_Name, ...], _AtLeastOne]
_Places = Annotated[tuple[_Place, ...], _AtLeastOne]
_NONE_ALIKE = _schema(uniqueItems=True)
_CHOSEN = _schema(**{"not": {"const": ""}})


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """A table of the configuration; its keys are written with hyphens."""


class SourceRule(Table, frozen=True):
    """`[[source]]`: which file a URL is made from.

    `url` is a path below the site's address (or a whole URL) in which `{name}` stands for one segment or a part of
    one, and `{name*}` for any number of whole segments. `path` (one or several, tried in order) is a file of the
    repository with the same names in it; it may hold the wild cards of git (`*`, `**`, `?`). `also` are further
    files whose changes change the page.
    """

    url: Annotated[str, _schema(pattern=r"^[^#]*[^#\s][^#]*$")]
    path: _Place | _Places
    also: _Places = ()


class ManifestFile(Table, frozen=True):
    """`[[manifest]]`: a list of pages and their files that the generator makes.

    `file` is one in the repository's folder; or `command` prints it (it is run in `root`, without a shell). `format`
    is found out if it is not given. `root` is the folder that its paths are relative to, from the repository's root.
    """

    file: _Text = ""
    command: _Texts = ()
    format: Annotated[Literal["", "csv", "json", "hugo-list-csv", "eleventy-json"], _CHOSEN] = ""
    root: _Folder = ""


class Dates(Table, frozen=True):
    """`[dates]`: how dates are judged.

    `date` narrows the window of a change to one of its times; `zone` is the site's time zone (IANA name);
    `tolerance` widens every window (`0`, `90m`, `12h`, `2d`; default one day for a sitemap that git tracks, none
    for a built one); `fields` are the front-matter keys that hold a date, best first.

    A change that is not substantive may be counted or left out: `ignore_revs` is a file that lists commits as
    `git blame --ignore-revs-file` reads them, `counting_keys` are the front-matter keys whose change counts,
    `trivial` are patterns of text that does not count, `min_change` is the number of words below which a change does
    not. With `strict` every change counts, and a list with a source of its own must link to the page that dates it.
    """

    date: Literal["any", "authored", "committed", "landed"] = "any"
    zone: _Name = "UTC"
    tolerance: Annotated[str, _schema(pattern=r"^\s*[0-9]{1,8}[smhd]?\s*$")] = ""
    fields: _Names = FIELD_NAMES
    strict: bool = False
    ignore_revs: str = ".git-blame-ignore-revs"
    counting_keys: tuple[_Name, ...] = ("title", "description")
    trivial: _Texts = ()
    min_change: Annotated[int, msgspec.Meta(ge=0)] = 0


class Policy(Table, frozen=True):
    """`[[policy]]`: how the sources that fit `paths` (git's wild cards) are judged; the last one that fits counts.

    `field`: `authoritative` (where a source has a date field, the claim must say what it says, however old) or
    `ignore` (date fields support nothing).
    """

    paths: _Places
    field: Literal["authoritative", "ignore", "witness"]


class HostingTable(Table, frozen=True):
    """`[hosting]`: `profile` names the host (`github-pages`, `netlify` …) where files do not tell it."""

    profile: Annotated[
        Literal[
            "", "github-pages", "netlify", "cloudflare-pages", "vercel", "gitlab-pages", "azure", "s3", "nginx",
            "apache", "plain",
        ],
        _CHOSEN,
    ] = ""  # fmt: skip


class Addresses(Table, frozen=True):
    """`[addresses]`: `hosts` are further hosts that the sitemap may list, `staging` hosts (`*` for any part) that must
    never be published, besides the usual ones."""

    hosts: Annotated[tuple[_Host, ...], _AtLeastOne] = ()
    staging: Annotated[tuple[_HostPattern, ...], _AtLeastOne] = ()


class PagesTable(Table, frozen=True):
    """`[pages]`: `unlisted` are globs of built files that need not be listed, `directory` is the built page that
    lists all pages for people (a site map in HTML)."""

    unlisted: _Places = ()
    directory: _File = ""


class IndexNow(Table, frozen=True):
    """`[indexnow]`: `endpoint` is the engine's address, `key_location` where the host serves the key's file if that is
    not at the top of the site, `state` the file that keeps what was sent."""

    endpoint: _Address = ""
    key_location: _Address = ""
    state: _Text = ""


class Ignore(Table, frozen=True):
    """`[[ignore]]`: findings that are known and accepted, and why.

    `rule` is a rule or a family ("" for all), `path` a glob of the place or of the built page, `url` one of the
    address (a path below the host, or a whole address). All that are given must fit.
    """

    reason: _Text
    rule: _Name = ""
    path: Annotated[str, _schema(pattern=r"^(?![/~!\\]|[A-Za-z]:|.*//|.*/$).*\S")] = ""
    url: Annotated[str, _schema(pattern=r"^(?:[/*?]|.*://).*$")] = ""


class RootTable(Table, frozen=True):
    """`[[root]]`: a further repository that sources are in: a submodule, or a checkout beside this one.

    `path` is its folder, `prefix` the folder that its files go by here ("": its folder from the repository's root).
    """

    path: _Text
    prefix: _Folder = ""


class Config(Table, frozen=True):
    """The whole configuration. `rules` gives levels by rule or by family (`off`, `info`, `warning`, `error`).

    `baseline` is a file of known findings, `require_verified` the share of dates that must be verified (`90%`).

    `cache` is the folder in which walks through long histories are kept (default: in the repository's `.git`).

    `also_fields` are front-matter keys whose values (one or a list) are further files that the page is made from.
    """

    site: _Text = ""
    base_url: _Address = ""
    sitemaps: _Texts = ()
    fail_on: Literal["error", "warning", "info", "never"] | None = None
    baseline: _Text = ""
    require_verified: Annotated[str, _schema(pattern=SHARE)] = ""
    cache: _Text = ""
    dates: Dates = Dates()
    root: Annotated[tuple[RootTable, ...], _NONE_ALIKE] = ()
    source: Annotated[tuple[SourceRule, ...], _NONE_ALIKE] = ()
    manifest: Annotated[tuple[ManifestFile, ...], _NONE_ALIKE] = ()
    also_fields: _Names = ()
    policy: Annotated[tuple[Policy, ...], _NONE_ALIKE] = ()
    hosting: HostingTable = HostingTable()
    addresses: Addresses = Addresses()
    pages: PagesTable = PagesTable()
    ignore: Annotated[tuple[Ignore, ...], _NONE_ALIKE] = ()
    indexnow: IndexNow = IndexNow()
    rules: dict[str, Literal["off", "info", "warning", "error"]] = msgspec.field(default_factory=dict)
