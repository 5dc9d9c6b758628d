"""`sitemap-guard map`: which file each page is made from, and how that was found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_guard.commands.groups import FOLDER

if TYPE_CHECKING:
    from sitemap_guard.mapping import Mapped

_SHOWN = 20
_MOST_BYTES = 64 << 20  # of a table to compare with


@click.command(name="map", short_help="Show which file each page is made from.")
@click.argument("site", required=False, default="", metavar="[SITE]", type=FOLDER)
@click.option("--base-url", default="", metavar="URL", help="The site's address, with its base path.")
@click.option("--repo", default="", metavar="DIR", type=FOLDER, help="A folder in the repository of the sources.")
@click.option("--rev", default="HEAD", metavar="REV", help="The commit that the site was built from. [HEAD]")
@click.option("--config", default=None, metavar="FILE", type=click.Path(path_type=Path), help="The settings' file.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text", help="[text]")
@click.option("--check", "truth", default=None, metavar="TRUTH.tsv", type=click.Path(path_type=Path),
              help="Compare with a table of the columns url and source (and kind).")  # fmt: skip
@click.option("--debug", is_flag=True, help="Show the trace of an internal error.")
def map(**given: Any) -> int:  # noqa: A001 - the name of the command
    """Show for each page of the sitemap the file that it is made from, how it was found, or what was tried.

    With --check, exit with 1 if a page has another source than the table says.
    """
    from sitemap_guard.commands import options
    from sitemap_guard.mapping import map_pages

    if given["truth"] is not None and given["form"] != "text":
        raise click.UsageError(f"--check prints counts: leave out --format {given['form']}")
    known = options.settings(given)
    asked = options.asked(given, known)
    options.begin(asked, known)
    with known.placing():
        mapped = map_pages(asked, known.config)
    options.say(mapped.notes)
    if not mapped.entries:
        from sitemap_guard.commands.reporting import nothing

        names = [f"{mapped.shown}/{path}" if mapped.shown not in ("", ".") else path for path in mapped.sitemaps]
        return nothing("mapped", names, mapped.folder)
    if given["truth"] is not None:
        return _scored(mapped, given["truth"])
    writers = {"text": _text, "csv": _csv, "json": _json}
    click.echo(writers[given["form"]](mapped), nl=False)
    return 0


def _text(mapped: Mapped) -> str:
    from sitemap_guard.mapping import way_of
    from sitemap_guard.reports.safe import neutralise, visible

    lines = []
    for entry in mapped.entries:
        mapping = entry.mapping
        also = f" (also {', '.join(mapping.also)})" if mapping.also else ""
        needed = mapping.kind != "list" or mapping.reason not in ("", "no-source")  # a list needs no file
        tried = mapping.tried if needed else ""
        if mapping.content:
            answer = f"{mapping.content}{also}" + (f" (but {tried})" if tried else "")
        else:
            answer = f"- ({tried})" if tried else "-"
        kind = ", list" if mapping.kind == "list" and mapping.content else ""
        lines.append(neutralise(visible(f"{entry.claim.loc}  {answer}  [{way_of(entry)}{kind}]")))
    lines += ["", *(neutralise(visible(line)) for line in counts(mapped))]
    return "\n".join(lines) + "\n"


def counts(mapped: Mapped) -> list[str]:
    """The number of pages by way, and the generators that were found, in lines."""
    from sitemap_guard.mapping import ways

    total = len(mapped.entries)
    sourced = sum(1 for entry in mapped.entries if entry.mapping.content)
    lists = [entry.mapping for entry in mapped.entries if entry.mapping.kind == "list"]
    bare = sum(1 for mapping in lists if not mapping.content)
    parts = [f"{sourced:,} with a source" + (f" ({len(lists) - bare:,} of them lists)" if len(lists) > bare else "")]
    parts += [f"{bare:,} lists without a file"] if bare else []
    parts += [f"{total - sourced - bare:,} without"] if total > sourced + bare else []
    lines = [f"{total:,} pages: {', '.join(parts)}"]
    lines += [f"  {count:>7,}  {way}" for way, count in ways(mapped.entries)]
    for name, place, sure in mapped.found:
        lines.append(f"{name} in {place or 'the root'}" + ("" if sure else " (without its configuration)"))
    return lines


def _rows(mapped: Mapped) -> list[dict[str, Any]]:
    return [
        {
            "url": entry.claim.loc,
            "source": entry.mapping.content,
            "kind": entry.mapping.kind,
            "how": entry.mapping.how,
            "by": entry.mapping.by,
            "also": list(entry.mapping.also),
            "reason": entry.mapping.reason,
            "tried": entry.mapping.tried,
        }
        for entry in mapped.entries
    ]


def _csv(mapped: Mapped) -> str:
    import csv
    import io

    from sitemap_guard.reports.safe import neutralise, visible

    text = io.StringIO()
    rows = _rows(mapped)
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["url", "source"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        row["also"] = ";".join(row["also"])
        writer.writerow({key: neutralise(visible(str(value))) for key, value in row.items()})
    return text.getvalue()


def _json(mapped: Mapped) -> str:
    import json

    from sitemap_guard.mapping import ways

    table = {
        "version": 1,
        "summary": {
            "urls": len(mapped.entries),
            "ways": dict(ways(mapped.entries)),
            "generators": [{"name": name, "folder": place, "configured": sure} for name, place, sure in mapped.found],
        },
        "pages": _rows(mapped),
    }
    return json.dumps(table, indent=2, ensure_ascii=True) + "\n"


def _scored(mapped: Mapped, file: Path) -> int:
    import csv
    import io

    from sitemap_guard.files import read_file
    from sitemap_guard.mapping import score
    from sitemap_guard.model import UserError
    from sitemap_guard.reports.safe import neutralise, visible

    try:
        # Read at once: it may be a pipe.
        text = read_file(file, _MOST_BYTES, named=True).decode("utf-8-sig")
        first = text.partition("\n")[0]
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in first else ","))
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such table to compare with") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else why
        raise UserError(f"{file}: the table cannot be read: {why}") from None
    if not rows or not {"url", "source"} <= rows[0].keys():
        raise UserError(f"{file}: the table needs the columns url and source")
    told = score(mapped.entries, rows)
    lines = [f"right {told.right:,}, wrong {len(told.wrong):,}, missing {len(told.missing):,}"]
    if told.lists:
        lines.append(f"lists recognised {told.lists_known:,} of {told.lists:,}")
    if told.unlisted:
        lines.append(f"not in the sitemap: {told.unlisted:,}")
    for word, rows_of in (("wrong", told.wrong), ("missing", told.missing)):
        lines += [f"{word}: {url}  is {true}, found {found or '-'}" for url, true, found in rows_of[:_SHOWN]]
    for line in lines:
        click.echo(neutralise(visible(line)))
    sys.stdout.flush()
    return 1 if told.wrong or told.missing else 0
