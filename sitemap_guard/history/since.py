"""What happened between an older revision and the one that was built."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemap_guard.history.process import DIFF, output, run, text
from sitemap_guard.model import UserError

if TYPE_CHECKING:
    from sitemap_guard.history.locate import Place


_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.ASCII)


def names_nothing(rev: str) -> bool:
    """Whether `rev` is what CI gives for the commit before where there was none: an id of zeros.

    GitHub at the first push of a branch; GitLab also for scheduled and manual pipelines and those of merge requests.
    """
    return _ID.fullmatch(rev) is not None and not rev.strip("0")


class Since(Struct, frozen=True):
    """`base` is the older commit's id; `paths` are those whose content differs (`A` added, `D` gone, `M` changed,
    `T` of another type), `commits` the ids of the commits that the older one does not contain.

    `blobs` names the older content of each changed path.
    """

    base: str
    paths: dict[str, str]
    commits: frozenset[str]
    blobs: dict[str, str]


def since(place: Place, tip: bytes, rev: str, *, forked: bool) -> Since:
    """What changed from `rev` to the commit `tip`; with `forked`, from where the two parted (as pull requests count).

    Raises:
        UserError: `rev` names no commit here, or git fails.
    """
    from sitemap_guard.history.locate import resolve

    base, trouble = resolve(place, rev)
    if trouble is not None:
        raise UserError(f"{trouble.detail}{_cure(place, rev)}")
    if forked:
        code, answer, _ = run(place.git, "merge-base", base.decode(), tip.decode())
        if code:
            raise UserError(
                f"{rev!r} and the commit that was built have no ancestor in common in {place.root}: "
                "fetch the whole history (actions/checkout: fetch-depth: 0)"
            )
        base = answer.split()[0]
    diff = output(place.git, "diff", "--raw", "-z", "--no-abbrev", *DIFF, base.decode(), tip.decode(), "--")
    fields = text(diff).split("\0")
    paths, blobs = {}, {}
    # Each change is `:MODE MODE ID ID STATUS`, then the path.
    for head, path in zip(fields[:-1:2], fields[1::2], strict=False):
        _, _, old, _, status = head.split(" ")
        paths[path] = status[:1]
        blobs[path] = old
    listed = output(place.git, "rev-list", tip.decode(), "--not", base.decode(), "--")
    return Since(base.decode(), paths, frozenset(listed.decode("ascii").split()), blobs)


def _cure(place: Place, rev: str) -> str:
    """Why a revision may not be here, and what to do."""
    if names_nothing(rev):
        return "; CI gives zeros where there was no commit before: leave the option out then"
    if output(place.git, "rev-parse", "--is-shallow-repository").strip() == b"true":
        return "; this clone is shallow: fetch the whole history (actions/checkout: fetch-depth: 0)"
    if _ID.fullmatch(rev):
        return f"; a force push takes commits off their branch: git fetch origin {rev}"
    return ""
