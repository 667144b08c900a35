"""The base class of the readers of SPSS, Stata and SAS: pyreadstat parses, and columns become exact texts.

Dates and times, which are stored as numbers since an epoch, are written as ISO texts. All arithmetic is decimal, on the
shortest text of a number, so that no second is lost by dividing floats; nothing is moved between time zones.
"""

from __future__ import annotations

import datetime as dt
import io
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, lacks_memory
from ppdm_desktop.engine.table.reading.base import Reader
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection
    from ppdm_desktop.engine.table.reading.raw import RawTable
    from ppdm_desktop.engine.table.reading.statistics.columns import Made, Meaning, Value
    from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat


SPSS_EPOCH = dt.date(1582, 10, 14)
"""The first day of the Gregorian calendar is the next one."""
_DAY = 86_400


class Unit(Enum):
    """What a stored number counts; for parts of a year the value is the letter that Stata writes for them."""

    DAYS = "days"
    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    DURATION = "duration"
    WEEKS = "w"
    MONTHS = "m"
    QUARTERS = "q"
    HALVES = "h"
    YEARS = "y"


_PERIODS = {Unit.WEEKS: 52, Unit.MONTHS: 12, Unit.QUARTERS: 4, Unit.HALVES: 2}


def moment_texts(values: Sequence[float], unit: Unit, epoch: dt.date) -> list[str | None]:
    """Return the text of each stored number: a date, a date with time, a duration or a part of a year.

    Parameters
    ----------
    values
        Distinct finite numbers of one column.
    unit
        What they count.
    epoch
        The day of 0; weeks, months, quarters and halves begin with its year.

    Returns
    -------
    For each number its text: ``2020-01-31`` where all numbers of the column are whole days, else
    ``2020-01-31T08:00:00``; ``26:30:00`` or ``-01:00:00`` for a length of time; ``1960w1``, ``1960m1``, ``1960q1``,
    ``1960h1`` and ``1960`` for parts of a year, as Stata shows them. None for a date outside the years 1 to 9999, and
    for a fraction of a day or of a part of a year where only whole ones have a meaning.
    """
    exact = [Decimal(repr(float(value))) for value in values]
    if unit is Unit.DURATION:
        return [_format_duration(duration) for duration in exact]
    if unit in _PERIODS or unit is Unit.YEARS:
        return [_format_period(count, unit, epoch.year) for count in exact]
    if unit is Unit.DAYS:
        return [_format_day(int(day), epoch) if day == int(day) else None for day in exact]
    seconds = [number / 1000 if unit is Unit.MILLISECONDS else number for number in exact]
    timed = any(second % _DAY for second in seconds)
    return [_format_moment(number, epoch, timed=timed) for number in seconds]


def _format_day(days: int, epoch: dt.date) -> str | None:
    """Return the ISO date of a number of days since the epoch; None outside the years 1 to 9999."""
    ordinal = epoch.toordinal() + days
    return dt.date.fromordinal(ordinal).isoformat() if 1 <= ordinal <= dt.date.max.toordinal() else None


def _format_moment(seconds: Decimal, epoch: dt.date, *, timed: bool) -> str | None:
    """Return the ISO date of a number of seconds since the epoch, with its time if ``timed``.

    None outside the years 1 to 9999.
    """
    days = int(seconds // _DAY)
    if seconds < 0 and seconds % _DAY:
        days -= 1  # Decimal divides towards zero
    day = _format_day(days, epoch)
    return f"{day}T{_format_clock(seconds - days * _DAY)}" if day is not None and timed else day


def _format_clock(seconds: Decimal) -> str:
    """Return a number of seconds, at least 0, as ``HH:MM:SS``, with decimals where they are not 0; hours may exceed 24.

    95400.5 gives 26:30:00.5.
    """
    whole = int(seconds)
    part = f"{seconds - whole:f}".partition(".")[2].rstrip("0")
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{'.' + part if part else ''}"


def _format_duration(seconds: Decimal) -> str:
    """Return a duration in seconds as ``HH:MM:SS``, with a minus before it where it is negative."""
    return ("-" if seconds < 0 else "") + _format_clock(abs(seconds))


def _format_period(count: Decimal, unit: Unit, first_year: int) -> str | None:
    """Return a week, month, quarter or half-year, counted from the first year, as year and number: ``1960q1``.

    A year gives its own number, ``1960``. None for a fraction.
    """
    if count != int(count):
        return None
    if unit is Unit.YEARS:
        return str(int(count))
    year, period = divmod(int(count), _PERIODS[unit])
    return f"{first_year + year}{unit.value}{period + 1}"


_PARSED = 0.7
"""Share of the progress that parsing takes."""
WESTERN = "WINDOWS-1252"
_RANKED = "ordinal"
"""What a file calls a column whose codes are in an order."""
_NOT_ENCODED, _NO_MEMORY = "convert string", "memory"
"""What pyreadstat says of a text in another encoding, and of memory that it was refused."""
_ASSUMED = (Note("warning.read.encoding-assumed"),)


@dataclass(frozen=True)
class Clock:
    """The unit and epoch of a date or time format; ``unit`` is None where it cannot be converted to a date."""

    unit: Unit | None
    epoch: dt.date = dt.date(1960, 1, 1)


_COLUMN_WARNINGS = {
    "used": "warning.read.labels-used",
    "kept": "warning.read.labels-kept",
    "alike": "warning.read.labels-alike",
    "more": "warning.read.more-decimals",
    "odd": "warning.read.odd-moments",
}
"""Warnings about columns: value labels that replace the codes, are kept apart since some value has none, or are not
distinct; numbers with more digits than their format shows; and dates or times that are none.
"""
_NamesByWarning = defaultdict[str, list[str]]
"""For each key of ``_COLUMN_WARNINGS`` the names of the columns that the warning is about."""


class StatisticsReader(Reader):
    """A file of a statistics program.

    Codes stay codes unless every value of a column has a label of its own. What the file's owner declared missing is
    missing in that column. What belongs to a file and not to a cell (documents, times of writing) is read to be
    mentioned in the account of the reading, and goes no further; only the labels of columns and of values reach a
    released table.
    """

    extra = "statistics"
    honours = frozenset({"missing", "sha256"})
    libraries = ("pyreadstat",)
    in_child = True

    letters: ClassVar[frozenset[str]] = frozenset()
    """The letters of missing values, beside the empty one."""

    @abstractmethod
    def parse(self, data: bytes, encoding: str | None) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by its name, and the file's metadata, as pyreadstat parses them."""

    def encodings(self, data: bytes) -> tuple[str | None, ...]:
        """Return the encodings to try in turn: None, which means the one that the file states, then Windows-1252."""
        return (None, WESTERN)

    @abstractmethod
    def clock(self, format: str) -> Clock | None:
        """Return what the numbers of a date or time format count, and from which day; None for other formats."""

    @abstractmethod
    def read_format(self, format: str) -> NumberFormat:
        """Return how a format shows numbers: with how many decimals, and filled up with zeros to which width."""

    def is_whole(self, data: bytes, rows: int) -> bool:
        """Return whether a file from which ``rows`` rows were read is complete; True unless a subclass can tell."""
        return True

    def weight(self, data: bytes) -> str:
        """Return the name of the column that weighs the rows; "" unless a subclass can tell."""
        return ""

    def list_omitted(self, data: bytes, meta: Any) -> Iterator[Note]:
        """Yield a warning for each sort of thing in the file that the table does not keep.

        They are about metadata (label, documents, times, table name), measures and sets of answers. ``meta`` is the
        file's metadata from pyreadstat.
        """
        if meta.file_label or meta.notes or meta.creation_time or meta.modification_time or meta.table_name:
            yield Note("warning.read.left-metadata")
        if any(measure not in (None, "unknown") for measure in meta.variable_measure.values()):
            yield Note("warning.read.left-measures")
        if meta.mr_sets:
            yield Note("warning.read.left-answer-sets", {"count": len(meta.mr_sets)})

    def read(self, data: bytes, options: InputSection) -> RawTable:
        """Return the cells of the file's only table, with labels in place of codes where nothing is lost by this.

        The file's labels, codes and missing values are kept besides, and warnings say what is not kept. Rows are
        numbered from 2, as if names stood in row 1. Raises InputError for a damaged file, one without rows, and a SAS
        transport file of several tables.
        """
        import numpy as np

        from ppdm_desktop.engine.table.reading.raw import RawTable

        columns, meta, assumed = self._parse_or_refuse(data)
        progress.report(_PARSED, "progress.read.rows")
        names = list(columns)
        if not names or not len(columns[names[0]]):
            raise InputError("error.read.header-only")
        column_warnings: _NamesByWarning = defaultdict(list)
        made: list[Made] = []
        for name in names:
            made.append(self._build_column(name, columns[name], meta, column_warnings))
            progress.report(_PARSED + (1 - _PARSED) * len(made) / len(names), "progress.read.rows")
        notes = [
            Note(
                "warning.read.own-missing",
                {
                    "columns": Names.of([name]),
                    "marks": Names.of([_format_labelled_value(mark.text, mark.label) for mark in column.marks]),
                },
            )
            for name, column in zip(names, made, strict=True)
            if column.marks
        ]
        return RawTable(
            headers=tuple(names),
            columns=tuple((column.codes, column.texts) for column in made),
            # As a spreadsheet program would number them with the names in its first row.
            row_numbers=np.arange(2, len(columns[names[0]]) + 2, dtype=np.int64),
            header_row=1,
            typed=tuple(column.typed for column in made),
            declared_missing=tuple(column.marks for column in made),
            labels=tuple(" ".join((label or "").split()) for label in meta.column_labels),
            codebooks=tuple(column.codebook for column in made),
            ranked=tuple(index for index, name in enumerate(names) if meta.variable_measure.get(name) == _RANKED),
            weight=names.index(weight) if (weight := self.weight(data)) in names else None,
            warnings=(
                *(_ASSUMED if assumed else ()),
                *_warn_of_columns(column_warnings),
                *notes,
                *self.list_omitted(data, meta),
            ),
            decimal=".",
        )

    def _parse_or_refuse(self, data: bytes) -> tuple[Mapping[str, Sequence[Any]], Any, bool]:
        """Return the values of each column, the metadata, and whether the encoding is only assumed to be Windows-1252.

        Parsing errors, a file cut short, and columns that are not as long as the file states become InputError; lack of
        memory becomes MemoryError. Without pyreadstat ModuleNotFoundError is raised.
        """
        # Asked for here, so that a library that is not installed is said before anything is found damaged.
        import pyreadstat  # noqa: F401

        try:
            columns, meta, encoding = self._try_encodings(data)
        except InputError:
            raise
        except Exception as error:
            if lacks_memory(error) or _NO_MEMORY in str(error):
                raise MemoryError from error
            raise InputError("error.read.damaged") from error
        rows = {len(values) for values in columns.values()}
        as_stated = meta.number_rows in (None, -1) or rows <= {meta.number_rows}
        if len(rows) > 1 or not as_stated or not self.is_whole(data, max(rows, default=0)):
            raise InputError("error.read.damaged")
        return columns, meta, encoding == WESTERN

    def _try_encodings(self, data: bytes) -> tuple[Mapping[str, Sequence[Any]], Any, str | None]:
        """Return values, metadata and encoding of the first encoding of `encodings` that works.

        The encoding is None if it is the one that the file states. An error that has another cause than the encoding is
        raised at once; that of the last encoding is raised in any case.
        """
        *preferred, last = self.encodings(data)
        for encoding in preferred:
            try:
                return *self.parse(data, encoding), encoding
            except Exception as error:
                if not isinstance(error, UnicodeError) and _NOT_ENCODED not in str(error):
                    raise
        return *self.parse(data, last), last

    def _build_column(self, name: str, values: Sequence[Any], meta: Any, column_warnings: _NamesByWarning) -> Made:
        """Return a column of the file as codes and texts, and add its name to the lists in ``column_warnings`` for it.

        ``values`` are its cells and ``meta`` the file's metadata, both from pyreadstat.
        """
        from ppdm_desktop.engine.table.reading.statistics.columns import (
            Meaning,
            code_distinct_values,
            make_column_of_values,
        )

        is_text = meta.readstat_variable_types[name] == "string"
        format = meta.original_variable_types.get(name) or ""
        meaning = Meaning(
            {_to_cell_value(value): label for value, label in meta.variable_value_labels.get(name, {}).items()},
            [(_to_cell_value(span["lo"]), _to_cell_value(span["hi"])) for span in meta.missing_ranges.get(name, ())],
            frozenset() if is_text else self.letters,
        )
        codes, distinct_values = code_distinct_values(values)
        bits = 32 if meta.readstat_variable_types[name] == "float" else 64
        write = self._make_writer(name, format, meaning, column_warnings, bits)
        made = make_column_of_values(codes, distinct_values, meaning, write)
        if made.labels:
            column_warnings[made.labels].append(name)
        return made

    def _make_writer(
        self, name: str, format: str, meaning: Meaning, column_warnings: _NamesByWarning, bits: int
    ) -> Callable[[Sequence[Value]], list[str]]:
        """Return a function that writes the distinct numbers of a column as texts, by its format.

        When called, it adds the column's ``name`` to ``more`` or ``odd`` of ``column_warnings`` if numbers have more
        digits than the format shows, or are no dates in a column of dates. Whole numbers get no decimals in a column
        with labels (``meaning``), whatever its format. ``bits`` is how many bits a number was stored with.
        """
        from ppdm_desktop.engine.table.reading.statistics.number_texts import (
            NumberFormat,
            format_shortest_number,
            number_texts,
        )

        def write(values: Sequence[Any]) -> list[str]:
            """Return the texts of distinct numbers, as dates or in the column's number format, and collect warnings.

            In a column of dates a number that is no date is written in its shortest form. In a column with labels for
            some of its values, whole numbers are written without decimals if all are whole.
            """
            clock = self.clock(format) if format else None
            if clock is not None:
                moments = moment_texts(values, clock.unit, clock.epoch) if clock.unit else [None] * len(values)
                if None in moments:
                    column_warnings["odd"].append(name)
                return [
                    text if text is not None else format_shortest_number(value) for text, value in zip(moments, values)
                ]
            number_format = self.read_format(format)
            if meaning.labels and all(value == int(value) for value in values):
                number_format = NumberFormat(
                    0, number_format.width
                )  # a code is a whole number, however many decimals are shown of it
            texts, more = number_texts(values, number_format, bits)
            if more:
                column_warnings["more"].append(name)
            return texts

        return write


def _to_cell_value(value: Any) -> Value:
    """Return a value of the file's metadata as cells have it: a float, or a text without trailing blanks."""
    return value.rstrip() if isinstance(value, str) else float(value)


def _warn_of_columns(column_warnings: _NamesByWarning) -> Iterator[Note]:
    """Yield one warning for each list of column names that is not empty, with all names of the list."""
    for warning, id in _COLUMN_WARNINGS.items():
        if names := column_warnings[warning]:
            yield Note(id, {"columns": Names.of(names), "count": len(names)})


def _format_labelled_value(text: str, label: str) -> str:
    """Return a value with its label as ``1 = yes``; the value alone where the label is empty or equal to it."""
    return text if not label or label == text else f"{text} = {label}"


def parse_with_pyreadstat(
    function: Callable[..., Any], data: bytes, encoding: str | None, **options: Any
) -> tuple[Mapping[str, Sequence[Any]], Any]:
    """Return the values of each column and the metadata from a function of pyreadstat, with dates as stored numbers.

    With the encoding None the one that the file states is used. ``options`` are passed on to that function.
    """
    parsed: tuple[Mapping[str, Sequence[Any]], Any] = function(
        io.BytesIO(data), output_format="dict", disable_datetime_conversion=True, encoding=encoding, **options
    )
    return parsed
