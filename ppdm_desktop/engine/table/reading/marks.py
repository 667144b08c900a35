"""Texts that often mean "missing"."""

from __future__ import annotations

import re

MARKS = (
    "?", "NA", "N/A", "n/a", "na", "#N/A", "NULL", "Null", "null", "None", "none", "NaN", "nan",
    "-", "--", "---", ".", "..", "*", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN",
    "not available", "not applicable", "k.A.", "k. A.", "n.v.t.", "s/o", "n.d.", " ", "  ",
)  # fmt: skip
"""They are only suggested: NA is a country, Null a surname."""
_NO_DAY = re.compile(
    r"(?:0{1,4}([-./ ]) ?0{1,2}\1 ?0{1,4}[.]?|([89])\2(?:\2\2)?([-./])\2\2\3\2\2(?:\2\2)?|0{8}|8{8}|9{8}|1900-01-00"
    r"|0?0\.0?1\.1900|0?0/0?1/1900|0?1/0?0/1900)"
    r"(?:[ T][089:. ]*(?:[AaPp]\.?[Mm]\.?)?)?"
)


def is_no_day(text: str) -> bool:
    """Return whether a text has the form of a date and is none: 00.00.0000, 0000-00-00, 99/99/9999, 99999999."""
    return _NO_DAY.fullmatch(text.strip()) is not None
