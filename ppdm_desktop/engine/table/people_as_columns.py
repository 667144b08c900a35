"""Finding columns that stand for one person each, as in a table of the pay of every employee by month."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import name_words
from ppdm_desktop.engine.table.full_names import given_name
from ppdm_desktop.engine.table.kinds import present_texts

LEAST_COLUMNS = 10
LIKE_MEDIANS = 3.0
"""Medians of columns that stand for people are at most so many times as large as each other."""
LEAST_HEADERS, LEAST_DIFFERENT = 5, 3
"""So many headers are names of people, of so many given names and as many further words."""
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_YEAR = r"(?:19|20)\d\d"
_PART = r"(?:[QHWT]?\d{1,2}|[^\W\d]{3,10})"
_PERIOD = re.compile(rf"{_YEAR}(?:0[1-9]|1[0-2]|[QHWT]\d{{1,2}}|[-/. ]{_PART})?|{_PART}[-/. ]{_YEAR}")


def headers_like_names(headers: Iterable[str]) -> tuple[str, ...]:
    """Return the column headers that look like full names of people, in their order; none unless at least five do.

    ``Anna Müller``, ``anna_mueller`` and ``AnnaMueller`` look like names. There must be three different given names and
    three different other parts, so that ``jan_sales``, ``april_sales`` and so on, which share a word, are no names.
    """
    names: dict[str, tuple[str, frozenset[str]]] = {}
    for header in headers:
        text = _CAMEL.sub(" ", header.replace("_", " ").strip())
        given = given_name(text.title() if text == text.lower() else text)
        if given is not None:
            names[header] = (given, frozenset(name_words(text)) - {given})
    different = (len({given for given, _ in names.values()}), len({rest for _, rest in names.values()}))
    return tuple(names) if len(names) >= LEAST_HEADERS and min(different) >= LEAST_DIFFERENT else ()


def columns_like_people(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """Return the numeric columns that may each hold one person's values; empty where nothing suggests it.

    There must be at least ten. They have equally many decimals and positive medians of which none is more than three
    times another, no word occurs in half or more of their names, and some column of the table holds dates or periods.
    Columns of periods, and those named as a year, are left out. Of several groups of such columns the largest is
    returned, in the order of ``names``.

    Parameters
    ----------
    table
        The source as read.
    names
        Names of the columns that may be released; the dates or periods may be in any column.
    """
    if sum(table.column(name).kind == "numeric" for name in names) < LEAST_COLUMNS:
        return ()
    periods = _find_period_columns(table)
    if not periods:
        return ()
    by_decimals: dict[int, list[Column]] = defaultdict(list)
    for name in names:
        column = table.column(name)
        if column.kind == "numeric" and name not in periods and not re.fullmatch(_YEAR, name):
            by_decimals[0 if column.style is None else column.style.decimals].append(column)
    groups = [columns for columns in by_decimals.values() if len(columns) >= LEAST_COLUMNS]
    largest = max((_find_like_medians(columns) for columns in groups), key=len, default=[])
    return tuple(name for name in names if name in largest) if _are_apart(largest) else ()


def _find_period_columns(table: Table) -> set[str]:
    """Return the names of the columns that hold dates, or periods such as years, months and quarters.

    A numeric column of periods (2020 or 202001) counts only where it is the only one: two columns with numbers such as
    1950 are no years.
    """
    holding = [column for column in progress.each(table.columns) if _holds_periods(column)]
    # Of several columns of numbers between 1900 and 2099 none is the year.
    years = [column.name for column in holding if column.kind == "numeric"]
    return {column.name for column in holding if column.kind != "numeric" or len(years) == 1}


def _find_like_medians(columns: Sequence[Column]) -> list[str]:
    """Return the largest group of columns whose positive medians differ at most threefold, as names by rising median.

    Of medians 1, 10, 20, 25 and 90 the columns with 10, 20 and 25 are returned; of groups of the same size the one with
    the lowest medians. Empty where no median is positive.
    """
    medians = np.array([_compute_median(column) for column in progress.each(columns)])
    order = np.argsort(medians, kind="stable")[np.count_nonzero(medians <= 0) :]
    if not len(order):
        return []
    ends = np.searchsorted(medians[order], LIKE_MEDIANS * medians[order], side="right")
    sizes = ends - np.arange(len(order))
    first = int(np.argmax(sizes))
    return [columns[index].name for index in order[first : first + sizes[first]]]


def _compute_median(column: Column) -> float:
    """Return the median of a numeric column; 0 where all cells are missing."""
    return 0.0 if column.missing.all() else float(np.nanmedian(column.numbers))


def _are_apart(headers: Sequence[str]) -> bool:
    """Return whether there are at least ten headers, and no word occurs in half of them or more.

    Digits at the end of a word do not count: "shop1" and "shop2" share a word.
    """
    word_counts = Counter(
        word for header in headers for word in {word.rstrip("0123456789") or word for word in name_words(header)}
    )
    return len(headers) >= LEAST_COLUMNS and max(word_counts.values(), default=0) < len(headers) / 2


def _holds_periods(column: Column) -> bool:
    """Return whether a column has dates, or two or more different values that are all years, months, quarters or weeks.

    Years are 1900 to 2099; 202001, 2020-Q1, 2020H1 and "Jan 2020" are periods, too. Missing cells do not count.
    """
    if column.kind == "date":
        return True
    texts = present_texts(column)
    return len(texts) > 1 and all(_PERIOD.fullmatch(text.strip()) for text in texts)
