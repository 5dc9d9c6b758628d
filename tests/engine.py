"""A real HTTP server on this machine that answers as an IndexNow engine does, or as a broken one."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct


class Act(Struct):
    """One answer: `do` is `answer`, `drop` (close without a word), `half` (close in the middle), `slow` (say nothing
    for a while), `drip` (a byte now and then) or `junk` (no HTTP)."""

    status: int = 200
    headers: dict[str, str] = {}
    body: str = ""
    do: str = "answer"


class Engine:
    """Answers with its acts in turn, the last one for ever. `got` are the requests: path, headers, JSON."""

    def __init__(self, *acts: Act) -> None:
        self.acts = list(acts) or [Act()]
        self.got: list[tuple[str, dict[str, str], Any]] = []
        self.url = ""

    @property
    def urls(self) -> list[list[str]]:
        return [got["urlList"] for _, _, got in self.got]

    def next(self) -> Act:
        return self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]


@contextmanager
def engine(*acts: Act) -> Iterator[Engine]:
    made = Engine(*acts)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.got.append((self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(body)))
            act = made.next()
            getattr(self, f"do_{act.do}")(act)

        def do_answer(self, act: Act) -> None:
            self.send_response(act.status)
            for name, value in act.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(act.body.encode())))
            self.end_headers()
            self.wfile.write(act.body.encode())

        def do_drop(self, act: Act) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

        def do_half(self, act: Act) -> None:
            self.wfile.write(b"HTTP/1.1 2")
            self.do_drop(act)

        def do_junk(self, act: Act) -> None:
            self.wfile.write(b"\x00\xffnot http at all\r\n\r\n")
            self.do_drop(act)

        def do_slow(self, act: Act) -> None:
            time.sleep(1.5)

        def do_drip(self, act: Act) -> None:
            for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 12:
                try:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                except OSError:
                    return
                time.sleep(0.1)

        def log_message(self, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_address[1]}/indexnow"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
