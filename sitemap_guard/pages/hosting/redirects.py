"""`_redirects`: Netlify, Cloudflare Pages and GitLab Pages.

One rule a line: source, query parameters (`id=:id`), target, status with or without `!`, conditions
(`Country=`, `Language=`, `Role=`, `Cookie=`). Rules with conditions hold for some visitors only (see `conditions`).

Sources: docs.netlify.com/manage/routing/redirects/overview/ and …/redirect-options/ (slashes at the end are not
compared; a file goes before a rule without `!`), developers.cloudflare.com/pages/configuration/redirects/ (rules go
before files), docs.gitlab.com/user/project/pages/redirects/ (files go before rules; no `!`, queries or conditions).
"""

from __future__ import annotations

import re

from sitemap_guard.model.hosting import Rule
from sitemap_guard.pages.hosting.conditions import of_netlify
from sitemap_guard.pages.hosting.matching import Redirect, by_splat, is_fixed, literal

_STATUS = re.compile(r"([1-5]\d\d)(!?)")
_QUERY = re.compile(r"[\w.%-]+=\S*")
_CONDITIONS = ("country=", "language=", "role=", "cookie=")


def parse(text: str, path: str, *, exact: bool = False, conditional: bool = False) -> list[Redirect]:
    """The rules of a `_redirects` file; `path` is how it is shown. `exact`: a slash at the end matters (Cloudflare);
    `conditional`: the host knows conditions (Netlify), others pass over rules that have some."""
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = line.partition(" #")[0].split() if not line.lstrip().startswith("#") else []
        rule = _rule(words, Rule(path, number), exact) if len(words) >= 2 else None
        if rule is not None and (conditional or rule.when is None):
            found.append(rule)
    return found


def _rule(words: list[str], place: Rule, exact: bool) -> Redirect | None:
    source, rest = words[0], words[1:]
    query = []
    while rest and _QUERY.fullmatch(rest[0]) and not rest[0].startswith(("/", "http://", "https://")):
        query.append(rest.pop(0).partition("=")[0])
    if not rest or not source.startswith(("/", "http://", "https://")):
        return None
    target, rest = rest[0], rest[1:]
    status = _STATUS.fullmatch(rest[0]) if rest else None
    if any(word.lower().startswith("signed=") for word in rest):
        return None
    named = [word.partition("=")[0] for word in rest if word.lower().startswith(_CONDITIONS)]
    match = by_splat(source, target, exact=exact)
    if match is None:
        return None
    return Redirect(
        match,
        int(status[1]) if status else 301,
        place,
        fixed=is_fixed(source) if source.startswith("/") else "",
        force=bool(status and status[2]),
        whole=not source.startswith("/"),
        query=tuple(query),
        start=literal(source) if source.startswith("/") else "",
        when=of_netlify(named),
    )
