"""Codes made from ids by a keyed hash: equal ids have equal codes, and without the secret no code reveals its id."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable, Sequence

from ppdm_desktop.engine.randomness import Key

LENGTHS = (16, 20, 26)
"""Possible numbers of characters of a code, for 80, 100 and 130 bits."""
JOINED_BY = "\N{INFORMATION SEPARATOR ONE}"
"""Separator of the parts of an id that spans several columns."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O or U
_BITS = 5
_PURPOSE = "ppdm-1 pseudonym"


def build_message(domain: str, text: str) -> bytes:
    """Return the bytes to be hashed for an id: purpose, domain and text, each preceded by its length.

    The purpose is the same for all ids. Texts are in UTF-8, and lengths are their numbers of bytes, written as eight
    bytes, the highest first.

    Parameters
    ----------
    domain
        What the id identifies: ``person``, ``household`` or a column's name.
    text
        The id; surrounding blanks and its Unicode form make no difference.
    """
    encoded = b""
    for part in (_PURPOSE, domain, unicodedata.normalize("NFC", text.strip())):
        written = part.encode("utf-8")
        encoded += len(written).to_bytes(8, "big") + written
    return encoded


def compute_code(secret: bytes, message: bytes, length: int) -> str:
    """Return the code for a message: the first 5 x ``length`` bits of its HMAC-SHA-256, as ``length`` characters.

    Characters are digits and capital letters without I, L, O and U, for five bits each. ``secret`` is the HMAC's key.
    """
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    bits = int.from_bytes(digest, "big") >> (8 * len(digest) - _BITS * length)
    return "".join(_ALPHABET[bits >> _BITS * index & 31] for index in reversed(range(length)))


def codes_of(secret: bytes, domain: str, texts: Sequence[str], length: int) -> list[str]:
    """Return the code of each id in ``texts``, in their order; equal ids of one domain have equal codes.

    Ids are equal if they differ only in blanks at the ends or in their Unicode form. Different ids may have the same
    code by chance, which is not checked here. ``domain`` is what the ids identify, and ``length`` the number of
    characters of a code.
    """
    return [compute_code(secret, build_message(domain, text), length) for text in texts]


def are_codes(texts: Iterable[str]) -> bool:
    """Return whether all texts look like codes: all of one length (16, 20 or 26), with the characters of codes only.

    True if there are no texts. Only the secret could show whether they really are codes.
    """
    distinct = set(texts)
    lengths = {len(text) for text in distinct}
    return len(lengths) <= 1 and lengths <= set(LENGTHS) and set().union(*distinct) <= set(_ALPHABET)


def secret_of_key(key: Key) -> bytes:
    """Return 32 bytes derived from a release's key, as the secret of its codes.

    Releases with other keys have other codes.
    """
    return hashlib.sha256(b"ppdm-1 codes" + key.bytes_).digest()
