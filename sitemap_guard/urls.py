"""Addresses: parsed as browsers parse them (the WHATWG URL rules, by ada), and compared.

A host serves a folder below a base URL (`https://o.github.io/project/`): these functions take an address to the
file names that may stand behind it. They look at no disk.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from msgspec import Struct

WEB = ("http://", "https://")
# Hosts that no one outside can reach, names for examples (RFC 2606, RFC 6761), and the preview hosts of providers.
_DEVELOPMENT = re.compile(
    r"localhost|(?:.+\.)?(?:localhost|local|test|invalid|internal|lan)|(?:www\.)?example\.(?:com|org|net)"
    r"|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|0\.0\.0\.0|\[::1\]"
    r"|(?:staging|stage|preview|deploy-preview[\w-]*)\..+"
    r"|.+--[\w-]+\.netlify\.app|[\w-]+-git-[\w-]+\.vercel\.app|[0-9a-f]{8}\.[\w-]+\.pages\.dev"
    r"|.+\.(?:ngrok\.io|ngrok-free\.app|trycloudflare\.com|loca\.lt|gitpod\.io|app\.github\.dev|csb\.app|repl\.co)"
)

# Of an escape, what stands before it may be half of another one: `%2%35` must not become `%25`.
_ESCAPE = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class Address(Struct, frozen=True, gc=False):
    """An absolute web address in its normal form.

    `href` is without fragment; `path` is percent-encoded and starts with a slash (dot segments resolved; escapes in
    capital letters, and none for a character that needs none: RFC 3986, 6.2.2);
    `query` starts with `?` or is empty; `fragment` starts with `#` or is empty.
    """

    href: str
    origin: str
    path: str
    query: str = ""
    fragment: str = ""


def parse(text: str, base: str | None = None) -> Address | None:
    """The address that a browser makes of the text, relative to `base` if given; None if it is none.

    Only http and https count: nothing else can be listed in a sitemap.
    """
    from ada_url import URL

    try:
        href: str = (URL(text, base) if base else URL(text)).href
    except ValueError:
        return None
    if not href.startswith(WEB):
        return None
    return normal(escaped(href))


def escaped(text: str) -> str:
    """The text with its escapes in their normal form."""
    return _ESCAPE.sub(_plain, text) if "%" in text else text


def _plain(escape: re.Match[str]) -> str:
    """The escape in its normal form; what is reserved means something else when it is not escaped, and stays."""
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def normal(href: str) -> Address:
    """The address of a text that is in normal form already."""
    # The parts are cut out of it: asking the parser for each costs more than parsing did.
    href, mark, fragment = href.partition("#")
    start = href.find("/", href.find("//") + 2)
    question = href.find("?", start)
    end = len(href) if question < 0 else question
    origin = href[:start]
    if "@" in origin:
        origin = origin[: origin.find("//") + 2] + origin.rpartition("@")[2]
    return Address(href, origin, href[start:end], href[end:], mark + fragment)


def is_absolute(text: str) -> bool:
    """Whether the text says its scheme and host itself (`//host/x` does not)."""
    lowered = text.lstrip().lower()
    return lowered.startswith(("http://", "https://"))


def host(text: str) -> str:
    """The normal form of a host's name: lower case, punycode, without port; "" when it is none."""
    address = parse(f"https://{text}/")
    return re.sub(r":\d+$", "", address.origin.partition("://")[2]) if address else ""


def within(address: Address, base: Address) -> str | None:
    """The part of the address below the base, percent-decoded, without a leading slash; None if not below it.

    `https://o.io/project` counts as the base `https://o.io/project/` itself. Bytes that are not UTF-8 are kept as
    surrogates, so that they name the file they would name on disk.
    """
    if address.origin != base.origin:
        return None
    path, root = address.path, base.path
    if path + "/" == root:
        return ""
    if not path.startswith(root):
        return None
    return decoded(path[len(root) :])


def file_names(path: str) -> tuple[str, ...]:
    """The files, relative to the site's folder, that hosts serve for a decoded path, most usual first.

    `docs/` is `docs/index.html` (a host may also serve `docs.html` there), `docs` is the file of that name,
    `docs.html`, or the folder's index.
    """
    if not path or path.endswith("/"):
        folder = path.rstrip("/")
        return (f"{path}index.html", f"{folder}.html") if folder else ("index.html",)
    return (path, f"{path}.html", f"{path}/index.html")


def host_of(href: str) -> str:
    """The host of an address in normal form, without user and port."""
    name = href.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return name.partition("]")[0] + "]" if name.startswith("[") else name.partition(":")[0]


def is_development(host: str) -> bool:
    """Whether a host is one for development or previews by its name: nothing is published there."""
    return _DEVELOPMENT.fullmatch(host) is not None


def decoded(path: str) -> str:
    """An address's path, percent-decoded; bytes that are not UTF-8 are kept as surrogates."""
    return unquote_to_bytes(path).decode("utf-8", "surrogateescape") if "%" in path else path
