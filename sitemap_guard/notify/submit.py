"""From changes to submissions: what may be sent, in batches, and what is remembered after each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from sitemap_guard import urls
from sitemap_guard.notify.key import Place

# "up to 10,000 URLs per post" (indexnow.org, documentation).
MOST = 10_000


class Plan(Struct, frozen=True):
    """What will be sent: to which host's account, which addresses; `foreign` are not of this host or folder."""

    host: str
    place: Place
    urls: tuple[str, ...]
    foreign: tuple[str, ...]


def planned(changed: Iterable[str], base_url: str, place: Place) -> Plan:
    """The addresses that may be sent with this key: all of one host, and below the key's folder."""
    base = urls.parse(base_url)
    host = base.origin.partition("://")[2] if base is not None else ""
    ours: list[str] = []
    foreign: list[str] = []
    below = place.below.partition("://")[2]
    for url in dict.fromkeys(changed):
        (ours if url.partition("://")[2].startswith(below) else foreign).append(url)
    return Plan(host, place, tuple(ours), tuple(foreign))


def batches(addresses: Sequence[str], most: int = MOST) -> Iterator[tuple[str, ...]]:
    """The addresses in as many submissions as they need."""
    for start in range(0, len(addresses), most):
        yield tuple(addresses[start : start + most])


def body(plan: Plan, key: str, addresses: Sequence[str]) -> bytes:
    """One submission's JSON, as the protocol has it."""
    table: dict[str, object] = {"host": plan.host, "key": key}
    if plan.place.location:
        table["keyLocation"] = plan.place.location
    return msgspec.json.encode({**table, "urlList": list(addresses)})


def submit(
    plan: Plan,
    key: str,
    send: Callable[[bytes], str],
    accepted: Callable[[Sequence[str], str], None],
) -> int:
    """Send the plan, a batch at a time; `accepted` is told of each one that was taken. Returns how many addresses were.

    Raises:
        UserError: as `send` does; what was accepted before that stays so.
    """
    sent = 0
    for batch in batches(plan.urls):
        words = send(body(plan, key, batch))
        sent += len(batch)
        accepted(batch, words)
    return sent
