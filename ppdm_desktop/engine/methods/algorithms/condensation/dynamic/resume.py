"""Brings saved group statistics and new records to the same units, values and indexes.

Dynamic condensation of a table: strata, order of joining, and the coverage for the new columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation.believable import Condensable, nearest_combinations
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage, JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream, SplitRule
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import Arrivals, Streamed, condense_stream
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments
from ppdm_desktop.engine.methods.algorithms.condensation.run import (
    TableGroups,
    count_group_sizes,
    coverage_of,
    strata_of,
)
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import (
    Condensed,
    Statistics,
    ValueCounts,
    add_known_variances,
    remove_table_share,
)
from ppdm_desktop.engine.methods.algorithms.condensation.values import (
    ABSENT,
    Value,
    ValueBlocks,
    counted_values,
    make_stand_in_columns,
)
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table, decimals_of
from ppdm_desktop.engine.table.kinds import list_rows_with_texts, present_texts
from ppdm_desktop.engine.wording.values import Quoted

# --- table --------------------------------------------------------------------------------

FIRST_PER_DEMAND, FIRST_SHARE = 10, 10
"""Records grouped first by default: the larger of ten times the strictest demand and a tenth of the table."""


@dataclass(frozen=True, eq=False)
class Dynamic:
    """The result of condensing a table record by record.

    Attributes
    ----------
    grouping
        Groups, with columns in which every group shows exactly the values it counts.
    condensed
        The groups' statistics.
    family
        Each record's family of groups that came out of one another.
    detail
        Figures for the report.
    """

    grouping: TableGroups
    condensed: Condensed
    family: Ints
    detail: Mapping[str, Any]


def ranks_of(coverage: Coverage) -> dict[str, dict[str, int]]:
    """Return the rank of each value of every ordinal column, from 0 in the order of the categories, by column name."""
    return {
        joint_column.column.name: {text: rank for rank, text in enumerate(joint_column.column.categories)}
        for joint_column in coverage.joint
        if joint_column.sort == "rank"
    }


def compute_coordinates(coverage: Coverage, blocks: ValueBlocks, places: Ints) -> tuple[Floats, Bools, Floats]:
    """Return coordinates of all records, flags of known values, and what each counted value adds to the coordinates.

    Shapes (records, D), (records, d) and (values, D - d): the first d coordinates are the standardised columns, 0 where
    a value is not known. ``places``, shape (records, blocks), holds the index of each record's value of a block among
    the values of all blocks, -1 for none.
    """
    rows = len(places)
    standard, present = coverage.standard(rows)
    totals = blocks.counts(places, np.zeros(rows, dtype=np.int64), 1)[0]
    embedding = blocks.embedding(totals)
    return np.hstack([standard, sum_embeddings(embedding, places)]), present, embedding


def sum_embeddings(embedding: Floats, places: Ints) -> Floats:
    """Return the further coordinates of records: the sum of ``embedding`` over their values.

    ``places``, shape (records, blocks), holds the index of each value, a row of ``embedding``; -1 adds nothing. The
    result has shape (records, coordinates).
    """
    embedded = np.zeros((len(places), embedding.shape[1]))
    for block in range(places.shape[1]):
        there = places[:, block] >= 0
        embedded[there] += embedding[places[there, block]]
    return embedded


def find_dynamic(ready: Condensable, settings: Settings, needs: Ints, streams: StepStream) -> Dynamic:
    """Return groups made from the first records, joined one by one by the others, in an order drawn by the key.

    Strata (parts of the table) are grouped separately. How many records of the whole table are first is the step's
    ``first_records``; where that is 0, ten times the largest demand or a tenth of the table (rounded up), whichever is
    more. In a stratum with too few first records for their largest demand, the next records are added to these.
    ``needs`` is the group size that each record asks for. The result also has the groups' statistics, columns in which
    each group shows exactly the values it counts, each record's family (groups split from or merged with one another
    share one), and the figures of the report.
    """
    values, table = settings.values, ready.table
    coverage = coverage_of(ready, settings, needs)
    blocks, places = counted_values(coverage)
    points, present, embedding = compute_coordinates(coverage, blocks, places)
    order = streams.stream("joining order").permutation(table.rows)
    records = Arrivals(points[order], present[order], places[order], needs[order])
    wanted = int(values["first_records"]) or max(
        FIRST_PER_DEMAND * int(needs.max(initial=0)), -(-table.rows // FIRST_SHARE)
    )
    strata = strata_of(table, settings, needs)
    group, family = np.full(table.rows, -1, dtype=np.int64), np.full(table.rows, -1, dtype=np.int64)
    parts: list[Streamed] = []
    groups = families = done = 0
    for stratum in strata:
        inside = np.zeros(table.rows, dtype=np.bool_)
        inside[stratum.rows] = True
        coming = np.flatnonzero(inside[order])
        part = progress.part(done / table.rows, (done + len(coming)) / table.rows).run(
            condense_stream,
            records.take(coming),
            blocks,
            embedding,
            first=int(np.count_nonzero(coming < wanted)),
            algorithm=str(values["algorithm"]),
            rule=values["split_rule"],
        )
        group[order[coming]] = groups + part.group
        family[order[coming]] = families + part.family
        groups, families, done = groups + part.stream.count, int(family.max()) + 1, done + len(coming)
        parts.append(part)
    condensed, counts = _join_strata(parts, coverage)
    released_coverage = make_stand_in_columns(coverage, blocks, counts, group, ranks_of(coverage))
    grouped = TableGroups(released_coverage, strata, (), group, _ssq_share(parts, points, coverage))
    return Dynamic(grouped, condensed, family, _build_detail(parts, grouped, condensed, settings))


def _join_strata(parts: list[Streamed], coverage: Coverage) -> tuple[Condensed, Ints]:
    """Return the statistics and value counts of the groups of all strata (parts of the table), one after another.

    Means and variances are corrected for missing values and spikes as in ``add_known_variances``. Counts have shape
    (groups, C) for C values.
    """
    moments_of_parts = [part.stream.moments() for part in parts]
    moments = GroupMoments(
        *(
            np.concatenate([getattr(part_moments, name) for part_moments in moments_of_parts])
            for name in ("n", "mean", "covariance", "pmax", "psum")
        )
    )
    known_counts = np.concatenate([part.stream.known[: part.stream.count] for part in parts])
    counts = np.concatenate([part.stream.counts[: part.stream.count] for part in parts])
    return add_known_variances(moments, known_counts, coverage), counts


def _ssq_share(parts: list[Streamed], points: Floats, coverage: Coverage) -> float:
    """Return the share of the sum of squares that lies within groups, computed from their statistics.

    After splits it is an estimate, and missing values count as their group's mean (in the total, as that of the table).
    Only the standardised columns count. 0 where all records are equal in these.
    """
    width = len(coverage.joint)
    total = float(((points[:, :width] - points[:, :width].mean(axis=0)) ** 2).sum())
    inside = 0.0
    for part in parts:
        moments = part.stream.moments()
        inside += float((moments.n * np.einsum("gii->g", moments.covariance)).sum())
    return inside / total if total > 0 else 0.0


def _build_detail(
    parts: list[Streamed], grouped: TableGroups, condensed: Condensed, settings: Settings
) -> dict[str, Any]:
    """Return the figures of the report as plain data: groups, strata, and under ``dynamic`` how records joined groups.

    A stratum is a part of the table that is grouped by itself. ``tried`` is empty, ``repairs`` counts merges, and
    ``records_below_demand`` is 0 here and filled in by the caller.
    """
    short = condensed.moments.n < condensed.moments.pmax
    return {
        **count_group_sizes(grouped.group),
        "ssq_share": grouped.ssq_share,
        "tried": {},
        "algorithms": [str(settings.values["algorithm"])],
        "repairs": sum(part.merges for part in parts),
        "strata": [
            {
                "classes": len(stratum.labels),
                "records": len(stratum.rows),
                "groups": part.stream.count,
            }
            for stratum, part in zip(grouped.strata, parts, strict=True)
        ],
        "dynamic": {
            "first_records": sum(part.first for part in parts),
            "split_rule": str(settings.values["split_rule"]),
            "splits": sum(part.stream.splits for part in parts),
            "waited": sum(part.waited for part in parts),
            "founded": sum(part.founded for part in parts),
            "merges": sum(part.merges for part in parts),
            "groups_below_demand": int(short.sum()),
            "records_below_demand": 0,
        },
    }


def add_short_count(detail: Mapping[str, Any], records: int) -> dict[str, Any]:
    """Return a copy of the figures with ``records``, the number in groups smaller than they demand, filled in."""
    return {**detail, "dynamic": {**detail["dynamic"], "records_below_demand": records}}


# --- resume -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Continued:
    """Groups of an earlier release, ready for new records.

    Attributes
    ----------
    stream
        The groups.
    records
        The new records, in the order of their table.
    stratum
        int64, shape (new records,): the set each may be grouped in.
    blocks, embedding
        The values that are counted, and what each counts in distances.
    coverage
        The columns by treatment, of the new records, written as the earlier release writes.
    ranks
        For each ordinal column the rank of each value.
    earlier_points
        Shape (released rows, d): where the rows of the earlier release lie.
    """

    stream: GroupStream
    records: Arrivals
    stratum: Ints
    blocks: ValueBlocks
    embedding: Floats
    coverage: Coverage
    ranks: Mapping[str, Mapping[str, int]]
    earlier_points: Floats


def continue_groups(
    saved: Statistics, earlier: Mapping[str, Column], table: Table, needs: Ints, class_name: str | None
) -> Continued:
    """Return the groups of saved statistics together with new records in the same units.

    If the release replaced rare combinations of columns that are permuted together, new combinations are replaced by
    the most similar earlier ones. No record has joined a group yet. The result also has the stratum (part of the table
    grouped by itself) of each new record, the values with their coordinates, and where the rows of the earlier release
    lie.

    KeyError is raised when a new record has a class that the earlier release did not have.

    Parameters
    ----------
    saved
        The statistics.
    earlier
        The released columns of the earlier release, by name.
    table, needs
        The new records, and the group size each asks for.
    class_name
        The column that divides the table; None where nothing does.

    Raises
    ------
    InputError
        When a new record has a category that the earlier release does not show, or a number with more decimals; names
        the column, the first such row and how many there are.
    """
    joint = saved_columns(saved, earlier, table)
    ranks = {
        str(column["name"]): {text: at for at, text in enumerate(column["order"])}
        for column in saved.columns
        if column["sort"] == "rank"
    }
    ordinal = {joint_column.column.name for joint_column in joint if joint_column.sort == "rank"}
    sets = [counts for counts in saved.counts if not (len(counts.columns) == 1 and counts.columns[0] in ordinal)]
    if saved.parameters["common"] and saved.parameters["categories"] != "together":
        table = _replace_new_combinations(sets, table)
    permuted = tuple(tuple(table.column(name) for name in counts.columns) for counts in sets)
    coverage = Coverage(joint, permuted)
    blocks, counts, places = _build_value_blocks(saved, coverage, sets, table)
    totals = counts.sum(axis=0)
    embedding = blocks.embedding(totals)
    standard, present = coverage.standard(table.rows)
    records = Arrivals(np.hstack([standard, sum_embeddings(embedding, places)]), present, places, needs)
    stream = _restore_stream(saved, joint, blocks, counts, embedding)
    strata = _find_strata(saved, table, class_name)
    rows = released_table(earlier, table)
    parts = [saved_column.standard for saved_column in saved_columns(saved, earlier, rows)]
    points = np.column_stack(parts) if parts else np.zeros((rows.rows, 0))
    return Continued(stream, records, strata, blocks, embedding, coverage, ranks, points)


def _replace_new_combinations(sets: Sequence[ValueCounts], table: Table) -> Table:
    """Return the table with each combination of dependent columns replaced by the nearest one released earlier.

    A value that the earlier release does not have stays, and is refused later.
    """
    combined = (counted for counted in sets if len(counted.columns) > 1)
    return table.replacing(*(column for counted in combined for column in _replace_in_one_set(counted, table)))


def _replace_in_one_set(counted: ValueCounts, table: Table) -> Iterator[Column]:
    """Yield the columns of one set, with each combination replaced by the one of the earlier release most like it.

    A known combination thus stays. A text that the earlier release does not show stays too, to be refused later; the
    other columns of its row are replaced. They come in the order of ``counted.columns``.
    """
    columns = [table.column(name) for name in counted.columns]
    index = [{text: code for code, text in enumerate(column.texts)} for column in columns]
    earlier = np.array([[index[at].get(text or "", ABSENT) for at, text in enumerate(row)] for row in counted.values])
    wanted, of_row = np.unique(np.column_stack([column.codes for column in columns]), axis=0, return_inverse=True)
    nearest = nearest_combinations(wanted, earlier, np.bincount(counted.value, counted.count, len(counted.values)))
    for at, column in enumerate(columns):
        texts = [counted.values[combination][at] or "" for combination in nearest.tolist()]
        seen = {value[at] for value in counted.values}
        texts_before = map(column.texts.__getitem__, wanted[:, at].tolist())
        texts = [new if old in seen else old for old, new in zip(texts_before, texts, strict=True)]
        yield column.with_values(np.arange(table.rows), [texts[row] for row in of_row.reshape(-1).tolist()])


def released_table(earlier: Mapping[str, Column], like: Table) -> Table:
    """Return the released rows of the earlier release as a table, with kinds and roles as the columns of ``like``.

    Rows are numbered from 1.
    """
    columns = [replace(like.column(name), codes=column.codes, texts=column.texts) for name, column in earlier.items()]
    rows = len(columns[0]) if columns else 0
    return Table(tuple(columns), np.arange(1, rows + 1, dtype=np.int64))


def saved_columns(saved: Statistics, earlier: Mapping[str, Column], table: Table) -> tuple[JointColumn, ...]:
    """Return a table's numbers, dates and ranks in the units of saved statistics.

    Raises
    ------
    InputError
        As `continue_groups`.
    """
    return tuple(_build_joint_column(table, described, earlier) for described in saved.columns)


def saved_style(described: Mapping[str, Any]) -> NumberStyle:
    """Return how the earlier release wrote a column of numbers: decimal sign, decimals and step.

    ``described`` is the column as the saved statistics describe it.
    """
    return NumberStyle(str(described["decimal"]), int(described["decimals"]), Decimal(described["step"]))


def _build_joint_column(table: Table, described: Mapping[str, Any], earlier: Mapping[str, Column]) -> JointColumn:
    """Return one column of a table in the units of saved statistics; InputError for values that these do not know.

    ``described`` is the column as the statistics describe it. Refused are numbers with more decimals than saved, and
    ordered categories that are not in the saved order; dates are not compared with earlier ones. Centre and scale are
    the saved ones.
    """
    name, sort = str(described["name"]), described["sort"]
    column = table.column(name)
    if sort == "number":
        style = saved_style(described)
        _refuse_rows(
            "error.top-up.finer",
            table,
            column,
            [text for text in present_texts(column) if decimals_of(text, style.decimal) > style.decimals],
            decimals=style.decimals,
        )
        column = replace(column, style=style)
    elif sort == "date":
        # How dates are written is found in all texts there are, the released ones among them.
        column = replace(column, texts=tuple(dict.fromkeys((*column.texts, *earlier[name].texts))))
    else:
        order = [str(text) for text in described["order"]]
        _refuse_rows(
            "error.top-up.new-value",
            table,
            column,
            [text for text in present_texts(column) if text not in order],
        )
        column = replace(column, order=tuple(order))
    base = described.get("base")
    joint = JointColumn.of(column, described.get("spikes", ()), None if base is None else table.column(base))
    joint = replace(joint, is_pooled=bool(described.get("pooled", False)))
    values = joint.values
    if sort == "rank":
        rank_of = {text: at for at, text in enumerate(order)}
        values = np.array([rank_of.get(text, 0) for text in column.texts] or [0], dtype=np.float64)[column.codes]
    return replace(joint, values=values, centre=float(described["centre"]), scale=float(described["scale"]))


def _refuse_rows(id: str, table: Table, column: Column, texts: Sequence[str], **more: int) -> None:
    """Raise InputError if there are ``texts``, naming the first row with one, its text and how many rows have one.

    The row has its number in the source, and the count is of rows with any of the texts. Nothing happens if ``texts``
    is empty. ``more`` are further arguments of the message ``id``.
    """
    if not texts:
        return
    rows = list_rows_with_texts(column, texts, table)
    text = column.text_at(int(np.flatnonzero(table.row_numbers == rows[0])[0]))
    raise InputError(id, column=column.name, row=rows[0], args={"value": Quoted(text), "count": len(rows), **more})


def _build_value_blocks(
    saved: Statistics, coverage: Coverage, sets: Sequence[ValueCounts], table: Table
) -> tuple[ValueBlocks, Ints, Ints]:
    """Return the value blocks with the new records' values, the groups' counts, and the records' value indexes.

    Shapes of the last two: (groups, values) and (records, blocks); indexes count through the values of all blocks, and
    are -1 where an ordered category is missing. The first block holds the patterns of gaps (which columns have a
    missing value or a spike, a frequent value treated as a category); then come the ordered columns, and the sets of
    nominal columns. InputError if a nominal column has a value that it did not have in the earlier release.
    """
    groups = len(saved.moments.n)
    names: list[tuple[str, ...]] = []
    values: list[tuple[Value, ...]] = []
    counts: list[Ints] = []
    places: list[Ints] = []
    ranked: list[int] = []
    by_name = {count.columns[0]: count for count in saved.counts if len(count.columns) == 1}
    jobs: list[tuple[ValueCounts, tuple[Column, ...], int]] = [
        (saved.gaps, tuple(joint_column.column for joint_column in coverage.joint), ABSENT)
    ]
    for at, joint_column in enumerate(coverage.joint):
        if joint_column.sort == "rank":
            jobs.append((by_name[joint_column.column.name], (joint_column.column,), at))
    jobs += [(counted, columns, ABSENT) for counted, columns in zip(sets, coverage.permuted, strict=True)]
    start = 0
    for block, (counted, columns, rank) in enumerate(jobs):
        if block and rank == ABSENT:
            _refuse_new(counted, columns, table)
        missing = columns[0].missing_texts if rank != ABSENT else frozenset()
        gaps = [joint_column.gap_texts for joint_column in coverage.joint] if block == 0 else None
        records = _list_row_tuples(columns, table.rows, gaps)
        block_values, record, block_counts = _build_value_block(counted, records, missing, groups)
        if block == 0 and not columns:
            block_counts[:, 0] = saved.moments.n
        names.append(tuple(column.name for column in columns))
        values.append(block_values)
        counts.append(block_counts)
        places.append(np.where(record >= 0, record + start, ABSENT))
        ranked.append(rank)
        start += len(block_values)
    blocks = ValueBlocks(tuple(names), tuple(values), np.array(ranked, dtype=np.int64))
    return blocks, np.hstack(counts), np.column_stack(places)


def _build_value_block(
    counted: ValueCounts, records: Sequence[Value], missing: frozenset[str], groups: int
) -> tuple[tuple[Value, ...], Ints, Ints]:
    """Return the values of one block, the index of each record's value, and each group's counts of the values.

    Values of the earlier release come first, in its order, then those that only ``records``, a value for each new
    record, have. Indexes count from 0 inside the block. Counts have shape (groups, values), and new records are not
    counted. A value whose first text is in ``missing`` has the index -1, is not listed and not counted.
    """
    place_of: dict[Value, int] = {}

    def index_value(value: Value) -> int:
        """Return the index of a value, -1 if it is missing; a new value takes the next free index."""
        return ABSENT if value[:1] and value[0] in missing else place_of.setdefault(value, len(place_of))

    earlier = np.array([index_value(value) for value in counted.values], dtype=np.int64)
    new = np.array([index_value(value) for value in records], dtype=np.int64)
    counts = np.zeros((groups, len(place_of)), dtype=np.int64)
    there = earlier[counted.value] >= 0
    np.add.at(counts, (counted.group[there], earlier[counted.value[there]]), counted.count[there])
    return tuple(place_of), new, counts


def _list_row_tuples(columns: Sequence[Column], rows: int, gaps: Sequence[frozenset[str]] | None) -> list[Value]:
    """Return the texts of each row as a tuple, in the order of ``columns``; an empty tuple without columns.

    ``gaps`` has, for each column, the texts of missing values and spikes (frequent values treated as categories); these
    are kept and all other texts become None. Without ``gaps``, all texts are kept.
    """
    if not columns:
        return [()] * rows
    texts = []
    for at, column in enumerate(columns):
        value_texts = [None if gaps is not None and text not in gaps[at] else text for text in column.texts]
        texts.append([value_texts[code] for code in column.codes.tolist()])
    return list(zip(*texts, strict=True))


def _refuse_new(counted: ValueCounts, columns: Sequence[Column], table: Table) -> None:
    """Raise InputError if a column of the new records has a value that the earlier release did not show.

    Such a value would tell who is new. Each column is judged by itself: a new combination of values shown is allowed.
    An empty cell counts as a value. ``columns`` are those of ``table``, the new records; ``counted`` has the values
    shown, each with one text for each of these columns.
    """
    for at, column in enumerate(columns):
        seen = {value[at] for value in counted.values}
        used = {column.texts[code] for code in np.unique(column.codes).tolist()}
        _refuse_rows("error.top-up.new-value", table, column, sorted(used - {text or "" for text in seen}))


def _restore_stream(
    saved: Statistics, joint: Sequence[JointColumn], blocks: ValueBlocks, counts: Ints, embedding: Floats
) -> GroupStream:
    """Return the saved groups as a stream that new records can join, in standard units.

    In the covariances, missing values count as their group's mean, and nothing of the whole table is mixed in.
    ``counts``, shape (groups, values), and ``embedding``, shape (values, coordinates), give the further coordinates of
    the centres.
    """
    centre = np.array([joint_column.centre for joint_column in joint])
    scale = np.array([joint_column.scale for joint_column in joint])
    moments = saved.moments
    share = np.sqrt(np.where(saved.known > 0, saved.known / moments.n[:, None], 1.0))
    units = scale * np.ones_like(share) / share
    covariance = moments.covariance / (units[:, :, None] * units[:, None, :])
    standard = GroupMoments(moments.n, (moments.mean - centre) / scale, covariance, moments.pmax, moments.psum)
    rule: SplitRule = saved.parameters["split_rule"]
    return GroupStream.of(
        remove_table_share(standard, saved.known, joint),
        more_centres=counts @ embedding / moments.n[:, None],
        counts=counts,
        blocks=blocks.starts,
        rule=rule,
        known=saved.known,
        patterns=blocks.known if not blocks.known.all() else None,
        ranked=blocks.ranked,
    )


def _find_strata(saved: Statistics, table: Table, class_name: str | None) -> Ints:
    """Return the stratum (part of the table grouped by itself) of each record, int64, shape (records,).

    All 0 where ``class_name`` is None; else the stratum of the saved layout that has the record's class, "" if it is
    missing; the class must be in one (KeyError).
    """
    if class_name is None:
        return np.zeros(table.rows, dtype=np.int64)
    column = table.column(class_name)
    stratum_of = {label: at for at, labels in enumerate(saved.layout.strata) for label in labels}
    of_text = [
        stratum_of["" if text in column.missing_texts else text] if used else 0
        for text, used in _mark_used_texts(column)
    ]
    return np.array(of_text or [0], dtype=np.int64)[column.codes]


def _mark_used_texts(column: Column) -> list[tuple[str, bool]]:
    """Return each text of a column, in its order, and whether a row shows it."""
    used = np.zeros(len(column.texts), dtype=np.bool_)
    used[column.codes] = True
    return list(zip(column.texts, used.tolist(), strict=True))
