"""Finding the encoding of a text file: by its byte order mark, as strict UTF-8, as UTF-16, else by a careful guess.

Decoding is always strict: a byte that does not fit is an error with its line, never a
replacement sign.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.text_file import Text
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted, Term, Terms

_PIECE = 4 * 2**20
_SAMPLE = 256 * 2**10

# Longest first: the mark of UTF-32 begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
# Encodings a table is plausibly saved in by office programs; first is likeliest.
_PLAUSIBLE = (
    "cp1252",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp932",
    "gb18030",
    "big5",
    "cp949",
)
# Text encodings of Python that are no way to save a table, or that hide other text.
_REFUSED = frozenset({"utf-7", "unicode-escape", "raw-unicode-escape", "punycode", "idna", "undefined"})
# Signs that stand inside western words or beside western numbers.
_WESTERN = re.compile("[À-ÖØ-öø-ÿŠšŽžŒœŸ]")
_WESTERN_SIGNS = frozenset("\u00a0€‚„…‘’“”•–—™¡£§©ª«®°±²³´µ·º»½¼¾¿")
_ODD_IN_WORD = re.compile(r"[^\W\d_](?:[¡¢¤¥¦¨ª¬¯±²³´µ¶¸¹º¼½¾¿£§©®×÷ˆ˜†‡‰])[^\W\d_]")
_IN_NO_WORD = re.compile(rf"{_ODD_IN_WORD.pattern}|[A-Za-z][\u0370-\u06ff]|[\u0370-\u06ff][A-Za-z]")
"""A sign, or a letter of another script, inside a word of Latin letters."""
_TURKISH, _ICELANDIC = frozenset("ÐÝÞðýþ"), frozenset("áæíóúÁÆÍÓÚ")
"""Letters of a Turkish text that is read as western, and letters that Icelandic has beside them and Turkish has not."""
_HIGH_RUN = re.compile("[À-ÿŠšŽžŒœŸ]{4,}")


@dataclass(frozen=True)
class Decoded:
    """The text of a file as UTF-8 without a byte order mark, its original encoding, and warnings about a guess."""

    utf8: Text
    encoding: str
    warnings: tuple[Note, ...] = ()


def decode(data: bytes, wanted: str | None) -> Decoded:
    """Return the text of a file as UTF-8, with the encoding that was given or found.

    It is found by a byte order mark (``utf-8-sig``, ``utf-16``, ``utf-32``), by zero bytes (``utf-16-le``,
    ``utf-16-be``), as valid ``utf-8``, or else by a guess, such as ``cp1252``. Only for the guess there is a warning.

    Parameters
    ----------
    data
        The bytes of the file.
    wanted
        Encoding from the recipe, or None to find it.

    Raises
    ------
    InputError
        When a byte does not fit, with its line, also in a file that was probably meant as UTF-8; when there are NUL
        bytes; when the encoding is unknown.
    """
    if wanted is not None:
        return _decode_as_wanted(data, wanted)
    for mark, name, precise in _MARKS:
        if data.startswith(mark):
            if precise == "utf-8":
                return _decode_as_wanted(data, name)
            return Decoded(_transcode_to_utf8(data[len(mark) :], precise, name, len(mark)), name)
    if (wide := _guess_utf16_order(data)) is not None:
        return Decoded(_transcode_to_utf8(data, wide, wide, 0), wide)
    try:
        _prove_utf8(data, "utf-8")
    except InputError as error:
        if _is_mostly_utf8(data, int(str(error.arguments["byte"])) - 1):
            raise
        name, alternatives = _guess_legacy(_refuse_nul(data))
        warning = Note("warning.read.encoding-guessed", {"encoding": Term(name), "others": Terms(tuple(alternatives))})
        return Decoded(_transcode_to_utf8(data, name, name, 0), name, (warning,))
    return Decoded(_refuse_nul(data), "utf-8")


def _decode_as_wanted(data: bytes, wanted: str) -> Decoded:
    """Return the text of a file in the encoding that the recipe names, without its byte order mark.

    The encoding is called as in the recipe. Raises InputError for an unknown encoding, or one in which no table is
    saved, such as UTF-7; for bytes that do not fit it; and for NUL.
    """
    try:
        name = codecs.lookup(wanted).name
        "".encode(wanted)
    except (LookupError, ValueError, UnicodeError) as error:
        raise InputError("error.read.unknown-encoding", args={"encoding": Quoted(wanted)}) from error
    if name.replace("_", "-") in _REFUSED:
        raise InputError("error.read.unknown-encoding", args={"encoding": Quoted(wanted)})
    if name in ("utf-8", "utf-8-sig"):
        _prove_utf8(data, wanted)
        return Decoded(_refuse_nul(data).removeprefix(codecs.BOM_UTF8), wanted)
    for mark, _, precise in _MARKS:
        if name == precise and data.startswith(mark):
            return Decoded(_transcode_to_utf8(data[len(mark) :], precise, wanted, len(mark)), wanted)
    return Decoded(_transcode_to_utf8(data, wanted, wanted, 0), wanted)


def _refuse_nul(utf8: bytes) -> bytes:
    """Return the text unchanged; raise InputError when it holds a NUL byte."""
    position = utf8.find(b"\0")
    if position >= 0:
        raise InputError("error.read.nul", args={"line": _find_line_number(utf8, position), "byte": position + 1})
    return utf8


def _find_line_number(data: bytes, position: int) -> int:
    """Return the number of the line, from 1, in which a byte position lies; lines end with a line feed."""
    return data.count(b"\n", 0, position) + 1


def _prove_utf8(body: bytes, name: str) -> None:
    """Raise InputError, naming the encoding ``name``, when bytes are no valid UTF-8.

    They are decoded in pieces, so that the whole text is never in memory twice.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    view = memoryview(body)
    for start in range(0, max(len(body), 1), _PIECE):
        progress.check()
        waiting = len(decoder.getstate()[0])
        try:
            decoder.decode(view[start : start + _PIECE], final=start + _PIECE >= len(body))
        except UnicodeDecodeError as error:
            position = start - waiting + error.start
            raise _make_decode_error(body, position, name) from error


def _make_decode_error(body: bytes, position: int, name: str) -> InputError:
    """Return the error that the byte at ``position`` does not fit the encoding ``name``, with its line.

    ``position`` counts from 0 in ``body``; line and byte in the message count from 1. At the end of ``body`` the
    message says that the file ends within a character.
    """
    term = Term(f"0x{body[position]:02X}") if position < len(body) else Note("found.end-of-file")
    return InputError(
        "error.read.not-decodable",
        args={"encoding": Term(name), "line": _find_line_number(body, position), "byte": position + 1, "found": term},
    )


def _transcode_to_utf8(body: bytes, codec: str, name: str, offset: int) -> bytes:
    """Return text in the encoding ``codec`` as UTF-8, without a byte order mark.

    Raises InputError, with the line, for a byte that does not fit, half a character, or NUL. ``name`` is what messages
    call the encoding, ``offset`` the number of bytes of the file before ``body``.
    """
    try:
        text = body.decode(codec)
    except UnicodeDecodeError as error:
        start = error.start
        if codec.startswith(("utf-16", "utf-32")):
            line = body[:start].decode(codec, "ignore").count("\n") + 1
        else:
            line = _find_line_number(body, start)
        raise InputError(
            "error.read.not-decodable",
            args={
                "encoding": Term(name),
                "line": line,
                "byte": start + offset + 1,
                "found": Term(f"0x{body[start]:02X}") if start < len(body) else Note("found.end-of-file"),
            },
        ) from error
    try:
        return _refuse_nul(text.removeprefix("\ufeff").encode("utf-8"))
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise InputError(
            "error.read.not-decodable",
            args={"encoding": Term(name), "line": line, "byte": Term("?"), "found": Note("found.half-character")},
        ) from error


def _guess_utf16_order(data: bytes) -> str | None:
    """Return ``utf-16-le`` or ``utf-16-be`` for a text without a byte order mark that seems to be UTF-16; else None.

    It must have an even number of bytes, and zeros almost only in the second byte of its pairs (the first for
    ``utf-16-be``): in more than a fifth of the pairs, or at least twice, never in the other byte, and beside a line end
    in this order. The first 256 KiB are looked at.
    """
    sample = data[: _SAMPLE // 2 * 2]
    if len(sample) < 4 or len(data) % 2 or b"\0" not in sample:
        return None
    even, odd = sample[0::2], sample[1::2]
    low, high = even.count(0), odd.count(0)
    breaks = {"utf-16-le": b"\n\0", "utf-16-be": b"\0\n"}
    for name, zeros, zeros_elsewhere in (("utf-16-le", high, low), ("utf-16-be", low, high)):
        if zeros > 0.2 * len(even) and zeros > 20 * zeros_elsewhere:
            return name
        if zeros_elsewhere == 0 and zeros >= 2 and breaks[name] in sample:
            return name
    return None


def _is_mostly_utf8(data: bytes, position: int) -> bool:
    """Return whether a file was probably meant as UTF-8 although the byte at ``position`` is not valid in it.

    In another encoding hardly any bytes would look like UTF-8 by chance. So it was meant as UTF-8 if the 64 MiB before
    this byte hold three characters beyond ASCII, or the 4 MiB on either side of it together hold more than five times
    as many valid characters beyond ASCII as faults.
    """
    before = data[max(0, position - 16 * _PIECE) : position].decode("utf-8", "ignore")
    if _count_beyond_ascii(before) >= 3:
        return True
    around = data[max(0, position - _PIECE) : position + _PIECE].decode("utf-8", "replace")
    bad = around.count("\ufffd")
    return _count_beyond_ascii(around) - bad > 5 * bad


def _count_beyond_ascii(text: str) -> int:
    """Return how many characters of a text are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _guess_legacy(data: bytes) -> tuple[str, list[str]]:
    """Return the most likely encoding of a file that is not UTF-8, and the others that would fit every byte.

    They are from a list of twelve in which office programs save tables, the others in the order of this list, which
    begins with ``cp1252``. One always fits: ``cp1256`` has a character for every byte.
    """
    sample = b"\n".join(line for line in data[: 64 * _SAMPLE].splitlines() if not line.isascii())[:_SAMPLE]
    fitting = [name for name in _PLAUSIBLE if _can_decode(data, name)]
    if "cp1252" in fitting and _is_western_text(sample.decode("cp1252")):
        encoding = _choose_western_or_near(sample, fitting)
    else:
        sound = [name for name in fitting if not _IN_NO_WORD.search(sample.decode(name, "replace"))]
        encoding = _choose_best_encoding(sample, sound or fitting) or fitting[0]
    return encoding, [name for name in fitting if name != encoding]


def _choose_western_or_near(sample: bytes, fitting: list[str]) -> str:
    """Return ``cp1252`` for a western text, or ``cp1254`` (Turkish) or ``cp1250`` (central European) if that fits.

    It is ``cp1254`` if there are two different Turkish letters and no Icelandic ones. Otherwise the statistics of
    letters decide, but for ``cp1252`` if they favour none or 90 % of the accented letters are usual in western texts.
    ``fitting`` are the encodings that fit every byte, of which ``cp1252`` must be one.
    """
    letters = frozenset(sample.decode("cp1252"))
    if "cp1254" in fitting and len(letters & _TURKISH) > 1 and letters.isdisjoint(_ICELANDIC):
        return "cp1254"
    central = _choose_best_encoding(sample, [name for name in fitting if name in ("cp1252", "cp1250", "cp1254")])
    return "cp1252" if central is None or _has_western_accents(sample) else central


def _can_decode(data: bytes, name: str) -> bool:
    """Return whether all bytes can be decoded in an encoding, given by its name."""
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _choose_best_encoding(sample: bytes, candidates: list[str]) -> str | None:
    """Return the candidate encoding that the letters of a sample make most likely; None where they favour none."""
    if not candidates:
        return None
    best = from_bytes(sample, cp_isolation=candidates, preemptive_behaviour=False).best()
    return _find_same_encoding(best.encoding, candidates) if best is not None else None


def _find_same_encoding(name: str, candidates: list[str]) -> str | None:
    """Return the candidate that is another name of the same encoding; None without one."""
    precise = codecs.lookup(name).name
    return next((candidate for candidate in candidates if codecs.lookup(candidate).name == precise), None)


def _is_western_text(text: str) -> bool:
    """Return whether text decoded as cp1252 looks like a western language.

    It must have no sign that such texts lack, none inside a word, no long run of accented letters, and not more
    accented letters than half the number of plain ones plus two.
    """
    high = [sign for sign in text if ord(sign) > 0x7F]
    letters = sum(sign.isascii() and sign.isalpha() for sign in text)
    accents = sum(_WESTERN.match(sign) is not None for sign in high)
    strange = sum(_WESTERN.match(sign) is None and sign not in _WESTERN_SIGNS for sign in high)
    odd = len(_ODD_IN_WORD.findall(text))
    return strange == 0 and odd == 0 and accents <= 0.5 * letters + 2 and not _HIGH_RUN.search(text)


def _has_western_accents(sample: bytes) -> bool:
    """Return whether at least 90 % of the accented letters are usual in western texts; True without such letters.

    Western are German, French, Spanish, Portuguese and Nordic. The sample is decoded as cp1252, which it has to fit.
    """
    usual = frozenset("äöüßÄÖÜéèêëàâçùûôîïÉÈÀÇñÑáíóúÁÍÓÚãõåøæÅØÆœŒ")
    high = [sign for sign in sample.decode("cp1252") if _WESTERN.match(sign)]
    return sum(sign in usual for sign in high) >= 0.9 * len(high)
