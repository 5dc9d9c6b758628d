"""A closer look, for the few claims that the last changes do not settle: chains, date fields, and their age.

Contents are read only here, and only for the sources of those claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemap_guard.config import Dates, Policy
from sitemap_guard.files import read_file
from sitemap_guard.model import BadField, Field, PathHistory, SettingError, Skipped, Stale
from sitemap_guard.sources.front_matter import read_dates, value_of
from sitemap_guard.sources.globs import Files, has_wild_card
from sitemap_guard.sources.idle import nearest
from sitemap_guard.sources.substance import Substance

if TYPE_CHECKING:
    from sitemap_guard.history.chain import GoOn, Trail, Versions
    from sitemap_guard.history.reader import HistoryReader

_DEFAULT_LIST = ".git-blame-ignore-revs"
_MOST_BYTES = 16 << 20
# Git writes "Merge branch 'main' into feature", and "Merge branch 'main' of URL" for a pull.
_BACK = re.compile(
    r"Merge (?:remote-tracking )?branch '(?:[^'/]+/)?(?:main|master|trunk|default)'"
    r"(?:(?: of \S+)? into (?!(?:main|master|trunk|default)$)\S+| of \S+)$"
)
# So many sources at most are followed to where their date field was set.
_MOST_AGED = 5000


class Closer:
    """Reads what few claims need. `notes` say what could not be looked at."""

    def __init__(self, history: HistoryReader, settings: Dates, policies: Sequence[Policy]) -> None:
        self._history = history
        self._settings = settings
        self._policies = policies
        self.substance = Substance(settings.counting_keys, settings.trivial, settings.min_change)
        self._read: dict[str, tuple[tuple[Field, ...], tuple[BadField, ...]]] = {}
        self._idle: dict[str, None] = {}
        self._unknown = 0
        self._unaged = 0
        self._odd_lines = 0
        self.ignored: frozenset[str] = frozenset() if history.repository.problem else self._ignored()

    # ------------------------------------------------------------------------------------------- settings

    def _ignored(self) -> frozenset[str]:
        """The commits that the owner of the site has listed as of no account, as `git blame` reads such a list."""
        name = self._settings.ignore_revs
        if not name:
            return frozenset()
        content = self._history.blob(name)
        if content is None:
            file = Path(self._history.repository.root) / name
            try:
                content = read_file(file, _MOST_BYTES) if self._history.repository.root else None
            except FileNotFoundError:
                content = None
            except OSError as error:
                raise SettingError(("dates", "ignore-revs"), f"{name!r} cannot be read: {error.strerror}") from None
        if content is None:
            if name != _DEFAULT_LIST:
                raise SettingError(("dates", "ignore-revs"), f"there is no file {name!r} in the repository; correct it")
            return frozenset()
        lines = [line.partition("#")[0].strip() for line in content.decode("utf-8", "replace").splitlines()]
        found = {line.lower() for line in lines if re.fullmatch(r"[0-9a-fA-F]{40}|[0-9a-fA-F]{64}", line)}
        self._odd_lines = sum(1 for line in lines if line and line.lower() not in found)
        return frozenset(found)

    def policies(self) -> dict[str, str]:
        """The `field` policy of each tracked file that has one; the last that fits counts."""
        found: dict[str, str] = {}
        if self._policies:
            files = Files(self._history.repository.tracked)
            for policy in self._policies:
                for pattern in policy.paths:
                    fitting = files.matching(f"{pattern}/*" if pattern == "**" else pattern)
                    found.update(dict.fromkeys(fitting, policy.field))
                    if not fitting:
                        self._idle[pattern] = None
        return found

    def idle(self) -> tuple[str, ...]:
        """What is to be said of patterns that fit nothing, and so have no effect."""
        if self._history.repository.problem:
            return ()
        tracked = self._history.repository.tracked
        near = {pattern: "" if has_wild_card(pattern) else nearest(pattern, tracked) for pattern in self._idle}
        return tuple(f"[[policy]] paths: {one!r} fits no file that git tracks{near[one]}" for one in near)

    # --------------------------------------------------------------------------------------------- fields

    def fields(self, paths: Iterable[str]) -> dict[str, tuple[Field, ...]]:
        """The date fields of these sources, and of all that were asked for before."""
        for path in paths:
            if path not in self._read:
                content = self._history.blob(path) or b""
                self._read[path] = read_dates(path, content, self._settings.fields)
        return {path: fields for path, (fields, _) in self._read.items()}

    def bad_fields(self, paths: Iterable[str]) -> tuple[BadField, ...]:
        """The fields of these sources, as far as they were read, whose values are no dates."""
        return tuple(bad for path in sorted(set(paths).intersection(self._read)) for bad in self._read[path][1])

    def stale(self, standing: Mapping[str, Field]) -> dict[tuple[str, str], Stale]:
        """How far each source went on after the commit that last changed the value of the field it stands on."""
        asked = dict(sorted(standing.items())[:_MOST_AGED])
        self._unaged += len(standing) - len(asked)

        def same(path: str, versions: Versions, _why: str) -> bool:
            field = asked[path]
            if field.name == "file name":
                return value_of(versions.old_path, b"", field.name) == field.value
            old = versions.old()
            return old is not None and value_of(versions.old_path, old, field.name) == field.value

        found: dict[tuple[str, str], Stale] = {}

        def question(path: str) -> str:
            return f"age {asked[path].name} {asked[path].value} {self._asked}"

        for path, trail in self._trails(asked, same, question).items():
            if not trail.changes or any(change.why == "unknown" for change in trail.changes[:-1]):
                continue
            *later, first = trail.changes
            known = not trail.cut and not first.edge
            counted = [change for change in later if not change.why]
            if counted:
                stale = Stale(first.commit if known else None, len(later), len(counted), counted[0])
                found[path, asked[path].name] = stale
        return found

    # --------------------------------------------------------------------------------------------- chains

    def chains(self, histories: dict[str, PathHistory], paths: Iterable[str]) -> dict[str, PathHistory]:
        """The histories, with the chains of these paths."""
        wanted = [path for path in dict.fromkeys(paths) if (known := histories.get(path)) and known.last]
        lacking = [path for path in wanted if not histories[path].chain]
        trails = self._trails(lacking, lambda _p, _v, why: bool(why), lambda _path: f"chain {self._asked}")
        found = {
            path: replace(histories[path], chain=trail.changes)
            for path, trail in trails.items()
            # An evidence file can know of a later change than this clone does.
            if trail.changes and (last := histories[path].last) and last.commit.id == trail.changes[0].commit.id
        }
        return histories | found

    def back_merges(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of the merges that brought the published branch into a side branch, by git's own words for it."""
        return frozenset(commit for commit, subject in self._history.subjects(ids).items() if _BACK.match(subject))

    @property
    def _asked(self) -> str:
        """All that what is of substance depends on."""
        settings = self._settings
        return repr((settings.counting_keys, settings.trivial, settings.min_change, sorted(self.ignored)))

    def _trails(self, paths: Iterable[str], go_on: GoOn, question: Callable[[str], str]) -> dict[str, Trail]:
        trails = self._history.trails(paths, self.substance.why, go_on, self.ignored, question)
        self._unknown += sum(1 for trail in trails.values() for change in trail.changes if change.why == "unknown")
        return trails

    def notes(self) -> tuple[Skipped, ...]:
        """What could not be looked at, and why."""
        found = []
        if self._unknown:
            why = "this is a partial clone without contents; judge in a full one to have them compared"
            found.append(Skipped(f"whether {self._unknown:,} changes are of white space or front matter only", why))
        if self._unaged:
            found.append(Skipped(f"the age of {self._unaged:,} date fields", f"only {_MOST_AGED:,} are looked into"))
        if self._odd_lines:
            why = "they are no full commit ids; git blame refuses them too"
            found.append(Skipped(f"{self._odd_lines:,} lines of {self._settings.ignore_revs}", why))
        return tuple(found)
