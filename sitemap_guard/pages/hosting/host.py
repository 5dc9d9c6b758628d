"""The host: what it answers for an address, and which headers it sets.

Where only files tell the host and they fit several, an answer counts when all of them give it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sitemap_guard import urls
from sitemap_guard.model import Located
from sitemap_guard.model.hosting import Answered, Doubt, Header, Hosting, Rule
from sitemap_guard.pages.hosting import headers, htaccess, netlify, redirects, staticwebapp, vercel
from sitemap_guard.pages.hosting.detect import Found, other_html_handling
from sitemap_guard.pages.hosting.matching import HeaderRule, Redirect, Redirects
from sitemap_guard.pages.hosting.profiles import PROFILES, serve
from sitemap_guard.pages.hosting.rewrite import Outcome, Rewrites
from sitemap_guard.pages.hosting.variables import Files
from sitemap_guard.urls import Address

# On these, frameworks may bring routes of their own: that an address without `.html` fails is not sure.
_OWN_ROUTES = frozenset({"vercel", "vercel-slash", "vercel-slashless"})


class _Candidate(Struct, frozen=True):
    """One host that the site may be on. `files_first`: a built file goes before a rule without force."""

    name: str
    profile: str
    redirects: Redirects
    headers: tuple[HeaderRule, ...] = ()
    files_first: bool = False
    loose: bool = False
    sure: bool = True
    by_file: bool = False
    rewrites: Rewrites | None = None


class Host:
    """Answers for one site.

    `is_file` and `is_folder` tell whether a path below the site's folder is a built file, or a folder.
    """

    def __init__(
        self,
        found: Found,
        base: Address | None,
        is_file: Callable[[str], bool],
        is_folder: Callable[[str], bool] = lambda name: not name,
    ) -> None:
        self.hosting: Hosting = found.hosting
        self._base = base
        self._is_file = is_file
        self._files = Files(is_file, is_folder)
        self._candidates = [_candidate(name, found, base) for name in found.hosting.profiles]
        self._doubts: Counter[tuple[Rule, str]] = Counter()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The rules whose effect nobody can tell, for the addresses that were asked for so far."""
        return tuple(Doubt(rule, why, count) for (rule, why), count in self._doubts.items())

    def answer(self, address: Address, located: Located) -> Answered | None:
        """What the host answers for an address of the site; None for one elsewhere, or when no host is known."""
        if self._base is None or not self._candidates or located.state in ("elsewhere", "outside", "unparsable"):
            return None
        path = urls.within(address, self._base)
        if path is None:
            return None
        doubts: set[tuple[Rule, str]] = set()
        found = _agreed([self._of(candidate, address, path, doubts) for candidate in self._candidates])
        self._doubts.update(doubts)
        return found

    def headers(self, address: Address, located: Located) -> tuple[Header, ...]:
        """The headers that bear on search, which all hosts that it may be on set for the address."""
        if not any(candidate.headers for candidate in self._candidates):
            return ()
        found = []
        doubts = set()
        for candidate in self._candidates:
            path = f"/{located.path}" if candidate.by_file and located.path else urls.decoded(address.path)
            told, open_ones = headers.for_address(candidate.headers, address, path)
            found.append(told)
            doubts |= {(one.headers[0].rule, one.when.why) for one in open_ones if one.headers and one.when is not None}
        self._doubts.update(doubts)
        return found[0] if all(one == found[0] for one in found) else ()

    def _of(self, candidate: _Candidate, address: Address, path: str, doubts: set[tuple[Rule, str]]) -> Answered:
        outcome = candidate.rewrites.run(address, self._files) if candidate.rewrites else Outcome()
        status, target, _ = serve(candidate.profile, path, self._is_file)
        shadowed: Rule | None = None
        if outcome.hops or not (outcome.status or outcome.undecided):
            # Before a rewrite within the site is followed, redirects are looked at (mod_alias) …
            told = _by_redirects(candidate, address, doubts, there=status != 404)
            if isinstance(told, Answered):
                return told
            shadowed = told
            # … and a folder gets its slash (mod_dir).
            if outcome.hops and path and not path.endswith("/") and self._files.is_folder(path):
                outcome = Outcome()
        if outcome.rule is not None:
            if outcome.undecided:
                return _undecided(candidate, outcome.rule, outcome.undecided, doubts)
            if outcome.status:
                return _rewritten(candidate, address, outcome, outcome.rule)
            inner = urls.within(replace(address, path=outcome.path), self._base) if self._base else None
            status, target, _ = serve(candidate.profile, inner, self._is_file) if inner is not None else (404, "", "")
            if status == 404:
                # A script or a folder beside the site's may be what answers there.
                return _undecided(candidate, outcome.rule, f"{outcome.path}, which was not built", doubts)
        sure = candidate.sure and PROFILES[candidate.profile].sure
        if status == 404:
            return Answered(404, host=candidate.name, sure=sure and candidate.profile not in _OWN_ROUTES)
        if target:
            location = address.origin + _encoded(address.path, target.endswith("/")) + address.query
            return Answered(status, location, candidate.name, sure=sure, shadowed=shadowed)
        return Answered(200, host=candidate.name, sure=sure, shadowed=shadowed)


def _by_redirects(
    candidate: _Candidate, address: Address, doubts: set[tuple[Rule, str]], *, there: bool
) -> Answered | Rule | None:
    """What the redirects answer; else the rule that a built file goes before, if there is one."""
    hit = candidate.redirects.first(address) if candidate.redirects else None
    if hit is None:
        return None
    by_rule: Answered | None = None
    shadowed = None
    if hit.rule is not None:
        if not (candidate.files_first and there and not hit.rule.force):
            by_rule = _by_rule(candidate, address, hit.rule, hit.target)
        elif hit.rule.status != 200 and not _same(address, hit.target):
            shadowed = hit.rule.rule
    for rule, target in hit.doubts:
        if candidate.files_first and there and not rule.force:
            continue
        other = _by_rule(candidate, address, rule, target)
        if other is not None and (by_rule is None or other.location != by_rule.location):
            return _undecided(candidate, rule.rule, rule.when.why if rule.when else "", doubts)
    return by_rule or shadowed


def _rewritten(candidate: _Candidate, address: Address, outcome: Outcome, rule: Rule) -> Answered:
    if not 300 <= outcome.status < 400:
        return Answered(outcome.status, host=candidate.name, rule=rule, sure=candidate.sure)
    target = urls.parse(outcome.location, address.href)
    if target is None or target.href == address.href:
        return Answered(200, host=candidate.name, sure=False)
    return Answered(outcome.status, target.href, candidate.name, rule, candidate.sure)


def _undecided(candidate: _Candidate, rule: Rule, why: str, doubts: set[tuple[Rule, str]]) -> Answered:
    doubts.add((rule, why))
    return Answered(host=candidate.name, sure=False, undecided=rule)


def _by_rule(candidate: _Candidate, address: Address, rule: Redirect, written: str) -> Answered | None:
    """What a rule answers; None when it would lead back to the same address."""
    if not 300 <= rule.status < 400:
        return Answered(rule.status, host=candidate.name, rule=rule.rule, sure=candidate.sure)
    if candidate.by_file and "?" not in written:
        written += address.query  # mod_alias hands the query on
    target = urls.parse(written, address.href)
    if target is None or target.href == address.href or (candidate.loose and _same(address, written)):
        return None
    return Answered(rule.status, target.href, candidate.name, rule.rule, candidate.sure)


def _same(address: Address, written: str) -> bool:
    """Whether the target is the address itself, but for the slash at its end."""
    target = urls.parse(written, address.href)
    return target is not None and target.href.rstrip("/") == address.href.rstrip("/")


def _encoded(path: str, slash: bool) -> str:
    """The path of an address in its bare form (no slash, `.html` or `index.html`), and a slash if wanted."""
    path = path.removesuffix("/index.html")
    bare = path.rstrip("/").removesuffix(".html")
    return f"{bare}/" if slash or not bare else bare


def _agreed(answers: Sequence[Answered]) -> Answered:
    first = answers[0]
    if len(answers) == 1:
        return first
    shadowed = next((answer.shadowed for answer in answers if answer.shadowed), None)
    undecided = next((answer.undecided for answer in answers if answer.undecided), None)
    kinds = {(answer.status // 100, answer.location) for answer in answers}
    if len(kinds) > 1 or undecided is not None:
        return Answered(sure=undecided is None, shadowed=shadowed, undecided=undecided)
    names = " and ".join(answer.host for answer in answers)
    rule = next((answer.rule for answer in answers if answer.rule), None)
    return replace(first, host=names, rule=rule, sure=all(answer.sure for answer in answers), shadowed=shadowed)


def _candidate(name: str, found: Found, base: Address | None) -> _Candidate:
    """The host of that name with the rules that it reads."""
    files = found.files

    def text(file: str) -> tuple[str, str]:
        return files.get(file, ("", file))

    rules: list[Redirect] = []
    headers_: list[HeaderRule] = []
    rewrites: Rewrites | None = None
    profile, sure = name, found.sure
    if name == "netlify":
        # _redirects goes before netlify.toml ("Rule processing order").
        own = netlify.parse(*text("netlify.toml"))
        rules = [*redirects.parse(*text("_redirects"), conditional=True), *own.redirects]
        headers_ = [*headers.parse(*text("_headers")), *own.headers]
        profile = "netlify-plain" if own.pretty is False else "netlify"
    elif name == "cloudflare-pages":
        rules = redirects.parse(*text("_redirects"), exact=True)
        headers_ = headers.parse(*text("_headers"), exact=True)
        # A worker of the site's own may answer for any address.
        sure = sure and not other_html_handling(files) and "_worker.js" not in files
    elif name == "gitlab-pages":
        rules = redirects.parse(*text("_redirects"))
    elif name == "vercel":
        config = vercel.parse(*text("vercel.json"))
        rules, headers_, profile = list(config.redirects), list(config.headers), config.profile
    elif name == "azure":
        swa = staticwebapp.parse(*text("staticwebapp.config.json"))
        rules, headers_, profile = list(swa.redirects), list(swa.headers), swa.profile
    elif name == "apache":
        apache = htaccess.parse(*text(".htaccess"), base.path if base else "/")
        rules, headers_, rewrites = list(apache.redirects), list(apache.headers), apache.rewrites
        sure = sure and apache.certain
    return _Candidate(
        name,
        profile,
        Redirects(rules),
        tuple(headers_),
        files_first=name in ("netlify", "gitlab-pages"),
        loose=name in ("netlify", "gitlab-pages"),
        sure=sure,
        by_file=name == "apache",
        rewrites=rewrites,
    )
