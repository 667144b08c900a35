"""What the writers of statistics files share: storing each column as codes with labels, numbers, days or texts.

Nothing is lost and nothing is guessed when such a file is read back. A column is stored as

- codes with their labels, where the source had them and each remaining value is one of these labels;
- numbers, where each is shown as it was written: all with equally many decimals, or none with a needless zero;
- days, where all are dates like 2000-01-31;
- texts otherwise.

A word that means "missing" among numbers becomes a missing value that has this word as its label. A name that the
format does not allow is changed, and the column's own name becomes its label.
"""

from __future__ import annotations

import datetime as dt
import io
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.private import PrivateFolder
from ppdm_desktop.engine.table.codebook import shows_labels
from ppdm_desktop.engine.table.column import Column, Table, assign_text_numbers, decimals_of, is_number
from ppdm_desktop.engine.table.writing.base import LimitBreach, UnreadableFile, Writer, Written, decimal_of
from ppdm_desktop.engine.wording.values import Term

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
_DIGITS = "0123456789"
_MOST_DECIMALS = 15
_EXTRA = "statistics"

Value = float | str


@dataclass(frozen=True)
class Stored:
    """How a column is stored in a statistics file.

    Attributes
    ----------
    kind
        ``labels``, ``fixed`` (numbers with equally many decimals), ``shortest`` (without needless zeros), ``days`` or
        ``texts``.
    value_of_text
        The value that stands for each text of the column; None for a cell without value.
    decimals
        The most decimals of a number.
    labels
        The labels of values that have one, in the order of the codes; the order of the texts would tell which came
        first in the source.
    missing
        The values that mean "missing".
    """

    kind: str
    value_of_text: tuple[Value | None, ...]
    decimals: int = 0
    labels: Mapping[Value, str] = field(default_factory=dict)
    missing: tuple[Value, ...] = ()


class StatisticsWriter(Writer):
    """A file of a statistics program, written and read back by pyreadstat."""

    release = True
    takes_guard = False
    libraries = ("pyreadstat",)
    most_name: ClassVar[int]
    """The longest name of a column, in ``measure``."""
    most_title: ClassVar[int]
    """The longest label of a column, in ``measure``."""
    most_label: ClassVar[int]
    """The longest label of a value, in bytes."""
    most_text: ClassVar[int]
    """The longest text of a cell, in bytes."""
    most_missing: ClassVar[int] = 0
    """How many numbers of a column can be declared missing; such a one is shown as a whole number where it is one."""
    reserved: ClassVar[frozenset[str]] = frozenset()
    first_day: ClassVar[dt.date]
    """The first day that may be stored as one."""

    @abstractmethod
    def measure(self, text: str) -> int:
        """Return the length of a column's name or label as the format counts it: in characters or in bytes."""

    @abstractmethod
    def word_value(self, number: int) -> Value | None:
        """Return the missing value for the n-th word, from 0, such as "refused", among the numbers of a column.

        None where the format has no more such values.
        """

    @abstractmethod
    def day_value(self, day: dt.date) -> float:
        """Return the number that stands for a day in the format, in days or seconds since its epoch."""

    @abstractmethod
    def write_file(self, path: Path, frame: Any, stored: Sequence[Stored], titles: Sequence[str]) -> None:
        """Write the columns of a frame to a file; ``stored`` says how to store each, ``titles`` are labels or ""."""

    @abstractmethod
    def neutral(self, data: bytes) -> bytes:
        """Return the bytes of a file with a fixed time and without the name of the program that wrote it."""

    @abstractmethod
    def parse(self, data: bytes) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by its name, and the file's metadata; raise an error for a damaged file."""

    @abstractmethod
    def kind_of(self, format: str) -> tuple[str, int]:
        """Return what a column holds, by its format in the file: the ``Stored.kind``, and its number of decimals."""

    @abstractmethod
    def day_of(self, value: float) -> dt.date:
        """Return the day that a number in the format stands for; the reverse of ``day_value``."""

    # --- writing --------------------------------------------------------------------------

    def limits(self, table: Table) -> tuple[LimitBreach, ...]:
        """Return what the format cannot hold of a table: long names and texts, NULs, blanks that it would drop.

        They are in this order, each with its number of names or cells; empty if the table fits. Blanks count at the end
        of a text only, and long texts by their bytes in UTF-8. Of names only those count that the file has to keep as
        labels (see ``names``), if they are too long for one, begin or end with a blank, or have characters that cannot
        be printed. Of columns only those count that are stored as texts.
        """
        _, titles = self.names(table.names)
        lost = sum(
            self.measure(title) > self.most_title or title != title.strip() or not title.isprintable()
            for title in titles
        )
        long = control = blank = 0
        for column in table.columns:
            progress.check()
            if self.stored(column, decimal_of(table)).kind != "texts":
                continue
            for text, cells in zip(column.texts, column.text_counts.tolist(), strict=True):
                long += cells * (len(text.encode("utf-8", "replace")) > self.most_text)
                control += cells * ("\0" in text)
                blank += cells * (not self.keeps_blanks and text.endswith(" "))
        breaches = (
            LimitBreach("writing.limit.names", lost, 0),
            LimitBreach("writing.limit.long-cells", long, 0),
            LimitBreach("writing.limit.control-cells", control, 0),
            LimitBreach("writing.limit.blank-ends", blank, 0),
        )
        return tuple(breach for breach in breaches if breach.count > breach.most)

    def names(self, names: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return two lists: columns' names in the file, and as label each changed one's original name, else "".

        "net income" becomes "net_income" with the label "net income". Names that would be equal then, capitals ignored,
        get a number at their end: the second "net_income" becomes "net_income_2".
        """
        taken: set[str] = set()
        allowed, titles = [], []
        for name in names:
            plain = self._to_allowed_name(name)
            wanted, number = plain, 1
            while wanted.casefold() in taken:
                number += 1
                end = f"_{number}"
                wanted = self._cut_name(plain, self.most_name - len(end)) + end
            taken.add(wanted.casefold())
            allowed.append(wanted)
            titles.append(name if wanted != name else "")
        return allowed, titles

    def _to_allowed_name(self, name: str) -> str:
        """Return a name with an underscore for each sign but letters and digits, cut to the longest that is allowed.

        Letters of any script stay. A name that begins with no letter, or is a reserved word in small or capital
        letters, gets ``v_`` in front: "2nd job" becomes "v_2nd_job".
        """
        plain = "".join(sign if sign.isalpha() or sign in _DIGITS else "_" for sign in name)
        if not plain[:1].isalpha() or plain.casefold() in self.reserved:
            plain = f"v_{plain}"
        return self._cut_name(plain, self.most_name)

    def _cut_name(self, name: str, most: int) -> str:
        """Return the longest beginning of a name whose length by ``measure`` is at most ``most``."""
        while self.measure(name) > most:
            name = name[:-1]
        return name

    def write(self, table: Table, *, guarded: bool = True) -> Written:
        """Return a table as a file; the same table gives the same bytes. ``guarded`` has no effect.

        The file is made in a private temporary folder first.

        Raises
        ------
        ValueError
            When the format cannot hold the table; ask ``limits`` first.
        InputError
            When the package that writes such files is not installed.
        OSError
            When the temporary folder cannot be made, or the file in it cannot be read.
        """
        import pandas

        if self.limits(table):
            raise ValueError(f"the table is beyond what {self.title} holds")
        decimal = decimal_of(table)
        names, own_names = self.names(table.names)
        stored, columns = [], {}
        for index, (name, column) in enumerate(zip(names, table.columns, strict=True)):
            progress.report(0.5 * index / len(names), "doing.exporting")
            plan = self.stored(column, decimal)
            stored.append(plan)
            values = np.array([*plan.value_of_text, None], dtype=object)[:-1]
            is_plain = plan.kind != "texts" and not any(isinstance(value, str) for value in plan.value_of_text)
            cells = values.astype(np.float64)[column.codes] if is_plain else values[column.codes]
            columns[name] = pandas.Series(cells, dtype=np.float64 if is_plain else object)
        titles = [
            changed or self._choose_title(column) for changed, column in zip(own_names, table.columns, strict=True)
        ]
        folder = PrivateFolder("writing")
        try:
            path = folder.path / f"data{self.suffix}"
            self.write_file(path, pandas.DataFrame(columns), stored, titles)
            data = self.neutral(path.read_bytes())
        except ModuleNotFoundError as error:
            raise InputError(
                "error.export.extra-missing", args={"format": Term(self.title), "extra": Term(_EXTRA)}
            ) from error
        finally:
            folder.remove()
        return Written(data, self.id, False, 0, decimal)

    def _choose_title(self, column: Column) -> str:
        """Return the source's label of a column, for one whose name did not change.

        "" where it has none, it is too long, or it could be taken for the column's original name when the file is read.
        """
        title = column.label
        return (
            title
            if title and self.measure(title) <= self.most_title and not self._can_be_own_name(title, column.name)
            else ""
        )

    def _can_be_own_name(self, title: str, name: str) -> bool:
        """Return whether a column's label may be its original name, given the name ``name`` that it has in the file.

        It may if it differs from ``name``, and ``name`` is what the label becomes as a name in the file, perhaps cut,
        with a number at its end: "net income" for "net_income" or "net_income_2".
        """
        plain = self._to_allowed_name(title)
        stem = re.sub(r"_[0-9]+$", "", name)
        return title != name and (name == plain or (stem != name and plain.startswith(stem)))

    def stored(self, column: Column, decimal: str) -> Stored:
        """Return how to store a column: as labels, numbers, days or texts, the first that can be read back.

        It is the first way in which each text comes back as it was. Days are tried for date columns only; a column
        without a value is stored as texts. ``decimal`` is the decimal mark of the numbers.
        """
        used = column.used_texts().tolist()
        texts = [text for text, is_used in zip(column.texts, used, strict=True) if is_used and text]
        filled = [text for text in texts if text not in column.missing_texts]
        marks = sorted(text for text in texts if text in column.missing_texts)
        stored = None
        if filled:
            stored = (
                self._to_stored_labels(column, filled, marks)
                or self._to_stored_numbers(column, filled, marks, decimal)
                or (self._to_stored_days(column, filled, marks) if column.kind == "date" else None)
            )
        return stored or Stored("texts", column.texts)

    def _fit_labels(self, labels: Mapping[Value, str]) -> bool:
        """Return whether the format can hold these labels of values: none is too long, ends in a blank or has a NUL."""
        return all(
            len(label.encode("utf-8", "replace")) <= self.most_label and label == label.rstrip() and "\0" not in label
            for label in labels.values()
        )

    def _to_stored_labels(self, column: Column, filled: Sequence[str], marks: Sequence[str]) -> Stored | None:
        """Return how to store a column that shows labels, such as "yes" for the code 1, as codes with labels.

        Codes of texts that mean "missing" are listed as ``Stored.missing``, and labels that no cell shows are left out.
        None where the column does not show its labels, some text has no whole number (of up to nine digits) as its
        code, or the format cannot hold the labels. ``filled`` and ``marks`` are its texts with a value and those that
        mean "missing".
        """
        code_of = {label: float(code) for code, label in column.codebook if _WHOLE.fullmatch(code)}
        if not shows_labels(column.codebook, filled) or not code_of.keys() >= {*filled, *marks}:
            return None
        labels: dict[Value, str] = {code: label for label, code in code_of.items() if label in {*filled, *marks}}
        values = tuple(code_of.get(text) for text in column.texts)
        missing = tuple(code_of[text] for text in marks)
        return Stored("labels", values, 0, labels, missing) if self._fit_labels(labels) else None

    def _to_stored_numbers(
        self, column: Column, filled: Sequence[str], marks: Sequence[str], decimal: str
    ) -> Stored | None:
        """Return how to store a column of numbers; None where some number would not be shown again as it was written.

        A word that means "missing", such as "refused", is stored as a special value with the word as its label; a
        number that does, such as -9, as itself if it would be shown as it was written. All are listed as
        ``Stored.missing``. None also where another text is no number, there are more such words than the format has
        values for, two texts are the same number (0 and -0), or the format cannot hold the labels. ``filled`` and
        ``marks`` are the texts with a value and those that mean "missing".
        """
        if not all(is_number(text, decimal) for text in filled):
            return None
        most = max(decimals_of(text, decimal) for text in filled)
        value_of: dict[str, Value] = {text: float(text.replace(decimal, ".")) for text in filled}
        kind = _choose_number_kind(value_of, most, decimal)
        if kind is None:
            return None
        is_declared = len(marks) <= self.most_missing
        value_of |= _find_mark_numbers(marks, kind, most, decimal, is_declared=is_declared)
        labels = {value_of[code]: label for code, label in column.codebook if code in value_of}
        for index, missing_word in enumerate([mark for mark in marks if mark not in value_of]):
            value = self.word_value(index)
            if value is None:
                return None
            value_of[missing_word], labels[value] = value, missing_word
        if len({*value_of.values()}) < len(value_of):
            return None  # as where 0 stands beside -0
        missing = tuple(value_of[mark] for mark in marks)
        values = tuple(value_of.get(text) for text in column.texts)
        return Stored(kind, values, most, labels, missing) if self._fit_labels(labels) else None

    def _to_stored_days(self, column: Column, filled: Sequence[str], marks: Sequence[str]) -> Stored | None:
        """Return how to store a column of dates like 2000-01-31 as days; None where this is impossible.

        It is impossible where a filled text is no such date, a day is before the format's first, or some text means
        "missing". ``filled`` and ``marks`` are the texts with a value and those that mean "missing".
        """
        if marks or not all(_ISO.fullmatch(text) for text in filled):
            return None
        try:
            days = {text: dt.date.fromisoformat(text) for text in filled}
        except ValueError:
            return None
        if min(days.values()) < self.first_day:
            return None
        values = tuple(self.day_value(days[text]) if text in days else None for text in column.texts)
        return Stored("days", values)

    # --- reading back ---------------------------------------------------------------------

    def read_back(self, written: Written) -> tuple[Column, ...]:
        """Return the columns of a written file with their original names and texts, read from its bytes only.

        All columns are nominal. ``written`` also has the decimal mark with which numbers are shown.

        Raises
        ------
        UnreadableFile
            When the bytes are not such a file, or the package that reads such files is not installed.
        """
        try:
            columns, meta = self.parse(written.data)
            return tuple(
                self._read_column(name, values, meta, written.decimal)
                for name, values in zip(columns, columns.values(), strict=True)
            )
        except MemoryError:
            raise
        except Exception as error:
            raise UnreadableFile(f"not a file of {self.title}") from error

    def _read_column(self, name: str, values: Sequence[Any], meta: Any, decimal: str) -> Column:
        """Return a column of the file with its original name and every text as it was written.

        Cells without a value have the text "". ``values`` are its cells and ``meta`` the file's metadata, both from
        ``parse``; ``decimal`` is the decimal mark.
        """
        title = meta.column_names_to_labels.get(name) or ""
        labels = meta.variable_value_labels.get(name, {})
        missing = _missing_values(meta, name)
        kind, most = self.kind_of(meta.original_variable_types[name])
        index: dict[Any, int] = {}
        codes = np.fromiter((index.setdefault(value, len(index)) for value in values), np.int32, count=len(values))
        if meta.readstat_variable_types[name] == "string":
            kind = "texts"

        def text_of(value: Any) -> str:
            """Return the text that a stored value stands for: its label, date, number or text; "" without a value.

            A value that stands for a word ("refused") gives this word.
            """
            if value is None or (isinstance(value, float) and value != value):
                return ""
            if kind == "texts":
                return str(value)
            if kind == "labels" or isinstance(value, str) or (value in labels and self.is_word(value)):
                return str(labels[value])
            if kind == "days":
                return self.day_of(value).isoformat()
            return _format_number(value, kind, most, decimal, is_missing=value in missing)

        texts = [text_of(value) for value in index]
        merged: dict[str, int] = {}
        into = assign_text_numbers(texts, merged) if texts else np.empty(0, dtype=np.int64)
        original_name = title if self._can_be_own_name(title, name) else name
        return Column(name=original_name, header=original_name, codes=into[codes].astype(np.int32), texts=tuple(merged))

    def is_word(self, value: Value) -> bool:
        """Return whether a missing value stands for a word; False unless a subclass can tell."""
        return False

    def traces(self, data: bytes, searched: Sequence[str]) -> int:
        """Return how many traces a file has: a time or program other than the fixed ones, a title, notes, names.

        The time and program count once together, the title, each note and each name once. The names in ``searched`` are
        looked for in the file's header only, capitals ignored.
        """
        _, meta = self.parse(data)
        head = self.head(data).decode("utf-8", "replace").casefold()
        return (
            (self.neutral(data) != data)
            + bool(meta.file_label)
            + len(meta.notes or ())
            + sum(word.casefold() in head for word in searched)
        )

    @abstractmethod
    def head(self, data: bytes) -> bytes:
        """Return the bytes of a file that hold no cells, names or labels, in which traces are searched for."""


def _choose_number_kind(value_of: Mapping[str, Value], most: int, decimal: str) -> str | None:
    """Return ``fixed`` or ``shortest``, the first that shows each number as it was written; None if neither does.

    None also for more than 15 decimals. ``value_of`` has the value of each text, ``most`` is the most decimals of one.
    """
    kinds = (kind for kind in ("fixed", "shortest") if _is_shown_as_written(value_of, kind, most, decimal))
    return next(kinds, None) if most <= _MOST_DECIMALS else None


def _find_mark_numbers(
    marks: Sequence[str], kind: str, most: int, decimal: str, *, is_declared: bool
) -> dict[str, Value]:
    """Return the number for each text that means "missing", is a number and would be shown again as it was written.

    Other texts are left out: of "-9", "-9.0" and "refused" only "-9" is kept. ``is_declared`` says whether the file
    declares these values as missing, by which a whole one is shown without decimals; ``kind`` and ``most`` are those of
    the column.
    """
    numbers = {mark: float(mark.replace(decimal, ".")) for mark in marks if is_number(mark, decimal)}
    return {
        mark: number
        for mark, number in numbers.items()
        if mark == _format_number(number, kind, most, decimal, is_missing=is_declared)
    }


def _is_shown_as_written(value_of: Mapping[str, Value], kind: str, most: int, decimal: str) -> bool:
    """Return whether each number, written in the way ``kind`` with ``most`` decimals, gives the text it stands for."""
    return all(_format_number(value, kind, most, decimal) == text for text, value in value_of.items())


def _format_number(value: Any, kind: str, most: int, decimal: str, *, is_missing: bool = False) -> str:
    """Return a number as text, with ``most`` decimals if ``kind`` is "fixed", else with only those that it needs.

    2.5 with ``most`` 2 gives "2.50" or "2.5". A number that means "missing" is written without decimals if it is whole:
    "-9" also among fixed decimals.
    """
    if is_missing and value == int(value):
        return str(int(value))
    if kind == "fixed":
        text = np.format_float_positional(value, precision=most, unique=False, trim="k" if most else "-")
    else:
        text = np.format_float_positional(value, trim="-")
    return text.replace(".", decimal)


def _missing_values(meta: Any, name: str) -> frozenset[Any]:
    """Return the values that a file calls missing in a column: single ones, letters, and the low end of each range."""
    spans = meta.missing_ranges.get(name, ())
    return frozenset((*(meta.missing_user_values.get(name) or ()), *(span["lo"] for span in spans)))


def read_with_pyreadstat(function: Any, data: bytes) -> tuple[Mapping[str, Sequence[Any]], Any]:
    """Return the values of each column and the metadata, as read by a function of pyreadstat from the file's bytes.

    Dates stay numbers, and values that were declared missing stay values. Bytes that the function cannot read raise its
    own errors.
    """
    parsed: tuple[Mapping[str, Sequence[Any]], Any] = function(
        io.BytesIO(data), output_format="dict", disable_datetime_conversion=True, user_missing=True
    )
    return parsed
