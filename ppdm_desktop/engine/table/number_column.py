"""Columns of numbers just made: the values are there, the texts are written when asked for."""

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
    """A numeric column that holds its values and writes its texts at the first question for them.

    A step's column is often read by the next step, by proofs and by measures before anything
    is written, and a text for each of a million numbers takes many times as long as the step.
    ``codes`` and ``texts`` are the same whether they are asked for or not; whatever makes a
    column from this one by them (``dataclasses.replace``) gets them written.
    """

    @classmethod
    def late(cls, like: Column, values: Ints, missing: Bools, write: Callable[[], Written], **more: object) -> Column:
        """Return a column without texts yet.

        Parameters
        ----------
        like
            The column it is described as.
        values
            Each row's value in units of the style's last digit, 0 where missing; becomes read-only.
        missing
            Which rows have no value.
        write
            Makes codes and texts; called at most once for each thread that asks at the same time.
        more
            What is described otherwise (``style``).
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
        written: Written = self.__dict__["_write"]()
        return written

    # Cached properties give way to what stands in the instance: a column made with codes and
    # texts of its own has them there from the start.
    @cached_property
    def codes(self) -> Codes:
        """A code for each row, as of any column."""
        return self._written[0]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The distinct texts, as of any column."""
        return self._written[1]

    @property
    def has_texts(self) -> bool:
        """Whether the texts are there."""
        return "texts" in self.__dict__ or "_written" in self.__dict__

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes) if self.has_texts else len(self.scaled)

    @cached_property
    def numbers(self) -> Floats:
        """The values as floats, NaN where missing."""
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
        """Category of each row, int32, -1 where missing; equal values have equal codes."""
        return self._categories[0] if self.has_texts or self.kind != "numeric" else self._value_codes

    @cached_property
    def _value_codes(self) -> Codes:
        codes = np.full(len(self), MISSING, dtype=np.int32)
        is_filled = ~self.missing
        codes[is_filled] = distinct_values(self.scaled[is_filled])[1]
        return codes

    def take(self, rows: Ints) -> Column:
        """Return the column with these rows, in this order; its texts are those of this one."""
        if self.has_texts:
            return super().take(rows)
        return NumberColumn.late(self, self.scaled[rows], self.missing[rows], _Taken(self, rows))


@dataclass(frozen=True, eq=False)
class _Taken:
    column: Column
    rows: Ints

    def __call__(self) -> Written:
        return self.column.codes[self.rows], self.column.texts
