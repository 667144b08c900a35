"""The values of a table that groups keep as counts: missing-value patterns, ordinal values, categories.

Dynamic condensation keeps only statistics of a group. Means and covariances describe its numbers; everything else is
described by how often each value occurs. These counts form blocks, one block for each set of columns: first the
patterns of missing values over the regenerated columns, then one block for each ordinal column (its known values),
then one for each set of nominal columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import MOST_CATEGORIES, Coverage, JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import texts_of_keys
from ppdm_desktop.engine.table.column import Column

Value = tuple[str | None, ...]
ABSENT = -1


@dataclass(frozen=True, eq=False)
class ValueBlocks:
    """The values of a table that are counted in each group, in blocks of one set of columns each.

    Attributes
    ----------
    columns
        Names of each block's columns; the first block has the columns that are regenerated.
    values
        Each block's values, with one text for each of its columns. In the first block a value is a pattern of missing
        values: None where a cell has a value, else the text of the missing cell.
    ranked
        int64, shape (blocks,): for the block of an ordinal column its index among the regenerated columns, else -1.
    """

    columns: tuple[tuple[str, ...], ...]
    values: tuple[tuple[Value, ...], ...]
    ranked: Ints

    @cached_property
    def starts(self) -> Ints:
        """Index of each block's first value, int64, shape (blocks,)."""
        sizes = np.array([len(value) for value in self.values], dtype=np.int64)
        return np.asarray(np.cumsum(sizes) - sizes)

    @property
    def width(self) -> int:
        """Number of values in all blocks together, called C."""
        return sum(len(value) for value in self.values)

    @cached_property
    def known(self) -> Bools:
        """Flags of the columns that are not missing in each pattern, bool, shape (patterns, columns)."""
        patterns = [[text is None for text in value] for value in self.values[0]]
        return np.array(patterns, dtype=np.bool_).reshape(len(patterns), len(self.columns[0]))

    def counts(self, places: Ints, group: Ints, groups: int) -> Ints:
        """Return how often every value occurs in every group, int64, shape (groups, C) for C values in all blocks.

        Parameters
        ----------
        places
            Shape (records, blocks): index of each record's value of the block among the values of all blocks, -1 where
            it has none.
        group
            Group of each record, shape (records,).
        groups
            Number of groups.
        """
        counts = np.zeros((groups, self.width), dtype=np.int64)
        for block in range(places.shape[1]):
            there = places[:, block] >= 0
            np.add.at(counts, (group[there], places[there, block]), 1)
        return counts

    def embedding(self, totals: Ints) -> Floats:
        """Return the coordinates by which values enter distances between records, float64, shape (C, coordinates).

        There is a coordinate for each column of numbers, dates or ordered categories with missing values or spikes
        (frequent values treated as categories), for whether there is an ordinary value. Each nominal column with two or
        more categories has its 20 most frequent ones as one-hot / sqrt(2), with all others sharing one. Ranks are not
        among these coordinates. A record's coordinates are the sum over its values; a group's are the mean over its
        records.

        Parameters
        ----------
        totals
            Shape (C,): how often each value occurs in all groups.
        """
        parts: list[Floats] = []
        patterns = len(self.values[0])
        for column in np.flatnonzero(~self.known.all(axis=0)):
            coordinate = np.zeros(self.width)
            coordinate[:patterns] = self.known[:, column]
            parts.append(coordinate)
        for block in range(1, len(self.columns)):
            if self.ranked[block] == ABSENT:
                start = int(self.starts[block])
                for at in range(len(self.columns[block])):
                    texts = [value[at] for value in self.values[block]]
                    parts += _encode_one_hot(texts, totals[start : start + len(texts)], start, self.width)
        return np.column_stack(parts) if parts else np.zeros((self.width, 0))


def _encode_one_hot(texts: Sequence[str | None], totals: Ints, start: int, width: int) -> list[Floats]:
    """Return a coordinate for each of the 20 most frequent texts of one column, and one for all others, if any.

    Of equally frequent texts, the first in the alphabet counts as more frequent.

    ``texts`` are the values of a block and ``totals`` how often each occurs; the block's values begin at index
    ``start`` of all ``width`` values. A coordinate, shape (width,), is 1 / sqrt(2) for its texts, else 0. The list is
    empty where fewer than two texts occur.
    """
    counts: dict[str | None, int] = {}
    for text, total in zip(texts, totals.tolist(), strict=True):
        counts[text] = counts.get(text, 0) + total
    present = sorted((text for text, count in counts.items() if count), key=lambda text: (-counts[text], text or ""))
    if len(present) < 2:
        return []
    index_of = {text: at for at, text in enumerate(present[:MOST_CATEGORIES])}
    one_hot = np.zeros((min(len(present), MOST_CATEGORIES + 1), width))
    for at, text in enumerate(texts):
        if counts[text]:
            one_hot[index_of.get(text, MOST_CATEGORIES), start + at] = 1 / np.sqrt(2.0)
    return list(one_hot)


def counted_values(coverage: Coverage) -> tuple[ValueBlocks, Ints]:
    """Return the values of a table in blocks, sorted by text inside each, and each record's value indexes.

    The indexes are int64, shape (records, blocks), and count through the values of all blocks; -1 where an ordinal
    value is missing.

    Missing nominal values are values like others. The first block has the patterns of missing values and spikes
    (frequent values treated as categories), the next ones the ordinal columns, the last ones the sets of nominal
    columns.
    """
    joint = [joint_column.column for joint_column in coverage.joint]
    present = [joint_column.known for joint_column in coverage.joint]
    ordinal = [at for at, joint_column in enumerate(coverage.joint) if joint_column.sort == "rank"]
    sets = [joint, *([joint[at]] for at in ordinal), *(list(columns) for columns in coverage.permuted)]
    values_of_blocks: list[tuple[Value, ...]] = []
    places: list[Ints] = []
    rows = len(next((column for columns in sets for column in columns), ()))
    start = 0
    for block, columns in enumerate(sets):
        keys = np.zeros((rows, len(columns)), dtype=np.int64)
        for at, column in enumerate(columns):
            keys[:, at] = np.where(present[at], -1, column.codes) if block == 0 else column.codes
        there = ~columns[0].missing if 0 < block <= len(ordinal) else np.ones(rows, dtype=np.bool_)
        values, value_index = _find_distinct_values(keys[there], columns)
        block_places = np.full(rows, ABSENT, dtype=np.int64)
        block_places[there] = start + value_index
        values_of_blocks.append(values)
        places.append(block_places)
        start += len(values)
    ranked = np.array([ABSENT, *ordinal, *(ABSENT for _ in coverage.permuted)], dtype=np.int64)
    names = tuple(tuple(column.name for column in columns) for columns in sets)
    return ValueBlocks(names, tuple(values_of_blocks), ranked), np.column_stack(places)


def _find_distinct_values(keys: Ints, columns: Sequence[Column]) -> tuple[tuple[Value, ...], Ints]:
    """Return the distinct values of columns, sorted by text, and the index of each row's value.

    ``keys``, shape (rows, columns), has codes, and -1 for a value that is regenerated, which becomes None. If there
    are no columns, the empty tuple is the only value.
    """
    if not columns:
        return ((),), np.zeros(len(keys), dtype=np.int64)
    distinct, inverse = np.unique(keys, axis=0, return_inverse=True)
    values = texts_of_keys(distinct, columns)
    order = sorted(range(len(values)), key=lambda at: tuple(text or "" for text in values[at]))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return tuple(values[at] for at in order), rank[inverse.reshape(-1)]


def make_stand_in_columns(
    coverage: Coverage, blocks: ValueBlocks, counts: Ints, group: Ints, ranks: Mapping[str, Mapping[str, int]]
) -> Coverage:
    """Return columns in which every group has exactly the values that its counts state, as if read from a table.

    The artificial columns are later written from these. Which record of a group has which value means nothing, and
    numbers only show where a value is missing or a spike (a frequent value treated as a category).

    Parameters
    ----------
    coverage
        The columns, which tell how values are written.
    blocks, counts
        The values, and how often each group has them, shape (groups, C).
    group
        Each row's group; each group has as many rows as its counts of patterns add up to.
    ranks
        For each ordinal column the rank of each of its values.
    """
    order = np.argsort(group, kind="stable")
    pattern = np.empty(len(group), dtype=np.int64)
    pattern[order] = _repeat_value_indexes(counts, blocks, 0)
    joint = []
    for at, joint_column in enumerate(coverage.joint):
        present = blocks.known[pattern, at]
        texts = [value[at] for value in blocks.values[0]]
        block = int(np.flatnonzero(blocks.ranked == at)[0]) if at in blocks.ranked else ABSENT
        if block == ABSENT:
            joint.append(_apply_gap_patterns(joint_column, pattern, texts, present))
            continue
        value = np.full(len(group), ABSENT, dtype=np.int64)
        filled = order[present[order]]
        value[filled] = _repeat_value_indexes(counts, blocks, block)
        joint.append(
            _apply_values_and_ranks(
                joint_column, pattern, texts, value, [row[0] for row in blocks.values[block]], present, ranks
            )
        )
    permuted = []
    first = len(blocks.columns) - len(coverage.permuted)
    for block, columns in enumerate(coverage.permuted, start=first):
        value = np.empty(len(group), dtype=np.int64)
        value[order] = _repeat_value_indexes(counts, blocks, block)
        own_values = blocks.values[block]
        permuted.append(
            tuple(
                _fill_with_texts(column, [texts[at] for texts in own_values], value)
                for at, column in enumerate(columns)
            )
        )
    return Coverage(tuple(joint), tuple(permuted))


def _repeat_value_indexes(counts: Ints, blocks: ValueBlocks, block: int) -> Ints:
    """Return the value indexes of one block, repeated by their counts, group by group and rising within a group.

    Indexes count from the first value of the block. ``counts`` has how often each group has each value of all blocks,
    shape (groups, values of all blocks).
    """
    start, size = int(blocks.starts[block]), len(blocks.values[block])
    block_counts = counts[:, start : start + size]
    return np.repeat(np.tile(np.arange(size, dtype=np.int64), len(block_counts)), block_counts.reshape(-1))


def _fill_with_texts(column: Column, texts: Sequence[str | None], value: Ints) -> Column:
    """Return the column in which row i has the text ``texts[value[i]]``; None becomes an empty text."""
    index = {text: code for code, text in enumerate(column.texts)}
    codes = np.array([index.setdefault(text or "", len(index)) for text in texts], dtype=np.int32)
    return replace(column, codes=codes[value], texts=tuple(index))


def _apply_gap_patterns(joint: JointColumn, pattern: Ints, texts: Sequence[str | None], present: Bools) -> JointColumn:
    """Return the column with missing cells and spikes (frequent values) placed as each row's pattern says.

    ``pattern`` is the pattern of each row, ``texts`` what the column shows in each pattern (None where it has a
    value), and ``present`` flags rows with a value. All numeric values become 0; cells with a value show one arbitrary
    text.
    """
    column = joint.column
    index = {text: code for code, text in enumerate(column.texts)}
    filler = next((code for text, code in index.items() if text not in joint.gap_texts), 0)
    codes = np.array([filler if text is None else index.setdefault(text, len(index)) for text in texts], dtype=np.int32)
    released_column = replace(column, codes=codes[pattern], texts=tuple(index))
    return replace(joint, column=released_column, values=np.zeros(len(pattern)), known=present)


def _apply_values_and_ranks(
    joint: JointColumn,
    pattern: Ints,
    texts: Sequence[str | None],
    value: Ints,
    value_texts: Sequence[str | None],
    present: Bools,
    ranks: Mapping[str, Mapping[str, int]],
) -> JointColumn:
    """Return an ordinal column with its values and ranks, and missing cells by pattern.

    ``pattern`` is the pattern of each row, ``texts`` what the column shows in each pattern (None where it has a value),
    and ``present`` flags rows with a value. ``value`` is the index of each row's text in ``value_texts``, and ``ranks``
    has the rank of each text by column. Where a value is missing, the rank is 0.
    """
    gaps = _apply_gap_patterns(joint, pattern, texts, present).column
    index = {text: code for code, text in enumerate(gaps.texts)}
    codes = np.array([index.setdefault(text or "", len(index)) for text in value_texts] or [0], dtype=np.int32)
    released_column = replace(gaps, codes=np.where(present, codes[value], gaps.codes), texts=tuple(index))
    value_ranks = np.array([ranks[joint.column.name][text or ""] for text in value_texts] or [0], dtype=np.float64)
    return replace(joint, column=released_column, values=np.where(present, value_ranks[value], 0.0), known=present)
