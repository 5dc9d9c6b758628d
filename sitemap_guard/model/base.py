"""The ground that everything stands on: failures that users can mend, levels, and times."""

from __future__ import annotations

import enum
from datetime import UTC, datetime, timedelta, timezone

from msgspec import Struct


class UserError(Exception):
    """An expected failure: the text is one line that says what is wrong, where, and what to do.

    Ends the program with exit code 2. Anything else that escapes is a bug of ours (exit code 3).
    """


class SettingError(UserError):
    """A setting that cannot be used. `key` leads to it, as in `("manifest", 1, "file")`.

    Whoever knows the file of the settings adds the place (`Settings.placing`).
    """

    def __init__(self, key: tuple[str | int, ...], text: str) -> None:
        super().__init__(f"{dotted(key)}: {text}" if key else text)
        self.key = key
        self.text = text


def dotted(key: tuple[str | int, ...]) -> str:
    """A key as people write it: `manifest[1].file`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key).removeprefix(".")


class Level(enum.IntEnum):
    """How grave a finding is; the order is that of severity."""

    OFF = 0
    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The level's name as users write and read it."""
        return self.name.lower()


# 0001-01-02 and 9999-12-30: a day from the calendar's ends, so that every zone stays inside.
_CALENDAR = (-62135510400, 253402128000)


class Instant(Struct, frozen=True, gc=False):
    """A moment and the zone it was written in."""

    seconds: int
    offset: int = 0

    def iso(self, precision: str = "second") -> str:
        """As a W3C datetime of that precision (`year`, `month`, `day`, `minute`, `second`), in its own zone."""
        moment = self.datetime()
        match precision:
            case "year":
                return f"{moment:%Y}"
            case "month":
                return f"{moment:%Y-%m}"
            case "day":
                return f"{moment:%Y-%m-%d}"
            case "minute":
                return f"{moment:%Y-%m-%dT%H:%M}" + self._zone()
        return f"{moment:%Y-%m-%dT%H:%M:%S}" + self._zone()

    def human(self) -> str:
        """For people: `2026-10-15 14:25 +02:00`."""
        return f"{self.datetime():%Y-%m-%d %H:%M} " + (self._zone() if self.offset else "UTC")

    def datetime(self) -> datetime:
        """As an aware datetime. A clock that was years off (git takes any number) ends at the calendar's end."""
        zone = UTC if self.offset == 0 else timezone(timedelta(minutes=self.offset))
        seconds = min(max(self.seconds, _CALENDAR[0]), _CALENDAR[1])
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(zone)

    def _zone(self) -> str:
        if self.offset == 0:
            return "Z"
        hours, minutes = divmod(abs(self.offset), 60)
        return f"{'-' if self.offset < 0 else '+'}{hours:02}:{minutes:02}"


class Moment(Struct, frozen=True, gc=False):
    """What a date stands for: the seconds it covers in its own precision, both ends included.

    `precision` is `year`, `month`, `day`, `minute` or `second`. With `offset` (minutes east of UTC) the seconds are
    true ones; without (None: the text names no zone) they are those of a wall clock, as if it showed UTC.
    """

    first: int
    last: int
    precision: str
    offset: int | None
