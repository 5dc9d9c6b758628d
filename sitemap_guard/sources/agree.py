"""Whether the address of a page agrees with the name of a file: a second opinion on a link."""

from __future__ import annotations

import re
from collections.abc import Sequence

_INDEX = ("index", "_index", "readme", "home", "default")
_PAGE = re.compile(r"\.(?:x?html?|php)$")
_GAP = re.compile(r"[\s_]+")
# Dates and numbers that generators take off a file's name or turn into folders of the address.
_ORDER = re.compile(r"^(?:\d{4}-\d{1,2}-\d{1,2}[-_]|\d+[-_. ]+)(?=.)")


def agrees(path: str, target: str) -> bool:
    """Whether the address `path` (from the site's root, decoded) ends in the file's name.

    An index or README file goes by its folder's name, and fits the home page.
    """
    segments = [segment for segment in path.split("/") if segment]
    last = _PAGE.sub("", segments[-1].lower()) if segments else ""
    if last == "index":
        last = segments[-2].lower() if len(segments) > 1 else ""
    *folders, name = target.split("/")
    stems = {_plain(name.rpartition(".")[0] or name), _plain(name.partition(".")[0] or name)}
    if not last:
        return not stems.isdisjoint(_INDEX)
    if not stems.isdisjoint(_INDEX) and folders:
        stems.add(_plain(folders[-1]))
    return _plain(last) in stems


def _plain(name: str) -> str:
    return _ORDER.sub("", _GAP.sub("-", name.casefold().replace("_index", "index")))


def keeper(files: Sequence[str], paths: dict[str, str], target: str) -> str:
    """The one page of several with the same target that is made from it; "" if that cannot be told.

    `files` are pages, `paths` their addresses. It is the only one whose address agrees with the file's name, or of
    several that agree the one that the others have a folder more than (`/x/` among `/fr/x/` and `/de/x/`), or the
    one whose first folder (the language) is in the file's path.
    """
    if len(files) == 1:
        return files[0]
    good = [file for file in files if agrees(paths[file], target)]
    if len(good) == 1:
        return good[0]
    for file in good:
        if all(paths[other].endswith(paths[file]) for other in good):
            return file
    folders = target.split("/")[:-1]
    local = [file for file in good if paths[file].split("/")[1] in folders]
    return local[0] if len(local) == 1 else ""
