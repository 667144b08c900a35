"""`round`: numbers are rounded to multiples of a base, so that several people share each number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import (
    CoarseningMethod,
    ColumnHolders,
    compare_means,
    protections_of,
    recount_sharing,
    sort_parts_first,
    to_last_digit_units,
    unchanged_note,
)
from ppdm_desktop.engine.methods.algorithms.digits.scaled import (
    replace_values,
    step_units,
    style_of,
    to_units_of_column,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Knob, KnobKind, register
from ppdm_desktop.engine.methods.base.parameters import (
    LARGER_HIDES_MORE,
    ChoiceParameter,
    ColumnNumbersParameter,
    NumberParameter,
)
from ppdm_desktop.engine.methods.base.step import Protection, Recount, Settings, StepResult, Used
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table, to_exact_decimal
from ppdm_desktop.engine.table.rules import find_orders, find_spikes
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Number, Terms, Value

FEWEST_VALUES = 4
"""Planning rounds no further than to this number of different values, because a column with fewer is of no use."""
MOST_MOVED = 0.05
"""Planning does not round so far that more than this share of the people lose over half a base, to stay off a spike."""
ENOUGH_SHARE = 0.95
"""Share of the people of each privacy level who must share their number with as many people as the level demands."""


def round_to_base(values: Ints, base: int) -> Ints:
    """Return the multiple of a base nearest to each value; if two are equally near, the even multiple.

    All are int64 in the same unit: with a base of 10, both 15 and 25 become 20.
    """
    quotient, rest = np.divmod(values, base)
    return np.asarray((quotient + ((2 * rest > base) | ((2 * rest == base) & (quotient % 2 == 1)))) * base)


def round_off_spikes(values: Ints, base: int, spikes: Sequence[int]) -> Ints:
    """Return the nearest multiple of a base for each value; only the value of a spike itself may become the spike.

    Of two equally near multiples it is the even one (15 and 25 become 20). A spike is a number with a meaning of its
    own, such as 0 for "no bonus". A value that would be rounded to it takes the next multiple on its own side: with a
    base of 10 and the spike 0, 4 becomes 10, -4 becomes -10, and 0 stays 0. Between two neighbouring multiples that are
    both spikes, it becomes the nearer one. All numbers are int64 in the same unit.
    """
    nearest = round_to_base(values, base)
    moved = nearest + base * np.sign(values - nearest) * np.isin(nearest, spikes)
    return np.where(np.isin(moved, spikes), nearest, moved)


def round_at_random(values: Ints, base: int, draws: Ints) -> Ints:
    """Return for each value the next multiple of a base below or above it, drawn so that the mean stays on average.

    A multiple of the base stays as it is.

    Parameters
    ----------
    values
        In units of the column's last digit.
    base
        In the same unit.
    draws
        For each value a uniform whole number from 0 to base - 1.
    """
    quotient, rest = np.divmod(values, base)
    return np.asarray((quotient + (draws < rest)) * base)


def bounds_of(column: Column) -> tuple[int, int] | None:
    """Return a column's lowest and highest possible value in units of its last digit, rounded inwards.

    Bounds of 0.55 and 9.72 of a column with one decimal are (6, 97). None if the column has no bounds.
    """
    if column.bounds is None:
        return None
    low, high = (to_exact_decimal(bound).scaleb(style_of(column).decimals) for bound in column.bounds)
    return math.ceil(low), math.floor(high)


def clip_to_bounds(column: Column, values: Ints) -> Ints:
    """Return values, in units of the column's last digit, limited to the column's bounds; unchanged if it has none."""
    bounds = bounds_of(column)
    return values if bounds is None else np.clip(values, *bounds)


def fitting_bases(column: Column, holders: ColumnHolders, levels: Ints) -> tuple[tuple[int, ...], bool]:
    """Return the round bases (1, 2, 5, 10, …) with which enough people share their number, and whether there are any.

    Bases are in units of the column's last digit, above its step and multiples of it. They rise from the smallest that
    joins some values and is enough; all larger ones follow that leave at least two different values. "Enough" means
    that in every privacy level 95 % of the people share their number with as many people as they demand. If no base is
    enough, the largest base that leaves two values is returned with False; () with False if there is none.

    Parameters
    ----------
    column
        A column with at least two different values.
    holders
        Its values, and the people who hold them.
    levels
        Index of each person's privacy level, shape (people,).
    """
    distinct, of_row = np.unique(holders.values, return_inverse=True)
    everybody, bases, is_enough = np.bincount(levels), tuple[int, ...](), False
    for base in _list_round_bases(step_units(style_of(column))):
        rounded_values = clip_to_bounds(column, round_to_base(distinct, base))
        value_index = np.cumsum(np.append(False, rounded_values[1:] != rounded_values[:-1]))
        if value_index[-1] == 0:
            break
        # Where no two values become one, nothing is hidden.
        if not is_enough and value_index[-1] < len(distinct) - 1:
            sharing = holders.people_sharing(value_index[of_row.reshape(-1)])
            shared = np.bincount(levels, sharing >= holders.demands)
            is_enough, bases = bool((shared >= ENOUGH_SHARE * everybody).all()), ()
        bases = (*bases, base) if is_enough else (base,)
    return bases, is_enough


def _list_round_bases(step: int) -> Iterator[int]:
    """Yield 1, 2 and 5 times each power of ten, smallest first, if they are above ``step`` and multiples of it."""
    bases = (factor * 10**power for power in range(15) for factor in (1, 2, 5))
    return (base for base in bases if base > step and base % step == 0)


AUTOMATIC, NEAREST, RANDOM = "automatic", "nearest", "random"


@register
class Round(CoarseningMethod):
    """Show each number as a multiple of a base, which is the same for all privacy levels."""

    id = "round"
    title = lazy("Round numbers")
    paper = lazy("A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012, section 3.3")
    summary = lazy("Shows each number as the nearest multiple of a round number, so that people share values.")
    promises = (
        lazy("Every released number is a multiple of the base and less than one base from the true one."),
        lazy("People who do not share their number with enough others are counted for each level."),
    )
    limits = (
        lazy("Totals can change a little, because the rounded values do not add up exactly."),
        lazy("Extreme values can still stand alone. Limit them first."),
        lazy("If people have several rows, people are counted."),
    )
    recipients_learn = lazy("Each value was rounded to a multiple of a round number.")
    knobs = (Knob(KnobKind.ROUNDING, "coarser", (None, 1, 2, 3)),)
    invents_numbers = True
    keeps_rules = True
    treatment = lazy("generalisation (rounding)")
    leaves_values = "true"
    public_parameters = frozenset({"base", "direction"})
    rounding_parameter = "base"
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "base": lazy("Rounded to multiples of"),
        "mean_before": lazy("Mean before"),
        "mean_after": lazy("Mean after"),
        "no_value": lazy("Records without a value"),
    }
    parameters = (
        ColumnNumbersParameter(
            name="base",
            label=lazy("Base"),
            help=lazy("Numbers become multiples of this one."),
            effect=LARGER_HIDES_MORE,
            default=AUTOMATIC,
            words={
                AUTOMATIC: lazy(
                    "The smallest round number at which 95% of the people of each level share their value with enough "
                    "others."
                )
            },
            names={AUTOMATIC: lazy("automatic")},
        ),
        NumberParameter(
            name="coarser",
            label=lazy("Round numbers above the automatic base"),
            help=lazy("How many round numbers (1, 2, 5, 10, …) above the automatic base the one used is."),
            effect=LARGER_HIDES_MORE,
            default=0,
            low=0,
            high=60,
            whole=True,
            advanced=True,
            silent_unless_written=True,
            checked_with={"coarser": 1, "roles": {"Score": "confidential"}},
        ),
        ChoiceParameter(
            name="direction",
            label=lazy("Direction"),
            help=lazy("Whether numbers go to the nearest multiple, or up or down at random."),
            effect=lazy("Random rounding keeps the mean on average, but moves values further."),
            default=NEAREST,
            choices={
                NEAREST: lazy("To the nearest multiple, and of two equally near ones to the even one."),
                RANDOM: lazy("Up or down, more often to the nearer one."),
            },
            names={NEAREST: lazy("nearest"), RANDOM: lazy("random")},
            advanced=True,
        ),
    )

    def shows_disjoint_sets(self, settings: Settings) -> bool:
        """Return whether each shown value stands for a set of true values that overlaps with no other value's set.

        That is so if numbers are rounded to the nearest multiple, not at random; apart from the few numbers that go to
        the next one to keep the order with another column.
        """
        return bool(settings.values["direction"] == NEAREST)

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on columns that stay unchanged, and on columns in which too few people share a number.

        Raises
        ------
        RecipeError
            For a base that does not fit its column.
        InputError
            When too few people have a value in a column.
        """
        bases = _choose_bases(table, settings)
        unchanged = [name for name, (base, _) in bases.items() if not base]
        too_few = [name for name, (base, enough) in bases.items() if base and not enough]
        return (*unchanged_note("note.round.nothing", unchanged), *unchanged_note("note.round.not-enough", too_few))

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the base of each column; if no column has one, the note says that nothing changes.

        A column has none if it is constant, or if no base would leave two different values.

        Raises
        ------
        RecipeError
            For a base that does not fit its column.
        InputError
            When too few people have a value in a column.
        """
        parts = []
        for name, (base, _) in _choose_bases(table, settings).items():
            if base:
                number = Number(base / 10 ** style_of(table.column(name)).decimals)
                parts.append(lazy("{column}: {how}", column=Name(name), how=number))
        if not parts:
            return unchanged_note("note.round.nothing", settings.columns)[0]
        return Note("note.round.effect", {"bases": Terms(tuple(parts))})

    def most_notches(self, knob: Knob, table: Table, column: Column) -> int:
        """Return how many round bases suit a column, from its automatic base on.

        Each leaves at least four different values and moves at most 5 % of the people by more than half a base: beside
        the spike 0, 1 to 9 days would become 20. It is at most the number of the knob's values; a knob is a parameter
        that planning makes stricter value by value. If no base lets enough people share their number, only the largest
        base that leaves two values is looked at. 0 for a constant column.
        """
        holders = ColumnHolders.of(table, column.name)
        bases, _ = _find_fitting_bases(column, holders, table)
        spikes = _list_spikes(table, column)

        def suits(base: int) -> bool:
            """Return whether a base leaves enough values, and keeps nearly all numbers within half of it."""
            rounded = clip_to_bounds(column, round_off_spikes(holders.values, base, spikes))
            is_far = 2 * np.abs(rounded - holders.values) > base
            return len(np.unique(rounded)) >= FEWEST_VALUES and float(is_far.mean()) <= MOST_MOVED

        return min(sum(map(suits, bases)), len(knob.notches))

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the base of each rounded column, and whether the recipe's settings or only the levels decided it.

        Nothing before the run; columns that were not rounded have no entry.
        """
        for name, figures in (detail or {}).get("columns", {}).items():
            if figures["base"] is not None:
                is_set = settings.values["coarser"] or self._read_written_base(settings, name) is not None
                yield Used("base", figures["base"], "set" if is_set else "levels", column=name)

    @classmethod
    def _read_written_base(cls, settings: Settings, name: str) -> float | None:
        """Return the base that the recipe sets for a column, in the column's unit; None if it is automatic."""
        parameter = cls.parameters[0]
        assert isinstance(parameter, ColumnNumbersParameter)
        return parameter.of(settings.values["base"], name)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with each column rounded to multiples of its base, within its bounds.

        Random draws are made only if the direction is random. Some numbers go to the next multiple, to keep a spike or
        the order with another column (see `_round_columns`). A row counts as protected if its number is shown by as
        many people as its privacy level demands, and so is the rarest number of the row's person; for each column, a
        note lists the numbers of the other rows. Columns that are constant, or in which no base would leave two values,
        stay unchanged. The step's figures are, by column, the base (None for an unchanged column), the means before and
        after, and the rows without a value. The errors are those of ``check``, and InputError if a released number
        would be read as a missing value.
        """
        progress.report(0.0, "progress.method.write")
        notes, bases = self.check(table, settings), _choose_bases(table, settings)
        rounded_values = _round_columns(table, bases, settings, streams)
        changed, detail, coarse = [], {}, {}
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), "progress.method.write")
            column, (base, _) = table.column(name), bases[name]
            after = replace_values(column, rounded_values[name], uniform=True) if base else column
            changed.append(after)
            coarse[name] = ~column.missing if base else np.zeros(table.rows, dtype=np.bool_)
            written_base = base / 10 ** style_of(column).decimals if base else None
            detail[name] = {"base": written_base, **compare_means(column, after)}
        result = table.replacing(*changed)
        protections = protections_of(table, result, coarse)
        progress.report(1.0, "progress.method.write")
        return StepResult(
            result, protections, {"columns": detail}, (*notes, *_note_rare_numbers(result, protections, coarse))
        )

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether every number is a multiple of the base near the true number, and how far each level is met.

        Near means less than a base away, since a number may be on the other side of a spike (a frequent number that
        only its own cells may show), of another column's number or of a random draw. A bound of the column need not be
        a multiple; it must be near, unless the true number lies beyond it. The numbers of a column without a base must
        stay, and so must the empty cells of every column. ``worst`` is the number of cells for which this is not so; in
        a column that is no longer numeric, all cells count. For the levels it is counted how many people share each
        number.
        """
        off, coarse = 0, {}
        for name, (base, _) in _choose_bases(before, settings).items():
            column, released = before.column(name), after.column(name)
            coarse[name] = ~column.missing if base else np.zeros(before.rows, dtype=np.bool_)
            if released.kind != "numeric":
                off += before.rows
                continue
            wrong = column.missing != released.missing
            numbers = to_units_of_column(released, column)
            moved = np.abs(numbers - (clip_to_bounds(column, column.scaled) if base else column.scaled))
            if base:
                off_grid = (numbers % base != 0) & ~np.isin(numbers, bounds_of(column) or ())
                wrong |= coarse[name] & (off_grid | (moved >= base))
            else:
                wrong |= ~column.missing & (moved > 0)
            off += int(np.count_nonzero(wrong))
        return recount_sharing(before, after, coarse, off=off)


def _choose_bases(table: Table, settings: Settings) -> dict[str, tuple[int, bool]]:
    """Return each column's base, and whether enough people then share their number, as `_choose_base` returns them.

    An automatic base is raised to the next round base that is a multiple of the bases of columns with smaller numbers,
    because otherwise rounded numbers could not keep the order. It stays if that base is above half of the column's
    range. Whether enough people share is said of the base before it was raised. The errors are those of `_choose_base`.
    """
    chosen, orders = dict[str, tuple[int, bool]](), _find_smaller_columns(table, settings)
    for name in sort_parts_first(settings.columns, orders):
        base, is_enough = _choose_base(table, name, settings)
        column = table.column(name)
        if base and orders[name] and Round._read_written_base(settings, name) is None:
            # Of columns that are smaller than each other, as nearly equal ones are, one has no base yet.
            smaller = [table.column(other) for other in orders[name] if other in chosen]
            factors = [(chosen[other.name][0], *_match_units(other, column)) for other in smaller]
            for wide in _list_round_bases(step_units(style_of(column))):
                if 2 * wide > np.ptp(column.scaled[~column.missing]):
                    break
                if wide >= base and not any(fine and wide * down % (fine * up) for fine, up, down in factors):
                    base = wide
                    break
        chosen[name] = base, is_enough
    return {name: chosen[name] for name in settings.columns}


def _find_smaller_columns(table: Table, settings: Settings) -> Mapping[str, list[str]]:
    """Return, by column of the step, the other columns of the step whose numbers are at most those of this one.

    All are empty if rounding is random. Only orders that the recipe keeps count.
    """
    orders = find_orders(table) if settings.values["direction"] == NEAREST else ()
    smaller = {name: [first for first, second in orders if second == name] for name in settings.columns}
    return {name: [first for first in firsts if first in smaller] for name, firsts in smaller.items()}


def _match_units(first: Column, second: Column) -> tuple[int, int]:
    """Return the factors that bring the numbers of two columns, in units of their last digits, to the same unit."""
    shift = style_of(second).decimals - style_of(first).decimals
    return 10 ** max(shift, 0), 10 ** max(-shift, 0)


def _choose_base(table: Table, name: str, settings: Settings) -> tuple[int, bool]:
    """Return a column's base in units of its last digit, and whether enough people then share their number.

    - A base from the recipe always comes with True.
    - Otherwise it is the smallest base with which enough people share (see `fitting_bases`), or as many round numbers
      above it as the parameter ``coarser`` says, as long as two values are left: of 20, 50 and 100, ``coarser`` 1 takes
      50 and 5 takes 100.
    - If no base is enough, it is the largest that leaves two values, with False; 0 with False if none does.
    - A column that is constant or empty has 0, with True.

    Raises
    ------
    RecipeError
        For a base from the recipe that is not above the column's step, not a multiple of it, or above half of the
        column's range.
    InputError
        When too few people have a value.
    """
    column, holders = table.column(name), ColumnHolders.of(table, name)
    holders.refuse_too_few(name)
    span = int(holders.values.max(initial=0)) - int(holders.values.min(initial=0)) if len(holders.values) else 0
    if not span:
        return 0, True
    written = Round._read_written_base(settings, name)
    if written is None:
        bases, is_enough = _find_fitting_bases(column, holders, table)
        return (0, *bases)[min(int(settings.values["coarser"]) + 1, len(bases))], is_enough
    base = to_last_digit_units(column, written)
    if base <= step_units(style_of(column)) or 2 * base > span:
        unit = 10 ** style_of(column).decimals
        arguments: dict[str, Value] = {"low": Number(float(style_of(column).step)), "high": Number(span / 2 / unit)}
        raise RecipeError("error.round.base", column=name, args=arguments)
    return base, True


def _find_fitting_bases(column: Column, holders: ColumnHolders, table: Table) -> tuple[tuple[int, ...], bool]:
    """Return the rising round bases with which enough people share their number, and whether there are any.

    "Enough" is as in `fitting_bases`. For a constant column, or one without values, the result is () and True.
    """
    if column.missing.all() or holders.values.min() == holders.values.max():
        return (), True
    levels = np.zeros(holders.people, dtype=np.int64)
    levels[holders.person] = levels_of(table).codes[holders.rows]
    return fitting_bases(column, holders, levels)


def _note_rare_numbers(table: Table, protections: Iterable[Protection], coarse: Mapping[str, Bools]) -> Iterator[Note]:
    """Yield, for each column, a note on the rounded numbers that fewer people share than one of them demands.

    Only rows marked in ``coarse`` (by column) count; a column without such numbers has no note. ``table`` is the one
    after rounding; the note also has the number of people.
    """
    for protection in protections:
        rows = coarse[protection.column] & ~protection.protected
        if rows.any():
            column = table.column(protection.column)
            texts = tuple(column.categories[code] for code in np.unique(column.category_codes[rows]).tolist())
            people = int(np.count_nonzero(table.persons.with_any(rows)))
            arguments: dict[str, Value] = {"column": Name(column.name), "people": people, "numbers": Terms(texts)}
            yield Note("note.round.rare", arguments)


def _round_columns(
    table: Table, bases: Mapping[str, tuple[int, bool]], settings: Settings, streams: StepStream
) -> dict[str, Ints]:
    """Return each column's rounded values within its bounds, int64, shape (rows,), in units of its last digit.

    Meaningless where a value is missing. A number that would fall below the one shown by a rounded column of smaller
    numbers goes to the next multiple that is not below it instead, in the rows in which the true numbers are in order,
    if the base is a multiple of the other column's. ``bases`` are the columns' bases in the same units; a column with
    base 0 has its own values.
    """
    rounded_values, orders = dict[str, Ints](), _find_smaller_columns(table, settings)
    for name in sort_parts_first(settings.columns, orders):
        column, (base, _) = table.column(name), bases[name]
        values = _round_values(table, name, base, settings, streams) if base else column.scaled
        for smaller in map(table.column, orders[name]):
            up, down = _match_units(smaller, column)
            fine = bases[smaller.name][0] * up
            if base and fine and base * down % fine == 0:
                is_ordered = ~smaller.missing & (smaller.scaled * up <= column.scaled * down)
                least = -(-rounded_values[smaller.name] * up // (base * down)) * base
                values = np.where(is_ordered, np.maximum(values, least), values)
        rounded_values[name] = clip_to_bounds(column, values)
    return rounded_values


def _list_spikes(table: Table, column: Column) -> list[int]:
    """Return the spikes of a column (numbers that far more people have) in units of its last digit."""
    unit = 10 ** style_of(column).decimals
    return [round(spike * unit) for spike in find_spikes(table).get(column.name, ())]


def _round_values(table: Table, name: str, base: int, settings: Settings, streams: StepStream) -> Ints:
    """Return the rounded value of each row, int64, in units of the column's last digit.

    Meaningless where it is missing. To the nearest multiple, no other number becomes a spike, which is a number that
    far more people have, unless it lies between two neighbouring multiples that are both spikes; at random, equal
    values of one person are rounded in the same direction. ``base`` is in the same unit. The column's bounds are not
    looked at.
    """
    column = table.column(name)
    if settings.values["direction"] == NEAREST:
        return round_off_spikes(column.scaled, base, _list_spikes(table, column))
    _, of_value = np.unique(column.scaled, return_inverse=True)
    _, cell_index = np.unique(
        table.persons.of_row * (int(of_value.max(initial=0)) + 1) + of_value.reshape(-1), return_inverse=True
    )
    draws = streams.stream(f"round {name}").integers(base, int(cell_index.max(initial=-1)) + 1)
    return round_at_random(column.scaled, base, draws[cell_index.reshape(-1)])
