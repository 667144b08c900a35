"""Shifting the digits after the first non-zero one, up or down; shared by `bit-plus-plus` and `bit-minus-minus`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import (
    MOST_DIGITS,
    replace_values,
    scaled_int,
    style_of,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import NumberParameter
from ppdm_desktop.engine.methods.base.step import (
    PAPER,
    SAFE,
    Guarantee,
    LevelProof,
    Profiles,
    Protection,
    Recount,
    Settings,
    StepResult,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.numbers import MINUS
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Term, Value


def count_unshifted_cells(column: Column, released: Column, by: int, scale: int) -> int:
    """Return how many released cells are not their source with shifted digits, compared digit by digit.

    Cells that gained or lost a value, or are no number, count; so does a cell without a value whose text changed.

    Parameters
    ----------
    column, released
        Source and release, row by row.
    by
        Number that was added to each digit after the first, mod 10.
    scale
        Number of decimals in the release.
    """
    style = style_of(column)
    values, legible = _read_back(released, scale, style.decimal)
    legible &= column.missing == released.missing
    follows = _has_due_digits(column.scaled * 10 ** (scale - style.decimals), values, by)
    empty = np.flatnonzero(column.missing)
    if len(empty):
        # A cell without a value keeps its text.
        pairs = zip(column.take(empty).values(), released.take(empty).values(), strict=True)
        follows[empty] = [was == now for was, now in pairs]
    return int(np.count_nonzero(~(follows & legible)))


def _read_back(released: Column, scale: int, mark: str) -> tuple[Ints, Bools]:
    """Return released values in units of their last digit, and which cells can be read as numbers; shape (rows,) each.

    A text that is no number, is too long or has more than ``scale`` decimals has the value 0 and False; a missing one
    has 0 and True. The unit is that of ``scale`` decimals: 1.5 is 150 if ``scale`` is 2. ``mark`` is the decimal mark.
    """
    legible = np.ones(len(released), dtype=np.bool_)
    if released.kind == "numeric" and style_of(released).decimals == scale:
        try:
            return released.scaled, legible
        except (ValueError, OverflowError):
            pass  # a damaged file: text by text
    values = np.zeros(len(released.texts), dtype=np.int64)
    numbers = np.ones(len(released.texts), dtype=np.bool_)
    for code, text in enumerate(released.texts):
        if text in released.missing_texts:
            continue
        try:
            values[code] = scaled_int(text, scale, mark)
        except (ValueError, OverflowError):
            numbers[code] = False
    return values[released.codes], numbers[released.codes]


def _has_due_digits(old: Ints, new: Ints, by: int) -> Bools:
    """Return which new values have the shifted old digits at all positions, bool, shape (rows,).

    The first digit must be unchanged, each other one must be the old digit plus ``by``, mod 10, and signs must be
    equal.
    """
    is_shifted = np.asarray((old < 0) == (new < 0))
    for start in range(0, len(old), _BLOCK):
        block = slice(start, start + _BLOCK)
        was, now = np.abs(old[block]), np.abs(new[block])
        while was.any() or now.any():
            due = np.where(was < 10, was, was + by) % 10
            is_shifted[block] &= now % 10 == due
            was, now = was // 10, now // 10
    return is_shifted


PAPER_TITLE = lazy(
    "S. Vijayarani and A. Tamilarasi, Confidential Numeric Data Protection in Privacy Preserving Data Mining, 2011"
)
AS_WRITTEN = "column"

_BLOCK = 1 << 15
"""Values processed at a time, few enough for the processor's cache."""


SCALE = NumberParameter(
    name="scale",
    label=lazy("Decimals written"),
    help=lazy("How many digits after the decimal mark are used when the digits are changed."),
    effect=lazy(
        "More decimals give more digits to change. Fewer than the column has would lose digits and are refused."
    ),
    default=AS_WRITTEN,
    low=0,
    high=MOST_DIGITS,
    whole=True,
    words={AS_WRITTEN: lazy("As many as the column has.")},
    names={AS_WRITTEN: lazy("as in the column")},
    advanced=True,
)


def shift_digits(values: Ints, by: int) -> Ints:
    """Return whole numbers with ``by`` added, mod 10, to every digit after the first: 1095 becomes 1106 with ``by`` 1.

    Signs, and numbers with one digit, stay the same. int64, same shape.
    """
    shifted = np.zeros(len(values), dtype=np.int64)
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        left, unit = np.abs(values[block]), 1
        while left.any():
            rest = left // 10
            digit = left - 10 * rest
            # The first digit is the one with nothing in front of it.
            shifted[block] += np.where(rest > 0, (digit + by) % 10, digit) * unit
            left, unit = rest, 10 * unit
    return np.where(values < 0, -shifted, shifted)


def declared_scale(column: Column, settings: Settings) -> int:
    """Return the number of decimals of a column while its digits are shifted: the setting ``scale``, or its own."""
    asked = settings.values["scale"]
    return style_of(column).decimals if asked == AS_WRITTEN else int(asked)


def shift_column(column: Column, by: int, scale: int) -> Column:
    """Return a numeric column written with ``scale`` decimals, ``by`` added mod 10 to every digit after the first.

    ``scale`` is at least the column's number of decimals. Values that have only one digit even with ``scale`` decimals
    keep their text, and missing cells stay missing: with ``by`` 1 and one decimal, 5 becomes 5.1. InputError if a
    changed text would be read as a missing value.
    """
    style = style_of(column)
    new = replace(style, decimals=scale, step=Decimal(1).scaleb(-scale))
    values = shift_digits(column.scaled * 10 ** (scale - style.decimals), by)
    return replace_values(column, values, new, all_decimals=True)


def _count_unchanged(column: Column, scale: int) -> int:
    """Return how many values have a single digit when written with ``scale`` decimals, so that shifting keeps them.

    0 has a single digit, and so has 0.5 if ``scale`` is 1; 5 has two then. Missing values are not counted.
    """
    values = column.scaled
    most = 9 // 10 ** (scale - style_of(column).decimals)
    return int(np.count_nonzero((values <= most) & (values >= -most) & ~column.missing))


def make_empty_protections(table: Table, columns: Sequence[str]) -> tuple[Protection, ...]:
    """Return a protection for each column in which no record counts as protected."""
    # The same for every row, so it takes no memory.
    no_rows, no_group = np.broadcast_to(np.bool_(False), table.rows), np.broadcast_to(np.int64(-1), table.rows)
    return tuple(Protection(column, "noise", no_rows, no_group) for column in columns)


def make_uncovered_proofs(table: Table, columns: Sequence[str]) -> tuple[LevelProof, ...]:
    """Return for each column and privacy level, weakest first, a proof that none of its people are protected.

    A proof is the numbers of the level's people who are protected and who are not. As nothing is promised, each counts
    as met.
    """
    levels = levels_of(table)
    return tuple(
        LevelProof(level.name, column, int(count), 0, int(count), 0.0, None, None, True)
        for column in columns
        for level, count in zip(levels.levels, levels.people_at(table.persons), strict=True)
    )


class DigitShift(Method):
    """The paper's digit shift, up or down (the paper calls digits "bits")."""

    paper = PAPER_TITLE
    promises = (
        lazy("Sign, decimal mark, first digit other than 0 and number of digits stay the same."),
        lazy("No other column changes, and missing values stay missing."),
    )
    limits = (
        lazy("It is an encoding, not a protection: anyone who knows the method can reverse every value without a key."),
        lazy("Values of a single digit stay as they are: of the numbers 0 to 52, this is 19%."),
        lazy("The first digit stays, so the size of a value is always known. Values mostly keep their order."),
        lazy("Every protection level gets the same, so no level above the weakest is met."),
        lazy("If people have several rows, each row is treated separately."),
    )
    several_rows = "rows"
    protects = "attribute"
    correspondence = "record"
    record_by_record = True
    treatment = lazy("randomisation (digit shift, reversible)")
    kinds = frozenset({"numeric"})
    public_parameters = frozenset({"scale"})
    counts = "values"
    unknown_file_parameters: ClassVar[Mapping[str, Any] | None] = {}
    attacks = ("digit-inverse",)
    profiles: ClassVar[Profiles] = {PAPER: {}, SAFE: {}}
    """Both profiles are the same, because there is no safer way to do it; the settings count as the paper's."""
    parameters = (SCALE,)
    by: ClassVar[int]
    """Number added to each digit after the first."""

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note that anyone can undo the shift, and one for each column with values of one digit, which stay.

        Raise an error if digits would be lost.

        Raises
        ------
        RecipeError
            When the scale is smaller than a column's number of decimals, or a column has a step other than its last
            digit.
        InputError
            When a value would have too many digits to be read back.
        """
        notes = [Note("note.digits.undone-by-anyone", {"columns": Names.of(settings.columns)})]
        for name in settings.columns:
            column = table.column(name)
            style, scale = style_of(column), declared_scale(column, settings)
            if scale < style.decimals:
                arguments: dict[str, Value] = {"scale": scale, "decimals": style.decimals}
                raise RecipeError("error.digits.scale-too-small", column=name, args=arguments)
            if style.step != Decimal(1).scaleb(-style.decimals):
                raise RecipeError("error.digits.step", column=name, args={"step": Term(str(style.step))})
            values = column.scaled
            reach = max(int(values.max(initial=0)), -int(values.min(initial=0))) * 10 ** (scale - style.decimals)
            if len(str(reach)) > MOST_DIGITS:
                raise InputError("error.numeric.too-many-digits", column=name, args={"most": MOST_DIGITS})
            bare = _count_unchanged(column, scale)
            if bare:
                notes.append(Note("note.digits.single-digits", {"column": Name(name), "records": bare}))
        return tuple(notes)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many values change, over all columns, and by how much each digit is shifted."""
        changed = sum(
            int(np.count_nonzero(~column.missing)) - _count_unchanged(column, declared_scale(column, settings))
            for column in map(table.column, settings.columns)
        )
        by = Term(f"{'+' if self.by > 0 else MINUS}{abs(self.by)}")
        return Note("note.digits.effect", {"columns": Names.of(settings.columns), "values": changed, "by": by})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with the digits of each column shifted.

        It makes no random draws, and nobody counts as protected. A note for each column where values stay, because they
        have a single digit, counts them. The step's figures are, by column, the decimals used, these values, and the
        rows without a value. The errors are those of ``check``, and InputError if a shifted value would be read as a
        missing one.
        """
        self.check(table, settings)
        changed, detail, notes = [], {}, []
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), "progress.method.write")
            column = table.column(name)
            scale = declared_scale(column, settings)
            changed.append(shift_column(column, self.by, scale))
            bare = _count_unchanged(column, scale)
            missing = int(np.count_nonzero(column.missing))
            detail[name] = {"scale": scale, "unchanged": bare, "no_value": missing}
            if bare:
                notes.append(Note("note.digits.single-digits", {"column": Name(name), "records": bare}))
        progress.report(1.0, "progress.method.write")
        protections = make_empty_protections(table, settings.columns)
        return StepResult(table.replacing(*changed), protections, {"columns": detail}, tuple(notes))

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return a released column shifted back, as anyone can do.

        None if it is not numeric or cannot be shifted back.
        """
        if column.kind != "numeric" or column.style is None:
            return None
        try:
            return shift_column(column, -self.by, max(declared_scale(column, settings), column.style.decimals))
        except InputError:
            return None

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether every released value is its source with the digits shifted, compared digit by digit.

        ``worst`` is the number of cells, over all columns, that are not. For each column and privacy level, a proof
        says that none of its people are protected.
        """
        off = checked = 0
        for name in settings.columns:
            column = before.column(name)
            off += count_unshifted_cells(column, after.column(name), self.by, declared_scale(column, settings))
            checked += len(column)
        levels = make_uncovered_proofs(before, settings.columns)
        return Recount(Guarantee("file+original", off == 0, checked, float(off)), levels)
