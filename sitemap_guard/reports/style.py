"""How a report is to look; the settings of the person who reads it, none of them part of the result."""

from __future__ import annotations

from msgspec import Struct


class Style(Struct, frozen=True):
    """Settings that every format gets; a format uses those that mean something to it.

    `everything` shows each finding of a large group. `verbosity`: -1 a line for each group of errors and the
    verdict, 0 the usual report, 1 also what each date stands on. `width` is in columns. `folder` is the absolute path,
    with `/`, of the folder that the command runs in, for readers that look for files from there; "" when not known.
    """

    everything: bool = False
    verbosity: int = 0
    color: bool = False
    width: int = 100
    folder: str = ""
