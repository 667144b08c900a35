"""Round numbers with more than 15 digits or an exponent, as computers write them, to at most 15 digits."""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np

from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS
from ppdm_desktop.engine.table.kinds import number_decimals, present_texts
from ppdm_desktop.engine.table.numbers import decimals_of, is_number
from ppdm_desktop.engine.table.reading.repairs import merged
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names

_NOTHING_TYPED = np.empty(0, dtype=np.int32)


def with_rounded_numbers(column: Column, decimal: str) -> tuple[Column, Note | None]:
    """Return a column with its over-long numbers rounded, and a warning for the owner if there are any.

    The largest number keeps 15 digits, and no other has more digits behind the mark. The column is unchanged unless all
    values are numbers afterwards. A long whole number is a code, each digit of which counts, and so is 12e5.

    Parameters
    ----------
    column
        As read.
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
        text: _plain(number, decimals).replace(".", decimal)
        for text, number in numbers.items()
        if not is_number(text, decimal) or decimals_of(text, decimal) > decimals
    }
    is_rounded = np.array([text in replacements for text in column.texts], dtype=np.bool_)
    rounded, _ = merged(column, [replacements.get(text, text) for text in column.texts], _NOTHING_TYPED)
    count = int(is_rounded[column.codes].sum())
    return rounded, Note("warning.read.digits-rounded", {"columns": Names.of([column.name]), "count": count})


def _plain(number: Decimal, decimals: int) -> str:
    """Return a number with at most so many decimals, without zeros at its end."""
    text = f"{number:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
