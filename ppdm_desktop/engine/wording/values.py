"""Arguments of a sentence that are more than a count: each is a value and knows how it is written.

Whoever speaks gives the manner in which counts are written, so that the window can group digits as the person
is used to. By itself a value writes as documents do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppdm_desktop.engine.texts import render

BASES = (100, 1_000, 10_000)
MINUS = "−"


def grouped(number: int) -> str:
    """Write a count with its thousands apart, as documents do."""
    return f"{number:,}"


@dataclass(frozen=True)
class Share:
    """A share as people count it: 37 of 100, of more where it is small; never 0 or 100 unless exact.

    Attributes
    ----------
    value
        The share; None where it was not measured.
    least
        The smallest base that will do, one of `BASES`.
    signed
        Whether it is a difference, which has its sign.
    brief
        Whether the base is left out where it is 100.
    """

    value: float | None
    least: int = BASES[0]
    signed: bool = False
    brief: bool = False

    def parts(self, count: Callable[[int], str] = grouped) -> tuple[str, str]:
        """Return figure and base, "37" and "of 100".

        Parameters
        ----------
        count
            Writes a count.
        """
        if self.value is None:
            return "–", ""
        figure, base = self._figure_and_base(count)
        if self.signed and self.value != 0 and (figure[:1].isdigit() or self.value < 0):
            figure = ("+" if self.value > 0 else MINUS) + figure
        return figure, render("share.base", {"base": count(base)}).sentence

    def _figure_and_base(self, count: Callable[[int], str]) -> tuple[str, int]:
        size = abs(self.value or 0.0)
        if 0.995 <= size < 1 and self.least == BASES[0]:
            return render("share.over").sentence, BASES[0]
        for base in BASES[BASES.index(self.least) :]:
            if size == 0 or round(base * size):
                return count(round(base * size)), base
        return render("share.fewer").sentence, BASES[-1]

    def written(self, count: Callable[[int], str] = grouped) -> str:
        """Return it in words, "37 of 100".

        Parameters
        ----------
        count
            Writes a count.
        """
        figure, base = self.parts(count)
        if self.brief and self._figure_and_base(count)[1] == BASES[0]:
            return figure
        return f"{figure} {base}".strip()

    def __str__(self) -> str:
        return self.written()


@dataclass(frozen=True)
class Amount:
    """A number with a fixed count of decimals; a signed one says which way it goes."""

    value: float
    decimals: int = 2
    signed: bool = False

    def __str__(self) -> str:
        if self.signed:
            return f"{self.value:+.{self.decimals}f}".replace("-", MINUS)
        return f"{self.value:.{self.decimals}f}"


def common_base(one: float, other: float) -> int:
    """Return the base in which two shares are shown with their difference.

    Rounded to whole of 100 they may contradict it, 12 and 12 that differ by 1; then the next base is
    taken in which they agree, or the last, where at most the last digit of four can be off.
    """
    for base in BASES:
        if round(base * one) - round(base * other) == round(base * (one - other)):
            return base
    return BASES[-1]
