"""Texts that often mean "missing"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ppdm_desktop.engine.table.reading.cell_words import folded, no_answers

MARKS = (
    "?", "NA", "N/A", "n/a", "na", "#N/A", "NULL", "Null", "null", "None", "none", "NaN", "nan",
    "-", "--", "---", ".", "..", "*", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN",
    "not available", "not applicable", "k.A.", "k. A.", "n.v.t.", "s/o", "n.d.", " ", "  ",
)  # fmt: skip
"""They are only suggested: NA is a country, Null a surname."""
_MOST_LETTERS = 60
_CODE_BEFORE = re.compile(r"[\[(]?-?[0-9]{1,4}[\])]?[.:)=]?\s+(?:[-–=]\s+)?")
_AROUND = " .,;:!?()[]<>-–\"'“”„«»"
_NO_DAY = re.compile(
    r"(?:0{1,4}([-./ ]) ?0{1,2}\1 ?0{1,4}[.]?|([89])\2(?:\2\2)?([-./])\2\2\3\2\2(?:\2\2)?|0{8}|8{8}|9{8}|1900-01-00"
    r"|0?0\.0?1\.1900|0?0/0?1/1900|0?1/0?0/1900)"
    r"(?:[ T][089:. ]*(?:[AaPp]\.?[Mm]\.?)?)?"
)


def no_answers_among(texts: Iterable[str]) -> list[str]:
    """Return the texts that say that an answer was refused, is not known or does not apply, in any language known.

    A code may stand before it, as in ``-9. No answer``.
    """
    known = no_answers()
    return [
        text
        for text in texts
        if len(text) <= _MOST_LETTERS
        and not text.isdigit()
        and folded(_CODE_BEFORE.sub("", text, count=1)).strip(_AROUND) in known
    ]


def is_no_day(text: str) -> bool:
    """Return whether a text has the form of a date and is none: 00.00.0000, 0000-00-00, 99/99/9999, 99999999."""
    return _NO_DAY.fullmatch(text.strip()) is not None
