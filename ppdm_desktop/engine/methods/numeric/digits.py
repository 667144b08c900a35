"""Shifting the digits behind the first non-zero one: what both directions share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.declaration import Method
from ppdm_desktop.engine.methods.numeric.proof import unserved, unserved_levels
from ppdm_desktop.engine.methods.numeric.scaled import (
    MOST_DIGITS,
    scaled_int,
    scaled_text,
    scaled_values,
    style_of,
    text_values,
    with_text_values,
)
from ppdm_desktop.engine.methods.parameters import NumberParameter
from ppdm_desktop.engine.methods.step import Guarantee, Recount, Settings, StepResult
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.texts import Note

PAPER = "S. Vijayarani and A. Tamilarasi, Confidential Numeric Data Protection in Privacy Preserving Data Mining, 2011"
AS_WRITTEN = "column"
DIGITS = "0123456789"

Ints = npt.NDArray[np.int64]

SCALE = NumberParameter(
    name="scale",
    label="Decimals written",
    help="How many digits stand behind the decimal mark when the digits are shifted.",
    effect="More decimals give more digits to shift; fewer than the column has would lose digits and are refused.",
    default=AS_WRITTEN,
    low=0,
    high=MOST_DIGITS,
    whole=True,
    words={AS_WRITTEN: "As many as the column itself writes."},
    advanced=True,
)


def shifted_values(values: Ints, by: int) -> Ints:
    """Return whole numbers with ``by`` added (mod 10) to each digit behind the first."""
    left = np.abs(values)
    found = np.zeros_like(left)
    unit = 1
    while (left > 0).any():
        left, digit = left // 10, left % 10
        # The first digit is the one with nothing in front of it.
        found += np.where(left > 0, (digit + by) % 10, digit) * unit
        unit *= 10
    return np.where(values < 0, -found, found)


def declared_scale(column: Column, settings: Settings) -> int:
    """Return the digits behind the mark that a column is shifted with."""
    asked = settings.values["scale"]
    return style_of(column).decimals if asked == AS_WRITTEN else int(asked)


def shifted(column: Column, by: int, scale: int) -> Column:
    """Return a numeric column with its digits shifted; a value without later digits keeps its very text."""
    style = style_of(column)
    new = replace(style, decimals=scale, step=Decimal(1).scaleb(-scale))
    return with_text_values(column, shifted_values(text_values(column) * 10 ** (scale - style.decimals), by), new)


class DigitShift(Method):
    """Both directions of the paper's digit shift (it calls digits "bits")."""

    paper = PAPER
    promises = (
        "Sign, decimal mark, first non-zero digit and number of digits of every value stay the same.",
        "No record and no other column changes; missing values stay missing.",
    )
    limits = (
        "It is an encoding, not a protection: anybody who knows the method turns every value back, without a key. "
        "In a trial 1,000,000 of 1,000,000 numbers were recovered.",
        "Values of a single digit stay as they are: of the numbers 0 to 52, 19 in 100.",
        "The first digit stays, so the size of a value is always known; about 11 in 100 neighbours change order.",
        "Every privacy level gets the same, so no level above the weakest is met by it.",
    )
    protects = "attribute"
    correspondence = "record"
    treatment = "randomisation (digit shift, reversible)"
    kinds = frozenset({"numeric"})
    public_parameters = frozenset({"scale"})
    attacks = ("digit-inverse",)
    parameters = (SCALE,)
    by: ClassVar[int]
    """What is added to each later digit."""

    def mode(self, settings: Settings) -> Literal["safe", "faithful"]:
        """Say that this is what the paper does; there is no safer way to do it."""
        return "faithful"

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Refuse a scale that loses digits; warn that anyone can undo it.

        Raises
        ------
        RecipeError
            When the scale is smaller than a column's decimals, or a column has a step of its own.
        InputError
            When a value would have too many digits to be read back.
        """
        notes = [Note("note.digits.undone-by-anyone", {"columns": ", ".join(settings.columns)})]
        for name in settings.columns:
            column = table.column(name)
            style, scale = style_of(column), declared_scale(column, settings)
            if scale < style.decimals:
                arguments = {"scale": scale, "decimals": style.decimals}
                raise RecipeError("error.digits.scale-too-small", column=name, args=arguments)
            if style.step != Decimal(1).scaleb(-style.decimals):
                raise RecipeError("error.digits.step", column=name, args={"step": str(style.step)})
            values = scaled_values(column)
            largest = int(np.abs(values).max(initial=0)) * 10 ** (scale - style.decimals)
            if len(str(largest)) > MOST_DIGITS:
                raise InputError("error.numeric.too-many-digits", column=name, args={"most": MOST_DIGITS})
            bare = int(np.count_nonzero(self._unchanged(column, scale)))
            if bare:
                notes.append(Note("note.digits.single-digits", {"column": name, "records": bare}))
        return tuple(notes)

    def _unchanged(self, column: Column, scale: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Say which known values have no digit behind the first non-zero one."""
        values = np.abs(scaled_values(column))
        lowest = 10 ** (scale - style_of(column).decimals)
        return np.asarray(~column.missing & ((values * lowest) < 10))

    def effect(self, table: Table, settings: Settings) -> Note:
        """Say how many values change."""
        changed = sum(
            int(np.count_nonzero(~table.column(name).missing & ~self._unchanged(table.column(name), scale)))
            for name in settings.columns
            for scale in [declared_scale(table.column(name), settings)]
        )
        sign = "+" if self.by > 0 else "-"
        columns = ", ".join(settings.columns)
        return Note("note.digits.effect", {"columns": columns, "values": changed, "by": f"{sign}{abs(self.by)}"})

    def run(self, table: Table, settings: Settings, streams: StepStream, progress: Progress) -> StepResult:
        """Shift the digits of each column; no key is used."""
        self.check(table, settings)
        changed, detail, notes = [], {}, []
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), "progress.numeric.column")
            column = table.column(name)
            scale = declared_scale(column, settings)
            changed.append(shifted(column, self.by, scale))
            bare = int(np.count_nonzero(self._unchanged(column, scale)))
            missing = int(np.count_nonzero(column.missing))
            detail[name] = {"scale": scale, "unchanged": bare, "no_value": missing}
            if bare:
                notes.append(Note("note.digits.single-digits", {"column": name, "records": bare}))
        progress.report(1.0, "progress.numeric.column")
        protections = tuple(unserved(table, name) for name in settings.columns)
        return StepResult(table.replacing(*changed), protections, {"columns": detail}, tuple(notes))

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return the column as it was: shift the other way, as anybody can."""
        if column.kind != "numeric" or column.style is None:
            return None
        try:
            return shifted(column, -self.by, max(declared_scale(column, settings), column.style.decimals))
        except InputError:
            return None

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Compare every released value with the shift of its source value, digit by digit."""
        off = checked = 0
        for name in settings.columns:
            column, released = before.column(name), after.column(name)
            # One number for each pair of texts sorts many times faster than two.
            pair = column.codes.astype(np.int64) * max(len(released.texts), 1) + released.codes
            pairs, members = np.unique(pair, return_counts=True)
            scale = declared_scale(column, settings)
            checked += len(column)
            old, new = np.divmod(pairs, max(len(released.texts), 1))
            for was, now, cells in zip(old.tolist(), new.tolist(), members.tolist(), strict=True):
                if not self._follows(column, column.texts[was], released.texts[now], scale):
                    off += cells
        levels = tuple(proof for name in settings.columns for proof in unserved_levels(before, name))
        return Recount(Guarantee("file+original", off == 0, checked, float(off)), levels)

    def _follows(self, column: Column, old: str, new: str, scale: int) -> bool:
        if old in column.missing_texts or new in column.missing_texts:
            return old == new
        mark = style_of(column).decimal
        was = list(scaled_text(scaled_int(old, scale, mark), scale, mark))
        first = next((at for at, sign in enumerate(was) if sign in DIGITS[1:]), len(was))
        for at in range(first + 1, len(was)):
            if was[at] in DIGITS:
                was[at] = DIGITS[(DIGITS.index(was[at]) + self.by) % 10]
        try:
            return scaled_int("".join(was), scale, mark) == scaled_int(new, scale, mark)
        except ValueError:
            return False
