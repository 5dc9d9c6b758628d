"""What was published before: the sitemap that this build's is compared with."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.claims import Claim
from sitemap_guard.model.pages import Located


class Published(Struct, frozen=True):
    """An older sitemap with its parts.

    `path` is the file as the caller named it. `claims` are by address as browsers write it; of two claims on one
    address the first counts. `dropped` are the addresses that no sitemap lists any more, each with the built file
    behind it. `lacking` are parts that its index lists and that were not found beside it.
    """

    path: str
    claims: dict[str, Claim]
    dropped: dict[str, Located] = {}
    lacking: tuple[str, ...] = ()
