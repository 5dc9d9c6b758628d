"""What search engines take for a language code in hreflang.

A language of ISO 639-1 (two letters), with a script of ISO 15924 and a region of ISO 3166-1 alpha-2 if wanted, in any
case, parted by hyphens; or `x-default`. Google names what it does not take: a region alone, three-letter languages,
`es-419`, the regions EU, UN and UK ("Tell Google about localized versions of your page").
"""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

_CODE = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<rest>(?:-\w+)*)"
)
_NO_REGION = {"uk": "write GB for the United Kingdom", "eu": "it is no country", "un": "it is no country"}
# Regions of private use in ISO 3166-1 but XK, which everybody uses for Kosovo.
_PRIVATE = re.compile(r"aa|q[m-z]|x(?!k)[a-z]|zz")
# Codes of countries that are often taken for those of their languages.
_MEANT = {
    "jp": "ja", "cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk", "sp": "es", "at": "de-AT", "us": "en-US",
    "gb": "en-GB", "ie": "en-IE", "nz": "en-NZ", "mx": "es-MX", "tw": "zh-TW", "hk": "zh-HK", "rs": "sr", "ee": "et",
}  # fmt: skip


class Fault(Struct, frozen=True):
    """What is wrong with a code. `ignored`: it is a right code, but search engines do not use it."""

    text: str
    ignored: bool = False


@cache
def fault(code: str) -> Fault | None:
    """What is wrong with an hreflang code; None when search engines take it."""
    lowered = code.lower()
    if lowered == "x-default":
        return None
    if not code:
        return Fault("the code is empty")
    if "_" in code:
        return Fault(f"parts are joined by a hyphen: write {code.replace('_', '-')}")
    found = _CODE.fullmatch(lowered)
    if not found:
        return Fault("it is no language code")
    language, script, region = found["language"], found["script"], found["region"]
    if not _valid(language):
        meant = _MEANT.get(language)
        return Fault(f"there is no language {language!r}" + (f": did you mean {meant}?" if meant else ""))
    if script and not _valid(f"{language}-{script}"):
        return Fault(f"there is no script {script.title()!r}")
    if region in _NO_REGION:
        return Fault(f"{region.upper()} is no region: {_NO_REGION[region]}")
    if region and region.isalpha() and (_PRIVATE.fullmatch(region) or not _valid(f"{language}-{region}")):
        return Fault(f"there is no region {region.upper()!r}")
    if found["rest"]:
        return Fault("search engines use language, script and region only", ignored=True)
    if region and region.isdigit():
        return Fault("search engines take no region by number", ignored=True)
    if len(language) == 3:
        return Fault("search engines take languages of two letters only", ignored=True)
    return None


@cache
def language_of(code: str) -> str:
    """The language of a code, in lower case; "" for `x-default` and what is none."""
    first = re.split(r"[-_]", code.strip().lower(), maxsplit=1)[0]
    return first if first.isalpha() and len(first) in (2, 3) else ""


def _valid(tag: str) -> bool:
    from langcodes import tag_is_valid

    return bool(tag_is_valid(tag))
