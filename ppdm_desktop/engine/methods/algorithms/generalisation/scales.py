"""The order in which a column's values are cut: each value's rank, its position, and its nodes in a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat


@dataclass(frozen=True, eq=False)
class Scale:
    """One column's values in the order in which they are cut.

    Numbers and dates are ordered by value, ordered categories by rank, values with a hierarchy in its order, other
    names by frequency (the most frequent first, ties by text). Missing counts as a value, before all others.

    Attributes
    ----------
    column
        The column.
    ranks
        int64, shape (rows,): rank of each row's value in this order, -1 where missing.
    texts
        The value's text at each rank, shape (m,).
    places
        float64, shape (m + 1,): position of missing (0) and then of each rank, by which the width of a range is
        measured; the first and the last rank are 1 apart.
    ancestors
        For a column with a hierarchy, int64, shape (levels + 1, m + 1): number of each value's node at each level, in
        the order of ranks. Entry 0 is missing, which joins the other values at the top only. None without a hierarchy.
    """

    column: Column
    ranks: Ints
    texts: tuple[str, ...]
    places: Floats
    ancestors: Ints | None = None

    @property
    def codes(self) -> Ints:
        """The ranks plus 1, so that missing is 0; int64, shape (rows,)."""
        return self.ranks + 1

    @property
    def is_ordered(self) -> bool:
        """Whether neighbouring ranks are neighbours in meaning, so that a range of them can be shown."""
        return self.column.kind in ("numeric", "ordinal", "date") and self.ancestors is None


def scale_of(column: Column) -> Scale:
    """Return the order of a numeric, ordinal, nominal or date column.

    If the column's hierarchy has all its values, they are in the order of the hierarchy. Otherwise, unordered names are
    ranked by frequency, the most frequent first, ties by text; all other values are in their order, the lowest first.
    """
    codes, names = column.category_codes.astype(np.int64), column.categories
    if column.hierarchy is not None and all(name in column.hierarchy.generalised for name in names):
        return _make_hierarchy_scale(column, codes, names)
    if column.kind in ("nominal", "text"):
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        order = np.argsort(-counts, kind="stable")  # categories are sorted by text: ties stay so
        return _make_ranked_scale(column, codes, names, order, np.arange(len(names), dtype=np.float64))
    order = np.arange(len(names))
    return _make_ranked_scale(column, codes, names, order, _to_rising_numbers(column, names))


def _make_ranked_scale(column: Column, codes: Ints, names: tuple[str, ...], order: Ints, values: Floats) -> Scale:
    """Return the scale of a column whose categories have a given order.

    Parameters
    ----------
    codes
        Category of each row, -1 where missing.
    names
        Texts of the categories.
    order
        Indexes of the categories in the order in which they are cut.
    values
        A rising number for each rank, by which distances are measured.
    """
    rank = np.empty(len(names) + 1, dtype=np.int64)
    rank[order] = np.arange(len(names))
    rank[-1] = -1
    return Scale(column, rank[codes], tuple(names[i] for i in order.tolist()), _compute_positions(values))


def _compute_positions(values: Floats) -> Floats:
    """Return the position of missing, which is 0, and of each of the rising values, shape (values + 1,).

    The first and the last value are 1 apart; missing lies before the first by the mean distance of neighbours. Values
    10, 20 and 50 lie at 0.5, 0.75 and 1.5. A single value lies at 1. Without values, only missing has a position.
    """
    if not len(values):
        return np.zeros(1)
    span = float(values[-1] - values[0])
    gap = span / (len(values) - 1) if span > 0 else 1.0
    places = np.concatenate([[0.0], values - values[0] + gap])
    return np.asarray(places / (span or 1.0))


def _to_rising_numbers(column: Column, names: tuple[str, ...]) -> Floats:
    """Return a rising number for each category of an ordered column, float64, shape (categories,).

    It is the number itself, for dates the seconds since the first date, and the rank from 0 for all others. It is the
    rank for all categories of a date column if its format is missing or does not read one of them.
    """
    if column.kind == "numeric" and column.style is not None:
        return np.array([float(name.replace(column.style.decimal, ".")) for name in names], dtype=np.float64)
    if column.kind == "date" and column.date_format is not None:
        form = DateFormat.parse(column.date_format)
        read = [form.read(name) for name in names] if form is not None else []
        if read and None not in read:
            first = read[0][0]  # type: ignore[index]
            return np.array([(reading[0] - first).total_seconds() for reading in read if reading is not None])
    return np.arange(len(names), dtype=np.float64)


def _make_hierarchy_scale(column: Column, codes: Ints, names: tuple[str, ...]) -> Scale:
    """Return the scale of a column whose values are in the order of its hierarchy.

    ``codes`` is the category of each row, -1 where missing; ``names`` are the texts of the categories, all of which the
    hierarchy must have.
    """
    tree = column.hierarchy
    assert tree is not None
    seen: list[dict[str, int]] = [{} for _ in range(tree.height + 1)]
    for value in tree.generalised:
        for level in range(tree.height + 1):
            seen[level].setdefault(tree.at(value, level), len(seen[level]))
    paths = [tuple(seen[level][tree.at(name, level)] for level in range(tree.height, -1, -1)) for name in names]
    order = np.array(sorted(range(len(names)), key=lambda i: paths[i]), dtype=np.int64)
    ancestors = np.zeros((tree.height + 1, len(names) + 1), dtype=np.int64)
    for level in range(tree.height + 1):
        labels = [paths[i][tree.height - level] for i in order.tolist()]
        change = np.concatenate([[1], np.not_equal(labels[1:], labels[:-1])]) if labels else np.zeros(0)
        ancestors[level, 1:] = np.cumsum(change)
    if names:
        ancestors[tree.height, 0] = 1
    made = _make_ranked_scale(column, codes, names, order, np.arange(len(names), dtype=np.float64))
    return Scale(column, made.ranks, made.texts, made.places, ancestors)
