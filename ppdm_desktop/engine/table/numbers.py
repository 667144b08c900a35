"""Numbers as text: which texts are numbers, and how a released number is written.

A text is a number when it reads: optional minus, digits without a leading zero before
another digit, optionally the decimal mark and digits, at most 15 significant digits, no
exponent. Everything else stays text, so that codes and identifiers survive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS, text_floats

_PATTERNS = {mark: re.compile(rf"-?(?:0|[1-9][0-9]*)(?:{re.escape(mark)}[0-9]+)?", re.ASCII) for mark in (".", ",")}


def is_number(text: str, decimal: str = ".") -> bool:
    """Return whether a text is a number that reads and writes back unchanged."""
    if _PATTERNS[decimal].fullmatch(text) is None:
        return False
    digits = text.lstrip("-").replace(decimal, "").lstrip("0")
    return len(digits) <= MOST_DIGITS


def to_decimal(text: str, decimal: str = ".") -> Decimal:
    """Return the exact value of a number text."""
    return Decimal(text.replace(decimal, "."))


def exact(value: float) -> Decimal:
    """Return a float as a Decimal by its shortest text."""
    return Decimal(repr(float(value)))


def decimals_of(text: str, decimal: str = ".") -> int:
    """Return how many digits stand behind the decimal mark."""
    _, mark, fraction = text.partition(decimal)
    return len(fraction) if mark else 0


@dataclass(frozen=True)
class NumberStyle:
    """How a column writes its numbers.

    Attributes
    ----------
    decimal
        Decimal mark.
    decimals
        Largest number of digits behind the mark seen in the column (or declared).
    step
        The column's grid: every released number is a whole multiple of it.
    """

    decimal: str = "."
    decimals: int = 0
    step: Decimal = Decimal(1)

    @classmethod
    def seen_in(cls, texts: Iterable[str], decimal: str = ".", declared_step: float | None = None) -> NumberStyle:
        """Return the style of a column's number texts; a declared step overrides the grid."""
        return cls.written(max((decimals_of(text, decimal) for text in texts), default=0), decimal, declared_step)

    @classmethod
    def written(cls, decimals: int, decimal: str = ".", declared_step: float | None = None) -> NumberStyle:
        """Return the style of numbers with so many digits behind the mark; a declared step overrides the grid."""
        if declared_step is None:
            return cls(decimal, decimals, Decimal(1).scaleb(-decimals))
        step = Decimal(str(declared_step)).normalize()
        exponent = step.as_tuple().exponent
        assert isinstance(exponent, int)
        return cls(decimal, max(decimals, -exponent, 0), step)

    def fine_enough(self, numbers: Iterable[Decimal]) -> NumberStyle:
        """Return the style with as many digits behind the mark as the numbers need, if those are more."""
        return replace(
            self, decimals=max([self.decimals, *(-int(number.normalize().as_tuple().exponent) for number in numbers)])
        )

    def text(self, value: Decimal | int) -> str:
        """Return an exact number as text in the column's style."""
        written = f"{Decimal(value):.{self.decimals}f}"
        if written.lstrip("-").strip("0.") == "":
            written = written.lstrip("-")
        return written.replace(".", self.decimal)


def to_floats(texts: Iterable[str], decimal: str = ".") -> Floats:
    """Return number texts as 64-bit floats (the nearest to each exact value)."""
    return text_floats(texts if isinstance(texts, list | tuple) else list(texts), decimal)
