"""`additive-noise`: moves values by two constants that keep the total (Vijayarani & Tamilarasi's comparison method)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError, SeveralRowsError
from ppdm_desktop.engine.methods.algorithms.digits.constants import TwoConstants, exact_sum
from ppdm_desktop.engine.methods.algorithms.digits.digits import (
    PAPER_TITLE,
    make_empty_protections,
    make_uncovered_proofs,
)
from ppdm_desktop.engine.methods.algorithms.digits.scaled import replace_values, step_units, style_of
from ppdm_desktop.engine.methods.algorithms.digits.two_constant_undo import undo_rounded, undo_unrounded
from ppdm_desktop.engine.methods.algorithms.people.within import has_one_value_each
from ppdm_desktop.engine.methods.base.declaration import Method, register
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter
from ppdm_desktop.engine.methods.base.step import PAPER, SAFE, Guarantee, Profiles, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Number, Ratio, Terms, Value

STEP, AS_PAPER, UNROUNDED = "step", "paper", "none"
_BLOCK = 1 << 15
FAINT = 0.01
"""The noise is called faint if it is smaller than this share of the mean."""


@register
class AdditiveNoise(Method):
    """Move values from the mean up down by one constant, and values below the mean up by another.

    Where the mean is negative, both are moved the other way.

    Vijayarani & Tamilarasi 2011, section 3.2, say that the two noises sum to nothing; in fact their total over all
    records is 0. The paper rounds at every step; the default keeps the column total by largest remainders instead.
    """

    id = "additive-noise"
    title = lazy("Add a constant to low values, subtract one from high values")
    paper = PAPER_TITLE
    summary = lazy(
        "Subtracts one constant from values at or above the mean and adds another to values "
        "below it, so the total stays the same. It uses no randomness and is easy to undo."
    )
    promises = (
        lazy("The total of each column stays the same to within one step, unless rounded as in the paper."),
        lazy("Every value at or above the mean changes by the same amount, and every value below it by another."),
        lazy("No other column changes, and missing values stay missing."),
    )
    limits = (
        lazy("Anyone who knows one true value on each side of the mean can undo it. Without rounding, anyone can."),
        lazy("It hides neither order nor size, nor who is in the file. Every protection level gets the same."),
        lazy(
            "It fades as the table grows: with 10 records each value changes by about 40% of the "
            "mean, with 20,000 by 0.02%."
        ),
        lazy("If people have several rows, each row is treated separately."),
    )
    expert = (
        lazy("The paper states that “sum of noise1 and noise2 is 0”. What is 0 is their total over all records."),
    )
    several_rows = "rows"
    recipients_learn = lazy(
        "Each value was moved by about one of two fixed amounts: down from the mean up, and up below it."
    )
    protects = "attribute"
    record_by_record = True
    treatment = lazy("randomisation (noise addition by constants, reversible when not rounded by steps)")
    kinds = frozenset({"numeric"})
    public_parameters = frozenset({"rounding"})
    counts = "values"
    worst_is = "total"
    unknown_file_parameters: ClassVar[Mapping[str, Any] | None] = {"rounding": UNROUNDED}
    attacks = ("two-constant-search",)
    invents_numbers = True
    values_label = lazy("with noise")
    profiles: ClassVar[Profiles] = {PAPER: {"rounding": AS_PAPER}, SAFE: {}}
    paper_fault = lazy(
        "Rounded at every step, all values can be reversed by anyone without a key, and the total changes a little."
    )
    paper_price = lazy(
        "Rounded to the step of the column, single values change by up to one step more or less than the constant."
    )
    parameters = (
        ChoiceParameter(
            name="rounding",
            label=lazy("Rounding"),
            help=lazy("How released values are rounded."),
            default=STEP,
            choices={
                STEP: lazy("To the step of the column; the total stays the same."),
                AS_PAPER: lazy(
                    "Half up at every step of the calculation, as in the paper; the total changes a little."
                ),
                UNROUNDED: lazy("Not at all: with as many decimals as can be written."),
            },
            names={
                STEP: lazy("step of the column"),
                AS_PAPER: lazy("as in the paper"),
                UNROUNDED: lazy("not rounded"),
            },
        ),
    )

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Raise an error for a column in which nobody has two different values, if people have several rows.

        Missing values do not count. Rows are changed separately, and the mean of a person's rows would reveal the
        value.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        people = table.persons
        for name in settings.columns:
            if people.with_several and has_one_value_each(table.column(name), people):
                arguments: dict[str, Value] = {"column": Name(name), "people": people.with_several}
                raise SeveralRowsError("error.additive-noise.one-value-each", column=name, args=arguments)

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on what the method does not protect; raise an error for columns that it cannot treat.

        The notes say that anyone can undo the noise, unless the setting ``rounding`` is "step", and name columns whose
        mean is negative, or of which even the larger constant is below 1 % of the mean, signs ignored.

        Raises
        ------
        InputError
            For a column without values or with the same value in all cells, or with a mean of zero (rounding as in the
            paper also refuses a mean so near to zero that both rounded constants are 0).
        RecipeError
            For a column with one value for each person, if people have several rows.
        """
        notes = []
        self.refuse_unfit_people(table, settings)
        if settings.values["rounding"] != STEP:
            notes.append(Note("note.additive-noise.reversible"))
        for name in settings.columns:
            parts, _ = _find_two_constants(table.column(name))
            if not len(parts.values) or not parts.n_low:
                raise InputError("error.additive-noise.constant", column=name)
            rounds_away = parts.paper_constants(step_units(style_of(table.column(name)))) == (0, 0)
            if parts.total == 0 or (rounds_away and settings.values["rounding"] == AS_PAPER):
                raise InputError("error.additive-noise.zero-mean", column=name)
            if parts.total < 0:
                notes.append(Note("note.additive-noise.negative-mean", {"column": Name(name)}))
            share = 2 / min(parts.n_high, parts.n_low)
            if share < FAINT:
                notes.append(Note("note.additive-noise.faint", {"column": Name(name), "share": Ratio(share)}))
        return tuple(notes)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the two constants of each column: how far values from the mean up, and below it, are moved.

        The constants are the exact ones, before rounding, in the column's unit; a negative one lowers values. Columns
        without values or with the same value in all cells are left out; if no other column is left, the note only names
        the step's columns.
        """
        moves = []
        for name in settings.columns:
            parts, _ = _find_two_constants(table.column(name))
            if len(parts.values) and parts.n_low:
                unit = 10.0 ** -style_of(table.column(name)).decimals
                down, up = float(parts.taken_from_high) * unit, float(parts.given_to_low) * unit
                moves.append(
                    lazy(
                        "{column}: {high} from the mean up, {low} below it",
                        column=Name(name),
                        high=Number(-down),
                        low=Number(up),
                    )
                )
        return Note(
            "note.additive-noise.effect", {"moves": Terms(tuple(moves)) if moves else Names.of(settings.columns)}
        )

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table after two constants were applied to each column: high values are lowered, low ones raised.

        High are the values from the column's mean on; where the mean is negative, they are raised and low ones lowered.
        It makes no random draws, and nobody counts as protected. Missing values stay missing. The step's details hold,
        by column, the mean, the numbers of values on both sides of it, the two constants before rounding (negative if
        they lower values), and the number of cells without a value. The errors are those of ``check``, and InputError
        if a released number would be read as a missing value or has too many digits.
        """
        self.check(table, settings)
        changed, detail = [], {}
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), "progress.method.write")
            column = table.column(name)
            parts, present = _find_two_constants(column)
            changed.append(_build_released_column(column, parts, present, settings.values["rounding"]))
            unit = Decimal(1).scaleb(-style_of(column).decimals)
            detail[name] = {
                "mean": float(parts.mean) * float(unit),
                "high": parts.n_high,
                "low": parts.n_low,
                "noise_high": -float(parts.taken_from_high) * float(unit),
                "noise_low": float(parts.given_to_low) * float(unit),
                "no_value": int(np.count_nonzero(~present)),
            }
        progress.report(1.0, "progress.method.write")
        protections = make_empty_protections(table, settings.columns)
        return StepResult(table.replacing(*changed), protections, {"columns": detail})

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return a released column with the noise taken off again, as anyone can do without a key; None if nobody can.

        Nobody can if the setting ``rounding`` is "step", or if the column is not numeric. If the noise was rounded as
        in the paper, the values are the most likely ones. If the released values do not determine the true ones, or are
        fewer than two, the released column itself is returned.
        """
        rounding = settings.values["rounding"]
        if rounding == STEP or column.kind != "numeric" or column.style is None:
            return None
        present = ~column.missing
        values = column.scaled
        if rounding == AS_PAPER:
            original = undo_rounded(values[present], step_units(column.style))
            return column if original is None else _replace_values(column, present, original)
        for decimals in range(column.style.decimals):
            more = 10 ** (column.style.decimals - decimals)
            original = undo_unrounded(values[present], more)
            if original is not None:
                return _replace_values(column, present, original * more)
        return column

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether values moved by their constants to within a step, and totals changed by less than one step.

        Values that were not rounded must move to within a unit of their last digit. With the paper's rounding a total
        may change further, and values must be exactly the paper's. No cell may gain or lose a value. ``worst`` is the
        largest change of a column's total, in steps, infinite if a cell gained or lost a value. Each privacy
        level promises nothing: it has nobody who is protected, and counts as met.
        """
        off, checked, worst = 0, 0, 0.0
        for name in settings.columns:
            wrong, drift = _count_misses(before.column(name), after.column(name), settings.values["rounding"])
            off, checked, worst = off + wrong, checked + before.rows, max(worst, drift)
        levels = make_uncovered_proofs(before, settings.columns)
        return Recount(Guarantee("file+original", off == 0, checked, worst), levels)


def _find_two_constants(column: Column) -> tuple[TwoConstants, Bools]:
    """Return a column's values split at their mean, with the two constants, and which rows have a value.

    Missing values are left out of the former; the latter is bool, shape (rows,).
    """
    present = ~column.missing
    values = column.scaled
    return TwoConstants.of(values if present.all() else values[present]), present


def _replace_values(column: Column, present: Bools, values: Ints) -> Column:
    """Return the column with guessed values in the rows marked in ``present``.

    ``values`` has one number for each marked row, in units of the column's last digit.
    """
    return replace_values(column, _spread_over_rows(present, values), guessed=True)


def _spread_over_rows(present: Bools, values: Ints) -> Ints:
    """Return one number for each row, int64: the next of ``values`` in rows marked in ``present``, 0 in the others.

    ``values`` has one number for each marked row; if all rows are marked, it is itself returned.
    """
    if len(values) == len(present):
        return values
    whole = np.zeros(len(present), dtype=np.int64)
    whole[present] = values
    return whole


def _build_released_column(column: Column, parts: TwoConstants, present: Bools, rounding: str) -> Column:
    """Return the column with its values moved by the two constants, rounded as ``rounding`` says; gaps stay gaps.

    All numbers have the same number of decimals; otherwise exact numbers would stand out. Unrounded values get as many
    further decimals as fit. ``parts`` are the column's values and constants; ``present`` marks the rows with a value.
    InputError if a number would be read as a missing value or has too many digits.
    """
    style = style_of(column)
    if rounding != UNROUNDED:
        step = step_units(style)
        values = parts.on_grid(step) if rounding == STEP else parts.as_paper(step)
        return replace_values(column, _spread_over_rows(present, values), uniform=True)
    spare = parts.spare_decimals()
    decimals = style.decimals + spare
    whole = _spread_over_rows(present, parts.unrounded(spare))
    wider = replace(style, decimals=decimals, step=Decimal(1).scaleb(-decimals))
    return replace_values(column, whole, wider, uniform=True)


def _count_misses(column: Column, released: Column, rounding: str) -> tuple[int, float]:
    """Return how many values did not move as promised, and by how many steps the column's total changed, up or down.

    A value moved as promised if it differs from source plus exact constant by at most a step or, without rounding, by
    at most one unit of the last digit; with the paper's rounding it must be exactly the paper's value.

    If cells lost or gained a value, or the release is not numeric, these cells (at least one) are counted and the
    change is infinite. A total that changed by a step or more counts as one further value, except with the paper's
    rounding.
    """
    parts, present = _find_two_constants(column)
    spoilt = int(np.count_nonzero(present != ~released.missing))
    if spoilt or released.style is None:
        return max(spoilt, 1), float("inf")
    more = 10 ** (released.style.decimals - style_of(column).decimals)
    step = step_units(style_of(column))
    released_values = released.scaled
    released_values = released_values if present.all() else released_values[present]
    total = abs(exact_sum(released_values) - parts.total * more) / (more * step)
    if rounding == AS_PAPER:
        return int(np.count_nonzero(released_values != parts.as_paper(step) * more)), total
    due = np.array([parts.given_to_low, -parts.taken_from_high], dtype=np.float64) * more
    near = (step * more if rounding != UNROUNDED else 1) * (1 + 1e-9)
    wrong = 0
    for start in range(0, len(released_values), _BLOCK):
        block = slice(start, start + _BLOCK)
        moved = released_values[block] - parts.values[block] * more
        wrong += int(np.count_nonzero(np.abs(moved - due[parts.high[block].view(np.uint8)]) > near))
    return wrong + int(total >= 1), total
