"""The relation of two columns before and after, counted for drawing; no widgets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.release.measures.generalised_columns import to_shared_texts
from ppdm_desktop.engine.utility.whole_table import Compared
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.density import Clouds, build_clouds

MOST_WORDS = 10


@dataclass(frozen=True, eq=False)
class Crossed:
    """Cross-tabulation of two categorical columns: share of all records in each combination, shape (rows, columns)."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    before: Floats
    after: Floats


@dataclass(frozen=True, eq=False)
class Means:
    """Means of a number column in the groups of another column, before and after.

    Attributes
    ----------
    number, groups
        Names of the number column and the grouping column.
    everybody
        Mean over all records of the original; other means are NaN for an empty group.
    """

    number: str
    groups: str
    labels: tuple[str, ...]
    before: Floats
    after: Floats
    records_before: Ints
    records_after: Ints
    everybody: float | None


@dataclass(frozen=True, eq=False)
class PairDetail:
    """Two columns before and after; ``content`` is None for two numbers that no record has both of.

    Attributes
    ----------
    first, second
        Names of the columns.
    records_before, records_after
        Number of rows of the original and of the release.
    """

    first: str
    second: str
    records_before: int
    records_after: int
    content: Crossed | Means | Clouds | None


def count_pair(candidate: Candidate, first: str, second: str) -> PairDetail:
    """Return what is drawn for a pair of a candidate's released columns, as by ``pair_detail``.

    It prepares the tables first, which takes long, so it runs in the background.
    """
    progress.report(0.0, "doing.utility")
    return pair_detail(candidate, match_source_columns(candidate), first, second)


def pair_detail(candidate: Candidate, sides: Compared, first: str, second: str) -> PairDetail:
    """Return what is drawn for a pair of columns, from tables already prepared for comparison.

    - Two numbers give point clouds, or None if no record has both, neither before nor after.
    - A number and a category give the means of the number in each group.
    - Two categories give the shares of all combinations.

    A column counts as a number only if it is one before and after.
    """
    places = {column.name: index for index, column in enumerate(sides.after)}
    numeric = [
        sides.before[places[name]].kind == "numeric" == sides.after[places[name]].kind for name in (first, second)
    ]
    crossed: Crossed | Means | Clouds | None
    if all(numeric):
        first_column, second_column = places[first], places[second]
        crossed = build_clouds(
            (sides.before[first_column].numbers, sides.before[second_column].numbers),
            (sides.after[first_column].numbers, sides.after[second_column].numbers),
        )
    elif any(numeric):
        number, groups = (first, second) if numeric[0] else (second, first)
        crossed = _compute_group_means(candidate, sides, number, groups)
    else:
        crossed = _cross_tabulate_columns(candidate, sides, first, second)
    return PairDetail(first, second, len(sides.before[0]), len(sides.after[0]), crossed)


def _encode_categories(candidate: Candidate, sides: Compared, name: str) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Return the category codes of a column before and after, and the labels that the codes are indices of.

    Codes have shape (rows,). If there are more than ``MOST_WORDS`` (10) different texts, the 9 most frequent keep a
    label and all others share the label "(all others)", which follows them; the sum of the shares before and after
    decides. Missing values have the last label, "(missing)", if there are any. If the release only generalised the
    column, each value to a single range, the texts before are mapped to its ranges first.
    """
    first, second, names = to_shared_texts(candidate, sides, name)
    size = len(names)
    uses = np.bincount(first[first >= 0], minlength=size) / max(len(first), 1)
    uses = uses + np.bincount(second[second >= 0], minlength=size) / max(len(second), 1)
    used = np.flatnonzero(uses > 0)
    kept = used
    if len(used) > MOST_WORDS:
        kept = np.sort(used[np.argsort(-uses[used], kind="stable")[: MOST_WORDS - 1]])
    labels = [names[index] for index in kept]
    cell = np.full(size + 1, len(kept), dtype=np.int64)
    cell[kept] = np.arange(len(kept))
    if len(kept) < len(used):
        labels.append(_("(all others)"))
    cell[-1] = len(labels)
    if (first < 0).any() or (second < 0).any():
        labels.append(_("(missing)"))
    return cell[first], cell[second], tuple(labels)


def _cross_tabulate_columns(candidate: Candidate, sides: Compared, first: str, second: str) -> Crossed:
    """Return the shares of all combinations of two categorical columns, before and after, shape (first, second).

    Categories are those of ``_encode_categories``: at most 10, and missing values. The shares of a table sum to 1; all
    are 0 without rows.
    """
    one_before, one_after, rows = _encode_categories(candidate, sides, first)
    other_before, other_after, columns = _encode_categories(candidate, sides, second)
    shape = (len(rows), len(columns))
    shares = []
    for row_codes, column_codes in ((one_before, other_before), (one_after, other_after)):
        counts = np.bincount(row_codes * shape[1] + column_codes, minlength=shape[0] * shape[1]).reshape(shape)
        shares.append(counts / max(len(row_codes), 1))
    return Crossed(rows, columns, shares[0], shares[1])


def _compute_group_means(candidate: Candidate, sides: Compared, number: str, groups: str) -> Means:
    """Return the mean of a number column in each group of another column, and how many records have a number.

    Both are counted before and after, shape (groups,). Groups are the categories of ``_encode_categories``; missing
    values are one. Means are NaN for a group without numbers; the mean of all original values is None without any.
    """
    column_index = [column.name for column in sides.after].index(number)
    before, after, labels = _encode_categories(candidate, sides, groups)
    values = sides.before[column_index].numbers, sides.after[column_index].numbers
    means, records = [], []
    for cells, numbers in zip((before, after), values, strict=True):
        is_known = ~np.isnan(numbers)
        counts = np.bincount(cells[is_known], minlength=len(labels))
        sums = np.bincount(cells[is_known], weights=numbers[is_known], minlength=len(labels))
        with np.errstate(invalid="ignore", divide="ignore"):
            means.append(np.asarray(sums / counts, dtype=np.float64))
        records.append(counts.astype(np.int64))
    first = values[0][~np.isnan(values[0])]
    everybody = float(first.mean()) if len(first) else None
    return Means(number, groups, labels, means[0], means[1], records[0], records[1], everybody)
