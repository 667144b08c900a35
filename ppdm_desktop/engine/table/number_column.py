"""Numeric columns that were just computed: they have their values at once and their texts only when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Codes, Floats, Ints
from ppdm_desktop.engine.table.column import MISSING, Column
from ppdm_desktop.engine.table.exact_numbers import distinct_values, scaled_floats

Written = tuple[Codes, tuple[str, ...]]


class NumberColumn(Column):
    """A numeric column that holds its values and writes its texts only when they are first needed.

    The result of one method is often read by the next method, by checks and by measures before anything is written, and
    writing a million numbers as text takes many times as long as the method. ``codes`` and ``texts`` are the same as
    those of any column; copying the column by ``dataclasses.replace`` writes them.
    """

    @classmethod
    def with_late_texts(
        cls, like: Column, values: Ints, missing: Bools, write: Callable[[], Written], **more: object
    ) -> Column:
        """Return a numeric column whose texts are written on demand.

        Parameters
        ----------
        like
            A column with the same name, role and other fields.
        values
            Each row's value in units of the style's last decimal (12.5 with one decimal is 125), 0 where missing; the
            array itself becomes read-only.
        missing
            bool, shape (rows,): rows without a value.
        write
            Returns codes and texts; called once (once for each thread if several ask at the same time).
        more
            Fields that differ from ``like``, such as ``style``.
        """
        made = object.__new__(cls)
        names = [field.name for field in fields(like) if field.name not in ("codes", "texts")]
        described = {name: getattr(like, name) for name in names}
        values.flags.writeable = False
        made.__dict__.update(described | more)
        made.__dict__.update(scaled=values, missing=missing, _write=write)
        return made

    @cached_property
    def _written(self) -> Written:
        """The pair of codes and texts, written at the first use."""
        written: Written = self.__dict__["_write"]()
        return written

    # Cached properties give way to what stands in the instance: a column made with codes and
    # texts of its own has them there from the start.
    @cached_property
    def codes(self) -> Codes:
        """The code of each row into ``texts``, int32, shape (rows,), written at the first use."""
        return self._written[0]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The distinct texts, written at the first use."""
        return self._written[1]

    @property
    def has_texts(self) -> bool:
        """Whether the texts were written already."""
        return "texts" in self.__dict__ or "_written" in self.__dict__

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes) if self.has_texts else len(self.scaled)

    @cached_property
    def numbers(self) -> Floats:
        """Return each row's number as a float, NaN where missing, shape (rows,).

        Each is the float nearest to the exact value; texts are written only if the values alone cannot give it.
        """
        values = None
        if "_write" in self.__dict__ and self.style is not None:
            values = scaled_floats(self.scaled, self.style.decimals)
        if values is None:
            return self._number_of_text[self.codes]
        if self.missing.any():
            values[self.missing] = np.nan
        return values

    @property
    def category_codes(self) -> Codes:
        """Return the category of each row, int32, -1 where missing; equal values have equal codes."""
        return self._categories[0] if self.has_texts or self.kind != "numeric" else self._value_codes

    @cached_property
    def _value_codes(self) -> Codes:
        """The index of each value in rising order of the distinct values, int32, shape (rows,); -1 where missing."""
        codes = np.full(len(self), MISSING, dtype=np.int32)
        is_filled = ~self.missing
        codes[is_filled] = distinct_values(self.scaled[is_filled])[1]
        return codes

    def take(self, rows: Ints) -> Column:
        """Return the column with the rows of the given indices, in this order; texts stay unwritten until needed.

        Then this column's texts are written, and the result has all of them, also those that none of its rows use.
        """
        if self.has_texts:
            return super().take(rows)
        return NumberColumn.with_late_texts(self, self.scaled[rows], self.missing[rows], _Taken(self, rows))


@dataclass(frozen=True, eq=False)
class _Taken:
    """A function without arguments that returns codes and texts for some rows of another column."""

    column: Column
    rows: Ints

    def __call__(self) -> Written:
        """Return the codes of the chosen rows and all distinct texts of the column, which writes them now."""
        return self.column.codes[self.rows], self.column.texts
