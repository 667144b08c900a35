"""How useful a release is, in three figures and their geometric mean.

- Columns: the overlap of each column's distributions before and after, which is 1 - total variation where no row is
  lost.
- Pairs: the same overlap for two-way tables of at most 12 x 12 cells.
- Believable: the share of rows that break no rule which holds in the source.

A generalised value (``[30, 40)``, ``1988``) has the loss L = (values it stands for - 1) / (values of the column - 1)
(V. S. Iyengar, KDD 2002). For columns it counts 1 - L. For pairs it is spread evenly over the values it stands for, so
that the tables already show most of the loss, and it counts 1 - L * L. So a value that stands for all values counts
nothing, like an empty cell, a removed row or a column left out.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.utility.cells import MOST_VALUES, NUMBER_CELLS
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.values import LazyText

MOST_PAIRS = 300
PAIR_CELLS, PAIR_NUMBER_CELLS = 12, 10
_LEAST_ROUNDED = 2
"""A released number counts as rounded where its grid is at least this many times as wide as the source's."""
_FINEST = 1e-9
"""The smallest step of numbers that is considered, as a share of their range."""
_COLUMNS = untranslated("mean over source columns of 1 - total variation; broader values less their granularity")
_PAIRS = untranslated("mean over pairs of source columns of the same, in at most 12 x 12 cells")
_USEFUL = untranslated("geometric mean of columns, pairs and believable rows, as far as they are counted")


@dataclass(frozen=True, eq=False)
class TrueRows:
    """A generalised column whose rows still correspond to the source, so that it shows what each value stands for.

    Attributes
    ----------
    column
        The column after the step that generalised it.
    source_rows
        int64, shape (rows,): row of the source that each row of ``column`` was made from.
    """

    column: Column
    source_rows: Ints


@dataclass(frozen=True)
class Usefulness:
    """Three figures of usefulness and their geometric mean, each a share from 0 to 1."""

    columns: Figure
    pairs: Figure
    believable: Figure
    useful: Figure


def measure_usefulness(
    source: Sequence[Column],
    released: Mapping[str, Column],
    true_rows: Mapping[str, TrueRows],
    believable: Figure,
    of_source: dict[object, Any] | None = None,
) -> Usefulness:
    """Return how much of the source columns, and of their pairs, a release keeps, as four figures from 0 to 1.

    What is kept of a column is 1 less the total variation between its distributions in source and release, over values
    or cells of values; a broader value counts less the more values it stands for. The figures are its mean over all
    source columns, the same over pairs of columns (300 of them where there are more), ``believable``, and the geometric
    mean of those that are not absent. A column that is not released counts 0, and so do its pairs; missing rows count
    as lost.

    Parameters
    ----------
    source
        The source columns that a release can contain: all but identifiers and columns left out by their role.
    released
        The released columns by name; rows need not be in the order of the source.
    true_rows
        For columns with generalised values: what these stand for, by the column's name.
    believable
        Share of released rows that break no rule which holds in the source.
    of_source
        A cache of what was computed from the source columns: pass the same dict for all releases of one source. It is
        filled in place; None for no cache.
    """
    of_source = {} if of_source is None else of_source
    rows, weight = _weigh_rows(source, released)
    kept = progress.part(0.0, 0.25).run(measure_kept_shares, source, released, true_rows, of_source)
    coded: list[tuple[_Coded, _Coded] | None] = []
    for done, column in enumerate(source):
        progress.report(0.25 + 0.25 * done / len(source), "doing.utility")
        after = released.get(column.name)
        if after is None or not rows:
            coded.append(None)
            continue
        scale, before = _list_source_codings(column, of_source)[1]
        coded_after = before if after is column else _encode_release(scale, after, true_rows.get(column.name)).merged()
        coded.append((before, coded_after))
    pairs = []
    chosen = _choose_column_pairs(len(source))
    for done, (first, second) in enumerate(chosen):
        progress.report(0.5 + 0.5 * done / len(chosen), "doing.utility")
        left, right = coded[first], coded[second]
        if left is None or right is None:
            pairs.append(0.0)
            continue
        key = (_build_two_way_table, source[first], source[second])
        if key not in of_source:
            of_source[key] = _build_two_way_table(left[0], right[0])
        before_table = after_table = of_source[key]
        if left[1] is not left[0] or right[1] is not right[0]:
            after_table = _build_two_way_table(left[1], right[1])
        pairs.append(float(np.minimum(before_table / rows, after_table * weight).sum()))
    columns = _compute_mean_share(list(kept.values()), _COLUMNS)
    kept_pairs = _compute_mean_share(pairs, _PAIRS)
    return Usefulness(columns, kept_pairs, believable, _geometric_mean(columns, kept_pairs, believable))


def measure_kept_shares(
    source: Sequence[Column],
    released: Mapping[str, Column],
    true_rows: Mapping[str, TrueRows],
    of_source: dict[object, Any],
) -> dict[str, float]:
    """Return by source column how much of it a release keeps, from 0 to 1, as ``measure_usefulness`` counts it.

    The parameters are the same.
    """
    kept, (rows, weight) = dict.fromkeys((column.name for column in source), 0.0), _weigh_rows(source, released)
    for done, column in enumerate(source):
        progress.report(done / len(source), "doing.utility")
        after = released.get(column.name)
        if after is not None and rows:
            scale, before = _list_source_codings(column, of_source)[0]
            coded_after = before if after is column else _encode_release(scale, after, true_rows.get(column.name))
            kept[column.name] = float(np.minimum(before.totals() / rows, coded_after.totals() * weight).sum())
    return kept


def _weigh_rows(source: Sequence[Column], released: Mapping[str, Column]) -> tuple[int, float]:
    """Return the number of source rows, and the weight of each released row: 1 / the larger number of rows.

    So the weights sum to 1, or to the share of rows that are left where rows were removed; 0 if nothing is released.
    """
    rows = len(source[0]) if source else 0
    rows_left = len(next(iter(released.values()))) if released else 0
    return rows, min(rows_left / max(rows, 1), 1.0) / max(rows_left, 1)


def _compute_mean_share(shares: Sequence[float], method: LazyText) -> Figure:
    """Return the mean of shares as a figure, at most 1; an absent figure without shares."""
    if not shares:
        return Figure.absent(lazy("needs at least two released columns"), unit="share")
    return Figure(min(float(np.mean(shares)), 1.0), n=len(shares), unit="share", method=method)


def _geometric_mean(*figures: Figure) -> Figure:
    """Return the geometric mean of the shares that have a value, as a share; ``n`` is how many they are.

    If none has a value, the result has none either, and the reason of the first.
    """
    counted = [float(figure.value) for figure in figures if figure.value is not None]
    if not counted:
        return Figure.absent(figures[0].reason, unit="share")
    return Figure(float(np.prod(counted) ** (1 / len(counted))), n=len(counted), unit="share", method=_USEFUL)


def _choose_column_pairs(columns: int) -> list[tuple[int, int]]:
    """Return all pairs of column indexes (lower first), or 300 of them spread evenly over the list if it is longer."""
    pairs = list(itertools.combinations(range(columns), 2))
    if len(pairs) <= MOST_PAIRS:
        return pairs
    return [pairs[index] for index in np.linspace(0, len(pairs) - 1, MOST_PAIRS).round().astype(int).tolist()]


# --- cells ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Scale:
    """The cells into which one source column is divided; the last cell is for missing values.

    Attributes
    ----------
    column
        The source column.
    cell_of_category
        int64, shape (categories + 1,): cell of each category; the last entry, found by code -1, is the missing cell.
    edges
        Upper ends of the cells of a numeric column, without the last; None where the column has texts.
    values, step
        The distinct numbers, rising, and the step of which all are multiples; empty where the column has texts.
    spread_evenly
        Whether a generalised value is spread evenly over the values it stands for (as for pairs), or in proportion to
        their frequency in the source.
    """

    column: Column
    cell_of_category: Ints
    edges: Floats | None
    values: Floats
    step: float
    spread_evenly: bool

    def count_values(self, covered: Floats, values: int) -> Floats:
        """Return how much each generalised value counts, from 0 to 1, given how many values it stands for.

        It is 1 - L for columns and 1 - L squared for pairs, where L is (values it stands for - 1) / (``values`` of the
        column - 1). In a column of 11 values, one that stands for 6 counts 0.5, or 0.75 for pairs.
        """
        loss = np.clip((covered - 1.0) / max(values - 1, 1), 0.0, 1.0)
        return np.asarray(1.0 - (loss * loss if self.spread_evenly else loss))

    @property
    def cells(self) -> int:
        """Number of cells, the one for missing values included."""
        return int(self.cell_of_category[-1]) + 1


def _build_column_cells(column: Column, most: int, number_cells: int, *, spread_evenly: bool) -> _Scale:
    """Return the cells of a column: one for each value if there are at most ``most``, else coarser cells.

    Coarser cells are ``number_cells`` ranges of about equal frequency for numbers, dates and ordered categories. For
    names without an order the ``most`` - 1 most frequent have a cell each, and all others share one. The last cell is
    for missing values. With ``spread_evenly`` a range counts all values of it alike, else by the source's rows.
    """
    counts = column.category_counts
    values, edges, step = np.empty(0), None, 1.0
    if column.kind == "numeric":
        values = column.counted_numbers()[0]
        step = _find_common_step(values, column)
        cell = _assign_equal_runs(counts, number_cells) if len(counts) > most else np.arange(len(counts))
        edges = values[np.flatnonzero(np.diff(cell) > 0)]
    elif len(counts) <= most:
        cell = np.arange(len(counts))
    elif column.kind in ("ordinal", "date"):
        order = _sort_categories(column)
        cell = np.empty(len(counts), dtype=np.int64)
        cell[order] = _assign_equal_runs(counts[order], number_cells)
    else:
        cell = np.full(len(counts), most - 1)
        cell[np.argsort(-counts, kind="stable")[: most - 1]] = np.arange(most - 1)
    missing = int(cell.max()) + 1 if len(cell) else 0
    return _Scale(column, np.append(cell, missing).astype(np.int64), edges, values, step, spread_evenly)


def _assign_equal_runs(counts: Ints, most: int) -> Ints:
    """Return a group number, from 0, for each value: groups of neighbouring values with about equally many records.

    ``counts`` has the number of records of each value, in order. There are at most ``most`` groups, fewer where single
    values are frequent.
    """
    middle = np.cumsum(counts) - counts / 2
    return np.unique((middle * most / max(int(counts.sum()), 1)).astype(np.int64), return_inverse=True)[1].reshape(-1)


def _sort_categories(column: Column) -> Ints:
    """Return the category indexes in ascending order, int64, shape (categories,); those of dates by date and time.

    A text that is no date comes last. Columns that are not dates, or have no date format, keep their order.
    """
    form = DateFormat.parse(column.date_format) if column.kind == "date" and column.date_format else None
    if form is None:
        return np.arange(len(column.categories))
    days = [form.read(text) for text in column.categories]
    order = sorted(range(len(days)), key=lambda index: (days[index] is None, days[index] or (), index))
    return np.array(order, dtype=np.int64)


def _find_common_step(values: Floats, column: Column) -> float:
    """Return the largest step of which all numbers are multiples: 5 for 10, 25 and 40; 1 without numbers.

    It is at least the unit of the column's last decimal and a billionth of the numbers' range.
    """
    if not len(values):
        return 1.0
    decimals = column.style.decimals if column.style else 0
    unit = max(10.0**-decimals, float(np.ptp(values)) * _FINEST, float(np.abs(values).max()) * 1e-15)
    return max(float(np.gcd.reduce(np.abs(np.rint(values / unit)).astype(np.int64))), 1.0) * unit


# --- codes ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Coded:
    """A column as codes, and how each code is distributed over the cells.

    Attributes
    ----------
    codes
        int64, shape (rows,): code of each row.
    says
        float64, shape (codes, cells): how much a row with this code counts in each cell; the sum is below 1 where the
        code stands for several values.
    """

    codes: Ints
    says: Floats

    def totals(self) -> Floats:
        """Return the number of rows in each cell, shape (cells,); spread rows count as fractions."""
        return np.asarray(np.bincount(self.codes, minlength=len(self.says)) @ self.says)

    def merged(self) -> _Coded:
        """Return the column with codes merged that have equal distributions over the cells (to six decimals)."""
        says, merged = np.unique(self.says.round(6), axis=0, return_inverse=True)
        return _Coded(merged.reshape(-1)[self.codes], says)


def _build_two_way_table(first: _Coded, second: _Coded) -> Floats:
    """Return the number of rows in each cell of the two-way table of two columns, float64, shape (cells, cells).

    Both have the same rows. A row whose value stands for several cells is spread over them, so counts may be fractions.
    """
    width, rows = len(second.says), len(first.codes)
    if len(first.says) * width > 4 * rows + 10_000:
        return np.asarray(first.says[first.codes].T @ second.says[second.codes])
    counts = np.bincount(first.codes * width + second.codes, minlength=len(first.says) * width)
    return np.asarray(first.says.T @ counts.reshape(-1, width) @ second.says)


def _list_source_codings(column: Column, of_source: dict[object, Any]) -> list[tuple[_Scale, _Coded]]:
    """Return cells and codes of a source column in two versions: fine for the single column, coarser for pairs.

    They are taken from the cache ``of_source``; if they are not there, they are computed and stored in it.
    """
    if (_list_source_codings, column) not in of_source:
        scales = (
            _build_column_cells(column, MOST_VALUES, NUMBER_CELLS, spread_evenly=False),
            _build_column_cells(column, PAIR_CELLS - 1, PAIR_NUMBER_CELLS, spread_evenly=True),
        )
        of_source[_list_source_codings, column] = [(scale, _encode_source(scale)) for scale in scales]
    coded: list[tuple[_Scale, _Coded]] = of_source[_list_source_codings, column]
    return coded


def _encode_source(scale: _Scale) -> _Coded:
    """Return the source column as codes of its cells; each code belongs to exactly one cell."""
    return _Coded(scale.cell_of_category[scale.column.category_codes], np.eye(scale.cells))


def _encode_release(scale: _Scale, after: Column, true_rows: TrueRows | None) -> _Coded:
    """Return a released column as codes in the cells of its source column.

    A number rounded to steps more than 1.5 times as coarse as the source's is spread over the range of half a step
    below and above it, if the source has at least 12 different numbers. A generalised text of a numeric column is
    spread over the range that it states, or else over the range of the source numbers that ``true_rows`` shows; one of
    another column over the source values that ``true_rows`` shows. If this is not known, it is in no cell. A missing
    value is in the last cell.
    """
    numbers = after.kind == "numeric"
    codes = after.category_codes.astype(np.int64)
    if numbers and scale.edges is not None:
        values = after.counted_numbers()[0]
        step = _find_common_step(values, after)
        is_rounded = step > (_LEAST_ROUNDED - 0.5) * scale.step and len(scale.values) >= PAIR_CELLS
        if not is_rounded:
            cell = np.append(np.searchsorted(scale.edges, values), scale.cells - 1)
            return _Coded(cell[codes], np.eye(scale.cells))
        says = _distribute_ranges(scale, values - step / 2, values + step / 2)
    elif scale.edges is not None:
        says = _distribute_ranges(scale, *_find_source_ranges(scale, after, true_rows))
    else:
        says = _distribute_texts(scale, after, true_rows)
    missing = np.zeros((1, scale.cells))
    missing[0, -1] = 1.0
    return _Coded(np.where(codes < 0, len(says), codes), np.vstack([says, missing]))


def _distribute_ranges(scale: _Scale, above: Floats, upto: Floats) -> Floats:
    """Return how ranges of numbers are distributed over the cells, float64, shape (ranges, cells).

    A range is spread over the multiples of the column's step inside it (with `spread_evenly`), else over the source's
    rows inside it. The entries of a range sum to at most 1, and to less the more values the range stands for, down to 0
    for the range of all values. They are also all 0 where no such multiple or row lies in the range, or an end is
    unknown.

    Parameters
    ----------
    scale
        The cells of the source column.
    above, upto
        Ends of the ranges, shape (ranges,), NaN where unknown; the upper end belongs to the range, the lower does not.
    """
    says = np.zeros((len(above), scale.cells))
    if not len(scale.values):
        return says
    low, high = float(scale.values[0]) - scale.step, float(scale.values[-1])
    ends = np.concatenate([[-np.inf], scale.edges if scale.edges is not None else [], [np.inf]])
    above, upto = np.clip(above, low, high), np.clip(upto, low, high)
    inside = np.clip(ends[None, :], above[:, None], upto[:, None])
    steps = np.diff(np.floor(inside / scale.step + 1e-6), axis=1)
    counts = steps
    if not scale.spread_evenly:
        rows = np.append(0, np.cumsum(scale.column.category_counts))
        counts = np.diff(rows[np.searchsorted(scale.values, inside + scale.step * 1e-6, side="right")], axis=1)
    total = counts.sum(axis=1)
    is_known = (total > 0) & ~np.isnan(upto)
    kept = scale.count_values(steps[is_known].sum(axis=1), round((high - low) / scale.step))
    says[is_known, :-1] = counts[is_known] / total[is_known, None] * kept[:, None]
    return says


def _find_source_ranges(scale: _Scale, after: Column, true_rows: TrueRows | None) -> tuple[Floats, Floats]:
    """Return the lower and the upper end of the numbers that each released text stands for, each of shape (texts,).

    A text with digits stands for the range that it states (`range_ends`), since recipients see no more; others for the
    range of the source's numbers in ``true_rows``, if given. NaN where neither helps, infinite at an open end. The
    lower end is not part of the range: it is one step below the least number.
    """
    low, high = np.full(len(after.categories), np.nan), np.full(len(after.categories), np.nan)
    for word, text in enumerate(after.categories):
        written = range_ends(text)
        if written is not None:
            low[word], high[word] = written
            high[word] -= scale.step * (text.endswith(")") or text.startswith("<"))
    is_unread = np.isnan(low)
    if true_rows is not None and is_unread.any():
        word_of_row, rows = _match_true_rows(after, true_rows)
        numbers = scale.column.numbers[rows]
        is_wanted = ~np.isnan(numbers) & is_unread[word_of_row]
        least, most = np.full(len(low), np.inf), np.full(len(low), -np.inf)
        np.minimum.at(least, word_of_row[is_wanted], numbers[is_wanted])
        np.maximum.at(most, word_of_row[is_wanted], numbers[is_wanted])
        seen = least <= most
        low[seen], high[seen] = least[seen], most[seen]
    return low - scale.step, high


def _distribute_texts(scale: _Scale, after: Column, true_rows: TrueRows | None) -> Floats:
    """Return how released texts are distributed over the cells, float64, shape (texts, cells).

    A text that is a source value lies in that value's cell, with 1; a new date in that of the source's next date. A
    generalised text is spread over the source values of its rows; for dates and ranked categories, over all source
    values from the lowest to the highest of these. Its entries sum to less than 1 the more values it stands for, down
    to 0 for all, and are all 0 where ``true_rows`` is None.
    """
    categories = scale.column.categories
    index = {text: category for category, text in enumerate(categories)}
    values = np.array([index.get(text, -1) for text in after.categories], dtype=np.int64)
    if after.kind == scale.column.kind == "date":
        values = np.where(values < 0, _find_next_dates(scale.column, after.categories), values)
    weights = (np.ones_like if scale.spread_evenly else np.asarray)(scale.column.category_counts).astype(np.float64)
    counts, numbers = np.zeros((len(values), scale.cells)), np.zeros(len(values))
    single = np.flatnonzero(values >= 0)
    counts[single, scale.cell_of_category[values[single]]], numbers[single] = 1.0, 1.0
    if true_rows is not None and len(single) < len(values):
        word_of_row, rows = _match_true_rows(after, true_rows)
        of_row = scale.column.category_codes[rows].astype(np.int64)
        is_generalised = (values[word_of_row] < 0) & (of_row >= 0)
        count = _count_between if scale.column.kind in ("date", "ordinal") else _count_of_rows
        generalised, more_counts, more_numbers = count(
            scale, word_of_row[is_generalised], of_row[is_generalised], weights
        )
        counts[generalised], numbers[generalised] = more_counts, more_numbers
    total = counts.sum(axis=1)
    return counts * (scale.count_values(numbers, len(categories)) / np.where(total > 0, total, 1.0))[:, None]


def _find_next_dates(column: Column, texts: Sequence[str]) -> Ints:
    """Return for each text the index of the source's first date that is not before it, else of its last date.

    -1 for texts that are no dates of the column's format, and if the column has none.
    """
    form = DateFormat.parse(column.date_format or "")
    if form is None:
        return np.full(len(texts), -1)
    known = sorted((day, code) for code, text in enumerate(column.categories) if (day := form.read(text)) is not None)
    codes = np.array([-1, *(code for _, code in known)])
    places = [0 if (day := form.read(text)) is None else 1 + bisect_left(known, (day, -1)) for text in texts]
    return codes[np.minimum(places, len(known))]


def _count_of_rows(scale: _Scale, codes: Ints, of_row: Ints, weights: Floats) -> tuple[Ints, Floats, Floats]:
    """Return which source values a text without an order stands for: those that rows with this text have.

    Parameters
    ----------
    scale
        The cells of the source column.
    codes, of_row
        int64, shape (rows,): index of the text that a row shows, and of the value that it has in the source.
    weights
        Weight of each source value, shape (values,).

    Returns
    -------
    tuple
        The distinct texts, int64, shape (texts,); the weight of each text's values in each cell, shape (texts, cells);
        and the number of source values of each text, shape (texts,).
    """
    pairs = np.unique(codes * len(weights) + of_row)
    codes, of_row = pairs // len(weights), pairs % len(weights)
    texts, text_of_pair = np.unique(codes, return_inverse=True)
    counts = np.zeros((len(texts), scale.cells))
    np.add.at(counts, (text_of_pair, scale.cell_of_category[of_row]), weights[of_row])
    return texts, counts, np.bincount(text_of_pair, minlength=len(texts)).astype(np.float64)


def _count_between(scale: _Scale, codes: Ints, of_row: Ints, weights: Floats) -> tuple[Ints, Floats, Floats]:
    """Return which source values a text of dates or ranked categories stands for: all from lowest to highest.

    Example: a text whose rows have Monday and Thursday in the source stands for four days. ``codes`` (rows,) is the
    text that a row shows, ``of_row`` its source value, and ``weights`` (values,) the weight of each source value. The
    result has the distinct texts, their weight in each cell, and their number of source values.
    """
    order = _sort_categories(scale.column)
    rank_of_value = np.empty(len(order), dtype=np.int64)
    rank_of_value[order] = np.arange(len(order))
    texts, text_of_row = np.unique(codes, return_inverse=True)
    least, most = np.full(len(texts), len(order)), np.full(len(texts), -1)
    np.minimum.at(least, text_of_row, rank_of_value[of_row])
    np.maximum.at(most, text_of_row, rank_of_value[of_row])
    in_cells = np.zeros((len(order) + 1, scale.cells))
    in_cells[np.arange(1, len(order) + 1), scale.cell_of_category[order]] = weights[order]
    upto = np.cumsum(in_cells, axis=0)
    return texts, upto[most + 1] - upto[least], (most + 1 - least).astype(np.float64)


def _match_true_rows(after: Column, true_rows: TrueRows) -> tuple[Ints, Ints]:
    """Return for each row of ``true_rows`` the released category that it shows, and the index of its source row.

    Rows whose text does not occur in the release are left out.
    """
    index = {text: word for word, text in enumerate(after.categories)}
    to_word = np.array([*(index.get(text, -1) for text in true_rows.column.categories), -1], dtype=np.int64)
    word_of_row = to_word[true_rows.column.category_codes]
    there = np.flatnonzero(word_of_row >= 0)
    return word_of_row[there], true_rows.source_rows[there]
