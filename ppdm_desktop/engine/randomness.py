"""The key's random stream: every random draw that reaches a release comes from here.

Bits come from SHAKE-256 over ("ppdm-1", key, SHA-256 of the input, SHA-256 of the canonical effective recipe, step
number, purpose). So a key used again on a different file or recipe draws independently, and the same key, file and
recipe draw the same.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets
from dataclasses import dataclass, field

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, Words
from ppdm_desktop.engine.errors import InputError

KEY_BYTES = 32
_DOMAIN = b"ppdm-1"
_SEED = b"ppdm-1 seed "
_REPLICATE = b"ppdm-1 replicate "
_FIRST_WORDS = 1024
_LEAST_DIFFERENT = 20
_SEEN_AGAIN = 8
_TRIED_AT_ONCE = 2**14


@dataclass(frozen=True)
class Key:
    """A 256-bit key and where it came from.

    Attributes
    ----------
    bytes_
        The 32 key bytes.
    origin
        Where the key came from: ``"system"`` (operating system), ``"file"``, or ``"seed"`` (guessable, for teaching
        and tests).
    """

    bytes_: bytes = field(repr=False)
    origin: str

    @classmethod
    def fresh(cls) -> Key:
        """Return a new random key from the operating system."""
        return cls(secrets.token_bytes(KEY_BYTES), "system")

    @classmethod
    def from_hex(cls, text: str, *, file: str | None = None) -> Key:
        """Return the key written as 64 hexadecimal digits, with ``"file"`` as its origin; blanks around are ignored.

        Digits may be small or capital letters. A key whose bytes follow a pattern is not refused.

        Raises
        ------
        InputError
            When the text is anything else; the error names ``file``.
        """
        key_bytes = _parse_key_bytes(text)
        if key_bytes is None:
            raise InputError("error.key.malformed", file=file)
        return cls(key_bytes, "file")

    @classmethod
    def from_seed(cls, seed: int) -> Key:
        """Return the guessable key derived from a number, for teaching and tests only."""
        return cls(hashlib.sha256(b"%s%d" % (_SEED, seed)).digest(), "seed")

    def is_regular(self) -> bool:
        """Return whether the key's bytes follow a pattern that random bytes do not have.

        Such a key was written by a person, see the function ``is_regular``.
        """
        return is_regular(self.bytes_)

    def find_seed(self, below: int = 2**20) -> int | None:
        """Return the seed, from 0 to ``below`` - 1, from which `from_seed` derived this key; None if there is none.

        Trying 2**20 seeds takes about a second of processor time. The share tried is reported to the current progress.

        Raises
        ------
        Cancelled
            When the current work is stopped.
        """
        wanted, sha256 = self.bytes_, hashlib.sha256
        for start in range(0, below, _TRIED_AT_ONCE):
            progress.report(start / below, "doing.gate")
            for seed in range(start, min(start + _TRIED_AT_ONCE, below)):
                if sha256(b"%s%d" % (_SEED, seed)).digest() == wanted:
                    return seed
        return None

    def replicate(self, number: int) -> Key:
        """Return a key for trial run ``number``, derived from this key; nothing drawn with it is released.

        This key cannot be computed from a derived key.
        """
        return Key(hashlib.sha256(b"%s%d " % (_REPLICATE, number) + self.bytes_).digest(), "system")

    def hex(self) -> str:
        """Return the key as 64 hexadecimal digits in lower case."""
        return self.bytes_.hex()


@dataclass(frozen=True)
class RecipientSecret:
    """A 256-bit secret of one recipient, with which a person gets the same pseudonym in all releases to them.

    Attributes
    ----------
    bytes_
        The 32 bytes.
    is_stand_in
        True for a substitute used where the secret is not available, so that everything else of a release can be
        computed again. Nothing made with it is ever released.
    """

    bytes_: bytes = field(repr=False)
    is_stand_in: bool = False

    @classmethod
    def fresh(cls) -> RecipientSecret:
        """Return a new random secret from the operating system; secrets whose bytes follow a pattern are avoided."""
        while True:
            made = cls(secrets.token_bytes(KEY_BYTES))
            if not is_regular(made.bytes_):  # chance 1.5e-9: it could never be read again
                return made

    @classmethod
    def from_hex(cls, text: str, *, file: str | None = None) -> RecipientSecret:
        """Return the secret written as 64 hexadecimal digits; blanks around them are ignored.

        Raises
        ------
        InputError
            When the text is anything else, or follows a pattern and so was not drawn at random (``is_regular``); the
            error names ``file``.
        """
        secret_bytes = _parse_key_bytes(text)
        if secret_bytes is None:
            raise InputError("error.recipient.malformed", file=file)
        if is_regular(secret_bytes):
            raise InputError("error.recipient.regular", file=file)
        return cls(secret_bytes)

    @classmethod
    def stand_in(cls, key: Key) -> RecipientSecret:
        """Return a substitute, derived from the key, for a secret that is not available.

        Nothing made with it is released.
        """
        return cls(hashlib.sha256(b"ppdm-1 stand-in" + key.bytes_).digest(), is_stand_in=True)

    @property
    def fingerprint(self) -> str:
        """The first 16 hexadecimal digits of SHA-256("ppdm-1 recipient" + secret), which identify the secret."""
        return hashlib.sha256(b"ppdm-1 recipient" + self.bytes_).hexdigest()[:16]

    def hex(self) -> str:
        """Return the secret as 64 hexadecimal digits in lower case."""
        return self.bytes_.hex()


def is_regular(secret_bytes: bytes) -> bool:
    """Return whether 32 bytes follow a pattern, so that they were written by a person and not drawn at random.

    Patterns are fewer than 20 different values, fewer than 20 different steps from one byte to the next (mod 256), and
    a period that at least eight bytes repeat (fewer bytes may repeat by chance: in every 256th key the first byte
    equals the last one). Random bytes have one of the first two patterns with probability 1.5e-9.
    """
    steps = {(after - before) % 256 for before, after in itertools.pairwise(secret_bytes)}
    repeats = any(secret_bytes[period:] == secret_bytes[:-period] for period in range(1, KEY_BYTES - _SEEN_AGAIN + 1))
    return min(len(set(secret_bytes)), len(steps)) < _LEAST_DIFFERENT or repeats


def _parse_key_bytes(text: str) -> bytes | None:
    """Return the 32 bytes written as 64 hexadecimal digits, blanks around them ignored; None for any other text."""
    digits = text.strip()
    if len(digits) != 2 * KEY_BYTES or any(c not in "0123456789abcdefABCDEF" for c in digits):
        return None
    return bytes.fromhex(digits)


class RandomStream:
    """A stream of uniformly random 64-bit words for one purpose.

    The words are the SHAKE-256 output read as little-endian 64-bit integers, in order.
    """

    def __init__(self, seed: bytes) -> None:
        """Start at the first word of the SHAKE-256 output for the seed."""
        self._hash = hashlib.shake_256(seed)
        self._buffer: Words = np.empty(0, dtype=np.uint64)
        self._position = 0

    def words(self, count: int) -> Words:
        """Return the next 64-bit words, uint64, shape (count,); the stream advances by ``count`` words."""
        end = self._position + count
        if end > len(self._buffer):
            # SHAKE output is prefix-stable: a longer digest repeats the shorter one.
            wanted = max(end, 2 * len(self._buffer), _FIRST_WORDS)
            self._buffer = np.frombuffer(self._hash.digest(8 * wanted), dtype="<u8")
        taken = self._buffer[self._position : end]
        self._position = end
        return taken.astype(np.uint64)

    def uniform(self, count: int) -> Floats:
        """Return numbers strictly between 0 and 1, shape (count,): ((word >> 11) + 0.5) * 2**-53."""
        return ((self.words(count) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53

    def integers(self, bound: int, count: int) -> Ints:
        """Return integers uniform in 0 .. bound-1, int64, shape (count,), by rejection (no modulo bias).

        The stream advances by one word for each number, and for each rejected word. ``bound`` may be 2**63 at most.
        ValueError is raised for a bound below 1.
        """
        if bound < 1:
            raise ValueError("bound must be at least 1")
        limit = (2**64 // bound) * bound
        numbers = np.empty(0, dtype=np.uint64)
        while len(numbers) < count:
            drawn = self.words(count - len(numbers))
            if limit < 2**64:
                drawn = drawn[drawn < np.uint64(limit)]
            numbers = np.concatenate([numbers, drawn])
        return (numbers % np.uint64(bound)).astype(np.int64)

    def permutation(self, count: int) -> Ints:
        """Return a random permutation of 0 .. count-1, shape (count,): the order of random words, ties by index."""
        return np.argsort(self.words(count), kind="stable").astype(np.int64)

    def normal(self, count: int) -> Floats:
        """Return standard normal numbers, shape (count,), by the inverse distribution function; one word each."""
        from scipy.special import ndtri  # late: SciPy takes longer to load than most commands to run

        return np.asarray(ndtri(self.uniform(count)), dtype=np.float64)

    def gumbel(self, count: int) -> Floats:
        """Return standard Gumbel numbers, -log(-log(u)), shape (count,)."""
        return np.asarray(-np.log(-np.log(self.uniform(count))), dtype=np.float64)


@dataclass(frozen=True)
class StepStream:
    """The random streams of one step: one independent stream for each purpose.

    Attributes
    ----------
    key
        The candidate's key.
    input_sha256, recipe_sha256
        Hexadecimal digests of the input bytes and of the canonical effective recipe.
    step
        Number of the step, from 1; 0 for draws before the first step and at export.
    asked
        The purposes for which a stream was requested; empty where nothing was drawn.
    recipient
        The secret of the recipient, if it was opened. No stream depends on it.
    is_trial
        Whether this is a trial run from which nothing is released, so that a method may search its best setting less
        thoroughly. No stream depends on it.
    """

    key: Key
    input_sha256: str
    recipe_sha256: str
    step: int
    asked: set[str] = field(default_factory=set, compare=False, repr=False)
    recipient: RecipientSecret | None = None
    is_trial: bool = False

    def stream(self, purpose: str) -> RandomStream:
        """Return the random stream for a purpose, from its first word, and add the purpose to ``asked``.

        ``purpose`` is a text that names what the numbers are for. The stream depends on it and on key, input, recipe
        and step only, so that asking again gives the same numbers again.
        """
        self.asked.add(purpose)
        parts = (
            _DOMAIN,
            self.key.bytes_,
            bytes.fromhex(self.input_sha256),
            bytes.fromhex(self.recipe_sha256),
            str(self.step).encode("ascii"),
            purpose.encode("utf-8"),
        )
        seed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return RandomStream(seed)

    def for_step(self, step: int) -> StepStream:
        """Return the random streams of the recipe's step number ``step``; everything else stays the same.

        Only ``asked`` is a new, empty set: no purpose counts as requested yet.
        """
        return StepStream(
            self.key, self.input_sha256, self.recipe_sha256, step, recipient=self.recipient, is_trial=self.is_trial
        )
