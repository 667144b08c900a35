"""What a text such as ``[30, 40)``, ``30-39`` or ``< 18`` says of numbers: between which it lies."""

from __future__ import annotations

import math
import re

_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_BELOW, _ABOVE = "<≤", ">≥"


def range_ends(text: str) -> tuple[float, float] | None:
    """Return the lowest and highest number a text speaks of, infinite where it is open; None without a number.

    A sign is read only before the first number: elsewhere it mostly parts two of them.
    """
    numbers = [float(digits.replace(",", ".")) for digits in _DIGITS.findall(text)]
    if not numbers:
        return None
    if text.lstrip("([<>≤≥ ").startswith("-"):
        numbers[0] = -numbers[0]
    low = -math.inf if text[0] in _BELOW else numbers[0]
    high = math.inf if text[0] in _ABOVE else numbers[-1]
    return low, high
