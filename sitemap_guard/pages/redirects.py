"""Pages that send their visitor elsewhere: meta refresh, and stubs that are nothing but a redirecting script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_SPACE = "\t\n\f\r "
# HTML standard, "shared declarative refresh steps": seconds, a separator, and the target with or without `url=`.
_REFRESH = re.compile(
    rf"[{_SPACE}]*(?:(?P<delay>[0-9]+)[0-9.]*|\.[0-9.]*)(?:[{_SPACE}]*[;,]|(?=[{_SPACE}])|$)[{_SPACE}]*"
    rf"(?:url[{_SPACE}]*=[{_SPACE}]*)?(?P<target>.*)",
    re.IGNORECASE | re.DOTALL,
)
# Seconds. A later refresh is a temporary redirect to search engines, which keep the page (status boards, slide shows).
_SOON = 5
# The whole script must be this one statement, else it may depend on something.
_OWN_PLACE = r"""(?:\s*\+\s*(?:(?:window|document)\.)?location\.(?:search|hash))*"""
_SCRIPT = re.compile(
    r"""\s*(?:<!--\s*)?(?:(?:window|document|self|top)\s*\.\s*)?location\s*"""
    r"""(?:(?:\.\s*href\s*)?=\s*(?P<a>"[^"\\\n]*"|'[^'\\\n]*')""" + _OWN_PLACE + r"""|"""
    r"""\.\s*(?:replace|assign)\s*\(\s*(?P<b>"[^"\\\n]*"|'[^'\\\n]*')""" + _OWN_PLACE + r"""\s*\))"""
    r"""\s*;?\s*(?://\s*-->\s*|-->\s*)?"""
)
_SCRIPT_TYPES = ("", "text/javascript", "application/javascript", "module")
# A page that only redirects says at most "You are being redirected to ...".
_TEXT_LIMIT = 300  # characters
_ELEMENT_LIMIT = 12


def refresh_target(content: str) -> str | None:
    """The target of a meta refresh that is meant as a redirect; None if the refresh is not valid.

    "" if it names none (it then reloads the page), or if visitors see the page first: after more than 5 seconds.
    Fractions of a second do not count (HTML standard).
    """
    found = _REFRESH.fullmatch(content)
    if not found:
        return None
    delay = (found["delay"] or "").lstrip("0")
    if len(delay) > 1 or int(delay or 0) > _SOON:
        return ""
    target = found["target"]
    if target[:1] in ("'", '"'):
        target = target[1:].partition(target[0])[0]
    return target.strip(_SPACE)


def script_target(tree: LexborHTMLParser) -> str:
    """The target of a page that is nothing but a redirecting script; "" for every other page.

    On purpose narrow: the script has one statement with a literal target, and the body shows next to nothing.
    Changes the tree.
    """
    target = ""
    for node in tree.tags("script"):
        attributes = node.attributes
        if "src" in attributes or (attributes.get("type") or "").strip().lower() not in _SCRIPT_TYPES:
            continue
        found = _SCRIPT.fullmatch(node.text() or "")
        if found:
            target = (found["a"] or found["b"])[1:-1].strip()
            break
    if not target or target.startswith("#"):
        return ""
    body = tree.body
    if body is None:
        return target
    tree.strip_tags(["script", "style", "noscript", "template"])
    if len(" ".join((body.text() or "").split())) > _TEXT_LIMIT:
        return ""
    return target if len(body.css("*")) <= _ELEMENT_LIMIT else ""
