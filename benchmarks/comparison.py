"""Who finds what: sitemap-guard and other tools on small sites with one fault each. Writes docs/comparison.md.

Usage: python benchmarks/comparison.py [--write] TOOLS

TOOLS is a folder with `bin/sitemap-verify`, `bin/checksitemap` and `bin/sitemap-tester` (a virtual environment) and
`node_modules/.bin/sitemap`; what is not there is left out and said so. Each site is served on its own address by a
small proxy that answers as GitHub Pages does (the other tools ask by HTTP and honour `http_proxy`); sitemap-guard reads
the files. A tool finds a fault when it reports something that it does not report on the same site without the fault.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.faulty_sites import BASE, CASES, RIGHT, Case, make
from sitemap_guard.pages.hosting.profiles import serve

PAGE = Path(__file__).resolve().parent.parent / "docs" / "comparison.md"
Found = set[str]
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".gz": "application/gzip",
}


class Proxy(BaseHTTPRequestHandler):
    """Answers for one host from a folder, as GitHub Pages does; for every other host with 502."""

    folder = Path()

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def _answer(self, *, body: bool) -> None:
        address = urlsplit(self.path)
        if address.netloc != urlsplit(BASE).netloc:
            self.send_error(502)
            return
        folder = type(self).folder
        status, target, file = serve("github-pages", unquote(address.path)[1:], lambda name: (folder / name).is_file())
        data = (folder / (file if status == 200 else "404.html")).read_bytes()
        self.send_response(status)
        if target:
            self.send_header("Location", BASE + target)
        self.send_header("Content-Type", _KINDS.get(Path(file or "404.html").suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)


def run(command: list[str], port: int, folder: Path | None = None) -> tuple[int, str]:
    """Exit code and output of a tool that sees the site through the proxy; it has 25 seconds."""
    proxy = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "http_proxy": proxy, "https_proxy": proxy, "HTTP_PROXY": proxy, "HTTPS_PROXY": proxy}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            env=environment,
            timeout=25,
            check=False,
            cwd=folder,
        )
    except subprocess.TimeoutExpired:
        return 0, ""
    return done.returncode, done.stdout + done.stderr


# Each tool: what it says about a site, as a set of texts that can be compared between two sites.


def guard(built: Path, case: Case, _port: int) -> Found:
    """sitemap-guard: rules at warning or error."""
    command = [
        sys.executable,
        "-m",
        "sitemap_guard",
        "check",
        str(built),
        "--repo",
        str(built.parent),
        "--format",
        "json",
    ]
    done = subprocess.run([*command, *case.options], capture_output=True, text=True, check=False, cwd=built.parent)
    if not done.stdout.startswith("{"):
        return {f"exit {done.returncode}"}
    report = json.loads(done.stdout)
    found = {finding["rule"] for finding in report["findings"] if finding["level"] != "info"}
    return found | ({"nothing checked"} if done.returncode == 2 else set())


def verify(program: str, built: Path, _case: Case, port: int) -> Found:
    """sitemap-verify: the codes of its issues."""
    target = BASE + _sitemap(built)
    code, text = run([program, "check", target, "--check-reachability", "--engine", "google", "--format", "json"], port)
    try:
        report = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return {f"exit {code}"}
    found: Found = set()
    _codes(report, found)
    return found


def _codes(value: object, found: Found) -> None:
    if isinstance(value, dict):
        if isinstance(value.get("code"), str) and value.get("severity", "error") in ("error", "warning", "critical"):
            found.add(value["code"])
        for inner in value.values():
            _codes(inner, found)
    elif isinstance(value, list):
        for inner in value:
            _codes(inner, found)


def checksitemap(program: str, built: Path, _case: Case, port: int) -> Found:
    """checksitemap: its lines that are no success, without addresses. It gets the file: by HTTP it insists on https."""
    code, text = run([program, str(built / _sitemap(built))], port)
    lines = {re.sub(r"https?://\S+|\d+", "…", line).strip() for line in text.splitlines()}
    bad = {line for line in lines if re.search(r"error|invalid|not |fail|❌|✗|warn|Traceback", line, re.IGNORECASE)}
    return bad | ({f"exit {code}"} if code else set())


def tester(program: str, built: Path, _case: Case, port: int) -> Found:
    """sitemap-tester: redirects, and its totals when they are not zero."""
    code, text = run([program, BASE + _sitemap(built)], port)
    found = {line.split(":")[0] for line in text.splitlines() if re.match(r"Total .*: [1-9]", line)}
    found |= {"redirected"} if "Redirected from" in text else set()
    found |= {"no URLs"} if "Analyzing 0 URLs" in text else set()
    return found | ({f"exit {code}"} if code else set())


def npm(program: str, built: Path, _case: Case, port: int) -> Found:
    """sitemap (npm) --validate: whether xmllint and the schema take the file."""
    # It finds its own schemas only from its own folder.
    code, text = run([program, "--validate", str(built / _sitemap(built))], port, Path(program).resolve().parents[1])
    return set() if code == 0 and "valid" in text.splitlines() else {"not valid"}


def _sitemap(built: Path) -> str:
    return next(name for name in ("sitemap.xml", "sitemap.xml.gz", "en/sitemap.xml") if (built / name).is_file())


def tools(folder: Path) -> dict[str, Callable[[Path, Case, int], Found]]:
    """The tools that are there, by name."""
    places = {
        "sitemap-verify": (verify, folder / "bin" / "sitemap-verify"),
        "checksitemap": (checksitemap, folder / "bin" / "checksitemap"),
        "sitemap-tester": (tester, folder / "bin" / "sitemap-tester"),
        "sitemap --validate": (npm, folder / "node_modules" / ".bin" / "sitemap"),
    }
    found: dict[str, Callable[[Path, Case, int], Found]] = {"sitemap-guard": guard}
    for name, (ask, program) in places.items():
        if program.exists():
            found[name] = partial(ask, str(program))
        else:
            print(f"{name} is not at {program}: NOT COMPARED", file=sys.stderr)
    return found


def compare(chosen: dict[str, Callable[[Path, Case, int], Found]]) -> dict[str, dict[str, Found]]:
    """For each case, what each tool says beyond what it says of the right site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    said: dict[str, dict[str, Found]] = {}
    try:
        for case in (RIGHT[0], *(case for cases in CASES.values() for case in cases if case is not RIGHT[0])):
            with tempfile.TemporaryDirectory() as place:
                Proxy.folder = make(case, Path(place))
                said[case.name] = {name: ask(Proxy.folder, case, port) for name, ask in chosen.items()}
            print(case.name, said[case.name], file=sys.stderr)
    finally:
        server.shutdown()
    return said


def table(chosen: list[str], said: dict[str, dict[str, Found]]) -> str:
    """The page."""
    usual = said["right"]
    like = {case.name: said[case.like] for cases in CASES.values() for case in cases}
    lines = [
        "# Comparison",
        "",
        "Written by `python -m benchmarks.comparison --write TOOLS`, which also says how it was done.",
        "",
    ]
    faults = [case for cases in CASES.values() for case in cases if case.fault]
    right = [case for case in RIGHT if not case.fault]
    counts = {name: sum(bool(said[case.name][name] - like[case.name][name]) for case in faults) for name in chosen}
    alarms = {name: sum(bool(said[case.name][name] - usual[name]) for case in right[1:]) for name in chosen}
    loud = [name for name in chosen if usual[name]]
    lines += [f"| | {' | '.join(chosen)} |", f"|---|{'---|' * len(chosen)}"]
    lines += [f"| faults found, of {len(faults)} | {' | '.join(str(counts[name]) for name in chosen)} |"]
    lines += [f"| false alarms, of {len(right) - 1} right sites | {' | '.join(str(alarms[name]) for name in chosen)} |"]
    lines += ["", "`yes`: the tool reports something on the site with the fault that it does not report without it."]
    if loud:
        lines += ["", f"On the plain right site {' and '.join(loud)} report something already; that is not counted."]
    for title, cases in CASES.items():
        lines += ["", f"## {title}", "", f"| {'site' if title == 'Right sites' else 'fault'} | {' | '.join(chosen)} |"]
        lines += [f"|---|{'---|' * len(chosen)}"]
        for case in cases:
            cells = []
            for name in chosen:
                more = said[case.name][name] - (like[case.name][name] if case.fault else usual[name])
                cells.append(("false alarm" if more else "–") if not case.fault else "yes" if more else "–")
            lines.append(
                f"| {case.fault or case.name.removeprefix('right').strip('-') or 'plain'} | {' | '.join(cells)} |"
            )
    lines += [
        "",
        "`plain` is the site that the others are made from; it is not counted among the right ones.",
        "",
        "The others ask the site by HTTP, so they see what a live host answers; sitemap-guard asks nothing and reads",
        "the build and its history. Dates can be compared with history only by sitemap-guard; their form by all. The",
        "schemas of image, video and news elements that `sitemap --validate` fetches from the network were not there.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Compare, and print or write the page."""
    folders = [one for one in arguments if not one.startswith("--")]
    if len(folders) != 1:
        raise SystemExit(__doc__)
    chosen = tools(Path(folders[0]).absolute())
    text = table(list(chosen), compare(chosen))
    if "--write" in arguments:
        PAGE.write_text(text, "utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
