"""The classes ``Column`` and ``Table``, which are never changed in place, and the rules for numbers as text.

A text is a number when it is an optional minus, digits without a leading zero before another digit, and optionally the
decimal mark and digits, with at most 15 significant digits and no exponent. Everything else stays text, so that codes
and identifiers are kept as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import compress, count, repeat

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Floats, Ints, is_every_row
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.codebook import CodeLabel, list_codes_in_use
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS, scaled_floats, scaled_ints, text_floats
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.values import Names

# --- numbers ------------------------------------------------------------------------------

_PATTERNS = {mark: re.compile(rf"-?(?:0|[1-9][0-9]*)(?:{re.escape(mark)}[0-9]+)?", re.ASCII) for mark in (".", ",")}


def is_number(text: str, decimal: str = ".") -> bool:
    """Return whether a text is a plain number such as ``-12.50``, with at most 15 significant digits.

    ``decimal`` is the decimal mark, a point or comma, with digits on both sides. Texts with a leading zero before
    another digit, an exponent, a plus, blanks or a mark between thousands are no numbers. All digits are significant
    but zeros in front: "0.001" has one, "1000" four.
    """
    if _PATTERNS[decimal].fullmatch(text) is None:
        return False
    digits = text.lstrip("-").replace(decimal, "").lstrip("0")
    return len(digits) <= MOST_DIGITS


def to_decimal(text: str, decimal: str = ".") -> Decimal:
    """Return the exact value of a number text, in which ``decimal`` is the mark before the decimals."""
    return Decimal(text.replace(decimal, "."))


def to_exact_decimal(value: float) -> Decimal:
    """Return a float as a Decimal by its shortest text: 0.1 gives Decimal("0.1")."""
    return Decimal(repr(float(value)))


def decimals_of(text: str, decimal: str = ".") -> int:
    """Return how many digits stand behind the decimal mark of a number text; 0 without a mark."""
    _, mark, fraction = text.partition(decimal)
    return len(fraction) if mark else 0


@dataclass(frozen=True)
class NumberStyle:
    """How the numbers of a column are written: their decimal mark, their decimals and the step between them.

    Attributes
    ----------
    decimal
        Decimal mark.
    decimals
        Largest number of digits behind the mark that the column has, or that its declared step needs.
    step
        Every released number is a whole multiple of it.
    """

    decimal: str = "."
    decimals: int = 0
    step: Decimal = Decimal(1)

    @classmethod
    def seen_in(cls, texts: Iterable[str], decimal: str = ".", declared_step: float | None = None) -> NumberStyle:
        """Return the style of number texts, with as many decimals as the text that has most of them.

        Parameters
        ----------
        texts, decimal
            The texts, and the mark before their decimals.
        declared_step
            The step that the recipe declares; None takes one unit of the last decimal.
        """
        return cls.written(max((decimals_of(text, decimal) for text in texts), default=0), decimal, declared_step)

    @classmethod
    def written(cls, decimals: int, decimal: str = ".", declared_step: float | None = None) -> NumberStyle:
        """Return the style of numbers with ``decimals`` decimals, or with more where the declared step needs them.

        Parameters
        ----------
        decimals, decimal
            The number of decimals, and the mark before them.
        declared_step
            The step that the recipe declares; None takes one unit of the last decimal.
        """
        if declared_step is None:
            return cls(decimal, decimals, Decimal(1).scaleb(-decimals))
        step = Decimal(str(declared_step)).normalize()
        exponent = step.as_tuple().exponent
        assert isinstance(exponent, int)
        return cls(decimal, max(decimals, -exponent, 0), step)

    def fine_enough(self, numbers: Iterable[Decimal]) -> NumberStyle:
        """Return the style with as many decimals as the most precise number needs, never fewer than it has now.

        1.5 and 2.25 need two decimals; 1.50 needs one. Mark and step stay.
        """
        return replace(
            self, decimals=max([self.decimals, *(-int(number.normalize().as_tuple().exponent) for number in numbers)])
        )

    def text(self, value: Decimal | int) -> str:
        """Return an exact number as text with the style's decimal mark and number of decimals; zero gets no minus.

        2 becomes "2.00" with two decimals. Further decimals are rounded, halves to the even digit: 0.125 becomes
        "0.12", 0.135 "0.14".
        """
        written = f"{Decimal(value):.{self.decimals}f}"
        if written.lstrip("-").strip("0.") == "":
            written = written.lstrip("-")
        return written.replace(".", self.decimal)


def to_floats(texts: Iterable[str], decimal: str = ".") -> Floats:
    """Return number texts as 64-bit floats of shape (texts,), the nearest to each exact value."""
    return text_floats(texts if isinstance(texts, list | tuple) else list(texts), decimal)


# --- column -------------------------------------------------------------------------------

MISSING = -1
_BLOCK = 50_000


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: its distinct texts, and for each row a code, the index of the row's text among them.

    Attributes
    ----------
    name
        Name in recipe, screen and release (``Name#2`` for a repeated header).
    header
        The name that the source gives.
    codes
        int32, shape (rows,), each an index into ``texts``.
    texts
        Distinct texts exactly as read. Texts that no row uses any more may remain.
    missing_texts
        Which texts mean "missing"; a missing cell keeps its text.
    role, kind
        As in the recipe; ``role`` is None until it was decided.
    order
        The values of an ordinal column, lowest first, when declared.
    style
        How numbers are written; None unless ``kind`` is numeric.
    bounds
        Declared lowest and highest value, or None.
    not_negative
        Whether a person said that no value can lie below zero by its meaning (counts, ages, amounts).
    labels_ordered
        True when the column was cut into bins (``texts`` are labels).
    date_format
        How dates are written (``%d.%m.%Y``); None unless ``kind`` is date.
    hierarchy
        Ever broader texts for each value, where the recipe declares them.
    identifies
        ``person`` or ``household`` where the recipe says that this column, alone or with others, tells persons or
        households apart.
    label
        What the source says about the column besides its name, as files of statistics programs do; else empty.
    codebook
        The codes that occur in the source, in their order, with the labels that the source gives them. A cell whose
        code has a label holds the label, any other cell its code.
    is_weight
        Whether the source says that the column's numbers are weights of the rows.
    is_identifier
        Whether a data dictionary says that the column identifies people.
    """

    name: str
    header: str
    codes: Codes
    texts: tuple[str, ...]
    missing_texts: frozenset[str] = frozenset({""})
    role: str | None = None
    kind: str = "nominal"
    order: tuple[str, ...] | None = None
    style: NumberStyle | None = None
    bounds: tuple[float, float] | None = None
    not_negative: bool = False
    labels_ordered: bool = field(default=False)
    date_format: str | None = None
    hierarchy: Hierarchy | None = None
    identifies: str | None = None
    label: str = ""
    codebook: tuple[CodeLabel, ...] = ()
    is_weight: bool = False
    is_identifier: bool = False

    @classmethod
    def from_texts(cls, name: str, values: Iterable[str], **more: object) -> Column:
        """Return a column made of one text for each row, with the distinct texts in order of first appearance.

        ["b", "a", "b"] gives the texts ("b", "a") and the codes [0, 1, 0]. Without other fields the column is nominal
        and only the empty text is missing.

        Parameters
        ----------
        name
            Name of the column.
        values
            One text for each row.
        more
            Other fields of the column, such as ``kind``.
        """
        index: dict[str, int] = {}
        codes = np.fromiter((index.setdefault(value, len(index)) for value in values), dtype=np.int32)
        made = cls(name=name, header=name, codes=codes, texts=tuple(index))
        return replace(made, **more) if more else made  # type: ignore[arg-type]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    def codes_at(self, rows: AnyInts) -> AnyInts:
        """Return the codes of the rows with the given indices, shape (rows,), without reading the whole column."""
        return self.codes[rows]

    def text_at(self, row: int) -> str:
        """Return the text of one row."""
        return self.texts[int(self.codes[row])]

    @cached_property
    def missing(self) -> Bools:
        """Return which rows have no value, bool, shape (rows,): their text is one of ``missing_texts``."""
        flags = self._missing_of_text
        if not flags.any():
            return np.zeros(len(self.codes), dtype=np.bool_)
        return flags[self.codes]

    @cached_property
    def _missing_of_text(self) -> Bools:
        """Return which distinct texts mean "missing", bool, shape (texts,)."""
        if self.missing_texts.isdisjoint(self.texts):
            return np.zeros(len(self.texts), dtype=np.bool_)
        return np.array([text in self.missing_texts for text in self.texts], dtype=np.bool_)

    @cached_property
    def numbers(self) -> Floats:
        """Return each row's number, shape (rows,), NaN where missing; only for numeric columns."""
        return self._number_of_text[self.codes]

    @cached_property
    def _number_of_text(self) -> Floats:
        """Return the number of each distinct text of a numeric column, shape (texts,), NaN where missing.

        Also of texts that no row uses; ValueError is raised for one that is no number.
        """
        if "text_values" in self.__dict__:
            read = scaled_floats(self.text_values, self._decimals)
            if read is not None:
                read[self._missing_of_text] = np.nan
                return read
        numbers = np.full(len(self.texts), np.nan)
        numbers[~self._missing_of_text] = self._read_floats(self._known_texts)
        return numbers

    def counted_numbers(self) -> tuple[Floats, Ints]:
        """Return the different numbers, rising, and how many rows have each; only for numeric columns.

        Missing cells are left out.

        Returns
        -------
        float64 and int64, shape (different numbers,) each
            The numbers, and the number of rows with each.
        """
        return self._counted_numbers

    @cached_property
    def _counted_numbers(self) -> tuple[Floats, Ints]:
        """Return the different numbers, rising, and how many rows have each, shape (different numbers,) each.

        Texts such as "1.0" and "1.00" are one number. Missing cells, and texts that no row uses, are left out.
        """
        if not self.has_texts:
            values, counts = np.unique(self.numbers[~self.missing], return_counts=True)
            return values, counts.astype(np.int64)
        uses = np.bincount(self.codes, minlength=len(self.texts))
        there = np.flatnonzero((uses > 0) & ~self._missing_of_text)
        values, value_index = np.unique(self._number_of_text[there], return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, value_index.reshape(-1), uses[there])
        return values, counts

    def of_numbers(self, find: Callable[[Floats], Ints]) -> Ints:
        """Return what ``find`` gives for each row's number, shape (rows,).

        ``find`` takes an array of numbers, NaN where missing, and returns an array of the same length. It is called
        once, with the number of each distinct text (of each row, where texts are not written yet), so its result for a
        number must not depend on the others.
        """
        return find(self._number_of_text)[self.codes] if self.has_texts else find(self.numbers)

    def _read_floats(self, texts: Sequence[str]) -> Floats:
        """Return number texts with the column's decimal mark as floats, shape (texts,).

        They are read in blocks so that the work can be cancelled.
        """
        parts = []
        for start in range(0, len(texts), _BLOCK):
            progress.check()
            parts.append(to_floats(texts[start : start + _BLOCK], self._mark))
        return np.concatenate(parts) if parts else np.empty(0)

    @property
    def _mark(self) -> str:
        """The decimal mark of the column's numbers, a point where the column has no number style."""
        return self.style.decimal if self.style else "."

    @property
    def _decimals(self) -> int:
        """How many digits the column's numbers have behind the mark, 0 where the column has no number style."""
        return self.style.decimals if self.style else 0

    @property
    def _known_texts(self) -> Sequence[str]:
        """Return the distinct texts that do not mean "missing"."""
        gone = self._missing_of_text
        return list(compress(self.texts, (~gone).tolist())) if gone.any() else self.texts

    @cached_property
    def text_values(self) -> Ints:
        """Return the exact value of each distinct text in units of the column's last decimal, 0 where missing.

        With two decimals 1.5 gives 150. Read-only, shape (texts,); only for numeric columns.

        Raises
        ------
        ValueError
            When a text is no number, or has more decimals than the column's style.
        """
        integers = np.zeros(len(self.texts), dtype=np.int64)
        integers[~self._missing_of_text] = scaled_ints(self._known_texts, self._decimals, self._mark)
        integers.flags.writeable = False
        return integers

    @cached_property
    def scaled(self) -> Ints:
        """Return the exact value of each row in units of the column's last decimal, 0 where missing; shape (rows,).

        With two decimals 1.5 gives 150. Read-only. Only for numeric columns; ValueError is raised for a text that is
        no number or has more decimals than the column's style.
        """
        per_text = self.text_values
        scaled_numbers = per_text[self.codes] if len(per_text) else np.zeros(len(self.codes), dtype=np.int64)
        scaled_numbers.flags.writeable = False
        return scaled_numbers

    @property
    def has_texts(self) -> bool:
        """Whether the distinct texts exist already: True here; a column of computed numbers writes them on demand."""
        return True

    @cached_property
    def _categories(self) -> tuple[Codes, tuple[str, ...]]:
        """Return the category of each row, shape (rows,), -1 where missing, and the text of each category.

        In a numeric column equal numbers share a category (``5`` and ``5.0``), in every other column equal texts do.
        Categories are sorted by declared order, by number, else by text; the ranges of a column that was cut into bins
        keep their order, lowest first.
        """
        to_category, names = self._find_categories_of_texts()
        return to_category[self.codes] if len(self.texts) else self.codes.copy(), names

    @cached_property
    def text_counts(self) -> Ints:
        """Return how many rows have each distinct text, missing ones included, int64, shape (texts,), read-only."""
        counts = self._count_texts()
        counts.flags.writeable = False
        return counts

    def list_codes_in_use(self, least: int) -> tuple[CodeLabel, ...]:
        """Return the codebook's entries whose code or whose label stands in at least ``least`` cells, in its order.

        Cells with the code and cells with the label are not added up. Empty without a codebook.
        """
        if not self.codebook:
            return ()
        counts = dict(zip(self.texts, self.text_counts.tolist(), strict=True))
        return list_codes_in_use(self.codebook, counts, least)

    def _count_texts(self) -> Ints:
        """Return how many rows have each distinct text, shape (texts,)."""
        return np.bincount(self.codes, minlength=len(self.texts)).astype(np.int64, copy=False)

    def used_texts(self) -> Bools:
        """Return which distinct texts occur in some row, bool, shape (texts,)."""
        used = np.zeros(len(self.texts), dtype=np.bool_)
        used[self.codes] = True
        return used

    def _find_categories_of_texts(self) -> tuple[Codes, tuple[str, ...]]:
        """Return the category of each distinct text, shape (texts,), and the text of each category.

        - Missing and unused texts have the category -1.
        - Numbers are in rising order, and equal ones share a category, with the first of their texts: "2", "10", "1.0",
          "1" have the categories 1, 2, 0, 0.
        - Other texts are in the column's declared order, those that it lacks last and sorted by text; without a
          declared order all are sorted by text.
        - The ranges of a column that was cut into bins keep their order, lowest first.
        """
        filled_codes = np.flatnonzero(self.used_texts() & ~self._missing_of_text).tolist()
        to_category = np.full(len(self.texts), MISSING, dtype=np.int32)
        names: list[str] = []
        if self.kind == "numeric":
            filled_texts = [self.texts[i] for i in progress.each(filled_codes)]
            values = self._read_floats(filled_texts)
            distinct, inverse = np.unique(values, return_inverse=True)
            to_category[filled_codes] = inverse.astype(np.int32)
            names = [""] * len(distinct)
            for text, category in zip(progress.each(filled_texts), inverse.tolist(), strict=True):
                names[category] = names[category] or text
        else:
            if self.order and not self.labels_ordered:
                rank_of = {text: rank for rank, text in enumerate(self.order)}
                filled_codes.sort(key=lambda i: (rank_of.get(self.texts[i], len(rank_of)), self.texts[i]))
            elif not self.labels_ordered:
                filled_codes.sort(key=self.texts.__getitem__)
            to_category[filled_codes] = np.arange(len(filled_codes), dtype=np.int32)
            names = [self.texts[i] for i in progress.each(filled_codes)]
        progress.check()
        return to_category, tuple(names)

    @property
    def category_codes(self) -> Codes:
        """Return the category of each row, int32, -1 where missing; equal values have equal codes."""
        return self._categories[0]

    @cached_property
    def has_fractions(self) -> bool:
        """Return whether some number is no whole number; True also for columns that the source calls weights.

        The value counts and not its text: 1.00 is a whole number. Other columns that are not numeric have no fractions.
        """
        if self.kind != "numeric" or self.style is None or not self.style.decimals:
            return self.is_weight
        return self.is_weight or bool((self.counted_numbers()[0] % 1).any())

    @cached_property
    def category_counts(self) -> Ints:
        """Return how many records have each category, shape (categories,)."""
        return np.bincount(self.category_codes[self.category_codes >= 0], minlength=len(self.categories))

    @property
    def categories(self) -> tuple[str, ...]:
        """Return the text of each category that occurs, in category order."""
        return self._categories[1]

    def values(self) -> list[str]:
        """Return each row's text, missing cells included."""
        return [self.texts[code] for code in self.codes.tolist()]

    def with_values(self, rows: Ints, texts: Sequence[str]) -> Column:
        """Return the column with ``texts[i]`` in row ``rows[i]``; ``rows`` are indices, shape (changed,).

        Other rows stay. A new text is added to the column's distinct ``texts``; texts that no row uses any more stay in
        them.
        """
        index = {text: code for code, text in enumerate(self.texts)}
        new_codes = self.codes.copy()
        new_codes[rows] = [index.setdefault(text, len(index)) for text in texts]
        return replace(self, codes=new_codes, texts=tuple(index))

    def take(self, rows: Ints) -> Column:
        """Return the column with the rows of the given indices, shape (rows,), in this order.

        It is the same object if nothing changes. All its distinct texts stay, also those that no row uses any more.
        """
        if is_every_row(rows, len(self)):
            return self
        made = replace(self, codes=self.codes[rows])
        # What was found out about the texts is true of them still.
        made.__dict__.update({name: self.__dict__[name] for name in _OF_TEXTS if name in self.__dict__})
        return made


def assign_text_numbers(texts: Sequence[str], index: dict[str, int]) -> Ints:
    """Return the number that ``index`` gives to each text, shape (texts,), after adding the texts that it lacks.

    ["b", "a", "b"] with an empty index gives [0, 1, 0], and the index becomes {"b": 0, "a": 1}. ``index`` is changed:
    new texts get the next numbers in the order of their first occurrence.
    """
    if not index:
        index.update(zip(dict.fromkeys(texts), count()))
        if len(index) == len(texts):
            return np.arange(len(texts))
    numbers = np.fromiter(map(index.get, texts, repeat(-1)), dtype=np.int64, count=len(texts))
    unnumbered = np.flatnonzero(numbers < 0).tolist()
    new = dict.fromkeys(texts if len(unnumbered) == len(texts) else [texts[code] for code in unnumbered])
    index.update(zip(new, count(len(index))))
    numbers[unnumbered] = [index[texts[code]] for code in unnumbered]
    return numbers


_OF_TEXTS = ("_missing_of_text", "_number_of_text", "text_values")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, with each row's number in the source, its person and the privacy it asked for.

    Attributes
    ----------
    columns
        In file order.
    row_numbers
        The number that a spreadsheet program shows for each row of the source, int64, shape (rows,). Column names and
        rows that could not be read count.
    levels
        How much privacy each record asked for; None until it was worked out.
    people
        The person of each row, as the recipe says; None where it says nothing, so that every row is a person.
    rules
        The rules that the recipe declares for the values; `table.rules` adds the rules found in the data.
    delimiter
        What separates the columns of a released text file: a comma or a semicolon, like the source.
    """

    columns: tuple[Column, ...]
    row_numbers: Ints
    levels: RecordLevels | None = None
    people: People | None = None
    rules: tuple[ValueRuleSection, ...] = ()
    delimiter: str = ","

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self.row_numbers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the column names in file order."""
        return tuple(column.name for column in self.columns)

    def __contains__(self, name: object) -> bool:
        """Return whether a column of this name exists."""
        return name in self.names

    def column(self, name: str) -> Column:
        """Return a column by name.

        Raises
        ------
        RecipeError
            When the table has no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise RecipeError("error.recipe.no-such-column", column=name, args={"columns": Names.of(self.names)})

    def with_role(self, *roles: str) -> tuple[Column, ...]:
        """Return the columns that have one of these roles, in file order."""
        return tuple(column for column in self.columns if column.role in roles)

    def replacing(self, *new: Column) -> Table:
        """Return the table in which the given columns take the place of those with the same names.

        The other columns are shared. A column whose name the table lacks is ignored.
        """
        by_name = {column.name: column for column in new}
        columns = tuple(by_name.get(column.name, column) for column in self.columns)
        return replace(self, columns=columns)

    def without_role(self, *roles: str) -> Table:
        """Return the table without the columns that have one of these roles; itself if there are none."""
        kept = tuple(column for column in self.columns if column.role not in roles)
        return self if len(kept) == len(self.columns) else replace(self, columns=kept)

    @property
    def several(self) -> People | None:
        """The person of each row, if some person has several rows; else None, also where the recipe names no people."""
        return self.people if self.people is not None and self.people.with_several else None

    @cached_property
    def persons(self) -> People:
        """Return the person of each row; if no person has several rows, every row is a person of its own."""
        return self.several or People.identity(self.rows)

    def with_levels(self, levels: RecordLevels) -> Table:
        """Return the table with the privacy that each record asked for."""
        return replace(self, levels=levels)

    def with_people(self, people: People | None) -> Table:
        """Return the table with another assignment of rows to people."""
        return replace(self, people=people)

    def mapped(self, change: Callable[[Column], Column]) -> Table:
        """Return the table in which every column is replaced by what ``change`` returns for it."""
        return replace(self, columns=tuple(change(column) for column in self.columns))

    def take(self, rows: Ints) -> Table:
        """Return the table with the rows of the given indices, shape (rows,), in this order; itself if nothing changes.

        Row numbers, privacy levels and people of these rows are taken along; the rules stay.
        """
        if is_every_row(rows, self.rows):
            return self
        levels = self.levels.take(rows) if self.levels is not None else None
        columns = tuple(column.take(rows) for column in self.columns)
        people = self.people.take(rows) if self.people is not None else None
        return replace(self, columns=columns, row_numbers=self.row_numbers[rows], levels=levels, people=people)
