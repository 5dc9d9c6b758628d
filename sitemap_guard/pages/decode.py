"""The bytes of an HTML file as UTF-8, whatever they were written in.

The order is that of the HTML standard (13.2.3.2, "determining the character encoding") but for one thing: a file
that is valid UTF-8 is UTF-8, whatever it declares, since the usual hosts say so in a header that wins over the file.
"""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(rb"""<meta[^>]{1,512}?charset\s*=\s*["']?\s*([a-z0-9_.:-]{2,40})""", re.IGNORECASE)
# Where the HTML standard stops looking for a declaration.
_LOOKED_AT = 1024
# Python knows many more "encodings" (rot13, idna, unicode_escape); a page must not choose one of those.
_LEGACY = re.compile(r"(?:iso8859|cp\d|koi8|mac|gb|big5|euc|shift_jis|iso2022_jp|tis|ptcp154|kz1048|johab)")


def utf8_of(data: bytes) -> bytes:
    """The same text in valid UTF-8, without a byte-order mark; bytes that mean nothing become U+FFFD."""
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_declared(data), "replace").encode("utf-8", "replace")
    return data


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data, 0, _LOOKED_AT)
    if not found:
        return "utf-8"
    try:
        name = codecs.lookup(found[1].decode("ascii")).name.replace("-", "")
    except (LookupError, ValueError):
        return "utf-8"
    if name in ("iso88591", "ascii"):
        return "cp1252"  # so do browsers (encoding standard, labels of windows-1252)
    return name if _LEGACY.match(name) else "utf-8"
