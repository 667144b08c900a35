"""Parameters that concern columns: several columns together, or a number or bounds for each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from ppdm_desktop.engine.methods.base.parameters import Parameter, said_by_key
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Names


def _is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a finite number; bool is not one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, kw_only=True)
class ColumnNumbersParameter(Parameter):
    """A positive number for all columns, a table of numbers by column, or one of a few words.

    Attributes
    ----------
    words
        Texts allowed instead of a number, each with a sentence; a column that a table leaves
        out is treated as by the default.
    is_share
        Whether every number is a share below 1.
    """

    words: Mapping[str, Sentence] = field(default_factory=dict)
    is_share: bool = False

    def problem(self, value: object) -> Sentence | None:
        """Return what a fitting value would be, if this one does not fit; else None."""
        if isinstance(value, str) and value in self.words:
            return None
        numbers = list(value.values()) if isinstance(value, Mapping) else [value]
        names = list(value) if isinstance(value, Mapping) else []
        most = 1 if self.is_share else math.inf
        if all(_is_number(number) and 0 < number < most for number in numbers) and all(
            isinstance(name, str) for name in names
        ):
            return None
        fits = lazy("a number above 0, or a table of such numbers by column")
        if self.is_share:
            fits = lazy("a number above 0 and below 1, or a table of such numbers by column")
        if not self.words:
            return fits
        return lazy("{fits}, or the word {words}", fits=fits, words=Names.of(tuple(self.words)))

    def of(self, value: object, column: str) -> float | None:
        """Return a column's number, or None where the value has none for it."""
        if isinstance(value, Mapping):
            value = value.get(column)
        return float(value) if isinstance(value, int | float) else None

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        high = 1 if self.is_share else None
        bounds = {"low": 0, "high": high, "low_open": True, "high_open": self.is_share}
        return {**self._base(), "type": "number or table by column", "bounds": bounds, "words": said_by_key(self.words)}

    def unfit_values(self) -> list[object]:
        """Return values that must be refused."""
        unfit: list[object] = ["no such word", True, 0, -1.5, float("nan"), float("inf"), [1], None]
        unfit += [{"Number": 1}] if self.is_share else []
        return [*unfit, {"Number": 0}, {"Number": "1"}, {"Number": None}, {"no such column": 0.5}]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted."""
        return [*self.words, {}, 0.5 if self.is_share else 2.5]


@dataclass(frozen=True, kw_only=True)
class ColumnBoundsParameter(Parameter):
    """A lowest and a highest value by column; other columns keep the bounds of their own declaration."""

    def problem(self, value: object) -> Sentence | None:
        """Return what a fitting value would be, if this one does not fit; else None."""
        if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
            pairs = [pair for pair in value.values() if isinstance(pair, list | tuple) and len(pair) == 2]
            if len(pairs) == len(value) and all(
                _is_number(low) and _is_number(high) and low < high for low, high in pairs
            ):
                return None
        return lazy("a table of [low, high] by column, low below high")

    def of(self, value: object, column: str) -> tuple[float, float] | None:
        """Return a column's bounds, or None where the table has none for it."""
        entry = value.get(column) if isinstance(value, Mapping) else None
        return None if entry is None else (float(entry[0]), float(entry[1]))

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        return {**self._base(), "type": "bounds by column", "bounds": None}

    def unfit_values(self) -> list[object]:
        """Return values that must be refused."""
        unfit: list[object] = ["0 to 1", 1, True, None, [0, 1], {"Number": 1}, {"Number": [1]}, {"Number": [1, 2, 3]}]
        return [*unfit, {"Number": [2, 1]}, {"Number": [0, float("inf")]}, {"no such column": [0, 1]}]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted."""
        return [{}]


@dataclass(frozen=True, kw_only=True)
class ColumnsParameter(Parameter):
    """Several columns of the step that belong together; an empty list for none."""

    def problem(self, value: object) -> Sentence | None:
        """Return what a fitting value would be, if this one does not fit; else None. The table checks names."""
        if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
            names = tuple(value)
            if len(names) != 1 and len(set(names)) == len(names):
                return None
        return lazy("a list of two or more different columns, or an empty list")

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        return {**self._base(), "default": list(self.default), "type": "columns", "bounds": None}

    def unfit_values(self) -> list[object]:
        """Return values that must be refused."""
        return ["Number", 1, True, None, ["Number"], ["Number", "Number"], ["Number", 1], ["no such column", "Number"]]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted."""
        return [[]]
