"""`.htaccess` of Apache in the site's own folder, for a search engine's plain request.

Understood: `Redirect`, `RedirectPermanent`, `RedirectTemp`, `RedirectMatch`; `RewriteRule` with its `RewriteCond`s (see
`rewrite`); `Header set X-Robots-Tag …`, also in `<Files>` and `<FilesMatch>`. Sections that depend on the request are
left out; what they might change makes the answers not sure.

Sources: httpd.apache.org/docs/2.4: mod_alias, mod_rewrite, mod_headers, mod_dir, "Configuration sections".
"""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Callable

from msgspec import Struct

from sitemap_guard.model.hosting import Rule
from sitemap_guard.pages.hosting.headers import NAMES, kept
from sitemap_guard.pages.hosting.matching import Condition, HeaderRule, Redirect, by_regex, safe
from sitemap_guard.pages.hosting.rewrite import STATUS, Cond, RewriteRule, Rewrites, flags_of, start_of

_OPEN = re.compile(r"<(\w+)\s*([^>]*)>")
# The words of a rule or condition: mod_rewrite takes either quote, and a blank behind a backslash.
_WORD = re.compile(r"""\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|((?:\\.|[^\s\\])+))""")
_MOST = 5000  # rules
_HARMLESS = ("ifmodule", "ifversion", "files", "filesmatch")


class Apache(Struct, frozen=True):
    """What the file says. `certain` is false when it may serve paths in ways that are not understood here."""

    redirects: tuple[Redirect, ...] = ()
    headers: tuple[HeaderRule, ...] = ()
    certain: bool = True
    rewrites: Rewrites | None = None


class _Reader:
    """Reads the file line by line."""

    def __init__(self, path: str, base: str) -> None:
        self.path = path
        self.base = base
        self.redirects: list[Redirect] = []
        self.headers: list[HeaderRule] = []
        self.certain = True
        self.rewriting = False
        self.prefix = base
        self.conditions: list[Cond] = []
        self.rules: list[RewriteRule] = []
        self.sections: list[tuple[str, Callable[[str], bool] | None]] = []

    def line(self, text: str, number: int) -> None:
        """Take in one line."""
        rewriting = text.lstrip().lower().startswith(("rewriterule", "rewritecond"))
        try:
            words = shlex.split(text, comments=False, posix=True) if '"' in text and not rewriting else text.split()
        except ValueError:
            return
        if rewriting:
            words = [next(filter(None, found.groups()), "") for found in _WORD.finditer(text)]
        if not words or words[0].startswith("#"):
            return
        opened = _OPEN.match(text.strip())
        if opened:
            self.sections.append((_section(opened[1].lower(), opened[2]), _files(opened[1].lower(), opened[2].strip())))
        elif words[0].startswith("</"):
            del self.sections[-1:]
        elif any(name == "never" for name, _ in self.sections):
            return
        elif all(name in _HARMLESS for name, _ in self.sections):
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
            self.rewriting = words[:1] in (["On"], ["on"], ["ON"])
        elif name == "rewritebase":
            self.prefix = f"{words[0].rstrip('/')}/" if words else self.base
        elif name == "rewritecond":
            self._condition(words)
        elif name == "rewriterule":
            conditions, self.conditions = tuple(self.conditions), []
            self._rewrite(words, place, conditions)
        elif name in ("directoryslash", "fallbackresource", "directoryindex", "multiviewsmatch") or (
            name == "options" and any("multiviews" in word.lower() or word.lower() == "all" for word in words)
        ):
            self.certain = False

    def _header(self, words: list[str], place: Rule) -> None:
        always = words[:1] == ["always"]
        words = words[1:] if always else words
        action = words[0].lower() if words else ""
        name = words[1].lower() if len(words) > 1 else ""
        if name not in NAMES or action not in ("set", "add", "append", "merge", "unset"):
            return
        value, rest = ("", words[2:]) if action == "unset" else (words[2] if len(words) > 2 else "", words[3:])
        found = kept(name, value, place) if action != "unset" else []
        tests = [matches for _, matches in self.sections if matches is not None]
        when = Condition(lambda _address: None, " ".join(rest)) if rest else None
        detach = (name,) if action in ("set", "unset") and not always else ()
        self.headers.append(
            HeaderRule(lambda path: all(test(path) for test in tests), tuple(found), detach=detach, when=when)
        )

    def _condition(self, words: list[str]) -> None:
        flags = flags_of(words[2]) if len(words) > 2 else {}
        test, pattern = (*words, "", "")[:2]
        if test.lower() == "expr":
            test = "%{expr}"  # nothing tells
        self.conditions.append(Cond(test, pattern, "nc" in flags, "or" in flags))

    def _redirect(self, name: str, words: list[str], place: Rule) -> None:
        status = {"redirectpermanent": 301}.get(name, 302)
        if name == "redirect" and words and (words[0].lower() in STATUS or words[0].isdigit()):
            status = STATUS.get(words[0].lower()) or int(words[0])
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
        if words and (words[0].lower() in STATUS or words[0].isdigit()):
            status = STATUS.get(words[0].lower()) or int(words[0])
            words = words[1:]
        pattern = safe(words[0]) if words else None
        if pattern is None:
            self.certain = False
            return
        target = words[1] if len(words) > 1 else ""
        self.redirects.append(Redirect(by_regex(pattern, target), status, place, force=True))

    def _rewrite(self, words: list[str], place: Rule, conditions: tuple[Cond, ...]) -> None:
        if len(words) < 2:
            return
        flags = flags_of(words[2]) if len(words) > 2 else {}
        pattern = safe(words[0].removeprefix("!"), re.IGNORECASE if "nc" in flags else 0)
        negated = words[0].startswith("!")
        start = "" if negated or "nc" in flags else start_of(words[0])
        if len(self.rules) < _MOST:
            self.rules.append(RewriteRule(pattern, negated, words[1], flags, conditions, place, start))
        else:
            self.certain = False


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
    # Whether the engine is on is one setting of the folder: the last line counts, for all rules.
    rewrites = Rewrites(reader.rules, base_path, reader.prefix) if reader.rewriting and reader.rules else None
    return Apache(tuple(reader.redirects), tuple(reader.headers), reader.certain, rewrites)


def _section(name: str, argument: str) -> str:
    """A section's name; `never` for one that holds where a module is lacking."""
    return "never" if name == "ifmodule" and argument.strip().startswith("!") else name


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
