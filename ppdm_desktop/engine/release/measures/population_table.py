"""A table of all people, and its values as a release would show them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.files.opening import Refused, check_inside
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.kinds import apply_columns
from ppdm_desktop.engine.table.numbers import to_floats
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.wording.values import Quoted, Value


def population_table(prepared: Prepared, name: str) -> Table:
    """Return the quasi-identifiers of all people from a file in the folder of the source; read once for a source.

    Raises
    ------
    InputError, RecipeError
        When the file cannot be read, or lacks a quasi-identifier of the source.
    """
    path = prepared.path.parent / name
    key = ("population", name)
    if key not in prepared.of_source:
        columns = prepared.table.with_role("quasi-identifier")
        sections = {}
        for column in columns:
            section = prepared.complete.columns[column.name]
            sections[column.name] = ColumnSection(role=section.role, kind=section.kind, format=section.format)
        try:
            check_inside(path, prepared.path.parent)
            reading = read_source(path, InputSection())
            table = apply_columns(reading.table, sections, reading.account.decimal)
        except Refused as refused:
            raise InputError(refused.id, file=str(path)) from refused
        except PpdmError as error:
            error.file = error.file or str(path)
            raise
        prepared.of_source[key] = Table(tuple(table.column(column.name) for column in columns), table.row_numbers)
    table = prepared.of_source[key]
    assert isinstance(table, Table)
    return table


@dataclass(frozen=True, eq=False)
class Recoding:
    """How a release shows the values of one column.

    Attributes
    ----------
    original, released
        The column in the source, and as released.
    rule
        The category shown for each category of the source, -1 for one whose cells are all emptied.
    """

    original: Column
    released: Column
    rule: Ints

    @cached_property
    def filled(self) -> Ints:
        """The rule, with a code of its own for each category that is nowhere shown."""
        extra_codes = len(self.released.categories) + np.arange(len(self.rule))
        return np.where(self.rule < 0, extra_codes, self.rule)

    @property
    def nobody(self) -> int:
        """The code of values that nobody of the source shows."""
        return len(self.released.categories) + len(self.rule)

    def codes_of(self, column: Column) -> Ints:
        """Return the codes of a table of all people as the release would show them, -1 where missing, shape (rows,).

        A number or date between two of the source that are shown alike is shown like them. One that is not belongs to
        nobody of the file, by which people of the file are never taken for safer than they are.

        Raises
        ------
        InputError
            When the release has no form for some values.
        """
        keys = _keys(self.original)
        code_of = dict(zip(keys, self.filled.tolist(), strict=True))
        codes, lacking = [], []
        for key, text in zip(_keys(column), column.categories, strict=True):
            code = code_of[key] if key in code_of else self._code_of_new(key, text, keys)
            lacking += [text] if code is None else []
            codes.append(self.nobody if code is None else code)
        if lacking:
            arguments: dict[str, Value] = {"count": len(lacking), "value": Quoted(lacking[0])}
            raise InputError("error.population.no-values", column=column.name, args=arguments)
        return np.append(np.array(codes, dtype=np.int64), -1)[column.category_codes]

    def _code_of_new(self, key: _Key, text: str, keys: list[_Key]) -> int | None:
        """Return the code of a value that the source does not have; None where the release has no form for it."""
        categories = self.released.categories
        if all(
            self.original.categories[index] == categories[code] for index, code in enumerate(self.rule) if code >= 0
        ):
            return self.nobody  # values are shown as they are
        hierarchy = self.original.hierarchy
        if hierarchy is not None and text in hierarchy.generalised:
            broader = [general for general in hierarchy.generalised[text] if general in categories]
            return categories.index(broader[0]) if broader else self.nobody
        if self.original.kind not in ("numeric", "date"):
            return None
        above = bisect_left(keys, key)
        is_between = 0 < above < len(keys) and self.filled[above - 1] == self.filled[above]
        return int(self.filled[above]) if is_between else self.nobody


_Key = float | str | datetime


def _keys(column: Column) -> list[_Key]:
    """Return each category of a column as a number, a date or a text, so that equal values have equal keys."""
    if column.kind == "numeric":
        return [*to_floats(column.categories, column.style.decimal if column.style else ".").tolist()]
    form = DateFormat.parse(column.date_format) if column.kind == "date" and column.date_format else None
    dates = [None if form is None else form.read(text) for text in column.categories]
    return [text if date is None else date[0] for text, date in zip(column.categories, dates, strict=True)]
