"""Codes made from ids by a keyed hash: equal ids have equal codes; without the secret no code reveals its id."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable, Sequence

from ppdm_desktop.engine.randomness import Key

LENGTHS = (16, 20, 26)
"""Letters a code may have: 80, 100 and 130 bits."""
JOINED_BY = "\N{INFORMATION SEPARATOR ONE}"
"""Separator of the parts of an id that spans several columns."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O or U
_BITS = 5
_PURPOSE = "ppdm-1 pseudonym"


def build_message(domain: str, text: str) -> bytes:
    """Return the bytes to hash: purpose, domain and text, each preceded by its length.

    Parameters
    ----------
    domain
        What the id is of: ``person``, ``household`` or a column's name.
    text
        The id; blanks around it and its Unicode form make no difference.
    """
    encoded = b""
    for part in (_PURPOSE, domain, unicodedata.normalize("NFC", text.strip())):
        written = part.encode("utf-8")
        encoded += len(written).to_bytes(8, "big") + written
    return encoded


def compute_code(secret: bytes, said: bytes, length: int) -> str:
    """Return the first 5 x ``length`` bits of the HMAC-SHA-256 of a message, as ``length`` characters.

    Characters are digits and capital letters without I, L, O and U, for five bits each. ``said`` is the message.
    """
    digest = hmac.new(secret, said, hashlib.sha256).digest()
    bits = int.from_bytes(digest, "big") >> (8 * len(digest) - _BITS * length)
    return "".join(_ALPHABET[bits >> _BITS * index & 31] for index in reversed(range(length)))


def codes_of(secret: bytes, domain: str, texts: Sequence[str], length: int) -> list[str]:
    """Return the code of each text; texts of the same id have the same code."""
    return [compute_code(secret, build_message(domain, text), length) for text in texts]


def are_codes(texts: Iterable[str]) -> bool:
    """Return whether all texts have the form of codes: one length (16, 20 or 26) and letters of the alphabet only.

    True for no texts. Only the secret shows whether they are codes.
    """
    distinct = set(texts)
    lengths = {len(text) for text in distinct}
    return len(lengths) <= 1 and lengths <= set(LENGTHS) and set().union(*distinct) <= set(_ALPHABET)


def secret_of_key(key: Key) -> bytes:
    """Return 32 bytes derived from a release's key, the secret of its codes.

    No other release has the same codes.
    """
    return hashlib.sha256(b"ppdm-1 codes" + key.bytes_).digest()
