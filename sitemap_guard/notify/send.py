"""One submission over HTTP: no redirect is followed, every wait has an end, and a refusal is told in words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from sitemap_guard import __version__
from sitemap_guard.model import UserError
from sitemap_guard.notify.endpoint import meaning
from sitemap_guard.reports.safe import clean

if TYPE_CHECKING:
    import urllib3

_MOST_SAID = 300
_MOST_READ = 65_536


class Patience(Struct, frozen=True):
    """How often and how long to try, in seconds: `attempts` in all, the `first` pause (doubled each time), the longest
    pause `most`, and the time that one attempt may take, `limit`."""

    attempts: int = 5
    first: float = 2.0
    most: float = 120.0
    limit: float = 60.0


class Reply(Struct, frozen=True):
    """What came back: the status (0: nothing), the pause that the server asks for (None: none), and its words."""

    status: int
    after: float | None = None
    said: str = ""
    trouble: str = ""
    again: bool = False


def post(
    url: str,
    body: bytes,
    patience: Patience,
    tell: Callable[[str], None],
    *,
    secret: str,
    wait: Callable[[float], None] = time.sleep,
) -> str:
    """Submit a body, trying again while the engine is busy or cannot be reached. Returns how it was accepted, in words.

    `tell` is told of each pause. `secret` is taken out of whatever the server says.

    Raises:
        UserError: it was refused, or not accepted in the end.
    """
    pause = patience.first
    for attempt in range(1, patience.attempts + 1):
        reply = _within(patience.limit, lambda: _once(url, body, patience.limit, secret))
        known = meaning(reply.status)
        why = reply.trouble or known.text
        if known.accepted and not reply.trouble:
            return why
        said = f" It said: {reply.said}" if reply.said else ""
        if not (reply.again or (not reply.trouble and known.again)):
            raise UserError(f"not submitted: {why}.{said}")
        asked = min(pause, patience.most) if reply.after is None else reply.after
        if attempt == patience.attempts:
            raise UserError(f"not submitted: {why}, {attempt} times; run it again later.{said}")
        if asked > patience.most:
            raise UserError(f"not submitted: {why}; the engine asks for {asked:,.0f} seconds: run it again then.{said}")
        tell(f"{why}; trying again in {asked:,.0f} seconds ({attempt} of {patience.attempts})")
        wait(asked)
        pause *= 2
    raise AssertionError("no attempt was made")


def _within(seconds: float, call: Callable[[], Reply]) -> Reply:
    """The reply, or that none came in time: a server may send a byte now and then for ever."""
    found: list[Reply] = []
    bugs: list[BaseException] = []

    def ask() -> None:
        try:
            found.append(call())
        except BaseException as error:  # raised again below, where it can be seen
            bugs.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if bugs:
        raise bugs[0]
    return found[0] if found else Reply(0, trouble=f"no answer in {seconds:g} seconds", again=True)


def _once(url: str, body: bytes, limit: float, secret: str) -> Reply:
    import urllib3

    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": f"sitemap-guard/{__version__}",
        "Accept": "*/*",
    }
    try:
        with _pool(url, limit) as pool:
            answer: Any = pool.request(
                "POST", url, body=body, headers=headers, retries=False, redirect=False, preload_content=False
            )
            said = answer.read(_MOST_READ) if answer.status >= 300 else b""
            return Reply(answer.status, _after(answer.headers.get("Retry-After", "")), _words(said, secret))
    except urllib3.exceptions.SSLError as error:
        return Reply(0, trouble=f"the endpoint's certificate is not accepted ({_reason(error)})")
    except urllib3.exceptions.NewConnectionError as error:  # one of the timeouts, by its class
        return Reply(0, trouble=f"the endpoint cannot be reached ({_reason(error)})", again=True)
    except urllib3.exceptions.TimeoutError:
        return Reply(0, trouble=f"no answer in {limit:g} seconds", again=True)
    except (urllib3.exceptions.HTTPError, OSError) as error:
        return Reply(0, trouble=f"the connection broke off ({_reason(error)})", again=True)


def _pool(url: str, limit: float) -> urllib3.PoolManager:
    """Straight to the endpoint, or through the proxy that the environment names."""
    from urllib.request import getproxies, proxy_bypass

    import urllib3

    timeout = urllib3.Timeout(connect=min(limit, 15.0), read=limit)
    host = url.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0]
    proxy = getproxies().get("https", "") if url.startswith("https:") and not proxy_bypass(host) else ""
    if proxy:
        return urllib3.ProxyManager(proxy, num_pools=1, timeout=timeout)
    return urllib3.PoolManager(num_pools=1, timeout=timeout)


def _after(text: str) -> float | None:
    """The seconds of a Retry-After header, as a number or as a date (RFC 9110 10.2.3); None without one."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    from email.utils import parsedate_to_datetime

    try:
        return max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _words(said: bytes, secret: str) -> str:
    """The server's words, without the key that it may repeat: hidden before they are cut."""
    text = " ".join(said.decode("utf-8", "replace").split()).replace(secret, "<key>")
    return clean(text, _MOST_SAID)


def _reason(error: BaseException) -> str:
    """The innermost cause in a few words, without addresses of objects."""
    cause: BaseException = error
    while (inner := cause.__cause__ or cause.__context__) is not None:
        cause = inner
    return clean(str(cause).rpartition("> ")[2] or str(cause) or type(cause).__name__)[:200]
