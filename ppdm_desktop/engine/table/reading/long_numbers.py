"""Rounding numbers with more than 15 digits or an exponent, as computers write them, to at most 15 digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from ppdm_desktop.engine.table.column import Column, decimals_of, is_number
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS
from ppdm_desktop.engine.table.kinds import number_decimals, present_texts
from ppdm_desktop.engine.table.reading.repairs import merge_equal_texts
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Quoted

_CUT = re.compile(r"-?[1-9](?:[.,](?P<decimals>[0-9]{1,8}))?E\+(?P<exponent>[0-9]{2})")
_CUT_PLAIN = re.compile(r"-?[1-9][0-9]{6,}0{5}")
_LIKE_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]{1,2})?")
_GENERAL = 11
"""Spreadsheet programs show whole numbers from this power of ten on with an exponent and six digits."""
_NOTHING_TYPED = np.empty(0, dtype=np.int32)


def find_cut_numbers(texts: Sequence[str]) -> list[str]:
    """Return the texts that are numbers whose last digits a spreadsheet program cut off, as in 4.95502E+11.

    That is so if the exponent is larger than the number of written decimals. Numbers below 10^11 with an exponent count
    only if some other text is no number, so that the texts are codes.
    """
    exponents = [text for text in texts if "E+" in text]
    cut = {text: int(match["exponent"]) for text in exponents if (match := _CUT.fullmatch(text)) and _has_lost(match)}
    if not cut:
        return []
    are_codes = any(not text.isdigit() and not _LIKE_NUMBER.fullmatch(text) for text in texts)
    return [text for text, exponent in cut.items() if are_codes or exponent >= _GENERAL]


def _has_lost(match: re.Match[str]) -> bool:
    """Return whether a matched number lost digits: its exponent is larger than the number of decimals that it shows."""
    return int(match["exponent"]) > len(match["decimals"] or "")


def are_cut(texts: Sequence[str]) -> bool:
    """Return whether at least half of the texts look like numbers whose last digits a spreadsheet program cut off.

    All of this half have an exponent, as `find_cut_numbers` finds them, or all are whole numbers of 12 digits or more
    that end in five zeros. The texts have to be different; False without any.
    """
    plain = sum(_CUT_PLAIN.fullmatch(text) is not None for text in texts if text.endswith("00000"))
    return 2 * max(plain, len(find_cut_numbers(texts))) >= len(texts) > 0


def warn_of_cut_numbers(column: Column) -> Note | None:
    """Return a warning with the number of cells whose last digits a program cut off; None where there are none."""
    cut = find_cut_numbers(column.texts)
    if not cut:
        return None
    count = int(np.isin(column.codes, [column.texts.index(text) for text in cut]).sum())
    return Note(
        "warning.read.digits-cut", {"columns": Names.of([column.name]), "count": count, "value": Quoted(cut[0])}
    )


def with_rounded_numbers(column: Column, decimal: str) -> tuple[Column, Note | None]:
    """Return a column with its over-long numbers rounded, and a warning to the owner; None if nothing was rounded.

    The largest number keeps 15 digits, and no other has more decimals; numbers such as 1.5e-3 are written out. The
    column is unchanged unless all values are numbers afterwards; whole numbers of more than 15 digits, and texts like
    12e5, are left as they are, since they may be codes.

    Parameters
    ----------
    column
        The column as it was read.
    decimal
        The file's decimal mark.
    """
    texts, mark = present_texts(column), re.escape(decimal)
    form = re.compile(
        rf"-?(?:0|[1-9][0-9]{{0,14}})(?:{mark}[0-9]+(?:[eE][-+]?[0-9]{{1,2}})?|[eE]-[0-9]{{1,2}})?", re.ASCII
    )
    if not texts or form.fullmatch(texts[0]) is None or number_decimals(texts, decimal) is not None:
        return column, None
    if not all(map(form.fullmatch, texts)):
        return column, None
    numbers = {text: Decimal(text.replace(decimal, ".")) for text in texts}
    decimals = MOST_DIGITS - 1 - max(0, *(number.adjusted() for number in numbers.values() if number))
    if decimals < 0:
        return column, None
    replacements = {
        text: _format_number(number, decimals).replace(".", decimal)
        for text, number in numbers.items()
        if not is_number(text, decimal) or decimals_of(text, decimal) > decimals
    }
    is_rounded = np.array([text in replacements for text in column.texts], dtype=np.bool_)
    rounded, _ = merge_equal_texts(column, [replacements.get(text, text) for text in column.texts], _NOTHING_TYPED)
    count = int(is_rounded[column.codes].sum())
    return rounded, Note("warning.read.digits-rounded", {"columns": Names.of([column.name]), "count": count})


def _format_number(number: Decimal, decimals: int) -> str:
    """Return a number rounded to ``decimals`` decimals, as text without zeros at the end of its decimals.

    2.50 gives "2.5", and 0.12345678901234567 with 15 decimals gives "0.123456789012346". A half is rounded to the even
    digit (2.5 without decimals gives "2"); zero has no minus.
    """
    text = f"{number:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
