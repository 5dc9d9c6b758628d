"""The site's address: origin and base path.

The built folder does not say where it will be served. The sitemap does, by the addresses that it claims, and
robots.txt does, by the address that it gives to the sitemap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sitemap_guard import urls
from sitemap_guard.config.places import fault_of_base
from sitemap_guard.model import UserError
from sitemap_guard.sitemaps.files import Files
from sitemap_guard.urls import Address

SAMPLE = 200
_ORIGIN = re.compile(r"https?:/{2}[^/?#\\]*", re.IGNORECASE)


def given(text: str) -> str:
    """A base URL that the user named, in its normal form with a final slash.

    Raises:
        UserError: it is no absolute http(s) address, or has a query or fragment.
    """
    fault = fault_of_base(text)
    address = urls.parse(text.strip())
    if fault or address is None:
        raise UserError(f"base URL {text!r}: {fault}")
    return address.origin + (address.path if address.path.endswith("/") else address.path + "/")


def find(files: Files, announced: Sequence[str], locs: Sequence[str], sitemaps: Sequence[str]) -> tuple[str, str]:
    """The site's base URL and how it was found; two empty texts when nothing tells it.

    `announced` are the values of robots.txt's `Sitemap:` lines, `locs` the addresses of pages, `sitemaps` those of
    the children of indexes: they speak for the address only as long as there are no pages.
    """
    lines = [address for text in announced if urls.is_absolute(text) and (address := urls.parse(text))]
    counts = _origins(locs or sitemaps)
    origin, by = _origin(files, lines, counts)
    if not origin:
        return "", ""
    if not by:
        by = f"{counts[origin]:,} of {len(locs or sitemaps):,} locs"
    pages = [
        address for text in _sample(locs or sitemaps) if (address := urls.parse(text)) and address.origin == origin
    ]
    return origin + _base_path(files, pages, [line for line in lines if line.origin == origin]), by


def _origins(locs: Sequence[str]) -> Counter[str]:
    """How many locs have each origin. Only what differs is parsed: sitemaps repeat one origin."""
    written = Counter(match[0] for loc in locs if (match := _ORIGIN.match(loc)))
    counts: Counter[str] = Counter()
    for text, count in written.items():
        if address := urls.parse(text):
            counts[address.origin] += count
    return counts


def _origin(files: Files, lines: Sequence[Address], counts: Counter[str]) -> tuple[str, str]:
    """The origin, and `robots.txt` if that told it.

    A line that names no file of this site speaks for itself only when the locs say nothing: it may belong to
    another host that keeps sitemaps for this one.
    """
    here = [line for line in lines if files.tail(line.path)]
    for found in (here, [] if counts else lines):
        if found:
            votes = Counter(line.origin for line in found)
            return max(votes, key=lambda origin: (votes[origin], counts[origin])), "robots.txt"
    if not counts:
        return "", ""
    most = max(counts.values())
    equals = [origin for origin, count in counts.items() if count == most]
    host = _cname(files) if len(equals) > 1 else ""
    published = [origin for origin in equals if not urls.is_development(urls.host_of(origin))]
    return next(
        (origin for origin in equals if host and origin.partition("://")[2] == host), (published or equals)[0]
    ), ""


def _cname(files: Files) -> str:
    """The host in GitHub Pages' CNAME file, "" without one."""
    if files.look("CNAME") != "file":
        return ""
    try:
        with open(f"{files.root}/CNAME", "rb") as stream:
            words = stream.read(1000).decode("latin-1").split()
    except OSError:
        return ""
    return words[0].lower() if words else ""


def _sample(locs: Sequence[str]) -> Sequence[str]:
    """At most SAMPLE locs, spread evenly: neighbours in a sitemap are alike."""
    if len(locs) <= SAMPLE:
        return locs
    return [locs[index * len(locs) // SAMPLE] for index in range(SAMPLE)]


def _base_path(files: Files, pages: Sequence[Address], lines: Sequence[Address]) -> str:
    """The shortest folder of the addresses under which most of them lead to files of the site.

    When none does: what the lines of robots.txt say, else the folder under which at least some do, else `/`.
    """
    hits = {}
    for prefix in _prefixes(pages):
        base = Address("", pages[0].origin, prefix)
        hits[prefix] = sum(_leads(files, urls.within(page, base)) for page in pages)
        if hits[prefix] * 2 > len(pages):
            return prefix
    for line in lines:
        tail = files.tail(line.path)
        whole = line.path.strip("/").split("/")
        if tail:
            return "/" + "".join(f"{part}/" for part in whole[: len(whole) - len(tail.split("/"))])
    best = max(hits, key=lambda prefix: (hits[prefix], -len(prefix)), default="/")
    return best if hits.get(best) else "/"


def _prefixes(pages: Sequence[Address]) -> list[str]:
    """`/`, `/en/`, `/en/stable/`: the folders that more than half of the addresses have in common."""
    prefixes = ["/"] if pages else []
    counts = Counter(page.path[: end + 1] for page in pages for end in _slashes(page.path))
    while prefixes:
        deeper = [
            folder
            for folder, count in counts.items()
            if count * 2 > len(pages) and folder.startswith(prefixes[-1]) and folder.count("/") == len(prefixes) + 1
        ]
        if not deeper:
            break
        prefixes.append(deeper[0])
    return prefixes


def _slashes(path: str) -> list[int]:
    return [index for index, character in enumerate(path) if character == "/"][1:12]


def _leads(files: Files, path: str | None) -> bool:
    return path is not None and any(files.look(name) == "file" for name in urls.file_names(path))
