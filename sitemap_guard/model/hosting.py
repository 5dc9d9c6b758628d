"""What the host answers, as far as files and its documented rules tell."""

from __future__ import annotations

from msgspec import Struct

from sitemap_guard.model.pages import Located, Page


class Rule(Struct, frozen=True):
    """Where a rule of the host stands: the shown path of its file, and the line (0: not known)."""

    path: str
    line: int = 0


class Answered(Struct, frozen=True, gc=False):
    """What the host answers for one address.

    `status` is 0 when it is not known, else 200, 301, 302, 303, 307, 308, 404 or 410. `location` is the absolute
    target of a redirect. `host` names the profiles that answer so. `rule` is where the redirect is written (None: the
    host's own way with slashes and file endings). `sure` is false when a setting that no file shows could change
    the answer. `shadowed` is a rule for this address that never takes effect, since a built file goes first.
    `undecided` is a rule that may take effect or not, which depends on what a plain request does not tell: `status` is
    0 then.
    """

    status: int = 0
    location: str = ""
    host: str = ""
    rule: Rule | None = None
    sure: bool = True
    shadowed: Rule | None = None
    undecided: Rule | None = None

    @property
    def redirects(self) -> bool:
        """Whether it sends visitors elsewhere."""
        return 300 <= self.status < 400


class Header(Struct, frozen=True, gc=False):
    """A response header that bears on search: `name` in lower case (`x-robots-tag`, `link`), and where it is set."""

    name: str
    value: str
    rule: Rule


class Doubt(Struct, frozen=True):
    """A rule of the host whose effect is not known: for how many addresses, and what it depends on, in words."""

    rule: Rule
    why: str
    count: int


class Hosting(Struct, frozen=True):
    """Which hosts the site may be on: names of profiles ("" for none), and how that was found, for people.

    `doubts` are the rules that nobody can tell the effect of, for the addresses that were asked for.
    """

    profiles: tuple[str, ...] = ()
    by: str = ""
    doubts: tuple[Doubt, ...] = ()


class Target(Struct, frozen=True):
    """What stands behind an address that pages or alternates name: see `Entry`. `page` is None when it was not read."""

    located: Located
    page: Page | None = None
    answered: Answered | None = None
    headers: tuple[Header, ...] = ()


class Built(Struct, frozen=True):
    """A built page that no sitemap lists, and the address that it would be listed under."""

    url: str
    page: Page
    disallowed: bool = False
    answered: Answered | None = None
    headers: tuple[Header, ...] = ()
