"""What types cannot say of a setting: whether its value can have any effect, and the one that is meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sitemap_guard import urls
from sitemap_guard.config import places
from sitemap_guard.config.lines import Key
from sitemap_guard.config.tables import SHARE, Config, Dates, ManifestFile
from sitemap_guard.durations import seconds_of
from sitemap_guard.model import SettingError

# No key counts; there is no list of commits.
_EMPTY_LISTS, _EMPTY_TEXTS = {("dates", "counting-keys")}, {("dates", "ignore-revs")}
# Lists of names; blanks around one are a slip, and it would fit nothing.
_NAMES = {("dates", "fields"), ("dates", "counting-keys"), ("also-fields",)}
# Texts that may hold anything.
_FREE = {("dates", "trivial"), ("ignore", "reason"), ("manifest", "command")}
# Texts that no pattern of trivial ones fits as a whole.
_SAMPLES = ("A page says this.", "The guide explains the cache, in 12 steps")
_ROOT, _BUILT = "the repository's root", "the built site's folder"

Fault = tuple[Key, str]


def check(config: Config, given: Mapping[str, Any]) -> None:
    """Look at every setting; `given` is the table as it was written.

    Raises:
        SettingError: a value cannot have any effect, or is none of those that there are.
    """
    for key, said in _faults(config, given):
        raise SettingError(key, said)


def share_of(text: str) -> float | None:
    """A share such as `90%` or `90`, from 0 to 100; None when the text is none."""
    return float(text.strip().removesuffix("%")) if re.fullmatch(SHARE, text) else None


def _faults(config: Config, given: Mapping[str, Any]) -> Iterator[Fault]:
    yield from _texts(given, ())
    yield from _site(config)
    yield from _dates(config.dates)
    yield from _tables(config)
    for number, source in enumerate(config.source):
        paths = (source.path,) if isinstance(source.path, str) else source.path
        yield from _each(("source", number, "path"), paths, _source)
        yield from _each(("source", number, "also"), source.also, _source)
        if "#" in source.url:
            yield ("source", number, "url"), f"{source.url!r}: no page has a fragment; leave out what begins with #"
    for number, policy in enumerate(config.policy):
        yield from _each(("policy", number, "paths"), policy.paths, lambda text: places.fault_of_pattern(text, _ROOT))
        if policy.field == "witness" and number == 0:
            said = "'witness' undoes an earlier [[policy]], and there is none; write authoritative or ignore"
            yield ("policy", number, "field"), said
    for number, manifest in enumerate(config.manifest):
        yield from _manifest(manifest, ("manifest", number))
    for number, root in enumerate(config.root):
        yield from _each(
            ("root", number, "prefix"), [root.prefix], lambda text: places.fault_of_path(text, _ROOT, folder=True)
        )
    yield from _addresses(config)
    yield from _ignores(config)


def _texts(value: Any, key: Key) -> Iterator[Fault]:
    """The texts and lists that are empty, and the characters that no text of settings has."""
    plain = tuple(part for part in key if isinstance(part, str))
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _texts(one, (*key, name))
    elif isinstance(value, (list, tuple)):
        if not value and plain not in _EMPTY_LISTS:
            yield key, "this list is empty; write what belongs in it, or leave the line out" + _instead(plain)
        for number, one in enumerate(value):
            yield from _texts(one, (*key, number) if isinstance(one, Mapping) else key)
    elif isinstance(value, str):
        if not value.strip() and plain not in _EMPTY_TEXTS:
            yield key, "this text is empty; write what is meant, or leave it out"
        elif "\0" in value or (plain not in _FREE and re.search(r"[\0-\x1f\x7f]", value)):
            yield key, f"{value!r} has a control character; a backslash begins one, so write / or single quotes"
        elif plain in _NAMES and value != value.strip():
            yield key, f"{value!r} has blanks around it; leave them out"


def _instead(key: Key) -> str:
    if key == ("dates", "fields"):
        return '; date fields are left out of account by a [[policy]] with field = "ignore"'
    return ""


def _each(key: Key, texts: Sequence[str], fault: Callable[[str], str]) -> Iterator[Fault]:
    for text in texts:
        said = fault(text) if text else ""
        if said:
            yield key, said


def _site(config: Config) -> Iterator[Fault]:
    yield from _each(("base-url",), [config.base_url], lambda text: _quoted(text, places.fault_of_base(text)))
    if config.require_verified and share_of(config.require_verified) is None:
        said = f"{config.require_verified!r} is no share of the dates; write one from 0% to 100%, such as 90%"
        yield ("require-verified",), said
    for name in config.sitemaps:
        if "://" in name:
            yield ("sitemaps",), f"{name!r} is an address; write the path of the file in the built site"


def _quoted(text: str, said: str) -> str:
    return f"{text!r}: {said}" if said else ""


def _dates(dates: Dates) -> Iterator[Fault]:
    if dates.tolerance and seconds_of(dates.tolerance) is None:
        said = "is no duration of up to a year; write a number with s, m, h or d, such as 12h or 1d"
        yield ("dates", "tolerance"), f"{dates.tolerance!r} {said}"
    for pattern in dates.trivial:
        try:
            fits = all(re.fullmatch(pattern, sample) for sample in _SAMPLES)
        except re.error as error:
            yield ("dates", "trivial"), f"{pattern!r} is no regular expression: {error}; correct it"
        else:
            if fits:
                yield ("dates", "trivial"), f"{pattern!r} fits any text, so that no change would count; say less"
    if not _is_zone(dates.zone):
        yield ("dates", "zone"), f"{dates.zone!r} is no time zone; {_nearest_zone(dates.zone)}"


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _nearest_zone(name: str) -> str:
    from zoneinfo import available_timezones

    near = difflib.get_close_matches(name, sorted(available_timezones()), 1, 0.75)
    return f"did you mean {near[0]!r}?" if near else "write an IANA name such as Europe/Oslo"


def _tables(config: Config) -> Iterator[Fault]:
    """The tables that stand in the file twice: the second was to be another one."""
    for name in ("root", "source", "manifest", "policy", "ignore"):
        tables = getattr(config, name)
        for number, table in enumerate(tables):
            if table in tables[:number]:
                yield (name, number), f"this [[{name}]] is there already; change it, or take it out"


def _source(text: str) -> str:
    return places.fault_of_path(text.removeprefix("./"), _ROOT)


def _manifest(manifest: ManifestFile, key: Key) -> Iterator[Fault]:
    if bool(manifest.file) == bool(manifest.command):
        yield key, "a [[manifest]] has either file or command; give one of the two"
    fault = places.fault_of_path(manifest.root, _ROOT, wild=False, folder=True) if manifest.root else ""
    if fault:
        yield (*key, "root"), fault


def _addresses(config: Config) -> Iterator[Fault]:
    yield from _each(("addresses", "hosts"), config.addresses.hosts, places.fault_of_host)
    yield from _each(("addresses", "staging"), config.addresses.staging, places.fault_of_host_pattern)
    yield from _each(("pages", "unlisted"), config.pages.unlisted, lambda text: places.fault_of_pattern(text, _BUILT))
    directory = [config.pages.directory]
    yield from _each(("pages", "directory"), directory, lambda text: places.fault_of_path(text, _BUILT, wild=False))
    endpoint = [config.indexnow.endpoint]
    yield from _each(("indexnow", "endpoint"), endpoint, places.fault_of_endpoint)
    location = config.indexnow.key_location
    if location and not (urls.is_absolute(location) and urls.parse(location)):
        said = f"{location!r} is no web address; write the whole address of the key's file"
        yield ("indexnow", "key-location"), said


def _ignores(config: Config) -> Iterator[Fault]:
    for number, ignore in enumerate(config.ignore):
        key = ("ignore", number)
        if not ignore.reason.strip():
            yield (*key, "reason"), "an [[ignore]] needs a reason; write why the finding is accepted"
        if not (ignore.rule or ignore.path or ignore.url):
            yield key, "an [[ignore]] needs a rule, a path or a url; name what is accepted"
        paths = [ignore.path]
        yield from _each((*key, "path"), paths, lambda text: places.fault_of_pattern(text, _ROOT, outward=True))
        yield from _each((*key, "url"), [ignore.url], places.fault_of_url)
