"""Reading texts such as ``[30, 40)``, ``30-39`` or ``< 18`` as ranges of numbers."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(
    r"(^[(\[<>≤≥=\s]*[-−][^\w,;]*|(?:[,;–−-]|[^\W\d]\s)\s*[-−])?"  # a minus behind a number separates
    r"([0-9]+(?:[.,][0-9]+)?)"
)
_TIGHT_COMMA = re.compile(r"^([\[(][-−]?[0-9.]+),(?=[-−]?[0-9.]+[\])])")
_IS_OPEN = re.compile(r"[0-9]\+(?!.*[0-9])")
_BELOW, _ABOVE = "<≤", ">≥"


def range_ends(text: str) -> tuple[float, float] | None:
    """Return the first and last number in a range's text, infinite at an open end; None for a text without digits.

    ``[30, 40)`` and ``30-40`` give 30 and 40, ``< 18`` minus infinity and 18, ``≥ 65`` and ``65+`` 65 and infinity,
    ``45`` twice 45. Words open no end: ``under 18`` gives twice 18. A comma is a decimal mark (``1,5 - 2``) unless it
    alone divides a bracket in two (``[1,5)``); a blank ends a number, so ``10 000`` gives 10 and 0.
    """
    text = _TIGHT_COMMA.sub(r"\1, ", text.strip())
    numbers = [float(digits.replace(",", ".")) * (-1 if minus else 1) for minus, digits in _NUMBER.findall(text)]
    if not numbers:
        return None
    low = -math.inf if text[0] in _BELOW else numbers[0]
    high = math.inf if text[0] in _ABOVE or _IS_OPEN.search(text) else numbers[-1]
    return low, high
