"""The rewriting engine of Apache, as a `.htaccess` in the site's own folder drives it, for a search engine's request.

Rules are gone through in order, each with the conditions before it. A redirect ends it; a rewrite within the site
goes on with the new path, and starts over when the rules are through (in a folder's own file a rewritten path is a new
request). What depends on what a plain request does not tell has no answer.

Sources: httpd.apache.org/docs/2.4/mod/mod_rewrite.html, …/rewrite/flags.html, …/rewrite/tech.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from sitemap_guard.model.hosting import Rule
from sitemap_guard.pages.hosting.conditions import all_of, any_of, negated
from sitemap_guard.pages.hosting.matching import Maybe, safe
from sitemap_guard.pages.hosting.variables import Files, Unknown, Variables
from sitemap_guard.urls import Address, decoded, parse

STATUS = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}
_ROUNDS = 10  # Apache gives up after as many (LimitInternalRecursion)
_MOST = 500  # characters of an address
_TEST = re.compile(r"-(?:[dfFhHlLsUx]|(?:eq|ne|lt|gt|ge|le).*)")
_PLAIN = re.compile(r"\^(?:[\w/-]|\\[./_-])*")
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_LONG = {
    "redirect": "r", "last": "l", "forbidden": "f", "gone": "g", "nocase": "nc", "next": "n", "proxy": "p",
    "qsappend": "qsa", "qsdiscard": "qsd", "noescape": "ne", "chain": "c", "skip": "s", "passthrough": "pt",
    "ornext": "or", "env": "e", "cookie": "co", "handler": "h", "type": "t", "novary": "nv",
}  # fmt: skip


class Cond(Struct, frozen=True):
    """A `RewriteCond`: its test string and pattern, and whether it is joined to the next by "or"."""

    test: str
    pattern: str
    nocase: bool = False
    either: bool = False


class RewriteRule(Struct, frozen=True):
    """A `RewriteRule`. `pattern` is None when it is not understood; `flags` as `flags_of` reads them. `start` is what
    every path that it takes begins with."""

    pattern: re.Pattern[str] | None
    negated: bool
    target: str
    flags: dict[str, str]
    conds: tuple[Cond, ...]
    place: Rule
    start: str = ""


class Outcome(NamedTuple):
    """What the rules make of a request: a status with a location, another path within the site, or no answer.

    `status` 0: none of them answers. `path` is the decoded path on the host that is served then. `undecided` names
    what the request does not tell, at `rule`. `hops` are the rewrites within the site that went before.
    """

    status: int = 0
    location: str = ""
    path: str = ""
    rule: Rule | None = None
    undecided: str = ""
    hops: int = 0


class Rewrites:
    """The rules of one file. `base` is the path of the site's address, `prefix` what relative targets start with."""

    def __init__(self, rules: Sequence[RewriteRule], base: str, prefix: str) -> None:
        self._rules = rules
        self._base = base
        self._prefix = prefix

    def run(self, address: Address, files: Files) -> Outcome:
        """What the rules make of a request for the address."""
        path, query, last = decoded(address.path), address.query.removeprefix("?"), None
        if len(path) > _MOST or not path.startswith(self._base):
            return Outcome(path=path)
        lookup, final, hops = False, False, 0
        while hops <= _ROUNDS:
            asked = f"{path}index.html" if lookup else path
            request = Variables(address, asked, query, self._base, files, hops, lookup=lookup)
            one = _Round(self._rules, self._prefix, address, request, lookup=lookup)
            found = one.run()
            if found is not None:
                return found._replace(hops=hops)
            changed = (request.path, request.query) != (asked, query)
            if changed:
                path, query, last, hops = request.path, request.query, one.rule, hops + 1
            if lookup and (final or not changed):
                break
            final = final or one.ended or not path.startswith(self._base)
            # For a folder, its index is looked up (mod_dir), and goes through the rules as well.
            index = path.endswith("/") and files.is_file(f"{path}index.html"[len(self._base) :])
            lookup = index and not lookup and (final or not changed)
            if (final or not changed) and not lookup:
                break
        else:
            return Outcome(path=path, rule=last, undecided="itself: its rules go round in circles", hops=hops)
        return Outcome(path=path, rule=last, hops=hops)


class _Round:
    """One way through the rules. `rule` is the last one that changed the path, `ended` whether it is the last round.

    `lookup`: it is not the request itself, but asks for the index of a folder; redirects do nothing there (measured).
    """

    def __init__(
        self, rules: Sequence[RewriteRule], prefix: str, address: Address, request: Variables, *, lookup: bool
    ) -> None:
        self._rules, self._prefix, self._address, self._request = rules, prefix, address, request
        self._lookup = lookup
        self.rule: Rule | None = None
        self.ended = False

    def run(self) -> Outcome | None:
        """Go through the rules; an outcome if they end the request."""
        skipping = 0
        below = self._request.below
        broken = False  # whether a rule of the chain that is being gone through did not match
        for rule in self._rules:
            if skipping or broken:
                skipping, broken = max(skipping - 1, 0), broken and "c" in rule.flags
                continue
            if rule.start and not below.startswith(rule.start):
                broken = "c" in rule.flags
                continue
            matched = self._matches(rule)
            if matched is None and not self._makes_no_difference(rule):
                return Outcome(rule=rule.place, undecided=_why(rule))
            if not matched:
                broken = "c" in rule.flags
                continue
            if rule.flags.get("s", "").isdigit():
                skipping = int(rule.flags["s"])
            if self._lookup and _redirects(rule):
                return None
            found = self._apply(rule)
            below = self._request.below
            if found is not None:
                return found
            if rule.flags.keys() & {"l", "end"}:
                self.ended = "end" in rule.flags
                return None
        return None

    # ------------------------------------------------------------------------------------------------- matching

    def _matches(self, rule: RewriteRule) -> Maybe:
        if rule.pattern is None:
            return None
        found = rule.pattern.search(self._request.below)
        if (found is None) != rule.negated:
            return False
        self._request.rule, self._request.cond = found, None
        answers: list[Maybe] = []
        group: list[Maybe] = []
        for cond in rule.conds:
            # Of conditions joined by "or", the first that holds is the last that is looked at.
            if True not in group:
                group.append(self._holds(cond))
            if not cond.either:
                answers.append(any_of(group))
                group = []
            if False in answers:
                return False
        # An "or" with nothing behind it makes no demand, in Apache's own reading.
        return all_of(answers)

    def _holds(self, cond: Cond) -> Maybe:
        pattern = cond.pattern.removeprefix("!")
        try:
            values = self._request.expanded(cond.test)
        except Unknown:
            return None
        if _TEST.fullmatch(pattern):
            answer = self._request.tested(pattern, values[0]) if len(values) == 1 else None
        elif pattern[:1] in ("=", "<", ">"):
            answer = _compared(pattern, values, nocase=cond.nocase)
        else:
            answer = self._fits(pattern, values, cond)
        return negated(answer) if pattern != cond.pattern else answer

    def _fits(self, pattern: str, values: Sequence[str], cond: Cond) -> Maybe:
        compiled = safe(pattern, re.IGNORECASE if cond.nocase else 0)
        if compiled is None:
            return None
        found = [compiled.search(value) for value in values]
        if len({one is None for one in found}) > 1:
            return None
        if found[0] is not None and pattern == cond.pattern:
            self._request.cond = found[0]
        return found[0] is not None

    # -------------------------------------------------------------------------------------------------- applying

    def _apply(self, rule: RewriteRule) -> Outcome | None:
        flags = rule.flags
        if "f" in flags or "g" in flags:
            return Outcome(403 if "f" in flags else 410, rule=rule.place)
        if flags.keys() & {"n", "p"}:
            return Outcome(rule=rule.place, undecided="a flag of the rule")
        if rule.target == "-":
            return None
        try:
            targets = self._request.expanded(rule.target)
        except Unknown:
            targets = []
        if len(targets) != 1:
            return Outcome(rule=rule.place, undecided=_why(rule))
        path, question, query = targets[0].partition("?")
        query = query if question else "" if "qsd" in flags else self._request.query
        if question and "qsa" in flags:
            query = "&".join(filter(None, (query, self._request.query)))
        external = _EXTERNAL.match(path) is not None
        below = path
        if not external and not path.startswith("/"):
            path = self._prefix + path
        status = _status(flags)
        if status is None and path.startswith(f"{self._address.origin}/"):
            path = below = path[len(self._address.origin) :]
            external = False
        if not external and "//" in path:
            return Outcome(rule=rule.place, undecided="a doubled slash")
        if status is None and not external:
            self._request.path, self._request.query, self._request.below = path, query, below
            self.rule = rule.place
            return None
        status = status or 302
        location = path + (f"?{query}" if query else "")
        return Outcome(status, location if 300 <= status < 400 else "", rule=rule.place)

    def _makes_no_difference(self, rule: RewriteRule) -> bool:
        """Whether it is all one if a rule holds: since it would redirect the address to itself."""
        if rule.pattern is None or not _redirects(rule) or rule.flags.keys() & {"f", "g", "n", "p", "s", "c"}:
            return False
        if self._lookup:
            return True
        try:
            found = [parse(text, self._address.href) for text in self._request.expanded(rule.target)]
        except Unknown:
            return False
        return all(target is not None and target.href == self._address.href for target in found)


def _redirects(rule: RewriteRule) -> bool:
    """Whether a rule sends elsewhere, or answers with a status of its own."""
    return _status(rule.flags) is not None or _EXTERNAL.match(rule.target) is not None


def start_of(pattern: str) -> str:
    """The text that everything begins with that a regular expression with a `^` fits; "" for others."""
    found = _PLAIN.match(pattern)
    if found is None or "|" in pattern:
        return ""
    plain = found[0]
    if pattern[len(plain) :][:1] in ("*", "?", "+", "{"):
        plain = plain.removesuffix("\\" + plain[-1:]) if plain[-2:-1] == "\\" else plain[:-1]
    return plain[1:].replace("\\", "")


def _compared(pattern: str, values: Sequence[str], *, nocase: bool) -> Maybe:
    if pattern[0] != "=" or len(values) != 1:
        return None
    wanted = pattern[1:].strip('"')
    return values[0].lower() == wanted.lower() if nocase else values[0] == wanted


def _why(rule: RewriteRule) -> str:
    """What a rule depends on, for people."""
    names = [name for cond in rule.conds for name in re.findall(r"%\{[^}]*\}", cond.test)]
    return ", ".join(dict.fromkeys(names)) or "a pattern that is not understood"


def _status(flags: dict[str, str]) -> int | None:
    """The status that a rule redirects with; None for a rewrite within the site."""
    word = flags.get("r")
    if word is None:
        return None
    return STATUS.get(word) or (int(word) if word.isdigit() else 302)


def flags_of(text: str) -> dict[str, str]:
    """The flags in `[R=301,L]` by their short names, in lower case, with their values."""
    found = {}
    for flag in text.strip().strip("[]").split(","):
        name, _, value = flag.strip().partition("=")
        if name:
            found[_LONG.get(name.lower(), name.lower())] = value.strip().lower()
    return found
