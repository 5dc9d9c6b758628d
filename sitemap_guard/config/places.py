"""Paths, patterns and addresses in settings: those that can lead nowhere are told apart from those that can.

Each function returns what is wrong, with what to do about it; "" when nothing is.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from sitemap_guard import urls

ENDPOINT = "https://api.indexnow.org/indexnow"
_DRIVE = re.compile(r"[A-Za-z]:")
_ALTERNATIVES = re.compile(r"\{[^{}]*,[^{}]*\}")


def fault_of_path(text: str, root: str, *, wild: bool = True, outward: bool = False, folder: bool = False) -> str:
    """Of a path, or a pattern when it may have `wild` cards, that is compared with names relative to `root`.

    With `outward` it may leave the root, and with `folder` it may end with a slash.
    """
    if text.startswith(("/", "~")) or _DRIVE.match(text):
        bare = text.lstrip("/~")
        return f"{text!r} is not relative to {root}" + (f"; write {bare!r}" if bare and text[0] == "/" else "")
    if re.search(r"\\(?![*?\\])", text) or (not wild and "\\" in text):
        return f"{text!r} has a backslash; write / between folders"
    parts = text.split("/")
    if ".." in parts and not outward:
        return f"{text!r} leads out of {root}; write it from there"
    if text.endswith("/") and not folder:
        return f"{text!r} is a folder, and files are meant; write {text + '**' if wild else text + 'index.html'!r}"
    if "" in parts[: -1 if folder else None] or "." in parts:
        return f"{text!r} has an empty part between slashes or the part '.'; leave that out"
    if wild and text.startswith("!"):
        return f"{text!r}: a pattern with ! excludes nothing; write those that are meant"
    if not wild and re.search(r"[*?]", text):
        return f"{text!r} is one file, and no pattern; write its name"
    return ""


def fault_of_pattern(text: str, root: str, *, outward: bool = False) -> str:
    """Of a pattern without names in braces."""
    found = _ALTERNATIVES.search(text)
    if found:
        return f"{text!r}: {found[0]} is no choice between names; write a pattern for each"
    return fault_of_path(text, root, outward=outward)


def fault_of_url(text: str) -> str:
    """Of a pattern of addresses: of whole ones when it has `://`, else of paths below the host."""
    found = _ALTERNATIVES.search(text)
    if found:
        return f"{text!r}: {found[0]} is no choice between names; write a pattern for each"
    if "://" not in text and not text.startswith(("/", "*", "?")):
        return f"{text!r} fits no address, since a path begins with a slash; write {'/' + text!r}"
    return ""


def fault_of_base(text: str) -> str:
    """Of a site's address."""
    address = urls.parse(text.strip()) if urls.is_absolute(text) else None
    if address is None:
        return "not an absolute address; write it like https://example.org/project/"
    return "it must have no query and no fragment" if address.query or address.fragment else ""


def fault_of_host(text: str) -> str:
    """Of a host's name, whole and without port."""
    if "*" in text:
        return f"{text!r}: hosts are whole names; name each of them"
    if re.search(r"[/@?#\\\s]", text):
        address = urls.parse(text if "://" in text else f"https://{text}")
        host = address.origin.partition("://")[2] if address else "www.example.org"
        return f"{text!r} is more than a host; write {_bare(host)!r}"
    if _bare(text) != text:
        return f"{text!r} has a port, and hosts are compared without; write {_bare(text)!r}"
    return "" if urls.host(text) else f"{text!r} is no host; write a name such as www.example.org"


def fault_of_host_pattern(text: str) -> str:
    """Of a pattern of hosts' names."""
    if not text.isascii():
        return f"{text!r}: hosts are compared in the form that begins with xn--; write that"
    if re.search(r"[/@#\\\s]", text) or _bare(text) != text or (":" in text and not text.startswith("[")):
        host = _bare(re.sub(r"^\w+://", "", text).partition("/")[0])
        return f"{text!r} is more than a host" + (f"; write {host!r}" if re.fullmatch(r"[\w.*?-]+", host) else "")
    return ""


def _bare(host: str) -> str:
    """A host without its port."""
    return re.sub(r"(?<=[^:]):\d*$", "", host) if not host.startswith("[") else re.sub(r"\]:\d*$", "]", host)


def fault_of_endpoint(text: str) -> str:
    """Of the address that submissions go to: https, or plain http to this very machine, by number."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{text!r} is no web address; write one such as {ENDPOINT}"
    del port
    if parts.scheme not in ("https", "http") or not host or any(char.isspace() for char in text):
        return f"{text!r} is no web address; write one such as {ENDPOINT}"
    if parts.username is not None or parts.password is not None or parts.fragment or parts.query:
        return "an endpoint has no user name, password, query or fragment; write the plain address"
    if parts.scheme == "http" and not _loopback(host):
        return f"{text!r} would send the key unprotected; write https"
    return ""


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
