"""Reading texts such as ``[30, 40)``, ``30-39`` or ``< 18`` as ranges of numbers."""

from __future__ import annotations

import math
import re

_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_BELOW, _ABOVE = "<≤", ">≥"


def range_ends(text: str) -> tuple[float, float] | None:
    """Return the first and last number in a range's text, infinite at an open end; None for a text without digits.

    ``[30, 40)`` and ``30-40`` give 30 and 40, ``< 18`` minus infinity and 18, ``≥ 65`` 65 and infinity, ``45`` and
    ``45+`` twice 45: only one of ``<≤>≥`` as the first sign opens an end. A comma between two digits is a decimal mark.
    A minus is read only before the first number, since elsewhere it usually separates two numbers: ``-5 - 3`` gives -5
    and 3, and so does ``[-5, -3)``.
    """
    numbers = [float(digits.replace(",", ".")) for digits in _DIGITS.findall(text)]
    if not numbers:
        return None
    if text.lstrip("([<>≤≥ ").startswith(("-", "\N{MINUS SIGN}")):
        numbers[0] = -numbers[0]
    low = -math.inf if text[0] in _BELOW else numbers[0]
    high = math.inf if text[0] in _ABOVE else numbers[-1]
    return low, high
