"""Numeric columns with new values, given as exact whole numbers; their texts are written only when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Codes, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS as MOST_DIGITS
from ppdm_desktop.engine.table.exact_numbers import distinct_values as distinct_values
from ppdm_desktop.engine.table.exact_numbers import scaled_int as scaled_int
from ppdm_desktop.engine.table.exact_numbers import scaled_text as scaled_text
from ppdm_desktop.engine.table.exact_numbers import scaled_texts as scaled_texts
from ppdm_desktop.engine.table.number_column import NumberColumn, Written

_MANY_DECIMALS = 10


def style_of(column: Column) -> NumberStyle:
    """Return how a numeric column writes numbers (decimals, decimal mark, step); the default style if it has none."""
    return column.style or NumberStyle()


def step_units(style: NumberStyle) -> int:
    """Return the step of a column's grid in units of its last digit."""
    return int(style.step.scaleb(style.decimals))


def replace_values(
    column: Column,
    released: Ints,
    style: NumberStyle | None = None,
    *,
    uniform: bool = False,
    guessed: bool = False,
    all_decimals: bool = False,
) -> Column:
    """Return the column with other values, which are written as texts only when they are needed.

    Cells with an unchanged value keep their text, and missing cells stay missing. If a value has too many digits, or
    the style ten or more decimals, last decimals that are 0 in all values are dropped; if there are any, the result has
    a shorter style, and unchanged values are rewritten as well.

    Parameters
    ----------
    column
        The column before.
    released
        Each row's value in units of the new style's last digit; ignored where missing. The array is taken over and
        becomes read-only.
    style
        How the new values are written, with at least as many decimals as in the column; by default as there.
    uniform
        Whether equal values must have equal texts, so that unchanged cells are rewritten as well.
    guessed
        Whether the values are an intruder's guesses. They may be written as a missing value is, since nobody reads them
        back.
    all_decimals
        Whether last decimals that are 0 in all values are written, too.

    Raises
    ------
    InputError
        When a value that is not guessed would be read as missing, or a changed one has too many digits to be read back.
    """
    new = style or style_of(column)
    values = np.where(column.missing, 0, released) if column.missing.any() else np.asarray(released, dtype=np.int64)
    write = _Rewritten(column, values, new, uniform)
    is_too_long = bool(len(values)) and max(int(values.max()), -int(values.min())) >= 10**MOST_DIGITS
    may_shorten = (is_too_long or new.decimals >= _MANY_DECIMALS) and not all_decimals
    if may_shorten and (zeros := _count_common_zeros(values, new.decimals)) > 0:
        shorter = NumberStyle.written(new.decimals - zeros, new.decimal)
        return replace_values(column, values // 10**zeros, shorter, uniform=True, guessed=guessed)
    if is_too_long:
        changed = values[write.changed()]
        if len(changed) and int(np.abs(changed).max()) >= 10**MOST_DIGITS:
            raise InputError("error.numeric.too-many-digits", column=column.name, args={"most": MOST_DIGITS})
    if not guessed:
        _refuse_missing(column, values, new, write.changed)
    return NumberColumn.with_late_texts(column, values, column.missing, write, style=new)


def _count_common_zeros(values: Ints, decimals: int) -> int:
    """Return how many of the last decimals are 0 in all values; ``decimals`` is the number of decimals."""
    return max(zeros for zeros in range(decimals + 1) if not (values % 10**zeros).any())


def to_units_of_column(released: Column, column: Column) -> Ints:
    """Return released numbers in units of the last digit of ``column``, which has at least as many decimals."""
    return np.asarray(released.scaled * 10 ** (style_of(column).decimals - style_of(released).decimals))


def _refuse_missing(column: Column, released: Ints, style: NumberStyle, changed: Callable[[], Bools]) -> None:
    """Raise InputError if a changed value, written in the new style, would be read as a missing value.

    ``changed`` returns which cells changed; it is called only if such a value occurs.
    """
    for text in column.missing_texts:
        try:
            value = scaled_int(text, style.decimals, style.decimal)
        except ValueError:
            continue
        if scaled_text(value, style.decimals, style.decimal) != text or not -(2**63) <= value < 2**63:
            continue
        if (released == value).any() and (changed() & (released == value)).any():
            raise InputError("error.numeric.becomes-missing", column=column.name)


@dataclass(frozen=True, eq=False)
class _Rewritten:
    """Writes the texts for ``replace_values``: the old texts that are kept, in order, then the new ones by value."""

    column: Column
    released: Ints
    style: NumberStyle
    uniform: bool

    def changed(self) -> Bools:
        """Return which cells get a new text, bool, shape (rows,); with ``uniform``, all cells that have a value."""
        present = ~self.column.missing
        if self.uniform:
            return present
        factor = 10 ** (self.style.decimals - style_of(self.column).decimals)
        return np.asarray(present & (self.released != self.column.scaled * factor))

    def __call__(self) -> Written:
        """Return the code of each row, and the texts that the codes stand for.

        Cells marked by ``changed`` get the text of the new value in the new style; all others keep their text.
        """
        changed = self.changed()
        whole = bool(changed.all())
        distinct, inverse = distinct_values(self.released if whole else self.released[changed])
        texts = scaled_texts(distinct, self.style.decimals, self.style.decimal)
        if whole:
            # Distinct values have distinct texts: nothing to look up.
            return inverse.astype(np.int32), tuple(texts)
        codes, kept = _keep_cell_texts(self.column, ~changed)
        index = {text: code for code, text in enumerate(kept)}
        text_index = np.array([index.setdefault(text, len(index)) for text in texts], dtype=np.int32)
        codes[changed] = text_index[inverse]
        return codes, tuple(index)


def _keep_cell_texts(column: Column, cells: Bools) -> tuple[Codes, list[str]]:
    """Return new codes for all rows and the texts of the marked cells, which keep their text.

    ``cells`` marks them, bool, shape (rows,); the codes of other rows have no meaning.
    """
    used = np.zeros(len(column.texts), dtype=np.bool_)
    used[column.codes[cells]] = True
    text_index = np.cumsum(used, dtype=np.int32) - np.int32(1)
    codes = text_index[column.codes] if len(text_index) else column.codes.copy()
    return codes, [column.texts[code] for code in np.flatnonzero(used).tolist()]


def round_half_up(numerator: int, denominator: int) -> int:
    """Return the whole number nearest to a fraction with a positive denominator, halves rounded up."""
    return (2 * numerator + denominator) // (2 * denominator)


def round_each_half_up(numerators: Ints, denominators: Ints | int) -> Ints:
    """Return each fraction rounded to a whole number, halves up; three times each term must fit its integer type."""
    return np.asarray((2 * numerators + denominators) // (2 * denominators))
