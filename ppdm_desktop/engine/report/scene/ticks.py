"""Round numbers on an axis, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal

from ppdm_desktop.engine.wording.catalogue import language, numbers_of

TICKS_ACROSS, TICKS_UP = 8, 4
"""The most of a drawing that has room for them."""


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most ``most`` round numbers from low to high, both included, rising.

    From 0 to 100 with ``most`` 5 they are 0, 20 ... 100, of which only every second one is returned: 0, 40, 80.

    They are multiples of 1, 2, 2.5, 5 or 10 times a power of ten. Where these would be too many, only every second one
    (or third, and so on) is returned. ``[low]`` if ``high`` is not above ``low``, or ``most`` is below 1. With ``most``
    1 there may be none.
    """
    if not high > low or most < 1:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    ticks = [multiple * step for multiple in range(first, last + 1)]
    return ticks if len(ticks) <= most else ticks[:: math.ceil(len(ticks) / most)]


def percent_ticks(values: Sequence[float | Decimal]) -> tuple[str, ...]:
    """Return the tick texts of an axis with a percent sign; ``values`` are in hundredths."""
    numbers = numbers_of(language())
    return tuple(numbers.locale.percent.format(tick) for tick in numbers.ticks(values))


def drop_overlapping_ticks(
    ticks: Sequence[tuple[float, str]], at: Callable[[float], float], wide: Callable[[str], float]
) -> tuple[tuple[float, str], ...]:
    """Return the ticks whose texts do not overlap, in order.

    The first and the last tick are placed first, then the others from the left; each is left out if its text would
    overlap one already placed. Texts are centred at their positions and may touch.

    Parameters
    ----------
    ticks
        Values with their texts, rising.
    at, wide
        Return the position of a value and the width of a text, in the same unit.
    """
    taken: list[tuple[float, float]] = []
    kept = set()
    order = [0, len(ticks) - 1, *range(1, len(ticks) - 1)] if len(ticks) > 1 else range(len(ticks))
    for index in order:
        middle, half = at(ticks[index][0]), wide(ticks[index][1]) / 2
        if all(middle + half <= start or end <= middle - half for start, end in taken):
            taken.append((middle - half, middle + half))
            kept.add(index)
    return tuple(tick for index, tick in enumerate(ticks) if index in kept)
