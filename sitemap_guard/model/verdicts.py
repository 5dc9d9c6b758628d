"""From a URL to its source, and from witnesses to a verdict."""

from __future__ import annotations

import enum

from msgspec import Struct

from sitemap_guard.model.base import Moment
from sitemap_guard.model.history import Change, Commit


class Held(Struct, frozen=True, gc=False):
    """A source that its generator does not publish: its path, the line that says so (0: none), and why in words."""

    path: str
    line: int
    why: str


class Mapping(Struct, frozen=True, gc=False):
    """How a URL leads to its source.

    `content` is the source's path from the repository's root ("" for none), `also` further files whose changes change
    the page. `how`: `rule`, `manifest`, `edit-link`, `generator`, `identity`, `copy` or "", and `by` which manifest
    or generator. When there is no source, `reason` is a code (`no-source`, `untracked`, `ambiguous`) and `tried` says
    for people what was tried; with a source, both speak of a `[[source]]` rule that led nowhere. `kind`: `page`, or
    `list` for one that lists others (home, section, tag, author, archive, pager), which may have no file. `missing`
    are paths that should be the source but are not tracked; `reason` then says why as far as it is known (`case`,
    `submodule`, `staged`, `ignored`, `untracked`, `missing`). `rival` is another file that may be the source of a
    page that is taken for its own ("" for none). `held` is the source of a page that was not built, if it is one that
    is held back.
    """

    content: str = ""
    also: tuple[str, ...] = ()
    how: str = ""
    reason: str = ""
    tried: str = ""
    by: str = ""
    kind: str = "page"
    missing: tuple[str, ...] = ()
    rival: str = ""
    held: Held | None = None


class Field(Struct, frozen=True, gc=False):
    """A date field of a source's front matter, or its dated file name (`name` is then `file name`)."""

    name: str
    value: str
    line: int
    moment: Moment


class BadField(Struct, frozen=True):
    """A date field of a source whose value is no date."""

    path: str
    name: str
    value: str
    line: int


class Unread(Struct, frozen=True):
    """A date field that sources carry and the claims do not follow.

    `why`: `list` (the generator's list of date fields lacks the name; `detail` says which list) or `ignored` (the
    claims say other things, and false ones). `count` sources carry it, of which `path` at `line` is one.
    """

    name: str
    why: str
    detail: str
    count: int
    path: str
    line: int


class Stale(Struct, frozen=True):
    """How far a source went on after the commit that last changed a field's own value.

    `since` counts the later commits to the source, `changes` those of them that are substantive, of which `newest`
    is one. `set_by` is None when the history does not reach back to it.
    """

    set_by: Commit | None
    since: int
    changes: int
    newest: Change


class Answer(enum.Enum):
    """The verdict on one lastmod."""

    TRUE = "true"
    FALSE = "false"
    CANNOT_TELL = "cannot_tell"
    ABSENT = "absent"


class Witness(Struct, frozen=True, gc=False):
    """A dated reason on which a lastmod may stand.

    `kind`: `change`, `evidence` (a change that an evidence file tells of), `twin`, `merge`, `field`, `staged`,
    `edited`, `child` (the newest page that a list shows), `ignored` (a change that the site's own list leaves out of
    account), `template` (one of a file that many pages share; it speaks against the claim). `path` is the source it
    speaks of.
    `stale`: the source changed after the field was set. Of a `child`: `listed` tells whether the list's page links to
    it, `own` is the last change of the list's own file (None: it has none).
    """

    kind: str
    path: str
    change: Change | None = None
    field: Field | None = None
    stale: Stale | None = None
    listed: bool = False
    own: Change | None = None


class Verdict(Struct, frozen=True, gc=False):
    """The judgement of one claim's lastmod.

    `rule` is the rule that is broken ("" for none; a true claim can break `lastmod-overstated`). `witness` is what a
    true claim stands on, or the best witness against a false one. `reason` is a code when it cannot be told, `text`
    the sentence for people (a false claim mostly has none: its finding tells it). `expected` is the value that would
    be true, None when there is none to propose (then the element should go). `cause` names a habit shared by many
    false claims ("" for none). `field` is a date field of the source that says something else than a false claim.
    """

    answer: Answer
    rule: str = ""
    witness: Witness | None = None
    reason: str = ""
    text: str = ""
    expected: str | None = None
    cause: str = ""
    field: Field | None = None

    @property
    def cut_off(self) -> bool:
        """Whether it is false by the edge of a shallow clone: what would be true lies behind that, not known here."""
        change = self.witness.change if self.witness is not None else None
        return self.answer is Answer.FALSE and self.expected is None and change is not None and change.edge
