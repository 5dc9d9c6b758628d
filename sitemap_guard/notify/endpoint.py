"""Where submissions go, and what its answers mean."""

from __future__ import annotations

from urllib.parse import urlsplit

from msgspec import Struct

from sitemap_guard.config.places import ENDPOINT, fault_of_endpoint
from sitemap_guard.model import UserError

DEFAULT = ENDPOINT


def checked(text: str) -> str:
    """The endpoint's address: https, with a path; plain http only to this very machine, by number.

    Raises:
        UserError: it is none of these.
    """
    fault = fault_of_endpoint(text)
    if fault:
        raise UserError(f"endpoint: {fault}")
    return text if urlsplit(text).path not in ("", "/") else f"{text.rstrip('/')}/indexnow"


class Meaning(Struct, frozen=True):
    """What an answer means: taken or not, whether to ask again, and in words."""

    accepted: bool
    again: bool
    text: str


_MEANINGS = {
    200: Meaning(True, False, "accepted"),
    202: Meaning(True, False, "accepted; the engine has still to look at the key's file"),
    400: Meaning(False, False, "the engine cannot read the submission (400); please report it with --debug"),
    403: Meaning(
        False, False,
        "the engine found no valid key (403): is the key's file deployed, and does it hold this key? Send after the "
        "deployment, not before",
    ),
    405: Meaning(False, False, "the address takes no submissions (405): is the endpoint right?"),
    413: Meaning(False, False, "the engine refuses so large a submission (413)"),
    422: Meaning(
        False, False,
        "the engine says that addresses are not of this host, or that the key does not fit (422)",
    ),
    429: Meaning(False, True, "too many submissions (429)"),
}  # fmt: skip


def meaning(status: int) -> Meaning:
    """The meaning of a status, from IndexNow's documentation where that knows it."""
    if status in _MEANINGS:
        return _MEANINGS[status]
    if 200 <= status < 300:
        return Meaning(True, False, f"accepted ({status})")
    if 300 <= status < 400:
        return Meaning(
            False, False, f"the endpoint redirects ({status}), and a key is not sent on; name the new address"
        )
    if status == 404:
        return Meaning(False, False, "there is no such endpoint (404): is its path right?")
    if status >= 500:
        return Meaning(False, True, f"the engine has trouble ({status})")
    return Meaning(False, False, f"the engine refuses it ({status})")
