"""Conditions on rules of hosts, decided for a search engine's request: a plain GET of the address.

It has the address's scheme, host, path and query, no cookies, no referrer and no wish for a language (Google,
"Locale-adaptive pages": Googlebot sets no Accept-Language); it comes from no known place, and calls itself by the name
of a crawler. An answer is True, False, or None where the request does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sitemap_guard.pages.hosting.matching import Condition, Maybe, safe
from sitemap_guard.urls import Address, decoded, host_of

# What crawlers call themselves (their own documentation): a condition on it holds if it holds for all of them.
_GOOGLE = "compatible; Googlebot/2.1; +http://www.google.com/bot.html"
_ENGINE = "AppleWebKit/537.36 (KHTML, like Gecko"
AGENTS = (
    f"Mozilla/5.0 ({_GOOGLE})",
    f"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) {_ENGINE}) Chrome/W.X.Y.Z Mobile Safari/537.36 ({_GOOGLE})",
    f"Mozilla/5.0 {_ENGINE}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/W.X.Y.Z Safari/537.36",
)
# Headers that a proxy or the host itself may add, and those that all send with values of their own.
_ADDED = re.compile(r"x-(?:forwarded|real|vercel|nf|client|cluster|original|arr|azure|amz|cdn)\b.*|forwarded|via|cf-.*|"
                    r"fastly-.*|true-client-ip|cdn-.*|cloudfront-.*|client-ip")  # fmt: skip
_OWN = frozenset({"accept", "accept-encoding", "connection", "from", "cache-control", "upgrade-insecure-requests"})


def all_of(answers: Iterable[Maybe]) -> Maybe:
    """Whether all hold: False if one does not, None if one is not known."""
    found = list(answers)
    return False if False in found else None if None in found else True


def any_of(answers: Iterable[Maybe]) -> Maybe:
    """Whether one holds: True if one does, None if one is not known."""
    found = list(answers)
    return True if True in found else None if None in found else False


def negated(answer: Maybe) -> Maybe:
    """The contrary, if it is known."""
    return None if answer is None else not answer


def header(name: str, address: Address) -> tuple[str, ...] | None:
    """The values that a request header may have; ("",) where it is not sent, None where nothing tells."""
    lowered = name.lower()
    if lowered == "host":
        return (authority(address),)
    if lowered == "user-agent":
        return AGENTS
    return None if lowered in _OWN or _ADDED.fullmatch(lowered) else ("",)


def authority(address: Address) -> str:
    """Host and port as a request names them."""
    return address.origin.partition("://")[2]


def query(address: Address) -> dict[str, str]:
    """The parameters of the address, the first of each name."""
    found: dict[str, str] = {}
    for part in address.query.removeprefix("?").split("&"):
        name, _, value = part.partition("=")
        if name:
            found.setdefault(decoded(name), decoded(value.replace("+", " ")))
    return found


def fits(pattern: str, values: Iterable[str], *, whole: bool = True) -> Maybe:
    """Whether a regular expression fits the values: None if only some, or if it is none that is understood."""
    compiled = safe(pattern.replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!"))
    if compiled is None:
        return None
    answers = {(compiled.fullmatch if whole else compiled.search)(value[:2048]) is not None for value in values}
    return answers.pop() if len(answers) == 1 else None


# ------------------------------------------------------------------------------------------------------- Vercel


def of_vercel(has: Any, missing: Any) -> Condition | None:
    """The condition of an item of vercel.json; None when it has none (vercel.com/docs/project-configuration)."""
    wanted, unwanted = _items(has), _items(missing)
    if not wanted and not unwanted:
        return None

    def holds(address: Address) -> Maybe:
        there = [_there(item, address) for item in wanted]
        gone = [negated(_there(item, address)) for item in unwanted]
        return all_of([*there, *gone])

    named = [
        f"{item.get('type')} {item.get('key') or item.get('value') or ''}".strip() for item in [*wanted, *unwanted]
    ]
    return Condition(holds, ", ".join(dict.fromkeys(named)))


def _items(given: Any) -> list[dict[str, Any]]:
    return [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []


def _there(item: dict[str, Any], address: Address) -> Maybe:
    kind, key, value = item.get("type"), str(item.get("key") or ""), item.get("value")
    if kind == "host":
        return _valued(value, (host_of(address.href),))
    if kind == "cookie":
        return False
    if kind == "query":
        given = query(address)
        return _valued(value, (given[key],)) if key in given else False
    if kind == "header":
        values = header(key, address)
        if values is None or values == ("",):
            return None if values is None else False
        return _valued(value, values)
    return None


def _valued(value: Any, values: Iterable[str]) -> Maybe:
    if value is None:
        return True
    return fits(value, values) if isinstance(value, str) else None


# ------------------------------------------------------------------------------------------------------ Netlify


def of_netlify(names: Iterable[str]) -> Condition | None:
    """The condition of a redirect by the names of its conditions; None when it has none.

    A request without a language, a role or a cookie fits no condition on these; where it comes from is not known.
    """
    found = sorted({name.lower() for name in names})
    if not found:
        return None
    answer: Maybe = False if set(found) & {"language", "role", "cookie"} else None
    return Condition(lambda _address: answer, ", ".join(name.title() for name in found))
