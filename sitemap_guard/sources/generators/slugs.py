"""Slugs, as the generators' libraries make them from titles and names.

Each function gives all spellings that are defensible for the text (libraries differ in letters such as `ö`), and none
where the text has letters that only a table of the library could spell in ASCII. A spelling that no page has does no
harm: addresses are looked up exactly.
"""

from __future__ import annotations

import re
import unicodedata

_TAG = re.compile(r"<[^>]*>")
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d"}
    | {"þ": "th", "ł": "l", "Ł": "L", "ı": "i"}
    | {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "--", "…": "...", "\u00a0": " "}
)
# The npm package slugify spells some signs out; these are the usual ones.
_SPELT = str.maketrans({"&": "and", "%": "percent", "$": "dollar", "<": "less", ">": "greater", "|": "or"})
_HEXO = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/–—]+")


def to_ascii(text: str) -> str:
    """The text in ASCII: accents off, usual letters spelt out; "" if a letter is left that is not ASCII."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    if any(ord(sign) > 127 and sign.isalnum() for sign in plain):
        return ""
    return plain.encode("ascii", "ignore").decode()


def _both(text: str) -> list[str]:
    """In ASCII, with German vowels as one letter and as two."""
    return list(dict.fromkeys(plain for one in (text, text.translate(_GERMAN)) if (plain := to_ascii(one))))


def sindre_slugs(text: str) -> list[str]:
    """@sindresorhus/slugify (Eleventy's `slugify`): `&` is "and", all else but letters and digits is a hyphen."""
    found = []
    for plain in _both(text.replace("&", " and ")):
        word = re.sub(r"([a-z\d]+)'([ts])(\s|$)", r"\1\2\3", plain.lower())
        found.append(re.sub(r"[^a-z\d]+", "-", word).strip("-"))
    return [slug for slug in found if slug]


def npm_slugs(text: str) -> list[str]:
    """The npm package slugify in lower case (Eleventy's `slug`): spells signs out, keeps some punctuation."""
    found = []
    for plain in _both(text.translate(_SPELT)):
        word = re.sub(r"[^\w\s$*_+~.()'\"!\-:@]+", "", plain).strip().lower()
        found.append(re.sub(r"[\s-]+", "-", word))
    return [slug for slug in found if slug]


def github_slug(text: str) -> str:
    """github-slugger (Astro): lower case, punctuation out, each space a hyphen."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def hexo_slug(text: str) -> str:
    """hexo-util's slugize: accents off, runs of signs and spaces to one hyphen; case is kept."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return _HEXO.sub("-", unicodedata.normalize("NFC", plain)).strip("-")


def python_slugs(text: str, kept: str = "") -> list[str]:
    """Pelican's and Nikola's slugify: ASCII, letters, digits, `_` and hyphens (and `kept`), lower case."""
    plain = to_ascii(_TAG.sub("", unicodedata.normalize("NFKC", text)))
    word = re.sub(r"[-\s]+", "-", re.sub(rf"[^\w\s{re.escape(kept)}-]", "", plain).strip()).lower()
    return [word] if word else []


def rust_slugs(text: str) -> list[str]:
    """The slug crate (Zola): ASCII in lower case, runs of all else to one hyphen."""
    found = [re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") for plain in _both(text)]
    return [slug for slug in found if slug]
