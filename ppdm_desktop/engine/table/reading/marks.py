"""Texts that often mean that a value is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ppdm_desktop.engine.table.column_names import name_lists

MARKS = (
    "?", "NA", "N/A", "n/a", "na", "#N/A", "NULL", "Null", "null", "None", "none", "NaN", "nan",
    "-", "--", "---", ".", "..", "*", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN",
    "not available", "not applicable", "k.A.", "k. A.", "n.v.t.", "s/o", "n.d.", " ", "  ",
)  # fmt: skip
"""They are only suggested: NA is a country, Null a surname."""
_FEW_WORDS = 3
_NO_DAY = re.compile(
    r"(?:0{1,4}([-./ ]) ?0{1,2}\1 ?0{1,4}[.]?|([89])\2(?:\2\2)?([-./])\2\2\3\2\2(?:\2\2)?|0{8}|8{8}|9{8}|1900-01-00"
    r"|0?0\.0?1\.1900|0?0/0?1/1900|0?1/0?0/1900)"
    r"(?:[ T][089:. ]*(?:[AaPp]\.?[Mm]\.?)?)?"
)


def is_no_day(text: str) -> bool:
    """Return whether a text has the form of a date but means none: 00.00.0000, 0000-00-00, 99/99/9999, 99999999."""
    return _NO_DAY.fullmatch(text.strip()) is not None


def guess_missing_words(counts: Mapping[str, int]) -> frozenset[str]:
    """Return the texts without a digit that may mean "missing" among amounts or dates, such as ``not given``.

    They are returned only if there are at most three, in fewer than half of the cells, and none is an answer such as
    "no". Usual marks of a missing value, such as NA, are not counted. ``counts`` is the number of cells with each text.
    """
    words = {text: cells for text, cells in counts.items() if not any(map(str.isdigit, text)) and text not in MARKS}
    are_few = len(words) <= _FEW_WORDS and 2 * sum(words.values()) < sum(counts.values())
    answers = name_lists()["no-name"].whole
    return frozenset(words) if are_few and answers.isdisjoint(map(str.casefold, words)) else frozenset()
