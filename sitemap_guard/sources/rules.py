"""The `[[source]]` rules of the configuration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from sitemap_guard.config import SourceRule
from sitemap_guard.sources.globs import Files
from sitemap_guard.sources.idle import Known, Use, notes
from sitemap_guard.sources.patterns import Template, UrlPattern, from_host, template, url_pattern
from sitemap_guard.sources.subject import Outcome, Subject

_SHOWN = 3  # files named in a message


class Rule(Struct, frozen=True):
    """A `[[source]]` rule, ready to be applied."""

    url: UrlPattern
    paths: tuple[Template, ...]
    also: tuple[Template, ...]


class Answers(Struct, frozen=True):
    """What the rules say of each subject, in their order, and what is to be said of settings that fit nothing."""

    outcomes: list[Outcome]
    notes: tuple[str, ...] = ()


def compile_rules(rules: Sequence[SourceRule], base_url: str, urls: frozenset[str]) -> list[Rule]:
    """The rules with their patterns compiled. `urls` are the site's, in full.

    A `url` is below the site's address. One that fits none of `urls` so, but begins with the site's base path, is
    taken as written from the host's root.

    Raises:
        SettingError: a pattern is not well formed (see `patterns`).
    """
    return [_compile(rule, number, base_url, urls) for number, rule in enumerate(rules)]


def _compile(rule: SourceRule, number: int, base_url: str, urls: frozenset[str]) -> Rule:
    key = ("source", number)
    url = url_pattern(rule.url, base_url, (*key, "url"))
    whole = from_host(rule.url, base_url)
    if whole and not url.fits_any(urls):
        url = url_pattern(whole, base_url, (*key, "url"))
    paths = (rule.path,) if isinstance(rule.path, str) else tuple(rule.path)
    return Rule(
        url,
        tuple(template(path, url.names, (*key, "path")) for path in paths),
        tuple(template(path, url.names, (*key, "also")) for path in rule.also),
    )


def answers(
    subjects: Sequence[Subject], rules: Sequence[SourceRule], base_url: str, tracked: frozenset[str]
) -> Answers:
    """For each subject what the first rule says that matches its URL and leads to a tracked file.

    Literal URLs are looked up, so thousands of them cost nothing each. A path with wild cards must fit exactly one
    file; if it fits several, that is an answer too (ambiguous), and no other way is asked.
    """
    urls = frozenset(subject.full for subject in subjects if subject.full) if rules else frozenset[str]()
    compiled = compile_rules(rules, base_url, urls)
    literal: dict[str, list[int]] = defaultdict(list)
    patterns = []
    for place, rule in enumerate(compiled):
        if rule.url.expression is None:
            literal[rule.url.literal].append(place)
        else:
            patterns.append(place)
    files = Files(tracked)
    uses = [Use() for _ in rules]
    outcomes = []
    for subject in subjects:
        matches = _matches(subject.full, compiled, literal.get(subject.full, []), patterns)
        outcomes.append(_answer(matches, compiled, files, uses) if subject.full else Outcome())
    told = notes(rules, uses, Known(base_url, urls, tracked), lambda place: compiled[place].url.fits_any(urls))
    return Answers(outcomes, told)


def _matches(
    full: str, rules: Sequence[Rule], literal: Sequence[int], patterns: Sequence[int]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rules that match the URL in the order of the configuration, with the values of their names."""
    waiting = list(reversed(literal))
    for place in patterns:
        while waiting and waiting[-1] < place:
            yield waiting.pop(), {}
        url = rules[place].url
        found = url.expression.fullmatch(full) if url.expression else None
        if found:
            yield place, dict(zip(url.names, (value.strip("/") for value in found.groups()), strict=True))
    while waiting:
        yield waiting.pop(), {}


def _answer(
    matches: Iterator[tuple[int, dict[str, str]]], rules: Sequence[Rule], files: Files, uses: Sequence[Use]
) -> Outcome:
    tried: list[str] = []
    for place, values in matches:
        rule, use = rules[place], uses[place]
        use.reached = True
        for path in rule.paths:
            filled = path.fill(values)
            fitting = files.fitting(filled, wild=path.wild)
            use.answered = use.answered or bool(fitting)
            if len(fitting) > 1:
                return Outcome(reason="ambiguous", note=_several(fitting), final=True)
            if fitting:
                also = _also(rule, values, files, use)
                return Outcome(fitting[0], tuple(file for file in also if file != fitting[0]))
            tried.append(filled)
            use.tried[filled] = None
    if not tried:
        return Outcome(note="no [[source]] rule matches")
    what = "no tracked file fits" if len(tried) > 1 or rule.paths[-1].wild else "not tracked:"
    note = f"a [[source]] rule leads here, {what} {_listed(tried)}"
    return Outcome(reason="untracked", note=note, missing=tuple(tried))


def _also(rule: Rule, values: dict[str, str], files: Files, use: Use) -> list[str]:
    found: dict[str, None] = {}
    for place, path in enumerate(rule.also):
        filled = path.fill(values)
        fitting = files.fitting(filled, wild=path.wild)
        found.update(dict.fromkeys(fitting))
        if fitting:
            use.also.add(place)
        else:
            use.lost.setdefault(place, filled)
    return list(found)


def _several(files: Sequence[str]) -> str:
    count = {2: "two", 3: "three"}.get(len(files), str(len(files)))
    return f"{count} files fit: {_listed(files)}; name one with [[source]]"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown
