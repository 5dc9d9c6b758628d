"""`.htaccess` of Apache, as far as it is simple: what holds for every request, in the site's own folder.

Understood: `Redirect`, `RedirectPermanent`, `RedirectTemp`, `RedirectMatch`; `RewriteRule` that redirects and stands
under no `RewriteCond`; `Header set X-Robots-Tag …`, also in `<Files>` and `<FilesMatch>`. Conditions, and sections
that depend on the request, are left out; what they might change makes the answer for that address not sure.

Sources: httpd.apache.org/docs/2.4: mod_alias, mod_rewrite, mod_headers, mod_dir, "Configuration sections".
"""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Callable

from msgspec import Struct

from sitemap_guard.model.hosting import Rule
from sitemap_guard.pages.hosting.headers import kept
from sitemap_guard.pages.hosting.matching import HeaderRule, Redirect, by_regex, safe

_STATUS = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}
_OPEN = re.compile(r"<(\w+)\s*([^>]*)>")


class Apache(Struct, frozen=True):
    """What the file says. `certain` is false when it may serve paths in ways that are not understood here."""

    redirects: tuple[Redirect, ...] = ()
    headers: tuple[HeaderRule, ...] = ()
    certain: bool = True


class _Reader:
    """Reads the file line by line."""

    def __init__(self, path: str, base: str) -> None:
        self.path = path
        self.base = base
        self.redirects: list[Redirect] = []
        self.headers: list[HeaderRule] = []
        self.certain = True
        self.rewriting = False
        self.conditions = 0
        self.sections: list[tuple[str, Callable[[str], bool] | None]] = []

    def line(self, text: str, number: int) -> None:
        """Take in one line."""
        try:
            words = shlex.split(text, comments=False, posix=True) if '"' in text else text.split()
        except ValueError:
            return
        if not words or words[0].startswith("#"):
            return
        opened = _OPEN.match(text.strip())
        if opened:
            self.sections.append((opened[1].lower(), _files(opened[1].lower(), opened[2].strip())))
        elif words[0].startswith("</"):
            del self.sections[-1:]
        elif all(name in ("ifmodule", "ifversion", "files", "filesmatch") for name, _ in self.sections):
            self._directive(words[0].lower(), words[1:], Rule(self.path, number))
        elif words[0].lower() in ("redirect", "redirectmatch", "rewriterule"):
            self.certain = False

    def _directive(self, name: str, words: list[str], place: Rule) -> None:
        if name == "header":
            self._header(words, place)
        elif any(matches is not None for _, matches in self.sections):
            return
        elif name in ("redirect", "redirectpermanent", "redirecttemp"):
            self._redirect(name, words, place)
        elif name == "redirectmatch":
            self._redirect_match(words, place)
        elif name == "rewriteengine":
            self.rewriting = words[:1] == ["On"] or words[:1] == ["on"]
        elif name == "rewritecond":
            self.conditions += 1
        elif name == "rewriterule":
            conditions, self.conditions = self.conditions, 0
            if self.rewriting:
                self._rewrite(words, place, conditions)
        elif name in ("directoryslash", "fallbackresource", "directoryindex", "multiviewsmatch") or (
            name == "options" and any("multiviews" in word.lower() or word.lower() == "all" for word in words)
        ):
            self.certain = False

    def _header(self, words: list[str], place: Rule) -> None:
        words = words[1:] if words[:1] == ["always"] else words
        if len(words) < 3 or words[0].lower() not in ("set", "add", "append", "merge") or len(words) > 3:
            return  # what follows the value is a condition
        found = kept(words[1], words[2], place)
        tests = [matches for _, matches in self.sections if matches is not None]
        if found:
            self.headers.append(HeaderRule(lambda path: all(test(path) for test in tests), tuple(found)))

    def _redirect(self, name: str, words: list[str], place: Rule) -> None:
        status = {"redirectpermanent": 301}.get(name, 302)
        if name == "redirect" and words and (words[0].lower() in _STATUS or words[0].isdigit()):
            status = _STATUS.get(words[0].lower()) or int(words[0])
            words = words[1:]
        if not words or not words[0].startswith("/") or (len(words) < 2 and status < 400):
            return
        source, target = words[0], words[1] if len(words) > 1 else ""

        def match(path: str) -> str | None:
            # "/one" takes "/one" and "/one/two", never "/onetwo" (mod_alias, "Redirect").
            if path == source or (path.startswith(source) and (source.endswith("/") or path[len(source)] == "/")):
                return target + path[len(source) :]
            return None

        self.redirects.append(Redirect(match, status, place, force=True))

    def _redirect_match(self, words: list[str], place: Rule) -> None:
        status = 302
        if words and (words[0].lower() in _STATUS or words[0].isdigit()):
            status = _STATUS.get(words[0].lower()) or int(words[0])
            words = words[1:]
        pattern = safe(words[0]) if words else None
        if pattern is None:
            self.certain = False
            return
        target = words[1] if len(words) > 1 else ""
        self.redirects.append(Redirect(by_regex(pattern, target), status, place, force=True))

    def _rewrite(self, words: list[str], place: Rule, conditions: int) -> None:
        if len(words) < 2:
            return
        flags = [flag.strip().lower() for flag in words[2].strip("[]").split(",")] if len(words) > 2 else []
        redirecting = next(
            (flag for flag in flags if flag in ("r", "redirect") or flag.startswith(("r=", "redirect="))), ""
        )
        target = words[1]
        if target == "-":
            return
        if not redirecting and not target.startswith(("http://", "https://")):
            self.certain = False  # a rewrite within the site: another file may answer
            return
        pattern = safe(words[0].removeprefix("!"), re.IGNORECASE if "nc" in flags or "nocase" in flags else 0)
        if conditions or pattern is None or words[0].startswith("!"):
            self.certain = self.certain and bool(conditions)
            return
        word = redirecting.partition("=")[2]
        status = _STATUS.get(word) or (int(word) if word.isdigit() else 302)
        if not target.startswith(("/", "http://", "https://")):
            target = self.base + target
        inner = by_regex(pattern, target)
        base = self.base
        # In a folder's own file the pattern sees the path below that folder, without a leading slash.
        self.redirects.append(
            Redirect(
                lambda path: inner(path[len(base) :]) if path.startswith(base) else None, status, place, force=True
            )
        )


def parse(text: str, path: str, base_path: str = "/") -> Apache:
    """The rules of the `.htaccess` in the site's own folder; `path` is how it is shown."""
    reader = _Reader(path, base_path)
    begun, number = "", 0
    for at, line in enumerate(text.split("\n"), 1):
        bare = line.rstrip("\r")
        number = number or at
        if bare.endswith("\\"):  # it goes on
            begun += f"{bare[:-1]} "
            continue
        reader.line(begun + bare, number)
        begun, number = "", 0
    reader.line(begun, number)
    return Apache(tuple(reader.redirects), tuple(reader.headers), reader.certain)


def _files(section: str, argument: str) -> Callable[[str], bool] | None:
    """Whether a `<Files>` or `<FilesMatch>` section takes a path (that of the file); None for other sections."""
    if section not in ("files", "filesmatch"):
        return None
    regular = section == "filesmatch" or argument.startswith("~")
    argument = argument.lstrip("~ ").strip("\"'")
    if regular:
        pattern = safe(argument)
        return lambda path: pattern is not None and pattern.search(_name(path)) is not None
    return lambda path: fnmatch.fnmatchcase(_name(path), argument)


def _name(path: str) -> str:
    return path.rpartition("/")[2] or "index.html"
