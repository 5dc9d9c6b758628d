"""What the variables and references of Apache's rules stand for in a search engine's request: see `rewrite`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sitemap_guard.pages.hosting import conditions
from sitemap_guard.pages.hosting.matching import Maybe
from sitemap_guard.urls import Address

_REFERENCE = re.compile(r"%\{([^}]*)\}|([$%])(\d)|\\(.)")
_MANY = 8  # values of one text
_ROOT = "\0root"  # stands for the folder on the server, which nobody knows


class Unknown(Exception):  # noqa: N818 (not an error, but an answer)
    """A part of the request that nothing tells."""


class Files(NamedTuple):
    """What is in the site's folder, by paths below it."""

    is_file: Callable[[str], bool]
    is_folder: Callable[[str], bool]


class Variables:
    """The request as rules see it while they are gone through.

    `asked` is the path on the host that the rules began with, `path` what they have made of it, `query` likewise,
    `below` what patterns are matched with: the path below the site's (`base`), but for one that a rule has written with
    a first slash, which keeps that. `number` counts the rounds, from 0; in a `lookup` the index of a folder is
    asked for. `rule` and `cond` are the last matches.
    """

    def __init__(
        self, address: Address, asked: str, query: str, base: str, files: Files, number: int, *, lookup: bool = False
    ) -> None:
        self._address, self._asked, self._base, self._files, self._number = address, asked, base, files, number
        self._lookup = lookup
        self.path, self.query = asked, query
        self.below = asked[len(base) :]
        self.rule: re.Match[str] | None = None
        self.cond: re.Match[str] | None = None

    def expanded(self, text: str) -> list[str]:
        """A text with its references filled in: several where a variable may have several values.

        Raises:
            Unknown: a variable's value is not known.
        """
        found = [""]
        place = 0
        for reference in _REFERENCE.finditer(text):
            plain = text[place : reference.start()]
            name, sign, number, escaped = reference.groups()
            if escaped:
                values: Sequence[str] = (escaped,)
            elif name is not None:
                values = self._variable(name)
            else:
                values = (_group(self.rule if sign == "$" else self.cond, int(number)),)
            found = [one + plain + value for one in found for value in values][:_MANY]
            place = reference.end()
        return [one + text[place:] for one in found]

    def tested(self, test: str, name: str) -> Maybe:
        """Whether a file's full name is that of a file (`-f`, `-s`), a folder (`-d`) or a link (`-l`)."""
        start = f"{_ROOT}{self._base}"
        if name.startswith("/") and test[1] in "dfs":
            return False  # a path of the web, where one of the disk is wanted
        if len(test) > 2 or test[1] not in "dfslLh" or ".." in name or not f"{name}/".startswith(start):
            return None
        path = name[len(start) :].rstrip("/")
        there, folder = self._files.is_file(name[len(start) :]), self._files.is_folder(path)
        if test[1] in "df":
            return folder if test[1] == "d" else there
        return None if there or folder else False

    def _variable(self, name: str) -> Sequence[str]:
        known = self._plain().get(name.upper())
        if known is not None:
            return (known,)
        kind, _, rest = name.partition(":") if ":" in name else name.partition("_")
        values = conditions.header(rest if ":" in name else rest.replace("_", "-"), self._address)
        if kind.upper() != "HTTP" or not rest or values is None:
            raise Unknown
        return values

    def _plain(self) -> dict[str, str]:
        address, secure = self._address, self._address.origin.startswith("https:")
        port = re.search(r":(\d+)$", address.origin)
        return {
            "HTTPS": "on" if secure else "off",
            "REQUEST_SCHEME": "https" if secure else "http",
            "SERVER_PORT": port[1] if port else "443" if secure else "80",
            "SERVER_NAME": conditions.authority(address).partition(":")[0],
            "REQUEST_METHOD": "GET",
            "REQUEST_URI": self._asked,
            "QUERY_STRING": self.query,
            "THE_REQUEST": f"GET {address.path}{address.query} HTTP/1.1",
            "DOCUMENT_ROOT": _ROOT,
            "REQUEST_FILENAME": self._file_name(),
            "SCRIPT_FILENAME": self._file_name(),
            "REMOTE_USER": "",
            "IS_SUBREQ": "true" if self._lookup else "false",
            "ENV:REDIRECT_STATUS": "200" if self._number else "",
        }

    def _file_name(self) -> str:
        """The file that the path names, as far as its folders exist: what follows is the path's own (PATH_INFO)."""
        below = self.below
        if below.startswith("/"):
            return below
        parts = below.split("/")
        for count in range(1, len(parts)):
            if not self._files.is_folder("/".join(parts[:count])):
                below = "/".join(parts[:count])
                break
        return f"{_ROOT}{self._base}{below}"


def _group(match: re.Match[str] | None, number: int) -> str:
    return (match[number] or "") if match is not None and number <= match.re.groups else ""
