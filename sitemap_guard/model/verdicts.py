"""From a URL to its source, and from witnesses to a verdict."""

from __future__ import annotations

import enum

from msgspec import Struct

from sitemap_guard.model.base import Moment
from sitemap_guard.model.history import Change


class Mapping(Struct, frozen=True):
    """How a URL leads to its source.

    `content` is the source's path from the repository's root ("" for none), `also` further files whose changes
    change the page. `how`: `rule`, `edit-link`, `identity` or "". When there is no source, `reason` is a code
    (`no-source`, `untracked`, `ambiguous`) and `tried` says for people what was tried.
    """

    content: str = ""
    also: tuple[str, ...] = ()
    how: str = ""
    reason: str = ""
    tried: str = ""


class Field(Struct, frozen=True):
    """A date field of a source's front matter, or its dated file name (`name` is then `file name`)."""

    name: str
    value: str
    line: int
    moment: Moment


class Answer(enum.Enum):
    """The verdict on one lastmod."""

    TRUE = "true"
    FALSE = "false"
    CANNOT_TELL = "cannot_tell"
    ABSENT = "absent"


class Witness(Struct, frozen=True):
    """A dated reason on which a lastmod may stand.

    `kind`: `change`, `twin`, `merge`, `field`, `staged`, `edited`. `path` is the source it speaks of.
    """

    kind: str
    path: str
    change: Change | None = None
    field: Field | None = None


class Verdict(Struct, frozen=True):
    """The judgement of one claim's lastmod.

    `rule` is the rule that is broken ("" for none; a true claim can break `lastmod-overstated`). `witness` is
    what a true claim stands on, or the best witness against a false one. `reason` is a code when it cannot be
    told, `text` the sentence for people. `expected` is the value that would be true, None when there is none to
    propose (then the element should go). `cause` names a habit shared by many false claims ("" for none).
    """

    answer: Answer
    rule: str = ""
    witness: Witness | None = None
    reason: str = ""
    text: str = ""
    expected: str | None = None
    cause: str = ""
