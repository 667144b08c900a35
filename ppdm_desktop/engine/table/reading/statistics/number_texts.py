"""Writing the numbers of a column, which a file stores in binary form, as texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_POSITIONAL = 1e21
_STORED: Mapping[int, Callable[[float], np.floating[Any]]] = {16: np.float16, 32: np.float32, 64: np.float64}


@dataclass(frozen=True)
class NumberFormat:
    """How a file's own format shows the numbers of a column.

    Attributes
    ----------
    decimals
        Digits after the decimal mark; None for the shortest text.
    width
        Least number of characters, up to which zeros are filled in at the front.
    """

    decimals: int | None = None
    width: int = 0


def format_shortest_number(value: float, bits: int = 64) -> str:
    """Return the shortest text that reads back as the same number: "0.1", "1500".

    With an exponent only if the number without its sign is 1e+21 or more, or at most 1e-16; zero is "0" even with a
    minus.

    Parameters
    ----------
    value
        The number.
    bits
        With how many bits it was stored (16, 32 or 64), and in which the text has to give the same number.
    """
    stored = _STORED[bits](value)
    if value == 0:
        return "0"
    return np.format_float_positional(stored, trim="-") if 1e-16 < abs(value) < _POSITIONAL else str(stored)


def number_texts(values: Sequence[float], number_format: NumberFormat, bits: int = 64) -> tuple[list[str], bool]:
    """Return the numbers of a column as their format shows them, and whether they have more digits than it shows.

    Parameters
    ----------
    values
        Distinct finite numbers.
    number_format
        The format.
    bits
        With how many bits they were stored.

    Returns
    -------
    texts
        With the format's decimals, and zeros in front up to its width, if all numbers are exactly what is shown; else,
        or without decimals in the format, the shortest texts that give the same numbers.
    more
        Whether some number has more digits than the format shows; False without decimals in the format.
    """
    if number_format.decimals is not None:
        texts = [_format_fixed(value, number_format) for value in values]
        stored = _STORED[bits]
        if all(stored(float(text)) == stored(value) for text, value in zip(texts, values, strict=True)):
            return texts, False
    return [format_shortest_number(value, bits) for value in values], number_format.decimals is not None


def _format_fixed(value: float, number_format: NumberFormat) -> str:
    """Return a number with the format's decimals, filled up with zeros to its width, a minus not counted."""
    text = f"{abs(value):.{number_format.decimals}f}"
    return ("-" if value < 0 else "") + text.rjust(number_format.width, "0")
