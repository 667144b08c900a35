"""Recounting what a shift of digits promises: each released digit against that of its source."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import scaled_int, scaled_values, style_of
from ppdm_desktop.engine.table.column import Column

_BLOCK = 1 << 15


def departures(column: Column, released: Column, by: int, scale: int) -> int:
    """Count the cells that are not the shift of their source, digit by digit.

    Parameters
    ----------
    column, released
        Source and release, row by row.
    by
        What is due to each digit behind the first.
    scale
        Digits behind the mark in the release.
    """
    style = style_of(column)
    values, legible = _read_back(released, scale, style.decimal)
    legible &= column.missing == released.missing
    follows = _follow(scaled_values(column) * 10 ** (scale - style.decimals), values, by)
    empty = np.flatnonzero(column.missing)
    if len(empty):
        # A cell without a value keeps its text.
        pairs = zip(column.take(empty).values(), released.take(empty).values(), strict=True)
        follows[empty] = [was == now for was, now in pairs]
    return int(np.count_nonzero(~(follows & legible)))


def _read_back(released: Column, scale: int, mark: str) -> tuple[Ints, Bools]:
    """Return released values in units of their last digit, and which of them are numbers at all."""
    legible = np.ones(len(released), dtype=np.bool_)
    if released.kind == "numeric" and style_of(released).decimals == scale:
        try:
            return scaled_values(released), legible
        except (ValueError, OverflowError):
            pass  # a damaged file: text by text
    values = np.zeros(len(released.texts), dtype=np.int64)
    numbers = np.ones(len(released.texts), dtype=np.bool_)
    for code, text in enumerate(released.texts):
        if text in released.missing_texts:
            continue
        try:
            values[code] = scaled_int(text, scale, mark)
        except (ValueError, OverflowError):
            numbers[code] = False
    return values[released.codes], numbers[released.codes]


def _follow(old: Ints, new: Ints, by: int) -> Bools:
    """Say which new values have, at every place, the digit that is due to the old one."""
    found = np.asarray((old < 0) == (new < 0))
    for start in range(0, len(old), _BLOCK):
        block = slice(start, start + _BLOCK)
        was, now = np.abs(old[block]), np.abs(new[block])
        while was.any() or now.any():
            due = np.where(was < 10, was, was + by) % 10
            found[block] &= now % 10 == due
            was, now = was // 10, now // 10
    return found
