"""How a site writes its dates: what a date that is added should look like."""

from __future__ import annotations

from collections import Counter

from sitemap_guard import dates
from sitemap_guard.judgement.judge import moment_of
from sitemap_guard.model import Answer, Change, Entry, Instant, Moment, Site

_PLAIN = "2000-01-01"


class Habit:
    """The precision, zone and spelling of most dates of a site, and which of a change's times they name."""

    def __init__(self, site: Site) -> None:
        looks: Counter[tuple[str, int | None, bool]] = Counter()
        examples: dict[tuple[str, int | None, bool], str] = {}
        times: Counter[str] = Counter()
        for entry in site.entries:
            moment, text = moment_of(entry.claim), entry.claim.lastmod or ""
            if moment is None or entry.claim.feed:
                continue
            look = (moment.precision, None if moment.offset else moment.offset, "." in text)
            looks[look] += 1
            examples.setdefault(look, text)
            if entry.verdict.answer is Answer.TRUE and entry.verdict.witness and entry.verdict.witness.change:
                times.update(_named(entry.verdict.witness.change, moment))
        self._like = examples[max(looks, key=lambda look: looks[look])] if looks else _PLAIN
        self._own_zone = bool(looks) and max(looks, key=lambda look: looks[look])[1] is None
        self._time = "committed" if times["committed"] > times["authored"] else "authored"

    def date(self, entry: Entry) -> str | None:
        """The date of a page's last change, as this site writes dates; None when it is not known."""
        witness = entry.verdict.witness
        if witness is None or witness.change is None or witness.change.edge:
            return None
        commit = witness.change.commit
        instant = commit.committed if self._time == "committed" else commit.authored
        moment = dates.parse(self._like)
        if moment is None:
            return None
        if moment.offset is not None and self._own_zone:
            # The site writes each date in its own zone: so does this one.
            like = self._like[:-6] + "+00:00"  # the zone that is put in when the page's own is that of UTC
            moment = Moment(moment.first, moment.last, moment.precision, instant.offset)
            return dates.write(Instant(instant.seconds, instant.offset), moment, like)
        return dates.write(instant, moment, self._like)


def _named(change: Change, moment: Moment) -> list[str]:
    times = {"authored": change.commit.authored, "committed": change.commit.committed}
    return [name for name, time in times.items() if dates.meets(moment, time.seconds, time.seconds, (0, time.offset))]
