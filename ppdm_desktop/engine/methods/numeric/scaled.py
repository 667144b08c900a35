"""Numbers of a column as whole multiples of its last digit: exact, never a binary float."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.numbers import NumberStyle

Ints = npt.NDArray[np.int64]

MOST_DIGITS = 15
"""Significant digits that every reader of the release keeps."""


def scaled_int(text: str, decimals: int, mark: str = ".") -> int:
    """Return a number text times ten to the power of ``decimals``, exactly.

    Parameters
    ----------
    text
        A number with at most ``decimals`` digits behind the mark.
    decimals
        Digits behind the mark in the result's unit.
    mark
        Decimal mark.
    """
    whole, _, fraction = text.partition(mark)
    return int(whole + fraction.ljust(decimals, "0"))


def scaled_text(value: int, decimals: int, mark: str = ".") -> str:
    """Write such a whole number back with exactly ``decimals`` digits behind the mark."""
    digits = str(abs(value)).rjust(decimals + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-decimals]}{mark}{digits[-decimals:]}" if decimals else sign + digits


def style_of(column: Column) -> NumberStyle:
    """Return how a numeric column writes numbers."""
    return column.style or NumberStyle()


def step_units(style: NumberStyle) -> int:
    """Return the column's step in units of its last digit."""
    return int(style.step.scaleb(style.decimals))


def scaled_values(column: Column) -> Ints:
    """Return each row's value in units of the column's last digit; 0 where missing."""
    style = style_of(column)
    per_text = np.array(
        [
            0 if text in column.missing_texts else scaled_int(text, style.decimals, style.decimal)
            for text in column.texts
        ],
        dtype=np.int64,
    )
    return per_text[column.codes] if len(per_text) else np.zeros(len(column), dtype=np.int64)


def with_texts(column: Column, change: Callable[[str], str], style: NumberStyle) -> Column:
    """Return the column with every number's text changed; missing cells keep theirs.

    Raises
    ------
    InputError
        When a changed text would be read as a missing value.
    """
    index: dict[str, int] = {}
    place = np.empty(len(column.texts), dtype=np.int32)
    for code, text in enumerate(column.texts):
        new = text
        if text not in column.missing_texts:
            new = change(text)
            if new in column.missing_texts:
                raise InputError("error.numeric.becomes-missing", column=column.name)
        place[code] = index.setdefault(new, len(index))
    codes = place[column.codes] if len(place) else column.codes
    return replace(column, codes=codes, texts=tuple(index), style=style)


def with_scaled(column: Column, released: Ints, style: NumberStyle | None = None, *, uniform: bool = False) -> Column:
    """Return the column with other values; a cell whose value stays keeps its very text.

    Parameters
    ----------
    column
        The column before.
    released
        Each row's value in units of the new style's last digit; ignored where missing.
    style
        How the new values are written, by default as the column's.
    uniform
        True where equal values must look alike, so unchanged cells are written anew as well.

    Raises
    ------
    InputError
        When a value would be read as missing, or has too many digits to be read back.
    """
    old = style_of(column)
    new = style or old
    known = ~column.missing
    same = released == scaled_values(column) * 10 ** (new.decimals - old.decimals)
    changed = np.flatnonzero(known if uniform else known & ~same)
    distinct, inverse = np.unique(released[changed], return_inverse=True)
    if len(distinct) and int(np.abs(distinct).max()) >= 10**MOST_DIGITS:
        raise InputError("error.numeric.too-many-digits", column=column.name, args={"most": MOST_DIGITS})
    index = {text: code for code, text in enumerate(column.texts)}
    place = np.empty(len(distinct), dtype=np.int32)
    for at, value in enumerate(distinct.tolist()):
        text = scaled_text(value, new.decimals, new.decimal)
        if text in column.missing_texts:
            raise InputError("error.numeric.becomes-missing", column=column.name)
        place[at] = index.setdefault(text, len(index))
    codes = column.codes.copy()
    codes[changed] = place[inverse]
    return replace(column, codes=codes, texts=tuple(index), style=new)


def half_up(numerator: int, denominator: int) -> int:
    """Return the nearest whole number to a fraction with a positive denominator, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)
