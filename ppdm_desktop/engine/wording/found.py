"""What a check measured and its limit, in words: people with how many there are, never a limit in place of a result."""

from __future__ import annotations

import math
from typing import Protocol

from ppdm_desktop.engine.figure import Figure

_EXACT = 1e-9
NO_LIMIT = "–"
"""What stands for the limit where there is none."""
FEW = 100
"""Of fewer people the count itself is told: a share would claim what they cannot show."""


class Checked(Protocol):
    """What is written of a check."""

    @property
    def status(self) -> str:
        """Its colour."""

    @property
    def figure(self) -> Figure | None:
        """What was measured."""

    @property
    def limit(self) -> float | int | str | None:
        """What it was held against."""

    @property
    def direction(self) -> str:
        """``at-most`` or ``at-least``."""

    @property
    def hits(self) -> int | None:
        """People it speaks of."""

    @property
    def of(self) -> int | None:
        """Of how many."""


def found_words(check: Checked) -> str:
    """Write what was measured: people of how many, and the end of the interval that is judged."""
    if check.figure is None or check.figure.value is None:
        return {"not-run": "not measured", "not-applicable": "does not apply"}.get(check.status, "–")
    people = f"{check.hits:,} of {check.of:,}" if check.hits is not None and check.of is not None else ""
    if check.figure.unit != "share":
        number = _number(check.figure.value, check)
        if people and check.figure.value == check.hits:
            return people
        return f"{number}, for {people}" if people else number
    value = judged_value(check)
    if _told_by_count(check):
        return people
    share = beside(value, check.limit)[0] if isinstance(check.limit, int | float) else percent(value)
    if not people:
        return share
    if check.of and abs(value - (check.hits or 0) / check.of) < _EXACT:
        return f"{people} ({share})"
    side = "up to" if value > (check.hits or 0) / max(check.of or 1, 1) else "at least"
    return f"{people} ({side} {share})"


def limit_words(check: Checked) -> str:
    """Write the limit with its direction, as finely as the figure beside it; a dash where there is none."""
    if check.limit is None or check.status == "not-applicable":
        return NO_LIMIT
    if isinstance(check.limit, str):
        return check.limit
    figure = check.figure
    if figure is not None and figure.unit == "share" and _told_by_count(check):
        # One base for both: of so few people the figure is a count, and so is its limit.
        words = f"{math.floor(check.limit * (check.of or 0) + _EXACT):,} of {check.of:,}"
    elif figure is not None and figure.unit == "share":
        words = percent(check.limit) if figure.value is None else beside(judged_value(check), check.limit)[1]
    else:
        words = f"{check.limit:,}" if float(check.limit).is_integer() else f"{check.limit:.2f}"
    return f"at least {words}" if check.direction == "at-least" else f"at most {words}"


def _told_by_count(check: Checked) -> bool:
    """Say whether few people are told by their number alone: where it is that number that is judged.

    Where it is an end of an interval, a count beside a limit of counts would deny what was judged: 13 of 14 lie
    within a limit of 80 % when no more than 70 % of such people are known to be guessed right.
    """
    if check.of is None or check.hits is None or not 0 < check.of < FEW:
        return False
    if check.figure is None or check.figure.value is None:
        return False
    return abs(judged_value(check) - check.hits / check.of) < _EXACT


def judged_value(check: Checked) -> float:
    """Return the end of the interval that is held against the limit; the figure itself where it is exact."""
    figure = check.figure
    assert figure is not None
    assert figure.value is not None
    end = figure.high if check.direction == "at-most" else figure.low
    return float(figure.value if end is None else end)


def percent(share: float, decimals: int = 1) -> str:
    """Write a share as a percentage; nothing and everything only where they are exact."""
    text = f"{100 * share:.{decimals}f}"
    if float(text) == 0 and share > _EXACT:
        return f"less than {10.0**-decimals:g} %" if decimals else "less than 1 %"
    if float(text) == 100 and share < 1 - _EXACT:
        return f"more than {100 - 10.0**-decimals:g} %"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def beside(value: float, limit: float) -> tuple[str, str]:
    """Write a share and its limit with the fewest decimals with which the words compare as the numbers do."""
    for decimals in (1, 2):
        words, edge = (float(f"{100 * each:.{decimals}f}") for each in (value, limit))
        if (words > edge) == (value > limit + _EXACT) and (words < edge) == (value < limit - _EXACT):
            return percent(value, decimals), percent(limit, decimals)
    edge_words = percent(limit, 2)
    if value in (0.0, 1.0):
        return percent(value), edge_words
    return f"just {'above' if value > limit else 'below'} {edge_words}", edge_words


def _number(value: float, check: Checked) -> str:
    if float(value).is_integer():
        return f"{int(value):,}"
    if isinstance(check.limit, int | float):
        for decimals in (2, 3):
            words, edge = f"{value:.{decimals}f}", f"{check.limit:.{decimals}f}"
            if (float(words) > float(edge)) == (value > check.limit) and (float(words) < float(edge)) == (
                value < check.limit
            ):
                return words
        return f"just {'above' if value > check.limit else 'below'} {check.limit:.2f}"
    return f"{value:.4g}"
