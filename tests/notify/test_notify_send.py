"""What one submission does with every answer an engine can give. The table in docs/indexnow.md is this test's."""

from __future__ import annotations

import json
import re
import socket
import time
from email.utils import formatdate

import pytest
from conftest import PROJECT
from engine import Act, engine

from sitemap_guard.model import UserError
from sitemap_guard.notify import endpoint
from sitemap_guard.notify.send import Patience, post

KEY = "0123456789abcdef"
QUICK = Patience(attempts=3, first=2.0, most=60.0, limit=0.5)
BODY = json.dumps({"host": "a.example", "key": KEY, "urlList": ["https://a.example/"]}).encode()


def sent(url: str, patience: Patience = QUICK) -> tuple[str, list[float], list[str]]:
    """How it ended, the pauses, and what was told."""
    waits: list[float] = []
    told: list[str] = []
    try:
        words = post(url, BODY, patience, told.append, secret=KEY, wait=waits.append)
    except UserError as error:
        words = f"failed: {error}"
    assert KEY not in "".join([words, *told])
    return words, waits, told


# The behaviour of the server (as docs/indexnow.md names it), how often it is asked, and what is said in the end.
ANSWERS = [
    ("200", [Act(200)], 1, "accepted"),
    ("202", [Act(202)], 1, "accepted; the engine has still to look at the key's file"),
    ("204", [Act(204)], 1, "accepted (204)"),
    ("400", [Act(400)], 1, "failed: not submitted: the engine cannot read the submission (400)"),
    ("403", [Act(403)], 1, "failed: not submitted: the engine found no valid key (403)"),
    ("404", [Act(404)], 1, "failed: not submitted: there is no such endpoint (404)"),
    ("405", [Act(405)], 1, "failed: not submitted: the address takes no submissions (405)"),
    ("413", [Act(413)], 1, "failed: not submitted: the engine refuses so large a submission (413)"),
    ("422", [Act(422)], 1, "failed: not submitted: the engine says that addresses are not of this host"),
    ("429, then 200", [Act(429), Act(200)], 2, "accepted"),
    ("429 without end", [Act(429)], 3, "failed: not submitted: too many submissions (429), 3 times; run it again later"),
    ("429, Retry-After: 7", [Act(429, {"Retry-After": "7"}), Act(200)], 2, "accepted"),
    ("429, Retry-After: 3600", [Act(429, {"Retry-After": "3600"})], 1, "failed: not submitted: too many submissions (429); the engine asks for 3,600 seconds"),
    ("500, 503, then 200", [Act(500), Act(503), Act(200)], 3, "accepted"),
    ("503 without end", [Act(503)], 3, "failed: not submitted: the engine has trouble (503), 3 times"),
    ("301, 302, 307, 308", [Act(307, {"Location": "/elsewhere"})], 1, "failed: not submitted: the endpoint redirects (307), and a key is not sent on"),
    ("closes without an answer", [Act(do="drop")], 3, "failed: not submitted: the connection broke off"),
    ("closes, then 200", [Act(do="drop"), Act(200)], 2, "accepted"),
    ("closes in the middle of an answer", [Act(do="half")], 3, "failed: not submitted: the connection broke off"),
    ("answers what is no HTTP", [Act(do="junk")], 3, "failed: not submitted: the connection broke off"),
    ("says nothing in time", [Act(do="slow")], 3, "failed: not submitted: no answer in 0.5 seconds, 3 times"),
    ("sends a byte now and then", [Act(do="drip")], 3, "failed: not submitted: no answer in 0.5 seconds, 3 times"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "acts", "asked", "says"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_every_answer(name: str, acts: list[Act], asked: int, says: str) -> None:
    with engine(*acts) as server:
        words, waits, told = sent(server.url)
        assert words.startswith(says)
        assert len(server.got) == asked
        assert len(waits) == len(told) == asked - 1
        assert all(got["key"] == KEY for _, _, got in server.got)


def test_the_documentation_has_every_answer() -> None:
    table = (PROJECT / "docs" / "indexnow.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| (\d|up to 5) \|", table, re.MULTILINE)
    assert [name for name, _ in rows] == [row[0] for row in ANSWERS]
    for (_, asked), row in zip(rows, ANSWERS, strict=True):
        assert (asked == "up to 5") == (row[2] == 3 and row[3].startswith("failed")) or int(asked) == row[2]


def test_pauses_grow_and_end() -> None:
    with engine(Act(500)) as server:
        _, waits, told = sent(server.url, Patience(attempts=6, first=2.0, most=9.0, limit=2.0))
    assert waits == [2.0, 4.0, 8.0, 9.0, 9.0]
    assert told[0] == "the engine has trouble (500); trying again in 2 seconds (1 of 6)"


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [("7", 7, 7), ("0", 0, 0), ("later", 2, 2), ("-5", 2, 2), ("\u0661", 2, 2), (30, 15, 31), (-300, 0, 0)],
)
def test_retry_after_is_honoured(header: str | int, least: float, most: float) -> None:
    if isinstance(header, int):
        header = formatdate(time.time() + header, usegmt=True)
    with engine(Act(503, {"Retry-After": header.encode("utf-8").decode("latin-1")}), Act(200)) as server:
        _, waits, _ = sent(server.url)
    assert least <= waits[0] <= most


def test_a_redirect_is_not_followed() -> None:
    with engine() as other, engine(Act(308, {"Location": other.url})) as server:
        assert sent(server.url)[0].startswith("failed")
        assert other.got == []


def test_what_the_server_says_is_shown_without_the_key_and_without_commands() -> None:
    body = f"bad key {KEY}\r\n::add-mask::x \x1b[31m " + "x" * 100_000 + KEY
    with engine(Act(403, body=body)) as server:
        words, _, _ = sent(server.url)
    assert "It said: bad key <key> " in words
    assert "\x1b" not in words
    assert "\n" not in words
    assert len(words) < 700


def test_an_engine_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words, waits, _ = sent(f"http://127.0.0.1:{port}/indexnow")
    assert words.startswith("failed: not submitted: the endpoint cannot be reached (")
    assert len(waits) == 2


def test_a_certificate_that_is_none_is_not_asked_again() -> None:
    with engine() as server:
        words, waits, _ = sent(server.url.replace("http:", "https:"))
    assert words.startswith("failed: not submitted: the endpoint's certificate is not accepted")
    assert waits == []


def test_the_request_is_as_the_protocol_has_it() -> None:
    with engine() as server:
        sent(server.url)
    path, headers, _ = server.got[0]
    assert path == "/indexnow"
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["user-agent"].startswith("sitemap-guard/")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("https://api.indexnow.org/indexnow", "https://api.indexnow.org/indexnow"),
        ("https://yandex.com", "https://yandex.com/indexnow"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("http://[::1]:8000/x", "http://[::1]:8000/x"),
    ],
)
def test_endpoints(text: str, made: str) -> None:
    assert endpoint.checked(text) == made


@pytest.mark.parametrize(
    "text",
    ["http://api.indexnow.org/indexnow", "http://localhost/x", "http://127.0.0.1.example/x", "ftp://a.example/x", "",
     "api.indexnow.org", "https://", "https://user:pw@a.example/x", "https://a.example/x?key=1", "https://a.example:x/",
     "https://a.example/a b", "file:///etc/passwd", "https://[::1", "http://0x7f.1/x"],
)  # fmt: skip
def test_no_endpoints(text: str) -> None:
    with pytest.raises(UserError):
        endpoint.checked(text)
