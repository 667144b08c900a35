"""Finding the kind of each column, and giving the columns what the recipe declares.

A column is guessed to be numbers or dates only when every value is one. The recipe's declarations are refused where the
values contradict them.
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
from ppdm_desktop.engine.wording.texts import describe_kind, describe_kinds
from ppdm_desktop.engine.wording.values import Names, Quoted, Term, Terms, Value

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
    """The kind that a column was guessed to have.

    Attributes
    ----------
    kind, style
        The kind, and for a numeric column how its numbers are written.
    reason
        Id of the message that says why, ``reason.kind.<why>``.
    warning
        Id of the message about a doubt that the user must settle, or None.
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
    """Return the largest number of decimals among the texts if every text is a plain number, else None.

    ["1", "2.50"] gives 2, ["1", "2"] gives 0. None, too, without texts. ``decimal`` is the decimal mark. A plain
    number, as ``is_number`` defines it, has no exponent, no zero before another digit and at most 15 significant
    digits.
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
    """Return whether there is a text and every text is a plain number as ``is_number`` defines it."""
    return number_decimals(texts, decimal) is not None


def is_grouped(text: str) -> bool:
    """Return whether the mark in a number text may group thousands, as in ``12.345``: 1 to 3 digits, mark, 3 digits."""
    return _THOUSANDS.fullmatch(text) is not None


def guess_decimal(columns: Iterable[Column]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Return the decimal mark that a file's columns suggest, and warnings about it.

    Each column of numbers with decimals votes for its mark; where votes are equal, or there are none, it is the point.

    Returns
    -------
    The mark, and the warnings as pairs of message id and arguments: first one for columns that need the other mark,
    then one for columns whose marks could as well group thousands (1.234).
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
    warnings: list[tuple[str, dict[str, Any]]] = []
    against = votes["." if decimal == "," else ","]
    if against:
        warnings.append(("warning.read.decimal-mixed", {"decimal": Quoted(decimal), "columns": Names.of(against)}))
    if unsure:
        warnings.append(("warning.read.decimal-ambiguous", {"decimal": Quoted(decimal), "columns": Names.of(unsure)}))
    return decimal, warnings


def guess_kind(column: Column, decimal: str = ".") -> KindGuess:
    """Return the kind of a column as guessed from all its distinct values, with the reason.

    With a numeric kind comes how the numbers are written.

    It is numeric if all values are plain numbers, date if one date format fits them all, text if they have at least
    three words on average and more than half of the filled cells differ, else nominal. It is nominal in these cases,
    too:

    - its values are dates whose day and month may be swapped, or whose years have two digits (with a warning);
    - it has exactly two different values, both whole numbers, in 20 or more filled cells;
    - every cell is missing.
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
    if dates.warning is not None:
        return KindGuess("nominal", "reason.kind.dates-undecided", warning=dates.warning)
    if _is_free_text(column, texts):
        return KindGuess("text", REASONS["text"])
    return KindGuess("nominal", "reason.kind.texts")


def average_word_count(texts: Sequence[str]) -> float:
    """Return the mean number of words in a text; 0 without texts."""
    progress.check()
    return len(" ".join(texts).split()) / len(texts) if texts else 0.0


def _is_free_text(column: Column, texts: Sequence[str]) -> bool:
    """Return whether a column's different ``texts`` look like free text.

    They have at least three words on average, and are more than half as many as the filled cells.
    """
    filled = int(np.count_nonzero(~column.missing))
    return len(texts) > _MOSTLY_DISTINCT * filled and average_word_count(texts) >= _WORDS_OF_TEXT


# --- what the recipe says ---------------------------------------------------------------


def apply_columns(table: Table, columns: Mapping[str, ColumnSection], decimal: str = ".") -> Table:
    """Return the table with the roles, kinds, orders, bounds and steps that the recipe declares.

    The values of each column with an entry in the recipe are checked against it, except those of an identifier or
    left-out column without a declared kind, which only gets its role.

    Parameters
    ----------
    columns
        The recipe's entries ``[columns]`` by column name; the entry ``"*"`` applies to columns without their own. A
        column without any entry keeps its guessed kind and has no role.
    decimal
        The file's decimal mark.

    Raises
    ------
    RecipeError
        When a named column does not exist, an entry has a key that means nothing for the kind, the declared order or
        date format does not fit, or an ordinal column of words has no order.
    InputError
        When a column's values are not of the declared kind, or no single date format can be guessed; the error names
        the first row that does not fit, where there is one.
    """
    for name in columns:
        if name != "*" and name not in table:
            raise RecipeError("error.recipe.no-such-column", column=name, args={"columns": Names.of(table.names)})
    rest = columns.get("*")
    changed = []
    for index, column in enumerate(table.columns):
        progress.report(index / len(table.columns), "doing.read")
        section = columns.get(column.name, rest)
        if section is not None:
            changed.append(_apply_section(column, section, decimal, table))
    return table.replacing(*changed)


def _apply_section(column: Column, section: ColumnSection, decimal: str, table: Table) -> Column:
    """Return a column with the role, kind and other properties of its recipe entry, after checking its values.

    The kind is the declared one, ordinal if only an order is declared, else that of the column. An earlier number
    style, date format, order or bounds are dropped, except the order of an ordinal column whose entry declares none.

    An identifier or a left-out column without a declared kind only gets its role. Raises RecipeError for keys that do
    not fit the kind and for an order or a date format that is missing or does not fit, InputError for values that are
    not of the kind or outside their bounds.
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
    """Raise RecipeError when a recipe entry has a key that means nothing for the kind, such as bounds for text."""
    fitting = {"order": ("ordinal",), "format": ("date",), "bounds": ("numeric",), "step": ("numeric",)}
    fitting["bins"] = fitting["not_negative"] = ("numeric",)
    for key, kinds in fitting.items():
        if getattr(section, key) is not None and kind not in kinds:
            raise RecipeError(
                "error.columns.key-without-kind",
                column=column.name,
                args={"key": Term(key), "kind": describe_kind(kind), "wanted": describe_kinds(kinds)},
            )


def list_rows_with_texts(column: Column, texts: Iterable[str], table: Table) -> list[int]:
    """Return the source's row numbers, in table order, of the rows whose cell has one of the given texts."""
    wanted = frozenset(texts)
    flags = np.array([text in wanted for text in column.texts], dtype=np.bool_)
    return [int(row) for row in table.row_numbers[flags[column.codes]]]


def _to_numeric(column: Column, section: ColumnSection, decimal: str, table: Table) -> Column:
    """Return a column as numeric, with the number style, the bounds and the step of its recipe entry.

    Raises InputError, naming the first row, for values that are no numbers, not finite, outside the bounds, or below
    zero where the entry declares this impossible.
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
            raise make_unfit_error("error.columns.not-numeric", column, unfit, table, decimal=Quoted(decimal))
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
        uncertain = [texts[code] for code in near]
        outside = [text for text in progress.each(uncertain) if not low <= to_decimal(text, decimal) <= high]
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
    """Raise InputError when a column declared never to be below zero has a negative value.

    Raises
    ------
    InputError
        With the first row and the number of such rows.
    """
    negative = np.flatnonzero(to_floats(texts, decimal) < 0).tolist()
    progress.check()
    if negative:
        rows = list_rows_with_texts(column, [texts[code] for code in negative], table)
        raise InputError("error.columns.below-zero", column=column.name, row=rows[0], args={"count": len(rows)})


def make_unfit_error(id: str, column: Column, texts: Sequence[str], table: Table, **more: Value) -> InputError:
    """Return the error that some texts do not fit the declared kind of a column.

    It names the first row with one of these texts, its value, and the number of such rows. ``id`` is the message's id,
    and ``more`` are further values to fill in.
    """
    rows = list_rows_with_texts(column, texts, table)
    first = int(np.flatnonzero(table.row_numbers == rows[0])[0])
    value = column.texts[column.codes[first]]
    arguments: dict[str, Value] = {"value": Quoted(value), "count": len(rows), **more}
    return InputError(id, column=column.name, row=rows[0], args=arguments)


def _to_ordinal(column: Column, declared: Sequence[str] | None, decimal: str) -> Column:
    """Return a column as ordinal, with the declared order or, without one, with its numbers in rising order.

    "2" comes before "10", and of equal numbers the one with fewer decimals first: "1", "1.0". The declared order may
    name values that do not occur. Raises RecipeError where no order is declared and some value is no number, or where
    the order lacks a value that occurs.
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
    """Return a column as dates, with the declared or guessed date format, and with the dates in order of time.

    A column without values gets no order and, unless it is declared, no format. Raises RecipeError for a declared
    format that is not valid, InputError where no single format can be guessed or a value is no date in it.
    """
    texts = present_texts(column)
    if section.format is not None:
        form = DateFormat.parse(section.format)
        if form is None:
            raise RecipeError("error.columns.date-format", column=column.name, args={"format": Quoted(section.format)})
    else:
        guess = guess_date_format(texts)
        if guess.format is None and texts:
            id = "error.columns.date-undecided" if guess.warning else "error.columns.not-dates"
            raise InputError(id, column=column.name)
        form = guess.format
    if form is None:
        return column
    moments = {text: form.read(text) for text in texts}
    unfit = [text for text, moment in moments.items() if moment is None]
    if unfit:
        raise make_unfit_error("error.columns.not-date", column, unfit, table, format=Quoted(form.pattern))
    ranked = sorted(texts, key=lambda text: (moments[text], text))
    return replace(column, order=tuple(ranked), date_format=form.pattern)
