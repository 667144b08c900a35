"""Numbers of a column as whole multiples of its last digit: exact, never a binary float."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.numbers import NumberStyle

Ints = npt.NDArray[np.int64]

MOST_DIGITS = 15
"""Significant digits that every reader of the release keeps."""

_READ: WeakKeyDictionary[Column, Ints] = WeakKeyDictionary()
# A step reads the same column several times over (check, effect, run, recount); columns never change.


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


def scaled_texts(values: Sequence[int], decimals: int, mark: str = ".") -> list[str]:
    """Write many such whole numbers back, as ``scaled_text`` does one."""
    if decimals == 0:
        return list(map(str, values))
    # The sign counts in the width, so that -5 with two decimals becomes -0.05.
    padded = [f"{value:0{decimals + 1 + (value < 0)}d}" for value in values]
    return [f"{digits[:-decimals]}{mark}{digits[-decimals:]}" for digits in padded]


def distinct_values(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values, rising, and the place of each value among them."""
    if not len(values):
        return values, np.zeros(0, dtype=np.int64)
    low, span = int(values.min()), int(values.max()) - int(values.min()) + 1
    if span > 4 * len(values) + 1024:
        distinct, inverse = np.unique(values, return_inverse=True)
        return distinct, inverse.reshape(-1).astype(np.int64)
    # Marking a short range of numbers takes a fraction of the time of sorting.
    there = np.zeros(span, dtype=np.bool_)
    there[values - low] = True
    place = np.cumsum(there, dtype=np.int64) - 1
    return np.flatnonzero(there) + low, place[values - low]


def style_of(column: Column) -> NumberStyle:
    """Return how a numeric column writes numbers."""
    return column.style or NumberStyle()


def step_units(style: NumberStyle) -> int:
    """Return the column's step in units of its last digit."""
    return int(style.step.scaleb(style.decimals))


def scaled_values(column: Column) -> Ints:
    """Return each row's value in units of the column's last digit; 0 where missing."""
    per_text = text_values(column)
    return per_text[column.codes] if len(per_text) else np.zeros(len(column), dtype=np.int64)


def text_values(column: Column) -> Ints:
    """Return the value of each of the column's texts, as ``scaled_values`` of each row; read-only."""
    found = _READ.get(column)
    if found is None:
        style, missing = style_of(column), column.missing_texts
        numbers = _scaled_ints(column.texts, style.decimals, style.decimal, missing)
        found = np.array(numbers, dtype=np.int64)
        found.flags.writeable = False
        _READ[column] = found
    return found


def _scaled_ints(texts: Sequence[str], decimals: int, mark: str, missing: frozenset[str]) -> list[int]:
    """Return the values of many texts, as ``scaled_int`` does of one; 0 for missing ones."""
    if decimals == 0:
        return [0 if text in missing else int(text) for text in texts]
    at = -decimals - 1
    # Most texts have all the decimals: they are read without padding, in half the time.
    return [
        0
        if text in missing
        else int(text[:at] + text[at + 1 :])
        if text[at : at + 1] == mark
        else scaled_int(text, decimals, mark)
        for text in texts
    ]


def with_text_values(column: Column, released: Ints, style: NumberStyle) -> Column:
    """Return the column with another value for each text; a text whose value stays keeps its look.

    Parameters
    ----------
    column
        The column before.
    released
        The new value of each text, in units of the new style's last digit; ignored where missing.
    style
        How the new values are written.

    Raises
    ------
    InputError
        When a changed text would be read as a missing value.
    """
    old = text_values(column) * 10 ** (style.decimals - style_of(column).decimals)
    known = ~np.array([text in column.missing_texts for text in column.texts], dtype=np.bool_)
    changed = np.flatnonzero(known & (released != old))
    written = scaled_texts(released[changed].tolist(), style.decimals, style.decimal)
    if not column.missing_texts.isdisjoint(written):
        raise InputError("error.numeric.becomes-missing", column=column.name)
    texts = list(column.texts)
    for code, text in zip(changed.tolist(), written, strict=True):
        texts[code] = text
    index: dict[str, int] = {}
    place = np.array([index.setdefault(text, len(index)) for text in texts], dtype=np.int32)
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
    new = style or style_of(column)
    changed = ~column.missing
    if not uniform:
        changed &= released != scaled_values(column) * 10 ** (new.decimals - style_of(column).decimals)
    codes, kept = _kept(column, ~changed)
    distinct, inverse = distinct_values(released[changed])
    if len(distinct) and int(np.abs(distinct).max()) >= 10**MOST_DIGITS:
        raise InputError("error.numeric.too-many-digits", column=column.name, args={"most": MOST_DIGITS})
    texts = scaled_texts(distinct.tolist(), new.decimals, new.decimal)
    if not column.missing_texts.isdisjoint(texts):
        raise InputError("error.numeric.becomes-missing", column=column.name)
    if not kept:
        # Distinct values have distinct texts: nothing to look up.
        codes[changed] = inverse
        return replace(column, codes=codes, texts=tuple(texts), style=new)
    index = {text: code for code, text in enumerate(kept)}
    place = np.array([index.setdefault(text, len(index)) for text in texts], dtype=np.int32)
    codes[changed] = place[inverse]
    return replace(column, codes=codes, texts=tuple(index), style=new)


def _kept(column: Column, cells: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Return new codes, and the texts they stand for, of cells that keep their text."""
    used = np.zeros(len(column.texts), dtype=np.bool_)
    used[column.codes[cells]] = True
    place = np.cumsum(used, dtype=np.int32) - np.int32(1)
    codes = place[column.codes] if len(place) else column.codes.copy()
    return codes, [column.texts[code] for code in np.flatnonzero(used).tolist()]


def half_up(numerator: int, denominator: int) -> int:
    """Return the nearest whole number to a fraction with a positive denominator, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)
