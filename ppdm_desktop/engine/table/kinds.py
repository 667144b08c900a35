"""Kinds by proof: a column is numbers or dates only when every value is one.

``guess_kind`` looks at all distinct values of a column; ``apply_columns`` puts what the
recipe says on the columns and refuses what the values do not bear out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table, decimals_of, is_number, to_decimal, to_floats
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.wording.texts import kind_words, kinds_words
from ppdm_desktop.engine.wording.values import Names, Quoted, Term, Terms

_MANY = 65536
_WORDS_OF_TEXT = 3
_MOSTLY_DISTINCT = 0.5
_LEAST_ROWS = 20
"""Rows from which two whole numbers are codes, such as 0 and 1 for no and yes: of two rows they tell nothing."""
# The pattern of numbers.is_number for a line each, without a way back (the "+" after "*", "+"
# and "?"), which makes it several times faster; the digits are counted apart.
_LINES = {mark: re.compile(rf"(?:-?+(?:0|[1-9][0-9]*+)(?:{re.escape(mark)}[0-9]++)?+\n)*+", re.ASCII) for mark in ".,"}
_SAFE_LENGTH = 15
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf|infinity|1\.#inf|1\.#ind|∞)", re.IGNORECASE)
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}[.,][0-9]{3}")


REASONS = {
    "numeric": "reason.kind.numbers",
    "date": "reason.kind.dates",
    "text": "reason.kind.free-text",
    "ordinal": "reason.kind.ranks",
}
"""Why a column is guessed to be of a kind, where there is one reason only."""


@dataclass(frozen=True)
class KindGuess:
    """What a column was taken for.

    Attributes
    ----------
    kind, style
        As on the column.
    reason
        Text id, ``reason.kind.<why>``.
    warning
        Text id of a doubt the user must settle, or None.
    """

    kind: str
    reason: str
    style: NumberStyle | None = None
    warning: str | None = None


def present_texts(column: Column) -> list[str]:
    """Return the distinct texts that occur in some row and are not missing, in the order of ``column.texts``."""
    used = column.used_texts()
    if used.all():
        present = list(column.texts)
    else:
        present = [column.texts[i] for i in np.flatnonzero(used).tolist()]
    if column.missing_texts.isdisjoint(present):
        return present
    return [text for text in present if text not in column.missing_texts]


def number_decimals(texts: Sequence[str], decimal: str) -> int | None:
    """Return the largest number of decimals if every text is a number, else None.

    The same rule as ``is_number``, for a million texts at a time. It is None, too, for no texts.
    """
    if not texts or not all(is_number(text, decimal) for text in texts[:2]):
        return None
    most = 0
    for start in range(0, len(texts), _MANY):
        progress.check()
        part = texts[start : start + _MANY]
        joined = "\n".join(part) + "\n"
        if joined.count("\n") != len(part) or _LINES[decimal].fullmatch(joined) is None:
            return None
        if max(map(len, part)) > _SAFE_LENGTH and not all(is_number(text, decimal) for text in part):
            return None
        if decimal in joined:
            while re.search(rf"{re.escape(decimal)}[0-9]{{{most + 1}}}", joined) is not None:
                most += 1
    return most


def all_numbers(texts: Sequence[str], decimal: str) -> bool:
    """Return whether there are texts and every one is a number that reads and writes back unchanged."""
    return number_decimals(texts, decimal) is not None


def is_grouped(text: str) -> bool:
    """Return whether the mark of a number text may as well group thousands: one to three digits, mark, three digits."""
    return _THOUSANDS.fullmatch(text) is not None


def guess_decimal(columns: Iterable[Column]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Guess the decimal mark of a file from all its columns.

    Columns of whole numbers have no vote; where votes are equal it is the point.

    Returns
    -------
    The mark, and doubts as (text id, arguments): columns whose only marks could as well
    group thousands, and columns that need the other mark.
    """
    votes: dict[str, list[str]] = {".": [], ",": []}
    unsure: list[str] = []
    for column in columns:
        progress.check()
        texts = present_texts(column)
        if all_numbers(texts[:1], ".") and "." not in (joined := "".join(texts)) and "," not in joined:
            continue  # whole numbers, or no numbers: no vote
        for mark, names in votes.items():
            if number_decimals(texts, mark):
                progress.check()
                if all(map(is_grouped, (text for text in texts if mark in text))):
                    unsure.append(column.name)
                names.append(column.name)
    decimal = "," if len(votes[","]) > len(votes["."]) else "."
    doubts: list[tuple[str, dict[str, Any]]] = []
    against = votes["." if decimal == "," else ","]
    if against:
        doubts.append(("warning.read.decimal-mixed", {"decimal": Quoted(decimal), "columns": Names.of(against)}))
    if unsure:
        doubts.append(("warning.read.decimal-ambiguous", {"decimal": Quoted(decimal), "columns": Names.of(unsure)}))
    return decimal, doubts


def guess_kind(column: Column, decimal: str = ".") -> KindGuess:
    """Return a column's kind as guessed from all its distinct values.

    Dates of which day and month may be swapped are nominal, with a warning. So are two different whole numbers in a
    column of 20 filled cells or more, and a column in which every cell is missing.
    """
    texts = present_texts(column)
    if not texts:
        return KindGuess("nominal", "reason.kind.empty")
    decimals = number_decimals(texts, decimal)
    if decimals == 0 and len(texts) == 2 and np.count_nonzero(~column.missing) >= _LEAST_ROWS:
        return KindGuess("nominal", "reason.kind.two-numbers")
    if decimals is not None:
        return KindGuess("numeric", REASONS["numeric"], NumberStyle.written(decimals, decimal))
    dates = guess_date_format(texts)
    if dates.format is not None:
        return KindGuess("date", REASONS["date"])
    if dates.doubt is not None:
        return KindGuess("nominal", "reason.kind.dates-undecided", warning=dates.doubt)
    if _is_free_text(column, texts):
        return KindGuess("text", REASONS["text"])
    return KindGuess("nominal", "reason.kind.texts")


def average_word_count(texts: Sequence[str]) -> float:
    """Return the mean number of words in some texts; 0 without texts."""
    progress.check()
    return len(" ".join(texts).split()) / len(texts) if texts else 0.0


def _is_free_text(column: Column, texts: Sequence[str]) -> bool:
    """Return whether different texts are more than half as many as filled cells, with three words on average."""
    filled = int(np.count_nonzero(~column.missing))
    return len(texts) > _MOSTLY_DISTINCT * filled and average_word_count(texts) >= _WORDS_OF_TEXT


# --- what the recipe says ---------------------------------------------------------------


def apply_columns(table: Table, columns: Mapping[str, ColumnSection], decimal: str = ".") -> Table:
    """Return the table with the roles, kinds, orders, bounds and steps that the recipe declares.

    Columns that a section speaks for are checked against their values.

    Parameters
    ----------
    columns
        The recipe's ``[columns]``; ``"*"`` speaks for every column it does not name. A
        column nobody speaks for keeps its guessed kind and has no role.
    decimal
        The file's decimal mark.

    Raises
    ------
    RecipeError
        When a named column does not exist, or order or format do not fit.
    InputError
        When a column's values are not of the kind the recipe gives it; names the first row.
    """
    for name in columns:
        if name != "*" and name not in table:
            raise RecipeError("error.recipe.no-such-column", column=name, args={"columns": Names.of(table.names)})
    rest = columns.get("*")
    changed = []
    for index, column in enumerate(table.columns):
        progress.report(index / len(table.columns), "progress.read.kinds")
        section = columns.get(column.name, rest)
        if section is not None:
            changed.append(_apply_section(column, section, decimal, table))
    return table.replacing(*changed)


def _apply_section(column: Column, section: ColumnSection, decimal: str, table: Table) -> Column:
    """Return a column with the role and kind of its recipe section; refuse values that are not of that kind.

    An identifier or a left-out column without a declared kind only gets its role. Raises RecipeError for keys that do
    not fit the kind, InputError for the values.
    """
    if section.role in ("identifier", "left-out") and section.kind is None:
        return replace(column, role=section.role)
    kind = section.kind or ("ordinal" if section.order is not None else column.kind)
    _check_keys(column, section, kind)
    plain = replace(column, order=None, style=None, bounds=None, not_negative=False, date_format=None)
    base = replace(plain, role=section.role, kind=kind)
    if kind == "numeric":
        return _to_numeric(base, section, decimal, table)
    if kind == "ordinal":
        return _to_ordinal(base, section.order or column.order, decimal)
    if kind == "date":
        return _to_dates(base, section, table)
    return base


def _check_keys(column: Column, section: ColumnSection, kind: str) -> None:
    """Raise RecipeError for a key of a column's section that has no meaning for its kind."""
    fitting = {"order": ("ordinal",), "format": ("date",), "bounds": ("numeric",), "step": ("numeric",)}
    fitting["bins"] = fitting["not_negative"] = ("numeric",)
    for key, kinds in fitting.items():
        if getattr(section, key) is not None and kind not in kinds:
            raise RecipeError(
                "error.columns.key-without-kind",
                column=column.name,
                args={"key": Term(key), "kind": kind_words(kind), "wanted": kinds_words(kinds)},
            )


def list_rows_with_texts(column: Column, texts: Iterable[str], table: Table) -> list[int]:
    """Return the source's row numbers, in table order, of the rows that have one of these texts."""
    wanted = frozenset(texts)
    flags = np.array([text in wanted for text in column.texts], dtype=np.bool_)
    return [int(row) for row in table.row_numbers[flags[column.codes]]]


def _to_numeric(column: Column, section: ColumnSection, decimal: str, table: Table) -> Column:
    """Return a column as numeric, with number style and bounds.

    Raises InputError, with the first row, for values that are no numbers, not finite, outside the bounds, or below zero
    where that is declared impossible.
    """
    texts = present_texts(column)
    decimals = number_decimals(texts, decimal)
    if decimals is None:
        unfit = [text for text in progress.each(texts) if not is_number(text, decimal)]
        infinite = [text for text in unfit if _NOT_FINITE.fullmatch(text.strip())]
        if infinite:
            rows = list_rows_with_texts(column, infinite, table)
            raise InputError(
                "error.columns.not-finite",
                column=column.name,
                row=rows[0],
                args={"rows": Terms(tuple(map(str, rows))), "count": len(rows)},
            )
        if unfit:
            raise _make_unfit_error("error.columns.not-numeric", column, unfit, table, decimal=Quoted(decimal))
    progress.check()
    if decimals is None:
        style = NumberStyle.seen_in(texts, decimal, section.step)
    else:
        style = NumberStyle.written(decimals, decimal, section.step)
    bounds = None
    if section.bounds is not None:
        bounds = (float(section.bounds[0]), float(section.bounds[1]))
        low, high = (to_decimal(str(edge)) for edge in section.bounds)
        # A float tells but at the bounds themselves: rounding to the nearest keeps the order.
        rounded = to_floats(texts, decimal)
        progress.check()
        near = np.flatnonzero((rounded <= bounds[0]) | (rounded >= bounds[1])).tolist()
        doubtful = [texts[code] for code in near]
        outside = [text for text in progress.each(doubtful) if not low <= to_decimal(text, decimal) <= high]
        if outside:
            rows = list_rows_with_texts(column, outside, table)
            raise InputError(
                "error.columns.outside-bounds",
                column=column.name,
                row=rows[0],
                args={"low": Term(str(low)), "high": Term(str(high)), "count": len(rows)},
            )
    if section.not_negative:
        _refuse_negative(column, texts, decimal, table)
    return replace(column, style=style, bounds=bounds, not_negative=bool(section.not_negative))


def _refuse_negative(column: Column, texts: Sequence[str], decimal: str, table: Table) -> None:
    """Refuse values below zero in a column that is said never to go below it.

    Raises
    ------
    InputError
        With the first row and how many there are.
    """
    negative = np.flatnonzero(to_floats(texts, decimal) < 0).tolist()
    progress.check()
    if negative:
        rows = list_rows_with_texts(column, [texts[code] for code in negative], table)
        raise InputError("error.columns.below-zero", column=column.name, row=rows[0], args={"count": len(rows)})


def _make_unfit_error(id: str, column: Column, texts: Sequence[str], table: Table, **more: Quoted) -> InputError:
    """Return the error for texts that do not fit a kind.

    It names the first row that has one of them, its value, and the number of such rows.
    """
    rows = list_rows_with_texts(column, texts, table)
    first = int(np.flatnonzero(table.row_numbers == rows[0])[0])
    value = column.texts[column.codes[first]]
    return InputError(id, column=column.name, row=rows[0], args={"value": Quoted(value), "count": len(rows), **more})


def _to_ordinal(column: Column, declared: Sequence[str] | None, decimal: str) -> Column:
    """Return a column as ordinal, with the declared order or, if all values are numbers, that of the numbers.

    Raises RecipeError where the order is neither declared nor that of numbers, or lacks a value that occurs.
    """
    texts = present_texts(column)
    if declared is None:
        if not all_numbers(texts, decimal) and texts:
            raise RecipeError("error.columns.order-missing", column=column.name)
        ranked = sorted(texts, key=lambda text: (to_decimal(text, decimal), decimals_of(text, decimal)))
        return replace(column, order=tuple(ranked))
    unnamed = sorted(set(texts) - set(declared))
    if unnamed:
        raise RecipeError("error.columns.order-incomplete", column=column.name, args={"values": Names.of(unnamed)})
    return replace(column, order=tuple(declared))


def _to_dates(column: Column, section: ColumnSection, table: Table) -> Column:
    """Return a column as dates, with the declared or guessed format and the dates as its order.

    A column without a value keeps no order and, unless it is declared, no format. Raises RecipeError for a declared
    format that is none, InputError where no single format can be guessed or a value is no date in it.
    """
    texts = present_texts(column)
    if section.format is not None:
        form = DateFormat.parse(section.format)
        if form is None:
            raise RecipeError("error.columns.date-format", column=column.name, args={"format": Quoted(section.format)})
    else:
        guess = guess_date_format(texts)
        if guess.format is None and texts:
            id = "error.columns.date-undecided" if guess.doubt else "error.columns.not-dates"
            raise InputError(id, column=column.name)
        form = guess.format
    if form is None:
        return column
    moments = {text: form.read(text) for text in texts}
    unfit = [text for text, moment in moments.items() if moment is None]
    if unfit:
        raise _make_unfit_error("error.columns.not-date", column, unfit, table, format=Quoted(form.pattern))
    ranked = sorted(texts, key=lambda text: (moments[text], text))
    return replace(column, order=tuple(ranked), date_format=form.pattern)
