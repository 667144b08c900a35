"""The noise and cells of each column and privacy level, decided before anything is drawn.

The cells need bounds of the column: declared ones, or round numbers around the data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import MOST_DIGITS, style_of
from ppdm_desktop.engine.methods.algorithms.people.within import has_one_value_each
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.kept_rules import KEPT, RULES_PARAMETER
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.noise.lattice import Lattice
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.rules.numbers import find_number_step, find_public_range
from ppdm_desktop.engine.wording.values import Term

# --- bounds -------------------------------------------------------------------------------

Source = Literal["declared", "people", "data"]


@dataclass(frozen=True)
class NoiseBounds:
    """The bounds of a column's values and where they come from.

    Attributes
    ----------
    low, high
        Lowest and highest value, in the column's unit.
    first, last
        The same, moved outward to the grid, in steps from zero.
    source
        ``declared`` if a person set them. Otherwise ``people`` if the highest value, and also the lowest (unless 0 is
        taken in its place), belongs to as many people as their privacy levels demand, so that it says nothing about one
        person; else ``data``.
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
    step_bounds: tuple[float, float] | None,
    *,
    never_below_zero: bool,
    ends: tuple[float, float] | None = None,
) -> NoiseBounds:
    """Return the bounds of a column's values, and where they come from.

    Bounds are declared in the step (``step_bounds``) or for the column. If none are declared, they are the ``ends``, or
    else round numbers around the values (with ``never_below_zero``, 0 and a round number above them). With
    ``never_below_zero``, a declared lower bound below 0 counts as 0; ``ends`` are taken as they are, and values are not
    compared with them. The result also has the bounds moved outward to whole steps of the grid.

    Parameters
    ----------
    table
        The step's input, for the row number in an error.
    column
        A numeric column with at least one value.
    style
        How released numbers are written, with their grid.
    step_bounds
        Bounds written in the step, which take precedence over those of the column; None if there are none.
    never_below_zero
        Whether no value may be shown below zero.
    ends
        Ends of the range in which released values are kept; None if there is no such range.

    Raises
    ------
    InputError
        When a value lies outside declared bounds, or below zero in a column without negative values (naming its row),
        or when the bounds have too many digits.
    """
    if column.not_negative:
        _refuse_negative(table, column)
    declared = step_bounds or column.bounds
    if declared is not None:
        _refuse_outside(table, column, declared)
        low, high = (Decimal(str(edge)) for edge in declared)
        return _on_grid(column, style, max(low, Decimal(0)) if never_below_zero else low, high, "declared")
    lowest, highest = float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))
    read_from: tuple[float, ...] = (lowest, highest)
    if ends is not None:
        low, high = (Decimal(str(end)) for end in ends)
    elif never_below_zero:
        low, high, read_from = Decimal(0), round_above(highest), (highest,)
    else:
        low, high = round_outward(lowest, highest)
    return _on_grid(column, style, low, high, _choose_bounds_source(table, column, read_from))


def _choose_bounds_source(table: Table, column: Column, ends: tuple[float, ...]) -> Source:
    """Return "people" if enough people have each of the ``ends`` as their value, otherwise "data".

    Enough are at least as many as the largest group that one of them demands by their privacy level; then the end says
    nothing about one person.
    """
    demands = levels_of(table).of("group")
    for end in ends:
        rows = np.flatnonzero(column.numbers == end)
        if len(np.unique(table.persons.of_row[rows])) < int(demands[rows].max(initial=0)):
            return "data"
    return "people"


def round_outward(lowest: float, highest: float) -> tuple[Decimal, Decimal]:
    """Return round numbers around two values: multiples of the largest power of ten up to their distance.

    17 and 90 become 10 and 90; 3,120 and 81,400 become 0 and 90,000.

    If both values are equal, the power is the largest that does not exceed the value itself without its sign (1 for 0),
    and the second number is the next multiple above the first: 7 and 7 become 7 and 8, 75 and 75 become 70 and 80, and
    0 and 0 become 0 and 1.
    """
    width = highest - lowest or abs(highest) or 1.0
    unit = Decimal(1).scaleb(math.floor(math.log10(width)))
    low = (Decimal(str(lowest)) / unit).to_integral_value(ROUND_FLOOR) * unit
    high = (Decimal(str(highest)) / unit).to_integral_value(ROUND_CEILING) * unit
    return low, high if high > low else low + unit


def round_above(highest: float) -> Decimal:
    """Return a round number above a non-negative value, never the value itself.

    87 becomes 90, and 90 becomes 100, because a bound of 90 would be a person's own value. The number is a multiple of
    the largest power of ten that is not above the value; 0 becomes 1.
    """
    unit = Decimal(1).scaleb(math.floor(math.log10(highest))) if highest > 0 else Decimal(1)
    return ((Decimal(str(highest)) / unit).to_integral_value(ROUND_FLOOR) + 1) * unit


def _refuse_outside(table: Table, column: Column, bounds: tuple[float, float]) -> None:
    """Raise InputError if values lie outside the bounds, with the first such row and the number of such rows.

    Values on a bound, and missing values, are accepted.
    """
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
    """Raise InputError if there are negative values (which an earlier step made), with the first row and the number."""
    with np.errstate(invalid="ignore"):
        below = np.flatnonzero(column.numbers < 0)
    if len(below):
        row = int(table.row_numbers[below[0]])
        raise InputError("error.columns.below-zero", column=column.name, row=row, args={"count": len(below)})


def find_grid_ends(bounds: NoiseBounds, step: Decimal) -> tuple[int, int] | None:
    """Return the lowest and highest multiple of ``step`` within the bounds, counted in steps.

    Bounds 0.3 and 9.8 with a step of 0.5 give 1 and 19. None for fewer than two.
    """
    first = int((Decimal(str(bounds.low)) / step).to_integral_value(ROUND_CEILING))
    last = int((Decimal(str(bounds.high)) / step).to_integral_value(ROUND_FLOOR))
    return (first, last) if first < last else None


def _on_grid(column: Column, style: NumberStyle, low: Decimal, high: Decimal, source: Source) -> NoiseBounds:
    """Return bounds with the whole steps of the column's grid that enclose them.

    InputError if they have too many digits. ``source`` says where the bounds come from. The upper step is at least one
    above the lower.
    """
    step = style.step
    largest = max(abs(low), abs(high))
    if largest.scaleb(style.decimals) >= 10**MOST_DIGITS:
        raise InputError("error.noise.bounds-too-wide", column=column.name, args={"most": MOST_DIGITS})
    first = int((low / step).to_integral_value(ROUND_FLOOR))
    last = int((high / step).to_integral_value(ROUND_CEILING))
    return NoiseBounds(float(low), float(high), first, max(last, first + 1), source)


# --- plan ---------------------------------------------------------------------------------

_REACH = 9.0
"""Number of standard deviations that noise exceeds only once in 10^18 draws."""


@dataclass(frozen=True)
class LevelPlan:
    """The noise and cells of the records of one privacy level in one column.

    Attributes
    ----------
    name
        Name of the privacy level.
    records
        Number of people at the level, with or without a value.
    multiplier
        How many times the step's standard deviation the noise of this level has.
    sd
        Standard deviation of the noise, in the column's unit.
    width
        Width of the cells of phase 2, in steps; 1 if there is no phase 2.
    """

    name: str
    records: int
    multiplier: float
    sd: float
    width: int


@dataclass(frozen=True, eq=False)
class ColumnPlan:
    """The noise and cells of one column.

    Attributes
    ----------
    column
        The column in the step's input.
    style
        How its numbers are written, with the grid on which released numbers lie.
    known
        Which records have a value.
    spread
        Standard deviation of the values, in the column's unit.
    sd
        Standard deviation of the step's noise, before a privacy level multiplies it.
    bounds, lattice
        Bounds of the values, and the cells over them.
    levels
        The noise and cells of each level in use, weakest first.
    drawn_for
        The units that get one draw of noise each: people if the column is constant within people, because the mean of
        different draws would reveal the value; otherwise single rows.
    reflected
        Whether noisy values below the start of the cells are reflected there: at zero in a column that cannot be
        negative, or at the lower end of the column's range if rules are kept.
    span
        Steps from there to the upper end at which values are reflected, a multiple of every level's cell width; None if
        they are not reflected above.
    """

    column: Column
    style: NumberStyle
    known: Bools
    spread: float
    sd: float
    bounds: NoiseBounds
    lattice: Lattice
    levels: tuple[LevelPlan, ...]
    reflected: bool
    drawn_for: People
    span: int | None = None

    @property
    def period(self) -> float | None:
        """Twice the width of the range in which noise is reflected, in the column's unit.

        None if there is no upper end.
        """
        return None if self.span is None else 2.0 * float(self.span * self.style.step)

    @property
    def step(self) -> float:
        """The step of the column's grid, in the column's unit."""
        return float(self.style.step)

    @property
    def origin(self) -> float:
        """Where the cells start, in the column's unit: half a step below the lowest grid value that may be shown."""
        return float((self.lattice.first - Decimal("0.5")) * self.style.step)

    def width_of(self, level: LevelPlan) -> float:
        """Return the width of a level's cells in the column's unit."""
        return float(level.width * self.style.step)


def plan_columns(table: Table, settings: Settings) -> tuple[ColumnPlan, ...]:
    """Return the noise and cells of each column of the step.

    Raises
    ------
    InputError
        For a column without a value, or without spread where the noise is set relative to it, values outside their
        bounds, or noise and bounds that need too many digits.
    """
    return tuple(_plan_column(table, table.column(name), settings) for name in settings.columns)


def _plan_column(table: Table, column: Column, settings: Settings) -> ColumnPlan:
    """Return the noise and cells of one column.

    If the settings keep the column's rules, released values stay on its grid and in its range, as far as it has them,
    and may get fewer decimals so that they can be read back. InputError if the column cannot get noise, see
    ``plan_columns``.
    """
    style, ends = style_of(column), None
    if settings.values[RULES_PARAMETER.name] == KEPT:
        style, ends = _choose_writable_style(table, column, settings), find_public_range(table, column)
        step = find_number_step(table, column)
        style = style if step is None else replace(style, step=step)
    levels = levels_of(table)
    present = ~column.missing
    if not present.any():
        raise InputError("error.noise.no-value", column=column.name)
    values = column.numbers[present]
    spread = _compute_spread(values)
    sd = _compute_noise_sd(column, spread, settings.values)
    if sd >= 10.0 ** (MOST_DIGITS - 1 - style.decimals):
        raise InputError("error.numeric.too-many-digits", column=column.name, args={"most": MOST_DIGITS})
    step_bounds = _read_bounds(settings.values["bounds"], column.name)
    reflected = column.not_negative
    bounds = noise_bounds(table, column, style, step_bounds, never_below_zero=reflected, ends=ends)
    inside = None if ends is None else find_grid_ends(bounds, style.step)
    first, last = inside or (0 if reflected else bounds.first, bounds.last)
    lattice = Lattice.over(first, last, _find_most_intervals(settings, levels))
    faithful, phases = settings.values["mode"] == "faithful", settings.values["phases"]
    plans = tuple(
        LevelPlan(
            level.name,
            int(count),
            multiplier := 1.0 if faithful else float(level.demand.noise),
            multiplier * sd,
            lattice.width(demanded, within=inside is not None) if phases == "two" else 1,
        )
        for level, count, demanded in zip(
            levels.levels,
            levels.people_at(table.persons),
            settings.demanded("intervals", "intervals", levels),
            strict=True,
        )
    )
    drawn_for = table.persons if has_one_value_each(column, table.persons) else People.identity(table.rows)
    span = None if inside is None else lattice.whole_cells(max(plan.width for plan in plans))
    reflected = reflected or span is not None
    return ColumnPlan(column, style, present, spread, sd, bounds, lattice, plans, reflected, drawn_for, span)


def _choose_writable_style(table: Table, column: Column, settings: Settings) -> NumberStyle:
    """Return the column's style, with fewer decimals if noisy numbers would otherwise be too long to be read back.

    Noise of up to nine standard deviations at the strictest privacy level is allowed for. With fewer decimals, the step
    is 1 in the last of them. A column without values or without decimals keeps its style. InputError if noise relative
    to the spread is wanted for a constant column.
    """
    style, values = style_of(column), column.numbers[~column.missing]
    if not len(values) or not style.decimals:
        return style
    strongest = max(float(level.demand.noise) for level in levels_of(table).levels)
    noise = _REACH * strongest * _compute_noise_sd(column, _compute_spread(values), settings.values)
    whole = len(str(int(2 * np.abs(values).max() + np.ptp(values) + noise)))
    decimals = max(MOST_DIGITS - whole, 0)
    return style if style.decimals <= decimals else NumberStyle.written(decimals, style.decimal)


def _compute_spread(values: Floats) -> float:
    """Return the standard deviation of the values, exactly 0 if all are equal."""
    return float(np.std(values)) if values.min() < values.max() else 0.0


def _find_most_intervals(settings: Settings, levels: RecordLevels) -> float:
    """Return the largest number of cells that any privacy level demands.

    A number in the recipe is returned as it is, because it holds for the weakest level and stricter ones demand fewer.
    """
    if "intervals" in settings.written:
        return float(settings.values["intervals"])
    return float(max(level.demand.intervals for level in (*levels.named, *levels.levels)))


def _read_bounds(table: Mapping[str, Any], name: str) -> tuple[float, float] | None:
    """Return a column's bounds from a table of bounds by column; None if it has none."""
    bounds = table.get(name)
    return None if bounds is None else (float(bounds[0]), float(bounds[1]))


def _compute_noise_sd(column: Column, spread: float, values: Mapping[str, Any]) -> float:
    """Return the standard deviation of a column's noise: the recipe's, or the column's spread divided by sqrt(``snr``).

    A spread of 10 and ``snr`` 4 give 5. The recipe's may be one number, or a table with a number for some columns. A
    privacy level may multiply it later.

    Raises
    ------
    InputError
        When the recipe sets none for this column, and its ``spread`` is 0.
    """
    written = values["sd"]
    if isinstance(written, Mapping):
        written = written.get(column.name)
    if isinstance(written, int | float):
        return float(written)
    if spread == 0:
        raise InputError("error.noise.constant", column=column.name)
    return float(spread / float(values["snr"]) ** 0.5)
