"""A measured quantity with what is needed to read it: interval, count, unit, how it was measured."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

Z_95 = 1.959963984540054
"""Half of a 95 % interval, in standard deviations of a normal law."""
SHARE, SHARE_OF_RECORDS, SHARE_RIGHT = "share", "share of records", "share told rightly"
"""Units of figures that may be so many of ``n`` records, as reports keep them: the last of what learners predict."""


@dataclass(frozen=True)
class Figure:
    """One measured quantity (contract, section 5).

    Attributes
    ----------
    value
        The quantity; None when it was not computed, and then ``note`` says why.
    low, high
        Ends of the 95 % interval; None when the value is exact.
    n
        How many records, cells or draws it rests on.
    unit
        Unit in words, for example ``records``, ``share`` or the column's own.
    method
        How it was measured, in a few words.
    note
        What a reader must know beside it.
    """

    value: float | int | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    unit: str | None = None
    method: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        if self.value is None and not self.note:
            raise ValueError("a figure without a value needs a note that says why")
        for each in (self.value, self.low, self.high):
            if each is not None and not math.isfinite(each):
                raise ValueError("a figure is a finite number; use None and a note instead")

    @classmethod
    def absent(cls, note: str, *, unit: str | None = None, method: str | None = None) -> Figure:
        """Return a figure that was not computed, with the reason."""
        return cls(None, unit=unit, method=method, note=note)

    def document(self) -> dict[str, Any]:
        """Return plain data, keys in the contract's order."""
        return asdict(self)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many (Wilson 1927); from 0 to 1 of nobody."""
    if not count:
        return 0.0, 1.0
    wide = 1 + Z_95**2 / count
    middle = (share + Z_95**2 / (2 * count)) / wide
    half = Z_95 / wide * math.sqrt(share * (1 - share) / count + Z_95**2 / (4 * count**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)
