"""`sitemap-guard dates`: when the files of the repository last changed, for people and as an evidence file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands.groups import FILE, FOLDER

if TYPE_CHECKING:
    from sitemap_guard.history.reader import HistoryReader
    from sitemap_guard.model import PathHistory, Repository

# Every moment that a claim can name: so all twins and merges that are newer than a file's last change are found.
_EVER = ((0, 1 << 40),)


@click.command(short_help="Show when each file last changed; with --format csv, evidence for builds without history.")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=FILE)
@click.option("--repo", default="", metavar="DIR", type=FOLDER, help="A folder in the repository. [the current one]")
@click.option("--rev", default="HEAD", metavar="REV", help="The commit to look from. [HEAD]")
@click.option("--config", default=None, metavar="FILE", type=click.Path(path_type=Path), help="The settings' file.")
@click.option("--format", "form", type=click.Choice(["text", "csv"]), default="text", help="What is printed. [text]")
@click.option("--debug", is_flag=True, help="Show the trace of an internal error.")
def dates(**given: Any) -> int:
    """Show when each tracked file last changed: authored, committed, landed, and the commit.

    PATH is a file or folder, from the working folder or else from the root of the repository; without any, all tracked
    files are listed. With --format csv the output is evidence: `sitemap-guard check --evidence FILE` reads it where
    there is no history.
    """
    from msgspec.structs import replace

    from sitemap_guard import guard
    from sitemap_guard.commands import options
    from sitemap_guard.history.environment import isolated_git
    from sitemap_guard.model import UserError

    known = options.settings(given)
    config, asked = known.config, replace(options.asked(given, known), cache=False)
    place = asked.start / asked.repo
    with known.placing(), isolated_git(), guard.open_repository(place, place, asked, config) as history:
        repository = history.repository
        if repository.problem or repository.head is None:
            raise UserError(repository.detail)
        wanted = _chosen(repository, given["paths"])
        if given["form"] == "text":
            histories = history.walk(dict.fromkeys(wanted, ()))
            click.echo(_text(histories), nl=False)
        else:
            from sitemap_guard.history.evidence import write_evidence
            from sitemap_guard.judgement.closer import Closer

            closer = Closer(history, config.dates, config.policy)
            histories = closer.chains(_walked(history, wanted), wanted)
            text = write_evidence(repository.head.id, history.ids, histories)
            # Bytes, since a name in git may be any: as text those that are no UTF-8 would not come back.
            click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
    _note(histories)
    return 0


def _walked(history: HistoryReader, wanted: list[str]) -> dict[str, PathHistory]:
    return history.walk(dict.fromkeys(wanted, _EVER))


def _chosen(repository: Repository, paths: tuple[str, ...]) -> list[str]:
    from sitemap_guard.model import UserError

    tracked = repository.tracked
    wanted: set[str] = set() if paths else set(tracked)
    for path in paths:
        names = (_from_here(path, repository.root), Path(path).as_posix().strip("/") if path != "." else "")
        groups = ({one for one in tracked if _below(one, name)} for name in names if name is not None)
        found = next(filter(None, groups), None)
        if found is None:
            raise UserError(
                f"{path}: git tracks no such file or folder, neither from the working folder nor from the root of the "
                "repository; correct it"
            )
        wanted |= found
    return sorted(wanted)


def _below(file: str, name: str) -> bool:
    return not name or file == name or file.startswith(f"{name}/")


def _from_here(path: str, root: str) -> str | None:
    """The name from the root of a path that is meant from the working folder; None when it lies outside."""
    if not root or "\0" in path:
        return None
    # The last part is not followed: git tracks links themselves.
    whole = Path(os.path.abspath(path))
    there, top = Path(os.path.realpath(whole.parent), whole.name), Path(os.path.realpath(root))
    if not there.is_relative_to(top):
        return None
    name = there.relative_to(top).as_posix()
    return "" if name == "." else name


def _text(histories: dict[str, PathHistory]) -> str:
    from sitemap_guard.reports.safe import neutralise, visible

    lines = []
    for path, history in sorted(histories.items()):
        if history.last is not None:
            one = history.last.commit
            times = "  ".join(time.iso() for time in (one.authored, one.committed, one.landed))
            edge = "  (or earlier: the clone is shallow)" if history.last.edge else ""
            lines.append(f"{times}  {one.id[:7]}  {neutralise(visible(path))}{edge}\n")
    return "".join(["authored, committed, landed, commit, path\n", *lines])


def _note(histories: dict[str, PathHistory]) -> None:
    """Says what is not in the list."""
    hidden = sum(1 for history in histories.values() if history.last is not None and history.last.edge)
    lost = next((history.unknown for history in histories.values() if history.unknown and not history.last), "")
    if hidden:
        click.echo(
            f"sitemap-guard: the clone is shallow: {hidden:,} of {len(histories):,} files may have changed earlier "
            "(csv leaves them out)",
            err=True,
        )
    if lost:
        click.echo(f"sitemap-guard: {lost}", err=True)
