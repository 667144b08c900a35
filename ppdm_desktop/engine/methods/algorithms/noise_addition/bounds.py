"""The bounds of a column's lattice: declared, or taken from the data and rounded outward."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

import numpy as np

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import MOST_DIGITS
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.numbers import NumberStyle
from ppdm_desktop.engine.wording.values import Term

Source = Literal["declared", "people", "data"]


@dataclass(frozen=True)
class NoiseBounds:
    """A column's bounds and their source.

    Attributes
    ----------
    low, high
        Lowest and highest value, in the column's unit.
    first, last
        The same, moved outward to the grid, in steps from zero.
    source
        ``declared``; where nobody declared any, ``people`` if as many people as their levels ask for have the lowest
        and as many the highest value, so that these say nothing of one person, else ``data``.
    """

    low: float
    high: float
    first: int
    last: int
    source: Source


def noise_bounds(
    table: Table,
    column: Column,
    style: NumberStyle,
    given: tuple[float, float] | None,
    *,
    never_below_zero: bool,
    ends: tuple[float, float] | None = None,
) -> NoiseBounds:
    """Return the bounds of a column.

    Parameters
    ----------
    table
        The step's input; it gives the row of a value outside.
    column
        A numeric column with at least one value.
    style
        How released numbers are written, with the grid that they lie on.
    given
        Bounds written in the step; the column's own declaration stands where there are none.
    never_below_zero
        Whether no value may be shown below zero.
    ends
        Of the range that is kept, where there is one; bounds that nobody declared are taken from it.

    Raises
    ------
    InputError
        When a value lies outside declared bounds or below zero where none can be (with its row), or the bounds have
        more digits than a number may have.
    """
    if column.not_negative:
        _refuse_negative(table, column)
    declared = given or column.bounds
    if declared is not None:
        _refuse_outside(table, column, declared)
        low, high = (Decimal(str(edge)) for edge in declared)
        return _on_grid(column, style, max(low, Decimal(0)) if never_below_zero else low, high, "declared")
    lowest, highest = float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))
    if ends is not None:
        low, high = (Decimal(str(end)) for end in ends)
        return _on_grid(column, style, low, high, _source(table, column, (lowest, highest)))
    if never_below_zero:
        return _on_grid(column, style, Decimal(0), round_above(highest), _source(table, column, (highest,)))
    low, high = rounded_outward(lowest, highest)
    return _on_grid(column, style, low, high, _source(table, column, (lowest, highest)))


def _source(table: Table, column: Column, ends: tuple[float, ...]) -> Source:
    """Return "people" where enough people have each end of a column as their value, else "data"."""
    demands = levels_of(table).of("group")
    for end in ends:
        rows = np.flatnonzero(column.numbers == end)
        if len(np.unique(table.persons.of_row[rows])) < int(demands[rows].max(initial=0)):
            return "data"
    return "people"


def rounded_outward(lowest: float, highest: float) -> tuple[Decimal, Decimal]:
    """Return round numbers around two values: multiples of a power of ten no larger than their distance.

    17 and 90 become 10 and 90; 3,120 and 81,400 become 0 and 90,000.
    """
    width = highest - lowest or abs(highest) or 1.0
    unit = Decimal(1).scaleb(math.floor(math.log10(width)))
    low = (Decimal(str(lowest)) / unit).to_integral_value(ROUND_FLOOR) * unit
    high = (Decimal(str(highest)) / unit).to_integral_value(ROUND_CEILING) * unit
    return low, high if high > low else low + unit


def round_above(highest: float) -> Decimal:
    """Return a round number above a non-negative value, never the value itself.

    It is a multiple of a power of ten, as in `rounded_outward`: 87 becomes 90, and 90 becomes 100, for a bound of 90
    would be a person's own value.
    """
    unit = Decimal(1).scaleb(math.floor(math.log10(highest))) if highest > 0 else Decimal(1)
    return ((Decimal(str(highest)) / unit).to_integral_value(ROUND_FLOOR) + 1) * unit


def _refuse_outside(table: Table, column: Column, bounds: tuple[float, float]) -> None:
    """Refuse values outside the bounds, naming the first row."""
    # A number of at most 15 digits and its double stand in one order.
    with np.errstate(invalid="ignore"):
        outside = np.flatnonzero((column.numbers < bounds[0]) | (column.numbers > bounds[1]))
    if len(outside):
        low, high = (Term(f"{edge:.15g}") for edge in bounds)
        raise InputError(
            "error.columns.outside-bounds",
            column=column.name,
            row=int(table.row_numbers[outside[0]]),
            args={"low": low, "high": high, "count": len(outside)},
        )


def _refuse_negative(table: Table, column: Column) -> None:
    """Refuse values that an earlier step has brought below zero."""
    with np.errstate(invalid="ignore"):
        below = np.flatnonzero(column.numbers < 0)
    if len(below):
        row = int(table.row_numbers[below[0]])
        raise InputError("error.columns.below-zero", column=column.name, row=row, args={"count": len(below)})


def grid_inside(bounds: NoiseBounds, step: Decimal) -> tuple[int, int] | None:
    """Return the lowest and highest whole step within bounds; None where there are fewer than two."""
    first = int((Decimal(str(bounds.low)) / step).to_integral_value(ROUND_CEILING))
    last = int((Decimal(str(bounds.high)) / step).to_integral_value(ROUND_FLOOR))
    return (first, last) if first < last else None


def _on_grid(column: Column, style: NumberStyle, low: Decimal, high: Decimal, source: Source) -> NoiseBounds:
    """Return bounds with their whole steps on the column's grid; refuse too many digits."""
    step = style.step
    largest = max(abs(low), abs(high))
    if largest.scaleb(style.decimals) >= 10**MOST_DIGITS:
        raise InputError("error.noise.bounds-too-wide", column=column.name, args={"most": MOST_DIGITS})
    first = int((low / step).to_integral_value(ROUND_FLOOR))
    last = int((high / step).to_integral_value(ROUND_CEILING))
    return NoiseBounds(float(low), float(high), first, max(last, first + 1), source)
