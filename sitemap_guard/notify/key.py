"""The key: where it comes from, what it may be, and whether the built site serves its file.

Engines take a submission only from someone who can put the key on the host: a text file that holds the key and
nothing else, named `{key}.txt` at the host's root, or anywhere on the host; then only addresses below the file's
folder may be sent (indexnow.org, documentation). No message ever shows the key, nor the file's name.
"""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from pathlib import Path

from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.files import read_file
from sitemap_guard.model import UserError
from sitemap_guard.pages.locate import Locator

ENVIRONMENT = "SITEMAP_GUARD_INDEXNOW_KEY"
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}", re.ASCII)
_MOST_BYTES = 4096


class Place(Struct, frozen=True):
    """Where the key's file is. `location` is sent as keyLocation ("" for the host's root), `below` is the address that
    all sent ones must start with, `note` says what could not be checked ("" for nothing)."""

    location: str
    below: str
    note: str = ""


def taken(environment: MutableMapping[str, str], file: str) -> str:
    """The key from the file if one is named, else from the environment, where it is taken out: no child sees it.

    Raises:
        UserError: there is none, or it is no key.
    """
    text = environment.pop(ENVIRONMENT, "")
    where = ENVIRONMENT
    if file:
        where = "the file of --key-file"
        try:
            text = read_file(file, _MOST_BYTES, named=True).decode("utf-8", "replace")
        except OSError as error:
            raise UserError(f"{where} cannot be read: {error.strerror or error}") from None
    key = text.strip()
    if not key:
        raise UserError(f"no key: set {ENVIRONMENT}, or name a file that holds it with --key-file")
    if not _KEY.fullmatch(key):
        raise UserError(f"{where} holds no IndexNow key: 8 to 128 of the characters a-z, A-Z, 0-9 and -")
    return key


def placed(key: str, folder: Path, base_url: str, location: str) -> Place:
    """Where the key's file is, after a look at it in the built site. `location` is its address if it is no usual one.

    Raises:
        UserError: the built site does not serve the file, it holds something else, or `location` is on another host.
    """
    base = urls.parse(base_url) if base_url else None
    if base is None:
        raise UserError("the site's address is not known; give --base-url")
    named = urls.parse(location) if location else urls.parse(f"{base.href}{key}.txt")
    if named is None:
        raise UserError(f"key-location {location!r} is no web address; write the whole one of the key's file")
    if named.origin.partition("://")[2] != base.origin.partition("://")[2]:
        raise UserError(
            f"key-location is on another host than the site {base.origin}: the file must be on the same one"
        )
    inside = urls.within(named, base)
    below = named.href[: named.href.rindex("/") + 1]
    if inside is None:
        return Place(named.href, below, "the key's file is not part of this build, so it was not looked at")
    _look(key, folder, base_url, inside)
    usual = base.path == "/" and named.path == f"/{key}.txt"
    return Place("" if usual else named.href, f"{base.origin}/" if usual else below)


def _look(key: str, folder: Path, base_url: str, inside: str) -> None:
    shown = (inside or "(the home page)").replace(key, "<key>")
    if not Locator(folder, base_url).is_file(inside):
        raise UserError(
            f"the built site does not serve the key's file {shown}: have the build write it, with the key as its only "
            "content; engines look for it before they take anything"
        )
    try:
        with Path(os.path.realpath(folder), inside).open("rb") as stream:
            content = stream.read(_MOST_BYTES)
    except OSError as error:
        raise UserError(f"the key's file {shown} in the built site cannot be read: {error.strerror}") from None
    if content.strip() == key.encode():
        return
    if content.startswith(b"\xef\xbb\xbf"):
        why = "it starts with a byte order mark"
    elif content.lstrip().startswith(b"<"):
        why = "it is HTML: the generator took it for a page"
    else:
        why = "it holds something else" if content.strip() else "it is empty"
    raise UserError(f"the key's file {shown} in the built site is not right: {why}; it must hold the key alone")
