"""Serves built sites with nginx and Apache, and compares what they answer with what the check says they will.

Usage: python benchmarks/real_hosts.py FOLDER [FOLDER …]

Every listed address of each built site is asked for, and so are its other forms (with and without slash, `.html`,
`index.html`). For each the status and the place that it leads to are compared with the profile's answer, and with
whether `page-redirect` and `page-missing` speak. nginx and Apache must be installed (Debian: nginx-light, apache2-bin).
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_guard import guard, urls
from sitemap_guard.config import Config, HostingTable
from sitemap_guard.model import Answered, Located
from sitemap_guard.pages.hosting.detect import detect
from sitemap_guard.pages.hosting.host import Host
from sitemap_guard.pages.locate import Locator

SERVERS = {"nginx": "nginx", "apache": "apache2"}


class Reply(NamedTuple):
    """What a server answered: the status, and where it leads to: a path, or the whole address of another site."""

    status: int
    location: str


class Compared(NamedTuple):
    """The outcome for one site on one server: how many addresses were asked, those that were answered otherwise, and
    for how many it was said that nobody can tell."""

    asked: int
    listed: int
    differences: list[str]
    untold: int = 0


def installed(server: str) -> bool:
    """Whether the server can be run here."""
    return shutil.which(SERVERS[server], path=f"{os.environ.get('PATH', '')}:/usr/sbin") is not None


@contextmanager
def serving(server: str, folder: Path) -> Iterator[int]:
    """The port on which the server serves the folder, until the block ends."""
    with tempfile.TemporaryDirectory() as place, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        work = Path(place)
        work.chmod(0o755)
        program = shutil.which(SERVERS[server], path=f"{os.environ.get('PATH', '')}:/usr/sbin") or SERVERS[server]
        config = work / "server.conf"
        config.write_text((_nginx if server == "nginx" else _apache)(work, folder, port))
        if server == "nginx":
            command = [program, "-e", str(work / "error.log"), "-c", str(config), "-p", str(work)]
        else:
            command = [program, "-X", "-f", str(config)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(10)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(100):
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("the server did not start")


def _nginx(work: Path, folder: Path, port: int) -> str:
    temporary = "\n".join(
        f"  {name}_temp_path {work}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""
daemon off; master_process off; pid {work}/pid;
events {{ worker_connections 64; }}
http {{
  access_log off;
{temporary}
  types {{ text/html html; }}
  server {{ listen 127.0.0.1:{port}; root "{folder}"; absolute_redirect off; }}
}}
"""


def _apache(work: Path, folder: Path, port: int) -> str:
    modules = Path("/usr/lib/apache2/modules")
    wanted = ("mpm_event", "authz_core", "dir", "alias", "rewrite", "headers", "mime")
    loaded = "\n".join(f"LoadModule {name}_module {modules}/mod_{name}.so" for name in wanted)
    (work / "types").write_text("text/html html\n")
    return f"""
ServerRoot "{work}"
PidFile "{work}/pid"
DefaultRuntimeDir "{work}"
ServerName a.example
Listen 127.0.0.1:{port}
{loaded}
TypesConfig "{work}/types"
ErrorLog "{work}/error.log"
DocumentRoot "{folder}"
<Directory "{folder}">
  AllowOverride All
  Require all granted
</Directory>
"""


def ask(connection: http.client.HTTPConnection, path: str) -> Reply:
    """What the server answers for a path."""
    connection.request("GET", path, headers={"Host": "a.example"})
    answer = connection.getresponse()
    answer.read()
    location = urlsplit(answer.headers.get("Location", ""))
    query = f"?{location.query}" if location.query else ""
    own = (location.scheme or "http", location.hostname or "a.example") == ("http", "a.example")
    return Reply(answer.status, ("" if own else f"{location.scheme}://{location.hostname}") + location.path + query)


def forms(path: str) -> list[str]:
    """An address's path and its other forms, each with its query."""
    path, mark, query = path.partition("?")
    bare = path.removesuffix("index.html").rstrip("/").removesuffix(".html")
    others = [bare, f"{bare}.html"] if bare else []
    found = dict.fromkeys([path, *others, f"{bare}/", f"{bare}/index.html", f"{bare}/none"])
    return [form + mark + query for form in found]


def compare(server: str, folder: Path) -> Compared:
    """Serve the site and compare every listed address, and its other forms, with what the check says."""
    config = Config(hosting=HostingTable(server))
    result = guard.check(guard.Options(start=folder, site=str(folder)), config)
    base = urls.parse(result.site.base_url)
    if base is None:
        raise SystemExit(f"{folder}: its address is not known")
    locator = Locator(folder, base.href)
    host = Host(detect(folder, base.href, server, folder), base, locator.is_file, locator.is_folder)
    said = {entry.url: set[str]() for entry in result.site.entries}
    by_loc = {entry.claim.loc: entry.url for entry in result.site.entries}
    for finding in result.findings:
        spoken = finding.rule in ("page-missing", "page-redirect", "loc-case") and finding.level.word == "error"
        if spoken and finding.loc:
            said[by_loc[finding.loc]].add(finding.rule)
    stubs = {entry.url for entry in result.site.entries if entry.page is not None and entry.page.refresh}
    differences, asked, listed, untold = [], 0, 0, 0
    with serving(server, folder.resolve()) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        for entry in result.site.entries:
            path = entry.url.removeprefix(base.href[:-1]) if entry.located.state != "elsewhere" else ""
            if not path:
                continue
            listed += 1
            for form in forms(path):
                address = urls.parse(base.href[:-1] + form)
                if address is None:
                    continue
                asked += 1
                reply = ask(connection, form)
                found = host.answer(address, locator.locate(address)) or Answered()
                untold += found.undecided is not None
                leads = found.location.removeprefix(base.href[:-1])
                if _differ(reply, found, leads, locator.locate(address)):
                    differences.append(f"{form}: {reply.status} {reply.location}, said {found.status} {leads}")
                if form == path and entry.url not in stubs:
                    # A folder without an index gets its slash, and is refused then: nothing is there.
                    bare = found.status == 404 and reply.location == f"{form}/"
                    kind = 4 if bare else reply.status // 100
                    wrong = {3: {"page-redirect"}, 4: {"page-missing"}}.get(kind, set[str]())
                    wrong = set() if found.undecided is not None else wrong
                    if said[entry.url] - {"loc-case"} != wrong and not said[entry.url] & {"loc-case"}:
                        differences.append(f"{form}: {reply.status}, but findings {sorted(said[entry.url])}")
        connection.close()
    return Compared(asked, listed, differences, untold)


def _differ(reply: Reply, found: Answered, leads: str, located: Located) -> bool:
    if found.undecided is not None:
        return False  # it says that it cannot tell
    if located.state == "missing" and found.status == 404 and reply.status in (301, 403, 404):
        return False  # a folder without an index: it adds the slash, and then refuses
    return (reply.status, urls.decoded(reply.location)) != (found.status, urls.decoded(leads))


def main(folders: list[str]) -> int:
    """Print a line for each site and server; 1 when something differs."""
    failed = 0
    for name in folders:
        for server in SERVERS:
            if not installed(server):
                print(f"{name}: {server} is not installed: NOT COMPARED")
                continue
            compared = compare(server, Path(name).resolve())
            failed |= bool(compared.differences)
            print(
                f"{name}: {server}: {compared.asked:,} addresses asked ({compared.listed:,} listed), "
                f"{len(compared.differences)} differ"
            )
            for line in compared.differences[:10]:
                print(f"  {line}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
