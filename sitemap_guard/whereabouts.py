"""Where the built site is, and where to look for the repository that its dates are compared with."""

from __future__ import annotations

import os
from pathlib import Path

from sitemap_guard.model import Repository, UserError

_WANTED = "name the folder that the site was built into"


def named(start: Path, name: str) -> Path:
    """The built site's folder, as named from `start`.

    Raises:
        UserError: there is no such folder, it is a file, or it may not be read.
    """
    folder = start / name
    try:
        os.scandir(folder).close()
        os.stat(os.path.join(folder, "."))  # which takes the right to enter it, not only to list it
    except FileNotFoundError:
        raise UserError(f"{name}: there is no such folder; {_WANTED}") from None
    except NotADirectoryError:
        raise UserError(f"{name} is a file; {_WANTED}") from None
    except PermissionError as error:
        raise UserError(f"{name}: the folder cannot be read: {error.strerror}") from None
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise UserError(f"{name}: this cannot be a folder: {why}; {_WANTED}") from None
    return folder


def repository_start(folder: Path, start: Path) -> Path:
    """Where to look for the repository: at the caller's folder when its work tree holds the site, else at the site.

    A built folder can be a repository of its own, or a work tree of the branch that is published; neither has the
    sources. For a site elsewhere the caller's folder counts only when the site lies in no repository; it may be a bare
    one.
    """
    site, own = folder.resolve(), start.resolve()
    top = _work_tree(own)
    if top is not None and site.is_relative_to(top):
        return own
    if _work_tree(site) is not None:
        return site
    return own if top is not None or _inside_git(own) else folder


def _work_tree(folder: Path) -> Path | None:
    """The nearest folder, from this one upwards, that is a repository's work tree."""
    return next((one for one in (folder, *folder.parents) if os.path.exists(one / ".git")), None)


def _inside_git(folder: Path) -> bool:
    """Whether the folder is a bare repository, or lies in one: by what git itself looks for."""
    return any(
        os.path.isfile(one / "HEAD") and os.path.isdir(one / "objects") and os.path.isdir(one / "refs")
        for one in (folder, *folder.parents)
    )


def shown_folder(folder: Path, repository: Repository, start: Path) -> str:
    """How places in the site are shown: from the repository's root, else as the caller sees the folder."""
    if repository.prefix is not None:
        return repository.prefix
    return Path(os.path.relpath(folder, start)).as_posix()
